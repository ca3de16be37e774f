"""`caesura score`: the conventions of other communities."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import (
    ARGUMENTS,
    BRIEF,
    EXAMPLES,
    GroupedCommand,
    GroupedOption,
    argument,
)
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.cli.task_options import profile_options
from caesura.communities import PROFILES
from caesura.tasks import TASKS


class ProfileChoice(click.Choice):  # type: ignore[type-arg]  # not generic before click 8.2
    """One of the profiles; where none is given, they are listed with what they score."""

    def convert(self, value: Any, *where: Any) -> Any:
        """The name of a profile: one of ours, or of a plug-in."""
        return value if value in PROFILES else super().convert(value, *where)

    def get_missing_message(self, *_: object, **__: object) -> str:
        """The profiles, one per line; versions of click differ in what they pass."""
        width = max(map(len, PROFILES))
        lines = (f"  {name:<{width}}  {each.about}" for name, each in PROFILES.items())
        return "\n".join(("Choose one of these:", *lines))


class ProfiledCommand(GroupedCommand):
    """A command whose help lists the profiles or, after the name of one, what belongs to it."""

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The pieces of the usage, with the name of the profile if it is given."""
        _, *others = super().collect_usage_pieces(ctx)
        return [_profile(ctx) or "PROFILE", *others]

    def help_text(self, ctx: click.Context) -> str:
        """The description, of one profile if it is given, with its examples only."""
        text, name = super().help_text(ctx), _profile(ctx)
        if not name:
            return text
        profile, about = PROFILES[name], cleandoc(self.help or "")
        lines = [line for line in about.splitlines() if f"caesura score {name} " in line]
        shown = {key: each.label for key, each in profile.scores.items() if each.is_column}
        scores = ", ".join(f"{key} ({label})" for key, label in shown.items())
        first = f"{profile.about[0].upper()}{profile.about[1:]}."
        inputs = [] if BRIEF in ctx.meta else [INPUTS, f"Scores: {scores}."]
        return "\n\n".join([first, *inputs, "\n".join([EXAMPLES, *lines])])

    def is_shown(self, option: GroupedOption, ctx: click.Context) -> bool:
        """Whether the help has an option: with a profile, not those of other profiles."""
        name = _profile(ctx)
        if not name:
            return super().is_shown(option, ctx)
        is_own = option.name in PROFILES[name].takes
        if option.name in OF_PROFILES and not is_own:
            return False
        return (is_own and option.name != "encoding") or super().is_shown(option, ctx)

    def full_name(self, ctx: click.Context) -> str:
        """The command as users type it, with the profile if it is given."""
        return " ".join(filter(None, (super().full_name(ctx), _profile(ctx))))

    def help_row(self, option: GroupedOption, ctx: click.Context) -> tuple[str, str]:
        """An option as the help lists it: with a profile, what it does there."""
        names, text = super().help_row(option, ctx)
        return names, getattr(option, "texts", {}).get(_profile(ctx), text)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the profiles, unless one is given, then the options."""
        if not _profile(ctx):
            with formatter.section("Profiles (caesura score PROFILE -h shows the options of one)"):
                formatter.write_dl([(name, each.about) for name, each in PROFILES.items()])
        super().format_options(ctx, formatter)


OF_PROFILES = {name for profile in PROFILES.values() for name in profile.takes}
"""The options that some profiles have and others do not."""
INPUTS = (
    "SYSTEM and GOLD are PATH or NAME=PATH: a file, a folder or a glob (matched by file name), - "
    "or a URL."
)


def _profile(ctx: click.Context) -> str:
    """The profile that the command line names; help is asked for before it is parsed."""
    return next((each for each in ctx.meta.get(ARGUMENTS, ()) if each in PROFILES), "")


@click.command("score", cls=ProfiledCommand)
@argument("profile", type=ProfileChoice(list(PROFILES)), metavar="PROFILE")
@argument("systems", nargs=-1, metavar="SYSTEM...")
@options.reference_option(
    "--gold", "gold", "What systems are scored against. Repeatable where there may be several "
    "annotators.", several=True,
)  # fmt: skip
@profile_options(PROFILES, TASKS)
@options.vary_option
@options.error_options
@options.by_document_option
@options.statistics_options
@options.seed_option
@options.output_options
@running_options
@options.gate_options
def score(
    profile: str,
    systems: tuple[str, ...],
    gold: tuple[str, ...],
    by_document: bool,
    **given: Any,
) -> None:
    """Score as another community does, with its files and under its names.

    A profile reads the files of a community and reports what its own program does, beside
    caesura's measures. SYSTEM and GOLD are PATH or NAME=PATH: a file, a folder or a glob (matched
    by file name), - or a URL. Options that a profile does not have are an error.
    """
    if not systems and not given["run"]:
        raise click.UsageError("Missing argument 'SYSTEM...'.")
    chosen = PROFILES[profile]
    scoring = Scoring.from_options(TASKS[chosen.task], given, chosen)
    if len(gold) > 1 and TASKS[chosen.task].has_gold:
        raise click.UsageError(f"{profile} is scored against one gold; give --gold once")
    golden = gold[0] if len(gold) == 1 else list(gold)
    found = scoring.evaluate(list(systems), gold=golden, profile=profile, **given)
    scoring.show(found, by_document=by_document)


EXAMPLE_LINES = [
    f"  caesura score {name} {line}"
    for name, profile in PROFILES.items()
    for line in profile.examples
]
score.help = "\n".join((cleandoc(score.help or ""), "", EXAMPLES, *EXAMPLE_LINES))
