"""Options that cannot have an effect are an error, or a warning; they are not ignored."""

import json

import pytest

import caesura
from caesura.errors import UsageError

ONE, OTHER = "it rained\nwe left early\n", "it rained we\nleft early\n"
TRANSCRIPT = ("transcript", "a.txt", "--ref", "b.txt")
ON_TRANSCRIPTS = {
    "--axis-from needs --align or --run": "--axis-from b",
    "--costs needs --also ghd": "--costs 1,1,1",
    "--uem needs --axis time": "--uem b.txt",
    "--pool needs --by or --streams": "--pool",
    "--with-text needs --rows FILE": "--with-text",
    "--resume needs the rows of the run; name them with --rows": "--resume",
    "--align has no effect with --axis time": "--align --axis time",
    "--by has no effect with --axis time": "--by speaker --axis time",
}
ERRORS = {
    "--tolerance has no effect on agreement": "agreement a.txt b.txt --tolerance 3",
    "--raw needs --run": "text a.txt --gold b.txt --raw a.txt",
    "--dictionary needs --also words": "text a.txt --gold b.txt --dictionary a.txt",
    "--conll has its own layout; remove --by-document": "text a.txt --gold b.txt --conll "
    "--by-document",
    "--conll has its own layout, without intervals": "text a.txt --gold b.txt --conll --confidence",
    "--ties needs --profile paper": "terms s.class --phones g.phn --words g.wrd --ties double",
    "--tokenize needs --metrics bleu": "sentences a.txt --ref b.txt --metrics none --tokenize char",
    "--missing needs --with": "correlate a.txt --missing skip",
    "a.txt: --tier has no effect: no file is": "convert a.txt - --to marks --tier x",
    "a.txt: --rate has no effect: no file is phn or times or labels": "segment s1 a.txt --rate 80",
    "a.txt: --units has no effect: no file is timed": "segment every:2 a.txt --units segments",
}
ERRORS |= {told: " ".join([*TRANSCRIPT, line]) for told, line in ON_TRANSCRIPTS.items()}
WARNINGS = {
    "--tier has no effect: no file is rttm or textgrid or eaf": "--tier words",
    "--rate has no effect: no file is phn or times or labels": "--rate 16000",
    "--units has no effect: no file is timed": "--units marks",
    "--level has no effect without --confidence or --compare": "--level 0.9",
    "--resamples has no effect without --confidence or --compare": "--resamples 50",
    "--method has no effect without --confidence or --compare": "--method percentile",
    "--unit has no effect without --confidence or --compare or --rows FILE": "--unit document",
}


@pytest.fixture
def files(folder):
    return folder(a=ONE, b=OTHER)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("problem", ERRORS)
def test_options_that_never_have_an_effect(run, problem):
    status, out, error = run(*ERRORS[problem].split())
    assert (status, out) == (2, "")
    assert problem in error


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("warning", WARNINGS)
def test_options_that_have_none_this_time(run, warning):
    plain = json.loads(run(*TRANSCRIPT, "-f", "json")[1])
    status, out, error = run(*TRANSCRIPT, *WARNINGS[warning].split(), "-f", "json")
    found = json.loads(out)
    assert (status, error, found["warnings"]) == (0, f"warning: {warning}\n", [warning])
    assert (found["signature"], found["systems"]) == (plain["signature"], plain["systems"])


@pytest.mark.usefixtures("files")
def test_tables_that_are_not_shown(run):
    _, _, error = run(*TRANSCRIPT, "--by-mark")
    assert error == "warning: --by-mark has no effect: not both sides have marks\n"
    _, _, error = run(*TRANSCRIPT, "--show-errors", "3", "-f", "csv")
    assert error == "warning: --show-errors has no effect with -f csv; use --errors FILE\n"


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "line",
    [
        "--align --axis-from b",
        "--run every:2 --axis-from b",
        "--also ghd --costs 1,1,1",
        "--confidence --resamples 20 --level 0.9 --unit block",
        "--compare --run every:2 --resamples 20 --method percentile",
        "--rows r.jsonl --unit document",
        "--tier words?",
        "--seed 3",
    ],
)
def test_options_that_have_an_effect_are_not_told(run, line):
    assert run(*TRANSCRIPT, *line.split())[::2] == (0, "")


@pytest.mark.usefixtures("files")
def test_in_python():
    with pytest.raises(UsageError, match="axis_from=… needs align=True or run=…"):
        caesura.evaluate("a.txt", "b.txt", axis_from="b")
    with pytest.raises(UsageError, match="tolerance=… has no effect on agreement"):
        caesura.evaluate((), ["a.txt", "b.txt"], tolerance=3)
    found = caesura.evaluate("a.txt", "b.txt", resamples=20)
    said = "resamples=… has no effect without confidence=True or compare=True"
    assert found.warnings == (said,)
