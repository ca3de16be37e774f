"""The command line: `caesura COMMAND`. Parse, call one function, print."""

import gc
import sys
from typing import cast

import click

from caesura import __version__
from caesura.cli.commands import DEBUG, SectionedGroup
from caesura.cli.endings import end
from caesura.core.registry import Registry
from caesura.io.writing import guarded, open_standard_streams

COMMANDS: Registry[click.Command] = Registry(
    {
        "demo": "caesura.cli.demo:demo",
        "transcript": "caesura.cli.transcript:transcript",
        "agreement": "caesura.cli.agreement:agreement",
        "text": "caesura.cli.text:text",
        "trees": "caesura.cli.trees:trees",
        "corrections": "caesura.cli.corrections:corrections",
        "sentences": "caesura.cli.sentences:sentences",
        "terms": "caesura.cli.terms:terms",
        "score": "caesura.cli.score:score",
        "compare": "caesura.cli.compare:compare",
        "correlate": "caesura.cli.correlate:correlate",
        "segment": "caesura.cli.segment:segment",
        "train": "caesura.cli.train:train",
        "resegment": "caesura.cli.resegment:resegment",
        "convert": "caesura.cli.convert:convert",
        "report": "caesura.cli.report:report",
        "studio": "caesura.cli.studio:studio",
        "list": "caesura.cli.listing:listing",
    }
)

SECTIONS: dict[str, dict[str, str]] = {
    "Start here": {
        "demo": "Score two systems against three annotators on a bundled transcript.",
        "list": "List measures and their scores, formats, detectors or profiles.",
    },
    "Score": {
        "transcript": "Score boundaries in transcripts against one or several references.",
        "agreement": "Measure inter-annotator agreement.",
        "text": "Score tokens and sentences jointly against a gold standard.",
        "trees": "Score constituency trees, also where tokens and sentences differ.",
        "corrections": "Score grammatical error corrections in M2 files.",
        "sentences": "Score translations or recognised speech in the segments of a reference.",
        "terms": "Score terms discovered in speech: boundaries, tokens, types, groups.",
        "score": "Score as another community does, with its files and under its names.",
    },
    "Work with saved rows": {
        "compare": "Test which differences between systems are significant.",
        "correlate": "Correlate scores across documents and systems.",
        "report": "Write an HTML report.",
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
"""The commands as the help lists them, which does not import them for that."""
EPILOG = """\b
caesura COMMAND -h shows a command's main options, --help all of them.
Tab completion in bash: eval "$(_CAESURA_COMPLETE=bash_source caesura)"
(zsh and fish: see docs/cli.md)
"""


@click.group(
    cls=SectionedGroup,
    sections=SECTIONS,
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
