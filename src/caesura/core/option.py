"""Options: each is declared once, as a field; commands, Python, signatures and docs read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from inspect import get_annotations
from typing import Any, ClassVar, Literal, Self

from caesura.core.option_rules import Setting, require_partners
from caesura.core.score import BOUNDARY
from caesura.errors import UnknownNameError

KEY = "option"
OptionValues = dict[str, Any]
"""Options by name, with values as users give them or as the fields hold them."""
Group = Literal["Input", "Alignment", "Measures", "Output"]
"""The part of the help in which an option stands."""


@dataclass(frozen=True, slots=True)
class Read:
    """What is known of a run when it is over: the forms of its files, and how many there are."""

    forms: tuple[str, ...]
    references: int
    documents: int
    has_systems: bool = True
    panels: tuple[int, ...] = ()
    """The numbers of references that documents have, where they vary."""
    signs: tuple[str, ...] = ()
    """What was noticed of some file; see `Document`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What a field cannot say itself: the help, where it stands, and what it changes.

    The type of the field says what can be given: a `Literal` is a choice, `bool` a flag, and
    a tuple may be given several times. What changes a score is in the signature, too.
    """

    help: str
    group: Group = "Measures"
    metavar: str | None = None
    flag: str = ""
    """The name on the command line, if it is not that of the field."""
    on: Literal["commands", "systems", "profiles", "python", "rows"] = "commands"
    """Who has it: commands of the task, those with systems, profiles, only Python, only rows."""
    written: str = ""
    """The type of what users write, if the field holds what that is parsed into."""
    unset: str = ""
    """What the help calls the default if an option that is not given is decided later."""
    least: int | None = None
    most: int | None = None
    above: float | None = None
    choices: tuple[str, ...] = ()
    """What can be given, where the type cannot say it."""
    needs: tuple[Setting, ...] = ()
    """The settings of other options, one of which it needs to have an effect."""
    clash: tuple[Setting, ...] = ()
    """Settings with which it has no effect."""
    is_repeated: bool = False
    """Whether it may be given several times."""
    is_main: bool = False
    """Whether the short help has it."""


@dataclass(frozen=True, slots=True)
class Declared:
    """An option with the field that it is of; the type is as it is written in the source."""

    name: str
    default: Any
    type: str
    about: Option

    @property
    def flag(self) -> str:
        """The name on the command line."""
        return self.about.flag or "--" + self.name.replace("_", "-")


def option(default: Any, help: str, **about: Any) -> Any:
    """A field that is an option; a field made in another way is none."""
    return field(default=default, metadata={KEY: Option(help=help, **about)})


def flag(help: str, **about: Any) -> Any:
    """An option that is off unless it is given."""
    return field(default=False, metadata={KEY: Option(help=help, **about)})


def encoding() -> Any:
    """The option that every task has."""
    return option(
        None, "The encoding of the files.", group="Input", metavar="NAME",
        unset="UTF-8, or as their byte-order mark says",
    )  # fmt: skip


def also_boundary() -> Any:
    """The option of a profile's task that has no further measures, only tables of its own."""
    return option(
        (), "Add boundary (caesura's own tables, below).",
        choices=(BOUNDARY,), is_repeated=True, written="str | Sequence[str] | None",
    )  # fmt: skip


def require_boundary(also: Sequence[str]) -> None:
    """Raise an error if `also_boundary` names anything else."""
    for name in also:
        if name != BOUNDARY:
            raise UnknownNameError("measure to add", name, [BOUNDARY])


def declared(kind: type[Options]) -> dict[str, Declared]:
    """The options of a class by name, its own before those that it inherits."""
    every = {each.name: each for each in fields(kind) if KEY in each.metadata}
    order = dict.fromkeys(name for base in kind.__mro__ for name in get_annotations(base))
    own = {
        name: Declared(name, every[name].default, str(every[name].type), every[name].metadata[KEY])
        for name in order
        if name in every
    }
    return {**own, **kind.presets}


def filled(signature: Mapping[str, object]) -> dict[str, object]:
    """What of a signature says something."""
    return {name: value for name, value in signature.items() if value not in (None, "")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The base of the options of a task; fields that are no options say how a run is counted.

    `presets` are options that only set others.
    """

    presets: ClassVar[Mapping[str, Declared]] = {}

    @classmethod
    def from_given(cls, given: Mapping[str, object]) -> Self:
        """The options as users give them; an unknown name is an error."""
        every = declared(cls)
        for name in given:
            if name not in every:
                known = [name for name, each in every.items() if each.about.on != "rows"]
                raise UnknownNameError("option", name, known)
        values = cls.parse(dict(given))
        require_partners(
            values,
            {name: each.about.needs for name, each in every.items() if each.about.needs},
            {name: each.about.clash for name, each in every.items() if each.about.clash},
            {name: each.default for name, each in every.items()},
        )
        return cls(**values)

    @property
    def has_blocks(self) -> bool:
        """Whether documents can be counted in blocks, which are resampled."""
        return True

    def advice(self, forms: Sequence[str]) -> list[str]:  # noqa: ARG002
        """Warnings of options that have no effect on files of these forms."""
        return []

    def after(self, table: Any) -> Self:  # noqa: ARG002
        """The options after a run, which may have found more to count."""
        return self

    @classmethod
    def parse(cls, given: OptionValues) -> OptionValues:
        """The values of fields, from what users write; None is not given, where it can be."""
        known = declared(cls)
        return {
            name: value
            for name, value in given.items()
            if value is not None or not (known[name].about.unset or not known[name].default)
        }

    @property
    def given(self) -> OptionValues:
        """The options by name, as JSON and rows have them."""
        return {
            each.name: getattr(self, each.name) for each in fields(self) if KEY in each.metadata
        }

    def signature(self, read: Read) -> dict[str, object]:
        """Every option that can change a score, and the number of documents."""
        return {"docs": read.documents}
