"""Subtitles with their breaks: text with <eol> and <eob>, SRT and WebVTT."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.communities.subtitles.measures import Subtitles
from caesura.errors import FormatError
from caesura.formats.plain import parse, parse_many
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


def lines_of(document):
    return [tuple(block) for block in Subtitles.from_document(document).blocks]


@pytest.fixture
def read(folder):
    """Read a text as a file, in the units that its breaks make."""

    def call(name, text, units="breaks"):
        folder(**{name: text})
        return caesura.read(name, units=units)

    return call


@pytest.mark.parametrize(
    "text",
    [
        SENTENCES,
        SENTENCES.replace("\n", "\r\n"),
        SENTENCES.replace("\n", "\r"),
        SENTENCES.replace(" <", "<").replace("> ", ">"),
        SENTENCES.replace(" ", "\t"),
        SENTENCES.removesuffix("\n"),
        "\ufeff" + SENTENCES,
    ],
    ids=["as it is", "CRLF", "CR", "glued", "tabs", "no line end", "byte-order mark"],
)
def test_breaks_are_boundaries_with_types(text, read):
    document = read("talk.txt", text, "auto")
    assert document.form == "breaks"
    assert document.words == "imagine waking up to a stranger often welcome".split()
    assert types(document) == [(2, "line"), (5, "block"), (6, "block"), (7, "block")]
    assert document.line_starts.tolist() == [0, 7]
    assert document.signs == {"guessed": 1}
    marked = Subtitles.from_document(document).marked
    told = [each.replace("\ue000", "<eol>").replace("\ue001", "<eob>") for each in marked]
    assert told == SENTENCES.splitlines()


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
    ("text", "boundaries", "blocks"),
    [
        ("so <eob>\n\nit is <eob>\n\n", [(0, "block"), (2, "block")], [("so",), ("it is",)]),
        ("سلام دنیا، <eol> خوبی؟ <eob>\n", [(1, "line"), (2, "block")], [("سلام دنیا،", "خوبی؟")]),
        (
            "<eob> so <eol> <eob> it is <eob> <eol>",
            [(0, "block"), (2, "block")],
            [("so",), ("it is",)],
        ),
        ("so it\nis <eob>\nyes\n", [(2, "block"), (3, "")], [("so it is",), ("yes",)]),
    ],
    ids=["empty lines", "right to left", "twice, or without a word before", "open lines"],
)
def test_blocks(text, boundaries, blocks):
    document = parse(text)
    assert (types(document), lines_of(document)) == (boundaries, blocks)


def test_a_text_without_breaks_has_one_unit(read):
    document = read("talk.txt", "so it is\nyes\n")
    assert (document.form, document.segmentation.boundaries.tolist()) == ("breaks", [3])
    assert "open_lines" not in document.signs


@pytest.mark.parametrize("name", TIMED)
def test_lines_and_ends_of_cues_are_breaks(name, read, run):
    document = read(name, TIMED[name])
    assert document.words == parse(SENTENCES).words
    inner = "line" if name == "talk.vtt" else "block"  # two speakers share a cue
    assert types(document) == [(2, "line"), (5, "block"), (6, inner), (7, "block")]
    assert document.form == f"{name[-3:]}-breaks"
    assert document.track.start[[0, 6]].tolist() == [1_000_000, 3_200_000]
    assert document.track.end[5] == 3_000_000
    assert not Subtitles.from_document(document).has_segments
    assert lines_of(document)[0] == ("Imagine waking up", "to a stranger,")
    status, _, error = run("convert", name, "out.txt", "--to", "breaks", "--units", "breaks")
    assert status == 0
    assert error == f"{name} -> out.txt: lost: {'speakers, ' * (name[-3:] == 'vtt')}times\n"
    after = caesura.read("out.txt")
    assert (types(after), after.words) == (types(document), document.words)
    assert Subtitles.from_document(after).bare == Subtitles.from_document(document).bare


@pytest.mark.parametrize("units", ["auto", "segments", "marks"])
@pytest.mark.parametrize("name", TIMED)
def test_other_units_know_nothing_of_lines(name, units, read):
    joined = TIMED[name].replace("up</i>\nto", "up</i> to").replace("up\nto", "up to")
    one, other = read(name, TIMED[name], units), read(name, joined, units)
    assert (one.raw, one.text) == (other.raw, other.text)
    assert one.segmentation == other.segmentation
    assert one.track.start.tolist() == other.track.start.tolist()


def test_sentences_that_end_with_a_cue_are_lines(read):
    document = read("talk.srt", SRT.replace("often.", "often. Then"))
    assert Subtitles.from_document(document).bare == [
        "Imagine waking up to a stranger, often. Then Welcome."
    ]
    assert len(Subtitles.from_document(read("talk.srt", SRT)).bare) == 2


def test_br_is_a_break_and_cues_without_words_belong_to_the_one_before(read):
    document = read("talk.srt", SRT.replace("often.", "…").replace("Welcome.", "so<br/>long"))
    assert types(document) == [(2, "line"), (5, "block"), (6, "line"), (7, "block")]
    assert lines_of(document) == [("Imagine waking up", "to a stranger,", "…"), ("so", "long")]


def test_what_has_no_breaks(read):
    message = r"no line and block breaks; give subtitles as SRT, WebVTT or text with <eol>"
    with pytest.raises(FormatError, match=message):
        read("talk.ctm", "talk 1 0.0 0.5 so\ntalk 1 0.5 0.5 it\n")
    with pytest.raises(FormatError, match=message):
        Subtitles.from_document(caesura.document("so // it is"))


def test_units_of_other_forms_are_blocks(folder, run):
    place = folder(talk="So it is.\nthen\nwe left.\n")
    assert run("convert", "talk.txt", "out.txt", "--to", "breaks")[0] == 0
    text = (place / "out.txt").read_text()
    assert text == "So it is. <eob>\nthen <eob> we left. <eob>\n"


def test_lists_of_lines():
    ours = ["so <eol> it is <eob>", "yes <eob>"]
    found = caesura.evaluate({"ours": ours}, {"gold": ours}, units="breaks")
    assert found.summary.signature.count("input:breaks") == 1
    assert found.systems["ours"].typed_f1_mean == 1
    with_empty = as_document(["so <eob>", "", "yes <eob>", ""], units="breaks")
    assert len(Subtitles.from_document(with_empty).segments) == 4
