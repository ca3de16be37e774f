"""evaluate(): the function that every scoring command calls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, Unpack

from caesura.api.corrections import as_corrections
from caesura.api.evaluation import Evaluation
from caesura.api.morphemes import as_morphs
from caesura.api.segments import as_lines, in_documents_of
from caesura.api.sources import Given, detectors, gold_source, named_sides, sources
from caesura.api.trees import as_trees
from caesura.api.values import as_clusters, as_document, as_intervals, as_text
from caesura.core.profiles import PROFILES
from caesura.core.results import UNIT_FIELDS, Summary, TaskName
from caesura.core.row import Row
from caesura.errors import UnknownNameError, UsageError, on_command_line, option
from caesura.formats import recordings
from caesura.io.outputs import require_apart
from caesura.measures.base import ALSO
from caesura.run.cases import (
    Case,
    FileNames,
    Source,
    match,
    not_matched,
    require_distinct,
    require_one_stdin,
    with_distinct_names,
)
from caesura.run.run import Running, Watch
from caesura.run.run import run as run_cases
from caesura.scores.notes import left_out
from caesura.scores.summary import summarize, with_skipped
from caesura.stats.draws import FEW
from caesura.stats.resampling import Resampling
from caesura.tasks import TASKS
from caesura.tasks.partners import require_partners, unrefined

if TYPE_CHECKING:
    from caesura.api.paged import SystemSweep

PATHS = ("uem", "equivalences", "evalb", "dictionary", "talkers")
"""The options that may name a file."""
SYSTEMS_ONLY = ("tolerance", "k", "consensus")
"""What has no effect without systems; a tolerance only if boundaries are compared by words."""
LIGHT = 1 << 19
"""Up to this many bytes, few documents are saved in blocks without being asked to."""


class EvaluateOptions(TypedDict, total=False):
    """How documents are read, scored, resampled and counted: the options of the commands."""

    window: int | str | None
    final: Literal["drop", "keep"] | None
    profile: str
    marks: str
    input: str
    units: str
    tier: str | None
    rate: int | None
    consensus: int | None
    tolerance: int | str | None
    k: int | None
    near: int
    normalize: Any
    align: bool
    axis: Literal["words", "time"]
    axis_from: str | None
    by: str | None
    streams: str | None
    pool: bool
    encoding: str | None
    su: bool
    uem: str | None
    run: str | Sequence[str] | Mapping[str, str] | None
    equivalences: str
    algorithm: Literal["blocks", "literal", "jp"]
    labels: Literal["cut", "full"]
    match: Literal["correction", "type", "span", "token"]
    annotators: Literal["best", "errant"]
    beta: float
    tokens: Literal["exact", "lower", "bare"]
    resegment: Literal["auto", "always", "never"]
    metrics: str
    tokenize: str
    keep_empty: bool
    evalb: str | None
    force: bool
    sentences_only: Sequence[str]
    also: str | Sequence[str] | None
    max_cpl: int
    max_cps: int
    max_lines: int
    ties: Literal["decimal", "double"]
    parts: int
    within_talker: bool
    talkers: str | None
    dictionary: str | None
    costs: str | Sequence[int] | None
    level: float
    resamples: int
    method: Literal["bca", "percentile"]
    unit: Literal["auto", "document", "block"]
    seed: int
    jobs: int | None
    engine: str
    resume: bool
    keep_going: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """The task, its cases, and the names of systems and references."""

    command: TaskName
    task: Any
    cases: list[Case]
    systems: list[str]
    references: list[str]
    profile: str = ""
    skipped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Golden:
    """What systems are scored against where that is not one of many references."""

    gold: Any
    phones: Any
    words: Any
    task: str | None
    docids: Any = None


def evaluate(
    systems: Given = (),
    references: Given = (),
    *,
    gold: Any = None,
    task: Literal["text", "trees", "corrections", "morphemes", "sentences"] | None = None,
    docids: Any = None,
    phones: Any = None,
    words: Any = None,
    missing: Literal["error", "skip"] = "error",
    confidence: bool = False,
    compare: bool = False,
    blocks: bool = False,
    rows: str | None = None,
    with_text: bool = False,
    reads: bool = False,
    watch: Watch | None = None,
    **options: Unpack[EvaluateOptions],
) -> Evaluation:
    """Score systems against references; without systems, measure the agreement of the references.

    Systems and references are paths of files or folders, or documents in memory, by name; a list of
    sentences is one document. With
    `gold`, score tokens and sentences of text, or with `task` trees, corrections or morphemes; with
    `phones` and `words`, terms found in speech. With `task="sentences"`, score texts in the
    segments of the only reference; `docids` names the document of each segment. With the name of a
    community's `profile`, such as sighan, `gold` is read and scored as it does.
    `confidence` adds intervals, `compare` compares the systems with the first, `rows` saves the
    counts, `reads` keeps what the report shows, so that files are not read again; the options are
    those of the command line.

    >>> found = evaluate({"ours": ["it rained", "we left"]}, {"ann": ["it rained", "we left"]})
    >>> found.systems["ours"].f1
    1.0
    """
    given = _with_names(dict(options))
    how, running = _taken(Resampling, given), _taken(Running, given)
    if running.resume and rows is None:
        raise UsageError(
            f"{option('resume')} needs the rows of the run; name them with {option('rows', 'FILE')}"
        )
    asked = {"confidence": confidence, "compare": compare, "blocks": blocks, "rows": rows}
    require_partners(asked | {"with_text": with_text})
    seed = {"seed": how.seed} if phones is not None else {}
    golden = Golden(gold, phones, words, task, docids)
    plan = _plan(systems, references, golden, missing, given | seed)
    if compare:
        require_rivals(plan.systems, plan.references)
    if rows is not None:
        require_apart({"rows": [rows]}, _files(plan.cases, given))
    saved = rows is not None and _is_light(plan.cases)
    plan = _with_units(plan, how, asked=confidence or compare or blocks or saved)
    reads = reads or with_text or bool(getattr(plan.task, "runs", ()))
    found = run_cases(plan.cases, plan.task, running, rows=rows, reads=reads, watch=watch)
    names = plan.systems, plan.references
    place = FileNames(plan.cases)
    summary = summarize(
        plan.command, found.rows, *names, plan.task, place=place, profile=plan.profile
    )
    failed = {each.document: each.message for each in found.failures}
    summary = with_skipped(summary, plan.skipped, failed)
    advice = unrefined(asked | asdict(how))
    summary = replace(summary, warnings=(*summary.warnings, *advice))
    evaluation = Evaluation(summary, found.rows, plan.task, found, how)
    if rows is not None:
        evaluation.save(rows, with_text=with_text)
    found.finish()
    drawn = with_statistics(summary, found.rows, how, confidence=confidence, compare=compare)
    return replace(evaluation, summary=drawn)


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
    summary: Summary, rows: Sequence[Row], how: Resampling, *, confidence: bool, compare: bool
) -> Summary:
    """The summary with intervals, and with the systems compared with the first, if requested."""
    if compare:
        from caesura.stats.compare import compare as compare_systems
        from caesura.stats.contest import Contest

        contest = Contest.from_summary(summary, rows)
        require_rivals(contest.systems, contest.references)
        compared = compare_systems(contest, how, contest.systems[0])
        summary = replace(summary, comparison=compared, signature=compared.signature)
    if confidence:
        from caesura.stats.confidence import add_confidence

        summary = add_confidence(summary, rows, how)
    return summary


def sweep(
    systems: Given,
    references: Given,
    option: str,
    *,
    missing: Literal["error", "skip"] = "error",
    watch: Watch | None = None,
    **options: Unpack[EvaluateOptions],
) -> SystemSweep:
    """Score transcripts with several values of one option, such as `window=0..10`."""
    from caesura.api.paged import SystemSweep
    from caesura.stats.sweep import swept
    from caesura.tasks.sweep import Sweep

    given = _with_names(dict(options))
    running = _taken(Running, given)
    advice = unrefined(asdict(_taken(Resampling, given)))
    plan = _transcripts(systems, references, missing, given)
    task = Sweep.parse(option, plan.task, len(plan.references))
    outcome = run_cases(plan.cases, task, running, watch=watch)
    names, place = (plan.systems, plan.references), FileNames(plan.cases)
    found = swept(outcome.rows, *names, task, place=place)
    told = (*left_out(plan.skipped, len(plan.cases)), *advice)
    warnings = (*map(on_command_line, told), *found.warnings)
    return SystemSweep.showing(replace(found, skipped=plan.skipped, warnings=warnings))


def _plan(
    systems: Given,
    references: Given,
    golden: Golden,
    missing: Literal["error", "skip"],
    options: dict[str, Any],
) -> Plan:
    if options.get("profile") in PROFILES:
        return _of_profile(systems, references, golden, missing, options)
    if golden.phones is not None or golden.words is not None:
        return _terms(systems, golden.phones, golden.words, options)
    if golden.task == "sentences":
        if golden.gold is not None:
            raise UsageError("sentences are scored against a reference; give it as references")
        return _sentences(systems, references, golden.docids, missing, options)
    if golden.task not in (None, *GOLDEN):
        raise UnknownNameError("task", str(golden.task), (*GOLDEN, "sentences"))
    if golden.gold is None and golden.task is not None:
        raise UsageError(
            f"{golden.task} is scored against gold; give it with {option('gold', '…')}"
        )
    if golden.gold is not None:
        return _against_gold(systems, golden, missing, options)
    return _transcripts(systems, references, missing, options)


def _of_profile(
    systems: Given,
    references: Given,
    golden: Golden,
    missing: Literal["error", "skip"],
    options: dict[str, Any],
) -> Plan:
    """What a profile says, with the options that it takes."""
    name = options.pop("profile")
    profile = PROFILES[name]
    empty = (None, False, ())
    told = {key: each for key, each in options.items() if not any(each is no for no in empty)}
    for key in told:
        if key not in profile.takes:
            raise UsageError(f"{name} has no option {key}; it has {', '.join(profile.takes)}")
    gold = references if golden.gold is None else golden.gold
    if not systems or (isinstance(gold, list | tuple) and not gold):
        raise UsageError(f"{name} needs systems and {option('gold', '…')}; give both")
    given = {**profile.options, **told}
    if ALSO in told:
        given[ALSO] = tuple(dict.fromkeys((*profile.options.get(ALSO, ()), *told[ALSO])))
    if profile.task == "transcript":
        plan = _transcripts(systems, gold, missing, given)
    else:
        plan = _against_gold(systems, replace(golden, gold=gold, task=profile.task), missing, given)
    return replace(plan, profile=name)


def _transcripts(
    systems: Given, references: Given, missing: Literal["error", "skip"], options: dict[str, Any]
) -> Plan:
    from caesura.tasks.options import transcript_task

    systems, references = named_sides(systems, references)
    runs = detectors(options.pop("run", None))
    task = transcript_task(**options, runs=tuple(runs.items()))
    read = partial(as_document, input=task.input, units=task.units, marks=task.marks)
    parts = partial(recordings, input=task.input, encoding=task.encoding, **task.of_format)
    ours = sources(systems, read, parts)
    theirs = sources(references, read, parts, name="reference")
    if not theirs:
        raise UsageError("no references; give at least one")
    ours, theirs = _distinct(ours, theirs, runs)
    cases, skipped = match(ours, theirs, missing=missing), not_matched([*ours, *theirs])
    names = [*(source.name for source in ours), *runs], [source.name for source in theirs]
    require_distinct([*names[0], *names[1]])
    if not names[0] and len(theirs) == 1:
        raise UsageError(
            "agreement needs at least two references; give another, or a system to score"
        )
    if not names[0]:
        _require_no(SYSTEMS_ONLY if task.axis == "words" else SYSTEMS_ONLY[1:], options)
    return Plan("transcript" if names[0] else "agreement", task, cases, *names, skipped=skipped)


def _require_no(names: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise an error if options of systems are given where agreement is measured."""
    for name in names:
        if options.get(name):
            raise UsageError(f"{option(name, '…')} has no effect on agreement; drop it")


GOLDEN: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "text": lambda task: partial(as_text, options=task.reading),
    "trees": lambda task: partial(as_trees, task=task),
    "corrections": lambda task: partial(as_corrections, task=task),
    "morphemes": lambda task: partial(as_morphs, task=task),
}
"""What is scored against one gold version, and how a value in memory is read for a task."""


def _against_gold(
    systems: Given, golden: Golden, missing: Literal["error", "skip"], options: dict[str, Any]
) -> Plan:
    command: Any = golden.task or "text"
    systems, gold = named_sides(systems, golden.gold, "gold")
    task = _checked(TASKS[command], options)
    read = GOLDEN[command](task)
    ours, (theirs,) = _distinct(sources(systems, read), [gold_source(gold, read)])
    cases, skipped = match(ours, [theirs], missing=missing), not_matched([*ours, theirs])
    names = [source.name for source in ours], [theirs.name]
    return Plan(command, task, cases, *names, skipped=skipped)


def _sentences(
    systems: Given,
    references: Given,
    docids: Any,
    missing: Literal["error", "skip"],
    options: dict[str, Any],
) -> Plan:
    systems, references = named_sides(systems, references)
    task = _checked(TASKS["sentences"], options)
    read = partial(as_lines, encoding=task.encoding)
    ours, theirs = sources(systems, read), sources(references, read, name="reference")
    if len(theirs) != 1:
        raise UsageError(
            f"{len(theirs)} references; give one, into whose segments the texts are put"
        )
    ours, theirs = _distinct(ours, theirs)
    if docids is not None:
        ours, theirs = in_documents_of(ours, theirs[0], docids, task.encoding)
    cases, skipped = match(ours, theirs, missing=missing), not_matched([*ours, *theirs])
    names = [each.name for each in ours], [theirs[0].name]
    return Plan("sentences", task, cases, *names, skipped=skipped)


def _terms(systems: Given, phones: Any, words: Any, options: dict[str, Any]) -> Plan:
    from caesura.tasks.terms import CORPUS

    if phones is None or words is None:
        raise UsageError("terms are scored against both phones and words; give both")
    if isinstance(systems, Mapping):
        systems = {n: as_clusters(v) if isinstance(v, Mapping) else v for n, v in systems.items()}
    every = with_distinct_names(
        [each for source in sources(systems, as_clusters) for each in source.each()]
    )
    gold = {tier: as_intervals(each, tier) for tier, each in (("phones", phones), ("words", words))}
    paths = [source.path for source in every if source.value is None]
    require_one_stdin([*paths, *(each for each in gold.values() if isinstance(each, str))])
    names = [source.name for source in every]
    require_distinct(names)
    case = Case(CORPUS, {source.name: source.version for source in every}, gold)
    return Plan("terms", _checked(TASKS["terms"], options), [case], names, ["gold"])


def _distinct(
    systems: Sequence[Source], references: Sequence[Source], runs: Collection[str] = ()
) -> tuple[list[Source], list[Source]]:
    """Systems and references with names that are distinct, also from those of detectors."""
    found = with_distinct_names([*systems, *references], runs)
    return found[: len(systems)], found[len(systems) :]


def _with_names(given: dict[str, Any]) -> dict[str, Any]:
    """Options with the measures to add, one or several, as a tuple."""
    if ALSO in given:
        also = given[ALSO] or ()
        given[ALSO] = (also,) if isinstance(also, str) else tuple(also)
    return given


T = TypeVar("T")


def _taken(kind: type[T], options: dict[str, Any]) -> T:
    """Some of the options, taken out of all of them."""
    names = [field.name for field in fields(kind) if field.name in options]  # type: ignore[arg-type]
    return kind(**{name: options.pop(name) for name in names})


def _checked(kind: type[Any], options: dict[str, Any]) -> Any:
    """A task with options that it has."""
    known = [field.name for field in fields(kind) if field.name not in UNIT_FIELDS]
    for name in options:
        if name not in known:
            raise UnknownNameError("option", name, known)
    require_partners(options)
    return kind(**options)


def _with_units(plan: Plan, how: Resampling, *, asked: bool) -> Plan:
    """The plan with documents counted in the units that can be resampled, if that is asked for."""
    if plan.command == "terms":
        return replace(plan, task=replace(plan.task, recordings=asked))
    few = how.unit == "auto" and len(plan.cases) < FEW
    in_blocks = asked and (few or how.unit == "block")
    if plan.command not in (*GOLDEN, "sentences"):
        if in_blocks and how.unit == "block" and not plan.task.has_blocks:
            raise UsageError(
                f"{option('axis', 'time')}, {option('streams', '…')} and {option('su')} do not "
                "support blocks"
            )
        in_blocks = in_blocks and plan.task.has_blocks
    return replace(plan, task=replace(plan.task, blocks=in_blocks))


def _files(cases: Sequence[Case], options: Mapping[str, Any]) -> list[str]:
    """What is read: the files of the cases, and those that options name."""
    files = [file for case in cases for file in case.files]
    return [*files, *(options[name] for name in PATHS if options.get(name))]


def _is_light(cases: Sequence[Case]) -> bool:
    """Whether rows of blocks, by which runs can be compared later, cost little time and space."""
    return len(cases) < FEW and 0 < sum(case.weight for case in cases) <= LIGHT
