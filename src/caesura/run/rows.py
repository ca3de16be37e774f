"""Rows as JSON lines: written whole, and checked line by line when they are read back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from functools import cache
from itertools import chain
from typing import Any

from caesura.align.axis import AlignmentCounts
from caesura.core.counts import Counts
from caesura.core.profile import Profile
from caesura.core.row import Key, Portion, Row, SourceCounts
from caesura.core.rows import Rows
from caesura.core.sheet import Sheet
from caesura.core.tally import Tally, is_plain
from caesura.core.task import ALSO, Kind, Known, Task
from caesura.core.typed import typed
from caesura.errors import CaesuraError, FormatError, UnknownNameError, option
from caesura.io.files import read_text
from caesura.io.writing import replacing

ENCODE = json.JSONEncoder(ensure_ascii=False).encode
READING = '{"reading": '
OTHERS: dict[str, type[Counts]] = {"source": SourceCounts, "alignment": AlignmentCounts}
Measures = Mapping[str, Any]
"""The measures of a task by name."""
WIDE = 1 << 14
"""More rows of a document than this are written one by one."""
LARGEST, LONGEST = 10**100, 1 << 62
"""The largest count, of which rates can still be made, and the longest document, in words."""
NAMES = ("left_out", "variant", "scope", "stream")
PORTION = Portion._fields
SCOPES = ("part", "talker", "recording")
CURE, AGAIN = (
    "remove the line or make the rows again",
    f"make the rows again with {option('rows', '…')}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line of a file of rows: what they are and how they were made."""

    caesura: str
    task: str
    signature: str
    references: tuple[str, ...]
    documents: tuple[str, ...]
    options: dict[str, Any]
    profile: str = ""
    skipped: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RowsFile:
    """A file of rows: where it is, its header, its rows, and what the report shows beside them.

    The readings, which are not checked here, stand under the numbers of their lines.
    """

    path: str
    header: Header
    task: Task
    profile: Profile | None
    rows: Rows
    readings: dict[int, dict[str, Any]]

    @property
    def kind(self) -> Kind:
        """Whose scores the rows are of."""
        also = self.header.options.get(ALSO)
        return Kind(
            self.task, self.profile, tuple(map(str, also)) if isinstance(also, list | tuple) else ()
        )


def write_rows(
    path: str, header: Header, rows: Iterable[Row], readings: Iterable[dict[str, Any]] = ()
) -> None:
    """Save rows as JSON lines, after a header; readings, for the report, come last."""
    with replacing(path) as file:
        file.write(json.dumps(asdict(header), ensure_ascii=False) + "\n")
        file.writelines(Rows.from_rows(rows).each(texts_of))
        for reading in readings:
            file.write(READING + json.dumps(reading, ensure_ascii=False) + "}\n")


def read_rows(path: str, known: Known) -> RowsFile:
    """Read what `write_rows` saved."""
    lines = read_text(path).split("\n")
    header = _header(path, lines[0])
    try:
        task, profile = known.find(header.task, header.profile)
    except ValueError as problem:
        raise FormatError(path, str(problem), AGAIN, line=1) from None
    file = RowsFile(path, header, task, profile, *_body(path, lines, task.measures))
    _require_references(file)
    return file


def _require_references(file: RowsFile) -> None:
    """Raise an error if the header names no reference, or one of which there are no rows."""
    if not file.header.references:
        raise FormatError(file.path, "a header without references", AGAIN, line=1)
    keys = (key for sheet in file.rows.sheets for key in sheet.layout.keys)
    known = {key.system for key in keys if key.measure == "source"}
    missing = [name for name in file.header.references if name not in known]
    if missing and len(file.rows):
        raise FormatError(file.path, f"no rows of the reference '{missing[0]}'", AGAIN, line=1)


def to_json(row: Row) -> str:
    """One line of JSON."""
    values: dict[str, Any] = {
        "system": row.system,
        "document": row.document,
        "measure": row.measure,
        "reference": row.reference,
        "counts": row.counts.to_dict(),
    }
    values |= {name: value for name in NAMES if (value := getattr(row, name)) is not None}
    values |= {"block": row.block} if row.block else {}
    return ENCODE(values)


def texts_of(sheet: Sheet) -> Iterator[str]:
    """The rows of each unit as lines, the same as those of `to_json`."""
    kinds = sheet.layout.kinds
    if len(kinds) > WIDE:
        for rows in sheet.each():
            yield "".join(to_json(row) + "\n" for row in rows)
        return
    text = "".join(map(_template, sheet.layout.keys, kinds))
    for part in sheet.parts():
        names = [ENCODE(name) for name in part.documents]
        ends = {portion: _end(portion) for portion in set(part.portions)}
        last = [ends[portion] for portion in part.portions]
        counted = {kind: _columns(tally) for kind, tally in part.tallies.items()}
        columns = [[names, *next(counted[kind]), last] for kind in kinds]
        yield from map(text.__mod__, zip(*chain.from_iterable(columns), strict=True))


def _template(key: Key, kind: type[Counts]) -> str:
    """A line in which the document, the counts and the end are open."""
    system, measure, reference = (ENCODE(value).replace("%", "%%") for value in key[:3])
    names: tuple[str, ...] = kind.__match_args__
    fields = ", ".join(f'"{name}": %s' for name in names)
    counts = f"{{{fields}}}" if is_plain(kind) else "%s"
    left_out = "" if key.left_out is None else f', "left_out": {ENCODE(key.left_out)}'
    return (
        f'{{"system": {system}, "document": %s, "measure": {measure}, "reference": {reference}, '
        f'"counts": {counts}{left_out.replace("%", "%%")}%s}}\n'
    )


def _columns(tally: Tally) -> Iterator[list[list[Any]]]:
    """For each key what its lines have of the counts, one for each unit."""
    if is_plain(tally.kind):
        return (tally.values[:, key].tolist() for key in range(tally.values.shape[1]))
    texts, step = [ENCODE(counts.to_dict()) for counts in tally.each()], tally.values.shape[1]
    return ([texts[key::step]] for key in range(step))


def _end(portion: Portion) -> str:
    """What a line says of the portion of the document."""
    told = zip(PORTION, portion, strict=True)
    return "".join(f', "{name}": {ENCODE(value)}' for name, value in told if value not in (None, 0))


def from_json(line: str, measures: Measures) -> Row:
    """Read what `to_json` wrote; anything else is a ValueError."""
    values = _loaded(line)
    if not isinstance(values, dict):
        raise ValueError("it is not an object")  # noqa: TRY004
    measure: Any = values.get("measure")
    if measure not in OTHERS and measure not in measures:
        raise UnknownNameError("measure", str(measure), (*OTHERS, *measures))
    _require_names(values)
    who = values["system"], values["document"], measure, values["reference"]
    rest: list[Any] = [*(values.get(name) for name in NAMES), values.get("block", 0)]
    kind = OTHERS[measure] if measure in OTHERS else measures[measure].counts
    return _renewed(Row(*who, _counts(kind, measure, values.get("counts")), *rest))


def _loaded(line: str) -> Any:
    """A value of JSON; a ValueError also where it is nested too deep."""
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _require_names(values: dict[str, Any]) -> None:
    for name in ("system", "document", "reference", *NAMES):
        value = values.get(name)
        if name in ("system", "document", "reference") and name not in values:
            raise ValueError(f"it has no {name}")
        if not isinstance(value, str) and (name == "document" or value is not None):
            raise ValueError(f"its {name} is {json.dumps(value)}, not a name")
    block = values.get("block", 0)
    if not _is_count(block) or not 0 <= block < LONGEST:
        raise ValueError("its block is not a number of words")


def _counts(kind: Any, measure: str, values: Any) -> Counts:
    """Counts, of which those with a default may be missing: version 0.1 did not have them."""
    wanted, later = _fields(kind)
    if not isinstance(values, dict) or values.keys() | later != wanted:
        raise ValueError(f"its counts are not those of {measure}: {', '.join(sorted(wanted))}")
    counts: Counts = kind(**values) if is_plain(kind) else kind.from_dict(values)
    for name, value in counts.items().items():
        if not _is_count(value):
            raise ValueError(f"its {name} is {json.dumps(value)[:40]}, not a count")
    return counts


@cache
def _fields(kind: Any) -> tuple[frozenset[str], frozenset[str]]:
    """The fields of a kind of counts, and those of them that have a default."""
    every = fields(kind)
    later = (
        field.name
        for field in every
        if not (field.default is MISSING and field.default_factory is MISSING)
    )
    return frozenset(field.name for field in every), frozenset(later)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _renewed(row: Row) -> Row:
    """A row of version 0.1, whose names held more than one thing, as rows are now."""
    if row.reference is not None and row.reference.startswith("-"):
        return replace(row, reference=None, left_out=row.reference[1:])
    scope, colon, name = row.document.partition(":")
    if row.measure == "terms" and row.scope is None and colon and scope in SCOPES:
        return replace(row, document=name, scope=scope)
    return row


def _header(path: str, line: str) -> Header:
    try:
        values = _loaded(line)
        known = isinstance(values, dict) and "caesura" in values
    except ValueError:
        known = False
    if not known:
        raise FormatError(
            path, "not a rows file", f"make them with {option('rows', 'FILE')}", line=1
        )
    try:
        return typed(Header, values)
    except ValueError as problem:
        raise FormatError(path, f"a bad header ({problem})", AGAIN, line=1) from None


def _body(
    path: str, lines: list[str], measures: Measures
) -> tuple[Rows, dict[int, dict[str, Any]]]:
    rows = Rows()
    readings: dict[int, dict[str, Any]] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line and number == len(lines):
            continue
        try:
            if line.startswith(READING):
                readings[number] = dict(_loaded(line)["reading"])
            else:
                rows.add([from_json(line, measures)])
        except (ValueError, KeyError, TypeError, CaesuraError) as problem:
            raise FormatError(path, f"not a valid row ({problem})", CURE, line=number) from None
    return rows, readings
