"""Rows as Arrow tables: one row for each count, typed, in a schema for all tasks.

The header is JSON in a row of its own, since engines drop the metadata of tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from caesura.core.measure_table import MeasureTable, is_plain, narrow
from caesura.core.row import Portion
from caesura.core.segmentation import IntArray
from caesura.core.table import CountTable, Names, coded, decoded, portion_of
from caesura.core.task import Known
from caesura.errors import CaesuraError, FormatError
from caesura.run.rows_file import (
    AGAIN,
    ENCODE,
    OTHERS,
    Header,
    Measures,
    RowsFile,
    header_of,
    without_counts,
)

if TYPE_CHECKING:
    import pyarrow as pa

KEY, PORTION = ("system", "reference", "left_out"), Portion._fields
TEXTS = ("document", *KEY, *PORTION[:-1], "measure", "count")
HEADER = "#header"
ODD = re.compile(r'["\[\d-]')
"""How the name of a count begins that is written as JSON, since it is not a plain name."""
NOTHING = ""
"""The count of a row that has none."""

Columns = dict[str, tuple[list[Any], IntArray]]
"""For each column its different values, with None as the last, and the number of each row's."""


def arrow() -> Any:
    """The package pyarrow."""
    try:
        import pyarrow
    except ImportError:
        raise CaesuraError(
            "Arrow tables need the package pyarrow; pip install 'caesura-eval[columns]'"
        ) from None
    return pyarrow


def schema() -> pa.Schema:
    """The columns of a table of counts."""
    pa = arrow()
    text = pa.dictionary(pa.int32(), pa.string())
    return pa.schema(
        [(name, text) for name in TEXTS] + [("block", pa.int64()), ("value", pa.int64())]
    )


def arrow_table(table: CountTable, header: Header | None = None) -> pa.Table:
    """The counts of a table as an Arrow table; with a header, in its first row."""
    pa = arrow()
    parts = [_header_row(header)] if header else []
    parts += [_counts(table, name, own) for name, own in table.in_order()]
    return pa.concat_tables([*parts, schema().empty_table()], promote_options="none")


def _header_row(header: Header) -> pa.Table:
    row = {"document": "", "measure": HEADER, "count": ENCODE(header.all_fields)}
    return arrow().Table.from_pylist([{**row, "block": 0, "value": 0}], schema())


def _counts(table: CountTable, measure: str, own: MeasureTable) -> pa.Table:
    """The counts of one measure, field by field."""
    pa = arrow()
    if own.values.dtype == object:
        raise CaesuraError("counts beyond 64 bits do not fit into Arrow; use evaluate instead")
    if not own.fields:  # the row is there, with nothing in it
        own = replace(own, fields=(NOTHING,), values=np.zeros((1, own.values.shape[1]), np.int16))
    rows, fields = own.values.shape[1], len(own.fields)
    key, unit = own.keys_and_units()

    def texts(codes: IntArray, names: Sequence[Any]) -> Any:
        known = [name for name in dict.fromkeys(names) if name is not None]
        place: dict[str | None, int] = {name: at for at, name in enumerate(known)}
        number = np.array([place.get(name, -1) for name in names], np.int32)[codes]
        indices = pa.array(np.tile(number, fields), mask=np.tile(number < 0, fields))
        return pa.DictionaryArray.from_arrays(indices, pa.array(known, pa.string()))

    names = (None, *table.names.each)
    columns = {"document": texts(unit, table.documents)}
    columns |= {n: texts(own[key], names) for n, own in zip(KEY, decoded(own.keys), strict=True)}
    for at, name in enumerate(PORTION[:-1]):
        columns[name] = texts(unit, [portion[at] for portion in table.portions])
    count = [_name(each) for each in own.fields]
    columns["measure"] = texts(np.zeros(rows, np.int64), [measure])
    columns["count"] = pa.DictionaryArray.from_arrays(
        pa.array(np.repeat(np.arange(fields, dtype=np.int32), rows)), pa.array(count, pa.string())
    )
    block = np.array([portion.block for portion in table.portions], np.int64)[unit]
    columns["block"] = pa.array(np.tile(block, fields))
    columns["value"] = pa.array(own.values.astype(np.int64).ravel())
    return pa.table(columns).select(schema().names).cast(schema())


def from_arrow(path: str, table: pa.Table, known: Known) -> tuple[RowsFile, list[Header]]:
    """The counts of an Arrow table, and its headers: one for each batch of which it was made."""
    columns = _sound_columns(path, table)
    (measures, measure), (texts, text) = columns["measure"], columns["count"]
    is_header = np.array([name == HEADER for name in measures], np.bool_)[measure]
    headers = [header_of(path, texts[at]) for at in text[is_header].tolist()]
    if not headers:
        raise FormatError(path, "a table without a header", AGAIN)
    file = without_counts(path, headers[0], known)
    return replace(file, table=_counts_of(path, columns, file.task.measures)), headers


def _sound_columns(path: str, table: pa.Table) -> Columns:
    """The columns of a table, or an error that names it."""
    missing = [name for name in schema().names if name not in table.column_names]
    if missing:
        raise FormatError(path, f"no column '{missing[0]}', so not a rows file", AGAIN)
    for name in ("document", "measure", "count", "block", "value"):
        if table.column(name).null_count:
            raise FormatError(path, f"a row without '{name}'", AGAIN)
    try:
        return _columns(table)
    except (ValueError, TypeError, arrow().ArrowException) as problem:
        first = str(problem).partition("\n")[0]
        raise FormatError(path, f"columns of other types ({first})", AGAIN) from None


def _columns(table: pa.Table) -> Columns:
    pa, found = arrow(), {}
    for name in TEXTS:
        column = table.column(name).combine_chunks()
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        if not pa.types.is_dictionary(column.type):
            column = column.cast(pa.string()).dictionary_encode()
        values = column.dictionary.to_pylist()
        codes = column.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
        found[name] = [*values, None], codes.astype(np.int64)
    for name in ("block", "value"):
        found[name] = [], table.column(name).to_numpy().astype(np.int64)
    return found


def _counts_of(path: str, columns: Columns, measures: Measures) -> CountTable:
    """The counts, measure by measure."""
    unit, documents, portions = _units(columns)
    every = dict.fromkeys(name for side in KEY for name in columns[side][0] if name is not None)
    names = Names(tuple(every))
    numbers = [names.numbers(columns[side][0])[columns[side][1]] for side in KEY]
    codes, found = coded(*numbers), {}
    each, measure = columns["measure"]
    for at in np.unique(measure).tolist():
        name = each[at]
        if name == HEADER:
            continue
        if name not in OTHERS and name not in measures:
            raise FormatError(path, f"a measure '{name}' that the task does not have", AGAIN)
        kind = OTHERS[name] if name in OTHERS else measures[name].counts
        rows = np.flatnonzero(measure == at)
        counts = columns["count"][0], columns["count"][1][rows], columns["value"][1][rows]
        try:
            found[name] = _measure(kind, codes[rows], unit[rows], len(documents), *counts)
        except (ValueError, TypeError, RecursionError) as problem:
            raise FormatError(path, f"bad counts of {name} ({problem})", AGAIN) from None
    return CountTable(names, documents, portions, found)


def _units(columns: Columns) -> tuple[IntArray, list[str], list[Portion]]:
    """The unit of each row, and the document and portion of each unit, in order."""
    measures, measure = columns["measure"]
    is_count = np.array([name != HEADER for name in measures], np.bool_)[measure]
    code = columns["document"][1].copy()
    for name in PORTION[:-1]:
        code = code * len(columns[name][0]) + columns[name][1]
    blocks, block = np.unique(columns["block"][1], return_inverse=True)
    code = code * len(blocks) + block
    every, first, number = np.unique(code[is_count], return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(every.size)
    unit = np.full(code.size, -1)
    unit[is_count] = rank[number]
    rows = np.flatnonzero(is_count)[first[order]]
    value = {name: [columns[name][0][at] for at in columns[name][1][rows].tolist()]
             for name in ("document", *PORTION[:-1])}  # fmt: skip
    ends = columns["block"][1][rows].tolist()
    portions = zip(*(value[name] for name in PORTION[:-1]), ends, strict=True)
    return unit, value["document"], [portion_of(*each) for each in portions]


def _measure(
    kind: Any, codes: IntArray, unit: IntArray, units: int, names: list[Any], count: IntArray,
    values: IntArray,
) -> MeasureTable:  # fmt: skip
    """The counts of one measure, put back into fields × rows."""
    keys, key = np.unique(codes, return_inverse=True)
    places, row = np.unique(key * units + unit, return_inverse=True)
    used = np.unique(count).tolist()
    fields = {at: names[at] if is_plain(kind) else _field(names[at]) for at in used}
    order = _in_order(kind, fields.values())
    number = np.full(len(names), -1)
    number[used] = [-1 if fields[at] == NOTHING else order.index(fields[at]) for at in used]
    is_count = number[count] >= 0
    count, row, values = count[is_count], row[is_count], values[is_count]
    filled = np.zeros((len(order), places.size), np.int64)
    times = np.bincount(number[count] * places.size + row, minlength=filled.size)
    if times.max(initial=0) > 1 or (is_plain(kind) and times.min(initial=1) < 1):
        raise ValueError("one is there twice, or missing")
    filled[number[count], row] = values
    is_full = places.size == keys.size * units
    return MeasureTable(kind, order, keys, units, narrow(filled), None if is_full else places)


def _name(field: Any) -> str:
    """The name of a field of counts: as it is, or JSON."""
    is_plain_name = isinstance(field, str) and not ODD.match(field)
    return field if is_plain_name else json.dumps(field, ensure_ascii=False)


def _field(name: str) -> Any:
    """The field of counts that a name stands for."""
    return _tuple(json.loads(name)) if ODD.match(name) else name


def _tuple(value: object) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


def _in_order(kind: Any, fields: Iterable[Any]) -> tuple[Any, ...]:
    from caesura.core.measure_table import fields_of

    known = [each for each in fields if each != NOTHING]
    order = fields_of(kind, known)
    unknown = [each for each in known if each not in order]
    if unknown:
        raise ValueError(f"no count {unknown[0]}")
    return order
