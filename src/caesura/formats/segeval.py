"""segeval's files: documents, for each its coders, for each the masses of the units.

JSON as segeval writes it, `{"items": {DOCUMENT: {CODER: [2, 3, 6]}}, "segmentation_type":
"linear"}`, or the inner object alone; or its tables (TSV, CSV) of one document, whose first line is
`Coder` and `Masses`, or `Positions`: then the number of its unit stands for each item.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from caesura.core.format import Codec
from caesura.errors import FormatError
from caesura.formats.masses import segmentation_of
from caesura.formats.script import Script
from caesura.io.files import json_value, line_number, stem

CURE = 'write {"items": {DOCUMENT: {CODER: [2, 3, 6]}}, "segmentation_type": "linear"}'
TABLE_CURE = "write Coder and Masses on the first line, then CODER 2 3 6 …, separated by tabs"
_NAME = r'"(?:[^"\\]|\\.)*"\s*+:\s*+'
_JSON = re.compile(
    rf'\{{\s*+(?:"(?:items|segmentation_type)"\s*+:|{_NAME}\{{\s*+{_NAME}\[\s*+(?![{{["]))'
)
_TABLE = re.compile(r"coder[\t,](masses|positions)\b", re.IGNORECASE)


def is_like(head: str) -> bool:
    """Whether the beginning of a text looks like documents, coders and masses."""
    return bool(_JSON.match(head) or _TABLE.match(head)) or _lacks_heading(head)


def _lacks_heading(text: str) -> bool:
    """Whether lines are a name and whole numbers after tabs, as in a table without its heading."""
    first, *others = text.rstrip("\n").split("\n", 10)
    rows = [line.split("\t") for line in (first, *others[:-1])]
    are_masses = all(
        len(row) > 1
        and not row[0].strip().isdigit()
        and all(cell.strip().isdigit() for cell in row[1:])
        for row in rows
    )
    return are_masses and any(len(row) > 2 for row in rows)


def parse(text: str, source: str = "<segeval>") -> list[Script]:
    """Read every document of every coder."""
    body = text.removeprefix("\ufeff")
    table = _TABLE.match(body.lstrip())
    if not table and _lacks_heading(body):
        raise FormatError(source, "a table of coders without its heading", TABLE_CURE, line=1)
    items = _of_table(body, source, table) if table else _of_json(body, source)
    scripts = [
        _script(document, coder, masses, body, source)
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


def _script(document: str, coder: str, masses: object, text: str, source: str) -> Script:
    of = f"document '{document}', coder '{coder}': "
    if not isinstance(masses, list):
        line = _line(text, document, coder)
        raise FormatError(source, f"{of}not a list of masses", CURE, line=line)
    try:
        segmentation = segmentation_of(masses, source, of=of)
    except FormatError as problem:
        raise FormatError(*problem.parts, line=_line(text, document, coder)) from None
    return Script(
        texts=(),
        segmentation=segmentation,
        form="segeval",
        source=f"{source}::{coder}/{document}",
        recording=document,
        version=coder,
    )


def _line(text: str, document: str, coder: str) -> int | None:
    """The line of a coder's masses, unless names are written in an unusual way."""
    at = 0
    for name in (document, coder):
        found = re.compile(rf"{re.escape(json.dumps(name))}\s*:").search(text, at)
        if found is None:
            return None
        at = found.end()
    return line_number(text, at)


def _of_json(text: str, source: str) -> Mapping[str, object]:
    def with_distinct_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names):
            twice = max(names, key=names.count)
            problem = f"the name '{twice}' is used twice in one object"
            raise FormatError(source, problem, "give each its own name")
        return dict(pairs)

    data = json_value(text, source, CURE, with_distinct_names)
    whole = _object(data, source, "the file")
    kind, form = whole.get("segmentation_type", "linear"), whole.get("boundary_format", "mass")
    if "items" not in whole and "segmentation_type" not in whole:
        return whole
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


def _of_table(text: str, source: str, head: re.Match[str]) -> dict[str, dict[str, list[object]]]:
    """The only document, called like the file."""
    is_positions = head[1].lower() == "positions"
    delimiter = "," if head[0][5] == "," else "\t"
    coders: dict[str, list[object]] = {}
    for at, row in enumerate(csv.reader(text.splitlines(), delimiter=delimiter), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or _TABLE.match("\t".join(cells)):
            continue
        coder, masses = cells[0], [cell for cell in cells[1:] if cell]
        if coder in coders:
            problem = f"the coder '{coder}' is there twice"
            raise FormatError(source, problem, "give each its own name", line=at)
        found: list[object] = _masses(masses) if is_positions else [*masses]
        try:
            segmentation_of(found, source, of=f"coder '{coder}': ", line=at)
        except FormatError as problem:
            path, what, _ = problem.parts
            raise FormatError(path, what, TABLE_CURE, line=at) from None
        coders[coder] = found
    if not coders:
        raise FormatError(source, "no masses of any coder", TABLE_CURE)
    return {stem(source): coders}


def _masses(positions: Sequence[object]) -> list[object]:
    """Masses from the number of its unit for each item; what is no number stays, for the error."""
    if not all(isinstance(each, int | str) for each in positions):
        return [*positions]
    return [len(list(same)) for _, same in groupby(positions)]


CODECS = {"segeval": Codec(parse, is_like=is_like)}
