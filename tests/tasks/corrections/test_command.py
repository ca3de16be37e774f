"""`caesura corrections`: what it prints, writes and returns."""

from pathlib import Path

import pytest

import caesura
from support.results import result

END = "REQUIRED|||-NONE-|||"
GOLD = (
    f"S He like cats .\nA 1 2|||R:VERB|||likes|||{END}0\n\n"
    f"S I am agree\nA 1 2|||U:VERB||||||{END}0\nA 3 3|||M:PUNCT|||.|||{END}0\n"
)
OURS = (
    f"S He like cats. I am agree\nA 1 2|||R:VERB|||likes|||{END}0\n"
    f"A 4 6|||R:OTHER|||agree|||{END}0\nA 6 6|||M:PUNCT|||.|||{END}0\n"
)
COMMAND = ("corrections", "ours.m2", "--gold", "gold.m2")


@pytest.fixture
def files(folder):
    folder(**{"ours.m2": OURS, "gold.m2": GOLD})


COUNTS = {"correction": (2, 1, 1), "type": (2, 1, 1), "span": (2, 1, 1), "token": (3, 1, 0)}


@pytest.mark.parametrize(("match", "wanted"), COUNTS.items())
def test_sentences_and_tokens_that_differ(files, run, match, wanted):
    edits = result(run, *COMMAND, "--match", match)["systems"][0]["edits"]
    assert tuple(edits[name] for name in ("tp", "fp", "fn")) == wanted


def test_the_json_is_what_the_contract_says(files, run):
    (system,) = result(run, *COMMAND)["systems"]
    assert set(system["by_type"]) == {"R:VERB", "U:VERB", "R:OTHER", "M:PUNCT"}
    assert set(system["by_operation"]) == {"M", "R", "U"}
    assert set(system["by_main"]) == {"VERB", "OTHER", "PUNCT"}
    assert [system["by_main"]["VERB"][name] for name in ("tp", "fp", "fn")] == [1, 0, 1]
    assert system["by_type"]["U:VERB"]["fn"] == 1
    assert system["micro"]["edit_f05"] == system["edits"]["f05"] == pytest.approx(2 / 3)


def test_tables_by_type_and_operation_and_errors(files, run):
    by = ("--by", "type", "--by", "operation", "--by-document")
    status, out, _ = run(*COMMAND, *by, "--show-errors", "5")
    assert status == 0
    for title in ("Edits by type", "Edits by operation", "Wrong edits", "Edits, document", ".667"):
        assert title in out
    assert "gold.m2:5 (U:VERB), only in gold\n  like cats . I {am → (nothing)} agree" in out
    assert "ours.m2:3 (R:OTHER), only in ours\n" in out


def test_errors_in_a_file(files, run):
    run(*COMMAND, "--errors", "errors.tsv")
    rows = [line.split("\t") for line in Path("errors.tsv").read_text().splitlines()]
    assert [row[1:4] for row in rows] == [
        ["side", "place", "type"],
        ["system", "ours.m2:3", "R:OTHER"],
        ["gold", "gold.m2:5", "U:VERB"],
    ]


def test_errants_form(files, run):
    status, out, _ = run(*COMMAND, "-f", "errant", "--beta", "1")
    assert status == 0
    assert out.splitlines()[1:5] == [
        "=========== Span-Based Correction ============",
        "TP\tFP\tFN\tPrec\tRec\tF1.0",
        "2\t1\t1\t0.6667\t0.6667\t0.6667",
        "=" * 46,
    ]


def test_lines_in_memory():
    sides = {"ours": OURS.splitlines()}, GOLD.splitlines()
    found = caesura.evaluate(sides[0], gold=sides[1], task="corrections", match="span")
    assert found.systems["ours"].edits["tp"] == 2


MANY = "S He like cats .\n{}S I am agree\n{}"
TYPED = [
    MANY.format(
        f"A 1 2|||R:VERB:SVA|||likes|||{END}0\nA 2 3|||R:NOUN:NUM|||cat|||{END}0\n\n",
        f"A 1 2|||U:VERB||||||{END}0\nA 3 3|||M:PUNCT|||.|||{END}0\nA 0 1|||UNK||||||{END}0\n\n",
    ),
    MANY.format(
        f"A 1 2|||R:VERB:SVA|||likes|||{END}0\nA 2 2|||M:NOUN|||two|||{END}0\n\n",
        f"A 1 2|||R:VERB|||do|||{END}0\nA 0 1|||UNK||||||{END}0\nA 2 3|||G/Case|||x|||{END}0\n\n",
    ),
]
MATCHES = {"correction": "-cs", "type": "-cse", "span": "-ds", "token": "-dt"}
TIERS = {"operation": 1, "main": 2, "type": 3}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("tier", TIERS)
def test_tiers_are_printed_as_errant_prints_them(folder, run, monkeypatch, capsys, match, tier):
    compare = pytest.importorskip("errant.commands.compare_m2")
    folder(**{"ours.m2": TYPED[0], "gold.m2": TYPED[1]})
    arguments = ["", "-hyp", "ours.m2", "-ref", "gold.m2", "-cat", str(TIERS[tier]), MATCHES[match]]
    monkeypatch.setattr("sys.argv", arguments)
    compare.main()
    wanted = capsys.readouterr().out
    options = "--by", tier, "--match", match, "--annotators", "errant", "-f", "errant"
    assert run(*COMMAND, *options) == (0, wanted, "")
