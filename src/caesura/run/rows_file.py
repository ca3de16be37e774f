"""Rows as JSON lines: written whole, and checked line by line when they are read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from functools import cache, partial
from itertools import chain, repeat, starmap
from typing import Any

from caesura.core.alignment_scores import ALIGNED, AlignmentCounts
from caesura.core.counts import Counts
from caesura.core.json_values import JsonObject, typed
from caesura.core.measure_table import MeasureTable, is_plain
from caesura.core.profile import Profile
from caesura.core.row import SOURCE, Portion, Row, SourceCounts
from caesura.core.score import ALSO
from caesura.core.table import CountTable, Key, TableBuilder
from caesura.core.task import Kind, Known, Task
from caesura.errors import CaesuraError, FormatError, UnknownNameError, option
from caesura.io.files import read_text
from caesura.io.writing import replacing

ENCODE = json.JSONEncoder(ensure_ascii=False).encode
READING = '{"reading": '
OTHERS: dict[str, type[Counts]] = {SOURCE: SourceCounts, ALIGNED: AlignmentCounts}
Measures = Mapping[str, Any]
"""The measures of a task by name."""
WIDE, AT_ONCE = 1 << 14, 1 << 16
"""The rows of a document from which on they are written one by one; and how many are at a time."""
LARGEST, LONGEST = 10**100, 1 << 62
"""The largest count, of which rates can still be made, and the longest document, in words."""
NAMES = ("left_out", "variant", "scope", "stream")
PORTION = Portion._fields
OF_SHARDS = ("systems", "shard", "sample", "considered", "groups", "failed", "files")
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
    options: JsonObject
    profile: str = ""
    skipped: dict[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    shard: str = ""
    sample: str = ""
    considered: int = 0
    groups: int = 0
    failed: tuple[str, ...] = ()
    files: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The header as JSON; what only shards and samples have stands there where it is."""
        told = asdict(self)
        kept = {name: value for name, value in told.items() if value or name not in OF_SHARDS}
        return json.dumps(kept, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class RowsFile:
    """A file of rows: where it is, its header, its rows, and what the report shows beside them.

    The readings, which are not checked here, stand under the numbers of their lines.
    """

    path: str
    header: Header
    task: Task
    profile: Profile | None
    table: CountTable
    readings: dict[int, JsonObject]

    @property
    def kind(self) -> Kind:
        """Whose scores the rows are of."""
        also = self.header.options.get(ALSO)
        return Kind(
            self.task, self.profile, tuple(map(str, also)) if isinstance(also, list | tuple) else ()
        )


def write_rows(
    path: str, header: Header, table: CountTable, readings: Iterable[JsonObject] = ()
) -> None:
    """Save rows as JSON lines, after a header; readings, for the report, come last."""
    with replacing(path) as file:
        file.write(header.text + "\n")
        file.writelines(texts_of(table))
        for reading in readings:
            file.write(READING + json.dumps(reading, ensure_ascii=False) + "}\n")


def read_rows(path: str, known: Known) -> RowsFile:
    """Read what `write_rows` saved."""
    lines = read_text(path).split("\n")
    return checked(path, header_of(path, lines[0]), known, partial(_body, path, lines))


def checked(
    path: str,
    header: Header,
    known: Known,
    body: Callable[[Measures], tuple[CountTable, dict[int, JsonObject]]],
) -> RowsFile:
    """A file of rows, whose body is read with the measures of the task that the header names."""
    try:
        task, profile = known.find(header.task, header.profile)
    except ValueError as problem:
        raise FormatError(path, str(problem), AGAIN, line=1) from None
    file = RowsFile(path, header, task, profile, *body(task.measures))
    _require_references(file)
    return file


def _require_references(file: RowsFile) -> None:
    """Raise an error if the header names no reference, or one of which there are no rows."""
    if not file.header.references:
        raise FormatError(file.path, "a header without references", AGAIN, line=1)
    known = file.table.systems_of(SOURCE)
    missing = [name for name in file.header.references if name not in known]
    if missing and file.table and not file.header.shard:
        raise FormatError(file.path, f"no rows of the reference '{missing[0]}'", AGAIN, line=1)


def to_json(row: Row) -> str:
    """One line of JSON."""
    values: JsonObject = {
        "system": row.system,
        "document": row.document,
        "measure": row.measure,
        "reference": row.reference,
        "counts": row.counts.to_dict(),
    }
    values |= {name: value for name in NAMES if (value := getattr(row, name)) is not None}
    values |= {"block": row.block} if row.block else {}
    return ENCODE(values)


def texts_of(table: CountTable) -> Iterator[str]:
    """The rows of each unit as lines, those of `to_json`; what is full is written at once."""
    full, others = _divided(table)
    names = [ENCODE(name) for name in table.documents]
    ends = {portion: _end(portion) for portion in set(table.portions)}
    last = [ends[portion] for portion in table.portions]
    step = max(1, AT_ONCE // max(1, sum(own.keys.size for own in full.values())))
    text = "".join(chain.from_iterable(starmap(partial(_templates, table), full.items())))
    rest = [_by_unit(table, name, own, names, last) for name, own in others.items()]
    for start in range(0, len(table), step):
        some = slice(start, start + step)
        columns = chain.from_iterable(
            _columns(own, len(table), some, names[some], last[some]) for own in full.values()
        )
        whole = map(text.__mod__, zip(*columns, strict=True)) if full else repeat("")
        for at, lines in zip(range(len(table))[some], whole, strict=False):
            yield lines + "".join(chain.from_iterable(own[at] for own in rest))


def _divided(
    table: CountTable,
) -> tuple[dict[str, MeasureTable], dict[str, MeasureTable]]:
    """The measures that all units have and whose rows of a unit are few; and the others."""
    full: dict[str, MeasureTable] = {}
    others: dict[str, MeasureTable] = {}
    for name, own in table.in_order():
        is_full = own.places is None and own.keys.size < WIDE
        (full if is_full else others)[name] = own
    return full, others


def _templates(table: CountTable, measure: str, own: MeasureTable) -> list[str]:
    """For each key a line in which the document, the counts and the end are open."""
    names: tuple[str, ...] = own.kind.__match_args__
    fields = ", ".join(f'"{name}": %s' for name in names)
    counts = f"{{{fields}}}" if is_plain(own.kind) else "%s"
    return [_template(key, measure, counts) for key in table.names.keys(own.keys)]


def _template(key: Key, measure: str, counts: str) -> str:
    system, what, reference = (
        ENCODE(value).replace("%", "%%") for value in (key.system, measure, key.reference)
    )
    left_out = "" if key.left_out is None else f', "left_out": {ENCODE(key.left_out)}'
    return (
        f'{{"system": {system}, "document": %s, "measure": {what}, "reference": {reference}, '
        f'"counts": {counts}{left_out.replace("%", "%%")}%s}}\n'
    )


def _columns(
    own: MeasureTable, units: int, some: slice, names: list[str], ends: list[str]
) -> Iterator[list[Any]]:
    """What fills the templates: for each key the document, the counts and the end of each unit."""
    values = own.values.reshape(len(own.fields), own.keys.size, units)[:, :, some]
    for key in range(own.keys.size):
        yield names
        yield from _cells(own, values[:, key])
        yield ends


def _cells(own: MeasureTable, values: Any) -> list[list[Any]]:
    """What lines have of the counts: a column for each field, or one of JSON where they vary."""
    if is_plain(own.kind):
        columns: list[list[Any]] = values.tolist()
        return columns
    return [[ENCODE(counts.to_dict()) for counts in replace(own, values=values).each()]]


def _by_unit(
    table: CountTable, measure: str, own: MeasureTable, names: list[str], ends: list[str]
) -> list[list[str]]:
    """The lines of each unit of a measure that some units lack."""
    templates, found = _templates(table, measure, own), [list[str]() for _ in names]
    fields = zip(*_cells(own, own.values), strict=True)
    for place, values in zip(own.row_places().tolist(), fields, strict=True):
        key, unit = divmod(place, len(table))
        found[unit].append(templates[key] % (names[unit], *values, ends[unit]))
    return found


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
    named = str(measure).partition("@")[0]  # with a parameter, as in windows@8
    if not isinstance(measure, str) or (named not in OTHERS and named not in measures):
        raise UnknownNameError("measure", str(measure), (*OTHERS, *measures))
    _require_names(values)
    who = values["system"], values["document"], measure, values["reference"]
    rest: list[Any] = [*(values.get(name) for name in NAMES), values.get("block", 0)]
    kind = OTHERS[measure] if measure in OTHERS else measures[named].counts
    return Row(*who, _counts(kind, measure, values.get("counts")), *rest)


def _loaded(line: str) -> Any:
    """A value of JSON; a ValueError also where it is nested too deep."""
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _require_names(values: JsonObject) -> None:
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
    """Counts, of which those with a default may be missing."""
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


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def header_of(path: str, line: str) -> Header:
    """The header of a file of rows."""
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
) -> tuple[CountTable, dict[int, JsonObject]]:
    rows = TableBuilder()
    readings: dict[int, JsonObject] = {}
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
    return rows.table(), readings
