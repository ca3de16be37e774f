"""The comparison of baselines: a rename or another order is no difference, every number is one."""

import json
import re
import sys

import pytest

import caesura
from support.paths import ROOT

BENCHMARKS = ROOT / "benchmarks"
OURS, THEIRS, OTHERS = ["a b", "c d e", "f g"], ["a", "b c d e", "f g"], ["a b c", "d e f", "g"]


@pytest.fixture(scope="module")
def differences():
    """The comparison, imported as the script imports it."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from baselines.differences import differences

        yield differences
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What one command gives, in every form."""
    place = tmp_path_factory.mktemp("outputs")
    found = caesura.evaluate({"s": OURS, "t": OTHERS}, {"r": THEIRS, "q": OURS, "p": OTHERS})
    found.save(str(place / "rows.jsonl"), with_text=True)
    page = found.html()
    from caesura.output.render import as_csv, as_latex, as_markdown

    return {
        "files/rows.jsonl": (place / "rows.jsonl").read_text("utf-8"),
        "files/page.json": re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1],
        "out.json": found.to_json(),
        "out.txt": str(found),
        "out.md": as_markdown(found.page()),
        "out.tex": as_latex(found.page()),
        "out.csv": as_csv(found.page()),
        "runs.json": json.dumps({"json": {"status": 0, "stderr": "a note\n"}}),
    }


@pytest.fixture
def save(tmp_path):
    """Write the outputs of one side."""

    def write(side, outputs, command="command"):
        for name, text in outputs.items():
            path = tmp_path / side / command / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path / side

    return write


def told(differences, old, new):
    return {output: [each.where for each in found] for output, found in differences(old, new)}


def test_the_same_twice(differences, outputs, save):
    assert told(differences, save("old", outputs), save("new", outputs)) == {}


def numbers(text):
    """Where numbers with a fraction stand; those in a signature are versions."""
    return [
        found.span()
        for found in re.finditer(r"(?<![\w.:|])[−-]?\d*\.\d{3,}", text)
        if "caesura:" not in text[max(0, found.start() - 40) : found.start()]
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["files/page.json", "out.json", "out.txt", "out.md", "out.tex", "out.csv"]
)
def test_any_number_that_differs_is_told(differences, outputs, save, name):
    text = outputs[name]
    places = numbers(text)
    assert len(places) > 20
    for start, stop in places[:: max(1, len(places) // 12)]:
        digit = "1" if text[start + 2] != "1" else "2"
        changed = text[: start + 2] + digit + text[start + 3 :]
        if text[start:stop].lstrip("−-").startswith("0."):
            changed = text[: stop - 1] + ("1" if text[stop - 1] != "1" else "2") + text[stop:]
        old, new = save("old", outputs), save("new", outputs | {name: changed})
        assert f"command/{name}" in told(differences, old, new), text[start - 40 : stop]


def test_any_count_that_differs_is_told(differences, outputs, save):
    lines = outputs["files/rows.jsonl"].splitlines()
    for at in range(1, len(lines) - 1, 7):
        row = json.loads(lines[at])
        if "reading" in row or row["measure"] in ("source", "marks"):
            continue
        name = next(iter(row["counts"]))
        row["counts"][name] += 1
        changed = "\n".join([*lines[:at], json.dumps(row), *lines[at + 1 :]]) + "\n"
        new = save("new", outputs | {"files/rows.jsonl": changed})
        (found,) = told(differences, save("old", outputs), new).values()
        assert len(found) == 1
        assert found[0].endswith(f".{name}")


@pytest.mark.parametrize("may_be", [True, False])
def test_columns_may_be_in_another_order(differences, outputs, save, monkeypatch, may_be):
    monkeypatch.setattr(sys.modules["baselines.differences"], "REORDERED", may_be)

    def turned(line):
        cells = line.strip("|").split("|") if line.startswith("|") else []
        return "|" + "|".join([cells[0], *cells[:0:-1]]) + "|" if len(cells) > 8 else line

    other = "\n".join(map(turned, outputs["out.md"].splitlines())) + "\n"
    assert other != outputs["out.md"]
    new = save("new", outputs | {"out.md": other})
    assert (told(differences, save("old", outputs), new) == {}) == may_be


def test_an_output_or_a_command_that_is_missing(differences, outputs, save):
    fewer = {name: text for name, text in outputs.items() if name != "out.csv"}
    old, new = save("old", outputs), save("new", fewer)
    assert told(differences, old, new) == {"command/out.csv": ["file"]}
    save("old", outputs, "another")
    assert told(differences, old, new)["another"] == ["command"]


@pytest.mark.parametrize(
    ("status", "message", "where"),
    [(1, "a note\n", "status"), (0, "another\n", "stderr"), (0, "", "stderr")],
)
def test_exit_status_and_messages(differences, outputs, save, status, message, where):
    runs = json.dumps({"json": {"status": status, "stderr": message}})
    new = save("new", outputs | {"runs.json": runs})
    (found,) = told(differences, save("old", outputs), new).values()
    assert found[0].startswith(f"json: {where}")


def test_a_folder_that_is_not_there(differences, tmp_path):
    with pytest.raises(SystemExit, match="no such folder; make it with"):
        list(differences(tmp_path / "no", tmp_path / "nothing"))
