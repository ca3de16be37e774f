"""`caesura score morphemes`: what it prints, writes and returns, and how lines are matched."""

from pathlib import Path

import pytest

import caesura
from caesura.communities.morphemes.morphs import parse_morphs
from caesura.errors import CaesuraError
from support.report_pages import data_of
from support.results import result

GOLD = "readers\tread @@er @@s\t110\nfeet\tfoot @@s\t100\nunhappy\tun @@happy\t010\ndog\tdog\t000\n"
OURS = "readers\tread @@ers\nfeet\tfeet\nunhappy\tun @@happy\ndog\tdog\n"
SCORES = {"precision": 4 / 6, "recall": 0.5, "f1": 4 / 7, "distance": 5 / 4, "accuracy": 0.5}


@pytest.fixture
def files(folder):
    folder(**{"ours.tsv": OURS, "gold.tsv": GOLD})


COMMAND = ("score", "morphemes", "ours.tsv", "--gold", "gold.tsv")


def test_scores_by_the_names_of_the_contract(files, run):
    (system,) = result(run, *COMMAND)["systems"]
    assert {key: system["micro"][key] for key in SCORES} == pytest.approx(SCORES)
    assert system["micro"]["boundary_recall"] == pytest.approx(2 / 3)
    assert system["micro"]["left_out"] == 1
    assert list(system["by_category"]) == ["000", "010", "100", "110"]
    assert system["by_category"]["110"]["recall"] == pytest.approx(1 / 3)
    assert system["by_category"]["100"] == {
        "lines": 1, "tp": 0, "fp": 1, "fn": 2, "precision": 0, "recall": 0, "f1": 0,
        "distance": 4, "accuracy": 0,
    }  # fmt: skip


def test_tables(files, run):
    status, out, _ = run(*COMMAND, "--show-errors", "5", "--by-document")
    assert status == 0
    for title in ("morphemes: 8 morphs, 4 lines in gold", "Morphs by category", "Wrong morphs"):
        assert title in out
    assert "ours.tsv:1: readers (110), distance 1\n  ours  read @@ers\n  gold  read @@er @@s" in out
    assert [line.split() for line in out.splitlines() if line.startswith("ours ")][-2:] == [
        ["ours", "ers", "er", "s", "1"],
        ["ours", "feet", "foot", "s", "1"],
    ]


def test_errors_in_a_file(files, run):
    assert run(*COMMAND, "--errors", "errors.tsv")[0] == 0
    rows = [line.split("\t") for line in Path("errors.tsv").read_text().splitlines()]
    assert rows[1:] == [
        ["ours", "ours.tsv:1", "readers", "110", "1", "read @@ers", "read @@er @@s"],
        ["ours", "ours.tsv:2", "feet", "100", "4", "feet", "foot @@s"],
    ]


def test_the_report_shows_segments_that_are_wrong(files, run):
    assert run(*COMMAND, "oracle=gold.tsv", "--html", "page.html", "-q")[0] == 0
    shown = data_of(Path("page.html"))["readings"]
    assert [(each["system"], each["segments"], each["wrong"]) for each in shown] == [
        ("ours", 4, 2),
        ("oracle", 4, 0),
    ]
    assert shown[0]["cases"][1]["reference"] == ["foot", " s"]


def test_lines_in_another_order_are_matched_by_their_words(files, run, folder):
    folder(**{"turned.tsv": "\n".join(OURS.splitlines()[::-1])})
    one, other = (
        result(run, "score", "morphemes", f"s={name}.tsv", *COMMAND[3:], "--errors", "x.tsv")
        for name in ("ours", "turned")
    )
    assert one["systems"] == other["systems"]
    assert "turned.tsv:4\treaders" in Path("x.tsv").read_text()


def test_lines_in_blocks_add_up():
    ours, theirs = ["a\ta"] * 7, ["a\ta @@b\tx"] * 7
    whole, blocks = (
        caesura.evaluate(
            {"s": ours}, gold=theirs, profile="morphemes", confidence=each,
            resamples=20,
        ).systems["s"]
        for each in (False, True)
    )  # fmt: skip
    assert {key: blocks[key] for key in ("morph_tp", "distance", "by_category")} == {
        key: whole[key] for key in ("morph_tp", "distance", "by_category")
    }


# The system's file, the gold's, and what is said of it.
MISMATCHES = {
    "another word": (
        OURS.replace("feet\t", "fleet\t"), GOLD,
        "ours.tsv:2: “fleet”, but no line for “feet” (gold.tsv:2); give the same words, or pair "
        "lines by their numbers with --force",
    ),
    "another word and another order": (
        "\n".join(OURS.replace("feet\t", "fleet\t").splitlines()[::-1]), GOLD,
        "ours.tsv:3: “fleet”, but no line for “feet” (gold.tsv:2)",
    ),
    "a missing line": (
        OURS.replace("feet\tfeet\n", ""), GOLD,
        "ours.tsv: 3 lines, but gold.tsv has 4: none for “feet” (gold.tsv:2); add a line for every",
    ),
    "a further line": (
        f"cat\tcat\n{OURS}", GOLD,
        "ours.tsv:1: 5 lines, but gold.tsv has 4, and none for “cat”; remove the lines",
    ),
    "the same word twice in another order": (
        "a\ta\nb\tb\na\taa\n", "a\ta\na\taa\nb\tb\n",
        "ours.tsv:2: the lines are in another order than in gold.tsv, and cannot be matched by "
        "their words: “a” is there 2 times; put them into the order of the gold",
    ),
    "another Unicode form": (
        "e\u0301te\u0301\te\u0301t @@e\u0301\n", "été\tét @@é\n",
        "ours.tsv:1: “e\u0301te\u0301” is in another Unicode form than in gold.tsv:1; write both "
        "files in one form, such as NFC",
    ),
    "lost quotation marks": (
        " Stop ,  she said\tStop , she say @@ed\n",
        '" Stop , " she said\t" Stop , " she say @@ed\n',
        "ours.tsv:1: “Stop , she said” has lost the quotation marks that gold.tsv:1 has; read and "
        "write files without CSV quoting, or pair lines by their numbers with --force",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("ours", "gold", "problem"), MISMATCHES.values(), ids=MISMATCHES)
def test_lines_that_do_not_correspond(folder, run, ours, gold, problem):
    folder(**{"ours.tsv": ours, "gold.tsv": gold})
    status, out, error = run(*COMMAND)
    assert (status, out) == (1, "")
    assert error.replace("\n", " ").startswith(f"error: {problem}")


def test_lines_are_paired_by_their_numbers(folder, run):
    folder(**{"ours.tsv": OURS.replace("feet\t", "fleet\t"), "gold.tsv": GOLD})
    found = result(run, *COMMAND, "--force")
    assert found["systems"][0]["micro"]["f1"] == pytest.approx(SCORES["f1"])
    told = "ours.tsv:2: 1 line of other words than the gold's, paired by their numbers"
    assert found["warnings"] == [told]
    folder(**{"ours.tsv": OURS + "cat\tcat\n"})
    assert run(*COMMAND, "--force")[0] == 1
    twice = "a\ta\na\ta @@a\n"
    folder(**{"ours.tsv": twice, "gold.tsv": twice})
    assert result(run, *COMMAND)["systems"][0]["micro"]["f1"] == 1


def test_empty_morphs_count_and_are_told(folder, run):
    folder(**{"ours.tsv": "a\t\nb\tb \n", "gold.tsv": "a\ta\nb\tb\n"})
    found = result(run, *COMMAND)
    micro = found["systems"][0]["micro"]
    assert (micro["morph_tp"], micro["morph_fp"], micro["distance"]) == (1, 2, 1)
    assert found["warnings"][0].startswith("ours.tsv:1: 2 lines with an empty morph, or with @@ at")


LINES = GOLD.splitlines()
VALUES = (
    OURS.splitlines(),
    [tuple(line.split("\t")) for line in OURS.splitlines()],
    [("readers", ["read", "ers"]), ["feet", "feet"], ("unhappy", ["un", "happy"]), "dog\tdog"],
)


@pytest.mark.parametrize("value", VALUES)
def test_values_in_memory(value):
    found = caesura.evaluate({"s": value}, gold=LINES, task="morphemes").systems["s"]
    assert found.morphs["f1"] == found.morph_f1 == pytest.approx(SCORES["f1"])
    assert found.boundaries["left_out"] == found.morph_boundary_left_out == 1
    assert found.by_category["010"]["f1"] == 1


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (3, "is not morphs"),
        ([3], "item 0 is 3"),
        ([()], r"item 0 is \(\)"),
        ([("a", None)], "item 0 is"),
        (["a\t\ud800"], "a lone surrogate"),
        (["a"], "s:1: no tab in 'a'"),
    ],
)
def test_values_that_are_no_morphs(value, problem):
    with pytest.raises(CaesuraError, match=problem):
        caesura.evaluate({"s": value}, gold=LINES, task="morphemes")


def test_a_table_of_morphs_is_taken_as_it_is():
    table = parse_morphs(OURS.encode(), "ours")
    found = caesura.evaluate({"s": table}, gold=LINES, task="morphemes").systems["s"]
    assert found.morph_tp == 4
