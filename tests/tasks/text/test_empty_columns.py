"""Columns of CoNLL-U that one side leaves empty, as tokenizers do, and flat trees."""

import io
import json
from pathlib import Path

import pytest

from support.random_texts import line
from support.results import result

LEMMA, UPOS, XPOS, FEATS = range(2, 6)
RESTING = {
    LEMMA: {"lemmas", "blex"},
    UPOS: {"upos", "alltags", "mlas"},
    XPOS: {"xpos", "alltags"},
    FEATS: {"ufeats", "alltags", "mlas"},
}
WORDS = [
    (1, "It", "it", "PRON", "PRP", "Number=Sing", 3, "nsubj"),
    (2, "is", "be", "AUX", "VBZ", "_", 3, "cop"),
    (3, "his", "his", "PRON", "PRP", "Poss=Yes", 0, "root"),
    (4, ".", ".", "PUNCT", ".", "_", 3, "punct"),
]
EMPTY = "every word has _ in {}; scores that rest on that are undefined"
FLAT = "its trees are flat, all words on the first; UAS and LAS are scored all the same"


def bank(*empty, flat=False):
    """A sentence without the values of some columns."""
    rows = [["_" if at in empty else cell for at, cell in enumerate(word)] for word in WORDS]
    for row in rows if flat else ():
        row[6] = min(row[0] - 1, 1)
    return "".join(line(*row) for row in rows) + "\n"


def scored(run, *arguments):
    """The metrics that are undefined, those that are not by their F1, and the warnings."""
    told = result(run, "text", *arguments)
    found = told["systems"][0]["treebank"]
    undefined = {name for name, each in found.items() if each["f1"] is None}
    for name, each in found.items():
        rates = {each[rate] for rate in ("precision", "recall", "f1", "aligned_accuracy")}
        assert (rates == {None}) == (name in undefined)
        assert None not in (each["tp"], each["fp"], each["fn"])
    f1 = {name: each["f1"] for name, each in found.items() if name not in undefined}
    return undefined, f1, told["warnings"]


@pytest.mark.parametrize("column", RESTING)
def test_what_rests_on_an_empty_column_is_undefined(folder, run, column):
    folder(**{"full.conllu": bank(), "bare.conllu": bank(column)})
    name = ("LEMMA", "UPOS", "XPOS", "FEATS")[column - LEMMA]
    for system, gold in (("bare", "full"), ("full", "bare")):
        undefined, f1, warnings = scored(run, f"{system}.conllu", "--gold", f"{gold}.conllu")
        assert undefined == RESTING[column]
        assert set(f1.values()) == {1}
        assert warnings == [f"bare.conllu: {EMPTY.format(name)}"]


def test_both_sides_without_a_column_agree(folder, run):
    """As in languages without features; UD's script says the same."""
    folder(**{"a.conllu": bank(FEATS), "b.conllu": bank(FEATS)})
    undefined, f1, warnings = scored(run, "a.conllu", "--gold", "b.conllu")
    assert (undefined, warnings, f1["ufeats"], f1["mlas"]) == (set(), [], 1, 1)


def test_a_column_that_is_there_somewhere(folder, run):
    """All documents together are a side; each of them is one for its own scores."""
    folder(**{"s__a.conllu": bank(XPOS), "s__b.conllu": bank(),
              "g__a.conllu": bank(), "g__b.conllu": bank()})  # fmt: skip
    undefined, f1, warnings = scored(run, "s", "--gold", "g")
    assert (undefined, warnings, f1["xpos"]) == (set(), [], 0.5)
    (told,) = result(run, "text", "s", "--gold", "g")["systems"]
    assert told["by_document"]["a"]["treebank"]["xpos"]["f1"] is None
    assert told["macro_undefined"]["xpos_f1"] == 1


def test_a_flat_tree_is_scored(folder, run):
    folder(**{f"{each}.conllu": bank(flat=each != "gold") for each in ("flat", "same", "gold")})
    undefined, f1, warnings = scored(run, "flat.conllu", "--gold", "gold.conllu")
    assert (undefined, warnings) == (set(), [f"flat.conllu: {FLAT}"])
    assert (f1["uas"], f1["las"], f1["mlas"]) == (0, 0, 0)
    assert scored(run, "flat.conllu", "--gold", "same.conllu")[2] == []


def test_rows_and_those_of_earlier_versions(folder, run):
    files = {f"{side}__{name}.conllu": bank(*(LEMMA, UPOS) * (side == "s"), flat=side == "s")
             for side in "sg" for name in "ab"}  # fmt: skip
    folder(**files)
    whole = result(run, "text", "s", "--gold", "g", "--rows", "whole.jsonl")
    assert whole["warnings"] == [f"s: {EMPTY.format('LEMMA, UPOS')}", f"s: {FLAT}"]
    lines = Path("whole.jsonl").read_text().splitlines(keepends=True)
    Path("old.jsonl").write_text("".join(map(earlier, lines)))
    for rows, f1 in (("whole.jsonl", None), ("old.jsonl", 0)):
        assert result(run, "merge", rows)["systems"][0]["treebank"]["upos"]["f1"] == f1


def earlier(text):
    """A line of rows as they were written before empty columns were counted."""
    row = json.loads(text)
    for place in (row.get("counts", {}), row.get("counts", {}).get("signs", {})):
        for name in [name for name in place if name.startswith(("empty_", "flat_"))]:
            del place[name]
    return json.dumps(row) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pronouns", "partut"])
def test_stanzas_tokenizer(folder, run, shared, name):
    """It writes words and dummy heads only; `--conll` has what UD's script prints of them."""
    udeval = pytest.importorskip("udtools.udeval")
    texts = [
        (shared / "data" / "text" / f"{name}.{side}.conllu").read_text(encoding="utf-8")
        for side in ("gold", "stanza")
    ]
    folder(**{"gold.conllu": texts[0], "stanza.conllu": texts[1]})
    command = ("stanza.conllu", "--gold", "gold.conllu")
    undefined, _, warnings = scored(run, *command)
    assert undefined == {"upos", "xpos", "ufeats", "alltags", "lemmas", "mlas", "blex"}
    columns = EMPTY.format("LEMMA, UPOS, XPOS, FEATS")
    assert warnings == [f"stanza.conllu: {columns}", f"stanza.conllu: {FLAT}"]
    loaded = [udeval.load_conllu(io.StringIO(text), "f", {}) for text in texts]
    table = udeval.build_evaluation_table(udeval.evaluate(*loaded)).splitlines()
    assert "UPOS      stanza      –" in run("text", *command)[1]
    ours = run("text", *command, "--conll")[1].splitlines()
    assert [each for each in table if each in ours] == ours
