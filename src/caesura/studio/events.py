"""Events: what people do to documents, one at a time. They are appended, and never changed.

Acts of annotators are at a gap of a document. Acts of the project (roles, assignments, closing,
guidelines, …) have no gap, and `value` holds what they say as JSON; those without a document have
the number 0 in its place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from caesura.errors import CaesuraError

KINDS: Final = ("set", "comment", "state", "decide")
"""What pages send by themselves, with numbers of their own."""
MARKS: Final = ("", ".", "?", "!", ";")
"""What a boundary may be marked with; the first is no mark."""
UNSURE: Final = "~"
"""What follows the mark of a boundary of which its annotator is unsure."""
MAJORITY, DISCUSS, OPEN = "majority", "discuss", "open"
DECISIONS: Final = (*MARKS, MAJORITY, DISCUSS, OPEN)
"""What may be decided of a gap besides that there is no boundary."""
STATES: Final = ("open", "finished")
MANAGER, ADJUDICATOR, ANNOTATOR = "manager", "adjudicator", "annotator"
ROLES: Final = (MANAGER, ADJUDICATOR, ANNOTATOR)
LISTED, RANDOM = "listed", "random"
"""How annotators get their documents: as listed, or in an order of their own."""
LONGEST_COMMENT, LONGEST_NAME, LONGEST_GUIDELINES = 2000, 64, 200_000
MOST = 2**53
"""The largest number that a page can count to."""
Said = dict[str, Any]
"""What an act of the project says."""
PROJECT = 0
"""The document of events that are of the whole project."""
NEXT = -1
"""The number of an event of the server before it is written: the next one of its client."""
SERVER = "server/"
"""How the clients of acts are called that the server numbers; the number of a person follows."""
_OF_A_LAYER = {"person": int, "pass": int}
FIELDS: Final[dict[str, dict[str, Any]]] = {
    "role": {"person": int, "role": str},
    "assign": _OF_A_LAYER,
    "withdraw": _OF_A_LAYER,
    "close": {"boundaries": dict, "layers": list, "decided": dict, "withdrawn": list},
    "reopen": {},
    "layer": {"person": int, "pass": int, "boundaries": dict, "blind": bool, "source": str},
    "guidelines": {"text": str},
    "seen": {"version": int},
    "order": {"documents": list},
    "arrange": {"how": str},
    "rename": {"name": str},
    "marks": {"is_on": bool},
    "erase": {"what": str},
}
"""What acts of the project say, by kind."""
OF_A_DOCUMENT: Final = ("assign", "withdraw", "close", "reopen", "layer")
"""The acts of the project that are of one document; the others are of none."""


class EventError(CaesuraError):
    """An event that is refused; nothing of it is stored."""


@dataclass(frozen=True, slots=True)
class Event:
    """One act: `client` and `sequence` identify it, `gap` is the word after which it is.

    `set` places a boundary with a mark (`value`; a tilde after it: unsure), or removes it (None).
    `comment` writes a comment at a gap, or removes it (None). `state` opens or finishes a document;
    its gap is the last that was reached. `decide` is an adjudicator's decision on a gap: a mark,
    None for no boundary, `majority`, `discuss`, or `open` to take it back. The other kinds are
    those of `FIELDS`.
    """

    client: str
    sequence: int
    document: int
    kind: str
    gap: int
    value: str | None

    @classmethod
    def from_json(cls, values: object, *, is_logged: bool = False) -> Event:
        """Take an event from a request, or from a log; an error says what is wrong with it."""
        if not isinstance(values, Mapping) or set(values) != set(cls.__match_args__):
            raise EventError(f"an event has {', '.join(cls.__match_args__)} and nothing else")
        event = cls(**values)
        for name in ("sequence", "document", "gap"):
            number = getattr(event, name)
            if type(number) is not int or not 0 <= number < MOST:
                raise EventError(f"{name} is not a number from 0 on")
        if not _is_text(event.client, LONGEST_NAME) or not event.client:
            raise EventError("client is not a name")
        if event.client.startswith(SERVER) and not is_logged:
            raise EventError(f"no client may be called {SERVER}…")
        kinds = (*KINDS, *FIELDS) if is_logged else KINDS
        if event.kind not in kinds:
            raise EventError(f"kind is not one of {', '.join(kinds)}")
        event._require_value()
        return event

    @classmethod
    def of_project(cls, kind: str, document: int = PROJECT, **says: object) -> Event:
        """An act of the project, which the server will number."""
        event = cls("", NEXT, document, kind, 0, json.dumps(says, ensure_ascii=False))
        event._require_value()
        return event

    @property
    def says(self) -> Said:
        """What an act of the project says."""
        found = json.loads(self.value or "null")
        if not isinstance(found, dict):
            raise EventError(f"the value of {self.kind} is no object of JSON")
        return found

    def _require_value(self) -> None:
        if self.kind in FIELDS:
            self._require_fields()
            return
        known: dict[str, tuple[str | None, ...]] = {
            "set": (None, *MARKS, *(f"{mark}{UNSURE}" for mark in MARKS)),
            "state": STATES,
            "decide": (None, *DECISIONS),
        }
        if self.kind == "comment":
            if self.value is not None and not _is_text(self.value, LONGEST_COMMENT):
                raise EventError(f"a comment is a text of up to {LONGEST_COMMENT:,} characters")
        elif self.value not in known[self.kind]:
            raise EventError(f"the value of {self.kind} is not one of those that it may have")

    def _require_fields(self) -> None:
        try:
            says, fields = self.says, FIELDS[self.kind]
        except (TypeError, ValueError, RecursionError):
            raise EventError(f"the value of {self.kind} is not JSON") from None
        if set(says) != set(fields) or not all(
            isinstance(says[name], kind) and (kind is bool or not isinstance(says[name], bool))
            for name, kind in fields.items()
        ):
            raise EventError(f"{self.kind} says {', '.join(fields) or 'nothing'}")
        if self.kind == "role" and says["role"] not in ROLES:
            raise EventError(f"a role is one of {', '.join(ROLES)}")
        if self.kind == "arrange" and says["how"] not in (LISTED, RANDOM):
            raise EventError(f"documents are arranged as {LISTED} or {RANDOM}")
        if self.kind == "order" and not all(type(each) is int for each in says["documents"]):
            raise EventError("an order has the numbers of documents")
        if "boundaries" in says and not set(says["boundaries"].values()) <= set(MARKS):
            raise EventError("a boundary has another mark")
        if self.kind == "rename" and not (
            says["name"] and _is_text(says["name"], LONGEST_NAME, "")
        ):
            raise EventError(f"a project has a name of up to {LONGEST_NAME} characters")
        if self.kind == "guidelines" and not _is_text(says["text"], LONGEST_GUIDELINES, "\n\t"):
            raise EventError(f"guidelines are a text of up to {LONGEST_GUIDELINES:,} characters")


def boundaries_of(values: Mapping[str, str]) -> dict[int, str]:
    """Boundaries as JSON has them, with numbers as keys."""
    try:
        return {int(at): mark for at, mark in values.items()}
    except ValueError:
        raise EventError("a boundary is at no number") from None


def _is_text(value: object, longest: int, also: str = "\n") -> bool:
    """Whether a value is a text without control characters, and not too long."""
    return (
        isinstance(value, str)
        and len(value) <= longest
        and all(each.isprintable() or each in also for each in value)
    )
