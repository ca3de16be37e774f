"""Change points as TCPDBench has them, chapters as chunkseg has them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.align.versions import Versions
from caesura.communities.changes.measure import ChangePoints
from caesura.communities.music import measure as music
from support.published import figures
from support.reference_signals import conditional, mutual_information, tcpd
from support.results import result

N = 30
KEYS = ("f1", "precision", "recall", "cover")
points = st.lists(st.integers(1, N - 1), unique=True, max_size=10)


@given(points, st.lists(points, min_size=1, max_size=3), st.integers(0, 6))
def test_change_points_are_those_of_the_definition(ours, theirs, margin):
    versions = Versions(
        {str(at): caesura.times(sorted(each), n=N) for at, each in enumerate(theirs)},
        {"system": caesura.times(sorted(ours), n=N)},
    ).on_clock(axis="samples")
    counts = ChangePoints(margin).count(versions.systems["system"].segmentation, versions.panel)
    found = [counts.precision, counts.recall, counts.cover]
    assert found == pytest.approx(tcpd(theirs, ours, N, margin), abs=1e-9)


def test_the_scores_that_tcpdbench_published():
    for name, own in figures("tcpdbench").items():
        people = {
            key: {name: caesura.times(each, n=own["n"])} for key, each in own["annotations"].items()
        }
        systems = {
            method: {name: caesura.times(sorted({*each["points"]}), n=own["n"])}
            for method, each in own["methods"].items()
        }
        found = caesura.evaluate(systems, gold=people, profile="changes")
        for method, each in own["methods"].items():
            scores = found.systems[method].micro
            assert [scores[key] for key in KEYS] == pytest.approx(
                [each[key] for key in KEYS], abs=1e-9
            )


CHAPTERS = {
    (50, (24.2, 33.94), (11, 23, 34)): (0.5, 1 / 3, 3 / 7, 4 / 7, 0.5, 3, 0.8),
    (600, (120.5, 300), (125, 310)): (0.5, 0.5, 2 / 84, 2 / 84, 0.75, 1, 0),
}
NAMES = (
    "precision", "recall", "pk", "windowdiff", "boundary_similarity", "ghd", "collar_f1",
)  # fmt: skip


@pytest.mark.parametrize("case", CHAPTERS)
def test_chapters(case):
    duration, ours, theirs = case
    sides = caesura.times(ours, duration=duration), caesura.times(theirs, duration=duration)
    found = caesura.evaluate({"s": sides[0]}, gold={"g": sides[1]}, profile="chapters")
    assert [found.systems["s"].micro[name] for name in NAMES] == pytest.approx(CHAPTERS[case])


@pytest.mark.slow
@given(
    st.lists(st.integers(1, 590).map(lambda x: x / 10), unique=True, max_size=8),
    st.lists(st.integers(1, 590).map(lambda x: x / 10), unique=True, min_size=1, max_size=8),
)
def test_chapters_as_the_program_counts_them(ours, theirs):
    chunkseg = pytest.importorskip("chunkseg.metrics")
    core = pytest.importorskip("chunkseg.core")
    ours, theirs = sorted(ours), sorted(theirs)
    wanted = chunkseg.compute_metrics(
        *(core.build_target_sequence(60, each, 6) for each in (ours, theirs))
    )
    sides = caesura.times(ours, duration=60), caesura.times(theirs, duration=60)
    found = caesura.evaluate({"s": sides[0]}, gold={"g": sides[1]}, profile="chapters")
    scores = found.systems["s"].micro
    for ours_is, theirs_is in (("recall", "recall"), ("pk", "pk"), ("ghd", "ghd")):
        assert scores[ours_is] == pytest.approx(wanted[theirs_is])


def test_a_boundary_at_the_end_of_the_last_whole_bin_lies_in_it(run, folder):
    """One at the end of the recording does not count."""
    folder(**{"g.txt": "60\n120\n", "s.txt": "61\n119.9\n"})
    line = ("score", "chapters", "s.txt", "--gold", "g.txt", "--duration")
    scores = result(run, *line, "122s")["systems"][0]["micro"]
    assert [scores[name] for name in ("precision", "recall", "pk")] == [1, 1, 0]
    scores = result(run, *line, "120s")["systems"][0]["micro"]
    assert [scores[name] for name in ("precision", "recall")] == [0.5, 1]


@pytest.mark.slow
@given(st.lists(st.lists(st.floats(0.5, 59), min_size=2, max_size=6), min_size=2, max_size=2))
def test_deviations_are_rounded_once(tmp_path_factory, sides):
    """Times with more decimals than microseconds give what mir_eval gives."""
    segment = pytest.importorskip("mir_eval.segment")
    place, intervals = tmp_path_factory.mktemp("tracks"), []
    for name, ends in zip("rs", sides, strict=True):
        edges = [0, *sorted({round(end, 9) for end in ends}), 60]
        intervals.append(np.array([*pairwise(edges)]))
        lines = (f"{on:.9f}\t{off:.9f}\tA\n" for on, off in intervals[-1])
        (place / f"{name}.lab").write_text("".join(lines))
    found = caesura.evaluate(place / "s.lab", gold=place / "r.lab", profile="music").systems["s"]
    wanted = segment.deviation(*intervals)
    names = ("ref_to_est_deviation", "est_to_ref_deviation")
    assert [found[name] for name in names] == pytest.approx([*wanted], abs=1e-9)


def test_a_score_with_its_parameter(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.times").write_text("24.2\n33.94\n")
    (tmp_path / "g.times").write_text("11\n23\n34\n")
    command = ("transcript", "s.times", "--ref", "g.times", "--axis", "time", "--duration", "50")
    also = ("--also", "F1@3s", "--also", "Pk@8", "--rows", "r.jsonl")
    micro = result(run, *command, *also)["systems"][0]["micro"]
    assert micro["f1@3s"] == pytest.approx(0.8)
    assert micro["f1"] == pytest.approx(0.4)
    status, _, error = run(*command, "--fail-under", "hit@3s=0.9")
    assert (status, error) == (3, "error: s: f1_mean@3s .800 is under 0.9\n")
    assert run(*command, "--also", "foo@2")[0] == 2
    status, _, error = run(*command, "--also", "Pk@2s")
    assert (status, error) == (2, "error: '2s' is not a whole number; write one, as in Pk@8\n")
    status, out, _ = run("compare", "r.jsonl", "r2=r.jsonl", "--measure", "F1@3s")
    assert (status, "F1@3s" in out) == (0, True)


def test_the_scores_that_mir_eval_has():
    for row, key, printed, value in music.figures(figures("mir_eval")):
        assert value == pytest.approx(float(printed), abs=1e-9), (row, key)


labels = st.lists(st.integers(0, 4), min_size=2, max_size=14)


@given(st.data(), labels)
def test_pairs_of_frames(data, one):
    same_size = st.lists(st.integers(0, 4), min_size=len(one), max_size=len(one))
    other = data.draw(same_size)
    pairs = [(a, b) for a in range(len(one)) for b in range(a)]
    ours, theirs = ([each[a] == each[b] for a, b in pairs] for each in (other, one))
    *rates, _, rand, _ = music.pair_scores(music.label_table(np.array(one), np.array(other)))
    both = sum(x and y for x, y in zip(ours, theirs, strict=True))
    wanted = [both / sum(each) if any(each) else np.nan for each in (ours, theirs)]
    assert rates == pytest.approx(wanted, nan_ok=True)
    agree = sum(x == y for x, y in zip(ours, theirs, strict=True))
    assert rand == pytest.approx(agree / len(pairs))


@given(st.data(), labels)
def test_entropies_of_labels(data, one):
    other = data.draw(st.lists(st.integers(0, 4), min_size=len(one), max_size=len(one)))
    table = music.label_table(np.array(one), np.array(other))
    found, wanted = music.mutual_information(table), mutual_information(one, other)
    assert found == pytest.approx(wanted, abs=1e-9)
    for marginal in (False, True):
        wanted = conditional(one, other, marginal=marginal)
        found = music.conditional_entropies(table, marginal=marginal)
        assert found == pytest.approx(wanted, abs=1e-9)


def test_the_entropies_of_no_frames_are_undefined():
    nothing = music.label_table(np.array([], np.int64), np.array([], np.int64))
    for marginal in (False, True):
        found = music.conditional_entropies(nothing, marginal=marginal)
        assert found == pytest.approx((np.nan,) * 3, nan_ok=True)


def test_a_track_without_boundaries_has_no_deviation(folder):
    folder(**{"ours.lab": "0 10 A\n", "gold.lab": "0 4 A\n4 10 B\n"})
    found = caesura.evaluate("ours.lab", gold="gold.lab", profile="music", edges="trim")
    scores = found.to_dict()["systems"][0]["micro"]
    assert scores["ref_to_est_deviation"] is None
    assert scores["hit_recall@0.5s"] == 0
