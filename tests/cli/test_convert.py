"""`caesura convert`: every format into every other, and what it changes."""

import json

import pytest

import caesura
from caesura.api.conversion import TARGETS, WORDLESS
from caesura.formats.registry import TIMED

HEAD = '{"caesura": "0.1.0", "schema": "transcript", "version": 1}\n'
PIECES = [
    ("So,", 0.0, 0.25, "A", False, ""),
    ("it", 0.25, 0.5, "A", False, ""),
    ("rained?", 0.5, 1.0, "A", True, "?"),
    ("Yes.", 1.5, 1.75, "B", True, "."),
    ("All", 2.0, 2.5, "A", False, ""),
    ("night!", 2.5, 3.25, "A", True, "!"),
]
NAMES = ["text", "start", "end", "speaker", "end_of_unit", "type"]
TALK = HEAD + "".join(json.dumps(dict(zip(NAMES, p, strict=True))) + "\n" for p in PIECES)
CHANGES = {
    "srt": "lost: speakers; changed: word times",
    "vtt": "changed: word times",
    "stm": "changed: word times",
    "rttm": "lost: types of units",
    "lines": "lost: speakers, times",
    "marks": "lost: speakers, times",
    "slashes": "lost: speakers, times",
    "breaks": "lost: types of units, speakers, times",
    "binary": "lost: the words, types of units, speakers, times",
    "masses": "lost: the words, types of units, speakers, times",
    "times": "lost: the words",
    "labels": "lost: the words",
}
SIGNALS = ("times", "labels")
"""Formats of points and intervals, whose labels are the units."""


@pytest.fixture
def talk(folder):
    return folder(**{"talk.jsonl": TALK})


def output(form):
    suffixes = TIMED[form].suffixes if form in TIMED else ()
    return f"out.{suffixes[0].lstrip('.')}" if suffixes else "out"


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("form", TARGETS)
def test_into_every_format_and_back(run, form):
    place = output(form)
    status, out, err = run("convert", "talk.jsonl", place, "--to", form)
    assert (status, out) == (0, "")
    told = err.removeprefix(f"talk.jsonl -> {place}: ").strip()
    assert told.partition(" by up to")[0] == CHANGES.get(form, "")
    before = caesura.read("talk.jsonl")
    after = caesura.read(place, input=form)
    if form in SIGNALS:
        assert after.text is None
        assert [*after.track.start] == [*before.track.start[[0, 3, 4]]]
    else:
        assert after.segmentation.boundaries.tolist() == before.segmentation.boundaries.tolist()
    if form in {*WORDLESS, *SIGNALS}:
        assert after.text is None
    else:
        assert after.text == before.text
        assert run("convert", place, "back.jsonl", "--input", form, "--to", "jsonl")[0] == 0
        assert caesura.read("back.jsonl").text == before.text


SRT = (
    "1\n00:00:00,000 --> 00:00:02,000\nIt rained all\n\n"
    "2\n00:00:02,000 --> 00:00:04,000\nnight. Then it\n\n"
    "3\n00:00:04,500 --> 00:00:06,000\nstopped.\n"
)


def test_subtitles_stay_as_they_are_unless_others_are_asked_for(run, folder):
    folder(**{"talk.srt": SRT})
    assert run("convert", "talk.srt", "talk.vtt") == (0, "", "")
    assert caesura.read("talk.vtt", units="segments").segmentation.masses.tolist() == [3, 3, 1]
    assert run("convert", "talk.srt", "units.vtt", "--units", "marks")[0] == 0
    assert caesura.read("units.vtt", units="segments").segmentation.masses.tolist() == [4, 3]
    _, out, _ = run("convert", "talk.srt", "-", "--to", "lines", "-q")
    assert out == "It rained all night.\nThen it stopped.\n"


def test_marks_are_added_where_units_need_them(run, folder):
    folder(a="is it\nyes Mr. Brown\nwell", **{"b.nlp": "token|punctuation\nso|,\nwell|?\n"})
    _, out, err = run("convert", "a.txt", "-", "--to", "marks")
    assert out == "is it. yes Mr Brown. well.\n"
    assert err == ""
    assert run("convert", "b.nlp", "-", "--to", "marks")[1] == "so, well?\n"


def test_strict_writes_nothing(run, folder):
    place = folder(**{"talk.srt": SRT, "all.ctm": "a A 0 1 one\nb A 0 1 three\n"})
    status, _, err = run("convert", "talk.srt", "talk.txt", "--strict")
    assert status == 1
    assert err.startswith("error: talk.srt: lines cannot represent all of it (lost: times); ")
    assert run("convert", "all.ctm", "apart/", "--to", "srt", "--strict")[0] == 1
    assert sorted(path.name for path in place.iterdir()) == ["all.ctm", "talk.srt"]


def test_recordings(run, folder):
    place = folder(**{"all.stm": "b A s 0 1 one two\na A s 0 1 three\nb A s 1 2 four\n"})
    status, _, err = run("convert", "all.stm", "one.txt")
    assert status == 1
    assert "all.stm: 2 recordings where lines holds one; name one, as" in err
    assert run("convert", "all.stm::b", "one.txt", "-q")[0] == 0
    assert (place / "one.txt").read_text() == "one two\nfour\n"
    assert run("convert", "all.stm", "apart/", "--to", "lines", "-q")[0] == 0
    assert sorted(path.name for path in (place / "apart").iterdir()) == ["a.txt", "b.txt"]
    assert run("convert", "all.stm", "all.ctm")[0] == 0
    assert run("transcript", "all.ctm", "--ref", "stm=all.stm", "-q")[0] == 0


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("a.txt b.xyz", 2, "'b.xyz' has no suffix of a known format; use --to"),
        ("a.txt -", 2, "'-' has no suffix of a known format"),
        ("a.txt b --to srtt", 2, "did you mean srt"),
        ("nothing.txt b.srt", 1, "nothing.txt: no such file"),
        ("0110.txt b.srt", 1, "gives boundaries without words; convert it to binary"),
        ("a.stm::x b.srt", 2, "unknown recording in a.stm 'x'; known: r"),
        ("a.txt ./ --to lines", 2, "OUTPUT a.txt would replace an input; choose another file"),
        ("x.masses y.masses", 1, "x.masses: 1,000,000,005 items without words, too many to conv"),
    ],
)
def test_what_cannot_be_converted(run, folder, line, status, message):
    files = {"0110.txt": "0110", "a.stm": "r A s 0 1 a b\n", "x.masses": "3 999999999 3\n"}
    place = folder(a="a b\nc", **files)
    found, _, err = run("convert", *line.split())
    assert found == status
    assert message in err
    assert (place / "a.txt").read_text() == "a b\nc"


@pytest.mark.parametrize("name", ["talk.TextGrid", "talk.eaf"])
def test_words_of_no_length_are_written_as_units(run, folder, name):
    """Recognisers have such words; no interval can hold them."""
    lines = ["so||0|1|.||[]", "yes||1|1|||[]", "well||1|2|.||[]"]
    folder(**{"talk.nlp": "\n".join(["token|speaker|ts|endTs|punctuation|case|tags", *lines, ""])})
    status, _, err = run("convert", "talk.nlp", name)
    assert status == 0
    assert "word times" in err
    before, after = caesura.read("talk.nlp"), caesura.read(name)
    assert (after.text, ends(after)) == (before.text, ends(before))


def ends(document):
    return document.segmentation.boundaries.tolist()


STM = "{} A s 0 1 one two.\n{} A s 0 1 three four.\n"


@pytest.mark.parametrize(("one", "other"), [("a/b", "a_b"), ("é" * 130, "é" * 131)])
def test_recordings_whose_files_would_have_one_name_are_refused(run, folder, one, other):
    place = folder(**{"all.stm": STM.format(one, other)})
    status, _, err = run("convert", "all.stm", "apart/", "--to", "lines")
    assert status == 1
    assert err.startswith("error: all.stm: the recordings '")
    assert "convert them one by one, as FILE::" in err
    assert not (place / "apart").exists()
    assert run("convert", f"all.stm::{other}", "other.txt", "-q")[0] == 0
    assert (place / "other.txt").read_text() == "three four.\n"


def test_a_recording_may_have_any_name(run, folder):
    names = ["../../x", "y" * 300, "日" * 100]
    place = folder(**{"all.stm": "".join(f"{name} A s 0 1 one two.\n" for name in names)})
    assert run("convert", "all.stm", "deep/apart/", "--to", "lines", "-q")[0] == 0
    found = [path.name for path in (place / "deep" / "apart").iterdir()]
    assert sorted(found) == [".._.._x.txt", "y" * 251 + ".txt", "日" * 83 + ".txt"]
    assert sorted(path.name for path in place.iterdir()) == ["all.stm", "deep"]


UNITS = (
    ["we left? no way"],
    ["we left? no way", "Then . . . it was 3.5! of U.S. “yes.”", "so"],
    ["he said // and", "//x y// http://a.b/c"],
    ["<eol> is a break", "<eob>"],
    ["0 1", "101"],
    ["你好。再见", "好的"],
)


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("form", ["lines", "marks", "slashes", "binary", "breaks"])
def test_plain_forms_are_read_back_as_the_same_units(run, folder, units, form):
    folder(given="\n".join(units) + "\n")
    given = caesura.read("given.txt", input="lines")
    status, _, _ = run("convert", "given.txt", f"out.{form}", "--input", "lines", "--to", form)
    assert status == 0
    again = caesura.read(f"out.{form}", input=form)
    assert again.segmentation.masses.tolist() == given.segmentation.masses.tolist()
    if form == "slashes" and "<eol>" not in units[0]:
        assert caesura.read(f"out.{form}").segmentation == again.segmentation
