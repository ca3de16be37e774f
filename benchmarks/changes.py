"""What may differ between two baselines: the written mapping from the old to the new.

Everything here is applied to the old side before the two are compared, so that a rename is no
difference and every number still is one. Whoever renames something adds a line here, and takes it
out again once the new names are in the baseline that others compare with.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

Row = dict[str, Any]

KEYS: dict[str, str] = {
    # The CSV of comparisons: a column is called like its heading, "A minus B".
    "less": "minus",
}
"""Keys of the JSON and columns of the CSV; they are a contract, so this stays small."""

TITLES: dict[str, str] = {
    # Headings in ordinary English: one system minus another.
    "less": "minus",
    # Correlations name scores of text as all other tables do, not by their keys.
    "sentence_f1": "sentence F1",
    "token_f1": "token F1",
}
"""Headings of tables, and names of scores in their rows: old to new."""

WORDS: dict[str, str] = {
    # Phrases in ordinary English.
    "people, on the mean": "human average",
    "boundaries carried over": "boundaries projected onto them",
    ": shown": ": significant",
    ": not shown": ": not significant",
    "to show the differences seen": "to find the differences seen significant",
    "a difference as great as the one seen would be shown with so many units": "a difference as "
    "large as the one seen would be significant with this many units",
    "or not to be told": "or undefined",
    "nothing can be shown": "nothing can be significant",
    "of fewer than 10 units are not to be trusted": "from fewer than 10 units are unreliable",
    "mend them, or take them away": "fix or remove them",
    # Messages and notes in ordinary English.
    "mend the text, or carry the boundaries over with --align": "fix the text, or project the "
    "boundaries with --align",
    "not a sound .gz file": "not a valid .gz file",
    "compress it anew": "compress it again",
    "begin with `Class 1`": "start with `Class 1`",
    "name them apart with NAME=PATH": "give different names with NAME=PATH",
    "an interval has to end after it begins": "an interval must end after it begins",
    "times are 0 or more, and a piece cannot end": "times must be 0 or more, and a piece must not "
    "end",
    "ten, parted by tabs": "ten, separated by tabs",
    "units parted by": "units separated by",
    "tokens parted by blanks": "tokens separated by blanks",
    "choose a format that holds it, or leave --strict off": "choose another format, or drop "
    "--strict",
    "made to end; see --algorithm blocks": "made to terminate; see --algorithm blocks",
    "# text spells other characters than the tokens; mend the text or the tokens": "# text and the "
    "tokens have different characters; fix the text or the tokens",
    # There are more things to list.
    "measures|formats|detectors": "measures|formats|detectors|profiles",
    "'measures', 'formats', 'detectors'": "'measures', 'formats', 'detectors', 'profiles'",
    # Saved rows are checked as they are read, from the first line on.
    "bad/rows.jsonl:2: no row ('measure'); remove the line or make the rows anew": "bad/rows.jsonl:"
    "1: a bad header (no signature); make the rows again with --rows",
}
"""Phrases in tables, messages, pictures and pages: old text to new text.

Whole words only, longer ones first. White space is not compared, so widths do not matter.
"""

NEW_KEYS: frozenset[str] = frozenset(
    {
        # How many word alignments were too long to be proven the best.
        "uncertain",
        # What was read, now of text, too.
        "sources",
        # Which reading this is: of a transcript, of text, of terms or of their gold.
        "kind",
    }
)
"""Keys of the JSON that the new side may have in addition, beside declared scores."""

NEW_ROWS: tuple[str, ...] = (
    # B of systems is correlated unless told otherwise, and so it is of references.
    "pairwise B",
)
"""Names of scores that tables may have more rows of than before."""

NOW_DEFINED: tuple[str, ...] = (
    # Scores of trees have means over documents, too; before, only their intervals were known.
    r"95\\?% intervals of macro scores\.(UPOS|UAS|LAS) F1 .*\.score",
)
"""Patterns of places, as differences name them, where a dash has become a number."""

REORDERED = True
"""Whether columns, rows of scores, sentences about them and saved rows may be in another order.

Scores now come in the order in which measures declare them: precision, recall, F1 and not F1
first. Cells are still compared, each with the one of the same row and heading.
"""

TIMELESS: dict[str, str] = {
    "fleiss_kappa": "Fleiss κ",
    "fleiss_kappa_boundaries": "κ at boundaries",
    "krippendorff_alpha": "Krippendorff α",
    "cohen_kappa_mean": "Cohen κ",
    "cohen_kappa": "Cohen κ",
    "pairwise_boundary_similarity_mean": "pairwise B",
    "boundary_similarity": "B",
}
"""Scores that count words, by key, with their headings.

On `--axis time` they are undefined; tables leave them out there, where they had a dash. In the
JSON they are still null.
"""

NEW_ERROR_LINES: tuple[str, ...] = ()
"""Patterns of lines on standard error that the new side may have in addition."""

OTHER_OUTPUTS: tuple[str, ...] = (
    # Descriptions, and since the rebuild every score; no number is in them that was computed.
    "list-measures/out.txt",
    # Descriptions of formats, in ordinary English.
    "list-formats/out.txt",
    # How to install a detector stands with what it is.
    "list-detectors/out.txt",
    # A worker that is being closed may complain that its scheduler is gone; rows are compared.
    "dask/runs.json",
)
"""Patterns of `COMMAND/OUTPUT` that are meant to differ, with the reason in a comment each."""

SCOPES = ("part", "talker", "recording")
SHOWN = ("scores.", "titles")
UNDEFINED = (None, "–", "--", "", [None, None])


def row_as_now(row: Row) -> Row:
    """An old row as it is written now: what was packed into one field has a field of its own."""
    found = dict(row)
    reference, document = row.get("reference"), row.get("document", "")
    if isinstance(reference, str) and reference.startswith("-"):
        found |= {"reference": None, "left_out": reference[1:]}
    scope, colon, name = document.partition(":")
    if colon and scope in SCOPES:
        found |= {"document": name, "scope": scope}
    return found


def reading_as_now(value: Any) -> Any:
    """An old reading as it is written now."""
    if isinstance(value, list):
        return [reading_as_now(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: reading_as_now(each) for name, each in value.items()}
    if "times" in found and "kind" in found:
        # Patterns of errors: readings themselves have a kind now.
        found["direction"] = found.pop("kind")
    if "references" in found and "length" in found:
        # Without marks there is an empty object.
        found = {"marks": {}, **found}
    if "gold_place" in found:
        # Both sides of a case are always there, if only to say nothing.
        found = {"system": "", "gold": "", **found}
    return found


def words_as_now(text: str) -> str:
    """An old text with the words of today."""
    return _WORDS.sub(lambda found: WORDS[found[0]], text) if WORDS else text


def json_as_now(value: Any) -> Any:
    """Old JSON with the keys and words of today."""
    return _renamed(value, lambda key: KEYS.get(key, key))


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
    return renamed | {"readings": reading_as_now(value["readings"])}


def _title_as_now(cell: Any) -> Any:
    return TITLES.get(cell, cell) if isinstance(cell, str) else cell


def _label_as_now(label: str) -> str:
    return " ".join(TITLES.get(word, word) for word in label.split(" "))


def _renamed(value: Any, key: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {key(name): _renamed(each, key) for name, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, key) for each in value]
    return _unscoped(words_as_now(value)) if isinstance(value, str) else value


def _unscoped(name: str) -> str:
    """The name of a recording that stands in a list of documents, without what it is."""
    scope, colon, rest = name.partition(":")
    return rest if colon and scope in SCOPES else name


def is_meant(output: str) -> bool:
    """Whether an output is meant to differ."""
    return any(re.fullmatch(pattern, output) for pattern in OTHER_OUTPUTS)


def may_be_new(key: str) -> bool:
    """Whether the new side may have this key in addition: a declared score, or one named here.

    In the CSV the ends of an interval have columns of their own, and rows are known by all the
    words in them.
    """
    words = (re.sub(r"_(low|high)$", "", word) for word in key.split(" "))
    is_new_row = any(name in key for name in NEW_ROWS)
    return key in NEW_KEYS or is_new_row or any(word in _declared() for word in words)


def may_be_gone(key: str, old: Any, where: str) -> bool:
    """Whether the new side may lack this heading, score or table of a page: it held nothing."""
    if key in TIMELESS.values() or (key in TIMELESS and where.startswith(SHOWN)):
        return old in (*UNDEFINED, key, TIMELESS.get(key))
    # A table of the intervals of undefined scores: macro scores of a corpus that is one document.
    return isinstance(old, dict) and "intervals of macro scores" in key and _is_undefined(old)


def _is_undefined(table: Any) -> bool:
    return all(cells.get("score") in (*UNDEFINED, "score") for cells in table.values())


def may_be_defined(where: str, old: Any) -> bool:
    """Whether the new side may have a number where there was none."""
    return old in UNDEFINED and any(re.search(pattern, where) for pattern in NOW_DEFINED)


@cache
def _declared() -> frozenset[str]:
    """The keys of all scores, as they are in JSON, alone and in their groups."""
    from caesura.scores.catalog import catalog

    found: set[str] = set()
    for task in ("transcript", "text", "terms"):
        scores = catalog(task)
        found |= {*scores.systems, *scores.references}
        for each in (score for measure in scores.measures for score in measure.scores):
            found |= {each.key, each.short, *each.group.split(".")}
    return frozenset(found - {""})


def _whole(words: str) -> str:
    """A pattern of words that are not parts of longer ones."""
    start, end = ((r"\b" if words[at].isalnum() else "") for at in (0, -1))
    return start + re.escape(words) + end


_WORDS = re.compile("|".join(map(_whole, sorted(WORDS, key=len, reverse=True))))
