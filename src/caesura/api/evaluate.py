"""evaluate(): the function that every scoring command calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from caesura.core.option import OptionValues, declared
from caesura.core.option_rules import require_shared_partners, unrefined
from caesura.core.profile import Profile
from caesura.core.score import ALSO
from caesura.core.task import Task
from caesura.errors import UnknownNameError, UsageError, option
from caesura.run.given import Given, Sides
from caesura.run.run import Running, Watch
from caesura.stats.resampling import Resampling
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared
from caesura.tasks import TASKS

if TYPE_CHECKING:
    from caesura.run.rows_file import RowsFile


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
    shared = Shared(
        rows_at=_rows_at,
        missing=missing,
        drawing=how,
        running=running,
        shard=shard,
        confidence=confidence,
        compare=compare,
        blocks=blocks,
        rows=rows,
        with_text=with_text,
        reads=reads,
        watch=watch,
        signed=signed,
        advice=(*shadowing, *unrefined(asked | asdict(how))),
    )
    profile = None  # of a community; transcripts and terms have profiles of their own
    if name := given.get("profile"):
        from caesura.communities import PROFILES

        profile = PROFILES[given.pop("profile")] if name in PROFILES else None
    if profile is not None:
        task = TASKS[profile.task]
        sides, given = _of_profile(profile, task, sides, given)
        shared = replace(shared, profile=profile)
    else:
        task = _guessed(sides) if task is None else _named(task)
        _require_sides(task, sides)
        if "seed" in declared(task.options_class):
            given["seed"] = how.seed
    if missing == "vary" and "missing" not in declared(task.options_class):
        raise UsageError(
            f"{option('missing', 'vary')} is for annotators of transcripts, not for {task.name}"
        )
    evaluation: Evaluation = task.parts.score(sides, given, shared)
    return evaluation


def _rows_at(path: str) -> RowsFile:
    from caesura.api.saved import KNOWN
    from caesura.run.rows_file import read_rows

    return read_rows(path, KNOWN)


def _with_sets(sides: Sides, folder: str) -> tuple[Sides, str, list[str]]:
    """Paths in place of named sets, `@NAME`; what these add to the signature; warnings."""
    given = {field.name: getattr(sides, field.name) for field in fields(sides)}
    if not any(map(_names_sets, given.values())):
        return sides, "", []
    from caesura.sets.named_sets import Expansion, sets_from

    expand = Expansion()
    named = ("systems", "references", "gold")
    with sets_from(folder):
        made = {
            name: (expand if name in named else expand.path)(each) for name, each in given.items()
        }
    return Sides(**made), expand.signature, [used.warning for used in expand.used if used.warning]


def _names_sets(given: Any) -> bool:
    """Whether a path in what is given may be the name of a set; documents are not looked into."""
    if isinstance(given, str):
        return given.startswith("@") or "=@" in given
    every = given.values() if isinstance(given, Mapping) else given
    is_many = isinstance(given, list | tuple | Mapping)
    return is_many and any(isinstance(each, str) and _names_sets(each) for each in every)


def _named(name: str | Task) -> Task:
    """A task of which `evaluate` is told the name, or the task itself."""
    if isinstance(name, Task):
        return name
    known = [each for each, task in TASKS.items() if task.load is not None]
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


def _of_profile(
    profile: Profile, task: Task, sides: Sides, options: OptionValues
) -> tuple[Sides, OptionValues]:
    """What is given as the profile's task takes it: its sides, and the options that both say."""
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
    return replace(sides, **{task.against[0]: gold}), given


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
