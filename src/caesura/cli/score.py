"""`caesura score`: the conventions of other communities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import cleandoc
from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import (
    ALIGNMENT,
    ARGUMENTS,
    BRIEF,
    EXAMPLES,
    INPUT,
    MEASURES,
    F,
    GroupedCommand,
    GroupedOption,
    OptionGroup,
    argument,
)
from caesura.cli.completion import complete_files
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.core.profiles import PROFILES, kind_of


class ProfileChoice(click.Choice):  # type: ignore[type-arg]  # not generic before click 8.2
    """One of the profiles; where none is given, they are listed with what they score."""

    def get_missing_message(self, *_: Any, **__: Any) -> str:
        """The profiles, one per line; versions of click differ in what they pass."""
        width = max(map(len, PROFILES))
        lines = (f"  {name:<{width}}  {each.about}" for name, each in PROFILES.items())
        return "\n".join(("Choose one of these:", *lines))


class ProfiledOption(GroupedOption):
    """An option of some profiles; `texts` say what it does in each: `phones, speakers`."""

    def __init__(self, *names: Any, texts: Mapping[str, str], **how: Any) -> None:
        told = " ".join(f"{who}: {text}" for who, text in texts.items())
        super().__init__(*names, help=told, **how)
        self.texts = texts
        defaults = dict.fromkeys(filter(None, (_default(each, self) for each in PROFILES)))
        self.help = told + (f"  [default: {'; '.join(defaults)}]" if defaults else "")


def _default(profile: str, option: click.Option) -> str:
    """What a profile sets an option to that users may set."""
    name = option.name or ""
    is_open = name in PROFILES[profile].takes
    value = PROFILES[profile].options.get(name) if is_open else None
    return value if isinstance(value, str) else ""


def profile_option(group: OptionGroup, *names: str, **how: Any) -> Callable[[F], F]:
    """Declare an option of some profiles."""
    how.setdefault("default", None)
    return click.option(*names, cls=ProfiledOption, group=group.title, **how)


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
        (names, text), profile = super().help_row(option, ctx), _profile(ctx)
        if not profile:
            return names, text
        default = _default(profile, option)
        for who, own in getattr(option, "texts", {}).items():
            if profile in who.split(", "):
                text = f"{own[0].upper()}{own[1:]}"
        return names, f"{text}  [default: {default}]" if default else text

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
@argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@options.reference_option(
    "--gold", "gold", "What systems are scored against. Repeatable where there may be several "
    "annotators.", several=True,
)  # fmt: skip
@options.file_options
@options.tier_options
@options.align_option
@profile_option(
    ALIGNMENT, "--force", is_flag=True, default=False,
    texts={
        "sighan": "score texts even if they seem unrelated.",
        "morphemes": "pair lines of other words by their numbers.",
    },
)  # fmt: skip
@profile_option(
    MEASURES, "--also", multiple=True, default=(), metavar="MEASURE",
    texts={
        "disrpt": "add a measure of transcripts, such as starts. Repeatable.",
        "sighan": "add diff: what the bakeoffs' program reports, which compares words with diff.",
        "phones": "add strgar (harsh and lenient hits), tokens (intervals with a tolerance) or "
        "kamper (vqwordseg's figures). Repeatable.",
        "subtitles": "add ter_br (slow) or evalsub (EvalSub's own figures). Repeatable.",
    },
)  # fmt: skip
@profile_option(
    MEASURES, "--dictionary", metavar="FILE", shell_complete=complete_files,
    texts={"sighan": "the words of the training data, one per line, for OOV and IV recall."},
)  # fmt: skip
@profile_option(
    INPUT, "--input", metavar="FORM",
    texts={"topics": "the input format, such as choi, segeval or masses.  [default: detected]"},
)  # fmt: skip
@profile_option(
    ALIGNMENT, "--axis-from", metavar="GOLD",
    texts={"topics": "with --align, the annotator to align to, by name."},
)  # fmt: skip
@profile_option(
    MEASURES, "-k", type=click.IntRange(min=1), metavar="N",
    texts={
        "topics": "the window size of Pk and WindowDiff, but for Choi's.  [default: as each "
        "convention has it]"
    },
)  # fmt: skip
@profile_option(
    MEASURES, "--near", type=click.IntRange(min=1), metavar="N",
    texts={
        "topics": "B and S: boundaries less than N apart may count as a near miss (n_t).  "
        "[default: 2]"
    },
)  # fmt: skip
@profile_option(
    MEASURES, "--costs", metavar="INS,DEL,SHIFT",
    texts={
        "topics": "what inserting, deleting and shifting a boundary by one cost in GHD.  "
        "[default: 2,2,1]"
    },
)  # fmt: skip
@profile_option(
    MEASURES, "--max-cpl", type=click.IntRange(min=1), metavar="N",
    texts={"subtitles": "the most characters of a line.  [default: 42]"},
)  # fmt: skip
@profile_option(
    MEASURES, "--max-cps", type=click.IntRange(min=1), metavar="N",
    texts={"subtitles": "the most characters per second of a block.  [default: 21]"},
)  # fmt: skip
@profile_option(
    MEASURES, "--max-lines", type=click.IntRange(min=1), metavar="N",
    texts={"subtitles": "the most lines of a block.  [default: 2]"},
)  # fmt: skip
@profile_option(
    MEASURES, "--tolerance", metavar="TIME",
    texts={"phones, speakers": "match boundaries up to this far apart, such as 20ms."},
)  # fmt: skip
@options.final_option
@options.uem_option
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

    \b
    Examples:
      caesura score sighan ours.txt --gold gold.txt --dictionary train_words.txt
      caesura score sighan a.txt b.txt --gold gold.txt --compare --confidence
      caesura score disrpt ours.tok --gold gold.tok
      caesura score topics out/ --gold choi/
      caesura score topics ours.masses --gold coders.json
      caesura score subtitles nmt.srt --gold human.srt
      caesura score subtitles nmt.txt --gold human.txt --also evalsub
      caesura score phones ours/ --gold gold/ --tier phones --tolerance 20ms
      caesura score phones ours/ --gold timit/ --rate 16000
      caesura score speakers ours.rttm --gold gold.rttm --uem all.uem
      caesura score morphemes ours.tsv --gold gold.tsv --show-errors 10
    """
    scoring = Scoring.from_options(kind_of(profile, ""), given)
    if len(gold) > 1 and PROFILES[profile].task != "transcript":
        raise click.UsageError(f"{profile} is scored against one gold; give --gold once")
    golden = gold[0] if len(gold) == 1 else list(gold)
    found = scoring.evaluate(list(systems), gold=golden, profile=profile, **given)
    scoring.show(found, by_document=by_document)
