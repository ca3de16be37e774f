"""What may differ between two baselines: the written mapping from the old to the new.

Everything here is applied to the old side before the two are compared, so that a rename is no
difference and every number still is one. Whoever renames something adds a line here, and takes it
out again once the new names are in the baseline that others compare with.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

KEYS: dict[str, str] = {}
"""Keys of the JSON and columns of the CSV; they are a contract, so this stays small."""

TITLES: dict[str, str] = {}
"""Headings of tables, and names of scores in their rows: old to new."""

WORDS: dict[str, str] = {}
"""Phrases in tables, messages, pictures and pages: old text to new text.

Whole words only, longer ones first. White space is not compared, so widths do not matter.
"""

NEW_KEYS: frozenset[str] = frozenset({
    "whole_cells",  # which score chapters sets
    *(
        f"{name}_{side}"  # columns of CoNLL-U that are empty, and flat trees
        for name in ("empty_lemma", "empty_upos", "empty_xpos", "empty_feats", "flat")
        for side in ("system", "gold")
    ),
})  # fmt: skip
"""Keys of the JSON that the new side may have in addition."""

GONE_KEYS = frozenset({
    "power",  # of `compare --power`; a page had it empty
    "su",  # the option --su, which is gone
    "summed",  # of `merge --no-documents`; a page had it as 0
})  # fmt: skip
"""Keys of the JSON and of pages that only the old side has."""

REORDERED = False
"""Whether columns, rows of scores, sentences about them and saved rows may be in another order.

Cells are still compared, each with the one of the same row and heading.
"""

REORDERED_ROWS = True
"""Whether saved rows alone may be in another order: a document's are in the order of measures now,
even if other documents lack one.
"""

NEW_ERROR_LINES: tuple[str, ...] = ()
"""Patterns of lines on standard error that the new side may have in addition."""

OTHER_OUTPUTS: tuple[str, ...] = (
    # A line says that WER and CER count punctuation.
    r"sentences(-by-document)?/(files/page\.json|out\.(md|tex|txt))",
    # A worker that is being closed may complain that its scheduler is gone; rows are compared.
    "dask/runs.json",
    # Sweeps, plots and the power of comparisons are gone; JSON and CSV of compare-blocks stay.
    "sweep-.*",
    "bad-sweep/runs.json",
    ".*/plot.svg",
    "compare-power",
    r"compare-blocks/out\.(md|tex|txt)",
    # A header without anything lacks its references first; the signature is in the last line.
    "bad-rows/runs.json",
    # --su is gone; other commands take the place of those that had it.
    "su|su-rttm|su-uem|real-su|real-su-long",
    "typed-rttm|uem|real-typed",
    # Smooth WiSeBE is undefined by time; and so is its distance in rows.
    r"(time-options|uem)/(files/(page\.json|rows\.jsonl)|out\.(csv|json))",
    # These formats are no longer written; two others are written instead.
    "convert-(nlp|whisper|conllu|kaldi)",
    "convert-(masses|labels)",
    # Which formats are written is a column; diff, evalsub, ter_br and su are no measures any more.
    "list-(formats|measures)/.*",
    # By time, groups hold one boundary of each reference: RGAR, WiSeBE and either differ.
    "((agreement|confidence|real-calls|streams)-)?time/(out|files).*",
    # Words that share a cue or segment are spread over it by letters and digits.
    r"convert-(ctm|jsonl)/out\.txt",
    r"convert-(srt|stm|units)/(runs\.json|files/talk\.vtt)",
    # What rests on a column that a tokenizer does not fill is undefined, with warnings.
    "real-treebank(-bad|-other)?/.*",
    # A slip is said to be relative to the systems.
    r"real-calls/(files/page\.json|out\.json|runs\.json)",
    # Slashes end with a final //.
    r"(convert-slashes|segment-threshold)/out\.txt",
    # Of alignments with the fewest edits, the one with more equal characters: more are aligned.
    r"text-(equivalences|force)/(files/(page\.json|rows\.jsonl)|out\.(csv|json|md|tex|txt))",
)
"""Patterns of `COMMAND/OUTPUT`, or of whole commands, that are meant to differ or to be gone, with
the reason in a comment each.
"""


def words_as_now(text: str) -> str:
    """An old text with the words of today."""
    if not WORDS:
        return text
    longest_first = sorted(WORDS, key=len, reverse=True)
    pattern = "|".join(map(_whole, longest_first))
    return re.sub(pattern, lambda found: WORDS[found[0]], text)


def json_as_now(value: Any) -> Any:
    """Old JSON with the keys and words of today."""
    return _renamed(without_gone_keys(value), lambda key: KEYS.get(key, key))


def tables_as_now(value: Any) -> Any:
    """Old tables, by title, row and heading, with the headings of today."""
    return {
        title: {
            _label_as_now(row): {
                TITLES.get(head, head): _title_as_now(cell) for head, cell in cells.items()
            }
            for row, cells in table.items()
        }
        for title, table in value.items()
    }


def page_as_now(value: Any) -> Any:
    """What an old page shows, with the titles and words of today; readings are not ours."""
    if "problem" in value:
        return value
    found = {name: each for name, each in value.items() if name != "readings"}
    renamed = _renamed(found | {"tables": tables_as_now(value["tables"])}, words_as_now)
    return renamed | {"readings": value["readings"]}


def _title_as_now(cell: Any) -> Any:
    return TITLES.get(cell, cell) if isinstance(cell, str) else cell


def _label_as_now(label: str) -> str:
    return " ".join(TITLES.get(word, word) for word in label.split(" "))


def _renamed(value: Any, key: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {key(name): _renamed(each, key) for name, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, key) for each in value]
    return words_as_now(value) if isinstance(value, str) else value


def without_gone_keys(value: Any) -> Any:
    """Old JSON, or the data of an old page, without what is gone."""
    if isinstance(value, dict):
        kept = {name: each for name, each in value.items() if name not in GONE_KEYS}
        return {name: without_gone_keys(each) for name, each in kept.items()}
    return [without_gone_keys(each) for each in value] if isinstance(value, list) else value


def is_meant(output: str) -> bool:
    """Whether an output, or a command that only one side has, is meant to differ."""
    return any(re.fullmatch(pattern, output) for pattern in OTHER_OUTPUTS)


def _whole(words: str) -> str:
    """A pattern of words that are not parts of longer ones."""
    start, end = ((r"\b" if words[at].isalnum() else "") for at in (0, -1))
    return start + re.escape(words) + end
