"""`caesura convert`, between formats, and `caesura resegment`, into the segments of a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from caesura.cli import options
from caesura.cli.commands import OUTPUT, argument, command
from caesura.cli.exit_status import say
from caesura.cli.task_command import side_option
from caesura.cli.task_options import task_options
from caesura.tasks import TASKS
from caesura.tasks.sentences.options import DOCIDS

if TYPE_CHECKING:
    from caesura.api.conversion import Conversion, Recording
    from caesura.core.segmentation import Document


@command()
@argument("input_path", metavar="INPUT")
@argument("output_path", metavar="OUTPUT", writes=lambda path: () if path == "-" else (path,))
@OUTPUT.option(
    "--to", metavar="FORMAT", default=None, main=True,
    help="The output format, one of those that `caesura list formats` marks as written.  "
    "[default: by OUTPUT's suffix]",
)  # fmt: skip
@task_options(TASKS["transcript"], options.FORM)
@OUTPUT.option(
    "--strict", is_flag=True, main=True,
    help="Write nothing and exit with status 1 if anything would change.",
)  # fmt: skip
@options.overwrite_option
@options.quiet_option()
def convert(
    input_path: str,
    output_path: str,
    to: str | None,
    strict: bool,
    overwrite: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Convert a transcript from one format to another.

    INPUT is a file, - or a URL; FILE::RECORDING selects one recording of a file.
    OUTPUT is a file, - for standard output, or a folder (its name ends in /), with one file
    per recording; files that exist are replaced only with --overwrite. The output is read back and
    compared with the input; what was lost, added or changed is reported on standard error.
    Subtitles, intervals and utterances are kept between formats that have them, unless --units says
    otherwise.

    \b
    Examples:
      caesura convert asr.json asr.srt
      caesura convert talk.TextGrid talk.ctm
      caesura convert talk.srt talk.txt --units marks
      caesura convert all.stm utterances/ --to lines
    """
    from pathlib import Path

    from caesura.api.conversion import Conversion, target_of
    from caesura.io.outputs import require_apart, require_new
    from caesura.io.writing import make_folder

    if not overwrite:
        require_new("OUTPUT", [output_path])
    input_path = options.path_of(input_path)
    conversion = Conversion(target_of(output_path, to), **reading)
    recordings = conversion.read(input_path)
    _tell([recording.document for recording in recordings], input_path, quiet=quiet)
    if not output_path.endswith("/"):
        _convert(recordings, output_path, conversion, strict=strict, quiet=quiet)
        return
    for recording in recordings if strict else ():
        _converted([recording], conversion, strict=True)
    places = [str(Path(output_path) / name) for name in _file_names(recordings, conversion)]
    require_apart({"OUTPUT": places}, [recording.document.source for recording in recordings])
    if not overwrite:
        require_new("OUTPUT", places)
    make_folder(output_path)
    for recording, place in zip(recordings, places, strict=True):
        _convert([recording], place, conversion, strict=strict, quiet=quiet)


def _tell(documents: list[Document], path: str, *, quiet: bool) -> None:
    """Print how the input was read, if that was guessed, and warnings."""
    from pathlib import Path

    from caesura.cli.running import tell
    from caesura.scores.notes import notes_of

    if documents:
        found = notes_of(documents, Path(path).name)
        tell(found.read, found.warnings, quiet=quiet)


def _converted(
    recordings: list[Recording], conversion: Conversion, *, strict: bool
) -> tuple[str, str]:
    """The output, and what it changes, in words."""
    from caesura.api.conversion import in_words
    from caesura.errors import FormatError

    text = conversion.write(recordings)
    changes = in_words(conversion.changes(recordings, text))
    if changes and strict:
        cure = "choose another format, or remove --strict"
        problem = f"{conversion.to} cannot represent all of it ({changes})"
        raise FormatError(_source(recordings), problem, cure)
    return text, changes


def _source(recordings: list[Recording]) -> str:
    return recordings[0].document.source if recordings else "-"


def _convert(
    recordings: list[Recording], output: str, conversion: Conversion, *, strict: bool, quiet: bool
) -> None:
    text, changes = _converted(recordings, conversion, strict=strict)
    options.put(text, None if output == "-" else output)
    if changes and not quiet:
        say(f"{_source(recordings)} -> {output}: {changes}")


def _file_names(recordings: list[Recording], conversion: Conversion) -> list[str]:
    """A file for each recording; an error if two have the same."""
    from caesura.api.conversion import suffix_for
    from caesura.errors import FormatError
    from caesura.io.files import stem
    from caesura.io.outputs import file_name, first_clash
    from caesura.io.paths import PART

    suffix = suffix_for(conversion.to)
    names = [each.name or stem(each.document.source) for each in recordings]
    clash = first_clash(names, suffix)
    if clash:
        one, other = clash
        raise FormatError(
            _source(recordings),
            f"the recordings '{one}' and '{other}' would both be {file_name(one, suffix)}",
            f"convert them one by one, as FILE{PART}{one}",
        )
    return [file_name(name, suffix) for name in names]


# `caesura resegment`


@command()
@argument("text", metavar="HYP")
@options.reference_option(
    "--to", "reference", "The reference, one segment per line.", metavar="REF"
)
@side_option(DOCIDS)
@task_options(TASKS["sentences"], ("tokens", "units", "encoding"), {"units": "--level"})
@options.missing_option
@OUTPUT.option(
    "-f", "--format", type=click.Choice(["text", "json"]), default="text", show_default=True,
    main=True,
    help="text: one line for each reference segment; json: also the edits of each, and how far "
    "each cut could move at no cost.",
)  # fmt: skip
@options.output_option("Write to a file; if HYP is a folder, to a folder.", metavar="PATH")
@options.overwrite_option
@options.quiet_option()
def resegment(
    text: str, reference: str, format: str, output: str | None, overwrite: bool, **given: Any
) -> None:
    """Put a text into the segments of a reference.

    Every word of HYP goes into one segment of REF, in order, so that the sum of word edits over all
    segments is the least possible. One line is written for each segment, empty ones included; the
    words are those of HYP, as they are. HYP and REF are files, - or URLs, or two folders of texts
    that are matched by file name.

    \b
    Examples:
      caesura resegment hyp.txt --to ref.txt -o fitted.txt
      caesura resegment hyp.txt --to ref.txt --docids docids.txt
      caesura resegment out/ --to refs/ -o fitted/
      caesura resegment hyp.txt --to ref.txt -f json
    """
    from caesura.api.resegmenting import Resegmenting
    from caesura.cli.exit_status import say
    from caesura.errors import on_command_line
    from caesura.io.outputs import require_apart, require_new
    from caesura.scores.notes import left_out

    given.pop("quiet")
    text, reference = options.path_of(text), options.path_of(reference)
    done = Resegmenting.from_options(text, reference, **given)
    for each in (*left_out(done.skipped, len(done.documents)), *done.warnings):
        say(f"warning: {on_command_line(each)}")
    if output is not None:
        places = [*done.files(format, output).values()]
        require_apart({"--output": places}, [text, reference])
        if not overwrite:
            require_new("--output", places or [output])
    done.write(format, output, options.put)
