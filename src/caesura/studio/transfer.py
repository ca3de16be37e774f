"""Transfer: what comes into a project from files, and what goes out of it into files."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from caesura import __version__
from caesura.core.segmentation import NO_BREAK, Segmentation
from caesura.errors import CaesuraError, FormatError, UsageError
from caesura.formats import read, recordings
from caesura.formats.registry import TIMED
from caesura.formats.script import Script
from caesura.io.files import stem, suffix_of
from caesura.io.urls import PART
from caesura.studio.documents import Pinned
from caesura.studio.events import Event, EventError
from caesura.studio.project import Project, checked_name
from caesura.studio.store import StoredDocument

SOUNDS = (".mp3", ".wav", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".flac", ".webm", ".mp4")
ADJUDICATED = "adjudicated"
LOG = "log.jsonl"


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
    """Add the documents of a folder that are new; what was left out, and what has changed."""
    problems, changed = [], []
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith((".", "studio.")):
            continue
        if path.suffix.lower() in SOUNDS:
            project.audio[path.stem] = path
            continue
        try:
            for each in pinned(str(path), as_written=as_written):
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
    """The suffix of a name, if it is that of a format."""
    suffix = suffix_of(name).lower()
    known = {each for form in TIMED.values() for each in form.suffixes}
    return suffix if suffix in known else ".txt"


def export(project: Project) -> bytes:
    """An archive of what each annotator has made, what was decided, and the log."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, each in project.documents.items():
            words = project.pinned(number)
            layers = {name: layer.segmentation() for name, layer in project.layers(number).items()}
            if project.board.decisions.get(number):
                layers[ADJUDICATED] = project.decided(number)
            for name, segmentation in layers.items():
                archive.writestr(f"{name}/{each.name}.jsonl", _written(words, segmentation))
        archive.writestr(LOG, "".join(_log(project)))
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
    return "".join(TIMED["jsonl"].write([script]))


def _log(project: Project) -> Iterator[str]:
    """A header with documents and people, then every event, one a line."""
    documents = [
        {"id": number, "before": project.board.beginnings.get(number, {}),
         "content": asdict(project.pinned(number))}
        for number in project.documents
    ]  # fmt: skip
    people = [
        {"id": each.id, "name": each.name, "is_manager": each.is_manager}
        for each in project.people.values()
    ]
    head = {"caesura": __version__, "schema": "studio", "documents": documents, "people": people}
    yield json.dumps(head, ensure_ascii=False) + "\n"
    for each in project.store.log():
        line = {"person": each.person, "at": each.at, **asdict(each.event)}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def take_log(project: Project, text: str, source: str = LOG) -> None:
    """Read a log into a project that has nothing yet."""
    if project.documents or project.annotators:
        raise UsageError("a log can only be read into a new project; give an empty folder")
    first, *lines = text.splitlines()
    head = _json(first, source, 1)
    if not isinstance(head, dict) or head.get("schema") != "studio":
        raise FormatError(source, "not the log of a studio", "give log.jsonl of an export", line=1)
    numbers, people = _begun(project, head, source)
    for at, line in enumerate(lines, 2):
        values = _json(line, source, at)
        try:
            who = people[values.pop("person")]
            values.pop("at")
            values["document"] = numbers[values["document"]]
            project.take(project.people[who], [Event.from_json(values)])
        except (EventError, KeyError, TypeError, AttributeError) as problem:
            raise FormatError(
                source, f"not an event ({problem})", "export again", line=at
            ) from None


def _begun(
    project: Project, head: Mapping[str, Any], source: str
) -> tuple[dict[int, int], dict[int, int]]:
    """The new numbers of documents and people, after they are added."""
    numbers, people = {}, {}
    managers = [each.id for each in project.people.values() if each.is_manager]
    try:
        for each in head["documents"]:
            found, _ = project.add(Pinned.from_json(each["content"]))
            numbers[each["id"]] = found.id
            project.store.begin_with(found.id, {int(at): m for at, m in each["before"].items()})
        project.board.beginnings |= project.store.beginnings()
        for each in head["people"]:
            is_ours = each["is_manager"] and managers
            people[each["id"]] = managers[0] if is_ours else project.invite(each["name"])[0].id
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise FormatError(source, f"a bad header ({problem})", "export again", line=1) from None
    return numbers, people


def _json(line: str, source: str, at: int) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise FormatError(source, "not JSON", "export again", line=at) from None
