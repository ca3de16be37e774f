"""`caesura list`, `sets`, `reproduce`, `cite` and `schema`: what there is, and what it rests on."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from caesura.cli import options
from caesura.cli.commands import argument, command
from caesura.cli.exit_status import say
from caesura.errors import CaesuraError, UsageError, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from caesura.core.measure import Measure
    from caesura.core.task import Task
    from caesura.published.tables import Cell, PublishedTable
    from caesura.scores.catalog import Entry
    from caesura.sets.named_sets import TestSet


LISTS = {
    "measures": "measures and their scores: key, direction, label and definition",
    "formats": "file formats that can be read, and which of them can be written",
    "detectors": "detectors and segmenters: input, licence, size, and whether installed",
    "profiles": "profiles: sets of options that reproduce a published way of scoring",
}
"""What can be listed, with one line about each."""
ENDLESS = 10_000
NARROW = 20
ARROWS = {"high": "↑", "low": "↓", None: " "}
PROFILES = {
    "transcript": {
        "paper": "WiSeBE as published (default)",
        "tool": "WiSeBE as in its authors' program",
    },
    "terms": {
        "2017": "as in the program of the Zero Resource Challenge 2017 (default)",
        "paper": "as defined in the papers",
    },
}


@command("list")
@argument("what", type=click.Choice(list(LISTS)), required=False, metavar=f"[{'|'.join(LISTS)}]")
def listing(what: str | None) -> None:
    """List measures and their scores, formats, detectors or profiles.

    For each score, it shows the key (as in --fail-under, --measure and the JSON), whether higher
    (↑) or lower (↓) is better, the label in tables, and the definition.
    """
    if what is None:
        click.echo(columns([(f"caesura list {name}", about) for name, about in LISTS.items()]))
    elif what == "measures":
        click.echo("\n\n".join(_measures()))
    else:
        rows = {"formats": _formats, "detectors": _detectors, "profiles": _profiles}[what]()
        click.echo(columns(list(rows)))


def _measures() -> Iterator[str]:
    """A paragraph for each measure, under the command that it belongs to."""
    from caesura.communities import PROFILES as COMMUNITIES
    from caesura.tasks import TASKS

    communities = COMMUNITIES.extended().values()
    brought = {(each.task, name) for each in communities for name in each.measures}
    for task in TASKS.values():
        if task.has_systems:
            added = (name for name in task.measures.added() if (task.name, name) not in brought)
            yield from _under(task.place, task, (*task.measures, *added))
    for each in communities:
        if each.measures:
            yield from _under(f"caesura score {each.name}", TASKS[each.task], each.measures)


def _under(place: str, task: Task, names: Iterable[str]) -> Iterator[str]:
    """A heading, and the measures of these names that users can have counted."""
    from caesura.core.score import ALSO

    yield click.style(place, bold=True) + "\n" + "─" * len(place)
    measures = map(task.measures.__getitem__, names)
    yield from (_measure(each) for each in measures if each.asked_by in ("", ALSO))


def _measure(measure: type[Measure]) -> str:
    from caesura.scores.catalog import entries_of

    about = (measure.__doc__ or "").partition("\n")[0]  # plug-ins may have none
    entries = entries_of(measure)
    rates = [_score(entry) for entry in entries if not entry.score.is_count]
    counts = ", ".join(entry.key for entry in entries if entry.score.is_count)
    lines = [columns([(measure.name, about)]), columns(rates, indent=2)]
    return "\n".join([*lines, *([columns([("counts:", counts)], indent=2)] if counts else [])])


def _score(entry: Entry) -> Sequence[str]:
    return entry.key, ARROWS[entry.score.better], f"{entry.label}: {entry.score.help}"


def _formats() -> Iterable[Sequence[str]]:
    from caesura.api.lists import FORMATS
    from caesura.formats.registry import PLAIN, TIMED

    plugged = {n: f"{f.line} (plug-in)" for n, f in TIMED.extended().items() if n not in FORMATS}
    written = [name for name, form in (PLAIN | TIMED.extended()).items() if form.is_written]
    yield "name", "written", "description"
    for name, about in (FORMATS | plugged).items():
        yield name, "yes" if name in written else "no", about


def _detectors() -> Iterable[Sequence[str]]:
    from caesura.detect import DETECTORS, size_of

    yield "name", "reads", "licence", "size", "installed", "description"
    for name, about in DETECTORS.extended().items():
        size = size_of(name)
        weight = f"{size / 1e6:.1f} MB" if size else ""
        installed = "yes" if about.is_installed else "no"
        cure = "" if about.is_installed else f" ({about.install})"
        yield name, about.reads, about.licence, weight, installed, about.text + cure


def _profiles() -> Iterable[Sequence[str]]:
    from caesura.communities import PROFILES as COMMUNITIES
    from caesura.tasks.transcript.options import PROFILES as OPTIONS

    yield "command", "profile", "description"
    for task, profiles in PROFILES.items():
        for name, about in profiles.items():
            options = OPTIONS[name].items() if task == "transcript" else ()
            short = " ".join(f"--{option} {value}" for option, value in options)
            yield task, name, f"{about}: {short}" if short else about
    for name, profile in COMMUNITIES.extended().items():
        yield "score", name, profile.about


def columns(rows: Sequence[Sequence[str]], indent: int = 0) -> str:
    """Cells in columns; the last one is wrapped where a terminal is too narrow for it."""
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    start = indent + sum(widths) + 2 * len(widths)
    room = max(get_terminal_size((ENDLESS, 0)).columns - start, NARROW)
    lines = []
    for *cells, last in rows:
        padded = (f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True))
        first, *others = wrap(last, room) or [""]
        lines.append((" " * indent + "".join(padded) + first).rstrip())
        lines += [" " * start + line for line in others]
    return "\n".join(lines)


# `caesura sets`


ACTIONS = ("show", "get")


@command("sets")
@argument("action", required=False, type=click.Choice(ACTIONS), metavar="[show|get]")
@argument("name", required=False, metavar="[NAME]")
@options.quiet_option()
def sets(action: str | None, name: str | None, quiet: bool) -> None:
    """List the named test sets, show one, or download one.

    A set can be given wherever a path can: `--ref @NAME` means all its references, `@NAME/FILE`
    one of its files. Small sets come with caesura; `get` downloads another into the user's cache
    (or into the folder CAESURA_DATA) and checks it. Scoring never downloads anything. Describe
    your own sets in ~/.config/caesura/sets/NAME.toml, or in a folder that --sets (or CAESURA_SETS)
    names.

    \b
    Examples:
      caesura sets
      caesura sets show wisebe-v6
      caesura sets get zerospeech2017-mandarin
      caesura transcript ours.txt --ref @demo
    """
    from caesura.sets.named_sets import names, test_set

    if action and name is None:
        raise UsageError(f"name a set: caesura sets {action} NAME; `caesura sets` lists them")
    known = [test_set(each) for each in (names() if name is None else [name])]
    for warning in filter(None, (each.warning for each in known)):
        say(f"warning: {warning}")
    if action is None:
        rows = [("set", "command", "language", "size", "here", "title")]
        click.echo(columns([*rows, *map(_row, known)]))
        return
    (chosen,) = known
    if action == "get":
        _get(chosen, quiet=quiet)
    else:
        click.echo(_description(chosen))


def _row(chosen: TestSet) -> tuple[str, ...]:
    here = "yes" if chosen.is_here else "no"
    return f"@{chosen.name}", chosen.kind, chosen.language, chosen.size, here, chosen.title


def _description(chosen: TestSet) -> str:
    """All that is known about a set."""
    here = "yes" if chosen.is_here else f"no; caesura sets get {chosen.name}"
    rows = [
        ("set", f"@{chosen.name}, version {chosen.version}"), ("title", chosen.title),
        ("about", chosen.about), ("command", f"caesura {chosen.kind}"),
        ("language", chosen.language), ("size", chosen.size), ("format", chosen.read),
        ("licence", chosen.licence), ("source", chosen.source),
        ("download", chosen.archive.url if chosen.archive else ""), ("here", here),
    ]  # fmt: skip
    files = [(f"@{chosen.name}/{file.name}", file.role, file.sha256) for file in chosen.files]
    blocks = [columns([row for row in rows if row[1]]), columns(files), chosen.citation.strip()]
    return "\n\n".join(filter(None, blocks))


def _get(chosen: TestSet, *, quiet: bool) -> None:
    """Download what is missing, with a bar on a terminal unless quiet, and print the paths."""
    from caesura.sets.download import get

    with _Bar(f"@{chosen.name}", is_shown=not quiet and sys.stderr.isatty()) as bar:
        paths = get(chosen, bar)
    for path in paths:
        click.echo(path)


class _Bar:
    """A line on a terminal with how much has come, if it is shown."""

    def __init__(self, label: str, *, is_shown: bool) -> None:
        self.label, self.is_shown, self.is_used, self.percent = label, is_shown, False, -1

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_used:
            click.echo(err=True)

    def __call__(self, done: int, every: int) -> None:
        percent = 100 * done // every if every else done >> 20
        if percent == self.percent or not self.is_shown:
            return
        self.is_used, self.percent = True, percent
        part = f"{percent:3} %" if every else f"{percent} MB"
        click.echo(f"\r{self.label}: {part} of {every / 1e6:,.1f} MB", nl=False, err=True)


# `caesura reproduce`


@command("reproduce")
@argument("name", required=False, metavar="[NAME]")
@options.quiet_option("Show only figures that differ from print.")
def reproduce(name: str | None, quiet: bool) -> None:
    """Recompute published tables, and print published figures beside ours.

    Without NAME, recompute every table whose data comes with caesura or was downloaded with
    `caesura sets get`. If a figure differs from print and the difference is not explained, the
    exit status is 1.

    \b
    Examples:
      caesura reproduce
      caesura reproduce wisebe
      caesura reproduce -q
    """
    from caesura.published.tables import Paper, names

    wrong = done = 0
    for paper in map(Paper, [name] if name else names()):
        click.echo(click.style(paper.about["title"], bold=True))
        click.echo(f"{paper.about['source']}\n")
        for table in paper.tables:
            if table.missing:
                click.echo(f"{table.title}: left out, needs {_sets(table.missing)}\n")
                continue
            cells = list(table.cells())
            click.echo(_figures(table, cells, quiet=quiet) + "\n")
            done += len(cells)
            wrong += sum(not cell.is_right and not cell.why for cell in cells)
    if wrong:
        raise CaesuraError(f"{number(wrong, 'figure')} of {done:,} not reproduced; see above")
    click.echo(f"{done:,} figures recomputed; every difference from print is explained.")


def _sets(missing: list[str]) -> str:
    """The sets that are missing, and how to get those that can be had."""
    from caesura.sets.named_sets import names

    known = [name for name in missing if name in names()]
    got = f" (caesura sets get {known[0]})" if known else " (describe your copy: docs/sets.md)"
    return ", ".join(f"@{name}" for name in missing) + got


def _figures(table: PublishedTable, cells: list[Cell], *, quiet: bool) -> str:
    """A table: a line about it, then its figures, or only those that differ."""
    right = sum(cell.is_right for cell in cells)
    explained = sum(bool(cell.why) for cell in cells)
    told = f"{table.title}: {number(len(cells), 'figure')}, {right:,} as published"
    told += f", {explained} explained" if explained else ""
    rows = [
        (cell.row, cell.column, cell.printed, cell.computed, _note(cell))
        for cell in cells
        if not (quiet and cell.is_right)
    ]
    return "\n".join([told, *([columns([HEAD, *rows], indent=2)] if rows else [])])


HEAD = ("row", "figure", "published", "recomputed", "")


def _note(cell: Cell) -> str:
    return "" if cell.is_right else cell.why or "NOT EXPLAINED"


# `caesura cite` and `caesura schema`


@command("cite")
@argument("name", required=False, metavar="[NAME]")
@options.quiet_option(expose_value=False)
def cite(name: str | None) -> None:
    """Print BibTeX entries for caesura, a measure, a profile, a set or a signature.

    NAME is a measure or profile of `caesura list`, a task, a set (@NAME), or a whole signature in
    quotes. `--cite` adds the entries of a run to any scoring command.

    \b
    Examples:
      caesura cite
      caesura cite windows
      caesura cite @wisebe-v6
      caesura cite "caesura:0.2.0|task:transcript|window:2" > refs.bib
    """
    from caesura.published.citations import citations

    click.echo(citations(name or ""), nl=False)


@command("schema")
@argument("task", metavar="TASK")
@options.quiet_option(expose_value=False)
def schema(task: str) -> None:
    """Print the JSON Schema of a task's output.

    TASK is a task, such as transcript, or a profile of `caesura score`, such as sighan. The schema
    is that of `-f json`; it defines every score.

    \b
    Examples:
      caesura schema transcript > transcript.schema.json
      caesura schema sighan
    """
    from caesura.communities import PROFILES
    from caesura.core.task import Kind
    from caesura.errors import UnknownNameError
    from caesura.output.json import indented
    from caesura.output.json_schema import schema as schema_of
    from caesura.tasks import TASKS

    known = [name for name, each in TASKS.items() if each.load is not None]
    if task in known:
        kind = Kind(TASKS[task])
    elif task in PROFILES:
        kind = Kind(TASKS[PROFILES[task].task], PROFILES[task])
    else:
        raise UnknownNameError("task", task, [*known, *PROFILES])
    click.echo(indented(schema_of(kind)))
