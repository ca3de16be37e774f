"""Plain text: lines, running text with marks, slashes and binary strings."""

import re
import time
import unicodedata
from dataclasses import dataclass, field

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.errors import FormatError, UnknownNameError, UsageError
from caesura.formats.plain import MARKS, detect, parse, surfaces
from caesura.formats.transcripts import read
from support.compared_documents import outcome
from support.hypothesis_settings import MANY

ACUTE, RIGHT_TO_LEFT, LEFT_TO_RIGHT = "\u0301", "\u200f", "\u200e"
SPACES = [" ", " ", " ", "\t", "\n", "\r\n", "\r", "\u00a0", "\u2003", "\x1e"]
PUNCTUATION = [*".?!;,:'–“”’", RIGHT_TO_LEFT, LEFT_TO_RIGHT]
LETTERS = [*"abEß015-", ACUTE, "é", "İ", "ع", "ر", "😀", "‐", "/", "@"]
TEXTS = st.lists(st.sampled_from(SPACES + PUNCTUATION + LETTERS), max_size=60).map("".join)
PIECES = ["//", "a//", "//b.", "c", "d?", ".", "\n", "http://x.y", "e//f", "//.", "'//"]
SLASHED = st.lists(st.sampled_from(PIECES), max_size=20).map(" ".join)


@dataclass
class Slow:
    """What a text holds, found word by word."""

    words: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    marks: dict[int, str] = field(default_factory=dict)
    breaks: set[int] = field(default_factory=set)

    def take(self, token, line, marks):
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", token).casefold())
        folded = folded.replace("’", "'").replace("‐", "-")
        core = folded.strip("".join(PUNCTUATION) + marks)
        after = folded
        if core:
            self.words.append(core)
            self.lines.append(line)
            after = folded[folded.rindex(core) + len(core) :]
        found = [character for character in after if character in marks]
        if found and self.words:
            self.marks.setdefault(len(self.words) - 1, found[0])

    def end_unit(self):
        if self.words:
            self.breaks.add(len(self.words) - 1)

    def ends(self, form):
        inner = self.marks if form == "marks" else self.breaks
        return sorted({*inner, len(self.words) - 1})


def slow(text, form, marks=MARKS):
    found = Slow()
    for number, line in enumerate(re.split("\r\n|\r|\n", text), start=1):
        for token in line.split():
            opens = form == "slashes" and token.startswith("//")
            rest = token[2:] if opens else token
            closes = form == "slashes" and rest.endswith("//")
            if opens:
                found.end_unit()
            found.take(rest[:-2] if closes else rest, number, marks)
            if closes:
                found.end_unit()
        if form == "lines":
            found.end_unit()
    return found


def agrees(text, form, marks=MARKS):
    expected = slow(text, form, marks)
    if not expected.words:
        assert outcome(parse, text, form, marks=marks)[0] is FormatError
        return
    document = parse(text, form, marks=marks, source="f")
    assert document.words == expected.words
    ends = expected.ends(form)
    assert document.segmentation.boundaries.tolist() == ends
    places = [document.place(word) for word in range(len(expected.words))]
    assert places == [f"f:{line}" for line in expected.lines]
    wanted = [expected.marks.get(end, "") for end in ends]
    found = document.segmentation.marks
    assert (found.tolist() if any(wanted) else found) == (wanted if any(wanted) else None)


@pytest.mark.parametrize("form", ["lines", "marks"])
@MANY
@given(text=TEXTS, marks=st.sampled_from([MARKS, ".", "!,", "", "–@"]))
def test_equals_its_slow_twin(form, text, marks):
    agrees(text, form, marks)


@MANY
@given(SLASHED)
def test_slashes_equal_the_slow_twin(text):
    agrees(text, "slashes")


def slow_detect(text):
    if any(token.startswith("//") or token.endswith("//") for token in text.split()):
        return "slashes"
    tokens = text.split()
    if tokens and set("".join(tokens)) <= {"0", "1"}:
        return "binary"
    full = [line for line in re.split("[\r\n]", text) if line.strip()]
    return "lines" if len(full) > 1 else "marks"


@MANY
@given(TEXTS | SLASHED | st.text("01 \n\t"))
@example("")
@example("\n\n a \r\n\r\n")
@example("a\r\rb")
def test_detection_equals_its_slow_twin(text):
    assert detect(text) == slow_detect(text)


UNITS = [
    ("so it rained // a lot", "slashes", [3, 2]),
    ("so it rained// a lot", "slashes", [3, 2]),
    ("one line //\nand another", "slashes", [2, 2]),
    ("// so you know//it rained // // a lot //", "slashes", [4, 2]),
    ("001 01\n01", "binary", [3, 2, 2]),
    ("0 1\n0 1\r\n", "binary", [2, 2]),
    ("so you know\rit rained\ra lot", "lines", [3, 2, 2]),
    ("\n\nso you know\n\n \nit rained a lot\n\n", "lines", [3, 4]),
    ("so it rained.\r\rA lot.", "lines", [3, 2]),
    ("0101\n2", "lines", [1, 1]),
    ("So you know. It rained; a lot!", "marks", [3, 2, 2]),
    ("see http://x.y for it", "marks", [4]),
    ("either//or", "marks", [1]),
]


@pytest.mark.parametrize(("text", "form", "units"), UNITS)
def test_forms_are_told_apart_and_have_units(text, form, units):
    assert detect(text) == form
    document = parse(text)
    assert document.form == form
    assert document.segmentation.masses.tolist() == units


def test_words_as_written_have_their_punctuation():
    assert surfaces("— “Well — yes”, he said .") == ["— “Well —", "yes”,", "he", "said ."]


def test_lines_may_hold_marks():
    assert parse("So you know.\nIt rained", "marks").segmentation.masses.tolist() == [3, 2]


@pytest.mark.parametrize(
    ("text", "words", "units"),
    [
        ("It is 3.5 now. Yes.", "it is 3.5 now yes", [4, 1]),
        ("Use .net here. Yes", "use net here yes", [3, 1]),
        ("See http://x.y now. Yes", "see http://x.y now yes", [3, 1]),
        ('He said." Then he left', "he said then he left", [2, 3]),
        ("“Really?” she said", "really she said", [1, 2]),
        ("(It rained.) Then", "it rained then", [2, 1]),
        ("it rained . a lot .", "it rained a lot", [2, 2]),
        ("it rained , . a lot", "it rained a lot", [2, 2]),
        (". it rained", "it rained", [2]),
        ("it - well - rained.", "it - well - rained", [5]),
        ("it — well – rained.", "it well rained", [3]),
        ("it -- rained", "it -- rained", [3]),
        ("well-known twenty‐one", "well-known twenty-one", [2]),
        ("don’t 'cause dogs'", "don't cause dogs", [3]),
        ("a\u00a0b\u2003c\td", "a b c d", [4]),
        ("wait... what", "wait what", [1, 1]),
        ("wait… what", "wait what", [2]),
        ("U.S. troops", "u.s troops", [1, 1]),
        ("co\u00adoperate", "cooperate", [1]),
    ],
)
def test_words_and_units_of_running_text(text, words, units):
    document = parse(text, "marks")
    assert document.text == words
    assert document.words == words.split(" ")
    assert document.segmentation.masses.tolist() == units


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It Rained", "it rained"),
        ("caf\u00e9", "cafe\u0301"),
        ("CAFE\u0301", "caf\u00e9"),
        ("Straße", "STRASSE"),
        ("don’t", "don't"),
        ("twenty‑one", "twenty-one"),
        ("so, (it) “rained”", "so it rained"),
        ("Ångström", "ÅNGSTRÖM"),
        ("co\u00adoperate", "cooperate"),
        ("e\u00ad\u0301", "é"),
    ],
)
def test_words_are_compared_folded(one, other):
    assert parse(one).text == parse(other).text


@pytest.mark.parametrize(
    ("text", "marks", "words", "units"),
    [
        (
            f"{RIGHT_TO_LEFT}ذهب الولد{RIGHT_TO_LEFT}. أين هو؟ هنا",
            ".؟",
            ["ذهب", "الولد", "أين", "هو", "هنا"],
            [2, 2, 1],
        ),
        ("下雨 了。 真 的？ 是", "。？", ["下雨", "了", "真", "的", "是"], [2, 2, 1]),
    ],
)
def test_other_scripts(text, marks, words, units):
    document = parse(text, marks=marks)
    assert document.words == words
    assert document.segmentation.masses.tolist() == units


@pytest.mark.parametrize(
    ("text", "form", "marks"),
    [
        ("What?! No.", "marks", ["?", "."]),
        ('What?" No', "marks", ["?", ""]),
        ("What? . No!", "marks", ["?", "!"]),
        ("so it rained\nreally?\nyes.", "lines", ["", "?", "."]),
        ("Yes. It rained\nreally", "lines", None),
        ("yes; // it did // so!", "slashes", [";", "", "!"]),
        ("yes // it did // so", "slashes", None),
        ("yes", "marks", None),
    ],
)
def test_marks_of_the_units(text, form, marks):
    found = parse(text, form).segmentation.marks
    assert (None if found is None else found.tolist()) == marks


def test_a_binary_string_has_no_words_and_no_marks():
    document = parse("0 0 1\n1", source="f")
    assert (document.text, document.words, document.segmentation.marks) == (None, [], None)
    assert document.place(2) == "f"
    assert parse("0100", "binary").segmentation == parse("0101", "binary").segmentation


@pytest.mark.parametrize(
    ("marks", "units"),
    [(".?!;", [1, 1, 2]), (".", [1, 3]), (",", [3, 1]), ("", [4]), ("?!", [2, 2])],
)
def test_which_marks_end_a_unit_can_be_chosen(marks, units):
    assert parse("Yes. No? well, yes", marks=marks).segmentation.masses.tolist() == units


@pytest.mark.parametrize("mark", ["\u037e", "\u0387", "’", "‐"])
def test_marks_are_folded_like_the_text(mark):
    assert parse(f"yes{mark} no", marks=mark).segmentation.masses.tolist() == [1, 1]


@pytest.mark.parametrize("marks", [".a", "1", ". "])
def test_letters_digits_and_spaces_are_no_marks(marks):
    message = f"marks cannot be letters, digits or white space: '{marks}'"
    assert outcome(parse, "It rained.", marks=marks) == (UsageError, message)


@pytest.mark.parametrize("form", ["auto", "lines", "marks", "slashes"])
@pytest.mark.parametrize("text", ["", " \n\t\r\n", "... “”", "\ufeff", RIGHT_TO_LEFT])
def test_a_text_without_words_is_refused(text, form):
    message = "f: no words; give a file with the words of a transcript"
    assert outcome(parse, text, form, source="f") == (FormatError, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n", "f: no words; give a 0 or a 1 for each word"),
        ("0102", "f:1: '2' in a binary string; use only 0, 1 and white space"),
        ("01\n0x\n1", "f:2: 'x' in a binary string; use only 0, 1 and white space"),
        ("01\r0x\r1", "f:2: 'x' in a binary string; use only 0, 1 and white space"),
        ("01\r\n01\r\n-", "f:3: '-' in a binary string; use only 0, 1 and white space"),
    ],
)
def test_a_binary_string_holds_nothing_else(text, message):
    assert outcome(parse, text, "binary", source="f") == (FormatError, message)


def test_a_file_is_read_as_its_text(tmp_path):
    path = tmp_path / "v1.txt"
    path.write_bytes(b"So it rained.\r\nA lot?\r\n")
    document = read(str(path))
    assert (document.form, document.source) == ("lines", str(path))
    assert document.segmentation.marks.tolist() == [".", "?"]
    assert read(str(path), input="marks", marks=".").segmentation.masses.tolist() == [3, 2]


def test_an_unknown_form_lists_close_matches():
    message = r"^unknown input form 'line'; did you mean lines\?$"
    with pytest.raises(UnknownNameError, match=message):
        read("-", input="line")


def test_a_long_text():
    size, unit = 200_000, 8
    words = [f"Wörd{number}" for number in range(size)]
    text = "\n".join(" ".join(words[i : i + unit]) + "." for i in range(0, size, unit))
    document = parse(text)
    assert document.words == [word.casefold() for word in words]
    assert document.segmentation.masses.tolist() == [unit] * (size // unit)
    assert set(document.segmentation.marks.tolist()) == {"."}
    assert document.place(size - 1) == f"<string>:{size // unit}"
    assert parse(text.replace("\n", " ")).segmentation == document.segmentation


@pytest.mark.parametrize("tail", ["\n", " \n", "\t"])
def test_much_white_space_at_the_end_takes_no_time(tail):
    start = time.process_time()
    assert detect("it rained" + tail * 10_000) == "marks"
    assert time.process_time() - start < 0.4


def test_what_no_encoding_can_hold_is_still_a_word():
    assert parse("\ud800 a").words == ["\ud800", "a"]
