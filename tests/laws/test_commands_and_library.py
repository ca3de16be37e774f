"""What the command line can do, the library can do, with the same names and the same numbers."""

import json
from pathlib import Path

import click
import pytest

import caesura
from caesura.api.common import CommonKeywords
from caesura.cli import cli
from caesura.core.option import declared
from caesura.tasks import TASKS

SRT = """1
00:00:01,000 --> 00:00:02,000
it rained all night.

2
00:00:02,500 --> 00:00:04,000
then it stopped. we left
"""
CTM = """t 1 1.0 0.4 it
t 1 1.4 0.4 rained.
t 1 2.0 0.4 all
t 1 2.5 0.4 night
t 1 3.0 0.4 then
t 1 3.5 0.4 it
t 1 4.0 0.4 stopped.
"""
CONLLU = "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\trained\train\tVERB\t_\t_\t0\troot\t_\t_\n\n"
FILES = {
    "s1": "it rained\nall night\nwe left\n",
    "s2": "it rained all\nnight we left\n",
    "a": "it rained all night\nwe left\n",
    "b": "it rained\nall night we left\n",
    "c": "it\nrained all night\nwe left\n",
    "heard": "it reigned all\nnight um we left\n",
    "marks": "it rained. all night? we left!\n",
    "other": "it rained? all night. we left!\n",
    "t1.srt": SRT,
    "t2.srt": SRT.replace("night.", "night").replace("stopped.", "stopped?"),
    "t1.ctm": CTM,
    "t2.ctm": CTM.replace("stopped.", "stopped").replace("night", "night."),
    "ours__d1": "a b\nc d\n",
    "ours__d2": "e f g\nh\n",
    "theirs__d1": "a\nb c d\n",
    "theirs__d2": "e f g\nh\n",
    "ours__d3": "x y\nz\n",
    "tok": "It did n't rain .\nWe left .\n",
    "gold": "It didn't rain .\nWe\nleft .\n",
    "p.conllu": CONLLU,
    "q.conllu": CONLLU.replace("PRON", "NOUN"),
    "found.class": "Class 1\nf 0 0.4\ng 0 0.4\n\nClass 2\nf 0.4 0.6\n",
    "gold.phn": "f 0 0.2 a\nf 0.2 0.4 b\nf 0.4 0.6 c\ng 0 0.2 a\ng 0.2 0.4 b\n",
    "gold.wrd": "f 0 0.4 ab\nf 0.4 0.6 c\ng 0 0.4 ab\n",
}
ABC = {"references": ["a.txt", "b.txt", "c.txt"]}
REFS = [part for path in ABC["references"] for part in ("--ref", path)]
TRANSCRIPTS = {
    "plain": ([], {}),
    "window": (["--window", "4"], {"window": 4}),
    "final": (["--final", "keep"], {"final": "keep"}),
    "profile": (["--profile", "tool"], {"profile": "tool"}),
    "consensus": (["--consensus", "3"], {"consensus": 3}),
    "tolerance": (["--tolerance", "1"], {"tolerance": 1}),
    "k": (["-k", "3"], {"k": 3}),
    "near": (["--near", "3"], {"near": 3}),
    "run": (["--run", "all", "--run", "x=every:2"], {"run": {"all": "all", "x": "every:2"}}),
    "input": (["--input", "lines"], {"input": "lines"}),
    "encoding": (["--encoding", "latin-1"], {"encoding": "latin-1"}),
    "confidence": (["--confidence", "--resamples", "40", "--seed", "7", "--level", "0.9"],
                   {"confidence": True, "resamples": 40, "seed": 7, "level": 0.9}),
    "compare": (["--compare", "--resamples", "40", "--method", "percentile"],
                {"compare": True, "resamples": 40, "method": "percentile"}),
    "jobs": (["-j", "2", "--engine", "processes"], {"jobs": 2, "engine": "processes"}),
}  # fmt: skip
OTHERS = {
    "align": (
        ["transcript", "heard.txt", "--ref", "a.txt", "--align", "--normalize",
         "fillers,numbers"],
        {"systems": "heard.txt", "references": "a.txt", "align": True,
         "normalize": "fillers, numbers"},
    ),
    "axis-from": (
        ["transcript", "heard.txt", "--ref", "a.txt", "--ref", "b.txt", "--align",
         "--axis-from", "b"],
        {"systems": "heard.txt", "references": ["a.txt", "b.txt"], "align": True,
         "axis_from": "b"},
    ),
    "marks": (
        ["transcript", "marks.txt", "--ref", "other.txt", "--marks", ".?!"],
        {"systems": "marks.txt", "references": "other.txt", "marks": ".?!"},
    ),
    "units": (
        ["transcript", "t1.srt", "--ref", "r=t2.srt", "--units", "segments"],
        {"systems": "t1.srt", "references": "r=t2.srt", "units": "segments"},
    ),
    "time": (
        ["transcript", "t1.ctm", "--ref", "r=t2.ctm", "--axis", "time", "--tolerance", "0.3s",
         "--window", "2s"],
        {"systems": "t1.ctm", "references": "r=t2.ctm", "axis": "time", "tolerance": "0.3s",
         "window": "2s"},
    ),
    "by": (
        ["transcript", "t1.ctm", "--ref", "r=t2.ctm", "--by", "channel"],
        {"systems": "t1.ctm", "references": "r=t2.ctm", "by": "channel"},
    ),
    "streams": (
        ["transcript", "t1.ctm", "--ref", "r=t2.ctm", "--streams", "channel"],
        {"systems": "t1.ctm", "references": "r=t2.ctm", "streams": "channel"},
    ),
    "folders": (
        ["transcript", "ours", "--ref", "theirs", "--missing", "skip"],
        {"systems": "ours", "references": "theirs", "missing": "skip"},
    ),
    "agreement": (
        ["agreement", "a.txt", "b.txt", "c.txt", "--final", "keep"],
        {**ABC, "final": "keep"},
    ),
    "text": (
        ["text", "tok.txt", "--gold", "gold.txt", "--equivalences", "english-contractions"],
        {"systems": "tok.txt", "gold": "gold.txt", "equivalences": "english-contractions"},
    ),
    "literal": (
        ["text", "tok.txt", "--gold", "gold.txt", "--algorithm", "literal", "--normalize", "nfc"],
        {"systems": "tok.txt", "gold": "gold.txt", "algorithm": "literal", "normalize": "nfc"},
    ),
    "force": (
        ["text", "s1.txt", "--gold", "gold.txt", "--force"],
        {"systems": "s1.txt", "gold": "gold.txt", "force": True},
    ),
    "treebank": (
        ["text", "p.conllu", "--gold", "q.conllu", "--units", "words"],
        {"systems": "p.conllu", "gold": "q.conllu", "units": "words"},
    ),
    "terms": (
        ["terms", "found.class", "--phones", "gold.phn", "--words", "gold.wrd", "--profile",
         "paper", "--parts", "2", "--within-talker", "--seed", "3"],
        {"systems": "found.class", "phones": "gold.phn", "words": "gold.wrd", "profile": "paper",
         "parts": 2, "within_talker": True, "seed": 3},
    ),
    "talkers": (
        ["terms", "found.class", "--phones", "gold.phn", "--words", "gold.wrd", "--talkers",
         "^(.)", "--confidence", "--resamples", "30"],
        {"systems": "found.class", "phones": "gold.phn", "words": "gold.wrd", "talkers": "^(.)",
         "confidence": True, "resamples": 30},
    ),
}  # fmt: skip


@pytest.fixture
def files(folder):
    return folder(**FILES)


def same(run, command, arguments):
    """The JSON of a command, after it was compared with that of the library."""
    status, out, error = run(*command, "-f", "json")
    found = caesura.evaluate(**arguments)
    assert (status, error) == (0, "".join(f"warning: {each}\n" for each in found.warnings))
    assert json.loads(out) == found.to_dict() == json.loads(found.to_json())
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_options_of_transcripts(run, name):
    options, arguments = TRANSCRIPTS[name]
    command = ["transcript", "s1.txt", "s2.txt", *REFS, *options]
    found = same(run, command, {"systems": ["s1.txt", "s2.txt"], **ABC, **arguments})
    assert str(found) == run(*command)[1]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", OTHERS)
def test_options_of_other_tasks(run, name):
    same(run, *OTHERS[name])


@pytest.mark.usefixtures("files")
def test_rows_and_resume(run):
    command = ["transcript", "ours", "--ref", "theirs", "--missing", "skip", "--rows", "r.jsonl"]
    run(*command, "--with-text")
    first = Path("r.jsonl").read_text()
    caesura.evaluate("ours", "theirs", missing="skip", rows="r.jsonl", with_text=True)
    assert Path("r.jsonl").read_text() == first
    run(*command, "--with-text", "--resume")
    assert Path("r.jsonl").read_text() == first
    with pytest.raises(caesura.CaesuraError, match="with_text was true and is null now"):
        caesura.evaluate("ours", "theirs", missing="skip", rows="r.jsonl", resume=True)
    with pytest.raises(caesura.CaesuraError, match="resume=True needs the rows of the run"):
        caesura.evaluate("ours", "theirs", missing="skip", resume=True)


def test_every_option_of_a_command_is_one_of_the_library():
    """But for what is printed, where, and with what exit status."""
    printed = {"format", "output", "html", "quiet", "by_document", "by_mark",
               "fail_under", "fail_over", "fail_if_worse_than", "show_errors", "errors", "conll",
               "raw", "debug", "h", "select", "cite"}  # fmt: skip
    own = {"systems", "references", "gold", "phones", "words", "missing", "confidence", "compare",
           "rows", "with_text", "run"}  # fmt: skip
    for name in ("transcript", "agreement", "text", "terms"):
        options = declared(TASKS[name].options_class)
        known = {*options, *CommonKeywords.__annotations__} | own | printed
        command = cli.get_command(click.Context(cli), name)
        given = {each.name for each in command.params}
        assert given <= known, name
