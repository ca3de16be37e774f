"""Imports: boundaries that were made elsewhere become finished layers of named people."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from dataclasses import replace

from caesura.align.versions import require_one_axis
from caesura.core.segmentation import Document, Segmentation
from caesura.core.tokens import has_unspaced
from caesura.errors import UsageError, WordsDifferError, option
from caesura.formats.transcripts import read
from caesura.io.files import stem
from caesura.studio.documents import Pinned, checked_name, require_no_file
from caesura.studio.events import ANNOTATOR, MARKS, Event
from caesura.studio.files import places, sent
from caesura.studio.project import Project
from caesura.studio.store import Person, StoredDocument

Versions = Mapping[str, Document]
"""Versions of one document, by the names of their annotators."""


def version(path: str, file: str = "") -> Document:
    """Somebody's version of a document, called by the name of its file; it has words."""
    document = read(path)
    if document.text is None:
        raise UsageError(f"{path} has boundaries but no words; give a transcript")
    return replace(document, source=file) if file else document


class NewNamesError(UsageError):
    """An import that would add documents or people, which has to be agreed to."""

    def __init__(self, documents: list[str], people: list[str]) -> None:
        super().__init__("this adds documents or people; agree to it, or change their names")
        self.documents, self.people = documents, people


def import_versions(
    project: Project,
    by: Person,
    cases: Mapping[str, Versions],
    *,
    are_files: bool,
    blind: bool,
    add: bool = True,
) -> tuple[list[str], list[Event]]:
    """Add versions of documents, all or none; return a line for each, and the events.

    Documents that the project does not have are added, with the words of the first who has them, if
    `add` agrees to it. With `are_files`, the names of files say nothing: they are of the document
    of the same words.
    """
    names = sorted({name for versions in cases.values() for name in versions})
    for name in names:
        known = project.person_named(name)
        require_no_file(checked_name(name))
        if known is not None and project.role(known.id) != ANNOTATOR:
            raise UsageError(f"{known.name} is no annotator; give another name")
    fitted = [_fitted(project, name, own, are_files=are_files) for name, own in cases.items()]
    stored = [project.named(pinned.name) for pinned, _ in fitted]
    for each in stored:
        if each is not None and each.id in project.board.closed:
            raise UsageError(f"{each.name} is closed; open it again first")
    new = [pinned.name for (pinned, _), known in zip(fitted, stored, strict=True) if known is None]
    strangers = [name for name in names if project.person_named(name) is None]
    if (new or strangers) and not add:
        raise NewNamesError(new, strangers)
    documents = project.add_all([pinned for pinned, _ in fitted])
    pairs = [(each.id, own) for each, (_, own) in zip(documents, fitted, strict=True)]
    people = {name: (project.person_named(name) or project.invite(name)[0]).id for name in names}
    events = project.made(
        by,
        lambda: [each for pair in pairs for each in _events(project, people, *pair, blind=blind)],
    )
    lines = [
        f"{each.name}: {len(made.segmentation.positions('drop')):,} boundaries of {name}"
        for each, (_, own) in zip(documents, fitted, strict=True)
        for name, made in own.items()
    ]
    return lines, events


def _fitted(
    project: Project, name: str, versions: Versions, *, are_files: bool
) -> tuple[Pinned, Versions]:
    """The document that versions are of, and they on its words; an error shows what differs."""
    new = Pinned.from_document(name, next(iter(versions.values())))
    known = (_same_words(project, new) if are_files else None) or project.named(name)
    pinned = new if known is None else project.pinned(known.id)
    fitted = {who: pinned.fitted(each) for who, each in versions.items()}
    axis = pinned.document(Segmentation.from_positions([], pinned.length))
    try:
        require_one_axis(axis, list(fitted.values()))
    except WordsDifferError as problem:
        aligning = f"project the boundaries with {option('align')}"
        cure = "give the file the name of its document"
        raise UsageError(problem.message.replace(aligning, cure)) from None
    return pinned, fitted


def _same_words(project: Project, new: Pinned) -> StoredDocument | None:
    """The document of the same words, even if its tokens differ."""
    documents, text = project.documents.values(), new.words.replace(" ", "")
    same = [each for each in documents if each.digest == new.digest]
    if not same and has_unspaced(text):
        words = ((each, project.pinned(each.id).words) for each in documents)
        same = [each for each, own in words if own.replace(" ", "") == text]
    return same[0] if same else None


def _events(
    project: Project, people: Mapping[str, int], number: int, versions: Versions, *, blind: bool
) -> list[Event]:
    """The layers of a document; what somebody has already stays, and this is a further pass."""
    passes = project.board.passes
    return [
        Event.of_project(
            "layer", number, person=people[name], boundaries=_boundaries(each),
            blind=blind, source=each.source.replace(os.sep, "/").rpartition("/")[2],
            **{"pass": passes.get((number, people[name]), 0) + 1},
        )
        for name, each in versions.items()
    ]  # fmt: skip


def _boundaries(made: Document) -> dict[str, str]:
    """Where units end, with the marks that the studio knows."""
    own = made.segmentation
    marks = [""] * len(own.boundaries) if own.marks is None else list(own.marks)
    pairs = zip(own.boundaries.tolist(), marks, strict=True)
    return {
        str(gap): str(mark) if mark in MARKS else "" for gap, mark in pairs if gap < own.length - 1
    }


def import_sent(project: Project, by: Person, values: object) -> tuple[list[str], list[Event]]:
    """Import files that a page has sent: a list of name, file and data, and whether they are blind.

    If everybody has one document, as in the command, the names of files say nothing.
    """
    given = values if isinstance(values, dict) else {}
    listed, blind, add = given.get("layers"), given.get("blind"), given.get("add") is True
    if not isinstance(listed, list) or not listed or not isinstance(blind, bool):
        raise UsageError("give a list of layers, and whether they were made blind")
    people: dict[str, dict[str, Document]] = {}
    for each in listed:
        name, file, data = _sent_file(each)
        for document, made in _versions(file, data).items():
            own = people.setdefault(checked_name(name), {})
            if document in own:
                raise UsageError(
                    f"{file}: a second version of '{document}' by {name}; rename one of the files"
                )
            own[document] = made
    are_files = all(len(own) == 1 for own in people.values())
    cases = _cases(project, people, are_files=are_files)
    return import_versions(project, by, cases, are_files=are_files, blind=blind, add=add)


def _sent_file(values: object) -> tuple[str, str, bytes]:
    keys = ("name", "file", "data")
    given = [values.get(key) for key in keys] if isinstance(values, dict) else []
    texts = [each for each in given if isinstance(each, str)]
    if len(texts) != len(keys):
        raise UsageError("a layer has name, file and data")
    name, file, data = texts
    try:
        return name, file, base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise UsageError(f"the data of '{file}' is not base64") from None


def _versions(file: str, data: bytes) -> dict[str, Document]:
    """The documents of a file by name: its recordings, or the only one, called like the file."""
    own = checked_name(stem(file) if file else "")
    with sent(file, data) as path:
        return {name: version(place, file) for name, place in places(path, own).items()}


def _cases(
    project: Project, people: Mapping[str, Versions], *, are_files: bool
) -> dict[str, Versions]:
    """Versions by document; single files of several names are one, called like the project."""
    names = sorted({document for own in people.values() for document in own})
    if are_files and len(names) > 1 and not all(map(project.named, names)):
        only = {who: made for who, own in people.items() for made in own.values()}
        return {project.name: only}
    return {name: {who: own[name] for who, own in people.items() if name in own} for name in names}
