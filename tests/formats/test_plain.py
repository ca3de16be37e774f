import re
import time
import unicodedata
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.api.lists import FORMATS
from caesura.errors import FormatError, UnknownNameError, UsageError
from caesura.formats.plain import MARKS, detect, parse
from caesura.formats.registry import PLAIN
from caesura.formats.transcripts import read
from caesura.io.files import decode
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
        with pytest.raises(FormatError):
            parse(text, form, marks=marks)
        return
    document = parse(text, form, marks=marks, source="f")
    assert document.words == expected.words
    assert document.segmentation.length == len(expected.words)
    ends = expected.ends(form)
    assert document.segmentation.boundaries.tolist() == ends
    places = [document.place(word) for word in range(len(expected.words))]
    assert places == [f"f:{line}" for line in expected.lines]
    wanted = [expected.marks.get(end, "") for end in ends]
    if any(wanted):
        assert document.segmentation.marks.tolist() == wanted
    else:
        assert document.segmentation.marks is None


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


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("so it rained // a lot", "slashes"),
        ("so it rained// a lot", "slashes"),
        ("so it rained //a lot", "slashes"),
        ("one line //\nand another", "slashes"),
        ("0 1 //", "slashes"),
        ("0101", "binary"),
        ("0 1\n0 1\r\n", "binary"),
        ("so it rained\na lot", "lines"),
        ("so it rained.\r\rA lot.", "lines"),
        ("0101\n2", "lines"),
        ("So it rained. A lot.", "marks"),
        ("\n\nSo it rained. A lot.\n\n", "marks"),
        ("see http://x.y for it", "marks"),
        ("either//or", "marks"),
        ("", "marks"),
    ],
)
def test_forms_are_told_apart_in_this_order(text, form):
    assert detect(text) == form


@pytest.mark.parametrize(
    ("text", "form", "units"),
    [
        ("so you know\nit rained\na lot\n", "lines", [3, 2, 2]),
        ("so you know\r\nit rained\r\na lot", "lines", [3, 2, 2]),
        ("so you know\rit rained\ra lot", "lines", [3, 2, 2]),
        ("\n\nso you know\n\n \nit rained a lot\n\n", "lines", [3, 4]),
        ("So you know. It rained; a lot!", "marks", [3, 2, 2]),
        ("So you know.\nIt rained", "marks", [3, 2]),
        ("so you know // it rained // a lot", "slashes", [3, 2, 2]),
        ("// so you know//it rained // // a lot //", "slashes", [4, 2]),
        ("001 01\n01", "binary", [3, 2, 2]),
        ("0010100", "binary", [3, 2, 2]),
    ],
)
def test_each_form(text, form, units):
    document = parse(text, form)
    assert document.form == form
    assert document.segmentation.masses.tolist() == units


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


@given(TEXTS.filter(lambda text: slow(text, "marks").words))
def test_nfc_and_nfd_are_the_same(text):
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert parse(composed, "marks").text == parse(decomposed, "marks").text
    assert parse(composed, "marks").segmentation == parse(decomposed, "marks").segmentation


def test_text_from_right_to_left():
    text = f"{RIGHT_TO_LEFT}ذهب الولد{RIGHT_TO_LEFT}. أين هو؟ هنا"
    document = parse(text, marks=".؟")
    assert document.words == ["ذهب", "الولد", "أين", "هو", "هنا"]
    assert document.segmentation.masses.tolist() == [2, 2, 1]
    assert document.segmentation.marks.tolist() == [".", "؟", ""]


def test_ideographic_marks_can_be_named():
    document = parse("下雨 了。 真 的？ 是", marks="。？")
    assert document.segmentation.masses.tolist() == [2, 2, 1]


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
    assert document.text is None
    assert document.words == []
    assert document.segmentation.marks is None
    assert document.place(2) == "f"


def test_the_end_of_a_binary_string_may_be_left_open():
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
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        parse("It rained.", marks=marks)


def test_places_are_lines_of_the_source():
    document = parse("\n\nso it\r\nrained\r\ra lot", source="refs/v1.txt")
    assert [document.place(word) for word in range(5)] == [
        "refs/v1.txt:3",
        "refs/v1.txt:3",
        "refs/v1.txt:4",
        "refs/v1.txt:6",
        "refs/v1.txt:6",
    ]


@pytest.mark.parametrize("form", ["auto", "lines", "marks", "slashes"])
@pytest.mark.parametrize("text", ["", " \n\t\r\n", "... “”", "\ufeff", RIGHT_TO_LEFT])
def test_a_text_without_words_is_refused(text, form):
    message = "f.txt: no words; give a file with the words of a transcript"
    with pytest.raises(FormatError, match=f"^{re.escape(message)}$"):
        parse(text, form, source="f.txt")


def test_an_empty_binary_string_is_refused():
    message = "f.txt: no words; give a 0 or a 1 for each word"
    with pytest.raises(FormatError, match=f"^{message}$"):
        parse(" \n", "binary", source="f.txt")


@pytest.mark.parametrize(
    ("text", "place", "character"),
    [("0102", "f.txt:1", "2"), ("01\n0x\n1", "f.txt:2", "x"), ("01\r\n01\r\n-", "f.txt:3", "-")],
)
def test_a_binary_string_holds_nothing_else(text, place, character):
    message = f"{place}: '{character}' in a binary string; use only 0, 1 and white space"
    with pytest.raises(FormatError, match=f"^{message}$"):
        parse(text, "binary", source="f.txt")


def test_lines_of_a_binary_string_may_end_with_cr():
    with pytest.raises(FormatError, match=r"^f\.txt:2: 'x' in a binary string"):
        parse("01\r0x\r1", "binary", source="f.txt")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_no_part_of_the_text(encoding):
    text = "Il pleut déjà.\nOui 😀"
    document = parse(decode(text.encode(encoding), "f"))
    assert document.words == ["il", "pleut", "déjà", "oui", "😀"]
    assert document.segmentation.masses.tolist() == [3, 2]


def test_a_file_is_read_as_its_text(tmp_path):
    path = tmp_path / "v1.txt"
    path.write_bytes(b"So it rained.\r\nA lot?\r\n")
    document = read(str(path))
    assert (document.form, document.source) == ("lines", str(path))
    assert document.segmentation.marks.tolist() == [".", "?"]
    assert read(str(path), input="marks", marks=".").segmentation.masses.tolist() == [3, 2]
    path.write_bytes("déjà vu".encode("latin-1"))
    assert read(str(path), encoding="latin-1").words == ["déjà", "vu"]


def test_an_unknown_form_lists_close_matches():
    message = r"^unknown input form 'line'; did you mean lines\?$"
    with pytest.raises(UnknownNameError, match=message):
        read("-", input="line")


def test_every_form_is_listed():
    assert set(PLAIN) == {"lines", "marks", "slashes", "binary", "breaks"} <= set(FORMATS)


def test_a_long_text():
    size, unit = 200_000, 8
    words = [f"Wörd{number}" for number in range(size)]
    text = "\n".join(" ".join(words[i : i + unit]) + "." for i in range(0, size, unit))
    document = parse(text)
    assert document.form == "lines"
    assert document.words == [word.casefold() for word in words]
    assert document.segmentation.masses.tolist() == [unit] * (size // unit)
    assert set(document.segmentation.marks.tolist()) == {"."}
    assert document.place(size - 1) == f"<string>:{size // unit}"
    running = parse(text.replace("\n", " "))
    assert running.segmentation == document.segmentation


def test_a_long_text_with_nothing_ascii_beyond_its_marks():
    text = "é. " * 10_000
    document = parse(text)
    assert np.array_equal(document.segmentation.boundaries, np.arange(10_000))


@pytest.mark.parametrize("tail", ["\n", " \n", "\t"])
def test_much_white_space_at_the_end_takes_no_time(tail):
    start = time.process_time()
    assert detect("it rained" + tail * 10_000) == "marks"
    assert time.process_time() - start < 0.4


def test_what_no_encoding_can_hold_is_still_a_word():
    assert parse("\ud800 a").words == ["\ud800", "a"]
