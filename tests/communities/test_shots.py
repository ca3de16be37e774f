"""Shots of videos as TransNetV2 and AutoShot score them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.communities.shots.measure import ShotRanking, Shots
from caesura.communities.shots.measure import figures as figures_of_autoshot
from caesura.core.segmentation import Document, Segmentation
from caesura.tasks.transcript.options import TranscriptOptions
from caesura.tasks.transcript.thresholds import at_thresholds
from support.published import figures
from support.reference_shots import best_f1, matches, scenes_at
from support.results import result

FRAMES = 24
edges = st.lists(st.integers(0, FRAMES - 1), unique=True, max_size=10).map(sorted)
scores = st.lists(st.sampled_from([0, 0.125, 0.25, 0.5, 0.75]), min_size=FRAMES, max_size=FRAMES)


def scenes(points):
    """Shots whose first and last frames are points; those in between belong to transitions."""
    pairs = list(zip(points[::2], points[1::2], strict=False))
    return pairs or [(0, FRAMES - 1)]


def document(shots):
    return caesura.labels([(first, last + 1) for first, last in shots], n=FRAMES)


def scored(values):
    return Document(Segmentation.from_scores(np.array(values, np.float32), 0.5), None, "array")


@given(edges, edges, st.integers(0, 4))
def test_transitions_are_those_of_the_definition(ours, theirs, tolerance):
    sides = scenes(ours), scenes(theirs)
    counts = Shots(tolerance).count(*map(document, sides))
    assert (counts.tp, counts.fp, counts.fn) == matches(*sides, tolerance)


@given(scores, edges, st.integers(0, 3))
def test_the_best_threshold_is_that_of_all_runs(values, theirs, tolerance):
    gold = scenes(theirs)
    counts = ShotRanking(tolerance).count(scored(values), document(gold))
    curve = counts.curve
    for threshold, right, placed in zip(curve.scores, curve.found, curve.placed, strict=True):
        tp, fp, _ = matches(scenes_at(values, threshold), gold, tolerance)
        assert (right, placed) == (tp, tp + fp)
        thresholds = (("s", float(threshold)),)
        options = TranscriptOptions(axis="samples", also=("shots",), thresholds=thresholds)
        systems, _ = at_thresholds({"s": scored(values)}, {}, options)
        at_it = Shots(tolerance).count(systems["s"], document(gold))
        assert (at_it.tp, at_it.fp) == (tp, fp)
    wanted = best_f1(values, gold, tolerance)
    if wanted and wanted[0]:
        assert (counts.best_f1, counts.best_threshold) == pytest.approx(wanted)


def test_the_figures_of_autoshot():
    data = figures("autoshot")
    found = {key: value for _, key, _, value in figures_of_autoshot(data)}
    assert found == data["printed"]


@pytest.mark.slow
def test_probabilities_of_autoshot(run, shared, tmp_path):
    data = shared / "data/events/shots"
    files = (str(data / "probabilities.npz"), "--gold", str(data / "scenes.jsonl"))
    rows = tmp_path / "rows.jsonl"
    best = ("--threshold", "best", "--rows", str(rows), "-j", "1")
    micro = result(run, "score", "shots", *files, *best)["systems"][0]["micro"]
    assert (micro["tp"], micro["fp"], micro["fn"]) == (2099, 379, 417)
    assert micro["f1"] == micro["best_f1"] == pytest.approx(0.8406087304765719)
    assert micro["best_threshold"] == 0.29347795
    given_rows = ("--threshold", f"from={rows}", "-j", "1")
    again = result(run, "score", "shots", *files, *given_rows)["systems"][0]["micro"]
    assert again == micro


FORMS = {
    "lines": "0 58\n59 138\n142 199\n",
    "json": '{"v": [[0, 58], [59, 138], [142, 199]]}',
    "frames": '{"v": {"frames": 200, "scenes": [[0, 58], [59, 138], [142, 199]]}}',
    "json lines": '{"video": "v", "frames": 200, "scenes": [[0, 58], [59, 138], [142, 199]]}\r\n',
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_scenes(run, tmp_path, form):
    for name, text in (("s", FORMS[form].replace("58", "50")), ("g", FORMS[form])):
        (tmp_path / f"{name}.txt").write_text(text, newline="")
    sides = (f"{tmp_path}/s.txt", "--gold", f"{tmp_path}/g.txt")
    micro = result(run, "score", "shots", *sides, "--tolerance", "0")["systems"][0]["micro"]
    assert [micro[key] for key in ("tp", "fp", "fn")] == [2, 0, 0]
    assert micro.get("best_f1") is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"video": "v", "scenes": [[0, 3]]}\n{"video": "w"}', ":2: no scenes"),
        ('{"video": "v", "scenes": [[0, 3]]}\n{"video": "w", "scenes": [[9, 3]]}', ":2: an end"),
        ("0 9\n5 20\n", ": an interval begins at 5, inside another"),
        ("0 nine\n", ":1: '0 nine' has no start and end"),
    ],
)
def test_bad_scenes(run, tmp_path, text, problem):
    (tmp_path / "bad.scenes").write_text(text)
    (tmp_path / "ours.scenes").write_text("0 9\n10 30\n")
    files = (f"{tmp_path}/ours.scenes", "--gold", f"{tmp_path}/bad.scenes")
    status, _, error = run("score", "shots", *files)
    assert (status, problem in error) == (1, True), error
