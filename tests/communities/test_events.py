"""Labelled events: sounds as sed_eval scores them, actions as MS-TCN does."""

from itertools import groupby
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.communities.events.measures import Actions, LabelledEvents
from caesura.communities.events.measures import figures as figures_of_sed_eval
from support.published import figures
from support.reference_events import actions, events_of, right_events, segments
from support.results import result

LABELS = st.sampled_from(["a", "b", "c", "background"])
events = st.lists(
    st.builds(lambda start, size, label: (start, start + size, label),
              st.integers(0, 40), st.integers(1, 15), LABELS),
    max_size=10,
)  # fmt: skip
frames = st.lists(st.tuples(LABELS, st.integers(1, 5)), min_size=1, max_size=8)


def document(every, n=60):
    return caesura.labels(every, n=n)


@given(events, events, st.integers(1, 9), st.integers(0, 5), st.sampled_from([0, 50, 100]))
def test_events_are_those_of_the_definition(ours, theirs, step, collar, percentage):
    measure = LabelledEvents(collar, step, percentage)
    found = measure.count(document(ours), document(theirs))
    counts, swapped, accuracy = segments(ours, theirs, step, 60)
    wanted = {(label, f"segment_{name}"): number for (label, name), number in counts.items()}
    items = found.items()
    assert {key: items[key] for key in wanted} == wanted
    assert items["*", "segment_swapped"] == swapped
    assert found.accuracy() == accuracy or (accuracy is None and isnan(found.accuracy()))
    placed, goals = events_of(ours), events_of(theirs)
    for way, share in (("event", percentage), ("onset", None)):
        right = right_events(placed, goals, collar, share)
        assert {label: found.by_label(way)[label].tp for label in right} == right
        total = found.total(way)
        assert (total.tp + total.fp, total.tp + total.fn) == (len(placed), len(goals))
        assert 0 <= items["*", f"{way}_swapped"] <= min(total.fp, total.fn)


@given(frames, frames)
def test_actions_are_those_of_the_definition(ours, theirs):
    sides = [[label for label, size in each for _ in range(size)] for each in (ours, theirs)]
    length = max(map(len, sides))
    sides = [[*each, *["background"] * (length - len(each))] for each in sides]
    found = Actions().count(*(document(intervals(each), length) for each in sides))
    wanted = actions(*sides)
    assert found.frame_accuracy == wanted["accuracy"]
    assert found.edit == pytest.approx(wanted.get("edit", found.edit), nan_ok=True)
    for percent in (10, 25, 50):
        assert getattr(found, f"right_{percent}") == wanted[f"tp_{percent}"]


def intervals(labels):
    """Runs of equal labels as intervals."""
    found, at = [], 0
    for label, own in groupby(labels):
        size = len(list(own))
        found.append((at, at + size, label))
        at += size
    return found


def test_the_figures_of_sed_eval():
    cells = list(figures_of_sed_eval(figures("sed_eval")))
    assert len(cells) == 56
    for row, key, printed, value in cells:
        assert value == pytest.approx(float(printed), abs=1e-9), (row, key)


def milliseconds(every):
    """Times of which none is exactly the collar from another, where the program's floats err."""
    return [(start / 7, end / 7, label) for start, end, label in every]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Mean of empty slice:RuntimeWarning")
@given(events, events)
def test_sounds_as_sed_eval_counts_them(ours, theirs):
    sound_event = pytest.importorskip("sed_eval.sound_event")
    sides = [milliseconds(events_of(each)) for each in (ours, theirs)]
    if not all(sides):
        return
    lists = [
        [{"onset": a, "offset": b, "event_label": label, "filename": "x"} for a, b, label in each]
        for each in sides
    ]
    labels = sorted({each[2] for side in sides for each in side})
    found = (
        caesura.evaluate(
            {"s": caesura.labels(sides[0])}, gold={"g": caesura.labels(sides[1])}, profile="events"
        )
        .systems["s"]
        .micro
    )
    by_segment = sound_event.SegmentBasedMetrics(labels, time_resolution=1.0)
    one_by_one = sound_event.EventBasedMetrics(labels, t_collar=0.2, percentage_of_length=0.5)
    for metrics, way in ((by_segment, "segment"), (one_by_one, "event")):
        metrics.evaluate(lists[1], lists[0])
        overall = metrics.results_overall_metrics()
        assert found[f"{way}_f1"] == pytest.approx(overall["f_measure"]["f_measure"], nan_ok=True)
        if way == "segment":
            assert found[f"{way}_er"] == pytest.approx(overall["error_rate"]["error_rate"])
            assert found["segment_accuracy"] == pytest.approx(overall["accuracy"]["accuracy"])
        average = metrics.results_class_wise_average_metrics()
        assert found[f"{way}_label_f1_sed_eval"] == pytest.approx(
            average["f_measure"]["f_measure"], nan_ok=True
        )


def test_frames_of_ms_tcn(run, tmp_path):
    for name, labels in (("s", "a a a b b background c"), ("g", "a a b b b background c")):
        (tmp_path / f"{name}.txt").write_text(labels.replace(" ", "\n") + "\n")
    files = (f"{tmp_path}/s.txt", "--gold", f"{tmp_path}/g.txt")
    status, _, error = run("score", "events", *files)
    assert (status, "frames without their rate; give --rate" in error) == (1, True)
    (system,) = result(run, "score", "events", *files, "--axis", "samples")["systems"]
    keys = ("edit", "f1_10", "f1_25", "f1_50", "frame_accuracy", "segment_f1")
    assert [system["micro"][key] for key in keys] == [100, 1, 1, 1, 6 / 7, 5 / 6]
    assert system["by_label"]["b"]["segment_recall"] == 2 / 3
    rated = ("--rate", "2", "--step", "0.5s", "--background", "c")
    (system,) = result(run, "score", "events", *files, *rated)["systems"]
    assert system["micro"]["segment_f1"] == 5 / 6


def test_every_label_is_told_and_a_file_name_alone_has_no_events(run, folder):
    folder(
        **{
            "g.txt": "a.wav\t0\t1\tdog\na.wav\t2\t3\tcar\nb.wav\n",
            "s.txt": "a.wav\t0\t1\tdog\nb.wav\t1\t2\tcat\n",
        }
    )
    found = result(run, "score", "events", "s.txt", "--gold", "g.txt")
    assert found["documents"] == ["a.wav", "b.wav"]
    labels = found["systems"][0]["by_label"]
    assert {name: scores["event_f1"] for name, scores in labels.items()} == {
        "car": 0, "cat": 0, "dog": 1,
    }  # fmt: skip
    assert labels["cat"]["event_recall"] is None
