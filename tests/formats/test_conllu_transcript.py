from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import CaesuraError, FormatError
from caesura.formats._shared.script import UNKNOWN
from caesura.formats._shared.script_documents import to_document
from caesura.formats.conllu_transcript import parse
from caesura.formats.registry import TIMED
from caesura.io.files import decode


def row(number, form, tag="_", misc="_"):
    return f"{number}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t{misc}\n"


TALK = (
    "# newdoc id = talk\n# sent_id = 1\n# speaker = Ann\n# text = Well, don't go!\n"
    + row(1, "Well", "INTJ", "AlignBegin=0|AlignEnd=250|SpaceAfter=No")
    + row(2, ",", "PUNCT", "AlignBegin=250|AlignEnd=250")
    + row("3-4", "don't", "_", "AlignBegin=300|AlignEnd=400.5")
    + row(3, "do", "AUX")
    + row(4, "n't", "PART")
    + row(5, "go", "VERB", "SpaceAfter=No|AlignBegin=500|AlignEnd=700")
    + row(6, "!", "PUNCT")
    + "\n# sent_id = 2\n# speaker_id = Bob\n"
    + row(1, "“", "PUNCT", "SpaceAfter=No")
    + row(2, "Why", "ADV", "Gloss=x|start=1.5|end=1.75|Speaker=Cy")
    + row(3, "?", "PUNCT")
    + row("3.1", "empty", "X")
    + "\n"
)


def told(script):
    count = len(script)
    return list(
        zip(
            script.texts,
            [UNKNOWN] * count if script.start is None else script.start.tolist(),
            [UNKNOWN] * count if script.end is None else script.end.tolist(),
            script.ends.tolist(),
            script.speakers or [""] * count,
            strict=True,
        )
    )


def message(text):
    with pytest.raises(FormatError) as error:
        parse(text, "x.conllu")
    return str(error.value)


def test_words_marks_speakers_and_times():
    [script] = parse(TALK, "x.conllu")
    assert told(script) == [
        ("Well,", 0, 250_000, False, "Ann"),
        ("don't", 300_000, 400_500, False, "Ann"),
        ("go!", 500_000, 700_000, True, "Ann"),
        ("“Why ?", 1_500_000, 1_750_000, True, "Cy"),
    ]
    assert script.recording == "talk"
    assert script.lines.tolist() == [5, 7, 10, 16]


def test_as_a_document():
    document = to_document(parse(TALK)[0], units=TIMED["conllu"].units)
    assert document.words == ["well", "don't", "go", "why"]
    assert document.segmentation.boundaries.tolist() == [2, 3]
    assert document.segmentation.marks.tolist() == ["!", "?"]


def test_nothing_but_forms():
    [script] = parse(row(1, "he") + row(2, "said") + row(3, ".") + "\n" + row(1, "…") + "\n")
    assert told(script) == [
        ("he", UNKNOWN, UNKNOWN, False, ""), ("said .", UNKNOWN, UNKNOWN, True, ""),
        ("…", UNKNOWN, UNKNOWN, True, ""),
    ]  # fmt: skip
    assert (script.start, script.end, script.speakers) == (None, None, None)


def test_recordings():
    one, two = row(1, "one") + "\n", row(1, "two") + "\n"
    text = "# newdoc id = a\n" + one + two + "# newdoc id = b\n" + one + "# newdoc id = a\n" + two
    assert [(each.recording, each.texts) for each in parse(text)] == [
        ("a", ["one", "two", "two"]), ("b", ["one"]),
    ]  # fmt: skip
    text = one + "# newdoc\n" + two + "# newdoc\n" + one
    assert [(each.recording, each.texts) for each in parse(text)] == [
        ("", ["one"]), ("1", ["two"]), ("2", ["one"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "comment",
    ["# speaker = Ann", "#speaker=Ann", "# speaker_id = Ann", "# speakerId = Ann ",
     "# Speaker_Name = Ann", "# speaker id = Ann"],
)  # fmt: skip
def test_speakers_in_comments(comment):
    assert parse(f"{comment}\n" + row(1, "a"))[0].speakers == ["Ann"]


def test_other_comments():
    assert (
        parse("# speaker_age = 7\n# newdocs\n# loudspeaker = x\n" + row(1, "a"))[0].speakers is None
    )


def test_times_that_are_not_told():
    [script] = parse(row(1, "a", misc="AlignBegin=_|AlignEnd=5") + row(2, "b", misc="start_char=7"))
    assert (script.start, script.end.tolist()) == (None, [5000, UNKNOWN])


def test_it_is_told_by_its_content():
    assert TIMED["conllu"].is_like(TALK[:4096])
    assert not TIMED["conllu"].is_like("1\ta\tb\n")


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), str.rstrip])
def test_kind_to_what_people_have(change):
    assert told(parse(change(TALK))[0]) == told(parse(TALK)[0])


@pytest.mark.parametrize("name", ["newdoc id", "speaker"])
def test_long_comments(name):
    [script] = parse(f"# {name} = a{' ' * 10**5}b\n" + row(1, "a"))
    assert "a  " in (script.recording or script.speakers[0])


def test_times_reach_as_far_in_milliseconds_as_in_seconds():
    for misc in ("AlignBegin=0|AlignEnd=1000000000000", "start=0|end=1000000000"):
        [script] = parse(row(1, "a", misc=misc))
        assert script.end.tolist() == [10**15]


# --- What is broken ---------------------------------------------------------------------

BROKEN = {
    "empty": ("", "x.conllu: no words; give a CoNLL-U file that contains sentences"),
    "words": ("hello\n", "x.conllu:1: 1 column; CoNLL-U has ten, separated by tabs"),
    "ids out of order": (
        row(1, "a") + row(3, "b"),
        "x.conllu:2: the word id '3' is out of order; "
        "number words from 1 in each sentence, and put ranges before their words",
    ),
    "no time": (
        row(1, "a", misc="AlignBegin=x"),
        "x.conllu:1: 'AlignBegin=x' is not a time; write milliseconds, such as 1500",
    ),
    "a negative time": (
        row(1, "a") + row(2, "b", misc="end=-1"),
        "x.conllu:2: 'end=-1' is not a time; write seconds, such as 1.5",
    ),
    "an endless time": (
        row(1, "a", misc="end=99999999999"),
        "x.conllu:1: 'end=99999999999' is not a time; write seconds, such as 1.5",
    ),
    "endless milliseconds": (
        row(1, "a", misc="AlignEnd=1000000000001"),
        "x.conllu:1: 'AlignEnd=1000000000001' is not a time; write milliseconds, such as 1500",
    ),
    "backwards": (
        row(1, "a") + row(2, "b", misc="AlignBegin=20|AlignEnd=10"),
        "x.conllu:2: a piece that begins at 0.02 and ends at 0.01; "
        "times must be 0 or more, and a piece must not end before it begins",
    ),
    "NUL": (row(1, "a\0"), None),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_errors(text, expected):
    found = message(text)
    assert expected is None or found == expected


def test_cut_off_anywhere():
    data = (TALK * 5).encode()
    for stop in range(0, len(data), 97):
        with suppress(CaesuraError):
            parse(decode(data[:stop], "x"))


@pytest.mark.parametrize("wrong", ["utf-16-le", "utf-32", "ascii"])
def test_wrong_encodings(wrong):
    with pytest.raises(CaesuraError):
        parse(decode(TALK.encode(), "x", wrong))


LINES = ["\n", "# newdoc", "# speaker = x", row(1, "a"), row(2, "."), row("1-2", "ab")]
SOUP = st.lists(st.text("12a.-_#|\t\n=é ") | st.sampled_from(LINES)).map("".join)


@given(st.text() | SOUP)
def test_nothing_but_our_errors(text):
    with suppress(CaesuraError):
        parse(text)


@given(st.data())
def test_nothing_but_our_errors_in_mangled_files(data):
    at = data.draw(st.integers(0, len(TALK)))
    stop = data.draw(st.integers(at, min(len(TALK), at + 20)))
    with suppress(CaesuraError):
        parse(TALK[:at] + data.draw(st.text(max_size=5)) + TALK[stop:])
