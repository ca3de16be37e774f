"""Topic segmentation: masses, segeval's files of documents and coders, and Choi's files.

`masses` are the lengths of a document's units on one line, separated by spaces: `2 3 6`. Each line
is a document, called by the number of its line if there are several. What the units are made of,
sentences or words, is not said, so there are no words.

segeval has the masses of documents, for each its coders: JSON as it writes it, `{"items":
{DOCUMENT: {CODER: [2, 3, 6]}}, "segmentation_type": "linear"}`, or the inner object alone; or its
tables (TSV, CSV) of one document, whose first line is `Coder` and `Masses`, or `Positions`: then
the number of its unit stands for each item.

Choi's files have one sentence per line, and a line of `=` signs between two topics (Choi, 2000,
Advances in domain independent linear text segmentation). Boundaries are between sentences, which
are compared as they stand, but for the spaces between their words.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np

from caesura.core.format import Codec
from caesura.core.segmentation import Segmentation
from caesura.errors import FormatError
from caesura.formats.script import Script
from caesura.io.files import json_value, line_feeds, line_number, stem

MASSES_CURE = "write the lengths of the units as whole numbers from 1 on, separated by spaces"
_LIKE_MASSES = re.compile(r"[01\s]*+[2-9][0-9\s]*+\Z")
"""Whole numbers, not all digits 0 and 1, which make a binary string."""
_MASS = re.compile(r"0*[1-9][0-9]{0,15}")
MOST = 1 << 30
"""More items than any text has."""
HELD = 1 << 24
"""The most items without words that are held one by one: a few digits can claim far more."""


def is_like_masses(head: str) -> bool:
    """Whether a text is all whole numbers, and no binary string."""
    return _LIKE_MASSES.match(head) is not None


def parse_masses(text: str, source: str = "<masses>") -> list[Script]:
    """Read the documents."""
    lines = line_feeds(text).split("\n")
    numbered = [(at, line.split()) for at, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise FormatError(source, "no masses", MASSES_CURE)
    is_one = len(numbered) == 1
    return [
        Script(
            texts=(),
            segmentation=_segmentation(cells, source, line=at),
            form="masses",
            source=source if is_one else f"{source}:{at}",
            recording="" if is_one else str(at),
        )
        for at, cells in numbered
    ]


def _segmentation(
    masses: object,
    source: str,
    *,
    of: str = "",
    line: int | None = None,
    cure: str = MASSES_CURE,
) -> Segmentation:
    """The segmentation that masses stand for; an error names what they are `of`."""
    if not isinstance(masses, list):
        raise FormatError(source, f"{of}not a list of masses", CURE, line=line)
    for mass in masses:
        is_text = isinstance(mass, str)
        if not (_MASS.fullmatch(str(mass)) if is_text else type(mass) is int and mass > 0):
            shown = "null" if mass is None else mass
            raise FormatError(source, f"{of}'{shown}' is not a length of a unit", cure, line=line)
    whole = [int(str(mass)) for mass in masses]
    if not whole or sum(whole) > MOST:
        problem = "units of more items than any text has" if whole else "no masses"
        raise FormatError(source, f"{of}{problem}", cure, line=line)
    return Segmentation.from_masses(np.array(whole, np.int64))


def write_masses(scripts: Sequence[Script]) -> Iterator[str]:
    """Write the lengths of each script's units, one line for each."""
    for script in scripts:
        if script.segmentation is not None:
            masses = script.segmentation.masses
        elif script.ends is None:
            masses = np.ones(len(script), np.int64)
        else:
            masses = np.diff(np.flatnonzero(script.ends), prepend=-1)
        yield " ".join(map(str, masses.tolist())) + "\n"


CURE = 'write {"items": {DOCUMENT: {CODER: [2, 3, 6]}}, "segmentation_type": "linear"}'
TABLE_CURE = "write Coder and Masses on the first line, then CODER 2 3 6 …, separated by tabs"
_NAME = r'"(?:[^"\\]|\\.)*"\s*+:\s*+'
_JSON = re.compile(
    rf'\{{\s*+(?:"(?:items|segmentation_type)"\s*+:|{_NAME}\{{\s*+{_NAME}\[\s*+(?![{{["]))'
)
_TABLE = re.compile(r"coder[\t,](masses|positions)\b", re.IGNORECASE)


def is_like_segeval(head: str) -> bool:
    """Whether the beginning of a text looks like documents, coders and masses."""
    return bool(_JSON.match(head) or _TABLE.match(head)) or _lacks_heading(head)


def _lacks_heading(text: str) -> bool:
    """Whether lines are a name and whole numbers after tabs, as in a table without its heading."""
    first, *others = text.rstrip("\n").split("\n", 10)
    rows = [[cell.strip() for cell in line.split("\t")] for line in (first, *others[:-1])]
    are_masses = all(
        len(row) > 1 and not row[0].isdigit() and all(map(str.isdigit, row[1:])) for row in rows
    )
    return are_masses and any(len(row) > 2 for row in rows)


def parse_segeval(text: str, source: str = "<segeval>") -> list[Script]:
    """Read every document of every coder."""
    body = text.removeprefix("\ufeff")
    table = _TABLE.match(body.lstrip())
    if not table and _lacks_heading(body):
        raise FormatError(source, "a table of coders without its heading", TABLE_CURE, line=1)
    items = {stem(source): _of_table(body, source, table)} if table else _of_json(body, source)
    scripts = [
        Script(
            texts=(),
            segmentation=_of_coder(document, coder, masses, body, source),
            form="segeval",
            source=f"{source}::{coder}/{document}",
            recording=document,
            version=coder,
        )
        for document, coders in items.items()
        for coder, masses in _object(coders, source, f"document '{document}'").items()
    ]
    if not scripts:
        raise FormatError(source, "no masses of any coder", CURE)
    label, times = Counter(script.label for script in scripts).most_common(1)[0]
    if times > 1:
        problem = f"two codings named '{label}'"
        raise FormatError(source, problem, "rename a coder or a document")
    return scripts


def _of_table(text: str, source: str, head: re.Match[str]) -> Mapping[str, object]:
    """The masses of the coders of the only document."""
    delimiter = "," if head[0][5] == "," else "\t"
    coders: dict[str, object] = {}
    for at, row in enumerate(csv.reader(text.splitlines(), delimiter=delimiter), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or _TABLE.match("\t".join(cells)):
            continue
        coder, masses = cells[0], [cell for cell in cells[1:] if cell]
        if coder in coders:
            problem = f"the coder '{coder}' is there twice"
            raise FormatError(source, problem, "give each its own name", line=at)
        coders[coder] = own = _masses(masses) if head[1].lower() == "positions" else masses
        _segmentation(own, source, of=f"coder '{coder}': ", line=at, cure=TABLE_CURE)
    if not coders:
        raise FormatError(source, "no masses of any coder", TABLE_CURE)
    return coders


def _of_json(text: str, source: str) -> Mapping[str, object]:
    """The coders of each document."""

    def with_distinct_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names):
            twice = max(names, key=names.count)
            problem = f"the name '{twice}' is used twice in one object"
            raise FormatError(source, problem, "give each its own name")
        return dict(pairs)

    whole = _object(json_value(text, source, CURE, with_distinct_names), source, "the file")
    if "items" not in whole and "segmentation_type" not in whole:
        return whole
    kind, form = whole.get("segmentation_type", "linear"), whole.get("boundary_format", "mass")
    if kind != "linear" or form not in ("mass", "position"):
        what = f"units of the type '{kind}' in the form '{form}'"
        raise FormatError(source, what, "give linear units by their masses")
    items = _object(whole.get("items"), source, "'items'")
    if form == "mass":
        return items
    return {
        document: {
            coder: _masses(own) if isinstance(own, list) else own
            for coder, own in _object(coders, source, f"document '{document}'").items()
        }
        for document, coders in items.items()
    }


def _object(value: object, source: str, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise FormatError(source, f"{what} is not an object of names", CURE)
    return value


def _masses(positions: Sequence[object]) -> Sequence[object]:
    """Masses from the number of its unit for each item; what is no number stays, for the error."""
    if not all(isinstance(each, int | str) for each in positions):
        return positions
    return [len(list(same)) for _, same in groupby(positions)]


def _of_coder(document: str, coder: str, masses: object, text: str, source: str) -> Segmentation:
    """A coder's segmentation of a document; an error names its line in the text.

    It names none where names are written in an unusual way.
    """
    of = f"document '{document}', coder '{coder}': "
    try:
        return _segmentation(masses, source, of=of)
    except FormatError as problem:
        names = map(re.escape, map(json.dumps, (document, coder)))
        place = re.match("".join(rf"(?s:(?>.*?{name}\s*:))" for name in names), text)
        line = line_number(text, place.end()) if place else None
        raise FormatError(*problem.parts, line=line) from None


RULE = "=========="
_RULE = re.compile(r"={3,}")
_LIKE_RULE = re.compile(r"^={5,}[ \t]*$", re.MULTILINE)


def is_like_choi(head: str) -> bool:
    """Whether the beginning of a text has lines of `=` signs, all of one length.

    Headings may be underlined with such lines, each as long as its heading; one that ends the
    beginning may be cut.
    """
    rules = [each[0].rstrip() for each in _LIKE_RULE.finditer(head) if each.end() < len(head)]
    return len(set(rules)) == 1


def parse_choi(text: str, source: str = "<choi>") -> list[Script]:
    """Read one document; lines of `=` signs before, after and next to others make no topic."""
    texts: list[str] = []
    lines: list[int] = []
    ends: list[bool] = []
    for at, line in enumerate(line_feeds(text).split("\n"), 1):
        sentence = line.strip()
        if _RULE.fullmatch(sentence):
            ends[-1:] = [True] * len(ends[-1:])
        elif sentence:
            texts.append(sentence)
            lines.append(at)
            ends.append(False)
    if not texts:
        raise FormatError(source, "no sentences", f"write one on each line, {RULE} between topics")
    script = Script(
        texts=texts,
        ends=np.array(ends, np.bool_),
        lines=np.array(lines, np.int64),
        form="choi",
        source=source,
        is_verbatim=True,
    )
    return [script]


CODECS = {
    "masses": Codec(parse_masses, write_masses, is_like_masses),
    "segeval": Codec(parse_segeval, is_like=is_like_segeval),
    "choi": Codec(parse_choi, is_like=is_like_choi),
}
