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
from support.every_task import as_arguments

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
REFS = "--ref a.txt --ref b.txt --ref c.txt"
TRANSCRIPTS = [
    "",
    "--window 4",
    "--final keep",
    "--profile tool",
    "--consensus 3",
    "--tolerance 1",
    "-k 3",
    "--near 3",
    "--input lines",
    "--encoding latin-1",
    "--confidence --resamples 40 --seed 7 --level 0.9",
    "--compare --resamples 40 --method percentile",
    "-j 2 --engine processes",
]
TERMS = "terms found.class --phones gold.phn --words gold.wrd"
OTHERS = [
    "transcript heard.txt --ref a.txt --align --normalize fillers,numbers",
    "transcript heard.txt --ref a.txt --ref b.txt --align --axis-from b",
    "transcript marks.txt --ref other.txt --marks .?!",
    "transcript t1.srt --ref r=t2.srt --units segments",
    "transcript t1.ctm --ref r=t2.ctm --axis time --tolerance 0.3s --window 2s",
    "transcript t1.ctm --ref r=t2.ctm --by channel",
    "transcript t1.ctm --ref r=t2.ctm --streams channel",
    "transcript ours --ref theirs --missing skip",
    "agreement a.txt b.txt c.txt --final keep",
    "text tok.txt --gold gold.txt --equivalences english-contractions",
    "text tok.txt --gold gold.txt --algorithm literal --normalize nfc",
    "text s1.txt --gold gold.txt --force",
    "text p.conllu --gold q.conllu --units words",
    f"{TERMS} --profile paper --parts 2 --within-talker --seed 3",
    f"{TERMS} --talkers ^(.) --confidence --resamples 30",
]


@pytest.fixture
def files(folder):
    return folder(**FILES)


def same(run, command):
    """The JSON of a command, after it was compared with that of the library."""
    status, out, error = run(*command, "-f", "json")
    found = caesura.evaluate(**as_arguments(command))
    assert (status, error) == (0, "".join(f"warning: {each}\n" for each in found.warnings))
    assert json.loads(out) == found.to_dict() == json.loads(found.to_json())
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("options", TRANSCRIPTS)
def test_options_of_transcripts(run, options):
    command = f"transcript s1.txt s2.txt {REFS} {options}".split()
    assert str(same(run, command)) == run(*command)[1]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("line", OTHERS)
def test_options_of_other_tasks(run, line):
    same(run, line.split())


@pytest.mark.usefixtures("files")
def test_names_of_detectors(run):
    """In the library, detectors may be given by name."""
    line = f"transcript s1.txt {REFS}".split()
    found = caesura.evaluate(**as_arguments(line), run={"all": "all", "x": "every:2"})
    out = run(*line, "--run", "all", "--run", "x=every:2", "-f", "json")[1]
    assert json.loads(out) == found.to_dict()


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
