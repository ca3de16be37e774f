"""Figures of the jp paper (Jo et al., 2024) that other tests do not have.

Table 1 is in test_text_golden, the examples of sections 2.1, 2.2 and 4.2 in measures/test_joint.
"""

import json
import os
import re
from pathlib import Path

import pytest

from caesura.formats import TextOptions, read_tokens
from test_text_golden import TABLE_1

HERE = Path(__file__).parent
PAPER = json.loads((HERE / "golden/jp_tables.json").read_text("utf-8"))
PAGE = (HERE.parent / "docs/reproducing.md").read_text("utf-8")
GOLD = {name: row for name, row in PAPER["table2_gold"].items() if name != "source"}


def test_the_tokens_of_ewt():
    """Both counts are of the same texts; the authors' later program has ours."""
    ewt = PAPER["table1_ewt_nltk_tokens"]
    tokens = TABLE_1["ewt"][1]
    assert [tokens.tp, tokens.fp, tokens.fn] == ewt["computed"] == ewt["authors_program"]
    totals = {(tp + fp, tp + fn) for tp, fp, fn in (ewt["printed"], ewt["computed"])}
    assert totals == {(25285, 25094)}


@pytest.mark.parametrize("name", GOLD)
def test_the_page_has_the_gold_totals_of_table_2(name):
    row = re.search(rf"\| {name} \| ([\d,]+) \| ([\d,]+) \| (.*) \|", PAGE)
    numbers = [int(number.replace(",", "")) for number in row.groups()[:2]]
    assert numbers == [GOLD[name]["sentences"], GOLD[name]["tokens"]]
    also = [GOLD[name][key] for key in ("split_at_spaces", "printed") if key in GOLD[name]]
    assert [f"{number:,}" for number in also] == re.findall(r"\d+,\d+", row[3])


def test_statistics_of_another_release():
    """Japanese and Korean are the same there; German has the total that the paper prints."""
    other = PAPER["ud_statistics"]
    same = [name for name, row in GOLD.items() if other[name] == [row["sentences"], row["tokens"]]]
    assert same == ["Japanese GSD", "Korean GSD"]
    assert other["German GSD"][1] == GOLD["German GSD"]["printed"]


@pytest.mark.parametrize("name", GOLD)
def test_gold_totals_from_the_release(name):
    """Set UD_TREEBANKS to the folder ud-treebanks-v2.10 to run it."""
    folder = os.environ.get("UD_TREEBANKS")
    if folder is None:
        pytest.skip("the treebanks of UD 2.10 are not at hand")
    path, row = Path(folder) / GOLD[name]["file"], GOLD[name]
    text = read_tokens(path, TextOptions()).text
    assert (text.sentence_ends.size, text.token_ends.size) == (row["sentences"], row["tokens"])
    spaces = len(re.findall(r"^\d+(?:-\d+)?\t[^\t]* ", path.read_text("utf-8"), re.MULTILINE))
    assert row["tokens"] + spaces == row.get("split_at_spaces", row["tokens"])
