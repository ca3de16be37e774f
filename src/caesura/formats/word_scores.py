"""Scores of words and frames: word by word, as arrays, or as columns of a table.

`word<TAB>score`, or a table whose header names the columns. Lines without a header are WORD, SCORE
and perhaps 1 or 0, whether a unit ends, as `caesura segment --probabilities` writes them. A header
has `word` and `score`, in any order, and may have `end` and `document`; then commas or semicolons
may separate the cells, too. Other columns are ignored. Arrays have a score for each place: .npy
files, and .npz files with an array per document. A table of documents has boundaries as lists of
positions on the axis of the list of words.
"""

from __future__ import annotations

import csv
import re
import zipfile
from functools import lru_cache
from io import BytesIO, StringIO
from tokenize import TokenError
from typing import Any

import numpy as np

from caesura.core.format import Codec
from caesura.core.place_scores import HALF, place_scores
from caesura.core.segmentation import BoolArray, Document, Segmentation
from caesura.errors import FormatError, SegmentationError, UnknownNameError, reason
from caesura.formats.plain import scan
from caesura.formats.script import Script
from caesura.io.column_files import BoundaryCell, read_cell
from caesura.io.files import read_bytes, suffix_of
from caesura.io.paths import Member, stamp

WORD, SCORE, END, DOCUMENT = "word", "score", "end", "document"
COLUMNS = {
    **dict.fromkeys(("word", "token", "text"), WORD),
    **dict.fromkeys(("score", "probability"), SCORE),
    **dict.fromkeys(("end", "boundary"), END),
    **dict.fromkeys(("document", "recording"), DOCUMENT),
}
"""The columns of a header under all their names."""
PLAIN = (WORD, SCORE, END)
SEPARATORS = ("\t", ";", ",")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_LINE = re.compile(rf"[^\t\n]*\t{_NUMBER}(?:\t[01])?\r?")
_FRACTION = re.compile(rf"[^\t\n]*\t(?!\d+[\t\r\n]){_NUMBER}")
"""A line whose number is not a whole one, as masses are."""
Rows = list[tuple[int, list[str]]]


def is_like(head: object) -> bool:
    """Whether lines are words and numbers, not all of them whole; or a header names both."""
    *lines, last = str(head).split("\n")
    lines = [line for line in lines or [last] if line.strip()]
    if lines and _header(lines[0])[0]:
        return True
    return all(map(_LINE.fullmatch, lines)) and any(map(_FRACTION.match, (f"{x}\n" for x in lines)))


def parse(text: str, source: str = "<string>", scores: str = "") -> list[Script]:
    """Read the words and scores of every document."""
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if line.strip()), 0)
    names, separator = _header(lines[start])
    if names:
        rows = _rows(text, separator, source)[1:]
    else:
        rows = [(at, line.split("\t")) for at, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise FormatError(source, "no words", "write a word and its score on each line", line=1)
    columns = {name: at for at, name in enumerate(names or PLAIN) if name}
    documents: dict[str, Rows] = {}
    for line, cells in rows:
        if len(cells) < (len(names) or 2):
            problem = f"{len(cells)} cells instead of {len(names) or 2}"
            raise FormatError(source, problem, "write a word and its score", line=line)
        name = cells[columns[DOCUMENT]].strip() if DOCUMENT in columns else ""
        documents.setdefault(name, []).append((line, cells))
    return [_script(name, own, columns, source, scores) for name, own in documents.items()]


def _header(line: str) -> tuple[list[str], str]:
    """The columns that a header names, empty for others, and what separates them; or nothing."""
    for separator in SEPARATORS:
        cells = [cell.strip().strip('"').lower() for cell in line.split(separator)]
        names = [COLUMNS.get(cell, "") for cell in cells]
        if {WORD, SCORE} <= {*names} and len([*filter(None, names)]) == len({*names} - {""}):
            return names, separator
    return [], "\t"


def _rows(text: str, separator: str, source: str) -> Rows:
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: Rows = []
    start = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((start, cells))
            start = reader.line_num + 1
    except csv.Error as problem:
        raise FormatError(source, reason(problem), "close all quotes", line=start) from None
    return rows


def _script(name: str, rows: Rows, columns: dict[str, int], source: str, kind: str) -> Script:
    lines = [line for line, _ in rows]
    given = []
    for line, cells in rows:
        score = cells[columns[SCORE]].strip()
        if score and not re.fullmatch(_NUMBER, score):
            problem = f"the score '{score[:40]}' is not a number"
            raise FormatError(source, problem, "write one", line=line)
        given.append(float(score) if score else np.nan)
    scores = place_scores(
        given, kind, lambda at, what, cure: FormatError(source, what, cure, line=lines[at])
    )
    has_ends = END in columns and len(rows[0][1]) > columns[END]
    return Script(
        texts=[cells[columns[WORD]] for _, cells in rows],
        ends=_ends(rows, columns[END], source) if has_ends else scores >= HALF,
        lines=np.array(lines, np.int64),
        form="scores",
        source=source,
        recording=name,
        scores=scores,
    )


def _ends(rows: Rows, column: int, source: str) -> BoolArray:
    ends = []
    for line, cells in rows:
        cell = cells[column].strip() if len(cells) > column else ""
        if cell not in ("0", "1"):
            problem = f"'{cell[:40]}' where a unit may end"
            raise FormatError(source, problem, "write 1 or 0, or leave out the column", line=line)
        ends.append(cell == "1")
    return np.array(ends, np.bool_)


ARRAY, ARRAYS = ".npy", ".npz"
CURE = "save an array of one number for each place, without pickles"


def array_names(path: str) -> list[str]:
    """The names of the arrays of an .npz file; none for one array."""
    if suffix_of(path).lower() != ARRAYS:
        return []
    try:
        with zipfile.ZipFile(BytesIO(read_bytes(path))) as file:
            return [name.removesuffix(ARRAY) for name in file.namelist()]
    except (zipfile.BadZipFile, EOFError):
        raise FormatError(path, "not a valid .npz file", CURE) from None


@lru_cache(maxsize=1)
def _loaded(path: str, _: tuple[int, ...]) -> Any:
    """The array or the arrays of a file, cached by its stamp: its directory is long to read."""
    return np.load(BytesIO(read_bytes(path)), allow_pickle=False)


def read_array(path: str, name: str, kind: str) -> Document:
    """The scores of a file, or of the array that is named."""
    place = f"{path}::{name}" if name else path
    try:
        loaded = _loaded(path, stamp(path))
        if isinstance(loaded, np.ndarray):
            array = loaded
        elif name in loaded.files or (not name and len(loaded.files) == 1):
            array = loaded[name or loaded.files[0]]
        else:
            raise UnknownNameError(f"array in {path}", name, loaded.files)
    except (ValueError, OSError, EOFError, TokenError, zipfile.BadZipFile) as problem:
        what = "an array of objects" if "allow_pickle" in str(problem) else "not a valid array"
        raise FormatError(place, what, CURE) from None
    if array.ndim != 1 or array.dtype.kind not in "fiub":
        shape = " × ".join(map(str, array.shape))
        raise FormatError(place, f"an array of {array.dtype} of the shape ({shape})", CURE)
    if not array.size:
        raise FormatError(place, "an empty array", CURE)
    scores = place_scores(
        array, kind, lambda at, what, cure: FormatError(place, f"{what} (place {at:,})", cure)
    )
    return Document(Segmentation.from_scores(scores, HALF), None, "array", place, recording=name)


def read_boundaries(row: Member, scores: str = "") -> Document | None:
    """The document of a row of a table that has boundaries; None if it has a text."""
    cell, source = read_cell(row), str(row)
    if not isinstance(cell, BoundaryCell):
        return None
    try:
        if cell.scores is None:
            segmentation = Segmentation.from_positions(cell.boundaries, cell.length)
        else:
            values = place_scores(
                cell.scores,
                scores,
                lambda at, what, cure: FormatError(source, f"{what} (word {at})", cure),
            )
            segmentation = Segmentation.from_scores(values, HALF)
    except SegmentationError as problem:
        raise FormatError(source, str(problem), "fix the row") from None
    if cell.words is None:
        return Document(segmentation, None, "columns", source)
    words = scan(cell.words)
    if words.length != cell.length:
        differs = f"{cell.length:,} entries of the list of words are {words.length:,} words"
        raise FormatError(source, differs, "make each entry one word")
    return Document(segmentation, words.words, "columns", source)


CODECS = {"scores": Codec(parse, is_like=is_like)}
