"""Uploads: files that a manager's page sends; their names never reach the file system."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from caesura.errors import CaesuraError, SourceError, UsageError, reason, shortened
from caesura.formats.registry import TIMED
from caesura.io.files import stem, suffix_of
from caesura.studio.names import checked_name
from caesura.studio.project import Project
from caesura.studio.store import StoredDocument
from caesura.studio.transfer import SOUNDS, pinned, unspaced

FOLDER = "studio.audio"
"""The folder with the sound that was sent, in files named by the numbers of their documents."""
_BEGINNINGS = (b"RIFF", b"OggS", b"ID3", b"fLaC", b"ADIF", b"\x1a\x45\xdf\xa3")
"""How files with sound begin: WAV, Ogg, MP3, FLAC, AAC, WebM."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """What came of a file: its documents, how many of them are new, and notes on them."""

    documents: list[StoredDocument]
    added: int = 0
    sound: bool = False
    notes: tuple[str, ...] = ()


@contextmanager
def sent(name: str, data: bytes) -> Iterator[str]:
    """The path of a temporary file with what was sent; errors name the file as its sender does."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{suffix_for(name)}"
        path.write_bytes(data)
        try:
            yield str(path)
        except CaesuraError as problem:
            raise UsageError(problem.message.replace(str(path), shortened(name))) from None


def suffix_for(name: str) -> str:
    """The suffix of a name, if a format has it."""
    suffix = suffix_of(name).lower()
    known = {each for form in TIMED.values() for each in form.suffixes}
    return suffix if suffix in known else ".txt"


def upload(project: Project, name: str, data: bytes) -> Uploaded:
    """Add the documents of a file, all or none."""
    own = checked_name(stem(name) if name else "")
    with sent(name, data) as path:
        found = list(pinned(path, own, as_written=project.as_written, tokens=project.tokens))
    fresh = [each for each in found if project.named(each.name) is None]
    notes = [note for each in fresh for note in unspaced(each.name, each, project.tokens)]
    added = project.add_all(found)
    return Uploaded(added, len(fresh), notes=tuple(notes))


def is_sound(name: str) -> bool:
    """Whether a file has sound, by its name."""
    return suffix_of(name).lower() in SOUNDS


def _document_of(project: Project, name: str) -> tuple[StoredDocument, Path]:
    """The document whose sound a file is, by its name, and the folder for it."""
    if project.sounds is None:
        raise UsageError("this project has no folder for sound; begin it with a folder")
    found = project.named(stem(name))
    if found is None:
        raise UsageError(
            f"there is no document '{shortened(stem(name))}'; add its transcript first, or give "
            "the sound the name of its document"
        )
    return found, project.sounds


@contextmanager
def incoming(project: Project, name: str) -> Iterator[IO[bytes]]:
    """A file that becomes the sound of its document when all of it has come; otherwise it goes."""
    document, folder = _document_of(project, name)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        number, temporary = tempfile.mkstemp(dir=folder, prefix=".")
        path = Path(temporary)
        try:
            with os.fdopen(number, "w+b") as file:
                yield file
                file.seek(0)
                _require_sound(file.read(12), name)
            _keep(project, document, folder, path, suffix_of(name).lower())
        finally:
            path.unlink(missing_ok=True)
    except OSError as problem:
        cure = "make room on the server, or put the file into the folder"
        raise SourceError(shortened(name), f"not kept ({reason(problem)})", cure) from None


def _require_sound(head: bytes, name: str) -> None:
    """Raise an error if a file does not begin as one with sound."""
    is_frame = len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0
    if not (is_frame or head.startswith(_BEGINNINGS) or head[4:8] == b"ftyp"):
        raise SourceError(shortened(name), "no sound in it", f"give one of {', '.join(SOUNDS)}")


def _keep(
    project: Project, document: StoredDocument, folder: Path, path: Path, suffix: str
) -> None:
    """Make a file the sound of a document, in place of an earlier one."""
    target = folder / f"{document.id}{suffix}"
    path.replace(target)
    project.audio[document.name] = target
    for other in folder.glob(f"{document.id}.*"):
        if other != target:
            other.unlink(missing_ok=True)


def find_sounds(project: Project, folder: Path) -> None:
    """Note the sound that was sent earlier."""
    project.sounds = folder / FOLDER
    paths = sorted(project.sounds.iterdir()) if project.sounds.is_dir() else []
    numbers = {str(number): each.name for number, each in project.documents.items()}
    project.audio |= {numbers[each.stem]: each for each in paths if each.stem in numbers}
