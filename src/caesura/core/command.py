"""Command: how a task is called on the command line, as data of which the command is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from caesura.core.registry import Later


@dataclass(frozen=True, slots=True, kw_only=True)
class SideOption:
    """What systems are scored against, as an option: `--gold GOLD`.

    `name` is the argument of `evaluate`. Without `is_reference`, it is not what users may call
    `--ref` or `--gold`.
    """

    flag: str
    help: str
    name: str
    metavar: str = "GOLD"
    is_repeated: bool = False
    is_required: bool = True
    is_reference: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputLayout:
    """A format of output that only this command has, such as `-f evalb`.

    `make` takes the evaluation and what is asked of the page, and returns the text. It needs the
    option `needs`, and `refuses` what the page could have.
    """

    make: Later[Callable[..., str]]
    refuses: tuple[str, ...] = ("by_document",)
    needs: str = ""
    cure: str = ""
    reads: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """The command of a task: its help, its arguments, and what it prints besides tables.

    `about` follows the summary of the task in the help and ends with examples. `by` is the help of
    `--by`, which chooses among `groups`. `has_errors` says whether it lists errors.
    """

    about: str
    sides: tuple[SideOption, ...]
    systems: str = "SYSTEM..."
    by: str = ""
    groups: tuple[str, ...] = ()
    layouts: Mapping[str, OutputLayout] = field(default_factory=dict)
    has_documents: bool = True
    has_errors: bool = True


def gold_side(text: str) -> SideOption:
    """What most tasks are scored against: one gold version."""
    return SideOption(flag="--gold", name="gold", help=text)
