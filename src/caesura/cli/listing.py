"""`caesura list`: measures, formats, detectors and profiles."""

from __future__ import annotations

from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from caesura.cli.commands import argument, command

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from caesura.core.measure import Measure
    from caesura.core.task import Task
    from caesura.scores.catalog import Entry

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
