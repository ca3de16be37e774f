"""The jp paper (Jo et al., 2024): Table 1 (nltk rows) on UD 2.10, and totals of its Table 2.

The examples of sections 2.1, 2.2 and 4.2 are in measures/test_joint. EWT's tokens are 24176, 1109
and 918 in print; UD's own script counts what stands here.
"""

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest

from caesura.core.counts import Matches
from caesura.formats.text_files import read_tokens
from caesura.formats.texts import TextOptions
from caesura.measures.joint import Joint
from support.paths import DOCS
from support.published import figures

TABLE_1 = {
    "partut": (Matches(149, 2, 4), Matches(3345, 27, 63)),
    "ewt": (Matches(1084, 349, 993), Matches(24242, 1043, 852)),
    "pronouns": (Matches(285, 0, 0), Matches(1673, 16, 32)),
}
TREEBANKS = pytest.mark.parametrize("name", TABLE_1)


@pytest.fixture
def text(shared):
    def read(name, **options):
        return read_tokens(shared / "data" / "text" / name, TextOptions(**options)).text

    return read


@TREEBANKS
def test_table_1_from_text(text, name):
    """`caesura reproduce` counts the same from CoNLL-U."""
    counts = Joint().count(text(f"{name}.nltk.txt"), text(f"{name}.gold.txt"))
    assert (counts.sentences, counts.tokens) == TABLE_1[name]


# What stanza 1.15 makes of the same raw text, in syntactic words. For two long addresses in EWT it
# writes <UNK>, so that its tokens differ from its own `# text`.
STANZA = {
    "partut": (Matches(147, 6, 6), Matches(3371, 25, 37)),
    "ewt": (Matches(1779, 152, 298), Matches(24780, 219, 314)),
    "pronouns": (Matches(285, 0, 0), Matches(1701, 2, 4)),
}


@TREEBANKS
def test_stanza(text, name):
    system, gold = (text(f"{name}.{kind}.conllu", units="words") for kind in ("stanza", "gold"))
    counts = Joint().count(system, gold)
    assert (counts.sentences, counts.tokens) == STANZA[name]


# With surface tokens, in which don't is one.
SURFACE = {
    "partut": (Matches(149, 2, 4), Matches(3344, 28, 60)),
    "ewt": (Matches(1084, 349, 993), Matches(23727, 1558, 1012)),
    "pronouns": (Matches(285, 0, 0), Matches(1673, 16, 32)),
}
# The paper's own algorithm, made to end, on the same words.
LITERAL = {
    "partut": (Matches(147, 4, 6), Matches(3345, 27, 63)),
    "ewt": (Matches(1078, 355, 999), Matches(24092, 1193, 1002)),
    "pronouns": (Matches(285, 0, 0), Matches(1673, 16, 32)),
}


@TREEBANKS
def test_surface_tokens(text, name):
    """The characters are those of the system here, so that spans say the same."""
    system, gold = text(f"{name}.nltk.txt"), text(f"{name}.gold.conllu")
    counts = Joint().count(system, gold)
    assert (counts.sentences, counts.tokens) == SURFACE[name]
    assert system.stream == gold.stream
    spans = [set(pairwise([0, *each.token_ends.tolist()])) for each in (system, gold)]
    assert counts.token_tp == len(spans[0] & spans[1])


@TREEBANKS
def test_the_literal_algorithm(text, name):
    counts = Joint("literal").count(text(f"{name}.nltk.txt"), text(f"{name}.gold.txt"))
    assert (counts.sentences, counts.tokens) == LITERAL[name]


PAPER = figures("jp")
PAGE = (DOCS / "reproducing.md").read_text("utf-8")
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
