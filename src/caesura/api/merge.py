"""merge(): the rows of shards, or of batches, as one run would have scored them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from caesura.api.evaluate import with_statistics
from caesura.api.evaluation import Evaluation
from caesura.api.saved import KNOWN
from caesura.core.option import Options
from caesura.core.row import Row
from caesura.core.summary import Summary
from caesura.core.table import CountTable, Names
from caesura.errors import CaesuraError, FormatError, UsageError, option
from caesura.io.decoding_errors import sound
from caesura.output.report.readings import AnyReading, merged_readings, readings_of
from caesura.run.inputs import natural
from caesura.run.rows_file import (
    AGAIN,
    READING,
    Header,
    RowsFile,
    checked,
    from_json,
    header_of,
)
from caesura.run.run import Failure, Finished
from caesura.run.saved_rows import is_parquet, load
from caesura.run.selection import Place, SavedNames, Selection
from caesura.scores.summarize import summarize, with_skipped
from caesura.stats.resampling import Resampling
from caesura.stats.saved_summary import counter_of

if TYPE_CHECKING:
    import pyarrow as pa

SAME = ("caesura", "task", "profile", "references", "options", "sample", "considered", "groups")
"""What all shards of a run have in common."""
BATCH = 1 << 14
"""How many lines are summed at a time."""


def merge(
    rows: Iterable[str | pa.Table],
    *,
    documents: bool = True,
    confidence: bool = False,
    compare: bool = False,
    **resampling: Any,
) -> Evaluation:
    """Score the rows of shards (paths), or tables of `count_batch`, as one run would have.

    Without `documents`, only sums are kept, whatever the number of documents: there are micro
    scores and means, but no scores of each document, and intervals are drawn from groups.
    """
    every, how = list(rows), Resampling(**resampling)
    if not every:
        raise UsageError("no rows to merge; give those of all shards")
    if not documents:
        return _in_sums(every, how, confidence=confidence, compare=compare)
    merged = _in_full([_read(each) for each in every])
    summary = with_statistics(
        merged.summary, merged.found.table, how, confidence=confidence, compare=compare
    )
    return replace(merged, summary=summary, resampling=how)


def saved_readings(paths: Sequence[str]) -> list[AnyReading]:
    """What shards have saved for the report, in the order of the documents."""
    files = [load(path, KNOWN) for path in paths]
    is_sharded = bool(files[0].header.shard)
    return [*merged_readings(files)] if is_sharded else readings_of(paths, files)


@dataclass(frozen=True, slots=True)
class _RowsPart:
    """A file of rows, or a table; it has a header for each batch of which it was made."""

    file: RowsFile
    headers: Sequence[Header]

    @property
    def path(self) -> str:
        return self.file.path


def _read(given: Any) -> _RowsPart:
    if isinstance(given, str):
        file = load(given, KNOWN)
        return _RowsPart(file, [file.header])
    from caesura.run.parquet_rows import from_arrow, headers_of

    name = "<table>"
    file = from_arrow(name, given, KNOWN)
    return _RowsPart(file, headers_of(name, given) or [file.header])


def _in_full(parts: Sequence[_RowsPart]) -> Evaluation:
    """All documents, in the order in which one run has them."""
    headers = [(part.path, header) for part in parts for header in part.headers]
    _require_one_run(headers)
    _require_distinct(parts)
    first = next((each for _, each in headers if each.systems), headers[0][1])
    names = CountTable(Names((*first.references, *first.systems)))
    tables = [part.file.table for part in parts]
    table = CountTable.from_tables([names, *tables])
    order = sorted(set(table.documents), key=natural)
    _require_all([header for _, header in headers], len(order))
    table = table.ordered({name: at for at, name in enumerate(order)})
    return _evaluated(parts[0].file, table, [header for _, header in headers])


def _in_sums(
    given: Sequence[Any], how: Resampling, *, confidence: bool, compare: bool
) -> Evaluation:
    """The sums of all documents; rows are read and forgotten."""
    from caesura.api.sums import Sums

    if compare or how.unit != "auto":
        asked = option("compare") if compare else option("unit", how.unit)
        raise UsageError(f"{asked} needs documents; drop it, or {option('no_documents')}")
    headers: list[tuple[str, Header]] = []
    sums = Sums()
    for each in given:
        own, batches = _streamed(each)
        headers += [(own.path, header) for header in own.headers]
        selection, counter = _selection(own.file.header), counter_of(own.file)
        for table in batches:
            for name in dict.fromkeys(table.documents):
                _require_own(own.path, selection, name)
            sums.add(table, _summarized(own.file, table, counter, own.file.header))
    _require_one_run(headers)
    file, every = own.file, [header for _, header in headers]
    if file.header.options.get("missing") == "vary":
        both = f"{option('no_documents')} and {option('missing', 'vary')}"
        raise UsageError(f"{both} do not go together: each document has a panel; drop one")
    _require_all(every, sums.documents)
    merged = _evaluated(file, sums.table(), every, sums.told_in)
    summary = with_statistics(
        merged.summary, merged.found.table, how, confidence=confidence, compare=False
    )
    return replace(merged, summary=sums.with_intervals(summary, how), resampling=how)


def _streamed(given: Any) -> tuple[_RowsPart, Iterator[CountTable]]:
    """A file without its counts, and these, some documents at a time."""
    if not isinstance(given, str):
        part = _read(given)
        return part, iter([part.file.table])
    batches: Iterator[CountTable]
    if is_parquet(given):
        from caesura.run.parquet_rows import counts_of, streamed

        header, groups = streamed(given)
        own = _without_counts(given, header)
        batches = (counts_of(given, columns, own.task.measures) for columns in groups)
    else:
        lines = _lines(given)
        header = header_of(given, next(lines, ""))
        own = _without_counts(given, header)
        batches = _in_batches(given, lines, own.task.measures)
    return _RowsPart(own, [header]), batches


def _without_counts(path: str, header: Header) -> RowsFile:
    return checked(path, header, KNOWN, lambda _: (CountTable(), {}))


def _lines(path: str) -> Iterator[str]:
    """The lines of a file, which may be compressed, one at a time."""
    from caesura.io.archives import opened
    from caesura.io.compression import decompressor
    from caesura.io.files import COMPRESSED

    suffix = PurePath(path).suffix
    with sound(path, "not a rows file", AGAIN), opened(path) as packed:
        file = decompressor(suffix)(packed) if suffix in COMPRESSED else packed
        yield from (line.decode("utf-8-sig") for line in file)


def _in_batches(
    path: str, lines: Iterable[str], measures: Mapping[str, Any]
) -> Iterator[CountTable]:
    """The counts of lines after the header, some whole documents at a time."""
    rows: list[Row] = []
    for place, line in enumerate(lines, 2):
        if line.startswith(READING):
            break
        try:
            row = from_json(line, measures)
        except (ValueError, KeyError, CaesuraError) as problem:
            raise FormatError(path, f"not a valid row ({problem})", AGAIN, line=place) from None
        if len(rows) >= BATCH and rows[-1].document != row.document:
            yield CountTable.from_rows(rows)
            rows = []
        rows.append(row)
    yield CountTable.from_rows(rows)


def _evaluated(
    file: RowsFile,
    table: CountTable,
    headers: Sequence[Header],
    shaped: Callable[[Summary], Summary] = lambda summary: summary,
) -> Evaluation:
    """What one run would return, made of counts and of what all headers say."""
    first = next((each for each in headers if each.systems), headers[0])
    counter = counter_of(file)
    files = SavedNames()
    for header in headers:
        files = files.joined(SavedNames(header.files))
    place = files if files.versions else None
    summary = shaped(_summarized(file, table, counter, first, place))
    skipped = {name: why for each in headers for name, why in each.skipped.items()}
    failed = {name for each in headers for name in each.failed}
    order = sorted(skipped, key=natural)
    summary = with_skipped(
        summary,
        {name: skipped[name] for name in order if name not in failed},
        {name: skipped[name] for name in order if name in failed},
    )
    share = Fraction(first.sample) if first.sample else None
    selection = Selection(share=share, considered=first.considered)
    summary = selection.told_in(summary)
    summary = replace(summary, signature=_with_fields(summary.signature, first.signature))
    failures = tuple(Failure(name, skipped[name]) for name in order if name in failed)
    return Evaluation(summary, counter, Finished(table, [], failures))


def _summarized(
    file: RowsFile, table: CountTable, counter: Options, header: Header, place: Place | None = None
) -> Summary:
    """The summary of counts, with the systems that a header names, or all."""
    known = [each for each in table.systems if each not in header.references]
    systems = header.systems or known
    return summarize(
        file.task, table, systems, header.references, counter, place=place, profile=file.profile
    )


def _with_fields(signature: str, of_shard: str) -> str:
    """The signature with what a shard's has besides, such as a set."""
    known = {each.partition(":")[0] for each in signature.split("|")}
    more = [each for each in of_shard.split("|") if each.partition(":")[0] not in known]
    return "|".join([signature, *more])


def _require_one_run(headers: Sequence[tuple[str, Header]]) -> None:
    """Raise an error if rows are of different runs, or a shard is missing or there twice."""
    (path, first), *others = headers
    for other, header in others:
        for name in SAME:
            mine, yours = getattr(first, name), getattr(header, name)
            if mine != yours:
                raise UsageError(
                    f"{other} is not of the run of {path}: {name} differs "
                    f"({_short(yours)}, not {_short(mine)}); merge the shards of one run"
                )
    _require_shards(headers)


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) < 60 else f"{text[:60]}…"


def _require_shards(headers: Sequence[tuple[str, Header]]) -> None:
    (path, first), *_ = headers
    _, _, shards = first.shard.partition("/")
    by_shard: dict[str, str] = {}
    for other, header in headers:
        if header.shard.partition("/")[2] != shards:
            kinds = [each.shard or "no shard" for each in (header, first)]
            raise UsageError(
                f"{other} is {kinds[0]}, where {path} is {kinds[1]}; merge the shards of one run"
            )
        if shards and header.shard in by_shard:
            raise UsageError(
                f"{by_shard[header.shard]} and {other} are both shard {header.shard}; drop one"
            )
        by_shard[header.shard] = other
    wanted = [f"{at}/{shards}" for at in range(1, int(shards or 0) + 1)]
    missing = [each for each in wanted if each not in by_shard]
    if missing:
        named = ", ".join(missing[:5]) + (" …" if len(missing) > 5 else "")
        verb = "is" if len(missing) == 1 else "are"
        raise UsageError(
            f"shard {named} {verb} missing; make the rows with {option('shard', missing[0])}"
        )


def _require_distinct(parts: Sequence[_RowsPart]) -> None:
    """Raise an error if a document is in two files, or in a shard that is not its own."""
    known: dict[str, str] = {}
    for part in parts:
        selection = _selection(part.file.header)
        for name in dict.fromkeys(part.file.table.documents):
            _require_own(part.path, selection, name)
            if name in known:
                raise UsageError(
                    f"the document '{name}' is in {known[name]} and in {part.path}; drop one"
                )
            known[name] = part.path


def _require_all(headers: Sequence[Header], documents: int) -> None:
    """Raise an error if row groups have fewer documents than their table had, or more."""
    first, failed = headers[0], sum(len(each.failed) for each in headers)
    if first.groups and not first.sample and documents + failed != first.considered:
        raise UsageError(
            f"the shards have {documents + failed:,} documents, their table {first.considered:,}; "
            "make the rows of all shards again from the same table"
        )


def _selection(header: Header) -> Selection:
    """The documents that a shard may have."""
    return replace(Selection.parse(header.shard, ""), groups=header.groups)


def _require_own(path: str, selection: Selection, document: str) -> None:
    if not selection.takes(document):
        raise FormatError(
            path, f"the document '{document}' is not of shard {selection.shard}", AGAIN
        )
