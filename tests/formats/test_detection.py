"""Ordinary text is not taken for a format, and a file of a format that is not read is refused."""

import pytest

import caesura
from caesura.errors import FormatError
from caesura.formats.detection import FOREIGN, by_content
from caesura.formats.registry import TIMED

TAB = "\t_"
RTTM = "SPEAKER talk 1 {} 3 <NA> <NA> ann <NA> <NA>"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("talk 1 20 30 words", ""),
        ("talk 1 20.5 30 words", "ctm"),
        ("talk 1 20 30 words\nrow 2 3 4 more", ""),
        ("".join(f"talk 1 {at} 1 word\n" for at in range(9)), "ctm"),
        ("".join(f"talk 1 {9 - at} 1 word\n" for at in range(9)), ""),
        ("f 1 0.5 0.5 so\nf 1 1.0 0.5 it\n" * 9 + "and then we left\nfor good", ""),
        ("so he has 2 3 children", ""),
        ("talk 1 ann 2.5 3.5 so it rained", "stm"),
        ("".join(f"talk 1 ann {at} {at + 1} so\n" for at in range(9)), "stm"),
        ("speaker number one 20 30 of us were there then", ""),
        (RTTM.format("2.5"), "rttm"),
        (RTTM.format("2"), "rttm"),
        ("Intro\n=====\nSo it rained.\n\nThe second day\n==============\nSun.\n", ""),
        ("So it rained.\n==========\nWe left.\n==========\nSun.\n", "choi"),
        ("WEBVTTs are files", ""),
        ("00:00:01,000 --> 00:00:02,500\r\nWell\r\n", "srt"),
        (";; hello\nt A 0.5 0.25 yes 0.9\nt A 0.75 0.25 no\n", "ctm"),
        ("t A 0.5 0.25 yes NA lex ann\n", "ctm"),
        ("so it rained\nyes\n", ""),
        ("t A ann 0.5 0.75 <o> yes it is\n", "stm"),
        (";; x\nt 1 ann 0.5 2.5 <o,f0,female> so it rained\nt 1 ann 3 4\n", "stm"),
        ("t A 0.5 0.25 yes 0.9\nt A 0.75 0.25 no\nt A 0.75 0.25 so\n", "ctm"),
        ("LEXEME t 1 0.5 0.75 yes lex ann <NA>\n", "rttm"),
        ("t 1 ann 2.5 0.5 so it rained\n", ""),
        (";; x\n\nSPKR-INFO talk 1 <NA> <NA> <NA> <NA> ann <NA>\n", "rttm"),
        ("su casa es mi casa y de los otros nueve\n", ""),
        ("Speaker one said that it was time to go home\n", ""),
        ("1\ta\tb\n", ""),
        *((f"1\ta{TAB * 7}\t{label}\n", "disrpt") for label in ("Seg=O", "a=b|BeginSeg=Yes")),
        *((f"1\ta{TAB * 7}\t{label}\n", "disrpt") for label in ("Conn=I-conn|x", "Seg=B-Conn")),
        *((f"1\ta{TAB * 7}\t{label}\n", "conllu") for label in ("_", "Segment=O", "E=x|F=Seg=O")),
        *((text, "") for text in ("1 1 1", "0110", "2 3 six", "2.5 3")),
        ("a\n=====\nb", "choi"),
        ("a ===== b\nc", ""),
        ("a\n==\nb", ""),
        *((text, "") for text in ("a\t3\nb\t4\n", "so, the score was 2\n", "0.5\n0.25\n")),
        ('[{"id": 0, "start": 0, "end": 9, "text": "a", "avg_logprob": -0.1}]', "whisper"),
        ('{"segments": [{"start": 0, "text": "it", "words": [{"word": "it"}]}]}', "whisper"),
        ('{"text": " So', "whisper"),
        ('{"text": "So", "id": "x"}\n', ""),
        ('{\n\t"systeminfo": "AVX', "whisper"),
        ('File type = "ooTextFile"\nObject class = "PitchTier"\n', ""),
        ("<html></html>", ""),
        ('{"results": {"channels": [{"alternatives": []}]}}', "deepgram"),
        ('{"results": {"lanes": [{"alternatives": []}]}}', ""),
    ],
)
def test_what_text_looks_like(text, form):
    assert by_content(text) == form


def test_text_with_numbers_is_kept_and_the_doubt_told(run, folder):
    folder(talk="talk 1 20 30 words", call="so he has 2 3 children")
    status, out, err = run("convert", "talk.txt", "-", "--to", "lines")
    assert (status, out) == (0, "talk 1 20 30 words\n")
    assert (
        err == "warning: talk.txt: read as words, but this may be ctm; if it is, use --input ctm\n"
    )
    err = run("transcript", "a=call.txt", "--ref", "b=call.txt")[2]
    assert "2 files: read as words, but this may be stm; if it is, use --input stm" in err
    assert caesura.read("talk.txt").words == ["talk", "1", "20", "30", "words"]
    assert caesura.read("talk.txt", input="ctm").words == ["words"]
    assert "this may be ctm" in run("segment", "best", "talk.txt")[2]


@pytest.mark.parametrize("suffix", [".smi", ".trs", ".exb", ".lrc", ".tsv", ".HTML"])
def test_suffixes_of_formats_that_are_not_read(run, folder, suffix):
    folder(**{f"a{suffix}": "So it rained. We left.", "b": "So it rained. We left."})
    for command in (
        ("transcript", f"a{suffix}", "--ref", "b.txt", "--align"),
        ("convert", f"a{suffix}", "-", "--to", "lines"),
        ("segment", "best", f"a{suffix}"),
        ("segment", "none", f"a{suffix}"),
    ):
        status, out, err = run(*command)
        assert (status, out) == (1, "")
        assert err == (
            f"error: a{suffix}: this is {FOREIGN[suffix.lower()]}, not plain text; convert it to "
            "one of `caesura list formats`, or read it as text with --input lines\n"
        )
        assert run(*command, "--input", "marks")[0] == 0
    assert run("text", f"a{suffix}", "--gold", "b.txt")[0] == 1
    assert run("sentences", f"a{suffix}", "--ref", "b.txt")[0] == 1


def test_an_unknown_suffix_is_warned_of(run, folder):
    folder(**dict.fromkeys(("a.foo", "b.ref2", "c.en", "d.3", "e"), "So it rained. We left."))
    err = run("transcript", "a.foo", "b.ref2", "c.en", "d.3", "--ref", "e.txt")[2]
    assert err == (
        "warning: a.foo: unknown suffix, read as plain text; set the format with --input\n"
    )
    assert run("transcript", "a.foo", "--ref", "e.txt", "--input", "marks")[2] == ""


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "x", "words": [{"text": "so", "start": 1}]}',
        '[{"text": "so", "ts": 3}]',
        '<?xml version="1.0"?>\n<body xmlns="x"><p>So</p></body>',
        "[00:12.00]So it rained",
        "{\\rtf1 so}",
    ],
)
def test_what_begins_like_a_format_that_is_not_read(folder, text):
    folder(a=text)
    with pytest.raises(
        FormatError, match=r'^a\.txt: this is .*, not plain text; .* input="lines"$'
    ):
        caesura.read("a.txt")
    assert caesura.read("a.txt", input="lines").words


def test_no_suffix_is_both_read_and_foreign():
    assert not {each for form in TIMED.values() for each in form.suffixes} & FOREIGN.keys()
