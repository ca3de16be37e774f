"""Shared: what every task is asked for besides its own options, and the steps that see to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from caesura import __version__
from caesura.core.option import declared
from caesura.core.profile import Profile
from caesura.core.resampling_defaults import FEW
from caesura.core.score import ALSO
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.core.task import Kind
from caesura.errors import UsageError, option
from caesura.io.paths import file_of
from caesura.run.given import Missing, Plan
from caesura.run.inputs import Case, FileNames
from caesura.run.rows_file import Header
from caesura.run.run import Finished, Running, Watch, run
from caesura.scores.summarize import Counted, with_skipped
from caesura.stats.resampling import Resampling
from caesura.steps.evaluation import Evaluation

if TYPE_CHECKING:
    from caesura.run.rows_file import RowsFile
    from caesura.run.rows_writer import RowsWriter
    from caesura.run.shards import Shard

LIGHT = 1 << 19
"""Up to this many bytes, few documents are saved in blocks without being asked to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What every task is asked for besides its own options; `evaluate` says what it means.

    `rows_at` reads saved rows; `signed` is what named sets add to the signature, `advice` what
    they and options warn of.
    """

    rows_at: Callable[[str], RowsFile]
    profile: Profile | None = None
    missing: Missing = "error"
    drawing: Resampling = field(default_factory=Resampling)
    running: Running = field(default_factory=Running)
    shard: Shard | None = None
    confidence: bool = False
    compare: bool = False
    blocks: bool = False
    rows: str | None = None
    with_text: bool = False
    reads: bool = False
    watch: Watch | None = None
    signed: str = ""
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A plan that has been counted; its rows are written, but for the last line."""

    plan: Plan
    shared: Shared
    found: Finished
    header: Header
    writer: RowsWriter | None

    @property
    def table(self) -> CountTable:
        """The counts."""
        return self.found.table

    @property
    def counted(self) -> Counted:
        """The counts, of which the summary is made."""
        plan, options = self.plan, self.plan.counter
        kind = Kind(plan.task, self.shared.profile, tuple(options.given.get(ALSO) or ()))
        place = FileNames(plan.cases)
        return Counted(kind, self.table, plan.systems, plan.references, options, place)

    def finished(self, summary: Summary) -> Evaluation:
        """The last line of the rows, then intervals and comparison, and all of it together."""
        plan, shared = self.plan, self.shared
        failed = {each.document: each.message for each in self.found.failures}
        if plan.skipped or failed:
            summary = with_skipped(summary, plan.skipped, failed)
        summary = replace(
            summary,
            warnings=(*summary.warnings, *shared.advice),
            signature=summary.signature + shared.signed,
        )
        result = Evaluation(summary, plan.counter, self.found, shared.drawing, self.header)
        if self.writer is not None:
            self.writer.finish(result.full_header)
        if not self.found.cases:
            return result
        drawn = with_statistics(
            summary, self.table, shared.drawing,
            confidence=shared.confidence, compare=shared.compare,
        )  # fmt: skip
        return replace(result, summary=drawn)


def prepared(plan: Plan, shared: Shared) -> Plan:
    """The plan with the documents of a shard, to be counted in units that can be resampled.

    What could not be done after counting is an error before it.
    """
    if shared.compare:
        require_rivals(plan.systems, plan.references)
    if shared.rows is not None:
        from caesura.io.outputs import require_apart

        require_apart({"rows": [shared.rows]}, _files(plan))
    plan = replace(plan, considered=len(plan.cases) if shared.shard else 0)
    plan = _in_units(plan, shared)
    return _of_shard(plan, shared.shard) if shared.shard else plan


@contextmanager
def counting(plan: Plan, shared: Shared) -> Iterator[Run]:
    """Count all cases, here or elsewhere; rows are written meanwhile, and stay if it fails."""
    may_draw = bool(getattr(plan.counter, "runs", ())) and not shared.running.resume
    header = _header(plan, shared)
    opened: AbstractContextManager[RowsWriter | None] = nullcontext()
    if shared.rows is not None:
        from caesura.run.rows_writer import RowsWriter

        opened = RowsWriter.open(shared.rows, header)
    with opened as writer:
        found = run(
            plan.cases, plan.counter, shared.running, rows=writer, watch=shared.watch,
            reads=shared.reads or shared.with_text or may_draw, measures=plan.task.measures,
        )  # fmt: skip
        # of a shard, some annotators may have no document
        table = found.table.with_names((*plan.references, *plan.systems))
        plan = replace(plan, counter=plan.counter.after(table))
        yield Run(plan, shared, replace(found, table=table), header, writer)


def _files(plan: Plan) -> list[str]:
    """What is read: the files of the cases, and those that options name."""
    files = dict.fromkeys(file_of(path) for case in plan.cases for path in case.files)
    every = declared(type(plan.counter)).items()
    named = [name for name, each in every if "FILE" in (each.about.metavar or "")]
    return [*files, *filter(None, (getattr(plan.counter, name) for name in named))]


def _in_units(plan: Plan, shared: Shared) -> Plan:
    """The plan with documents counted in the units that can be resampled, if that is asked for."""
    few = len(plan.cases) < FEW
    saved = shared.rows is not None and few and _is_light(plan.cases)
    asked = shared.confidence or shared.compare or shared.blocks or saved
    if plan.task.resampled != "document":
        return replace(plan, counter=replace(plan.counter, recordings=asked))
    unit = shared.drawing.unit
    in_blocks = asked and ((few and unit == "auto") or unit == "block")
    if in_blocks and not plan.counter.has_blocks:
        if unit == "block":
            raise UsageError(
                f"{option('axis', 'time')} and {option('streams', '…')} do not support blocks"
            )
        in_blocks = False
    return replace(plan, counter=replace(plan.counter, blocks=in_blocks))


def _is_light(cases: Sequence[Case]) -> bool:
    """Whether rows of blocks, by which runs can be compared later, cost little time and space."""
    return 0 < sum(case.weight for case in cases) <= LIGHT


def _of_shard(plan: Plan, shard: Shard) -> Plan:
    """The plan with the documents of a shard; how they are counted stays the same."""
    if plan.task.resampled != "document":
        raise UsageError(
            f"{plan.task.name} are scored on one corpus, whose classes span its recordings, so "
            f"that counts of some of them do not add up; drop {option('shard', '…')}, and run "
            "systems apart"
        )
    cases = [case for case in plan.cases if shard.takes(case.document)]
    skipped = {name: why for name, why in plan.skipped.items() if shard.takes(name)}
    return replace(plan, cases=cases, skipped=skipped)


def _header(plan: Plan, shared: Shared) -> Header:
    """What rows say of a run before anything is read."""
    options = plan.counter.given
    return Header(
        caesura=__version__,
        task=plan.task.name,
        profile=shared.profile.name if shared.profile else "",
        references=tuple(plan.references),
        systems=tuple(plan.systems),
        options=options,
        counted={n: own for n, own in asdict(plan.counter).items() if n not in options and own},
        shard=str(shared.shard or ""),
        considered=plan.considered,
        with_text=shared.with_text,
    )


def require_rivals(systems: Sequence[str], references: Sequence[str]) -> None:
    """Raise an error if there is nothing to compare: one system, and too few people."""
    if not systems:
        raise UsageError(f"no systems to compare; drop {option('compare')}")
    if len(systems) < 2 and len(references) < 3:
        raise UsageError(
            f"there is only one system, {systems[0]}, and {option('compare')} compares the others "
            f"with the first; give another system, or drop {option('compare')}"
        )


def with_statistics(
    summary: Summary, table: CountTable, how: Resampling, *, confidence: bool, compare: bool
) -> Summary:
    """The summary with intervals, and with the systems compared with the first, if requested."""
    if compare:
        from caesura.stats.saved_runs import Contest
        from caesura.stats.significance import compare as compare_systems

        contest = Contest.from_summary(summary, table)
        require_rivals(contest.systems, contest.references)
        compared = compare_systems(contest, how, contest.systems[0])
        summary = replace(summary, comparison=compared, signature=compared.signature)
    if confidence:
        from caesura.stats.significance import add_confidence

        summary = add_confidence(summary, table, how)
    return summary
