"""Documents that are left out are named, with the reason: on stderr, in JSON, on the page."""

import json

import pytest

import caesura

ONE = "it rained\nwe left\n"
SIDES = {"s__a": ONE, "s__b": ONE, "s__e": ONE, "g__a": ONE, "g__b": ONE, "g__c": ONE, "g__d": ONE}
SKIP = ("s", "--ref", "g", "--missing", "skip")
WARNINGS = [
    "2 of 5 documents left out, not in s: c, d",
    "1 of 5 documents left out, not in g: e",
]
SKIPPED = {"c": "not in s", "d": "not in s", "e": "not in g"}


def said(error):
    return [line.removeprefix("warning: ") for line in error.splitlines()]


def test_missing_documents_are_named(run, folder):
    place = folder(**SIDES)
    status, out, error = run("transcript", *SKIP, "-f", "json", "-q", "--html", "page.html")
    found = json.loads(out)
    assert (status, said(error), found["warnings"]) == (0, WARNINGS, WARNINGS)
    assert (found["documents"], found["skipped"]) == (["a", "b"], SKIPPED)
    assert WARNINGS[0] in (place / "page.html").read_text()
    assert "\n3 of 5 documents left out.\n" in run("transcript", *SKIP)[1]


@pytest.mark.parametrize("command", ["text", "sentences", "score"])
def test_in_every_task(run, folder, command):
    folder(**SIDES)
    side = "--ref" if command == "sentences" else "--gold"
    profile = ["sighan"] if command == "score" else []
    arguments = (command, *profile, "s", side, "g", "--missing", "skip", "-f", "json")
    status, out, error = run(*arguments)
    assert (status, json.loads(out)["skipped"]) == (0, SKIPPED)
    assert [line for line in said(error) if "left out" in line] == WARNINGS


def test_in_resegmented_texts(run, folder):
    folder(**SIDES)
    _, _, error = run("resegment", "s", "--to", "g", "-o", "out", "--missing", "skip")
    assert said(error) == WARNINGS


def test_saved_rows_know_what_was_left_out(run, folder):
    place = folder(**SIDES)
    run("transcript", *SKIP, "--rows", "rows.jsonl")
    assert run("report", "rows.jsonl", "-o", "page.html", "-q")[0] == 0
    assert WARNINGS[1] in (place / "page.html").read_text()


def test_python_has_them(folder):
    place = folder(**SIDES)
    found = caesura.evaluate(place / "s", place / "g", missing="skip")
    assert list(found.skipped) == ["c", "d", "e"]
    assert found.warnings[0].startswith("2 of 5 documents left out, not in ")
    memory = caesura.evaluate({"s": {"a": ["x"]}}, {"g": {"a": ["x"], "b": ["x"]}}, missing="skip")
    assert memory.skipped == {"b": "not in s"}
    nothing = caesura.evaluate({"s": {"a": ["x"]}}, {"g": {"a": ["x"]}}, missing="skip")
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


def test_lines_from_outside_that_are_skipped_are_counted(run, folder):
    texts = {f"s__d{n}": "it rained\n" * n + "we left so\n" for n in range(1, 5)}
    folder(**texts, **{key.replace("s__", "g__"): text for key, text in texts.items()},
           **{"out.csv": "document,rating\nd1,1\nd2,2\nd3,4\nd4,3\nd9,7\n"})  # fmt: skip
    run("transcript", "s", "--ref", "g", "--rows", "r.jsonl", "--unit", "document")
    _, out, _ = run("correlate", "r.jsonl", "--with", "out.csv", "--missing", "skip")
    assert "\nrating: 1 line of others skipped.\n" in out
