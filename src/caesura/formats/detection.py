"""Detect the format of a file: by its name, then by how it begins.

Where nothing is detected, it is plain text, unless it looks like a format that is not read: FOREIGN
are the suffixes of formats whose markup would be scored as words, OPENINGS what their files begin
with.
"""

from __future__ import annotations

import re
from functools import lru_cache

from caesura.core.format import AxisName, Units
from caesura.core.line_breaks import BREAKS
from caesura.errors import FormatError, option
from caesura.formats.registry import FORMATS, TIMED
from caesura.io.files import beginning, is_utf8, read_text, suffix_of
from caesura.io.paths import row_of

HEAD = 4096
"""The number of characters by which a file is recognised."""
NO_FORMAT = ("", ".txt", ".gz", ".xz", ".zst")
"""Suffixes that say nothing, so that no plug-in is looked for."""
NUMBERS = ("masses", "segeval", "whisper")
"""The formats whose files, by name or by content, may hold points instead."""


def detect(path: str, encoding: str | None = None) -> str:
    """Detect a transcript's format by its name, else by its content; plain forms are `auto`."""
    return detected(path, encoding=encoding)[0]


def detected(
    path: str,
    input: str = "auto",
    units: Units = "auto",
    encoding: str | None = None,
    axis: AxisName = "words",
) -> tuple[str, str | None]:
    """The form of a transcript; for a plain one, which may be `auto`, also its text."""
    form = by_name(path, encoding, axis) if input == "auto" else input
    if form in TIMED:
        return form, None
    text = read_text(path, encoding)
    form = form or by_content(text) or (BREAKS if units == BREAKS else "auto")
    return form, None if form in TIMED else text


def form_of_many(path: str, encoding: str | None, axis: AxisName) -> str:
    """The format of a file that may hold many recordings, by its name or its first characters."""
    form = by_name(path, encoding, axis)
    return form or (by_content(_head(path, encoding)) if is_utf8(path) else "")


def by_name(path: str, encoding: str | None, axis: AxisName) -> str:
    """The timed format of a file name; empty if there is none.

    Where several have its suffix, it is the one that the file looks like, else the first. On an
    axis of time or of samples, numbers may be points: then it is what the file looks like.
    """
    first, *others = _with_suffix(suffix_of(path).lower()) or ("",)
    if not others and axis == "words":
        return first
    head = _head(path, encoding)
    form = next((name for name in others if TIMED[name].is_like(head)), first)
    if axis == "words":
        return form
    form = form or by_content(head)
    if form and form not in NUMBERS:
        return form
    from caesura.formats.signals import form_of

    return form_of(head, axis) or form


def by_suffix(path: str) -> str:
    """The first timed format with the suffix of a file name; empty if there is none."""
    return next(iter(_with_suffix(suffix_of(path).lower())), "")


@lru_cache(maxsize=64)
def _with_suffix(suffix: str) -> tuple[str, ...]:
    ours = tuple(name for name, form in TIMED.items() if suffix in form.suffixes)
    if ours or suffix in NO_FORMAT:
        return ours
    return tuple(name for name, form in TIMED.extended().items() if suffix in form.suffixes)


def _head(path: str, encoding: str | None) -> str:
    """The first characters of a file, after white space."""
    if encoding is None and is_utf8(path):
        text = beginning(path, HEAD).decode(errors="replace").removeprefix("\ufeff")
    else:
        text = read_text(path, encoding)
    return text[:HEAD].lstrip()


def by_content(text: str) -> str:
    """The timed format that the beginning of a text looks like; empty if there is none."""
    head = text[:HEAD].lstrip()
    openings, inside = _looks()
    if not openings.match(head) and not any(string in head for string in inside):
        return ""
    return next((name for name, form in TIMED.items() if form.is_like(head)), "")


@lru_cache(maxsize=1)
def _looks() -> tuple[re.Pattern[str], tuple[str, ...]]:
    """A pattern with which files of all formats that have one begin, and what others contain."""
    forms = TIMED.values()
    openings = dict.fromkeys(f"(?:{form.opening})" for form in forms if form.opening)
    inside = tuple(form.contains for form in forms if form.contains and not form.opening)
    return re.compile("|".join(openings), re.DOTALL), inside


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
    **dict.fromkeys((".mrg", ".ptb"), "trees, which `caesura trees` scores"),
    ".m2": "corrections, which `caesura corrections` scores",
}  # fmt: skip
"""What a file is, by its suffix."""
OPENINGS = {
    r'\{\s*"[^"\n]*"\s*:|\[\s*\{\s*"[^"\n]*"\s*:': "JSON of an unknown kind",
    r"<\?xml\b|<tt[\s>]|<!DOCTYPE\b|<html\b": "markup",
    r"\[\d+:\d\d[.:]\d+\]": FOREIGN[".lrc"],
    r"\{\\rtf|%PDF-": "a formatted document",
}
"""What a file is, by a pattern with which it begins."""
_PLAIN = re.compile(
    r"|\.(?:txt|text|md|raw|out|asr|words|lines|marks|slashes|binary|breaks|seg"
    r"|(?:ref|hyp|sys|gold|ann)\w*|[a-z]{2}|\d+|.*\s.*)",
    re.IGNORECASE,
)
"""Suffixes of plain text: usual ones, languages (`.en`), numbers, and what is part of a name."""
_OPENING = re.compile("|".join(f"({each})" for each in OPENINGS))
LIKE_WORDS = tuple(form for form in FORMATS if form.is_like_words)
"""The formats that words may look like."""


def signs_of_plain(path: str, text: str) -> dict[str, int]:
    """What is doubtful of a file that is read as plain text because nothing else was detected.

    The error is for one of another format, by its suffix or by how it begins.
    """
    if row_of(path):
        return {}
    suffix, head = suffix_of(path).lower(), text[:HEAD].lstrip()
    begins = _OPENING.match(head)
    what = FOREIGN.get(suffix) or (begins and list(OPENINGS.values())[(begins.lastindex or 1) - 1])
    if what:
        as_text = f"read it as text with {option('input', 'lines')}"
        cure = f"convert it to one of `caesura list formats`, or {as_text}"
        raise FormatError(path, f"this is {what}, not plain text", cure)
    signs = {f"like_{form.name}": 1 for form in LIKE_WORDS if form.is_doubtful(head)}
    return signs if _PLAIN.fullmatch(suffix) else {**signs, "odd_suffix": 1}


def require_text(path: str) -> None:
    """Raise an error for a file of tokens or segments whose suffix says that it is none."""
    what = None if row_of(path) else FOREIGN.get(suffix_of(path).lower())
    if what:
        raise FormatError(path, f"this is {what}, not plain text", "convert it to text (.txt)")
