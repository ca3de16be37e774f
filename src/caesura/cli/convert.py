"""`caesura convert`: between formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from caesura.cli import options
from caesura.cli.commands import OUTPUT, argument, command
from caesura.cli.endings import say

if TYPE_CHECKING:
    from caesura.core.segmentation import Document
    from caesura.tasks.convert import Conversion, Recording


@command()
@argument("input_path", metavar="INPUT")
@argument("output_path", metavar="OUTPUT")
@OUTPUT.option(
    "--to", metavar="FORMAT", default=None,
    help="The output format, one of `caesura list formats`.  [default: by OUTPUT's suffix]",
)  # fmt: skip
@options.form_options
@options.encoding_option
@OUTPUT.option(
    "--strict", is_flag=True, help="Write nothing and exit with status 1 if anything would change."
)
@options.quiet_option()
def convert(
    input_path: str, output_path: str, to: str | None, strict: bool, quiet: bool, **reading: Any
) -> None:
    """Convert a transcript from one format to another.

    INPUT is a file, - or a URL; FILE::RECORDING selects one recording of a file.
    OUTPUT is a file, - for standard output, or a folder (its name ends in /), with one file
    per recording. The output is read back and compared with the input; what was lost, added or
    changed is reported on standard error. Subtitles, intervals and utterances are kept between
    formats that have them, unless --units says otherwise.

    \b
    Examples:
      caesura convert asr.json asr.srt
      caesura convert talk.TextGrid talk.ctm
      caesura convert talk.srt talk.txt --units marks
      caesura convert all.stm utterances/ --to lines
    """
    from caesura.tasks.convert import Conversion, target_of

    conversion = Conversion(target_of(output_path, to), **reading)
    recordings = conversion.read(input_path)
    _tell([recording.document for recording in recordings], input_path, quiet=quiet)
    if output_path.endswith("/"):
        for recording in recordings:
            place = _place(output_path, recording, conversion)
            _convert([recording], place, conversion, strict=strict, quiet=quiet)
        return
    _convert(recordings, output_path, conversion, strict=strict, quiet=quiet)


def _tell(documents: list[Document], path: str, *, quiet: bool) -> None:
    """Say how the input was read where that was guessed, and what looks misread."""
    from pathlib import Path

    from caesura.cli.running import tell
    from caesura.scores.notes import notes_of

    if documents:
        found = notes_of(documents, Path(path).name)
        tell(found.read, found.warnings, quiet=quiet)


def _convert(
    recordings: list[Recording], output: str, conversion: Conversion, *, strict: bool, quiet: bool
) -> None:
    from caesura.errors import FormatError
    from caesura.tasks.convert import in_words

    text = conversion.write(recordings)
    changes = in_words(conversion.changes(recordings, text))
    source = recordings[0].document.source if recordings else "-"
    if changes and strict:
        cure = "choose another format, or remove --strict"
        raise FormatError(source, f"{conversion.to} cannot represent all of it ({changes})", cure)
    options.put(text, None if output == "-" else output)
    if changes and not quiet:
        say(f"{source} -> {output}: {changes}")


def _place(folder: str, recording: Recording, conversion: Conversion) -> str:
    from caesura.io.files import stem
    from caesura.io.writing import made_folder
    from caesura.tasks.convert import suffix_for

    name = recording.name.replace("/", "_") or stem(recording.document.source)
    return str(made_folder(folder) / f"{name}{suffix_for(conversion.to)}")
