"""Options that cannot have an effect are an error, or a warning; they are not ignored."""

import json

import pytest

import caesura
from caesura.core.option import declared
from caesura.core.option_rules import (
    ANY,
    REFINES,
    SHARED_DEFAULTS,
    SHARED_NEEDS,
    require_shared_partners,
    unrefined,
)
from caesura.core.option_rules import require_partners as require
from caesura.errors import UsageError, in_python, on_command_line
from caesura.tasks import TASKS

ONE, OTHER = "it rained\nwe left early\n", "it rained we\nleft early\n"
TRANSCRIPT = ("transcript", "a.txt", "--ref", "b.txt")
TEXT = ("text", "a.txt", "--gold", "b.txt")
TERMS = ("terms", "s.class", "--phones", "g.phn", "--words", "g.wrd")
ERRORS = {
    "--axis-from needs --align or --run": (*TRANSCRIPT, "--axis-from", "b"),
    "--costs needs --also ghd": (*TRANSCRIPT, "--costs", "1,1,1"),
    "--uem needs --axis time": (*TRANSCRIPT, "--uem", "b.txt"),
    "--pool needs --by or --streams": (*TRANSCRIPT, "--pool"),
    "--with-text needs --rows FILE": (*TRANSCRIPT, "--with-text"),
    "--resume needs the rows of the run": (*TRANSCRIPT, "--resume"),
    "--align has no effect with --axis time": (*TRANSCRIPT, "--align", "--axis", "time"),
    "--by has no effect with --axis time": (*TRANSCRIPT, "--by", "speaker", "--axis", "time"),
    "--tolerance has no effect on agreement": ("agreement", "a.txt", "b.txt", "--tolerance", "3"),
    "--raw needs --run": (*TEXT, "--raw", "a.txt"),
    "--dictionary needs --also words": (*TEXT, "--dictionary", "a.txt"),
    "--conll has its own layout; remove --by-document": (*TEXT, "--conll", "--by-document"),
    "--conll has its own layout, without intervals": (*TEXT, "--conll", "--confidence"),
    "--ties needs --profile paper": (*TERMS, "--ties", "double"),
    "--tokenize needs --metrics bleu": (
        "sentences", "a.txt", "--ref", "b.txt", "--metrics", "none", "--tokenize", "char",
    ),
    "--missing needs --with": ("correlate", "a.txt", "--missing", "skip"),
    "a.txt: --tier has no effect: no file is": ("convert", "a.txt", "-", "--to", "marks",
                                                "--tier", "x"),
    "a.txt: --rate has no effect: no file is phn or times or labels": (
        "segment", "s1", "a.txt", "--rate", "8000"),
    "a.txt: --units has no effect: no file is timed": ("segment", "every:2", "a.txt", "--units",
                                                       "segments"),
}  # fmt: skip
WARNINGS = {
    "--tier has no effect: no file is rttm or textgrid or eaf": ("--tier", "words"),
    "--rate has no effect: no file is phn or times or labels": ("--rate", "16000"),
    "--units has no effect: no file is timed": ("--units", "marks"),
    "--level has no effect without --confidence or --compare": ("--level", "0.9"),
    "--resamples has no effect without --confidence or --compare": ("--resamples", "50"),
    "--method has no effect without --confidence or --compare": ("--method", "percentile"),
    "--unit has no effect without --confidence or --compare or --rows FILE": (
        "--unit", "document",
    ),
}  # fmt: skip


@pytest.fixture
def files(folder):
    return folder(a=ONE, b=OTHER)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("problem", ERRORS)
def test_options_that_never_have_an_effect(run, problem):
    status, out, error = run(*ERRORS[problem])
    assert (status, out) == (2, "")
    assert problem in error


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("warning", WARNINGS)
def test_options_that_have_none_this_time(run, warning):
    plain = json.loads(run(*TRANSCRIPT, "-f", "json")[1])
    status, out, error = run(*TRANSCRIPT, *WARNINGS[warning], "-f", "json")
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
def test_options_that_have_an_effect_are_not_told(run):
    for more in (
        ("--align", "--axis-from", "b"),
        ("--run", "every:2", "--axis-from", "b"),
        ("--also", "ghd", "--costs", "1,1,1"),
        ("--confidence", "--resamples", "20", "--level", "0.9", "--unit", "block"),
        ("--rows", "r.jsonl", "--unit", "document"),
        ("--tier", "words?"),
        ("--seed", "3"),
    ):
        assert run(*TRANSCRIPT, *more)[::2] == (0, "")


@pytest.mark.usefixtures("files")
def test_in_python():
    with pytest.raises(UsageError, match="axis_from=… needs align=True or run=…"):
        caesura.evaluate("a.txt", "b.txt", axis_from="b")
    with pytest.raises(UsageError, match="tolerance=… has no effect on agreement"):
        caesura.evaluate((), ["a.txt", "b.txt"], tolerance=3)
    found = caesura.evaluate("a.txt", "b.txt", resamples=20)
    said = "resamples=… has no effect without confidence=True or compare=True"
    assert found.warnings == (said,)


@pytest.mark.parametrize("name", [*SHARED_NEEDS, *REFINES])
def test_any_partner_will_do(name):
    needed = (SHARED_NEEDS | REFINES)[name]
    for partner, value in needed:
        require_shared_partners({name: "x", partner: value or True})
        assert [*unrefined({name: "x", partner: value or True})] == []
    require_shared_partners({name: SHARED_DEFAULTS.get(name)})
    if name in SHARED_NEEDS:
        with pytest.raises(UsageError):
            require_shared_partners({name: "x", "metrics": "none"})
    else:
        (line,) = unrefined({name: "x"})
        assert on_command_line(line).startswith(f"--{name} has no effect without ")
        assert in_python(line).startswith(f"{name}=… ")


@pytest.mark.parametrize("task", [task for task in TASKS.values() if task.options])
def test_partners_that_options_declare(task):
    kind = task.counter_class
    for name, each in declared(kind).items():
        for other, value in each.about.needs:
            assert other in declared(kind) or other == "runs"
            assert value in ANY or other in declared(kind)
        if each.about.needs:
            with pytest.raises(UsageError, match=" needs "):
                require({name: "x", "metrics": "none"}, {name: each.about.needs}, {}, {})
        if each.about.clash:
            setting = dict([each.about.clash[0]])
            with pytest.raises(UsageError, match="has no effect with"):
                require({name: 7, **setting}, {}, {name: each.about.clash}, {})
            require({name: 7}, {}, {name: each.about.clash}, {})
