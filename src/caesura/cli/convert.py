"""`caesura convert`: between formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from caesura.cli import options
from caesura.cli.commands import OUTPUT, argument, command
from caesura.cli.exit_status import say
from caesura.cli.task_options import task_options
from caesura.tasks import TASKS

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
    from caesura.io.writing import made_folder

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
    made_folder(output_path)
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
    from caesura.io.urls import PART

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
