"""Log: a project as lines of JSON: a header with documents and people, then every event."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from caesura import __version__
from caesura.errors import CaesuraError, FormatError, UsageError
from caesura.studio.documents import MOST as MOST_WORDS
from caesura.studio.documents import Pinned, checked_name, name_key, plain_name, require_no_file
from caesura.studio.events import MOST, SERVER, Event, EventError
from caesura.studio.project import Project, role_of
from caesura.studio.state import Board, require_allowed
from caesura.studio.store import Person

LOG = "log.jsonl"
EDITION = 3
"""That of logs without revisions and detectors; earlier ones are of caesura 0.1.0."""
_CURE = "export again"
_BAD = (CaesuraError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
_UNREADABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Record:
    """The contents of a log: documents and people by their numbers, and what they did when."""

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
    """Read a log file."""
    try:
        text = Path(path).read_bytes().decode()
    except UnicodeDecodeError:
        raise FormatError(path, "not UTF-8", "give log.jsonl of an export") from None
    return parse_log(text, path)


def restore_log(project: Project, record: Record) -> None:
    """Write a log that was read into an empty project, all of it or nothing."""
    if project.documents or project.annotators or project.board.count:
        raise UsageError("a log can only be read into a new project; give an empty folder")
    try:
        project.restore(record.documents, list(record.people.values()), record.events)
    except _BAD as problem:
        raise FormatError(LOG, f"cannot be restored ({_said(problem)})", _CURE) from None


def parse_log(text: str, source: str = LOG) -> Record:
    """The content of a log; an error says which line is bad."""
    lines = text.removesuffix("\n").split("\n")
    record = _header(_json(lines[0], source, 1), source)
    lengths = {number: each.length for number, each in record.documents.items()}
    board = Board(lengths, {who: role_of(person) for who, person in record.people.items()})
    for at, line in enumerate(lines[1:], 2):
        values = _json(line, source, at)
        try:
            record.events.append(_event(values, board, record.people))
        except _BAD as problem:
            raise FormatError(source, f"not an event ({_said(problem)})", _CURE, line=at) from None
    return record


def _event(values: Any, board: Board, people: dict[int, Person]) -> tuple[int, float, Event]:
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
        documents = [(int(each["id"]), _document(each["content"])) for each in head["documents"]]
        people = [_person(each) for each in head["people"]]
        _require_different([number for number, _ in documents])
        _require_different([plain_name(each.name) for _, each in documents])
        _require_different([each.id for each in people])
        _require_different([name_key(each.name) for each in people])
        if not any(each.is_manager and not each.is_erased for each in people):
            raise ValueError("nobody is its manager")
    except _BAD as problem:
        raise FormatError(source, f"a bad header ({_said(problem)})", _CURE, line=1) from None
    return Record(dict(documents), {each.id: each for each in people}, [])


def _document(content: Any) -> Pinned:
    """A document; words and times that no file gives, and no database takes, are an error."""
    pinned = Pinned.from_json(content)
    if pinned.length > MOST_WORDS or _UNREADABLE.search(pinned.shown + pinned.words):
        raise ValueError("words that cannot be stored")
    if any(abs(time) >= MOST for time in (*pinned.start, *pinned.end)):
        raise ValueError("times that cannot be stored")
    return pinned


def _person(values: Any) -> Person:
    flags = (values[name] is True for name in ("is_manager", "is_revoked", "is_erased"))
    person = Person(int(values["id"]), checked_name(values["name"]), *flags)
    require_no_file(person.name)
    return person


def _require_different(names: Sequence[object]) -> None:
    if len(set(names)) < len(names):
        raise ValueError("a name or a number is there twice")


def _said(problem: Exception) -> str:
    """A short description of what is wrong."""
    if isinstance(problem, KeyError):
        return f"no {problem}"
    return str(problem) if isinstance(problem, CaesuraError | ValueError) else "other values"


def _json(line: str, source: str, at: int) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise FormatError(source, "not JSON", _CURE, line=at) from None
