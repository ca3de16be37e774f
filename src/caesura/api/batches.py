"""count_batch(): the counts of a batch of documents in an Arrow table, for other engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from caesura.api.evaluate import evaluate
from caesura.errors import UsageError
from caesura.run.arrow_rows import arrow_table
from caesura.run.given import Content

if TYPE_CHECKING:
    import pyarrow as pa


def count_batch(
    table: pa.Table,
    *,
    task: str = "transcript",
    id: str = "id",
    systems: str | Sequence[str] = (),
    references: str | Sequence[str] = (),
    gold: str | None = None,
    **options: Any,
) -> pa.Table:
    """Count the documents of an Arrow table: an id, and a column for each system and reference.

    Without `systems`, they are all columns but the others. The result is a table of counts, for
    `caesura.merge`; options are those of `evaluate`. Cells are texts, as files have them; where
    one is null, the version lacks the document.
    """
    theirs = [references] if isinstance(references, str) else list(references)
    theirs = [gold] if gold is not None else theirs
    ours = [systems] if isinstance(systems, str) else list(systems)
    ours = ours or [name for name in table.column_names if name not in (id, *theirs)]
    for name in (id, *theirs, *ours):
        if name not in table.column_names:
            known = ", ".join(table.column_names)
            raise UsageError(f"no column '{name}'; the table has {known}")
    ids = [str(each) for each in table.column(id).to_pylist()]

    def of(name: str) -> dict[str, object]:
        cells = zip(ids, table.column(name).to_pylist(), strict=True)
        return {each: _value(cell) for each, cell in cells if cell is not None}

    sides: dict[str, Any] = {"systems": {name: of(name) for name in ours}}
    sides |= {"gold": {gold: of(gold)}} if gold else {"references": {n: of(n) for n in theirs}}
    found = evaluate(**sides, task=task, engine="serial", **options)
    return arrow_table(found.table, found.full_header)


def _value(cell: object) -> Any:
    """A cell: a text, or a list of sentences or of 0s and 1s."""
    return Content(cell) if isinstance(cell, str) else cell
