"""The command line: `caesura COMMAND`. Parse, call one function, print."""

import gc
import sys
from collections.abc import Iterator, Mapping
from typing import cast

import click

from caesura import __version__
from caesura.cli.commands import DEBUG, SectionedGroup
from caesura.cli.exit_status import end
from caesura.core.registry import Registry
from caesura.io.writing import guarded, open_standard_streams
from caesura.tasks import TASKS

SCORE = "Score"
OWN: Registry[click.Command] = Registry(
    {
        "demo": "caesura.cli.demo:demo",
        "transcript": "caesura.cli.transcript:transcript",
        "text": "caesura.cli.text:text",
        "score": "caesura.cli.profile_command:score",
        "compare": "caesura.cli.saved_rows:compare",
        "correlate": "caesura.cli.saved_rows:correlate",
        "segment": "caesura.cli.segment:segment",
        "train": "caesura.cli.train:train",
        "resegment": "caesura.cli.convert:resegment",
        "convert": "caesura.cli.convert:convert",
        "report": "caesura.cli.saved_rows:report",
        "merge": "caesura.cli.saved_rows:merge",
        "studio": "caesura.cli.studio:studio",
        "list": "caesura.cli.listing:listing",
        "sets": "caesura.cli.listing:sets",
        "reproduce": "caesura.cli.listing:reproduce",
        "cite": "caesura.cli.listing:cite",
        "schema": "caesura.cli.listing:schema",
    }
)
"""The commands that have a module here; those of other tasks are made of what the tasks declare."""


class Commands(Mapping[str, click.Command]):
    """All commands by name, each imported when it is used."""

    def __getitem__(self, name: str) -> click.Command:
        if name in OWN:
            return OWN[name]
        from caesura.cli.task_command import command_of

        task = TASKS[name]
        if task.called is None:
            raise KeyError(name)
        return command_of(task)

    def __iter__(self) -> Iterator[str]:
        return (name for section in sections().values() for name in section)

    def __len__(self) -> int:
        return len(list(iter(self)))


COMMANDS = Commands()

SECTIONS: dict[str, dict[str, str]] = {
    "Start here": {
        "demo": "Score two systems against three annotators on a bundled transcript.",
        "list": "List measures and their scores, formats, detectors or profiles.",
    },
    SCORE: {
        "score": "Score as another community does, with its files and under its names.",
    },
    "Work with saved rows": {
        "compare": "Test which differences between systems are significant.",
        "correlate": "Correlate scores across documents and systems.",
        "report": "Write an HTML report.",
        "merge": "Put the rows of all shards together.",
    },
    "Test sets and publications": {
        "sets": "List the named test sets, show one, or download one.",
        "reproduce": "Recompute published tables, and print published figures beside ours.",
        "cite": "Print BibTeX entries for caesura, a measure, a profile, a set or a signature.",
        "schema": "Print the JSON Schema of a task's output.",
    },
    "Make references": {
        "studio": "Make references together, with agreement in sight.",
    },
    "Segment and convert": {
        "segment": "Segment a transcript into units.",
        "train": "Train a detector on your own punctuated text, in any language.",
        "resegment": "Put a text into the segments of a reference.",
        "convert": "Convert a transcript from one format to another.",
    },
}
"""The commands as the help lists them, which does not import them for that; but for tasks."""


def sections() -> dict[str, dict[str, str]]:
    """The commands as the help lists them, with those of tasks."""
    tasks = {name: task.help for name, task in TASKS.items() if task.help}
    return {**SECTIONS, SCORE: tasks | SECTIONS[SCORE]}


EPILOG = """\b
caesura COMMAND -h shows a command's main options, --help all of them.
Tab completion in bash: eval "$(_CAESURA_COMPLETE=bash_source caesura)"
(zsh and fish: see docs/cli.md)
"""


@click.group(
    cls=SectionedGroup,
    sections=sections,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(__version__, prog_name="caesura")
def cli() -> None:
    """How good are these boundaries?

    caesura scores segmentations: sentences in speech transcripts, tokens and sentences in text,
    trees, corrections, translations, terms in speech, and what other communities score, as they do.
    With several human references, it computes WiSeBE (window-based sentence boundary evaluation),
    which weights them by how much they agree.

    \b
    Examples:
      caesura demo                                 two systems, three annotators
      caesura transcript out.txt --ref gold.txt    boundaries in a transcript
      caesura text out.txt --gold gold.conllu      tokens and sentences in a text
    """


cli.commands = cast("dict[str, click.Command]", COMMANDS)
"""A command is imported when it is used."""


COLLECTED = (100_000, 20, 1000)
"""How many objects are made before garbage is looked for, which results hardly have."""


def main() -> None:
    """Run the command line; an error becomes one line and an exit status."""
    gc.set_threshold(*COLLECTED)
    open_standard_streams()
    encoding = "utf-8" if sys.platform == "win32" else None
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    sys.stdout = guarded(sys.stdout, "standard output")
    sys.stderr = guarded(sys.stderr, "standard error")
    settings: dict[str, bool] = {}
    try:
        status = cli.main(prog_name="caesura", standalone_mode=False, obj=settings)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except (Exception, KeyboardInterrupt) as problem:
        status = end(problem, with_traceback=settings.get(DEBUG, False))
    sys.exit(status)
