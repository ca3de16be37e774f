"""FORMATS, read() for transcripts and read_tokens() for text. One module for each format."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from caesura.core.breaks import BREAKS
from caesura.core.cells import steps
from caesura.core.marks import MARKS
from caesura.core.segmentation import Document, IntArray
from caesura.core.text import Text
from caesura.errors import CaesuraError, FormatError, UnknownNameError, number
from caesura.formats import columns, plain, registry
from caesura.formats.equivalences import TABLES, Equivalences
from caesura.formats.foreign import require_text, signs_of_plain
from caesura.formats.registry import TIMED, FormatOptions
from caesura.formats.script import Script, Units, to_document
from caesura.io.archives import stamp
from caesura.io.files import Extract, is_utf8, read_text, read_utf8, recording_of, suffix_of
from caesura.io.folder import local
from caesura.io.urls import PART

if TYPE_CHECKING:
    from caesura.core.corrections import CorrectedText
    from caesura.core.treebank import AnnotatedText, TreebankTable
    from caesura.core.trees import Forest, Trees

TEXT_FORMATS = {
    "tokens": "text: one sentence per line, tokens separated by spaces",
    "segmented": "text: as tokens, and the ideographic space (U+3000) separates words, too",
    "conllu": "text: the ten columns of Universal Dependencies",
}
IDEOGRAPHIC_SPACE = "\u3000".encode()
HEAD = 4096
"""How many characters say what a file is."""
_CONLLU = re.compile(r"\.conll(u|-u)?(\.\w+)?$")
_ABOUT = (
    plain.FORMS,
    {name: each.about for name, each in TIMED.items()},
    TEXT_FORMATS,
)
FORMATS: dict[str, str] = {
    name: "; ".join(each[name] for each in _ABOUT if name in each)
    for name in dict.fromkeys(name for each in _ABOUT for name in each)
}


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How text is read: every option that can change a token."""

    input: str = "auto"
    units: str = "tokens"
    equivalences: Equivalences = TABLES["quotes"]
    normalize: str | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text in the requested units; for CoNLL-U its treebank, for brackets its trees.

    `forest` are the trees as they stand in the file; for M2, `corrected` are the edits.
    """

    text: Text
    treebank: AnnotatedText | None = None
    trees: Trees | None = None
    forest: Forest | None = None
    corrected: CorrectedText | None = None


def read(
    path: str | PathLike[str],
    *,
    input: str = "auto",
    units: Units = "auto",
    marks: str = MARKS,
    encoding: str | None = None,
    **options: Unpack[FormatOptions],
) -> Document:
    """Read one transcript from a file, standard input (`-`) or a URL.

    `FILE::RECORDING` selects one of several recordings in a file; `tier` a tier of a TextGrid or an
    EAF, of which every interval is a unit. `rate` is what a second has of TIMIT's samples.
    """
    _require_known(input)
    cell = columns.read(str(path))
    if cell is not None:
        return cell
    place, recording = recording_of(str(path))
    form, text = _detected(place, input, units, encoding)
    if text is not None:
        signs = signs_of_plain(place, text) if input == "auto" else {}
        return _noted(plain.parse(text, form, marks=marks, source=place), signs)
    script = _recording(place, form, encoding, recording, **options)
    units = TIMED[form].units if units == "auto" else units
    document = to_document(script, units=units, marks=marks)
    if input != "auto" or by_suffix(place):
        return document
    return replace(document, signs={**document.signs, "guessed": 1})


def read_many(
    paths: Sequence[str | PathLike[str]],
    *,
    input: str = "auto",
    units: Units = "auto",
    marks: str = MARKS,
    encoding: str | None = None,
    **options: Unpack[FormatOptions],
) -> list[Document]:
    """Read many transcripts, as `read` reads each; plain ones are read together, in one pass.

    The error that is raised is that of the first file that has one.
    """
    documents: dict[int, Document] = {}
    texts: dict[int, tuple[str, str, str]] = {}
    signs: dict[int, dict[str, int]] = {}
    for at, path in enumerate(map(str, paths)):
        try:
            _require_known(input)
            place = recording_of(path)[0]
            is_cell = columns.is_cell(path)
            form, text = ("", None) if is_cell else _detected(place, input, units, encoding)
            if text is not None:
                signs[at] = signs_of_plain(place, text) if input == "auto" else {}
                texts[at] = text, form, place
            else:
                how = {"units": units, "marks": marks, "encoding": encoding, **options}
                documents[at] = read(path, input=input, **how)  # type: ignore[arg-type]
        except CaesuraError:
            _parse_plain(texts, marks)
            raise
    plain_ones = _parse_plain(texts, marks)
    documents |= {at: _noted(each, signs[at]) for at, each in plain_ones.items()}
    return [documents[at] for at in range(len(documents))]


def _noted(document: Document, signs: Mapping[str, int]) -> Document:
    """A document with more signs."""
    return replace(document, signs={**document.signs, **signs}) if signs else document


def _require_known(input: str) -> None:
    if input != "auto" and input not in plain.FORMS and input not in TIMED:
        raise UnknownNameError("input form", input, {**plain.FORMS, **TIMED})


def _detected(place: str, input: str, units: Units, encoding: str | None) -> tuple[str, str | None]:
    """The form of a transcript; for a plain one, which may be `auto`, also its text."""
    form = _by_name(place, encoding) if input == "auto" else input
    if form in TIMED:
        return form, None
    text = read_text(place, encoding)
    form = form or by_content(text) or (BREAKS if units == BREAKS else "auto")
    return form, None if form in TIMED else text


def _parse_plain(texts: Mapping[int, tuple[str, str, str]], marks: str) -> dict[int, Document]:
    """The documents of plain texts, each with its form and its place."""
    if not texts:
        return {}
    contents, forms, sources = zip(*texts.values(), strict=True)
    found = plain.parse_many(contents, forms, marks=marks, sources=sources)
    return dict(zip(texts, found, strict=True))


def read_scripts(
    path: str, form: str, encoding: str | None = None, **options: Unpack[FormatOptions]
) -> list[Script]:
    """Every recording that a file holds, in one of the timed formats."""
    return _parsed(path, form, encoding, stamp(path), _given(options))


Pairs = tuple[tuple[str, Any], ...]


def _given(options: FormatOptions) -> Pairs:
    """Options that were given, as a key of a cache."""
    return tuple(sorted((name, value) for name, value in options.items() if value))


@lru_cache(maxsize=8)
def _parsed(
    path: str,
    form: str,
    encoding: str | None,
    _: tuple[int, ...],
    options: Pairs,
) -> list[Script]:
    """The recordings of a file, cached by its stamp so that it is parsed once."""
    return TIMED[form].scripts(read_text(path, encoding), path, dict(options))


def _recording(
    path: str, form: str, encoding: str | None, name: str, **options: Unpack[FormatOptions]
) -> Script:
    """The recording of a file that is named, or the only one."""
    file = path, form, encoding, stamp(path), _given(options)
    found = _by_label(*file).get(name) if name else None
    return one_recording(_parsed(*file), name, path) if found is None else found


@lru_cache(maxsize=64)
def _by_label(
    path: str, form: str, encoding: str | None, of: tuple[int, ...], options: Pairs
) -> dict[str, Script]:
    """The recordings of a file that holds many, which stay in memory while others are read."""
    return {each.label: each for each in reversed(_parsed(path, form, encoding, of, options))}


def recordings(
    path: str,
    input: str = "auto",
    encoding: str | None = None,
    **options: Unpack[FormatOptions],
) -> dict[str, list[str]]:
    """The names of the recordings in a file by version; none where a file is one recording.

    The version is empty where a file holds only one.
    """
    form = _form_of_many(path, encoding) if input == "auto" else input
    if form not in TIMED or not TIMED[form].holds_many:
        return {}
    file = path, form, encoding, stamp(path), _given(options)
    found: dict[str, list[str]] = {}
    for script in _parsed(*file):
        if script.recording:
            found.setdefault(script.version, []).append(script.recording)
    if found:
        _by_label(*file)  # each will be read
    return found


def _form_of_many(path: str, encoding: str | None) -> str:
    """The format of a file that may hold many recordings, by its name or its first characters."""
    found = _by_name(path, encoding)
    return found or (registry.by_content(_head(path, encoding)) if is_utf8(path) else "")


def detect(path: str, encoding: str | None = None) -> str:
    """Detect a transcript's format by its name, else by its content; plain forms are `auto`."""
    form = _by_name(path, encoding)
    if form:
        return form
    return by_content(read_text(path, encoding)) or "auto"


def _by_name(path: str, encoding: str | None) -> str:
    """The timed format of a file name; where several have its suffix, what it looks like.

    If it looks like none of them, it is the first.
    """
    suffix = suffix_of(path).lower()
    first, *others = _with_suffix(suffix) or ("",)
    if not others:
        return first
    head = _head(path, encoding)
    return next((name for name in others if TIMED[name].is_like(head)), first)


def _head(path: str, encoding: str | None) -> str:
    """The first characters of a file, after white space."""
    if encoding is None and is_utf8(path):
        text = Extract(path, 0, HEAD).read().decode(errors="replace").removeprefix("\ufeff")
    else:
        text = read_text(path, encoding)
    return text[:HEAD].lstrip()


def by_suffix(path: str) -> str:
    """The timed format of a file name; empty if there is none."""
    return next(iter(_with_suffix(suffix_of(path).lower())), "")


@lru_cache(maxsize=64)
def _with_suffix(suffix: str) -> tuple[str, ...]:
    return tuple(name for name, each in TIMED.items() if suffix in each.suffixes)


def by_content(text: str) -> str:
    """The timed format that the beginning of a text looks like; empty if there is none."""
    return registry.by_content(text[:HEAD].lstrip())


def one_recording(scripts: list[Script], recording: str, source: str) -> Script:
    """The recording that is named, or the only one."""
    named = [script for script in scripts if script.label == recording]
    if named or (len(scripts) == 1 and not recording):
        return (named or scripts)[0]
    names = [script.label for script in scripts]
    if recording:
        raise UnknownNameError(f"recording in {source}", recording, names)
    raise FormatError(
        source,
        f"{number(len(names), 'recording')}: {', '.join(names[:3])}{' …' * (len(names) > 3)}",
        f"name one, as {source}{PART}{names[0]}",
    )


def read_tokens(path: str | PathLike[str], options: TextOptions | None = None) -> TextFile:
    """Read one tokenized text from a file, standard input (`-`) or a URL."""
    options = options or TextOptions()
    if options.input != "auto" and options.input not in TEXT_FORMATS:
        raise UnknownNameError("input format", options.input, TEXT_FORMATS)
    data = read_utf8(str(path), options.encoding)
    form = _detect(str(path), data) if options.input == "auto" else options.input
    if options.input == "auto" and form != "conllu":
        require_text(str(path))
    file = parse_text(data, str(path), form, options)
    guess = text_guess(str(path), options.input)
    signs = {**file.text.signs, **guess}
    return replace(file, text=replace(file.text, signs=signs)) if guess else file


def parse_text(data: bytes, source: str, form: str, options: TextOptions) -> TextFile:
    """Read tokens or CoNLL-U from UTF-8 bytes."""
    if form == "conllu":
        from caesura.formats.conllu import parse_conllu

        return _from_table(parse_conllu(data, source), options)
    from caesura.formats.tokens import parse_tokens

    how = {"equivalences": options.equivalences, "normalize": options.normalize}
    if form == "segmented":
        data = data.replace(IDEOGRAPHIC_SPACE, b" ")
    text = parse_tokens(data, source=source, **how)  # type: ignore[arg-type]
    return TextFile(replace(text, form=form) if form != text.form else text)


def text_guess(path: str, input: str) -> dict[str, int]:
    """The sign of a text whose format is guessed by its content, not known by its name."""
    return {} if input != "auto" or _CONLLU.search(path) else {"guessed": 1}


def text_form(path: str) -> str:
    """The format of a text on disk, by its name and its beginning."""
    with Path(local(path)).open("rb") as file:
        return _detect(path, file.read(1 << 20))


def _detect(path: str, data: bytes) -> str:
    """CoNLL-U by its name, or if the first line that is not a comment has enough tabs."""
    if _CONLLU.search(path):
        return "conllu"
    first = re.search(rb"^(?!#)[^\r\n]*\S[^\r\n]*", data, re.MULTILINE)
    return "conllu" if first and first[0].count(b"\t") >= 7 else "tokens"


def _from_table(table: TreebankTable, options: TextOptions) -> TextFile:
    from caesura.core.treebank import AnnotatedText

    surface = _text_of(table, table.tokens, options)
    text = surface if options.units == "tokens" else _text_of(table, table.words, options)
    return TextFile(text, AnnotatedText(table, surface))


def _text_of(table: TreebankTable, lines: IntArray, options: TextOptions) -> Text:
    from caesura.formats.casing import with_case_of_tokens
    from caesura.formats.surface import surface_text
    from caesura.formats.tokens import parse_filled

    is_surface = lines is table.tokens
    data = table.surface if is_surface else with_case_of_tokens(table, table.plain(lines))
    how = options.equivalences, options.normalize
    first = np.flatnonzero(steps(table.sentence_of(lines), -1))
    ends = np.append(first[1:], lines.size)
    text = None if how[1] else surface_text(data, table.form_widths(lines), ends, how[0])
    if text is None:
        text = parse_filled(data, equivalences=how[0], normalize=how[1], source=table.source)
    if text.token_ends.size != lines.size:
        raise _blank_form(table, lines)
    begins = table.line[lines[first]].astype(np.int64) + 1
    signs = {"text_differs": table.unlike.size} if table.unlike.size else {}
    return replace(text, lines=begins, form="conllu", source=table.source, signs=signs)


def _blank_form(table: TreebankTable, lines: IntArray) -> FormatError:
    forms = table.plain(lines).replace(b"\n", b" ").split(b" ")
    blank = next(at for at, form in enumerate(forms) if not form.decode().replace("\0", "").strip())
    line = int(table.line[lines[blank]]) + 1
    return FormatError(table.source, "a blank form", "give the token a form", line=line)


__all__ = [
    "FORMATS",
    "MARKS",
    "TEXT_FORMATS",
    "TIMED",
    "FormatOptions",
    "TextFile",
    "TextOptions",
    "Units",
    "by_content",
    "by_suffix",
    "detect",
    "one_recording",
    "parse_text",
    "read",
    "read_many",
    "read_scripts",
    "read_tokens",
    "recordings",
    "text_form",
    "text_guess",
]
