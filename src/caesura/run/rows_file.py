"""Rows: the counts of every document as JSON lines, and how they are read back.

The first line, the header, has what is known before anything is read. The documents follow in
order: the rows of each, its readings for the report if they are saved, and a line `{"done": NAME,
"check": CRC}`. The last line, `{"end": …}`, has what is known only then; a file without it is
unfinished.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from functools import cache
from io import BytesIO
from itertools import chain, repeat
from pathlib import Path
from typing import IO, Any

import numpy as np

from caesura.core.alignment_scores import ALIGNED, AlignmentCounts
from caesura.core.counts import Counts
from caesura.core.json_values import JsonObject, typed
from caesura.core.measure_table import MeasureTable, is_plain, numbers
from caesura.core.option import Options
from caesura.core.profile import Profile
from caesura.core.row import SOURCE, Portion, SourceCounts
from caesura.core.score import ALSO
from caesura.core.table import CountTable, Key, Names, TableBuilder, portion_of
from caesura.core.task import Kind, Known, Task
from caesura.errors import CaesuraError, FormatError, UnknownNameError, option
from caesura.io.cwd import is_file, local
from caesura.io.files import COMPRESSED, read_bytes
from caesura.io.packed import sound
from caesura.removed import MEASURES, PARQUET_ROWS

ENCODE = json.JSONEncoder(ensure_ascii=False).encode
ROW, READING, DONE, END = b'{"system": ', b'{"reading": ', b'{"done": ', b'{"end": '
"""How the lines after the header begin."""
PARSE, INTEGERS = json.JSONDecoder().raw_decode, frozenset((int,))
OTHERS: dict[str, type[Counts]] = {SOURCE: SourceCounts, ALIGNED: AlignmentCounts}
Measures = Mapping[str, Any]
"""The measures of a task by name."""
WIDE = 1 << 14
"""The rows of a document from which on they are written one by one."""
PENDING = 1 << 17
"""About how many rows are collected before they are put into arrays."""
LARGEST, LONGEST = 10**100, 1 << 62
"""The largest count, of which rates can still be made, and the longest document, in words."""
PORTION, FIELDS = Portion._fields, 5
"""The fields of a row that say which portion of a document it is of, and how many all rows have."""
FIRST = "0.1."
"""How the version begins whose rows have everything in the header, and no last line."""
CURE, AGAIN = (
    "remove the line or make the rows again",
    f"make the rows again with {option('rows', '…')}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What rows are and how they were made: the first line of a file, and its last.

    `considered` is the number of documents of all shards together. `with_text` is whether the
    readings of the report are saved. `counted` says how documents were counted besides the options,
    such as in blocks; only a run that is resumed asks for it. What comes from `signature` on is in
    the last line.
    """

    caesura: str
    task: str
    references: tuple[str, ...]
    options: JsonObject
    profile: str = ""
    systems: tuple[str, ...] = ()
    shard: str = ""
    considered: int = 0
    with_text: bool = False
    counted: JsonObject = field(default_factory=dict)
    signature: str = ""
    skipped: dict[str, str] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    files: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def all_fields(self) -> JsonObject:
        """Everything that is there, as JSON has it."""
        return {name: value for name, value in asdict(self).items() if value or name in ALWAYS}

    @property
    def first_line(self) -> str:
        """What is known before anything is read."""
        known = {name: own for name, own in self.all_fields.items() if name not in LAST}
        return ENCODE(known) + "\n"

    @property
    def last_line(self) -> str:
        """What is known only at the end."""
        known = {name: own for name, own in self.all_fields.items() if name in LAST}
        return f"{END.decode()}{ENCODE(known)}}}\n"

    @property
    def is_old(self) -> bool:
        """Whether the rows are of version 0.1.0."""
        return self.caesura.startswith(FIRST)


ALWAYS = ("options", "profile", "skipped")
"""What is written even if there is nothing in it."""
LAST = ("signature", "skipped", "failed", "files")
"""What the last line has of a header."""


@dataclass(frozen=True, slots=True)
class RowsFile:
    """A file of rows: where it is, its header, its rows, and what the report shows beside them.

    The readings, which are not checked here, stand under the numbers of their lines. `notes` say
    what was left out of rows of an earlier version.
    """

    path: str
    header: Header
    task: Task
    profile: Profile | None
    table: CountTable
    readings: dict[int, JsonObject] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def counter(self) -> Options:
        """The options with which rows were counted; invalid ones are an error of the file."""
        try:
            counter: Options = typed(self.task.parts.counter, self.header.options)
            return counter.after(self.table)
        except (CaesuraError, ValueError) as problem:
            raise FormatError(self.path, f"bad options ({problem})", AGAIN, line=1) from None

    @property
    def kind(self) -> Kind:
        """Whose scores the rows are of."""
        return Kind(self.task, self.profile, tuple(self.counter.given.get(ALSO) or ()))

    @property
    def has_kept_readings(self) -> bool:
        """Whether readings are as a run keeps them, before the page's are made of them."""
        return self.header.with_text or bool(self.header.shard)


def read_rows(path: str, known: Known) -> RowsFile:
    """Read a file of rows, line by line; it may be compressed."""
    if path.lower().endswith(".parquet"):
        raise FormatError(path, *PARQUET_ROWS)
    with sound(path, "not a rows file", AGAIN), _opened(path) as file:
        lines = iter(file)
        header = header_of(path, next(lines, b"").removeprefix(b"\xef\xbb\xbf"))
        return _with_body(without_counts(path, header, known), lines)


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    """The lines of a file on disk, or of what is anywhere else."""
    if not is_file(path):
        yield BytesIO(read_bytes(path))
        return
    suffix = Path(path).suffix
    with Path(local(path)).open("rb") as packed:
        if suffix not in COMPRESSED:
            yield packed
            return
        from caesura.io.packed import decompressor

        with decompressor(suffix)(packed) as file:
            yield file


def header_of(path: str, line: bytes | str) -> Header:
    """The header of a file of rows."""
    try:
        values = json.loads(line)
        is_ours = isinstance(values, dict) and "caesura" in values
    except (ValueError, RecursionError):
        is_ours = False
    if not is_ours:
        raise FormatError(
            path, "not a rows file", f"make them with {option('rows', 'FILE')}", line=1
        )
    if str(values["caesura"]).startswith(FIRST):
        values = {name: own for name, own in values.items() if name not in ("documents", "groups")}
        if values.pop("sample", ""):
            values["options"] = {**dict(values.get("options", {})), "sample": True}
    try:
        return typed(Header, values)
    except (ValueError, TypeError) as problem:
        raise FormatError(path, f"a bad header ({problem})", AGAIN, line=1) from None


def without_counts(path: str, header: Header, known: Known) -> RowsFile:
    """A file of rows before these are read, with the task that the header names.

    Options of version 0.1.0 that are gone are left out; that is said if they were used.
    """
    try:
        task, profile = known.find(header.task, header.profile)
    except ValueError as problem:
        raise FormatError(path, str(problem), AGAIN, line=1) from None
    if not header.references:
        raise FormatError(path, "a header without references", AGAIN, line=1)
    if not header.is_old:
        return RowsFile(path, header, task, profile, CountTable())
    there = {each.name for each in fields(task.parts.counter)}
    options = {name: own for name, own in header.options.items() if name in there}
    gone = [name for name, own in header.options.items() if name not in there and own]
    also = options.get(ALSO) or ()
    if isinstance(also, list | tuple) and not {*also}.isdisjoint(MEASURES):
        options[ALSO] = [name for name in also if name not in MEASURES]
    notes = (f"{path}: {', '.join(gone)} left out, which version 0.2.0 removed",) if gone else ()
    return RowsFile(path, replace(header, options=options), task, profile, CountTable(), {}, notes)


def _with_body(file: RowsFile, lines: Iterable[bytes]) -> RowsFile:
    """The file with its rows and readings; an error if it is unfinished."""
    path, header = file.path, file.header
    rows = RowsReader(file.task.measures, leaves_out=header.is_old)
    readings: dict[int, JsonObject] = {}
    end: JsonObject | None = {} if header.is_old else None
    try:
        for number, line in enumerate(lines, 2):
            try:
                last = _taken(line, number, rows, readings)
                end = end if last is None else last
            except (ValueError, KeyError, TypeError, RecursionError, CaesuraError) as problem:
                if not line.endswith(b"\n") and not header.is_old:
                    raise EOFError from None
                told = f"not a valid row ({_told(problem)})"
                raise FormatError(path, told, CURE, line=number) from None
    except EOFError:
        end = None
    if end is None:
        raise FormatError(path, "unfinished", f"continue with {option('resume')}")
    try:
        header = typed(Header, {**asdict(header), **end})
        if not header.signature:
            raise ValueError("no signature")  # noqa: TRY301
    except ValueError as problem:
        where = "header" if header.is_old else "last line"
        raise FormatError(path, f"a bad {where} ({problem})", AGAIN) from None
    table = rows.table((*header.references, *header.systems))
    _require_references(path, header, table)
    gone = ", ".join(sorted(rows.left_out))
    notes = (f"{path}: rows of {gone} left out, which version 0.2.0 removed",) if gone else ()
    notes = (*file.notes, *notes)
    return replace(file, header=header, table=table, readings=readings, notes=notes)


def _taken(
    line: bytes, number: int, rows: RowsReader, readings: dict[int, JsonObject]
) -> JsonObject | None:
    """Take a line after the header; returns what the last one says."""
    if line.startswith(ROW):
        rows.add(line)
    elif line.startswith(READING):
        readings[number] = dict(json.loads(line)["reading"])
    elif line.startswith(END):
        return dict(json.loads(line)["end"])
    elif not line.startswith(DONE):
        rows.add(line)
    return None


def _told(problem: Exception) -> str:
    return "it is nested too deep" if isinstance(problem, RecursionError) else str(problem)


def _require_references(path: str, header: Header, table: CountTable) -> None:
    """Raise an error if there are no rows of a reference that the header names."""
    known = table.systems_of(SOURCE)
    missing = [name for name in header.references if name not in known]
    if missing and table and not header.shard:
        raise FormatError(path, f"no rows of the reference '{missing[0]}'", AGAIN, line=1)


@dataclass
class _MeasureRows:
    """The rows of one measure that wait: their keys, their units, and their counts."""

    kind: Any
    fields: tuple[str, ...]
    is_plain: bool
    keys: list[int] = field(default_factory=list)
    units: list[int] = field(default_factory=list)
    counts: list[Any] = field(default_factory=list)

    def table(self, codes: Any, units: int) -> MeasureTable:
        """The rows as arrays, among as many units; `codes` are those of all keys."""
        key, unit = codes[self.keys], np.array(self.units)
        if self.is_plain:
            values = numbers(self.counts).T.reshape(len(self.fields), len(self.counts))
            return MeasureTable.from_rows(self.kind, self.fields, values, key, unit, units)
        return MeasureTable.from_counts(self.counts, key, unit, units)


class RowsReader:
    """Makes a table of lines, each of them a row; what is no row is a ValueError.

    Small documents have many rows that differ in nothing but the document: what such a line says
    is parsed once. Rows of measures that were removed can be left out.
    """

    def __init__(self, measures: Measures, *, leaves_out: bool = False) -> None:
        self.measures, self.leaves_out = measures, leaves_out
        self.left_out: set[str] = set()
        self._tables = TableBuilder()
        self._begin()

    def _begin(self) -> None:
        self._rows, self._document = 0, ""
        self._by_measure: dict[str, _MeasureRows] = {}
        self._keys: dict[tuple[str | None, ...], int] = {}
        self._units: dict[Any, int] = {}
        self._places: dict[tuple[str, Portion], int] = {}
        self._known: dict[bytes, tuple[_MeasureRows, int, Any]] = {}
        self._whole: tuple[bytes, int] = b"", 0  # the last whole document as written, and its unit

    def add(self, line: bytes) -> None:
        """Take one line."""
        start = line.find(b'"document": ')
        stop = line.find(b', "measure": ', start)
        rest = line[:start] + line[stop:]
        known = self._known.get(rest)
        if known is None or line[start:stop] != self._whole[0]:
            self._parse(line, rest, line[start:stop])
            return
        own, key, counts = known
        own.counts.append(counts)
        own.keys.append(key)
        own.units.append(self._whole[1])
        self._rows += 1

    def _parse(self, line: bytes, rest: bytes, written: bytes) -> None:
        """Take a line that is new; `rest` is all of it but the document, as it is written."""
        text = line.decode()
        values, end = PARSE(text)
        if not isinstance(values, dict) or text[end:].strip():
            raise ValueError("it is not an object")
        get: Any = values.get
        measure, document = get("measure"), get("document")
        if self._rows > PENDING and document != self._document:
            self._flush()
        own = self._by_measure.get(measure) if isinstance(measure, str) else None
        if own is None:
            own = self._found(measure)
        if own is None:
            return
        key = get("system"), get("reference"), get("left_out")
        is_whole = len(values) == FIELDS + ("left_out" in values)
        unit = document if is_whole else (document, *map(get, PORTION))
        try:
            key_number, unit_number = self._keys[key], self._units[unit]
        except (KeyError, TypeError):
            _require_names(values)
            key_number = self._keys.setdefault(key, len(self._keys))
            place = document, portion_of(*map(get, PORTION[:-1]), get("block", 0))
            unit_number = self._places.setdefault(place, len(self._places))
            self._units[unit] = unit_number
        counts = _counts(own, measure, get("counts"))
        own.counts.append(counts)
        own.keys.append(key_number)
        own.units.append(unit_number)
        self._rows += 1
        self._document = document
        if is_whole and written:
            self._known[rest], self._whole = (own, key_number, counts), (written, unit_number)

    def _found(self, measure: Any) -> _MeasureRows | None:
        """Where the rows of a measure go that occurs first; nowhere if it was removed."""
        name = str(measure).partition("@")[0]  # with a parameter, as in windows@8
        if not isinstance(measure, str) or (name not in OTHERS and name not in self.measures):
            if not self.leaves_out or not isinstance(measure, str):
                raise UnknownNameError("measure", str(measure), (*OTHERS, *self.measures))
            self.left_out.add(name)
            return None
        kind: Any = OTHERS[measure] if measure in OTHERS else self.measures[name].counts
        own = _MeasureRows(kind, kind.__match_args__, is_plain(kind))
        return self._by_measure.setdefault(measure, own)

    def _flush(self) -> None:
        """Put the rows that wait into arrays."""
        every = chain.from_iterable(self._keys)
        names = Names(tuple(dict.fromkeys(name for name in every if name is not None)))
        codes = names.codes(Key(*key) for key in self._keys)
        units = len(self._places)
        measures = {name: own.table(codes, units) for name, own in self._by_measure.items()}
        documents, portions = map(list, zip(*self._places, strict=True)) if units else ([], [])
        self._tables.add(CountTable(names, documents, portions, measures))
        self._begin()

    def table(self, names: Iterable[str] = ()) -> CountTable:
        """All rows; `names` are those that come first."""
        self._flush()
        return self._tables.table().with_names(names)


def _require_names(values: JsonObject) -> None:
    for name in ("system", "document", "reference", "left_out", *PORTION[:-1]):
        value = values.get(name)
        if name in ("system", "document", "reference") and name not in values:
            raise ValueError(f"it has no {name}")
        if not isinstance(value, str) and (name == "document" or value is not None):
            raise ValueError(f"its {name} is {json.dumps(value)}, not a name")
    block = values.get("block", 0)
    if type(block) is not int or not 0 <= block < LONGEST:
        raise ValueError("its block is not a number of words")


def _counts(own: _MeasureRows, measure: str, values: Any) -> Any:
    """The numbers of counts in the order of their fields; counts themselves where fields vary."""
    if not isinstance(values, dict) or (*values,) != own.fields:
        wanted, optional = _fields(own.kind)
        if not isinstance(values, dict) or values.keys() | optional != wanted:
            raise ValueError(f"its counts are not those of {measure}: {', '.join(sorted(wanted))}")
    if own.is_plain and len(values) == len(own.fields):
        counts = tuple(map(values.__getitem__, own.fields))
        if INTEGERS.issuperset(map(type, counts)) and max(map(abs, counts), default=0) <= LARGEST:
            return counts
    made = own.kind(**values) if own.is_plain else own.kind.from_dict(values)
    for name, value in made.items().items():
        if type(value) is not int or abs(value) > LARGEST:
            raise ValueError(f"its {name} is {json.dumps(value)[:40]}, not a count")
    return tuple(made.items().values()) if own.is_plain else made


@cache
def _fields(kind: Any) -> tuple[frozenset[str], frozenset[str]]:
    """The fields of a kind of counts, and those of them that have a default."""
    every = fields(kind)
    optional = (
        each.name
        for each in every
        if not (each.default is MISSING and each.default_factory is MISSING)
    )
    return frozenset(each.name for each in every), frozenset(optional)


def lines_of(table: CountTable) -> Iterator[str]:
    """The rows of each unit as lines: measure by measure, what was read first, then key by key.

    They depend on the unit and on the order of names alone, not on the other units of the table.
    """
    names = [ENCODE(name) for name in table.documents]
    known = {portion: _portion(portion) for portion in set(table.portions)}
    ends = [known[portion] for portion in table.portions]
    each = [_measure_lines(table, name, own, names, ends) for name, own in table.in_order()]
    return map("".join, zip(*each, strict=True)) if each else repeat("", len(table))


def _portion(portion: Portion) -> str:
    """What a line says of the portion of the document."""
    there = {name: value for name, value in portion._asdict().items() if value not in (None, 0)}
    return "".join(f', "{name}": {ENCODE(value)}' for name, value in there.items())


def _measure_lines(
    table: CountTable, measure: str, own: MeasureTable, names: list[str], ends: list[str]
) -> Iterable[str]:
    """The lines of each unit of one measure; what is full is written at once."""
    names_of_counts: tuple[str, ...] = own.kind.__match_args__
    fields_open = ", ".join(f'"{name}": %s' for name in names_of_counts)
    counts = f"{{{fields_open}}}" if is_plain(own.kind) else "%s"
    templates = [_template(key, measure, counts) for key in table.names.keys(own.keys)]
    if own.places is None and own.keys.size < WIDE:
        values = own.values.reshape(len(own.fields), own.keys.size, len(table))
        columns: list[list[Any]] = []
        for key in range(own.keys.size):
            columns += [names, *_cells(own, values[:, key]), ends]
        return map("".join(templates).__mod__, zip(*columns, strict=True))
    lines: list[list[str]] = [[] for _ in names]
    cells = zip(*_cells(own, own.values), strict=True)
    for place, row in zip(own.key_places().tolist(), cells, strict=True):
        key, unit = divmod(place, len(table))
        lines[unit].append(templates[key] % (names[unit], *row, ends[unit]))
    return map("".join, lines)


def _template(key: Key, measure: str, counts: str) -> str:
    """A line in which the document, the counts and the portion are open."""
    system, what, reference = (
        ENCODE(value).replace("%", "%%") for value in (key.system, measure, key.reference)
    )
    left_out = "" if key.left_out is None else f', "left_out": {ENCODE(key.left_out)}'
    return (
        f'{{"system": {system}, "document": %s, "measure": {what}, "reference": {reference}, '
        f'"counts": {counts}{left_out.replace("%", "%%")}%s}}\n'
    )


def _cells(own: MeasureTable, values: Any) -> list[list[Any]]:
    """What lines have of the counts: a column for each field, or one of JSON where they vary."""
    if is_plain(own.kind):
        columns: list[list[Any]] = values.tolist()
        return columns
    return [[ENCODE(counts.to_dict()) for counts in replace(own, values=values).each()]]
