"""What users give, by path or by value; and plans, which say what is counted of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Number
from os import PathLike, fspath
from typing import Any, Literal

from caesura.core.escapes import as_name
from caesura.core.segmentation import Document, Segmentation
from caesura.core.task import Task
from caesura.errors import SourceError, UsageError, shortened
from caesura.io.cwd import exists
from caesura.io.files import stem
from caesura.io.paths import is_url
from caesura.run.inputs import Case, Parts, Source, match, not_matched, with_distinct_names

Read = Callable[..., Any]
"""Takes a value and, as `source`, its name."""
PathName = str | PathLike[str]
Given = PathName | Iterable[Any] | Mapping[str, Any]
"""A path, paths as `PATH` or `NAME=PATH`, sentences, or a mapping of names to paths or values."""
A_TEXT = "save the text to a file or, in Python, give caesura.document(text) or a list of sentences"

LONGEST_PATH = 1000
"""A longer text is never taken for a path."""


class Paths(tuple[Any, ...]):
    """What was typed on a command line, where every string is a path."""

    __slots__ = ()


class Content(str):
    """The text of a document, which is no path, whatever it looks like."""

    __slots__ = ()


def as_typed(given: Any) -> Any:
    """What a command was given: paths, or documents by name."""
    return given if isinstance(given, str | Mapping) else Paths(given)


def named_sides(systems: Given, references: object, other: str = "reference") -> tuple[Given, Any]:
    """Both sides by name; documents by name are one system, and one reference."""
    theirs = _documents(references)
    if theirs and theirs == _documents(systems):
        return {"system": systems}, {other: references}
    is_nested = isinstance(systems, Mapping) and all(
        isinstance(one, Mapping) for one in systems.values()
    )
    inside = [set(one) for one in systems.values()] if is_nested else []  # type: ignore[union-attr]
    if any(theirs & names for names in inside):
        return systems, {other: references}
    return systems, references


def _documents(side: object) -> set[str]:
    """The names of a mapping, if what they stand for may be documents."""
    if not isinstance(side, Mapping) or any(isinstance(one, Mapping) for one in side.values()):
        return set()
    return set(side)


def sources(
    given: Given,
    read: Read,
    parts: Parts | None = None,
    *,
    name: str = "system",
) -> list[Source]:
    """What the user named, by path or by value; a file of several recordings is many documents."""
    if isinstance(given, Mapping):
        named = (_named(each, value, read, parts) for each, value in given.items())
        return [source for each in named for source in each]
    given = [*given] if isinstance(given, Iterator) else given
    if is_document(given):
        return _named(name, given, read, parts)
    if not isinstance(given, Iterable | PathLike):
        raise UsageError(f"{name}s cannot be {given!r}; give paths, or a dict of {name}s by name")
    paths: Iterable[Any] = [given] if isinstance(given, str | PathLike) else given
    found: list[Source] = []
    for at, each in enumerate(paths, 1):
        if isinstance(each, Source):
            found.append(each)
        elif isinstance(each, str | PathLike):
            _require_path(each)
            found.extend(Source.parse_each(fspath(each), parts))
        else:
            found.extend(_named(f"{name}{at}", each, read, parts))
    return found


def is_document(given: object) -> bool:
    """Whether a value is one document, not several: sentences, 0s and 1s, or what a tool returns.

    A list of strings is one if some have several words and none is a path or looks like one.
    """
    if isinstance(given, str | PathLike | Paths):
        return False
    from caesura.core.text import Text

    if isinstance(given, Document | Segmentation | Text) or _is_analyzed(given):
        return True
    values = given.tolist() if hasattr(given, "tolist") else given
    if not isinstance(values, Sequence) or not values:
        return False
    if all(isinstance(each, Number) for each in values):
        return True
    is_text = all(isinstance(each, str) for each in values)
    return is_text and any(map(_has_words, values)) and not any(map(_is_path, values))


def _is_analyzed(given: object) -> bool:
    """Whether a value is a document of spaCy or stanza."""
    return hasattr(given, "sents") or hasattr(given, "sentences")


def _has_words(text: str) -> bool:
    return len(text.split()) > 1


def _is_path(text: str) -> bool:
    """Whether a string names something that is there, or is short and written as a path is."""
    is_short = len(text.split()) < 3
    is_written = bool(re.search(r"[/\\*]|\.\w{1,8}$", text))
    return (is_short and is_written) or any(map(exists, _places(text)))


def gold_source(given: object, read: Read) -> Source:
    """The gold: a path, one name with what stands for it, or a text in memory."""
    if isinstance(given, Source):
        return given
    if isinstance(given, str | PathLike):
        _require_path(given)
        return Source.parse(fspath(given))
    if not isinstance(given, Mapping):
        return _named("gold", given, read, None)[0]
    if len(given) != 1:
        raise UsageError(f"give one gold, not {len(given)}")
    ((name, value),) = given.items()
    return _named(name, value, read, None)[0]


def _named(
    name: str,
    value: object,
    read: Read,
    parts: Parts | None,
) -> list[Source]:
    """What a name stands for: a path, paths, a document, or documents by name."""
    if isinstance(value, str | PathLike):
        _require_path(value)
        return Source.from_path(fspath(value), name, parts)
    if isinstance(value, Sequence) and value and all(isinstance(one, PathLike) for one in value):
        value = {stem(fspath(one)): one for one in value}
    if isinstance(value, Mapping):
        documents = {each: _version(f"{name}/{each}", one, read) for each, one in value.items()}
        return [Source(name, f"<{name}>", documents)]
    return [Source(name, f"<{name}>", value=read(value, source=name))]


def _version(name: str, value: object, read: Read) -> Any:
    """A document: its path, or itself."""
    if isinstance(value, Content):
        return read(str(value), source=name)
    if not isinstance(value, str | PathLike):
        return read(value, source=name)
    _require_path(value)
    return fspath(value)


def _require_path(value: PathName) -> None:
    """Raise an error if a string is a text: strings are paths here."""
    text = fspath(value)
    has_words = len(text.split()) > 2 or " // " in text or "\n" in text.strip()
    is_prose = has_words and not re.search(r"\.\w{1,8}$", text)
    if is_prose and not is_url(text) and not _is_there(text):
        raise SourceError(shortened(text), "no such file", A_TEXT)


def _is_there(path: str) -> bool:
    """Whether a path, or the one of `NAME=PATH`, exists or is a pattern."""
    return any(re.search(r"[*?\[]", each) or exists(each) for each in _places(path))


def _places(text: str) -> list[str]:
    """What a string may name as `PATH` or `NAME=PATH`."""
    places = [] if "\n" in text or len(text) > LONGEST_PATH else [text, text.partition("=")[2]]
    return [each for each in places if each]


def detectors(given: str | Iterable[str] | Mapping[str, str] | None) -> dict[str, str]:
    """Detectors by name; without one, a detector is named after itself."""
    if isinstance(given, Mapping):
        return {as_name(name): detector for name, detector in given.items()}
    every = [given] if isinstance(given, str) else list(given or ())
    return {as_name(each): each for each in every}


Missing = Literal["error", "skip", "vary"]
"""What becomes of documents that some systems or references lack."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Systems, and what they are scored against; a task says in `against` what it needs."""

    systems: Given = ()
    references: Given = ()
    gold: Any = None
    phones: object = None
    words: object = None
    docids: object = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The task, what counts it, its cases, and the names of systems and references."""

    task: Task
    counter: Any
    cases: list[Case]
    systems: list[str]
    references: list[str]
    skipped: Mapping[str, str] = field(default_factory=dict)
    considered: int = 0
    """The number of documents of all shards together."""


def against_gold(task: Task, counter: Any, read: Read, sides: Sides, missing: Missing) -> Plan:
    """Systems against one gold version; `read` makes documents of what is given in memory."""
    systems, gold = named_sides(sides.systems, sides.gold, "gold")
    ours, (theirs,) = distinct_sides(sources(systems, read), [gold_source(gold, read)])
    cases, skipped = match(ours, [theirs], missing=missing), not_matched([*ours, theirs])
    names = [source.name for source in ours], [theirs.name]
    return Plan(task, counter, cases, *names, skipped=skipped)


def distinct_sides(
    systems: Sequence[Source], references: Sequence[Source], runs: Collection[str] = ()
) -> tuple[list[Source], list[Source]]:
    """Systems and references with names that are distinct, also from those of detectors."""
    found = with_distinct_names([*systems, *references], runs)
    return found[: len(systems)], found[len(systems) :]
