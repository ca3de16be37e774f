"""CHAT, of CHILDES and TalkBank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.pieces import message, pieces

CHAT = """@UTF8
@Begin
@Languages:\teng
@Participants:\tCHI Eve Target_Child, MOT Mother
@ID:\teng|x|CHI|||||Target_Child|||
*CHI:\t<it it> [/] it rained &-uh all night . \x15500_2250\x15
%mor:\tpro|it v|rain .
*MOT:\tdid [*] it really (.) &=laughs wo:rk
\tat (h)ome gumma@c ? \x152250_4000\x15
*CHI:\txxx .
*CHI:\t0is (be)cause +... \x154000_5000\x15
@End
"""


def test_utterances():
    assert pieces("chat", CHAT, "texts speakers start end lines") == [
        ("it it it rained uh all night.", "CHI", 0.5, 2.25, 6),
        ("did it really work at home gumma?", "MOT", 2.25, 4, 8),
        ("because.", "CHI", 4, 5, 11),
    ]


def test_names_behind_numbered_codes():
    text = "@Participants:\tSP1 ann_lee Speaker, MOT Eve Mother\n*SP1:\tso .\n*MOT:\tno .\n"
    assert pieces("chat", text, "speakers") == ["ann lee", "MOT"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@UTF8\n@Begin\n@End\n", "no utterances"),
        ("@Begin\n*CHI so it rained .\n", "x:2: '*CHI so it rained .' is not an utterance"),
        ("@Begin\n*CHI:\tso . \x155_2\x15\n", "begins at 0.005 and ends at 0.002"),
    ],
)
def test_what_is_wrong_is_said(text, expected):
    assert expected in message("chat", text)


WORDS = st.lists(st.sampled_from("it rained so we're home".split()), min_size=1)


@given(st.lists(st.tuples(st.sampled_from(["CHI", "MOT"]), WORDS), min_size=1))
def test_utterances_as_pylangacq_reads_them(said):
    """It leaves out retraced words, which were said and which we keep: none is here."""
    pylangacq = pytest.importorskip("pylangacq")
    lines = ["@UTF8", "@Begin", "@Participants:\tCHI Child, MOT Mother"]
    for at, (who, words) in enumerate(said):
        lines.append(f"*{who}:\t{' '.join(words)} . \x15{900 * at}_{900 * at + 800}\x15")
    text = "\n".join([*lines, "@End", ""])
    theirs = [
        (each.participant, each.time_marks, [token.word for token in each.tokens])
        for each in pylangacq.CHAT.from_strs([text]).utterances()
    ]
    ours = pieces("chat", text, "speakers start end texts")
    assert theirs == [
        (who, (1000 * a, 1000 * b), [*words[:-1].split(), "."]) for who, a, b, words in ours
    ]
