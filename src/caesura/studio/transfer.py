"""Transfer: import files into a project, and export it to files."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from caesura.core.segmentation import NO_BREAK, Segmentation
from caesura.errors import CaesuraError, SourceError, UsageError
from caesura.formats._shared.script import Script
from caesura.formats.registry import TIMED
from caesura.formats.transcripts import read, recordings, write_scripts
from caesura.io.files import stem, suffix_of
from caesura.io.urls import PART
from caesura.studio.documents import Pinned
from caesura.studio.log import LOG, log_lines
from caesura.studio.names import checked_name, file_names
from caesura.studio.project import ADJUDICATED, Project
from caesura.studio.store import DATABASE, StoredDocument

SOUNDS = (".mp3", ".wav", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".flac", ".webm", ".mp4")


def pinned(path: str, name: str | None = None, *, as_written: bool = False) -> Iterator[Pinned]:
    """Every document of a file."""
    parts = recordings(path)
    places = {f"{path}{PART}{each}": each for each in parts} if len(parts) > 1 else {path: ""}
    for place, recording in places.items():
        own = recording or name or stem(path)
        yield Pinned.from_document(own, read(place), as_written=as_written)


def add_folder(
    project: Project, folder: Path, *, as_written: bool = False
) -> tuple[list[str], list[str]]:
    """Add the new documents of a folder; return notes on files left out or changed."""
    problems, changed = [], []
    places: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith((".", DATABASE)):
            continue
        if path.suffix.lower() in SOUNDS:
            project.audio[path.stem] = path
            continue
        try:
            for each in pinned(str(path), as_written=as_written):
                if each.name in places:
                    raise SourceError(
                        path.name,
                        f"a second document named '{each.name}' (the first is {places[each.name]})",
                        "rename one",
                    )
                places[each.name] = path.name
                _, is_same = project.add(each)
                changed += [] if is_same else [path.name]
        except CaesuraError as problem:
            problems.append(problem.message)
    return problems, changed


def upload(project: Project, name: str, data: bytes) -> list[StoredDocument]:
    """Add the documents of a file that was sent; its name never reaches the file system."""
    own = checked_name(stem(name) if name else "")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{suffix_for(name)}"
        path.write_bytes(data)
        try:
            found = list(pinned(str(path), own))
        except CaesuraError as problem:
            message = problem.message.replace(str(path), name)
            raise UsageError(message) from None
    added = []
    for each in found:
        known, is_same = project.add(each)
        if not is_same:
            raise UsageError(f"there is a document '{each.name}' with other words; rename the file")
        added.append(known)
    return added


def suffix_for(name: str) -> str:
    """The suffix of a name, if a format has it."""
    suffix = suffix_of(name).lower()
    known = {each for form in TIMED.values() for each in form.suffixes}
    return suffix if suffix in known else ".txt"


def export(project: Project) -> bytes:
    """An archive of all annotators' versions, the adjudicated ones, and the log."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        files = file_names([each.name for each in project.documents.values()])
        for number, each in project.documents.items():
            words = project.pinned(number)
            layers = {name: layer.segmentation() for name, layer in project.layers(number).items()}
            if project.board.decisions.get(number):
                layers[ADJUDICATED] = project.decided(number)
            for name, segmentation in layers.items():
                archive.writestr(f"{name}/{files[each.name]}.jsonl", _written(words, segmentation))
        archive.writestr(LOG, "".join(log_lines(project)))
    return target.getvalue()


def _written(words: Pinned, segmentation: Segmentation) -> str:
    """Somebody's boundaries as caesura's JSON lines."""
    ends = np.zeros(segmentation.length, np.bool_)
    ends[segmentation.boundaries] = True
    types = np.zeros(segmentation.length, "<U1")
    if segmentation.marks is not None:
        types[segmentation.boundaries] = segmentation.marks
    speakers = [*words.speakers, ""]
    script = Script(
        texts=[each.replace(NO_BREAK, " ") for each in words.shown.split(" ")],
        start=np.array(words.start, np.int64) if words.start else None,
        end=np.array(words.end, np.int64) if words.end else None,
        ends=ends,
        types=types.tolist(),
        speakers=[speakers[code] for code in words.turns] if words.turns else None,
        source=words.name,
    )
    return write_scripts([script], "jsonl")
