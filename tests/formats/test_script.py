"""Scripts: pieces into words, units and times, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats.script import (
    UNKNOWN,
    Script,
    require_forward,
    seconds,
    to_document,
    to_units,
    to_words,
)
from support.pieces import told


def script(*texts, **known):
    arrays = {
        name: np.array(known.pop(name), dtype=np.bool_ if name == "ends" else np.int64)
        for name in ("start", "end", "ends", "lines")
        if name in known
    }
    return Script(list(texts), **arrays, **known)


def ends_of(document):
    return document.segmentation.boundaries.tolist()


def test_units_by_marks_or_by_segments():
    subtitles = script("so it rained. all", "night long", "and stopped", ends=[1, 1, 1], form="srt")
    by_marks = to_document(subtitles, units="marks")
    assert (by_marks.form, ends_of(by_marks)) == ("srt-marks", [2, 7])
    by_segments = to_document(subtitles, units="segments")
    assert (by_segments.form, ends_of(by_segments)) == ("srt-segments", [3, 5, 7])
    assert to_document(subtitles).form == "srt-marks"
    assert to_document(script("a b", "c", ends=[1, 0])).form == "segments"
    assert to_document(script("a b", "c")).form == "marks"


def test_the_end_of_a_piece_without_words_is_that_of_the_word_before():
    document = to_document(script("…", "a", "—", "b c", ends=[1, 0, 1, 1]), units="segments")
    assert ends_of(document) == [0, 2]
    assert document.text == "a b c"


def test_types_stand_where_they_are_told():
    pieces = script("a", "b", "c", ends=[1, 0, 1], types=["question", "", "statement"])
    assert to_document(pieces).segmentation.marks.tolist() == ["question", "statement"]
    untold = script("a?", "b", ends=[1, 1], types=["", ""])
    assert to_document(untold, units="segments").segmentation.marks.tolist() == ["?", ""]


def test_times_are_laid_out_by_letters():
    document = to_document(script("ab, abcd!", "x", start=[0, 600], end=[600, 900]))
    assert document.track.start.tolist() == [0, 200, 600]
    assert document.track.end.tolist() == [200, 600, 900]


def test_unknown_times_stay_unknown():
    document = to_document(script("a", "b c", start=[5, UNKNOWN], end=[9, UNKNOWN]))
    assert document.track.start.tolist() == [5, UNKNOWN, UNKNOWN]
    nothing = to_document(script("a", "b", start=[UNKNOWN] * 2, end=[UNKNOWN] * 2))
    assert nothing.track.start is None


def test_speakers_and_lines():
    document = to_document(script("a b", "c", speakers=["B", "A"], lines=[3, 7], source="f"))
    assert document.track.speaker.names == ("B", "A")
    assert document.track.speaker.codes.tolist() == [0, 0, 1]
    assert [document.place(word) for word in (0, 1, 2)] == ["f:3", "f:3", "f:7"]
    assert to_document(script("a", "b", lines=[7, 3], source="f")).place(0) == "f"
    assert to_document(script("a", "b", speakers=["", ""])).track.speaker is None


def test_no_words():
    with pytest.raises(FormatError, match="f: no words"):
        to_document(script("…", "", source="f"))


def test_words_and_back():
    document = to_document(
        script(
            "Well — “yes”,", "he said.", "Ok?", start=[0, 10, 20], end=[10, 20, 30],
            speakers=["A", "A", "B"],
        )
    )  # fmt: skip
    words = to_words(document)
    assert words.texts == ["Well —", "“yes”,", "he", "said.", "Ok?"]
    assert words.ends.tolist() == [False, False, False, True, True]
    assert words.types == ["", "", "", ".", "?"]
    units = to_units(words)
    assert units.texts == ["Well — “yes”, he said.", "Ok?"]
    assert (units.start.tolist(), units.end.tolist()) == ([0, 20], [20, 30])
    assert units.speakers == ["A", "B"]
    again = to_document(words, units="segments")
    assert (again.text, again.segmentation) == (document.text, document.segmentation)


def test_a_change_of_speaker_parts_units():
    pieces = script("a", "b", "c", ends=[0, 0, 1], speakers=["A", "B", "B"])
    assert to_units(pieces).texts == ["a", "b c"]
    assert to_units(script()).texts == []
    assert to_units(script("a", "b")).texts == ["a", "b"]


def test_pieces_in_order_of_time():
    late = script("b", "a", start=[5, 1], end=[6, 2], ends=[1, 0], speakers=["B", "A"])
    assert told(late.in_order(), "texts speakers ends") == [("a", "A", False), ("b", "B", True)]
    unknown = script("b", "a", start=[5, UNKNOWN], end=[6, 2])
    assert unknown.in_order() is unknown


@pytest.mark.parametrize("which", [[], [1], [0, 2], [2, 1], [1, 1]])
def test_some_pieces(which):
    names = ["a", "b", "c"]
    times = np.arange(3)
    whole = Script(names, times, times + 1, times > 0, names, names, names, times, names)
    fields = "texts types speakers channels layouts start end ends lines"
    every = told(whole, fields)
    assert told(whole.some(np.array(which, dtype=np.int64)), fields) == [every[at] for at in which]


@given(st.lists(st.text("ab \n\u00a0\u3000", max_size=3), min_size=1, max_size=5))
def test_each_piece_is_one_word_as_it_is_written(texts):
    words = ["\u00a0".join(text.split()) for text in texts]
    script = Script(texts, is_verbatim=True)
    if all(words):
        assert to_document(script).text == " ".join(words)
    else:
        with pytest.raises(FormatError, match="a blank word"):
            to_document(script)


def test_pieces_that_end_before_they_begin():
    with pytest.raises(FormatError, match=r"f:4: .* begins at 2\.00 and ends at 1\.50"):
        require_forward(script("a", start=[2_000_000], end=[1_500_000], lines=[4], source="f"))
    require_forward(script("a", start=[2], end=[UNKNOWN]))
    require_forward(script("a"))


@pytest.mark.parametrize(
    ("time", "text"),
    [(0, "0.00"), (1_500_000, "1.50"), (1, "0.000001"), (-2_250_000, "-2.25"), (10**9, "1000.00")],
)
def test_seconds(time, text):
    assert seconds(time) == text
