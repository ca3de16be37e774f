"""Parameter files of evalb (.prm): a keyword and its value on each line, # for comments."""

from __future__ import annotations

import re

from caesura.core.json_values import JsonObject
from caesura.errors import FormatError, UnknownNameError, number
from caesura.io.files import read_text
from caesura.tasks.trees.parameters import EvalbParameters

NUMBERS = {"MAX_ERROR": "most_errors", "CUTOFF_LEN": "cutoff", "LABELED": "is_labelled"}
LISTS = {
    "DELETE_LABEL": "delete",
    "DELETE_LABEL_FOR_LENGTH": "delete_for_length",
    "QUOTE_LABEL": "quotes",
}
PAIRS = {"EQ_LABEL": "equal_labels", "EQ_WORD": "equal_words"}
IGNORED = ("DEBUG",)
KEYWORDS = (*IGNORED, *NUMBERS, *LISTS, *PAIRS)
BUILT_IN = {
    "collins": EvalbParameters(
        "collins",
        delete=("TOP", "-NONE-", ",", ":", "``", "''", "."),
        delete_for_length=("-NONE-",),
        equal_labels=(("ADVP", "PRT"),),
    ),
    "new": EvalbParameters(
        "new",
        delete=("TOP", "S1", "-NONE-", ",", ":", "``", "''", ".", "?", "!"),
        delete_for_length=("-NONE-",),
        quotes=("``", "''", "POS", "NN", "CD", "VBZ", ":"),
        equal_labels=(("ADVP", "PRT"),),
    ),
}
"""What the files that come with evalb say: COLLINS.prm and new.prm."""


def load_parameters(name: str) -> EvalbParameters:
    """Built-in parameters by their name, or those of a file."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    if name.replace("_", "").isalnum():
        raise UnknownNameError("set of evalb's parameters", name, BUILT_IN)
    return parse_parameters(read_text(name), name)


def parse_parameters(text: str, source: str) -> EvalbParameters:
    r"""Read a parameter file.

    >>> parse_parameters("# all\nDELETE_LABEL TOP\nEQ_LABEL ADVP PRT\n", "x.prm").equal_labels
    (('ADVP', 'PRT'),)
    """
    found: JsonObject = {}
    for at, line in enumerate(text.splitlines(), 1):
        cells = line.split(maxsplit=1)
        if len(line.strip()) < 3 or line.startswith("#"):
            continue
        _take(found, cells[0], cells[1].strip() if len(cells) > 1 else "", source, at)
    fields: JsonObject = {name: tuple(v) if isinstance(v, list) else v for name, v in found.items()}
    return EvalbParameters(source, **fields)


def _take(found: JsonObject, keyword: str, value: str, source: str, line: int) -> None:
    """Add what a line says to the fields."""
    if keyword not in KEYWORDS:
        cure = f"evalb knows {', '.join(KEYWORDS[:-1])} and {KEYWORDS[-1]}"
        raise FormatError(source, f"the unknown keyword '{keyword}'", cure, line=line)
    if not value:
        raise FormatError(source, f"{keyword} has no value", f"write {keyword} VALUE", line=line)
    if keyword in LISTS:
        found.setdefault(LISTS[keyword], []).append(value)
    elif keyword in PAIRS:
        found.setdefault(PAIRS[keyword], []).append(_pair(keyword, value, source, line))
    elif not re.fullmatch("[+-]?[0-9]{1,9}", value):
        raise FormatError(source, f"'{value}' is not a number", f"write {keyword} 1", line=line)
    elif keyword in NUMBERS:
        found[NUMBERS[keyword]] = bool(int(value)) if keyword == "LABELED" else int(value)


def _pair(keyword: str, value: str, source: str, line: int) -> tuple[str, str]:
    cells = value.split()
    if len(cells) != 2:
        problem = f"{keyword} has {number(len(cells), 'value')}"
        raise FormatError(source, problem, f"write {keyword} ONE OTHER", line=line)
    return cells[0], cells[1]
