"""Offline: import annotations into a project, export it, and tell how far it is; no server runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from math import isnan
from pathlib import Path

from caesura.align.same_words import require_one_axis
from caesura.core.segmentation import Document, Segmentation
from caesura.core.summary import Summary
from caesura.errors import UsageError
from caesura.formats.transcripts import read, recordings
from caesura.io.files import stem
from caesura.run.given import sources
from caesura.run.inputs import Case, match
from caesura.studio import views
from caesura.studio.documents import Pinned
from caesura.studio.events import MARKS, Event
from caesura.studio.launch import _driven, open_project
from caesura.studio.live_agreement import LiveAgreement, figures
from caesura.studio.names import checked_name, name_key, require_no_file
from caesura.studio.project import Project
from caesura.studio.rules import ANNOTATOR
from caesura.studio.store import DATABASE, Person, Store
from caesura.studio.transfer import exported

Listed = dict[str, object]


@contextmanager
def opened(folder: Path, database: str = "") -> Iterator[Project]:
    """The project of a folder; an error if there is none."""
    place = folder / DATABASE
    if not database and not place.is_file():
        raise UsageError(f"there is no project in {folder}; caesura studio {folder} begins one")
    with closing(Store(_driven(database or f"sqlite:///{place.resolve()}"))) as store:
        project = Project.open(store)
        project.name = folder.resolve().name or "project"
        yield project


def import_layers(
    folder: Path, named: Sequence[str], database: str = "", *, blind: bool = False
) -> list[str]:
    """Add existing boundaries as finished layers of named people, and return a line for each.

    Documents are matched by name; those that the project has not are added, with the words of the
    first who has them.
    """
    given = sources(named, _no_value, recordings)
    for each in given:
        if not each.is_named:
            raise UsageError(f"whose is {each.path}? give NAME={each.path}")
    cases = match([], given, missing="vary", may_vary=True)
    versions = [{name: _read(path) for name, path in case.references.items()} for case in cases]
    folder.mkdir(exist_ok=True)
    project = open_project(folder, database).project
    with closing(project.store):
        for each in given:
            _require_annotator(project, each.name)
        are_files = all(each.documents is None for each in given)
        pairs = zip(cases, versions, strict=True)
        found = [
            (case, own, _pinned(project, case, own, are_files=are_files)) for case, own in pairs
        ]
        return [line for each in found for line in _imported(project, *each, blind=blind)]


def _no_value(value: object) -> Document:
    raise UsageError(f"{value!r} is not a path")


def _read(path: str) -> Document:
    found = read(path)
    if found.text is None:
        raise UsageError(f"{path} has boundaries but no words; give a transcript")
    return found


def _pinned(
    project: Project, case: Case, versions: dict[str, Document], *, are_files: bool
) -> Pinned:
    """The document that versions are of; an error shows the first word that differs.

    Single files with names of their own are versions of the document of the same words.
    """
    stems = {stem(path) for path in case.references.values()}
    name = case.document if case.document in stems else project.name
    new = Pinned.from_document(name, next(iter(versions.values())))
    every = project.documents.values()
    named = [each.id for each in every if each.name == new.name]
    same = [each.id for each in every if are_files and each.digest == new.digest]
    found = project.pinned([*same, *named][0]) if same or named else new
    axis = found.document(Segmentation.from_positions([], found.length))
    require_one_axis(axis, list(versions.values()))
    return found


def _imported(
    project: Project, case: Case, versions: dict[str, Document], pinned: Pinned, *, blind: bool
) -> Iterator[str]:
    """Import the versions of one document."""
    number = project.add(pinned)[0].id
    people = {name: _person(project, name).id for name in versions}
    events = [
        Event.of_project(
            "layer", number, person=people[name], boundaries=_boundaries(version), blind=blind,
            source=Path(case.references[name]).name,
            **{"pass": project.board.passes.get((number, people[name]), 0) + 1},
        )
        for name, version in versions.items()
    ]  # fmt: skip
    project.do(project.manager, *events)
    for name, version in versions.items():
        count = len(version.segmentation.positions("drop"))
        yield f"{pinned.name}: {count:,} boundaries of {name}"


def _known(project: Project, name: str) -> Person | None:
    """The person of a name, if there is one."""
    every = (each for each in project.people.values() if name_key(each.name) == name_key(name))
    return next(every, None)


def _require_annotator(project: Project, name: str) -> None:
    """Raise an error if nobody of this name can be an annotator."""
    known = _known(project, name)
    require_no_file(checked_name(name))
    if known is not None and project.role(known.id) != ANNOTATOR:
        raise UsageError(f"{known.name} is no annotator; give another name")


def _person(project: Project, name: str) -> Person:
    """The annotator of a name, who is added if there is none; nobody has a link of theirs."""
    return _known(project, name) or project.invite(name)[0]


def _boundaries(version: Document) -> dict[str, str]:
    """Where units end, with the marks that the studio knows."""
    own = version.segmentation
    marks = [""] * len(own.boundaries) if own.marks is None else list(own.marks)
    pairs = zip(own.boundaries.tolist(), marks, strict=True)
    return {
        str(gap): str(mark) if mark in MARKS else "" for gap, mark in pairs if gap < own.length - 1
    }


def write_export(folder: Path, target: Path, database: str = "") -> list[str]:
    """Write what the page exports into a new or empty folder, and return the names of the files."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} is not empty; give a new folder")
    with opened(folder, database) as project:
        files = dict(exported(project))
    for name, text in files.items():
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
    return list(files)


def status(folder: Path, database: str = "") -> dict[str, object]:
    """How far a project is: agreement, people and documents."""
    with opened(folder, database) as project:
        live = LiveAgreement(project)
        found = live.summary(confidence=True)
        counted = [project.counted(each.id) for each in project.listed]
        several = sum(len(own) > 1 for own in counted)
        aided = {name: live.summary(name) for name in live.machines}
        return {
            "agreement": _figures(found) | {"documents": several},
            "preannotated": {name: _figures(each) for name, each in aided.items()},
            "left_out": views.left_out(project),
            "people": [_whole(project, each) for each in project.people.values()],
            "documents": views.documents(project, project.manager),
            "guidelines": len(project.board.guidelines),
        }


def _figures(found: Summary | None) -> Listed:
    """The figures of agreement, and their intervals; None where they are undefined."""
    values = found.agreement.micro if found and found.agreement else {}
    spans = (found.agreement.confidence or {}) if found and found.agreement else {}
    drawn = {key: spans.get("micro", {}).get(key, (float("nan"),) * 2) for key in figures()}
    return {
        **{key: _number(values.get(key)) for key in figures()},
        "confidence": {key: [_number(end) for end in ends] for key, ends in drawn.items()},
    }


def _number(value: float | None) -> float | None:
    return None if value is None or isnan(value) else value


def _whole(project: Project, each: Person) -> Listed:
    return views.person(project, each) | views.total(project, each)
