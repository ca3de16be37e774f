"""Offline: import annotations into a project, export it, and tell how far it is; no server runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from math import isnan
from pathlib import Path

from caesura.core.segmentation import Document
from caesura.core.summary import Summary
from caesura.errors import UsageError
from caesura.formats.transcripts import recordings
from caesura.io.files import stem
from caesura.run.given import sources
from caesura.run.inputs import Case, match
from caesura.studio import views
from caesura.studio.imports import ImportedVersion, Versions, import_versions
from caesura.studio.launch import _driven, open_project
from caesura.studio.live_agreement import LiveAgreement, figures
from caesura.studio.project import Project
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
    versions = [_versions(case) for case in cases]
    folder.mkdir(exist_ok=True)
    project = open_project(folder, database).project
    with closing(project.store):
        are_files = all(each.documents is None for each in given)
        pairs = zip(cases, versions, strict=True)
        named_cases = {_name(project, case): own for case, own in pairs}
        by = project.manager
        return import_versions(project, by, named_cases, are_files=are_files, blind=blind)[0]


def _no_value(value: object) -> Document:
    raise UsageError(f"{value!r} is not a path")


def _versions(case: Case) -> Versions:
    return {name: ImportedVersion.from_path(path) for name, path in case.references.items()}


def _name(project: Project, case: Case) -> str:
    """The document of a case: single files with names of their own are called like the project."""
    stems = {stem(path) for path in case.references.values()}
    return case.document if case.document in stems else project.name


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
