"""Log: a project as lines of JSON: a header with documents and people, then every event."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from caesura import __version__
from caesura.errors import CaesuraError, FormatError, UsageError
from caesura.studio.documents import MOST as MOST_WORDS
from caesura.studio.documents import Pinned, checked_name, name_key, plain_name
from caesura.studio.events import FIELDS, MANAGER, MOST, PROJECT, SERVER, Event, EventError
from caesura.studio.project import Project, role_of
from caesura.studio.state import Board, require_allowed
from caesura.studio.store import Person, Store

LOG = "log.jsonl"
EDITION = 3
"""That of logs without revisions and detectors; earlier ones are of caesura 0.1.0."""
_CURE = "export again"
_BAD = (EventError, UsageError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
_UNREADABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Record:
    """The contents of a log: documents and people by the numbers that the log uses."""

    documents: dict[int, Pinned]
    people: dict[int, Person]
    events: list[tuple[int, float, Event]]


def log_lines(project: Project) -> Iterator[str]:
    """The header, then every event in the order in which it was accepted, one per line."""
    documents = [
        {"id": number, "content": asdict(project.pinned(number))} for number in project.documents
    ]
    people = [asdict(each) for each in project.people.values()]
    head = {"caesura": __version__, "schema": "studio", "edition": EDITION,
            "documents": documents, "people": people}  # fmt: skip
    yield json.dumps(head, ensure_ascii=False) + "\n"
    for each in project.store.log():
        line = {"person": each.person, "at": each.at, **asdict(each.event)}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def read_log(path: str) -> Record:
    """Read a log file; an error if it could not be restored as a whole."""
    try:
        text = Path(path).read_bytes().decode()
    except UnicodeDecodeError:
        raise FormatError(path, "not UTF-8", "give log.jsonl of an export") from None
    record = parse_log(text, path)
    _rehearse(record, path, [MANAGER])
    return record


def take_log(project: Project, text: str, source: str = LOG) -> None:
    """Read a log into an empty project; if anything in it is bad, nothing is written."""
    record = parse_log(text, source)
    _rehearse(record, source, [each.name for each in project.people.values() if each.is_manager])
    restore_log(project, record)


def _rehearse(record: Record, source: str, managers: Sequence[str]) -> None:
    """Restore a log in memory first: what is refused there leaves no trace."""
    with closing(Store()) as store:
        project = Project.open(store)
        for name in managers:
            project.invite(name, is_manager=True)
        try:
            restore_log(project, record)
        except (CaesuraError, *_BAD) as problem:
            raise FormatError(source, f"cannot be restored ({_said(problem)})", _CURE) from None


def restore_log(project: Project, record: Record) -> None:
    """Write a log that was read into an empty project."""
    if project.documents or project.annotators or project.board.count:
        raise UsageError("a log can only be read into a new project; give an empty folder")
    numbers = {old: project.add(each)[0].id for old, each in record.documents.items()}
    people = _invited(project, record.people)
    numbers[PROJECT] = PROJECT
    project.restore(
        [(people[who], at, _renumbered(each, numbers, people)) for who, at, each in record.events]
    )


def _renumbered(event: Event, numbers: Mapping[int, int], people: Mapping[int, int]) -> Event:
    """An event with the numbers that documents and people have in this project."""
    found = replace(event, document=numbers[event.document])
    if event.client.startswith(SERVER):
        found = replace(found, client=f"{SERVER}{people[int(event.client.removeprefix(SERVER))]}")
    if event.kind not in FIELDS:
        return found
    says = event.says
    if isinstance(says.get("person"), int):
        says["person"] = people[says["person"]]
    if event.kind == "close":
        says["layers"] = [[people[who], number] for who, number in says["layers"]]
        says["decided"] = {gap: people[who] for gap, who in says["decided"].items()}
        says["withdrawn"] = [people[who] for who in says["withdrawn"]]
    if event.kind == "order":
        says["documents"] = [numbers[each] for each in says["documents"] if each in numbers]
    return replace(found, value=json.dumps(says, ensure_ascii=False))


def _invited(project: Project, people: Mapping[int, Person]) -> dict[int, int]:
    """Map the log's people to the project's; the manager stays the same."""
    managers = [each.id for each in project.people.values() if each.is_manager]
    found = {}
    for old, each in people.items():
        if each.is_erased:
            found[old] = project.add_erased(each).id
            continue
        if each.is_manager and managers:
            found[old] = managers.pop(0)
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
    board = Board(lengths, {who: role_of(person) for who, person in record.people.items()})
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
    event = Event.from_json(values, is_logged=True)
    if who not in people:
        raise EventError("nobody who may do it")
    if event.client.startswith(SERVER) and event.client != f"{SERVER}{who}":
        raise EventError("a client of another person")
    if type(when) not in (int, float) or not isfinite(when):
        raise EventError("no time")
    if board.is_known(who, event, is_logged=True):
        raise EventError("it is there twice")
    require_allowed(board, who, event)
    board.take(who, event, float(when))
    return who, float(when), event


def _header(head: Any, source: str) -> Record:
    if not isinstance(head, dict) or head.get("schema") != "studio":
        raise FormatError(source, "not the log of a studio", "give log.jsonl of an export", line=1)
    if head.get("edition") != EDITION:
        problem = f"the log of caesura {head.get('caesura', '0.1.0')}"
        cure = "export with that version, then give its files to caesura studio import"
        raise FormatError(source, problem, cure, line=1)
    try:
        listed = head["documents"]
        documents = {int(each["id"]): Pinned.from_json(each["content"]) for each in listed}
        people = {int(each["id"]): _person(each) for each in head["people"]}
        _require_different([int(each["id"]) for each in listed])
        _require_different([int(each["id"]) for each in head["people"]])
        _require_storable(documents.values())
        _require_different([plain_name(each.name) for each in documents.values()])
        _require_different([name_key(each.name) for each in people.values()])
    except _BAD as problem:
        raise FormatError(source, f"a bad header ({_said(problem)})", _CURE, line=1) from None
    return Record(documents, people, [])


def _person(values: Mapping[str, Any]) -> Person:
    name, is_manager = checked_name(values["name"]), values["is_manager"] is True
    flags = is_manager, values.get("is_revoked") is True, values.get("is_erased") is True
    return Person(int(values["id"]), name, *flags)


def _require_different(names: Sequence[object]) -> None:
    if len(set(names)) < len(names):
        raise ValueError("a name or a number is there twice")


def _require_storable(documents: Iterable[Pinned]) -> None:
    """Raise an error for words and times that no file gives, and no database takes."""
    for each in documents:
        if each.length > MOST_WORDS or _UNREADABLE.search(each.shown + each.words):
            raise ValueError("words that cannot be stored")
        if any(abs(time) >= MOST for time in (*each.start, *each.end)):
            raise ValueError("times that cannot be stored")


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
