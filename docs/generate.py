"""Make what the docs do not say by hand: the command line reference and the README's picture.

Run it after a change to the command line: `python docs/generate.py`.
"""

import re
from io import StringIO
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from caesura.api.evaluate import evaluate
from caesura.cli import cli
from caesura.cli.demo import SIDES
from caesura.output.render import as_text

HERE = Path(__file__).parent
HEAD = "# Command line\n\nWhat `--help` says, command by command.\n"


def reference() -> str:
    """The help of every command, as one page."""
    settings = cli.context_settings | {"terminal_width": 90, "max_content_width": 90}
    parent = click.Context(cli, info_name="caesura", **settings)
    blocks = [HEAD, _block("caesura", parent)]
    for name, command in sorted(cli.commands.items()):
        context = click.Context(command, info_name=name, parent=parent)
        blocks.append(f"## caesura {name}\n\n{_block(f'caesura {name}', context)}")
    return "\n".join(blocks)


def _block(name: str, context: click.Context) -> str:
    return f"```console\n$ {name} --help\n{context.get_help()}\n```\n"


def picture() -> str:
    """The demo's tables as a terminal shows them, in SVG."""
    text = Text.from_ansi(as_text(evaluate(*SIDES).page(), color=True))
    console = Console(record=True, width=128, file=StringIO(), force_terminal=True)
    console.print(text, soft_wrap=True)
    drawn = console.export_svg(title="caesura demo", unique_id="caesura")
    return re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # no font from elsewhere


if __name__ == "__main__":
    (HERE / "cli.md").write_text(reference(), encoding="utf-8")
    (HERE / "demo.svg").write_text(picture(), encoding="utf-8")
