"""Offline: what needs no server: import, export, the status of a project, and the demo."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.resources import files
from math import isnan
from pathlib import Path

from caesura.core.segmentation import Document
from caesura.core.summary import Summary
from caesura.errors import UsageError
from caesura.formats.plain import parse
from caesura.formats.transcripts import recordings
from caesura.io.files import stem
from caesura.run.given import sources
from caesura.run.inputs import Case, match
from caesura.studio import views
from caesura.studio.agreement import LiveAgreement, figures
from caesura.studio.assignment import assign_all
from caesura.studio.documents import Pinned
from caesura.studio.events import MANAGER, Event
from caesura.studio.export import exported
from caesura.studio.imports import Versions, import_versions, version
from caesura.studio.launch import open_project
from caesura.studio.project import Project
from caesura.studio.store import DATABASE, Store

PEOPLE = {"Anna": ("ann1.txt", 1.0), "Ben": ("ann2.txt", 1.0), "Chloé": ("ann3.txt", 0.6)}
"""The annotators of the demo: their files, and how much each has done; all of it is finished."""


@contextmanager
def opened(folder: Path) -> Iterator[Project]:
    """The project of a folder; an error if there is none."""
    place = folder / DATABASE
    if not place.is_file():
        raise UsageError(f"there is no project in {folder}; caesura studio {folder} begins one")
    with closing(Store(place.resolve())) as store:
        project = Project.open(store)
        project.folder_name = folder.resolve().name or "project"
        yield project


def import_layers(folder: Path, named: Sequence[str], *, blind: bool = False) -> list[str]:
    """Add existing boundaries as finished layers of named people, and return a line for each.

    Documents are matched by name; those that the project has not are added, with the words of the
    first who has them.
    """
    given = sources(named, _no_value, recordings)
    for each in given:
        if not each.is_named:
            raise UsageError(f"whose is {each.path}? give NAME={each.path}")
    cases = match([], given, missing="vary", may_vary=True)
    versions = [{name: version(path) for name, path in case.references.items()} for case in cases]
    folder.mkdir(exist_ok=True)
    project, _ = open_project(folder)
    with closing(project.store):
        are_files = all(each.documents is None for each in given)
        named_cases: dict[str, Versions] = {
            _name(project, case): own for case, own in zip(cases, versions, strict=True)
        }
        by = project.manager
        return import_versions(project, by, named_cases, are_files=are_files, blind=blind)[0]


def _no_value(value: object) -> Document:
    raise UsageError(f"{value!r} is not a path")


def _name(project: Project, case: Case) -> str:
    """The document of a case: single files with names of their own are called like the project."""
    stems = {stem(path) for path in case.references.values()}
    return case.document if case.document in stems else project.folder_name


def write_export(folder: Path, target: Path) -> list[str]:
    """Write what the page exports into a new or empty folder, and return the names of the files."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} is not empty; give a new folder")
    with opened(folder) as project:
        contents = dict(exported(project))
    for name, text in contents.items():
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
    return list(contents)


def status(folder: Path) -> dict[str, object]:
    """How far a project is: agreement, people and documents."""
    with opened(folder) as project:
        summary = LiveAgreement(project).summary(confidence=True)
        several = sum(len(project.counted(number)) > 1 for number in project.documents)
        return {
            "agreement": _figures(summary) | {"documents": several},
            "left_out": views.left_out(project),
            "people": [
                views.person(project, who) | views.total(project, who) for who in project.present
            ],
            "documents": views.documents(project, project.manager),
            "guidelines": len(project.board.guidelines),
        }


def _figures(summary: Summary | None) -> dict[str, object]:
    """The figures of agreement, and their intervals; None where they are undefined."""
    values = summary.agreement.micro if summary and summary.agreement else {}
    spans = (summary.agreement.confidence or {}) if summary and summary.agreement else {}
    drawn = {key: spans.get("micro", {}).get(key, (float("nan"),) * 2) for key in figures()}
    return {
        **{key: _number(values.get(key)) for key in figures()},
        "confidence": {key: [_number(end) for end in ends] for key, ends in drawn.items()},
    }


def _number(value: float | None) -> float | None:
    return None if value is None or isnan(value) else value


def demo_folder() -> Path:
    """A new folder with the demo: the sample, with three annotators of whom two have finished."""
    folder = Path(tempfile.mkdtemp(prefix="caesura-demo-"))
    project = Project.open(Store(folder / DATABASE))
    sample = files("caesura") / "sample"
    documents = {
        name: parse((sample / file).read_text(encoding="utf-8"), "lines")
        for name, (file, _) in PEOPLE.items()
    }
    first = next(iter(documents.values()))
    stored, _ = project.add(Pinned.from_document("ferry", first))
    manager, _ = project.invite(MANAGER, is_manager=True)
    for name, (_, share) in PEOPLE.items():
        person, _ = project.invite(name)
        assign_all(project, manager, person.id)
        places = documents[name].segmentation.positions("drop")
        done = places[places < share * stored.length].tolist()
        events = [
            Event(f"demo-{name}", at, stored.id, "set", gap, "") for at, gap in enumerate(done)
        ]
        if share == 1:
            last = stored.length - 2
            events.append(Event(f"demo-{name}", len(done), stored.id, "state", last, "finished"))
        project.take(person, events)
    project.store.close()
    return folder
