"""Versions of one transcript put on one axis: words, streams, speakers, the clock."""

import numpy as np
import pytest

from caesura.align.versions import Versions, medoid
from caesura.core.segmentation import Segmentation, Track, WordNames
from caesura.errors import LabelsError, TimesError, UnknownNameError
from caesura.formats.plain import parse
from caesura.formats.script import Script, to_document


def spoken(text, speakers, *, times=None, source="<f>"):
    """A document of one word a piece, its speakers as letters, its units ended by marks."""
    texts = text.split()
    known = {}
    if times is not None:
        on = np.array(times, dtype=np.int64)
        known = {"start": on, "end": np.where(on < 0, -1, on + 5)}
    return to_document(Script(texts, speakers=list(speakers), source=source, **known))


def ends_of(documents):
    return {key: each.segmentation.boundaries.tolist() for key, each in documents.items()}


def test_the_medoid_has_the_fewest_errors_in_all():
    texts = {"a": "x b c d e", "b": "a b c d e", "c": "a b c d y", "d": "a b z d e"}
    assert medoid({name: parse(text) for name, text in texts.items()}) == "b"
    assert medoid({"binary": parse("0101"), "words": parse("a b c d.")}) == "words"
    assert medoid({"two": parse("a b c."), "words": parse("a b d.")}) == "two"
    assert medoid({"binary": parse("0101")}) == "binary"


def test_the_axis_can_be_chosen():
    versions = Versions(
        {"a": parse("x b. c d e."), "b": parse("a b c. d e."), "c": parse("a b c d. y.")}, {}
    )
    assert versions.on_words(align=True, axis="")[0].axis == "b"
    for name in ("a", "c"):
        on, counts = versions.on_words(align=True, axis=name)
        assert (on.axis, sorted(counts)) == (name, sorted({"a", "b", "c"} - {name}))
    assert versions.on_words(align=True, axis="first")[0].axis == "a"
    with pytest.raises(UnknownNameError, match="unknown reference 'd'"):
        versions.on_words(align=True, axis="d")


def test_streams_are_aligned_apart():
    """What two people say at the same time is told in another order in each version."""
    one = spoken("so yes. it rained.", "ABAA")
    other = spoken("so it yes. rained.", "AABA")
    parts = dict(Versions({"one": one}, {"other": other}).streams("speaker"))
    assert list(parts) == ["A", "B"]
    on, _ = parts["A"].on_words(align=False, axis="")
    assert ends_of(on.everyone) == {"one": [2], "other": [2]}
    assert parts["B"].everyone["one"].words == ["yes"]


def test_streams_need_the_same_names():
    one, other = spoken("a b.", "AB", source="f1"), spoken("a b.", "AC", source="f2")
    with pytest.raises(LabelsError, match="f2: the speakers are A, C where f1 has A, B;"):
        list(Versions({"one": one}, {"other": other}).streams("speaker"))
    with pytest.raises(LabelsError, match="f1: not every word has a channel"):
        list(Versions({"one": one}, {}).streams("channel"))
    with pytest.raises(LabelsError, match="not every word has a speaker"):
        list(Versions({"one": spoken("a b.", ["A", ""])}, {}).streams("speaker"))


def test_by_speaker_of_the_axis():
    versions, _ = Versions(
        {"one": spoken("a b. c d. e f.", "AABBAA")}, {"system": parse("a b. c. d e. f.")}
    ).on_words(align=False, axis="")
    parts = dict(versions.by("speaker"))
    assert ends_of(parts["A"].everyone) == {"one": [1, 3], "system": [1, 2, 3]}
    assert ends_of(parts["B"].everyone) == {"one": [1], "system": [0, 1]}


def test_by_speaker_of_another_version_if_the_axis_tells_none():
    versions, _ = Versions(
        {"one": parse("a b. c d.")}, {"system": spoken("a b. c d.", "AABB")}
    ).on_words(align=False, axis="")
    assert [name for name, _ in versions.by("speaker")] == ["A", "B"]
    alone, _ = Versions({"one": parse("a b. c d.")}, {}).on_words(align=False, axis="")
    with pytest.raises(LabelsError, match="not every word has a speaker"):
        list(alone.by("speaker"))


def test_on_the_clock():
    one = spoken("a b. c.", "AAA", times=[0, 10, 20])
    other = spoken("x. y z w.", "AAAA", times=[1, 11, 12, 40])
    versions = Versions({"one": one}, {"other": other})
    on = versions.on_clock("keep")
    assert ends_of(on.everyone) == {"one": [15, 25, 46], "other": [6, 45, 46]}
    assert {each.segmentation.length for each in on.everyone.values()} == {47}
    assert ends_of(versions.on_clock().everyone) == {"one": [15, 46], "other": [6, 46]}


def test_the_clock_needs_the_times_of_unit_ends():
    with pytest.raises(TimesError, match="<f>: no time for the end of a unit"):
        Versions({"one": spoken("a b.", "AA")}, {}).on_clock()
    with pytest.raises(TimesError):
        Versions({"one": spoken("a b. c.", "AAA", times=[0, -1, 5])}, {}).on_clock()
    inner = spoken("a b c.", "AAA", times=[0, -1, 5])
    assert ends_of(Versions({"one": inner}, {}).on_clock("keep").everyone) == {"one": [10, 11]}
    assert ends_of(Versions({"one": inner}, {}).on_clock().everyone) == {"one": [11]}


def test_some_items_of_a_segmentation():
    whole = Segmentation.from_positions([1, 3, 4], 6, np.array([".", "?", "!"]))
    kept = whole.some(np.array([1, 0, 1, 1, 0, 1], dtype=bool))
    assert (kept.length, kept.boundaries.tolist()) == (4, [2, 3])
    assert kept.marks.tolist() == ["?", ""]
    nothing = whole.some(np.zeros(6, dtype=bool))
    assert (nothing.length, nothing.boundaries.size) == (0, 0)


def test_labels_and_tracks_of_some_words():
    labels = WordNames.from_names(["B", "", "A"])
    assert labels.has("A").tolist() == [False, False, True]
    track = Track(np.arange(3), np.arange(3) + 1, labels).some(np.array([2, 0]))
    assert track.start.tolist() == [2, 0]
    assert track.speaker.codes.tolist() == [1, 0]
    assert track.labels("channel") is None
    assert WordNames.from_names(["", ""]) is None
