"""Transcripts: read the recordings of files, one or many, in whatever format they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from os import PathLike
from typing import TYPE_CHECKING, Literal, Unpack

from caesura.core.format import FormatOptions, Units
from caesura.core.marks import MARKS
from caesura.core.segmentation import Document
from caesura.errors import CaesuraError, FormatError, UnknownNameError, number
from caesura.formats import plain
from caesura.formats.detection import by_suffix, detected, form_of_many, signs_of_plain
from caesura.formats.registry import PLAIN, TIMED
from caesura.io.files import read_text, suffix_of
from caesura.io.paths import PART, recording_of, row_of, stamp

if TYPE_CHECKING:
    from caesura.formats.script import Script

Tokens = Literal["auto", "characters", "words", "dictionary"]
"""What boundaries lie between; see `caesura.core.tokens`."""
PlainText = tuple[str, str, str, dict[str, int]]
"""A plain transcript: its text, form and place, and what was noticed of it."""
ARRAYS = (".npy", ".npz")
"""The suffixes of arrays of scores."""


def read(
    path: str | PathLike[str],
    *,
    input: str = "auto",
    units: Units = "auto",
    marks: str = MARKS,
    tokens: Tokens = "auto",
    encoding: str | None = None,
    **options: Unpack[FormatOptions],
) -> Document:
    """Read one transcript from a file, standard input (`-`), a URL or a named set (`@SET/FILE`).

    `FILE::RECORDING` selects one of several recordings in a file; `tier` a tier of a TextGrid or an
    EAF, of which every interval is a unit. `rate` is what a second has of TIMIT's samples. `tokens`
    are words, characters, or by default characters in scripts without spaces.
    """
    path = str(path)
    if path.startswith("@"):
        from caesura.sets.named_sets import set_path

        path = set_path(path)
    (document,) = read_many(
        [path], input=input, units=units, marks=marks, tokens=tokens, encoding=encoding, **options
    )
    return document


def read_many(
    paths: Sequence[str | PathLike[str]],
    *,
    input: str = "auto",
    units: Units = "auto",
    marks: str = MARKS,
    tokens: Tokens = "auto",
    encoding: str | None = None,
    **options: Unpack[FormatOptions],
) -> list[Document]:
    """Read many transcripts, as `read` reads each; plain ones are read together, in one pass.

    The error that is raised is that of the first file that has one.
    """
    if paths and input != "auto" and input not in PLAIN and input not in TIMED:
        raise UnknownNameError("input form", input, {**PLAIN, **TIMED})
    documents: dict[int, Document] = {}
    texts: dict[int, PlainText] = {}
    forms: dict[str, tuple[str, str | None]] = {}  # of files, with the texts of plain ones
    for at, path in enumerate(map(str, paths)):
        try:
            row = _row(path, options.get("scores", ""))
            if row is not None:
                documents[at] = row
                continue
            place, recording = recording_of(path)
            if place not in forms:
                axis = options.get("axis", "words")
                forms[place] = detected(place, input, units, encoding, axis)
            form, text = forms[place]
            if text is not None:
                noticed = signs_of_plain(place, text) if input == "auto" else {}
                text, of_tokens = in_tokens(text, tokens)
                texts[at] = text, form, place, noticed | of_tokens
            else:
                from caesura.formats.script import to_document

                ends = TIMED[form].units if units == "auto" else units
                script = _recording(place, form, encoding, recording, **options)
                script, noticed = _script_in_tokens(script, ends, tokens)
                if input == "auto" and not by_suffix(place):  # the content says what it is
                    noticed |= {"guessed": 1}
                documents[at] = _noted(to_document(script, units=ends, marks=marks), noticed)
        except CaesuraError:
            _parse_plain(texts, marks)
            raise
    documents |= _parse_plain(texts, marks)
    return [documents[at] for at in range(len(documents))]


def in_tokens(text: str, tokens: Tokens) -> tuple[str, dict[str, int]]:
    """A text with its tokens apart, and signs if some of them are characters."""
    if tokens == "words" or (tokens != "characters" and text.isascii()):
        return text, {}
    from caesura.core.tokens import has_separated_words, tokenized

    if tokens == "dictionary" and has_separated_words(text):
        return text, {}
    apart = tokenized(text, tokens)
    if apart == text:
        return text, {}
    signs = {"dictionary" if tokens == "dictionary" else "characters": 1}
    return apart, {**signs, "by_script": 1} if tokens == "auto" else signs


def _script_in_tokens(
    script: Script, units: Units, tokens: Tokens
) -> tuple[Script, dict[str, int]]:
    """A script whose texts have their tokens apart.

    Intervals, verbatim words and, unless it is asked for, lines of subtitles are as written.
    """
    is_layout = units == "breaks" and tokens == "auto"
    if script.is_verbatim or units == "intervals" or is_layout:
        return script, {}
    every, layouts = script.texts, script.layouts
    texts, signs = in_tokens("\n".join(" ".join(each.split()) for each in every), tokens)
    if not signs:
        return script, {}
    from caesura.core.tokens import tokenized

    laid = None if layouts is None else [tokenized(each, tokens) for each in layouts]
    return replace(script, texts=texts.split("\n"), layouts=laid), signs


def _row(path: str, scores: str) -> Document | None:
    """The document of an array, or of a row that has boundaries; None for any other path."""
    row = row_of(path)
    if row is not None:
        from caesura.formats.word_scores import read_boundaries

        return read_boundaries(row, scores)
    place, name = recording_of(path)
    if suffix_of(place).lower() not in ARRAYS:
        return None
    from caesura.formats.word_scores import read_array

    return read_array(place, name, scores)


def _noted(document: Document, signs: Mapping[str, int]) -> Document:
    """A document with more signs."""
    return replace(document, signs={**document.signs, **signs}) if signs else document


def _parse_plain(texts: Mapping[int, PlainText], marks: str) -> dict[int, Document]:
    """The documents of plain texts."""
    if not texts:
        return {}
    contents, forms, sources, signs = zip(*texts.values(), strict=True)
    documents = plain.parse_many(contents, forms, marks=marks, sources=sources)
    return dict(zip(texts, map(_noted, documents, signs), strict=True))


def parse_scripts(
    text: str, source: str, form: str, options: Mapping[str, object] | None = None
) -> list[Script]:
    """Read the recordings of a text in one of the timed formats, with the options that it has."""
    taken = {name: each for name, each in (options or {}).items() if name in TIMED[form].options}
    scripts: list[Script] = TIMED[form].functions.read(text, source, **taken)
    return scripts


def write_scripts(scripts: Sequence[Script], form: str) -> str:
    """Write scripts, of which plain formats hold one."""
    write = (PLAIN | TIMED)[form].functions.write
    assert write is not None, f"{form} cannot be written"
    return "".join(write(scripts))


def read_scripts(
    path: str, form: str, encoding: str | None = None, **options: Unpack[FormatOptions]
) -> list[Script]:
    """Every recording that a file holds, in one of the timed formats."""
    return _parsed(_file(path, form, encoding, options))


File = tuple[str, str, str | None, tuple[int, ...], tuple[tuple[str, object], ...]]
"""The path, form, encoding, stamp and options of a file, as a key of caches."""


def _file(path: str, form: str, encoding: str | None, options: FormatOptions) -> File:
    given = sorted((name, value) for name, value in options.items() if value)
    return path, form, encoding, stamp(path), tuple(given)


@lru_cache(maxsize=8)
def _parsed(file: File) -> list[Script]:
    """The recordings of a file, cached by its stamp so that it is parsed once."""
    path, form, encoding, _, options = file
    return parse_scripts(read_text(path, encoding), path, form, dict(options))


def _recording(
    path: str, form: str, encoding: str | None, name: str, **options: Unpack[FormatOptions]
) -> Script:
    """The recording of a file that is named, or the only one."""
    file = _file(path, form, encoding, options)
    script = _by_label(file).get(name) if name else None
    return one_recording(_parsed(file), name, path) if script is None else script


@lru_cache(maxsize=64)
def _by_label(file: File) -> dict[str, Script]:
    """The recordings of a file that holds many, which stay in memory while others are read."""
    return {each.label: each for each in reversed(_parsed(file))}


def recordings(
    path: str, input: str = "auto", encoding: str | None = None, **options: Unpack[FormatOptions]
) -> dict[str, list[str]]:
    """The names of the recordings in a file by version; none where a file is one recording.

    The version is empty where a file holds only one.
    """
    if suffix_of(path).lower() in ARRAYS:
        from caesura.formats.word_scores import array_names

        names_inside = array_names(path)
        return {"": names_inside} if names_inside else {}
    axis = options.get("axis", "words")
    form = form_of_many(path, encoding, axis) if input == "auto" else input
    if form not in TIMED or not TIMED[form].holds_many:
        return {}
    file = _file(path, form, encoding, options)
    names: dict[str, list[str]] = {}
    for script in _parsed(file):
        if script.recording:
            names.setdefault(script.version, []).append(script.recording)
    if names:
        _by_label(file)  # each will be read
    return names


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
