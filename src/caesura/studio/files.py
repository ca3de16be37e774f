"""Files: the transcripts, sound and guidelines of a folder, and those that a manager's page sends.

The names of files that are sent never reach the file system.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

from caesura.core.tokens import has_unspaced
from caesura.core.word_finders import finder
from caesura.errors import (
    CaesuraError,
    FormatError,
    SourceError,
    UsageError,
    option,
    reason,
    shortened,
)
from caesura.formats.registry import TIMED
from caesura.formats.transcripts import Tokens, read, recordings
from caesura.io.files import stem, suffix_of
from caesura.io.paths import PART
from caesura.studio.documents import Pinned, checked_name
from caesura.studio.events import LONGEST_GUIDELINES, Event
from caesura.studio.project import Project
from caesura.studio.store import DATABASE, StoredDocument

GUIDELINES = "guidelines.md"
"""The file of a folder that holds the guidelines, and is no document."""
SOUNDS = (".mp3", ".wav", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".flac", ".webm", ".mp4")
"""The suffixes of files with sound."""
FOLDER = "studio.audio"
"""The folder with the sound that was sent, in files named by the numbers of their documents."""
_HEADS = (b"RIFF", b"OggS", b"ID3", b"fLaC", b"ADIF", b"\x1a\x45\xdf\xa3")
"""How files with sound begin: WAV, Ogg, MP3, FLAC, AAC, WebM."""


def pinned(
    path: str, name: str | None = None, *, as_written: bool = False, tokens: Tokens = "auto"
) -> Iterator[Pinned]:
    """Every document of a file; words of scripts without spaces are those that are found."""
    tokens = "dictionary" if tokens == "words" else tokens
    for own, place in places(path, name or stem(path)).items():
        yield Pinned.from_document(own, read(place, tokens=tokens), as_written=as_written)


def places(path: str, name: str) -> dict[str, str]:
    """Where the documents of a file are, by their names; the only one has that of the file.

    Of a file with several people's versions, it is the first one's.
    """
    versions = recordings(path)
    version, names = next(iter(versions.items()), ("", []))
    if len(names) < 2 and not version:
        return {name: path}
    prefix = f"{version}/" if version else ""
    return {each: f"{path}{PART}{prefix}{each}" for each in names}


def add_folder(project: Project, folder: Path) -> list[str]:
    """Add the new documents of a folder; notes on files that were left out or have changed."""
    notes, changed = [], []
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith((".", DATABASE)) or path.name == GUIDELINES:
            continue
        if path.suffix.lower() in SOUNDS:
            project.audio[path.stem] = path
            continue
        try:
            for each in pinned(str(path), as_written=project.as_written, tokens=project.tokens):
                if each.name in project.sources:
                    first = project.sources[each.name].name
                    problem = f"a second document named '{each.name}' (the first is {first})"
                    raise SourceError(path.name, problem, "rename one")
                project.sources[each.name] = path
                if project.named(each.name) is None:
                    notes += unspaced(path.name, each, project.tokens)
                _, is_same = project.add(each)
                changed += [] if is_same else [path.name]
        except CaesuraError as problem:
            notes.append(problem.message)
    return notes + [
        f"{name} has changed since it was added; the studio keeps the words that it has"
        for name in changed
    ]


def unspaced(file: str, document: Pinned, tokens: Tokens) -> list[str]:
    """What to know of a document in a script without spaces."""
    if not has_unspaced(document.words):
        return []
    unit, other = ("words", "characters") if tokens == "words" else ("characters", "words")
    how = ""
    if unit == "words":
        by = f", or {finder()} where they do not" if finder() else ""
        longest = max(map(len, document.words.split(" ")))
        how = f" as spaces separate them{by}; the longest has {longest:,} characters"
    return [
        f"{file}: a script without spaces: boundaries lie between its {document.length:,} "
        f"{unit}{how}; for {other}, give {option('tokens', other)}"
    ]


def read_guidelines(project: Project, folder: Path) -> None:
    """Take the guidelines of a folder as a new version, if the file has changed."""
    path = folder / GUIDELINES
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8-sig", errors="replace").expandtabs(4)
    text = "".join(each for each in text if each.isprintable() or each == "\n")
    if len(text) > LONGEST_GUIDELINES:
        raise FormatError(
            str(path), f"{len(text):,} characters", f"shorten it to {LONGEST_GUIDELINES:,}"
        )
    digest = sha256(text.encode()).hexdigest()
    if project.store.setting(GUIDELINES) != digest:
        known = project.board.guidelines
        if not known or known[-1][1] != text:
            project.do(project.manager, Event.of_project("guidelines", text=text))
        project.store.set(GUIDELINES, digest)


def find_sounds(project: Project, folder: Path) -> None:
    """Note the sound that was sent earlier, and remove that of documents that were deleted."""
    project.sounds = folder / FOLDER
    paths = sorted(project.sounds.iterdir()) if project.sounds.is_dir() else []
    names = {str(number): stored.name for number, stored in project.documents.items()}
    for path in paths:
        if path.stem in names:
            project.audio[names[path.stem]] = path
        elif path.stem.isdecimal():
            path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Uploaded:
    """What came of a file: its documents, how many of them are new, and notes on them."""

    documents: list[StoredDocument]
    added: int = 0
    sound: bool = False
    notes: tuple[str, ...] = ()


def upload(project: Project, name: str, data: bytes) -> Uploaded:
    """Add the documents of a file, all or none."""
    own = checked_name(stem(name) if name else "")
    with sent(name, data) as path:
        new = list(pinned(path, own, as_written=project.as_written, tokens=project.tokens))
    fresh = [each for each in new if project.named(each.name) is None]
    notes = [note for each in fresh for note in unspaced(each.name, each, project.tokens)]
    return Uploaded(project.add_all(new), len(fresh), notes=tuple(notes))


@contextmanager
def sent(name: str, data: bytes) -> Iterator[str]:
    """The path of a temporary file with what was sent; errors name the file as its sender does."""
    suffix = suffix_of(name).lower()
    known = {each for form in TIMED.values() for each in form.suffixes}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{suffix if suffix in known else '.txt'}"
        path.write_bytes(data)
        try:
            yield str(path)
        except CaesuraError as problem:
            raise UsageError(problem.message.replace(str(path), shortened(name))) from None


def is_sound(name: str) -> bool:
    """Whether a file has sound, by its name."""
    return suffix_of(name).lower() in SOUNDS


@contextmanager
def incoming(project: Project, name: str) -> Iterator[IO[bytes]]:
    """A file that becomes the sound of its document when all of it has come; otherwise it goes."""
    document = project.named(stem(name))
    if project.sounds is None:
        raise UsageError("this project has no folder for sound; begin it with a folder")
    if document is None:
        raise UsageError(
            f"there is no document '{shortened(stem(name))}'; add its transcript first, or give "
            "the sound the name of its document"
        )
    try:
        project.sounds.mkdir(mode=0o700, exist_ok=True)
        number, temporary = tempfile.mkstemp(dir=project.sounds, prefix=".")
        path = Path(temporary)
        try:
            with os.fdopen(number, "w+b") as file:
                yield file
                file.seek(0)
                _require_sound(file.read(12), name)
            _keep(
                project, document, path, project.sounds / f"{document.id}{suffix_of(name).lower()}"
            )
        finally:
            path.unlink(missing_ok=True)
    except OSError as problem:
        cure = "make room on the server, or put the file into the folder"
        raise SourceError(shortened(name), f"not kept ({reason(problem)})", cure) from None


def _require_sound(head: bytes, name: str) -> None:
    """Raise an error if a file does not begin as one with sound."""
    is_frame = len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0
    if not (is_frame or head.startswith(_HEADS) or head[4:8] == b"ftyp"):
        raise SourceError(shortened(name), "no sound in it", f"give one of {', '.join(SOUNDS)}")


def _keep(project: Project, document: StoredDocument, path: Path, target: Path) -> None:
    """Make a file the sound of a document, in place of an earlier one."""
    path.replace(target)
    project.audio[document.name] = target
    for other in target.parent.glob(f"{document.id}.*"):
        if other != target:
            other.unlink(missing_ok=True)
