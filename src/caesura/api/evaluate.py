"""evaluate(): the function that every scoring command calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, fields, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from caesura import __version__
from caesura.steps.evaluation import Evaluation
from caesura.core.option import OptionValues, declared
from caesura.core.option_rules import require_shared_partners, unrefined
from caesura.core.profile import Profile
from caesura.core.resampling_defaults import FEW
from caesura.core.score import ALSO
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.core.task import Task
from caesura.errors import UnknownNameError, UsageError, option
from caesura.io.members import file_of
from caesura.run.given import Given
from caesura.run.inputs import Case, FileNames
from caesura.run.plans import Missing, Plan, Sides
from caesura.run.rows_file import Header
from caesura.run.run import Running, Watch
from caesura.run.run import run as run_cases
from caesura.scores.summarize import summarize, with_skipped
from caesura.stats.resampling import Resampling
from caesura.tasks import TASKS
from caesura.tasks.transcript.options import PROFILES as OWN_PROFILES

if TYPE_CHECKING:
    from caesura.run.rows_writer import RowsWriter
    from caesura.run.shards import Shard

LIGHT = 1 << 19
"""Up to this many bytes, few documents are saved in blocks without being asked to."""


def evaluate(
    systems: Given = (),
    references: Given = (),
    *,
    gold: object = None,
    task: str | Task | None = None,
    docids: object = None,
    phones: object = None,
    words: object = None,
    missing: Literal["error", "skip", "vary"] = "error",
    confidence: bool = False,
    compare: bool = False,
    blocks: bool = False,
    rows: str | PathLike[str] | None = None,
    with_text: bool = False,
    reads: bool = False,
    watch: Watch | None = None,
    sets: str | PathLike[str] | None = None,
    **options: object,
) -> Evaluation:
    """Score systems against references; without systems, measure the agreement of the references.

    Systems and references are paths of files or folders, or documents in memory, by name; a list of
    sentences is one document. With `gold`, score tokens and sentences of text, or what `task`
    names, such as trees; with `phones` and `words`, terms found in speech. With
    `task="sentences"`, score texts in the segments of the only reference; `docids` names the
    document of each segment. With the name of a community's `profile`, such as sighan, `gold` is
    read and scored as it does.
    `confidence` adds intervals, `compare` compares the systems with the first, `rows` saves the
    counts, `reads` keeps what the report shows, so that files are not read again; the options are
    those of the command line.

    >>> found = evaluate({"ours": ["it rained", "we left"]}, {"ann": ["it rained", "we left"]})
    >>> found.systems["ours"].f1
    1.0
    """
    given = with_names(options)
    how, running = taken(Resampling, given), taken(Running, given)
    rows = None if rows is None else fspath(rows)
    if running.resume and rows is None:
        raise UsageError(
            f"{option('resume')} needs the rows of the run; name them with {option('rows', 'FILE')}"
        )
    asked = {"confidence": confidence, "compare": compare, "blocks": blocks, "rows": rows}
    require_shared_partners(asked | {"with_text": with_text})
    sides, signed, shadowing = _with_sets(
        Sides(systems, references, gold, phones, words, docids), fspath(sets or "")
    )
    shard = None
    if running.shard:
        from caesura.run.shards import Shard

        shard = Shard.parse(running.shard)
        rows = rows and shard.named(rows)
    plan = _plan(task, sides, missing, given, how.seed)
    if compare:
        require_rivals(plan.systems, plan.references)
    if rows is not None:
        from caesura.io.outputs import require_apart

        require_apart({"rows": [rows]}, _files(plan))
    few = len(plan.cases) < FEW
    saved = rows is not None and few and _is_light(plan.cases)
    plan = _with_units(plan, how, few=few, asked=confidence or compare or blocks or saved)
    considered = len(plan.cases) if shard else 0
    plan = _of_shard(plan, shard) if shard else plan
    may_draw = bool(getattr(plan.counter, "runs", ())) and not running.resume
    reads = reads or with_text or may_draw
    if getattr(plan.counter, "threshold", ""):
        from caesura.api.threshold_choice import require_no_shard, with_thresholds

        require_no_shard(plan.counter.threshold, running)
        plan = with_thresholds(plan, running, watch)
    header = replace(_header(plan, shard), considered=considered, with_text=with_text)
    with _writer(rows, header) as writer:
        found = run_cases(
            plan.cases, plan.counter, running, rows=writer, reads=reads, watch=watch,
            measures=plan.task.measures,
        )  # fmt: skip
        # of a shard, some annotators may have no document
        table = found.table.with_names((*plan.references, *plan.systems))
        found = replace(found, table=table)
        plan = replace(plan, counter=plan.counter.after(table))
        summary = summarize(
            plan.task, table, plan.systems, plan.references, plan.counter,
            place=FileNames(plan.cases), profile=plan.profile,
        )  # fmt: skip
        failed = {each.document: each.message for each in found.failures}
        summary = with_skipped(summary, plan.skipped, failed)
        advice = (*shadowing, *unrefined(asked | asdict(how)))
        signature = summary.signature + signed
        summary = replace(summary, warnings=(*summary.warnings, *advice), signature=signature)
        evaluation = Evaluation(summary, plan.counter, found, how, header)
        if writer is not None:
            writer.finish(evaluation.full_header)
    if not found.cases:
        return evaluation
    drawn = with_statistics(summary, found.table, how, confidence=confidence, compare=compare)
    return replace(evaluation, summary=drawn)


def _with_sets(sides: Sides, folder: str) -> tuple[Sides, str, list[str]]:
    """Paths in place of named sets, `@NAME`; what these add to the signature; warnings."""
    given = {field.name: getattr(sides, field.name) for field in fields(sides)}
    if not any(map(_names_sets, given.values())):
        return sides, "", []
    from caesura.sets.expansion import Expansion
    from caesura.sets.named_sets import sets_from

    expand = Expansion()
    named = ("systems", "references", "gold")
    with sets_from(folder):
        made = {
            name: (expand if name in named else expand.path)(each) for name, each in given.items()
        }
    return Sides(**made), expand.signature, list(expand.warnings)


def _names_sets(given: Any) -> bool:
    """Whether a path in what is given may be the name of a set; documents are not looked into."""
    if isinstance(given, str):
        return given.startswith("@") or "=@" in given
    every = given.values() if isinstance(given, Mapping) else given
    is_many = isinstance(given, list | tuple | Mapping)
    return is_many and any(isinstance(each, str) and _names_sets(each) for each in every)


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


def _header(plan: Plan, shard: Shard | None) -> Header:
    """What rows say of a run before anything is read."""
    options = plan.counter.given
    return Header(
        caesura=__version__,
        task=plan.task.name,
        profile=plan.profile.name if plan.profile else "",
        references=tuple(plan.references),
        systems=tuple(plan.systems),
        options=options,
        counted={n: own for n, own in asdict(plan.counter).items() if n not in options and own},
        shard=str(shard or ""),
    )


def _writer(rows: str | None, header: Header) -> AbstractContextManager[RowsWriter | None]:
    """What writes the rows, if they are asked for."""
    if rows is None:
        return nullcontext()
    from caesura.run.rows_writer import RowsWriter

    return RowsWriter.open(rows, header)


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
        from caesura.stats.confidence import add_confidence

        summary = add_confidence(summary, table, how)
    return summary


def _plan(
    given: str | Task | None, sides: Sides, missing: Missing, options: OptionValues, seed: int
) -> Plan:
    """The cases of a task, of the one that is named, or of the one that what is given is of."""
    profile = _profile(options)
    if profile is not None:
        return _of_profile(profile, sides, missing, options)
    task = _guessed(sides) if given is None else _named(given)
    _require_sides(task, sides)
    if "seed" in declared(task.options_class):
        options["seed"] = seed
    return _made(task, sides, missing, options)


def _profile(options: OptionValues) -> Profile | None:
    """The community's profile that is named; transcripts and terms have profiles of their own."""
    name = options.get("profile")
    if not name or name in OWN_PROFILES:
        return None
    from caesura.profiles import PROFILES

    return PROFILES[options.pop("profile")] if name in PROFILES else None


def _made(task: Task, sides: Sides, missing: Missing, options: OptionValues) -> Plan:
    assert task.plan is not None, task.name
    if missing == "vary" and not task.may_vary:
        raise UsageError(
            f"{option('missing', 'vary')} is for annotators of transcripts, not for {task.name}"
        )
    plan: Plan = task.plan.it(task, sides, missing, options)
    return plan


def _named(name: str | Task) -> Task:
    """A task of which `evaluate` is told the name, or the task itself."""
    if isinstance(name, Task):
        return name
    known = [each for each, task in TASKS.items() if task.counter is not None]
    if name not in known:
        raise UnknownNameError("task", str(name), known)
    return TASKS[name]


def _guessed(sides: Sides) -> Task:
    """The first task that is scored against what is given."""
    given = {name for name in ("gold", "phones", "words") if getattr(sides, name) is not None}
    for task in TASKS.values():
        if given.issubset(task.against) and bool(given) != ("references" in task.against):
            return task
    raise UsageError(f"no task is scored against {' and '.join(sorted(given))}; give one of them")


def _require_sides(task: Task, sides: Sides) -> None:
    """Raise an error if what a task is scored against is not given, or something else is."""
    if task.has_gold and sides.gold is None:
        raise UsageError(f"{task.name} is scored against gold; give it with {option('gold', '…')}")
    if "references" in task.against and sides.gold is not None:
        raise UsageError(f"{task.name} are scored against a reference; give it as references")
    if any(getattr(sides, name) is None for name in task.against):
        both = " and ".join(task.against)
        raise UsageError(f"{task.name} are scored against both {both}; give both")


def _of_profile(profile: Profile, sides: Sides, missing: Missing, options: OptionValues) -> Plan:
    """What a profile says, with the options that it takes."""
    empty = (None, False, ())
    told = {key: each for key, each in options.items() if not any(each is no for no in empty)}
    for key in told:
        if key not in profile.takes:
            raise UsageError(
                f"{profile.name} has no option {key}; it has {', '.join(profile.takes)}"
            )
    gold = sides.references if sides.gold is None else sides.gold
    has_systems = bool(sides.systems or told.get("run"))
    if not has_systems or (isinstance(gold, list | tuple) and not gold):
        raise UsageError(f"{profile.name} needs systems and {option('gold', '…')}; give both")
    given = {**profile.options, **told}
    if ALSO in told:
        given[ALSO] = tuple(dict.fromkeys((*profile.options.get(ALSO, ()), *told[ALSO])))
    task = TASKS[profile.task]
    sides = replace(sides, **{task.against[0]: gold})
    return replace(_made(task, sides, missing, given), profile=profile)


def with_names(given: Mapping[str, Any]) -> OptionValues:
    """Options with the measures to add, one or several, as a tuple."""
    if ALSO not in given:
        return dict(given)
    also = given[ALSO] or ()
    return {**given, ALSO: (also,) if isinstance(also, str) else tuple(also)}


T = TypeVar("T")


def taken(kind: type[T], options: OptionValues) -> T:
    """Some of the options, taken out of all of them."""
    names = [field.name for field in fields(kind) if field.name in options]  # type: ignore[arg-type]
    return kind(**{name: options.pop(name) for name in names})


def _with_units(plan: Plan, how: Resampling, *, few: bool, asked: bool) -> Plan:
    """The plan with documents counted in the units that can be resampled, if that is asked for."""
    if plan.task.resampled != "document":
        return replace(plan, counter=replace(plan.counter, recordings=asked))
    in_blocks = asked and ((few and how.unit == "auto") or how.unit == "block")
    if in_blocks and not plan.counter.has_blocks:
        if how.unit == "block":
            raise UsageError(
                f"{option('axis', 'time')} and {option('streams', '…')} do not support blocks"
            )
        in_blocks = False
    return replace(plan, counter=replace(plan.counter, blocks=in_blocks))


def _files(plan: Plan) -> list[str]:
    """What is read: the files of the cases, and those that options name."""
    files = dict.fromkeys(file_of(path) for case in plan.cases for path in case.files)
    every = declared(plan.task.options_class).items()
    named = [name for name, each in every if "FILE" in (each.about.metavar or "")]
    return [*files, *filter(None, (getattr(plan.counter, name) for name in named))]


def _is_light(cases: Sequence[Case]) -> bool:
    """Whether rows of blocks, by which runs can be compared later, cost little time and space."""
    return 0 < sum(case.weight for case in cases) <= LIGHT
