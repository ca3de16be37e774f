"""merge(): the rows of shards, or of batches, as one run would have scored them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from caesura.api.saved import KNOWN
from caesura.core.table import CountTable
from caesura.errors import FormatError, UsageError, option
from caesura.output.report.readings import AnyReading, merged_readings, readings_of
from caesura.run.inputs import natural
from caesura.run.rows_file import AGAIN, Header, RowsFile, read_rows
from caesura.run.run import Failure, Finished
from caesura.run.shards import SavedNames, Shard
from caesura.scores.summarize import summarize, with_skipped
from caesura.stats.resampling import Resampling
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import with_statistics

if TYPE_CHECKING:
    import pyarrow as pa

SAME = ("caesura", "task", "profile", "references", "options", "considered")
"""What all shards of a run have in common."""
Headers = Sequence[tuple[str, Header]]
"""The headers of all shards or batches, with the paths of their files."""


def merge(
    rows: Iterable[str | pa.Table],
    *,
    confidence: bool = False,
    compare: bool = False,
    **resampling: Any,
) -> Evaluation:
    """Score the rows of shards (paths), or tables of `count_batch`, as one run would have."""
    given, how = list(rows), Resampling(**resampling)
    if not given:
        raise UsageError("no rows to merge; give those of all shards")
    files: list[RowsFile] = []
    headers: list[tuple[str, Header]] = []
    for each in given:
        if isinstance(each, str):
            file = read_rows(each, KNOWN)
            headers.append((each, file.header))
        else:
            from caesura.run.arrow_rows import from_arrow

            file, own = from_arrow("<table>", each, KNOWN)
            headers += [(file.path, header) for header in own]
        files.append(file)
    _require_one_run(headers)
    _require_shards(headers)
    _require_distinct(files)
    merged = _evaluated(files, [header for _, header in headers], how)
    summary = with_statistics(
        merged.summary, merged.table, how, confidence=confidence, compare=compare
    )
    return replace(merged, summary=summary)


def saved_readings(paths: Sequence[str]) -> list[AnyReading]:
    """What shards have saved for the report, in the order of the documents."""
    files = [read_rows(path, KNOWN) for path in paths]
    return [*merged_readings(files)] if files[0].header.shard else readings_of(paths, files)


def _evaluated(files: Sequence[RowsFile], headers: Sequence[Header], how: Resampling) -> Evaluation:
    """What one run would return, made of the counts of all files and of what all headers say."""
    first = next((each for each in headers if each.systems), headers[0])
    table = CountTable.from_tables([file.table for file in files])
    table = table.with_names((*first.references, *first.systems))
    order = sorted(set(table.documents), key=natural)
    table = table.ordered({name: at for at, name in enumerate(order)})
    names = SavedNames()
    for header in headers:
        names = names.joined(SavedNames(header.files))
    file, counter = files[0], files[0].counter.after(table)
    systems = first.systems or [each for each in table.systems if each not in first.references]
    summary = summarize(
        file.task, table, systems, first.references, counter,
        place=names if names.versions else None, profile=file.profile,
    )  # fmt: skip
    skipped = {name: why for each in headers for name, why in each.skipped.items()}
    failed = {name for each in headers for name in each.failed}
    ordered = sorted(skipped, key=natural)
    summary = with_skipped(
        summary,
        {name: skipped[name] for name in ordered if name not in failed},
        {name: skipped[name] for name in ordered if name in failed},
    )
    summary = replace(
        summary,
        signature=_with_fields(summary.signature, first.signature),
        warnings=(*(note for each in files for note in each.notes), *summary.warnings),
    )
    failures = tuple(Failure(name, skipped[name]) for name in ordered if name in failed)
    header = replace(first, shard="", considered=0, files={})
    return Evaluation(summary, counter, Finished(table, [], failures), how, header)


def _with_fields(signature: str, of_shard: str) -> str:
    """The signature with what a shard's has besides, such as a set."""
    known = {each.partition(":")[0] for each in signature.split("|")}
    more = [each for each in of_shard.split("|") if each.partition(":")[0] not in known]
    return "|".join([signature, *more])


def _require_one_run(headers: Headers) -> None:
    """Raise an error if rows are of different runs."""
    (path, first), *others = headers
    for other, header in others:
        for name in SAME:
            mine, yours = getattr(first, name), getattr(header, name)
            if mine != yours:
                raise UsageError(
                    f"{other} is not of the run of {path}: {name} differs "
                    f"({_short(yours)}, not {_short(mine)}); merge the shards of one run"
                )


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) < 60 else f"{text[:60]}…"


def _require_shards(headers: Headers) -> None:
    """Raise an error if a shard is missing or there twice."""
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


def _require_distinct(files: Sequence[RowsFile]) -> None:
    """Raise an error if a document is in two files, or in a shard that is not its own."""
    known: dict[str, str] = {}
    for file in files:
        shard = Shard.parse(file.header.shard) if file.header.shard else None
        for name in dict.fromkeys(file.table.documents):
            if shard is not None and not shard.takes(name):
                problem = f"the document '{name}' is not of shard {shard}"
                raise FormatError(file.path, problem, AGAIN)
            if name in known:
                raise UsageError(
                    f"the document '{name}' is in {known[name]} and in {file.path}; drop one"
                )
            known[name] = file.path
