"""CoNLL-U as a transcript."""

import pytest

from support.pieces import document, message, pieces, scripts


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


def read(text, fields="texts start end ends speakers"):
    return pieces("conllu", text, fields)


def test_words_marks_speakers_and_times():
    assert read(TALK) == [
        ("Well,", 0, 0.25, False, "Ann"),
        ("don't", 0.3, 0.4005, False, "Ann"),
        ("go!", 0.5, 0.7, True, "Ann"),
        ("“Why ?", 1.5, 1.75, True, "Cy"),
    ]
    assert read(TALK, "lines") == [5, 7, 10, 16]
    found = document("conllu", TALK)
    assert (found.words, found.recording) == (["well", "don't", "go", "why"], "talk")
    assert found.segmentation.boundaries.tolist() == [2, 3]
    assert found.segmentation.marks.tolist() == ["!", "?"]


def test_nothing_but_forms():
    text = row(1, "he") + row(2, "said") + row(3, ".") + "\n" + row(1, "…") + "\n"
    assert read(text) == [
        ("he", None, None, False, None), ("said .", None, None, True, None),
        ("…", None, None, True, None),
    ]  # fmt: skip


def test_recordings():
    one, two = row(1, "one") + "\n", row(1, "two") + "\n"
    text = "# newdoc id = a\n" + one + two + "# newdoc id = b\n" + one + "# newdoc id = a\n" + two
    assert [(each.recording, each.texts) for each in scripts("conllu", text)] == [
        ("a", ["one", "two", "two"]), ("b", ["one"]),
    ]  # fmt: skip
    text = one + "# newdoc\n" + two + "# newdoc\n" + one
    assert [(each.recording, each.texts) for each in scripts("conllu", text)] == [
        ("", ["one"]), ("1", ["two"]), ("2", ["one"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "comment",
    ["# speaker = Ann", "#speaker=Ann", "# speaker_id = Ann", "# speakerId = Ann ",
     "# Speaker_Name = Ann", "# speaker id = Ann"],
)  # fmt: skip
def test_speakers_in_comments(comment):
    assert read(f"{comment}\n" + row(1, "a"), "speakers") == ["Ann"]


def test_other_comments():
    text = "# speaker_age = 7\n# newdocs\n# loudspeaker = x\n" + row(1, "a")
    assert read(text, "speakers") == [None]


def test_times_that_are_not_told():
    text = row(1, "a", misc="AlignBegin=_|AlignEnd=5") + row(2, "b", misc="start_char=7")
    assert read(text, "start end") == [(None, 0.005), (None, None)]


@pytest.mark.parametrize("name", ["newdoc id", "speaker"])
def test_long_comments(name):
    [script] = scripts("conllu", f"# {name} = a{' ' * 10**5}b\n" + row(1, "a"))
    assert "a  " in (script.recording or script.speakers[0])


@pytest.mark.parametrize("misc", ["AlignBegin=0|AlignEnd=1000000000000", "start=0|end=1000000000"])
def test_times_reach_as_far_in_milliseconds_as_in_seconds(misc):
    assert read(row(1, "a", misc=misc), "end") == [10**9]


BROKEN = {
    "words": ("hello\n", "1: 1 column; CoNLL-U has ten, separated by tabs"),
    "ids out of order": (
        row(1, "a") + row(3, "b"),
        "2: the word id '3' is out of order; "
        "number words from 1 in each sentence, and put ranges before their words",
    ),
    "no time": (
        row(1, "a", misc="AlignBegin=x"),
        "1: 'AlignBegin=x' is not a time; write milliseconds, such as 1500",
    ),
    "a negative time": (
        row(1, "a") + row(2, "b", misc="end=-1"),
        "2: 'end=-1' is not a time; write seconds, such as 1.5",
    ),
    "an endless time": (
        row(1, "a", misc="end=99999999999"),
        "1: 'end=99999999999' is not a time; write seconds, such as 1.5",
    ),
    "endless milliseconds": (
        row(1, "a", misc="AlignEnd=1000000000001"),
        "1: 'AlignEnd=1000000000001' is not a time; write milliseconds, such as 1500",
    ),
    "backwards": (
        row(1, "a") + row(2, "b", misc="AlignBegin=20|AlignEnd=10"),
        "2: a piece that begins at 0.02 and ends at 0.01; "
        "times must be 0 or more, and a piece must not end before it begins",
    ),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_errors(text, expected):
    assert message("conllu", text) == f"x:{expected}"
