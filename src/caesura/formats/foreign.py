"""Files of formats that are not read: an error if one would be read as plain text, or a doubt.

FOREIGN are the suffixes of formats whose markup would be scored as words, OPENINGS what their files
begin with.
"""

from __future__ import annotations

import re

from caesura.errors import FormatError, option
from caesura.formats.registry import doubtful
from caesura.io.files import suffix_of
from caesura.io.members import row_of

_TREES, _EDITS = (
    "trees, which `caesura trees` scores",
    "corrections, which `caesura corrections` scores",
)
FOREIGN = {
    **dict.fromkeys((".smi", ".sami"), "SAMI subtitles"),
    **dict.fromkeys((".sbv", ".sub", ".scc", ".stl"), "subtitles"),
    ".lrc": "timed lyrics (LRC)",
    ".trs": "a Transcriber transcript",
    ".exb": "an EXMARaLDA transcript",
    ".trn": "an sclite transcript (TRN)",
    ".mlf": "HTK labels",
    **dict.fromkeys((".tsv", ".csv", ".xls", ".xlsx", ".ods"), "a table"),
    **dict.fromkeys((".xml", ".tei", ".sgm", ".sgml", ".html", ".htm", ".xhtml"), "markup"),
    **dict.fromkeys((".doc", ".docx", ".odt", ".rtf", ".pdf"), "a formatted document"),
    **dict.fromkeys((".yaml", ".yml"), "YAML"),
    **dict.fromkeys((".mrg", ".ptb"), _TREES),
    ".m2": _EDITS,
}  # fmt: skip
"""What a file is, by its suffix."""
OPENINGS = {
    r'\{\s*"[^"\n]*"\s*:|\[\s*\{\s*"[^"\n]*"\s*:': "JSON of an unknown kind",
    r"<\?xml\b|<tt[\s>]|<!DOCTYPE\b|<html\b": "markup",
    r"\[\d+:\d\d[.:]\d+\]": FOREIGN[".lrc"],
    r"\{\\rtf|%PDF-": "a formatted document",
}
"""What a file is, by a pattern with which it begins."""
PLAIN = re.compile(
    r"|\.(?:txt|text|md|raw|out|asr|words|lines|marks|slashes|binary|breaks|seg"
    r"|(?:ref|hyp|sys|gold|ann)\w*|[a-z]{2}|\d+|.*\s.*)",
    re.IGNORECASE,
)
"""Suffixes of plain text: usual ones, languages (`.en`), numbers, and what is part of a name."""
_OPENING = re.compile("|".join(f"({each})" for each in OPENINGS))
SEEN = 4096


def signs_of_plain(path: str, text: str) -> dict[str, int]:
    """What is doubtful of a file that is read as plain text because nothing else was detected.

    The error is for one of another format, by its suffix or by how it begins.
    """
    if row_of(path):
        return {}
    suffix, head = suffix_of(path).lower(), text[:SEEN].lstrip()
    begins = _OPENING.match(head)
    what = FOREIGN.get(suffix) or (begins and list(OPENINGS.values())[(begins.lastindex or 1) - 1])
    if what:
        as_text = f"read it as text with {option('input', 'lines')}"
        cure = f"convert it to one of `caesura list formats`, or {as_text}"
        raise FormatError(path, f"this is {what}, not plain text", cure)
    return {f"like_{name}": 1 for name in doubtful(head)} | odd_suffix(path)


def odd_suffix(path: str) -> dict[str, int]:
    """The sign of a file whose suffix does not say that it is plain text."""
    return {} if PLAIN.fullmatch(suffix_of(path).lower()) else {"odd_suffix": 1}


def require_text(path: str) -> None:
    """Raise an error for a file of tokens or segments whose suffix says that it is none."""
    what = None if row_of(path) else FOREIGN.get(suffix_of(path).lower())
    if what:
        raise FormatError(path, f"this is {what}, not plain text", "convert it to text (.txt)")
