"""Make what the docs do not say by hand: the command line, the tables of scores, a picture.

Run it after a change to the command line or to a measure: `python docs/generate.py`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from html import escape
from pathlib import Path

import click

from caesura.api.evaluate import evaluate
from caesura.cli import cli
from caesura.cli.demo import SIDES
from caesura.communities import PROFILES
from caesura.core.measure import Measure
from caesura.core.task import Task
from caesura.output.render import as_text
from caesura.published.tables import Paper, names
from caesura.scores.catalog import Entry, entries_of
from caesura.tasks import TASKS

HERE = Path(__file__).parent
INDEX = HERE / "measures" / "index.md"
BEGIN, END = "<!-- generated -->\n", "<!-- end -->\n"
ARROWS = {"high": "↑", "low": "↓", None: ""}
HEAD = """# Command line

This page has the `--help` of every command; `-h` shows the main options only, and `caesura score
PROFILE --help` those of one profile. `python -m caesura` is the same as `caesura`.

## Tab completion

With one line in your shell's start-up file, Tab completes commands, options, their values, files
and detectors.

```text
bash 4.4 or later   ~/.bashrc   eval "$(_CAESURA_COMPLETE=bash_source caesura)"
zsh                 ~/.zshrc    eval "$(_CAESURA_COMPLETE=zsh_source caesura)"
fish                ~/.config/fish/completions/caesura.fish
                                _CAESURA_COMPLETE=fish_source caesura | source
```

## caesura
"""

WIDE, HIGH, MARGIN = 9.6, 20, 16
"""The width of a character, the height of a line, and the space around them."""
STYLES = {
    "0": "",
    "1": "font-weight:bold",
    "1;32": "font-weight:bold;fill:#98a84b",
    "2": "fill:#868887",
    "3": "font-style:italic",
}
PICTURE = """<svg viewBox="0 0 {width:g} {height:g}" xmlns="http://www.w3.org/2000/svg">
<style>text {{ font: 16px monospace; fill: #c5c8c6; white-space: pre }}</style>
<rect width="100%" height="100%" rx="8" fill="#292929"/>
<text x="{middle:g}" y="24" text-anchor="middle" style="font-weight:bold">caesura demo</text>
{lines}
</svg>
"""


def reference() -> str:
    """The help of every command, as one page."""
    settings = cli.context_settings | {"terminal_width": 90, "max_content_width": 90}
    parent = click.Context(cli, info_name="caesura", **settings)
    blocks = [HEAD, _block("caesura", parent)]
    for name, command in sorted(cli.commands.items()):
        context = click.Context(command, info_name=name, parent=parent)
        blocks.append(f"## caesura {name}\n\n{_block(f'caesura {name}', context)}")
        for own, other in getattr(command, "others", {}).items():
            context = click.Context(other, info_name=f"{name} {own}", parent=parent)
            blocks.append(f"### caesura {name} {own}\n\n{_block(f'caesura {name} {own}', context)}")
    return "\n".join(blocks)


def _block(name: str, context: click.Context) -> str:
    return f"```console\n$ {name} --help\n{context.get_help()}\n```\n"


def picture() -> str:
    """The demo's tables as a terminal shows them, in SVG."""
    lines = as_text(evaluate(*SIDES).page(), color=True).rstrip("\n").split("\n")
    width, height = WIDE * 128 + 2 * MARGIN, HIGH * len(lines) + 3 * MARGIN
    texts = [
        f'<text x="{MARGIN}" y="{2 * MARGIN + HIGH * at}">{_colored(line)}</text>'
        for at, line in enumerate(lines, 1)
    ]
    return PICTURE.format(width=width, height=height, middle=width / 2, lines="\n".join(texts))


def _colored(line: str) -> str:
    """A line with the styles of its escape sequences, which end where the next one begins."""
    parts = re.split(r"\x1b\[([\d;]+)m", f"\x1b[0m{line}")
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return "".join(
        f'<tspan style="{STYLES[style]}">{escape(text)}</tspan>' if STYLES[style] else escape(text)
        for style, text in pairs
    )


def index() -> str:
    """The page of all measures, with tables of their scores as they are declared."""
    before, _, rest = INDEX.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    pages = measure_pages()
    blocks: list[str] = []
    for task in TASKS.values():
        if task.has_systems:
            place, _, where = task.place.partition(", ")
            blocks.append(f"### `{place}`" + (f", {where}" if where else ""))
            blocks += _tables(task, task.measures, pages)
    for name, profile in PROFILES.items():
        if profile.measures:
            blocks.append(f"### `caesura score {name}`")
            blocks += _tables(TASKS[profile.task], profile.measures, pages)
    return before + BEGIN + "\n" + "\n\n".join(blocks) + "\n\n" + END + after


def measure_pages() -> dict[str, str]:
    """The page of each measure: the one that says so below its title."""
    found: dict[str, str] = {}
    for page in sorted(INDEX.parent.glob("*.md")):
        names = re.search(r"<!-- measures: (.*) -->", page.read_text(encoding="utf-8"))
        found |= dict.fromkeys(names[1].split(", ") if names else [], page.name)
    return found


def _tables(task: Task, names: Iterable[str], pages: dict[str, str]) -> Iterator[str]:
    """The scores of measures of a task."""
    for measure in map(task.measures.__getitem__, names):
        page = pages.get(measure.name, INDEX.name)
        options = ", ".join(f"`{option}`" for option in _options(task.name, measure))
        yield f"**[`{measure.name}`]({page})**" + (f", with {options}" if options else "")
        entries = entries_of(measure)
        yield _table(entry for entry in entries if not entry.score.is_count)
        counts = ", ".join(f"`{entry.key}`" for entry in entries if entry.score.is_count)
        yield from [f"Counts: {counts}"] if counts else []


def _table(entries: Iterable[Entry]) -> str:
    rows = (
        (f"`{entry.key}`", entry.label, ARROWS[entry.score.better], entry.score.help)
        for entry in entries
    )
    lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join(["| key | label | better | what it is |", "|---|---|:-:|---|", *lines])


def _options(task: str, measure: type[Measure]) -> Iterator[str]:
    """The options of a measure as the command of its task has them."""
    command = cli.commands.get(task)
    given = {each.name: each.opts[-1] for each in command.params} if command else {}
    names = [measure.task_options.get(field.name, field.name) for field in fields(measure)]
    yield from (given[name] for name in (measure.asked_by, *names) if name in given)


PUBLISHED = """# Published tables

What `caesura reproduce` recomputes, and where it differs from print; this page is generated from
`src/caesura/published`. [Test sets and published tables](sets.md) explains the command,
[Reproducing the papers](reproducing.md) two of the publications in detail.
"""


def published() -> str:
    """The page of publications: their tables, and every figure that is not as printed."""
    return "\n".join([PUBLISHED, *(_publication(Paper(name)) for name in names())])


def _publication(paper: Paper) -> str:
    about = paper.about
    rows = ["| table | data |", "|---|---|"]
    for table in about["tables"]:
        sets = ", ".join(f"`@{name}`" for name in table.get("sets", ()))
        rows.append(f"| {table['title']} | {sets or 'in the file'} |")
    slips = [
        f"- {table['title']}: {place}: {why['computed']}, {why['why']}"
        for table in about["tables"]
        for place, why in table.get("explained", {}).items()
    ]
    named = (
        f"`caesura reproduce {paper.name}`. {about['source']}. See [the page]({about['page']}.md)."
    )
    told = "Figures that differ from print, as computed, and why:" if slips else ""
    parts = [f"## {about['title']}", named, "\n".join(rows), told, "\n".join(slips)]
    return "\n\n".join(filter(None, parts)) + "\n"


if __name__ == "__main__":
    (HERE / "published.md").write_text(published(), encoding="utf-8")
    (HERE / "cli.md").write_text(reference(), encoding="utf-8")
    INDEX.write_text(index(), encoding="utf-8")
    (HERE / "demo.svg").write_text(picture(), encoding="utf-8")
