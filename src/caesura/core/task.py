"""Task: all that the kernel knows of a task. It is passed one, and never looks one up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from caesura.core.profile import Profile
from caesura.core.registry import Registry, imported
from caesura.core.score import BOUNDARY

if TYPE_CHECKING:
    from caesura.core.command import Command
    from caesura.core.format import Format
    from caesura.core.option import Options

SCORE = "score"
"""The command of profiles."""
COMMUNITIES = "caesura.communities:PROFILES"
"""Where the profiles are; some bring measures to a task."""


Made = Callable[..., Any]
"""A function of a task; what it takes and returns is said where it is called."""


class Measures(Registry[Any]):
    """The measures of a task, by name; of those in `further`, only the ones that are asked for.

    So are those that communities bring to the task of the name `of`, and measures of plug-ins,
    which have the name of the task before their own. Scores with a parameter, such as windows@8,
    are of the measures in `parameters`, with the option that it stands for.
    """

    def __init__(
        self,
        places: Mapping[str, str],
        of: str = "",
        *,
        further: Collection[str] = (),
        parameters: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(places, f"measures/{of}" if of else "")
        self.of, self.further, self.parameters = of, tuple(further), parameters or {}

    def brought(self, *, by_plugins: bool = False) -> dict[str, str]:
        """The measures of bundled communities and of plug-ins, each at its place."""
        if not self.of:
            return {}
        profiles = imported(COMMUNITIES)
        if by_plugins:
            profiles.extended()
        measures = (each.measures for each in profiles.values() if each.task == self.of)
        return {name: place for each in measures for name, place in each.items()}

    def added(self) -> dict[str, Any]:
        """What plug-ins add, by name: measures alone, and those of their profiles."""
        own, brought = {*self, *self.brought()}, self.brought(by_plugins=True)
        of_profiles = {name: imported(at) for name, at in brought.items() if name not in own}
        return of_profiles | super().added()

    @property
    def always(self) -> list[str]:
        """Those that are counted without being asked for."""
        return [name for name in self if name not in self.further]

    @property
    def asked_for(self) -> tuple[str, ...]:
        """All that are counted only if they are asked for, those of communities included."""
        return (*self.brought(), *self.further)

    def counted(self, also: Collection[str] | None) -> tuple[Any, ...]:
        """The measures that are always counted, and others that `also` names, or all."""
        asked = self.asked_for if also is None else also
        further = [name for name in self.further if name in asked]
        others = dict.fromkeys(name for name in asked if name not in {*self, BOUNDARY})
        brought = [name for name in self.brought() if name in others] if others else []
        added = [name for name in others if name not in brought]
        return tuple(map(self.measure, (*self.always, *brought, *further, *added)))

    def measure(self, name: str) -> Any:
        """A measure by its name, which may have a parameter: `windows@8`."""
        if "@" not in name:
            return self[name]
        from caesura.core.variants import variant

        kind, _, value = name.partition("@")
        return variant(self[kind], self.parameters[kind], value)

    def named(self, also: Sequence[str]) -> tuple[str, ...]:
        """The measures that are meant by names, some of which are scores with a parameter."""
        from caesura.core.variants import canonical

        every = (canonical(each, self, self.parameters) if "@" in each else each for each in also)
        return tuple(dict.fromkeys(every))


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a task consists of, besides its options: classes and functions."""

    counter: type[Any]
    """Counts cases: a subclass of the options."""
    score: Made
    """Scores what is given, from the first file to the last table."""
    summary: Made
    """Everything that is shown, from counts alone: those of a run, or saved ones."""
    page: Made
    """The tables of a summary."""
    report_tables: Made | None = None
    """The tables of the report, if it has others than the page."""
    errors: Callable[[], Any] = lambda: None
    """Imports how errors are found, listed and written, if they are."""
    kept: Callable[[], Mapping[str, tuple[type[Any], Made]]] = dict
    """Imports what a run keeps, by kind, and how it becomes readings of the report."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """A task: what it is called, what it scores, and its parts, which are imported when used."""

    # Names
    name: str
    """In JSON, in rows, and in Python: `evaluate(task=…)`."""
    command: str
    """What is typed after `caesura`, or the function of Python if nothing is."""
    help: str = ""
    """One line about its command in the help; nothing if it has no command of its own."""
    called: Callable[[], Command] | None = None
    """Its arguments and help, of which the command is made."""
    unit: str
    """What lies between boundaries, in notes: 3 lines."""
    scored: str
    """What the page asks for: How good are these morphs?"""
    behind: str
    """What the page can show behind the scores."""

    # What is given
    against: tuple[str, ...] = ("gold",)
    """What systems are scored against: arguments of `evaluate`."""
    has_systems: bool = True
    resampled: str = "document"
    """What bootstraps draw."""
    formats: tuple[Format, ...] = ()
    """Its own formats, besides those of transcripts and text."""

    # How it is scored
    measures: Measures
    options: Callable[[], type[Options]] | None = None
    load: Callable[[], Parts] | None = None
    """Imports its parts. None: a function of Python only."""

    @cached_property
    def parts(self) -> Parts:
        """Its parts, imported once."""
        assert self.load is not None, f"{self.name} has no command"
        return self.load()

    @property
    def has_gold(self) -> bool:
        """Whether systems are scored against one gold version."""
        return "gold" in self.against

    @property
    def options_class(self) -> type[Options]:
        """The class of its options."""
        assert self.options is not None, f"{self.name} has no options"
        return self.options()

    @property
    def place(self) -> str:
        """Where it is found: a command, or a function."""
        return f"caesura {self.command}" if self.load else f"{self.command}, in Python"

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
        if task not in self.tasks or self.tasks[task].load is None:
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
