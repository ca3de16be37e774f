"""Subtitles with their breaks: text with <eol> and <eob>, SRT and WebVTT."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.core.subtitle_blocks import Subtitles
from caesura.errors import FormatError
from caesura.formats.plain import parse, parse_many
from caesura.formats.transcripts import read
from caesura.tasks.transcript.values import as_document

SENTENCES = "Imagine waking up <eol> to a stranger, <eob> often. <eob>\nWelcome. <eob>\n"
SRT = """1
00:00:01,000 --> 00:00:03,000
{\\an8}<i>Imagine waking up</i>
to a stranger,

2
00:00:03,200 --> 00:00:05,000
often.

3
00:00:05,500 --> 00:00:06,000
Welcome.
"""
VTT = """WEBVTT

00:01.000 --> 00:03.000 line:0
<v Ann>Imagine waking up
to a stranger,

00:03.200 --> 00:05.000
<v Ann>often.</v> <v Ben>Welcome.
"""
TIMED = {"talk.srt": SRT, "talk.vtt": VTT}
WORDS = st.sampled_from(["so", "it", "rained,", "“Yes?”", "—", "?", "no.", "été"])
TOKENS = WORDS | st.sampled_from(["<eol>", "<eob>"])
LINES = st.lists(st.lists(TOKENS, max_size=6), min_size=1, max_size=5)


def types(document):
    """Each boundary and its type."""
    found = document.segmentation
    return list(zip(found.boundaries.tolist(), found.marks.tolist(), strict=True))


def test_breaks_are_boundaries_with_types():
    document = parse(SENTENCES)
    assert document.form == "breaks"
    assert document.words == "imagine waking up to a stranger often welcome".split()
    assert types(document) == [(2, "line"), (5, "block"), (6, "block"), (7, "block")]
    assert document.line_starts.tolist() == [0, 7]
    assert document.signs == {"guessed": 1}


def twin(lines):
    """Words, boundaries with their types, and lines that do not end with a break."""
    words, found = [], {}
    for line in lines:
        for token in line:
            if token in ("<eol>", "<eob>"):
                if words:
                    is_block = token == "<eob>" or found.get(len(words) - 1) == "block"
                    found[len(words) - 1] = "block" if is_block else "line"
            elif re.search(r"\w", token):
                words.append(token)
    if words:
        found.setdefault(len(words) - 1, "")
    is_open = [line and not line[-1].startswith("<") for line in lines]
    return words, sorted(found.items()), sum(map(bool, is_open))


@given(LINES)
def test_a_text_is_read_as_by_hand(lines):
    text = "\n".join(map(" ".join, lines))
    words, boundaries, is_open = twin(lines)
    if not words:
        with pytest.raises(FormatError, match="no words"):
            parse(text, "breaks")
        return
    document = parse(text, "breaks")
    assert len(document.words) == len(words)
    assert types(document) == boundaries
    has_breaks = "<eo" in text
    assert document.signs.get("open_lines", 0) == (is_open if has_breaks else 0)
    subtitles = Subtitles.from_document(document)
    written = text.removesuffix("\n").split("\n")
    assert subtitles.bare == [" ".join(re.sub("<eo[lb]>", "", each).split()) for each in written]
    assert subtitles.breaks.sum() == len(re.findall("<eo[lb]>", text))


@given(LINES)
def test_many_texts_are_read_as_each(lines):
    texts = [f"so {' '.join(line)}" for line in lines]
    found = parse_many(texts, ["breaks"] * len(texts), sources=texts)
    for document, text in zip(found, texts, strict=True):
        alone = parse(text, "breaks", source=text)
        assert types(document) == types(alone)
        assert (document.text, document.raw) == (alone.text, alone.raw)


@pytest.mark.parametrize(
    "text",
    [
        SENTENCES.replace("\n", "\r\n"),
        SENTENCES.replace("\n", "\r"),
        SENTENCES.replace(" <", "<").replace("> ", ">"),
        SENTENCES.replace(" ", "\t"),
        SENTENCES.removesuffix("\n"),
        "\ufeff" + SENTENCES,
    ],
    ids=["CRLF", "CR", "glued", "tabs", "no line end", "byte-order mark"],
)
def test_how_it_is_written_makes_no_difference(text, tmp_path):
    path = tmp_path / "talk.txt"
    path.write_bytes(text.encode())
    document = read(str(path))
    assert types(document) == types(parse(SENTENCES))
    assert document.words == parse(SENTENCES).words
    subtitles = Subtitles.from_document(document)
    told = [each.replace("\ue000", "<eol>").replace("\ue001", "<eob>") for each in subtitles.marked]
    assert told == SENTENCES.splitlines()


def test_empty_lines_are_sentences():
    document = parse("so <eob>\n\nit is <eob>\n\n")
    subtitles = Subtitles.from_document(document)
    assert subtitles.bare == ["so", "", "it is", ""]
    assert document.line_starts.tolist() == [0, 1, 1, 3]


def test_right_to_left_text():
    document = parse("سلام دنیا، <eol> خوبی؟ <eob>\n")
    assert document.words == ["سلام", "دنیا", "خوبی"]
    assert types(document) == [(1, "line"), (2, "block")]


def test_breaks_without_a_word_before_them_or_twice():
    document = parse("<eob> so <eol> <eob> it is <eob> <eol>")
    assert types(document) == [(0, "block"), (2, "block")]
    subtitles = Subtitles.from_document(document)
    assert [block.lines for block in subtitles.blocks] == [("so",), ("it is",)]
    assert subtitles.breaks.tolist() == [5]


def test_a_line_without_a_break_at_its_end_goes_on():
    document = parse("so it\nis <eob>\nyes\n")
    assert types(document) == [(2, "block"), (3, "")]
    assert document.signs["open_lines"] == 2
    assert [block.lines for block in Subtitles.from_document(document).blocks] == [
        ("so it is",),
        ("yes",),
    ]


def test_a_text_without_breaks_has_one_unit(tmp_path):
    path = tmp_path / "talk.txt"
    path.write_text("so it is\nyes\n")
    document = read(str(path), units="breaks")
    assert (document.form, document.segmentation.boundaries.tolist()) == ("breaks", [3])
    assert "open_lines" not in document.signs


@pytest.mark.parametrize("name", TIMED)
def test_lines_and_ends_of_cues_are_breaks(name, tmp_path):
    path = tmp_path / name
    path.write_text(TIMED[name])
    document = read(str(path), units="breaks")
    assert document.words == parse(SENTENCES).words
    inner = "line" if name == "talk.vtt" else "block"  # two speakers share a cue
    assert types(document) == [(2, "line"), (5, "block"), (6, inner), (7, "block")]
    assert document.form == f"{path.suffix[1:]}-breaks"
    assert document.track.start[[0, 6]].tolist() == [1_000_000, 3_200_000]
    assert document.track.end[5] == 3_000_000
    subtitles = Subtitles.from_document(document)
    assert not subtitles.has_segments
    assert subtitles.blocks[0].lines == ("Imagine waking up", "to a stranger,")


@pytest.mark.parametrize("units", ["auto", "segments", "marks"])
@pytest.mark.parametrize("name", TIMED)
def test_other_units_know_nothing_of_lines(name, units, tmp_path):
    path, joined = tmp_path / name, tmp_path / f"joined.{name}"
    path.write_text(TIMED[name])
    joined.write_text(TIMED[name].replace("up</i>\nto", "up</i> to").replace("up\nto", "up to"))
    one, other = (read(str(each), units=units) for each in (path, joined))
    assert (one.raw, one.text) == (other.raw, other.text)
    assert one.segmentation == other.segmentation
    assert one.track.start.tolist() == other.track.start.tolist()


def test_sentences_that_end_with_a_cue_are_lines(tmp_path):
    path = tmp_path / "talk.srt"
    path.write_text(SRT.replace("often.", "often. Then"))
    assert Subtitles.from_document(read(str(path), units="breaks")).bare == [
        "Imagine waking up to a stranger, often. Then Welcome."
    ]
    path.write_text(SRT)
    assert len(Subtitles.from_document(read(str(path), units="breaks")).bare) == 2


def test_br_is_a_break_and_cues_without_words_belong_to_the_one_before(tmp_path):
    path = tmp_path / "talk.srt"
    path.write_text(SRT.replace("often.", "…").replace("Welcome.", "so<br/>long"))
    document = read(str(path), units="breaks")
    assert types(document) == [(2, "line"), (5, "block"), (6, "line"), (7, "block")]
    blocks = Subtitles.from_document(document).blocks
    assert [block.lines for block in blocks] == [
        ("Imagine waking up", "to a stranger,", "…"),
        ("so", "long"),
    ]


def test_formats_without_segments_have_no_breaks(tmp_path):
    path = tmp_path / "talk.ctm"
    path.write_text("talk 1 0.0 0.5 so\ntalk 1 0.5 0.5 it\n")
    with pytest.raises(FormatError, match=r"no line and block breaks; give subtitles as SRT"):
        read(str(path), units="breaks")


def test_other_documents_are_not_subtitles():
    message = r"no line and block breaks; give subtitles as SRT, WebVTT or text with <eol>"
    with pytest.raises(FormatError, match=message):
        Subtitles.from_document(caesura.document("so // it is"))


@pytest.mark.parametrize("name", TIMED)
def test_subtitles_are_converted_to_text(name, tmp_path, run):
    path, out = tmp_path / name, tmp_path / "talk.txt"
    path.write_text(TIMED[name])
    status, _, error = run("convert", path, out, "--to", "breaks", "--units", "breaks")
    assert (status, error) == (0, f"{path} -> {out}: lost: times\n") or "speakers" in error
    before = read(str(path), units="breaks")
    after = read(str(out))
    assert (types(after), after.words) == (types(before), before.words)
    assert Subtitles.from_document(after).bare == Subtitles.from_document(before).bare


def test_units_of_other_forms_are_blocks(tmp_path, run):
    path, out = tmp_path / "talk.lines", tmp_path / "talk.txt"
    path.write_text("So it is.\nthen\nwe left.\n")
    assert run("convert", path, out, "--to", "breaks")[0] == 0
    assert out.read_text() == "So it is. <eob>\nthen <eob> we left. <eob>\n"


def test_a_list_of_lines_has_breaks():
    ours = ["so <eol> it is <eob>", "yes <eob>"]
    found = caesura.evaluate({"ours": ours}, {"gold": ours}, units="breaks")
    assert found.summary.signature.count("input:breaks") == 1
    assert found.systems["ours"].typed_f1_mean == 1


def test_empty_lines_of_a_list_are_sentences():
    ours = ["so <eob>", "", "yes <eob>", ""]
    assert len(Subtitles.from_document(as_document(ours, units="breaks")).segments) == 4
