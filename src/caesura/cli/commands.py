"""Commands: how help groups their options, and the error for an unknown one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeVar

import click

from caesura.cli.completion import complete_files
from caesura.errors import InterruptError

F = TypeVar("F", bound=Callable[..., Any])
WIDEST = 26
"""The widest option that has its help beside it."""
OTHERS = "Help"
ARGUMENTS = "caesura.arguments"
"""Where the arguments of a command are kept as they were typed."""
DEBUG = "debug"
"""Where the context says that tracebacks are wanted."""
REFERENCES = (("--ref",), ("--gold",), ("--phones", "--words"))
"""What references are called, in one command or another."""
MISTAKEN = ("--ref", "--refs", "--reference", "--references", "--gold")
"""What users may call them where they are called otherwise."""


class GroupedOption(click.Option):
    """An option that belongs to a group of the help."""

    def __init__(self, *names: Any, group: str, **how: Any) -> None:
        super().__init__(*names, **how)
        self.group = group

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Say what the default is, but not which numbers are possible: errors do."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


class Real(click.FloatRange):
    """A number in a range, neither nan nor infinite."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Take a number."""
        found = super().convert(value, param, ctx)
        if not isfinite(found):
            self.fail(f"{value} is not a number.", param, ctx)
        return found


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """A group of options, with its title in the help."""

    title: str

    def option(self, *names: str, **how: Any) -> Callable[[F], F]:
        """Declare an option of this group; a value of no other type may be a file."""
        if "type" not in how and not how.get("is_flag"):
            how.setdefault("shell_complete", complete_files)
        return click.option(*names, cls=GroupedOption, group=self.title, **how)


INPUT = OptionGroup("Input")
ALIGNMENT = OptionGroup("Alignment")
MEASURES = OptionGroup("Measures")
STATISTICS = OptionGroup("Statistics")
OUTPUT = OptionGroup("Output")
RUNNING = OptionGroup("Running")
EXIT = OptionGroup("Exit status")
BOUNDARIES = OptionGroup("Boundaries")
TRAINING = OptionGroup("Training")
GROUPS = (
    INPUT, ALIGNMENT, BOUNDARIES, TRAINING, MEASURES, STATISTICS, OUTPUT, EXIT, RUNNING,
)  # fmt: skip
"""The groups in the order of the help."""


def _debug(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        ctx.find_root().ensure_object(dict)[DEBUG] = True


def debug_option() -> click.Option:
    """The option that shows where an error comes from."""
    return GroupedOption(
        ["--debug"], group=RUNNING.title, is_flag=True, is_eager=True, expose_value=False,
        callback=_debug, help="Show the traceback of an error.",
    )  # fmt: skip


class GroupedCommand(click.Command):
    """A command whose help has its options in groups."""

    def __init__(self, *names: Any, **how: Any) -> None:
        super().__init__(*names, **how)
        self.params.append(debug_option())

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Arguments, then what must be given, then the rest."""
        params = self.get_params(ctx)
        arguments = [each for each in params if isinstance(each, click.Argument)]
        required = [each for each in params if isinstance(each, click.Option) and each.required]
        return [
            *(piece for each in arguments for piece in each.get_usage_pieces(ctx)),
            *(f"{each.opts[-1]} {each.metavar}" for each in required),
            "[OPTIONS]",
        ]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group, all in the same columns."""
        groups: dict[str, list[tuple[str, str]]] = {each.title: [] for each in GROUPS}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                groups.setdefault(getattr(param, "group", OTHERS), []).append(record)
        write_sections({title: rows for title, rows in groups.items() if rows}, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments as they were typed; say what an unknown option is called here."""
        ctx.meta[ARGUMENTS] = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as problem:
            raise self._better(problem, ctx) from None

    def _better(self, problem: click.NoSuchOption, ctx: click.Context) -> click.UsageError:
        """The error with what references are called here, if that is what was meant."""
        own = {name for param in self.params for name in (param.name, *param.opts)}
        meant = next((" and ".join(names) for names in REFERENCES if own.issuperset(names)), "")
        if problem.option_name not in MISTAKEN or not (meant or "references" in own):
            return problem
        cure = f"use {meant}" if meant else "references are arguments here"
        return click.UsageError(f"No such option '{problem.option_name}'; {cure}.", ctx)


class SectionedGroup(click.Group):
    """A command whose subcommands are listed in sections, with full summaries."""

    def __init__(self, *names: Any, sections: Mapping[str, Iterable[str]], **how: Any) -> None:
        super().__init__(*names, **how)
        self.sections = sections
        self.params.append(debug_option())

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand; click would say something of its own about Ctrl-C."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise InterruptError from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each kind of command."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        about = {name: each.get_short_help_str(1000) for name, each in commands.items() if each}
        rows = {title: [(n, about[n]) for n in names] for title, names in self.sections.items()}
        write_sections(rows, formatter)


def write_sections(
    sections: Mapping[str, list[tuple[str, str]]], formatter: click.HelpFormatter
) -> None:
    """Write what is defined, section by section; the definitions begin in the same column."""
    terms = [term for rows in sections.values() for term, _ in rows if len(term) <= WIDEST]
    width = max(map(len, terms), default=0)
    for title, rows in sections.items():
        with formatter.section(title):
            formatter.write_dl([(term.ljust(width), text) for term, text in rows], col_max=width)


def command(name: str | None = None) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command whose options are in groups."""
    return click.command(name, cls=GroupedCommand)


def argument(name: str, **how: Any) -> Callable[[F], F]:
    """Declare an argument; a value of no other type may be a file."""
    if "type" not in how:
        how.setdefault("shell_complete", complete_files)
    return click.argument(name, **how)
