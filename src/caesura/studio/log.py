"""Log: a project as lines of JSON: a header with documents and people, then every event."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from caesura import __version__
from caesura.errors import FormatError, UsageError
from caesura.studio.documents import Pinned
from caesura.studio.events import MARKS, Event, EventError
from caesura.studio.names import checked_name, name_key, plain_name
from caesura.studio.project import Project
from caesura.studio.state import Board
from caesura.studio.store import Person

LOG = "log.jsonl"
_CURE = "export again"
_BAD = (EventError, UsageError, KeyError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True, slots=True)
class Record:
    """The contents of a log: documents and people by the numbers that the log uses."""

    documents: dict[int, Pinned]
    beginnings: dict[int, Mapping[int, str]]
    people: dict[int, Person]
    events: list[tuple[int, float, Event]]


def log_lines(project: Project) -> Iterator[str]:
    """The header, then every event in the order in which it was accepted, one per line."""
    documents = [
        {"id": number, "before": project.board.beginnings.get(number, {}),
         "content": asdict(project.pinned(number))}
        for number in project.documents
    ]  # fmt: skip
    people = [asdict(each) for each in project.people.values()]
    head = {"caesura": __version__, "schema": "studio", "documents": documents, "people": people}
    yield json.dumps(head, ensure_ascii=False) + "\n"
    for each in project.store.log():
        line = {"person": each.person, "at": each.at, **asdict(each.event)}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def read_log(project: Project, path: str) -> None:
    """Read a log file into an empty project."""
    try:
        text = Path(path).read_bytes().decode()
    except UnicodeDecodeError:
        raise FormatError(path, "not UTF-8", "give log.jsonl of an export") from None
    take_log(project, text, path)


def take_log(project: Project, text: str, source: str = LOG) -> None:
    """Read a log into an empty project; if a line is bad, nothing is read."""
    if project.documents or project.annotators:
        raise UsageError("a log can only be read into a new project; give an empty folder")
    record = parse_log(text, source)
    numbers = {old: project.add(each)[0].id for old, each in record.documents.items()}
    for old, boundaries in record.beginnings.items():
        project.store.begin_with(numbers[old], dict(boundaries))
        project.board.beginnings[numbers[old]] = boundaries
    people = _invited(project, record.people)
    project.restore(
        [
            (people[who], at, Event(**asdict(each) | {"document": numbers[each.document]}))
            for who, at, each in record.events
        ]
    )


def _invited(project: Project, people: Mapping[int, Person]) -> dict[int, int]:
    """Map the log's people to the project's; the manager stays the same."""
    managers = [each.id for each in project.people.values() if each.is_manager]
    found = {}
    for old, each in people.items():
        if each.is_manager and managers:
            found[old] = managers[0]
            continue
        found[old] = project.invite(each.name, is_manager=each.is_manager)[0].id
        if each.is_revoked:
            project.revoke(found[old])
    return found


def parse_log(text: str, source: str = LOG) -> Record:
    """The content of a log; an error says which line is bad."""
    lines = text.removesuffix("\n").split("\n")
    record = _header(_json(lines[0], source, 1), source)
    lengths = {old: each.length for old, each in record.documents.items()}
    board = Board(lengths, record.beginnings)
    for at, line in enumerate(lines[1:], 2):
        values = _json(line, source, at)
        try:
            record.events.append(_event(values, board, record.people))
        except _BAD as problem:
            raise FormatError(source, f"not an event ({_said(problem)})", _CURE, line=at) from None
    return record


def _event(values: Any, board: Board, people: Mapping[int, Person]) -> tuple[int, float, Event]:
    """One line, if its event can follow those before it."""
    who, when = values.pop("person"), values.pop("at")
    event = Event.from_json(values)
    if who not in people or (event.kind == "decide" and not people[who].is_manager):
        raise EventError("nobody who may do it")
    if type(when) not in (int, float) or not isfinite(when):
        raise EventError("no time")
    if board.is_known(who, event):
        raise EventError("it is there twice")
    board.take(who, event, float(when))
    return who, float(when), event


def _header(head: Any, source: str) -> Record:
    if not isinstance(head, dict) or head.get("schema") != "studio":
        raise FormatError(source, "not the log of a studio", "give log.jsonl of an export", line=1)
    try:
        listed = head["documents"]
        documents = {int(each["id"]): Pinned.from_json(each["content"]) for each in listed}
        beginnings = {int(each["id"]): _boundaries(each) for each in listed}
        people = {int(each["id"]): _person(each) for each in head["people"]}
        _require_different([plain_name(each.name) for each in documents.values()])
        _require_different([name_key(each.name) for each in people.values()])
    except _BAD as problem:
        raise FormatError(source, f"a bad header ({_said(problem)})", _CURE, line=1) from None
    return Record(documents, {old: each for old, each in beginnings.items() if each}, people, [])


def _boundaries(values: Mapping[str, Any]) -> dict[int, str]:
    found = {int(at): mark for at, mark in values["before"].items()}
    length = Pinned.from_json(values["content"]).length
    if any(not 0 <= at < length or mark not in MARKS for at, mark in found.items()):
        raise ValueError("boundaries outside of the words")
    return found


def _person(values: Mapping[str, Any]) -> Person:
    name, is_manager = checked_name(values["name"]), values["is_manager"] is True
    return Person(int(values["id"]), name, is_manager, values.get("is_revoked") is True)


def _require_different(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        raise ValueError("a name is there twice")


def _said(problem: Exception) -> str:
    """A short description of what is wrong."""
    if isinstance(problem, KeyError):
        return f"no {problem}"
    text = str(problem)
    return text if isinstance(problem, EventError | UsageError | ValueError) else "other values"


def _json(line: str, source: str, at: int) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise FormatError(source, "not JSON", _CURE, line=at) from None
