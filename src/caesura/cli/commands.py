"""Commands: how help groups their options, and the error for an unknown one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from math import isfinite
from typing import Any, TypeVar

import click

from caesura.cli.completion import complete_files
from caesura.errors import InterruptError, on_command_line

F = TypeVar("F", bound=Callable[..., object])
WIDEST = 26
"""The widest option that has its help beside it."""
OTHERS = "Help"
ARGUMENTS = "caesura.arguments"
"""Where the arguments of a command are kept as they were typed."""
BRIEF = "caesura.brief"
"""Where the context says that only the main options are shown."""
EXAMPLES, FEW = "\b\nExamples:", 3
"""How examples begin, and how many the short help has."""
DEBUG = "debug"
"""Where the context says that tracebacks are wanted."""
REFERENCES = (("--ref",), ("--gold",), ("--phones", "--words"))
"""What references are called, in one command or another."""
MISTAKEN = ("--ref", "--refs", "--reference", "--references", "--gold")
"""What users may call them where they are called otherwise."""


Written = Callable[[str], Sequence[str]]
"""Takes the value of an option and returns the files that it has written."""
NO_PATHS = ("CHARS", "FORM", "FORMAT", "NAME", "RULES")
"""The metavars of values that are never paths."""


WITHOUT_SETS = (
    "compare", "correlate", "demo", "export", "import", "list", "merge", "report", "schema",
    "status", "studio", "train",
)  # fmt: skip
"""The commands to which no set (`@NAME`) can be given."""


class GroupedOption(click.Option):
    """An option that belongs to a group of the help; the short help has those that are `main`.

    `aliases` are names that mean the same and are mentioned once, at the end of the help text.
    `writes` are the files that it has written.
    """

    def __init__(
        self,
        *names: Any,
        group: str,
        main: bool = False,
        aliases: Sequence[str] = (),
        writes: Written | None = None,
        **how: Any,
    ) -> None:
        if aliases:
            how["help"] = f"{how['help']}  [also {', '.join(aliases)}]"
        super().__init__(*names, **how)
        self.group, self.main, self.aliases = group, main, tuple(aliases)
        self.writes = writes

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser take the aliases, too; help and errors have the other names only."""
        names = self.opts
        self.opts = [*names, *self.aliases]
        super().add_to_parser(parser, ctx)
        self.opts = names

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Say what the default is, but not which numbers are possible: errors do."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


class WritingArgument(click.Argument):
    """An argument that names a file to write."""

    def __init__(self, *names: Any, writes: Written, **how: Any) -> None:
        super().__init__(*names, **how)
        self.writes = writes


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

    def option(self, *names: str, **how: object) -> Callable[[F], F]:
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


def _use_sets(ctx: click.Context, _param: click.Parameter, folder: str | None) -> None:
    if folder is not None:
        from caesura.sets.named_sets import sets_from

        ctx.with_resource(sets_from(folder))


def _show_brief(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[BRIEF] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def brief_option() -> click.Option:
    """The option that shows the main options only."""
    return GroupedOption(
        ["-h"], group=OTHERS, is_flag=True, is_eager=True, expose_value=False,
        callback=_show_brief, help="Show the main options only and exit.",
    )  # fmt: skip


def debug_option() -> click.Option:
    """The option that shows where an error comes from."""
    return GroupedOption(
        ["--debug"], group=RUNNING.title, is_flag=True, is_eager=True, expose_value=False,
        callback=_debug, help="Show the traceback of an error.",
    )  # fmt: skip


def sets_option() -> click.Option:
    """The option that names a folder of the user's own sets."""
    return GroupedOption(
        ["--sets"], group=INPUT.title, metavar="DIR", expose_value=False, callback=_use_sets,
        type=click.Path(exists=True, file_okay=False),
        help="Take sets (@NAME) from DIR/NAME.toml first; also CAESURA_SETS.",
    )  # fmt: skip


class GroupedCommand(click.Command):
    """A command whose help has its options in groups: all with --help, the main ones with -h."""

    def __init__(self, *names: Any, **how: Any) -> None:
        super().__init__(*names, **how)
        if self.name not in WITHOUT_SETS:
            self.params.append(sets_option())
        self.params += [debug_option(), brief_option()]

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

    def help_text(self, ctx: click.Context) -> str:
        """The description and the examples; few of them in the short help."""
        text = cleandoc(self.help or "")
        return _brief(text) if BRIEF in ctx.meta else text

    def is_shown(self, option: GroupedOption, ctx: click.Context) -> bool:
        """Whether the help has an option; the short help has the main ones."""
        return option.main or BRIEF not in ctx.meta

    def help_row(self, option: GroupedOption, ctx: click.Context) -> tuple[str, str]:
        """An option as the help lists it: its names, and what it does."""
        return option.get_help_record(ctx) or ("", "")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description and the examples."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self.help_text(ctx))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group, all in the same columns."""
        groups: dict[str, list[tuple[str, str]]] = {each.title: [] for each in GROUPS}
        for option in self.params:
            if isinstance(option, GroupedOption) and self.is_shown(option, ctx):
                names, text = self.help_row(option, ctx)
                row = names, _gist(text) if BRIEF in ctx.meta else text
                groups.setdefault(option.group, []).append(row)
        own = self.get_help_option(ctx)
        if own is not None and BRIEF not in ctx.meta:
            groups[OTHERS] += [row for row in [own.get_help_record(ctx)] if row]
        write_sections({title: rows for title, rows in groups.items() if rows}, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say where the other options are, if only the main ones are shown."""
        if BRIEF in ctx.meta:
            formatter.write_paragraph()
            formatter.write_text(f"{self.full_name(ctx)} --help shows all options.")

    def full_name(self, ctx: click.Context) -> str:
        """The command as users type it."""
        return ctx.command_path

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments as they were typed; say what an unknown option is called here.

        It is an error if the command would replace one of its inputs.
        """
        ctx.meta[ARGUMENTS] = list(args)
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as problem:
            raise self._better(problem, ctx) from None
        given: dict[Any, Any] = {each: ctx.params.get(each.name or "") for each in self.params}
        outputs = {
            _label(param): writes(given[param])
            for param in self.params
            if (writes := getattr(param, "writes", None)) and given[param] is not None
        }
        if outputs:
            from caesura.io.files import STDIN
            from caesura.io.outputs import require_apart

            require_apart(outputs, [*self._inputs(ctx), STDIN])
        return rest

    def _inputs(self, ctx: click.Context) -> list[str]:
        """The values that may be paths to read."""
        params = [
            param
            for param in self.params
            if param.type is click.STRING
            and param.metavar not in NO_PATHS
            and not getattr(param, "writes", None)
        ]
        values = (ctx.params.get(param.name or "") or () for param in params)
        return [each for value in values for each in ([value] if isinstance(value, str) else value)]

    def _better(self, problem: click.NoSuchOption, ctx: click.Context) -> click.UsageError:
        """Say why an option was removed, or what references are called here."""
        from caesura.removed import removal

        if line := removal("option", problem.option_name):
            return click.UsageError(f"{on_command_line(line)}.", ctx)
        own = {name for param in self.params for name in (param.name, *param.opts)}
        meant = next((" and ".join(names) for names in REFERENCES if own.issuperset(names)), "")
        if problem.option_name not in MISTAKEN or not (meant or "references" in own):
            return problem
        cure = f"use {meant}" if meant else "references are arguments here"
        return click.UsageError(f"No such option '{problem.option_name}'; {cure}.", ctx)


Sections = Callable[[], Mapping[str, Mapping[str, str]]]
"""Lists commands by section, each with its summary."""


class SectionedGroup(click.Group):
    """A command whose subcommands are listed in sections, with full summaries."""

    def __init__(self, *names: Any, sections: Sections, **how: Any) -> None:
        super().__init__(*names, **how)
        self.sections, self.no_args_is_help = sections, False
        self.params.append(debug_option())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a command, show the help; versions of click differ in how they end then."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a subcommand; click would say something of its own about Ctrl-C."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise InterruptError from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write a section for each kind of command."""
        rows = {title: list(commands.items()) for title, commands in self.sections().items()}
        write_sections(rows, formatter)


def _brief(text: str) -> str:
    """The first paragraph of a description, and the first examples."""
    first, *others = text.split("\n\n")
    block = next((each for each in others if EXAMPLES in each), "")
    lines = re.findall(r"^  caesura .*[^\\]$", block, re.MULTILINE)
    return "\n\n".join([first, *(["\n".join((EXAMPLES, *lines[:FEW]))] if lines else [])])


def _gist(text: str) -> str:
    """The beginning of an option's help text: a sentence, or what stands before a colon.

    >>> _gist("Add a detector: s1 or s2. Repeatable."), _gist("text: one line each.  [required]")
    ('Add a detector.', 'text: one line each.')
    """
    sentence = re.split(r"\.?  \[|\. |\.$", text)[0]
    head = re.match(r"([^:(]+ [^:(]+ [^:(]+): ", sentence)
    return f"{head[1] if head else sentence}."


def write_sections(
    sections: Mapping[str, list[tuple[str, str]]], formatter: click.HelpFormatter
) -> None:
    """Write what is defined, section by section; the definitions begin in the same column."""
    terms = [term for rows in sections.values() for term, _ in rows if len(term) <= WIDEST]
    width = max(map(len, terms), default=0)
    for title, rows in sections.items():
        with formatter.section(title):
            formatter.write_dl([(term.ljust(width), text) for term, text in rows], col_max=width)


def command(name: str | None = None) -> Callable[[Callable[..., object]], click.Command]:
    """Make a command whose options are in groups."""
    return click.command(name, cls=GroupedCommand)


def argument(name: str, **how: object) -> Callable[[F], F]:
    """Declare an argument; a value of no other type may be a file."""
    if "type" not in how:
        how.setdefault("shell_complete", complete_files)
    return click.argument(name, cls=WritingArgument if "writes" in how else None, **how)


def itself(path: str) -> tuple[str, ...]:
    """What most outputs have written: one file, at the path that is given."""
    return (path,)


def _label(param: click.Parameter) -> str:
    """What a message calls an option or an argument."""
    return max(param.opts, key=len) if isinstance(param, click.Option) else str(param.metavar)
