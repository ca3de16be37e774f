"""CHAT, of CHILDES and TalkBank."""

import pytest

from caesura.errors import FormatError
from caesura.formats.chat import parse

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
    (talk,) = parse(CHAT)
    assert talk.texts == [
        "it it it rained uh all night.",
        "did it really work at home gumma?",
        "because.",
    ]
    assert talk.speakers == ["CHI", "MOT", "CHI"]
    assert talk.start.tolist() == [500_000, 2_250_000, 4_000_000]
    assert talk.end.tolist() == [2_250_000, 4_000_000, 5_000_000]
    assert talk.lines.tolist() == [6, 8, 11]


def test_names_behind_numbered_codes():
    (talk,) = parse(
        "@Participants:\tSP1 ann_lee Speaker, MOT Eve Mother\n*SP1:\tso .\n*MOT:\tno .\n"
    )
    assert talk.speakers == ["ann lee", "MOT"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@UTF8\n@Begin\n@End\n", "no utterances"),
        ("@Begin\n*CHI so it rained .\n", "<chat>:2: '*CHI so it rained .' is not an utterance"),
        ("@Begin\n*CHI:\tso . \x155_2\x15\n", "begins at 0.005 and ends at 0.002"),
    ],
)
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(FormatError) as error:
        parse(text)
    assert message in str(error.value)
