"""Thresholds of systems that give a score for each place."""

from __future__ import annotations

import json

import numpy as np
import pytest

import caesura
from caesura.errors import CaesuraError
from support import reference_ranking as twin

SCORES = [0.95, 0.8, 0.8, 0.62, 0.4, 0.35, 0.2, 0.2, 0.1, 0.07, 0.03, 0.0, 1]
BOUNDARIES = [1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1]


def corpus(seed, documents=6, references=1, words=40):
    """Two systems, one better than the other, and references, as documents by name."""
    draw = np.random.default_rng(seed)
    systems, refs = {"good": {}, "bad": {}}, {f"r{at}": {} for at in range(references)}
    for document in map(str, range(documents)):
        truth = draw.random(words) < 0.3
        for name, noise in (("good", 0.6), ("bad", 1.0)):
            scores = np.clip(truth * 0.5 + draw.random(words) * noise, 0, 1)
            systems[name][document] = caesura.probabilities(scores)
        for own in refs.values():
            own[document] = (truth ^ (draw.random(words) < 0.1)).astype(int)
    return systems, refs


def score(name="s", values=SCORES, **options):
    found = caesura.evaluate({name: caesura.probabilities(values)}, {"r": BOUNDARIES}, **options)
    against = found.to_dict()["systems"][0]["by_reference"]["r"]
    return found, found.systems[name], (against["tp"], against["fp"])


def test_given_thresholds():
    assert score()[-1] == (3, 1)
    found, _, counts = score(threshold=0.35)
    assert counts == (4, 2)
    assert "|threshold:0.35" in found.signature
    assert found.to_dict()["options"]["thresholds"] == [["s", 0.35]]
    assert score(threshold="0.9,s=0.35")[-1] == (4, 2)


def test_the_best_threshold_is_named():
    found, best, _ = score(threshold="best")
    assert best.f1 == best.best_f1 == pytest.approx(8 / 11)
    assert best.best_threshold == 0.35
    assert "|threshold:best(s=0.35)" in found.signature
    shown = " ".join(str(found).split())
    assert "at least 0.35, the threshold with the highest F1, which was chosen on these" in shown


@pytest.mark.parametrize("references", [1, 3])
def test_the_best_threshold_reaches_the_best_f1(references):
    """Also where it is the mean over several references."""
    systems, refs = corpus(3, references=references)
    found = caesura.evaluate(systems, refs, threshold="best")
    for name in systems:
        own = found.systems[name]
        assert own.f1_mean == pytest.approx(own.best_f1, rel=1e-12)
        assert f"{name}={own.best_threshold}" in found.signature


def test_thresholds_from_other_documents(tmp_path):
    """A system takes its own, or that of the only one."""
    systems, refs = corpus(1)
    both, one = str(tmp_path / "dev.jsonl"), str(tmp_path / "one.jsonl")
    dev = caesura.evaluate(systems, refs, rows=both).systems
    caesura.evaluate({"good": systems["good"]}, refs, rows=one)
    others, theirs = corpus(2)

    def thresholds(systems, rows):
        found = caesura.evaluate(systems, theirs, threshold=f"from={rows}")
        assert "threshold:from=" in found.signature
        return dict(found.to_dict()["options"]["thresholds"])

    assert thresholds(others, both) == {name: dev[name].best_threshold for name in systems}
    assert thresholds({"x": others["good"]}, one) == {"x": dev["good"].best_threshold}
    with pytest.raises(CaesuraError, match="no scores of the system 'x'"):
        thresholds({"x": others["good"], "y": others["bad"]}, both)


@pytest.mark.parametrize("value", ["1.5", "nan", "often", "x=0.5", -1])
def test_bad_thresholds(value):
    with pytest.raises(CaesuraError):
        score(threshold=value)


def test_what_cannot_be_scored():
    with pytest.raises(CaesuraError, match="a reference with a score"):
        caesura.evaluate({"s": BOUNDARIES}, {"r": caesura.probabilities(SCORES)})
    found = caesura.evaluate({"s": BOUNDARIES}, {"r": BOUNDARIES}, threshold=0.3)
    assert any("no system has scores" in each for each in found.warnings)
    assert "average_precision" not in found.to_dict()["systems"][0]["micro"]


@pytest.mark.slow
def test_work_is_divided_at_will(tmp_path):
    """Processes, blocks and saved rows give the same numbers."""
    systems, refs = corpus(5, references=2)

    def micro(**how):
        found = caesura.evaluate(systems, refs, **how)
        return json.dumps(found.to_dict()["systems"][0]["micro"])

    rows = str(tmp_path / "rows.jsonl")
    expected = micro(threshold=0.4, rows=rows)
    assert micro(threshold=0.4, jobs=2) == micro(threshold=0.4, blocks=True) == expected
    assert micro(threshold=f"from={rows}") == micro(threshold="best", rows=rows)


@pytest.mark.slow
def test_average_precision_has_intervals_and_tests(tmp_path):
    systems, refs = corpus(7, documents=12)
    found = caesura.evaluate(systems, refs, confidence=True, compare=True, resamples=500)
    own = found.to_dict()["systems"][0]
    low, high = own["confidence"]["micro"]["average_precision"]
    assert low < own["micro"]["average_precision"] < high
    assert "AP" in str(found)
    systems["rules"] = refs["r0"]
    mixed = caesura.evaluate(systems, refs, compare=True, resamples=100)
    assert "average_precision" not in mixed.to_dict()["systems"][2]["micro"]


@pytest.mark.parametrize("tolerance", [0, 2])
def test_scores_of_frames(tmp_path, tolerance):
    """A frame that reaches the threshold begins a segment; the first cannot."""
    draw = np.random.default_rng(4)
    points = sorted(draw.choice(np.arange(1, 50), 8, replace=False).tolist())
    wanted = [int(at in points) for at in range(50)]
    scores = np.round(np.array(wanted) * 0.4 + draw.random(50) * 0.6, 1).astype(np.float32)
    np.save(tmp_path / "sys.npy", scores)
    (tmp_path / "ref.times").write_text("".join(f"{each}\n" for each in points))
    how = {"axis": "samples", "n": 50, "tolerance": tolerance, "threshold": "best"}
    found = caesura.evaluate(str(tmp_path / "sys.npy"), str(tmp_path / "ref.times"), **how)
    own, inner = found.systems["sys"], scores.astype(np.float64).tolist()[1:]
    assert own.average_precision == pytest.approx(
        twin.average_precision(inner, wanted[1:], tolerance)
    )
    assert own.f1 == pytest.approx(own.best_f1)
    assert own.brier == pytest.approx(twin.brier(inner, wanted[1:]))
    (tmp_path / "words.txt").write_text("so // it rained")
    with pytest.raises(CaesuraError):
        caesura.evaluate(str(tmp_path / "sys.npy"), str(tmp_path / "words.txt"), **how)
