import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats._shared.script_documents import to_document
from caesura.formats.phn import parse
from caesura.formats.transcripts import read, recordings

TIMIT = "0 3050 h#\n3050 4559 sh\n4559 5723 ix\n5723 6642 h#\n"


def spans(script):
    return list(zip(script.texts, script.start.tolist(), script.end.tolist(), strict=True))


def test_seconds_of_several_recordings():
    two, one = parse("b 0 0.5 s\nb 0.5 0.75 ih\na 0.10 0.20 x\n")
    assert (two.recording, one.recording) == ("b", "a")
    assert spans(two) == [("s", 0, 500_000), ("ih", 500_000, 750_000)]
    assert spans(one) == [("x", 100_000, 200_000)]


def test_samples_of_timit():
    (script,) = parse(TIMIT, rate=16000)
    assert script.recording == ""
    assert spans(script)[:2] == [("h#", 0, 190_625), ("sh", 190_625, 284_938)]
    assert to_document(script).track.edges.tolist() == [0, 190_625, 284_938, 357_688, 415_125]


def test_samples_need_their_rate():
    message = "x.phn:1: times in samples, without their rate; give rate=16000 for TIMIT, or rate=1"
    with pytest.raises(FormatError, match=message):
        parse(TIMIT, "x.phn")


def test_a_decimal_point_means_seconds():
    text = "0.0 1 a\n1 2 b\n"
    assert spans(parse(text)[0]) == spans(parse(text, rate=16000)[0])
    assert spans(parse(text)[0]) == [("a", 0, 1_000_000), ("b", 1_000_000, 2_000_000)]
    assert spans(parse("0 1e-1 a\n")[0]) == [("a", 0, 100_000)]
    assert spans(parse("0 2 a\n", rate=1)[0]) == [("a", 0, 2_000_000)]


def test_whole_seconds_of_four_columns():
    assert spans(parse("f 0 2 a\n")[0]) == [("a", 0, 2_000_000)]
    assert spans(parse("f 0 2 a\n", rate=16000)[0]) == [("a", 0, 125)]


@given(st.integers(1, 10**6), st.integers(0, 10**9))
def test_samples_are_rounded(rate, sample):
    (script,) = parse(f"{sample} {sample} a\n", rate=rate)
    assert abs(int(script.start[0]) * rate - sample * 1_000_000) * 2 <= rate


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.phn: no intervals; write FILE ON OFF LABEL, or ON OFF LABEL on each line"),
        ("\n\n", "x.phn: no intervals; "),
        ("0.0 1.0\n", "x.phn:1: 2 columns; write FILE ON OFF LABEL, or ON OFF LABEL"),
        ("0.0 1.0 a\nf 1.0 2.0 b\n", "x.phn:2: 4 columns; "),
        ("0.0 -1.0 a\n", "x.phn:1: '-1.0' is not a time; "),
        ("0.0 a 1.0\n", "x.phn:1: 'a' is not a time; "),
        ("1.0 0.5 a\n", "x.phn:1: the interval 1.00–0.50 of the tier 'of the file' ends before"),
        ("f 0.0 1.0 a\nf 0.5 2.0 b\n", "x.phn:2: the interval 0.50–2.00 of the tier 'f' begins"),
    ],
)
def test_broken_files(text, message):
    with pytest.raises(FormatError) as caught:
        parse(text, "x.phn")
    assert str(caught.value).startswith(message)


def test_recognised_by_its_name(folder):
    place = folder(**{"one.phn": TIMIT, "two.wrd": "a 0 0.5 so\nb 0 0.5 it\n"})
    document = read(place / "one.phn", rate=16000)
    assert (document.form, document.words[1:3]) == ("phn-intervals", ["sh", "ix"])
    assert recordings(str(place / "two.wrd")) == {"": ["a", "b"]}
    assert recordings(str(place / "one.phn"), rate=16000) == {}


@pytest.mark.slow
def test_many_intervals():
    text = "".join(f"{at} {at + 1} p\n" for at in range(200_000))
    (script,) = parse(text, rate=100)
    assert to_document(script).track.edges.size == 200_001
