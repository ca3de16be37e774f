"""Transfer: import files into a project, and export it to files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np

from caesura.core.segmentation import NO_BREAK
from caesura.core.tokens import has_unspaced
from caesura.core.word_finders import finder
from caesura.errors import CaesuraError, FormatError, SourceError, option
from caesura.formats._shared.script import Script
from caesura.formats.transcripts import Tokens, read, recordings, write_scripts
from caesura.io.files import stem
from caesura.io.urls import PART
from caesura.studio.adjudication import layer_of
from caesura.studio.documents import Pinned
from caesura.studio.events import LONGEST_GUIDELINES, Event
from caesura.studio.layers import OwnLayer
from caesura.studio.log import LOG, log_lines
from caesura.studio.names import file_names
from caesura.studio.project import ADJUDICATED, Project
from caesura.studio.statement import STATEMENT, statement
from caesura.studio.store import DATABASE

Note = dict[str, str]
"""What the first line of an exported file says besides its format."""
GUIDELINES = "guidelines.md"
"""The file of a folder that holds the guidelines, and is no document."""
SOUNDS = (".mp3", ".wav", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".flac", ".webm", ".mp4")
"""The suffixes of files with sound."""


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


def add_folder(
    project: Project, folder: Path, *, as_written: bool = False, tokens: Tokens = "auto"
) -> tuple[list[str], list[str]]:
    """Add the new documents of a folder; return notes on files left out or changed."""
    problems, changed = [], []
    places: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith((".", DATABASE)) or path.name == GUIDELINES:
            continue
        if path.suffix.lower() in SOUNDS:
            project.audio[path.stem] = path
            continue
        try:
            for each in pinned(str(path), as_written=as_written, tokens=tokens):
                if each.name in places:
                    raise SourceError(
                        path.name,
                        f"a second document named '{each.name}' (the first is {places[each.name]})",
                        "rename one",
                    )
                places[each.name] = path.name
                known = {own.name for own in project.documents.values()}
                problems += [] if each.name in known else unspaced(path.name, each, tokens)
                _, is_same = project.add(each)
                changed += [] if is_same else [path.name]
        except CaesuraError as problem:
            problems.append(problem.message)
    return problems, changed


def unspaced(file: str, document: Pinned, tokens: Tokens) -> list[str]:
    """What to know of a document in a script without spaces."""
    if not has_unspaced(document.words):
        return []
    if tokens == "words":
        longest = max(map(len, document.words.split(" ")))
        by = f", or {finder()} where they do not" if finder() else ""
        return [
            f"{file}: a script without spaces: boundaries lie between its {document.length:,} "
            f"words as spaces separate them{by}; the longest has {longest:,} characters; for "
            f"characters, give {option('tokens', 'characters')}"
        ]
    return [
        f"{file}: a script without spaces: boundaries lie between its {document.length:,} "
        f"characters; for words, give {option('tokens', 'words')}"
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


def export(project: Project) -> bytes:
    """An archive of all annotators' versions, the adjudicated ones, and the log."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in exported(project):
            archive.writestr(name, text)
    return target.getvalue()


def exported(project: Project) -> Iterator[tuple[str, str]]:
    """Every file of the export: its name, and what is in it."""
    files = file_names([each.name for each in project.documents.values()])
    for each in project.listed:
        words, file = project.pinned(each.id), f"{files[each.name]}.jsonl"
        for folder, layer, note in _versions(project, each.id):
            yield f"{folder}/{file}", _written(words, layer, note)
    if project.board.guidelines:
        yield "guidelines.md", project.board.guidelines[-1][1]
    yield STATEMENT, statement(project)
    yield LOG, "".join(log_lines(project))


def _versions(project: Project, document: int) -> Iterator[tuple[str, OwnLayer, Note]]:
    """The versions of a document: their folders, layers, and notes for the first line.

    What counts is in a folder of its annotator; revisions, layers in work and others that do not
    count are in `aside`, and what began from a machine's boundaries in `preannotated`.
    """
    board, machine = project.board, project.board.machines.get(document, "")
    counted = {id(layer) for layer in project.counted(document).values()}
    for (_, person, number), layer in board.of_document(document):
        name = project.name_of(person)
        note: Note = {"annotator": name, "machine": machine} if machine else {"annotator": name}
        if id(layer.first) in counted:
            yield f"preannotated/{name}" if machine else name, layer.first, note
        elif layer.is_done or layer.acts:
            why = "in work" if not layer.is_done else "not blind" if not layer.is_blind else "other"
            why = f"{why}, pass {number}" if number > 1 else why
            yield f"aside/{why}/{name}", layer.first, note | {"aside": why}
        if layer.is_revised:
            yield f"aside/revision/{name}", layer, note | {"aside": "revision"}
    if machine:
        begun = OwnLayer.from_length(board.lengths[document], board.beginnings.get(document))
        yield "preannotated/machine", begun, {"machine": machine}
    closed = board.closed.get(document)
    if closed is not None:
        result = OwnLayer.from_length(board.lengths[document], closed.boundaries)
        yield ADJUDICATED, result, {"annotator": ADJUDICATED}
    elif board.decisions.get(document):
        part = layer_of(project, document)
        yield "aside/partial", part, {"partial": "not all gaps in dispute are decided"}


def _written(words: Pinned, layer: OwnLayer, note: Note) -> str:
    """Somebody's boundaries as caesura's JSON lines; the first line has the note.

    The line of a word says if its annotator is unsure of the boundary after it.
    """
    segmentation = layer.segmentation()
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
    head, *lines = write_scripts([script], "jsonl").split("\n")
    for gap in layer.unsure:
        lines[gap] = json.dumps(json.loads(lines[gap]) | {"unsure": True}, ensure_ascii=False)
    return "\n".join([json.dumps(json.loads(head) | note, ensure_ascii=False), *lines])
