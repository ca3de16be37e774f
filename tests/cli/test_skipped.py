"""Documents that are left out are named, with the reason: on stderr, in JSON, on the page."""

import json

import pytest

import caesura

ONE = "it rained\nwe left\n"
SIDES = {"s__a": ONE, "s__b": ONE, "s__e": ONE, "g__a": ONE, "g__b": ONE, "g__c": ONE, "g__d": ONE}
SKIP = ("s", "--ref", "g", "--missing", "skip")
WARNINGS = ["2 of 5 documents left out, not in s: c, d", "1 of 5 documents left out, not in g: e"]
SKIPPED = {"c": "not in s", "d": "not in s", "e": "not in g"}


def said(error):
    return [line.removeprefix("warning: ") for line in error.splitlines()]


def test_missing_documents_are_named(run, folder):
    place = folder(**SIDES)
    rows = ("--html", "page.html", "--rows", "rows.jsonl")
    status, out, error = run("transcript", *SKIP, "-f", "json", "-q", *rows)
    found = json.loads(out)
    assert (status, said(error), found["warnings"]) == (0, WARNINGS, WARNINGS)
    assert (found["documents"], found["skipped"]) == (["a", "b"], SKIPPED)
    assert run("report", "rows.jsonl", "-o", "saved.html", "-q")[0] == 0
    for page in ("page.html", "saved.html"):
        assert all(line in (place / page).read_text() for line in WARNINGS)
    assert "\n3 of 5 documents left out.\n" in run("transcript", *SKIP)[1]
    assert said(run("resegment", "s", "--to", "g", "-o", "out", "--missing", "skip")[2]) == WARNINGS


@pytest.mark.parametrize("command", ["text --gold", "sentences --ref", "score sighan --gold"])
def test_in_every_task(run, folder, command):
    folder(**SIDES)
    *names, side = command.split()
    status, out, error = run(*names, "s", side, "g", "--missing", "skip", "-f", "json")
    assert (status, json.loads(out)["skipped"]) == (0, SKIPPED)
    assert [line for line in said(error) if "left out" in line] == WARNINGS


def test_python_has_them():
    one = {"a": ["x"]}
    found = caesura.evaluate({"s": one}, {"g": {"a": ["x"], "b": ["x"]}}, missing="skip")
    assert found.skipped == {"b": "not in s"}
    assert found.warnings[0] == "1 of 2 documents left out, not in s: b"
    nothing = caesura.evaluate({"s": one}, {"g": one}, missing="skip")
    assert (nothing.skipped, nothing.to_dict()["skipped"]) == ({}, {})


def test_documents_that_cannot_be_scored_are_among_them(run, folder):
    folder(**(SIDES | {"s__b": "it snowed\n", "s__c": ONE, "s__d": ONE, "g__e": ONE}))
    status, out, error = run("transcript", "s", "--ref", "g", "--keep-going", "-f", "json", "-q")
    (name, reason), *others = json.loads(out)["skipped"].items()
    assert (status, name, others) == (1, "b", [])
    assert reason.startswith("s/b.txt:1: the words differ at word 2")
    assert "--align" in reason
    assert error.splitlines()[0] == f"left out: b: {reason}"


def test_many_are_counted(run, folder):
    folder(s__d0=ONE, **{f"g__d{number}": ONE for number in range(31)})
    _, out, error = run("transcript", *SKIP, "-f", "json")
    assert error.startswith("warning: 30 of 31 documents left out, not in s: d1, d2, d3, ")
    assert error.endswith(", d20 and 10 more\n")
    assert len(json.loads(out)["skipped"]) == 30


@pytest.mark.parametrize("command", [["transcript"], ["score", "chapters"], ["score", "phones"]])
def test_a_system_without_a_document_of_the_reference(run, folder, command):
    folder(**dict.fromkeys(["s__x.lab", "t__y.lab", "r__y.lab"], "0 1 A\n1 2 B\n2 5 A\n"))
    clock = ["--axis", "time"] if command == ["transcript"] else []
    for systems in (["s"], ["s", "t"]):
        for form in ("table", "json", "csv"):
            given = [*command, *systems, "--gold", "r", "--missing", "vary", *clock, "-f", form]
            status, printed, error = run(*given)
            assert (status, bool(printed)) == (0, True), error
            assert "warning: s is scored on 0 of 1 document" in error
