"""Task: all that the kernel knows of a task. It is passed one, and never looks one up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from caesura.core.profile import Profile
from caesura.core.registry import Later, Registry
from caesura.core.score import BOUNDARY

if TYPE_CHECKING:
    from caesura.core.command import Command
    from caesura.core.format import Format
    from caesura.core.measure import GroupMeasure
    from caesura.core.option import Options
    from caesura.core.score import View

SCORE = "score"
"""The command of profiles."""


Made = Callable[..., Any]
"""A function of a task; what it takes and returns is said where it is called."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """A task: what it is called, and where its parts are, which are imported when they are used."""

    # Names
    name: str
    """In JSON, in rows, and in Python: `evaluate(task=…)`."""
    command: str
    """What is typed after `caesura`, or the function of Python if nothing is."""
    summary: str = ""
    """One line about its command in the help; nothing if it has no command of its own."""
    called: Later[Command] | None = None
    """Its arguments and help, of which the command is made."""
    unit: str
    """What lies between boundaries, in notes: 3 lines."""
    scored: str
    """What the page asks for: How good are these morphs?"""
    behind: str
    """What the page can show behind the scores."""

    # What is given, and how it is counted
    against: tuple[str, ...] = ("gold",)
    """What systems are scored against: arguments of `evaluate`."""
    has_systems: bool = True
    alone: Later[Task] | None = None
    """The task of the references alone, where no systems are given."""
    plan: Later[Made] | None = None
    """Makes cases of what is given."""
    value: Later[Made] | None = None
    """Makes a document of a value of Python."""
    options: Later[type[Options]] | None = None
    counter: Later[type[Any]] | None = None
    """Counts cases: a subclass of the options. None: a function of Python only."""
    formats: tuple[Format, ...] = ()
    """Its own formats, besides those of transcripts and text."""
    may_vary: bool = False
    """Whether documents may have different references: `missing="vary"`."""
    resampled: str = "document"
    """What bootstraps draw."""

    # Scores
    measures: Registry[Any]
    further: tuple[str, ...] = ()
    """The measures that are counted only if they are asked for by name."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The measures that scores with a parameter are of, and the option that it stands for."""
    has_ceiling: bool = False
    """Whether annotators are scored against each other, to compare systems with."""
    problems: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Signs of what looks misread: what is counted, and what the warning says."""
    extras: Later[Made] | None = None
    """Adds to a summary what it has besides the scores of systems."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """The titles of tables of groups: label, Brackets by label."""
    grouped: Later[type[GroupMeasure]] | None = None
    """The measure that counts the groups."""
    grouped_if: str = ""
    """Its name, where it is counted only if it is asked for."""

    # Output
    tables: Mapping[View, tuple[str, str]] = field(default_factory=dict)
    """Views that have a table, with its id and title, for a task without a page of its own."""
    page: Later[Made] | None = None
    """Its tables, if they are not one for each view."""
    report_tables: Later[Made] | None = None
    """The tables of the report, if it has others than the page."""
    errors: Later[Any] | None = None
    """How errors are found, listed and written."""
    kept: Mapping[str, tuple[Later[type[Any]], Later[Made]]] = field(default_factory=dict)
    """What a run keeps, by kind, and how it becomes readings of the report."""

    @property
    def has_gold(self) -> bool:
        """Whether systems are scored against one gold version."""
        return "gold" in self.against

    @property
    def options_class(self) -> type[Options]:
        """The class of its options."""
        assert self.options is not None, f"{self.name} has no options"
        return self.options.it

    @property
    def counter_class(self) -> type[Any]:
        """The class that counts it."""
        assert self.counter is not None, f"{self.name} has no command"
        return self.counter.it

    def counted(self, also: Collection[str] | None) -> tuple[Any, ...]:
        """The measures that are always counted, and further ones that `also` names, or all."""
        left_out = () if also is None else set(self.further).difference(also)
        counted = tuple(self.measures[name] for name in self.measures if name not in left_out)
        added = (name for name in also or () if name not in {*self.measures, BOUNDARY})
        return (*counted, *map(self.measure, added))

    def measure(self, name: str) -> Any:
        """A measure by its name, which may have a parameter: `windows@8`."""
        if "@" not in name:
            return self.measures[name]
        from caesura.core.variants import variant

        kind, _, value = name.partition("@")
        return variant(self.measures[kind], self.parameters[kind], value)

    def named(self, also: Sequence[str]) -> tuple[str, ...]:
        """The measures that are meant by names, some of which are scores with a parameter."""
        from caesura.core.variants import canonical

        every = (
            canonical(each, self.measures, self.parameters) if "@" in each else each
            for each in also
        )
        return tuple(dict.fromkeys(every))

    @property
    def place(self) -> str:
        """Where it is found: a command, or a function."""
        return f"caesura {self.command}" if self.counter else f"{self.command}, in Python"

    def __str__(self) -> str:
        return self.name

    def __plain__(self) -> str:
        return self.name

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class Known:
    """The tasks and the profiles that there are, for what reads their names in a file."""

    tasks: Mapping[str, Task]
    profiles: Mapping[str, Profile]

    def find(self, task: str, profile: str) -> tuple[Task, Profile | None]:
        """Those of these names; a ValueError if there are none."""
        if task not in self.tasks or self.tasks[task].counter is None:
            raise ValueError(f"rows of an unknown task '{task}'")
        if profile and getattr(self.profiles.get(profile), "task", "") != task:
            raise ValueError(f"rows of an unknown profile '{profile}'")
        return self.tasks[task], self.profiles.get(profile)


class Kind(NamedTuple):
    """Whose scores they are: a task's, or a profile's over it; the measures asked for by name.

    `also` is None where nothing is known of what was asked for: then all measures are meant.
    """

    task: Task
    profile: Profile | None = None
    also: tuple[str, ...] | None = None

    @property
    def mean(self) -> Literal["micro", "macro"]:
        """The mean over documents that is compared and gated unless another is asked for."""
        return self.profile.mean if self.profile else "micro"

    def __str__(self) -> str:
        return f"{SCORE} {self.profile.name}" if self.profile else self.task.name

    def __plain__(self) -> str:
        return str(self)
