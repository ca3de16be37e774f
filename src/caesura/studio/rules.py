"""Rules: who may do what in a project, and when."""

from __future__ import annotations

from typing import Final

from caesura.studio.events import (
    FIELDS,
    MARKS,
    PROJECT,
    WITHOUT_DOCUMENT,
    Event,
    EventError,
    Said,
    boundaries_of,
)
from caesura.studio.state import Board

MANAGER, ADJUDICATOR, ANNOTATOR, OBSERVER = "manager", "adjudicator", "annotator", "observer"
EVERYONE: Final = (MANAGER, ADJUDICATOR, ANNOTATOR, OBSERVER)
JUDGES: Final = (MANAGER, ADJUDICATOR)
WATCHERS: Final = (MANAGER, ADJUDICATOR, OBSERVER)
MAY: Final[dict[str, tuple[str, ...]]] = (
    dict.fromkeys(FIELDS, (MANAGER,))
    | dict.fromkeys(("set", "comment", "state", "shown", "seen"), EVERYONE)
    | dict.fromkeys(("decide", "close", "reopen", "withdraw"), JUDGES)
)
"""The roles that may do what, by kind of event."""
WHILE_OPEN: Final = ("state", "decide", "assign", "withdraw", "close", "layer", "begin")
"""What is refused while a document is closed."""


class NotAllowedError(EventError):
    """Raised for what a person may not do or see."""


class NotFoundError(EventError):
    """Raised for documents and people that do not exist."""


def require_allowed(board: Board, person: int, event: Event) -> None:
    """Raise an error if a person may not do something, or not now."""
    role = board.roles.get(person, ANNOTATOR)
    if role not in MAY[event.kind]:
        whose = " or ".join(f"a{'n' * (each[0] in 'ao')} {each}" for each in MAY[event.kind])
        raise NotAllowedError(f"only {whose} may do this")
    if event.document in board.closed and event.kind in WHILE_OPEN:
        raise EventError("this document is closed; open it again first")
    if event.kind in FIELDS:
        _require_sense(board, event, event.says)


def _require_sense(board: Board, event: Event, says: Said) -> None:
    """Raise an error if an act of the project names what there is not."""
    is_of_person = event.kind in ("hide", "restore", "omit", "count") and says["person"] is not None
    if event.document == PROJECT and not (event.kind in WITHOUT_DOCUMENT or is_of_person):
        raise EventError(f"{event.kind} is of a document")
    who = says.get("person")
    if who is not None and who not in board.roles:
        raise NotFoundError(f"there is no person {who}")
    _REQUIRED.get(event.kind, _require_nothing)(board, event, says)
    if "boundaries" in says:
        length = board.lengths[event.document]
        if any(not 0 <= at < length for at in boundaries_of(says["boundaries"])):
            raise EventError("a boundary is outside of the words")


def _require_nothing(board: Board, event: Event, says: Said) -> None:
    pass


def _require_pass(board: Board, event: Event, says: Said) -> None:
    """A pass of somebody is one that they have, or the next."""
    passes = board.passes.get((event.document, says["person"]), 0)
    if event.kind == "assign" and board.roles[says["person"]] != ANNOTATOR:
        raise EventError("only annotators are assigned; change the role first")
    if event.kind == "layer" and says["pass"] != passes + 1:
        raise EventError(f"the next pass is {passes + 1}")
    if not 1 <= says["pass"] <= passes + (event.kind != "withdraw"):
        raise EventError(f"there is no pass {says['pass']} of this person")


def _require_manager(board: Board, _event: Event, says: Said) -> None:
    managers = [who for who, role in board.roles.items() if role == MANAGER]
    if managers == [says["person"]] and says["role"] != MANAGER:
        raise EventError("a project has a manager; make somebody else one first")


def _require_unbegun(board: Board, event: Event, _says: Said) -> None:
    layers = [board.layers[key] for key in board.keys.get(event.document, ())]
    is_aside = any(document == event.document for document, _ in board.aside)
    if is_aside or any(each.acts or each.source for each in layers):
        raise EventError("somebody has begun this document; it stays as it is")


def _require_known(board: Board, _event: Event, says: Said) -> None:
    people = [who for who, _ in says["layers"]] + says["withdrawn"] + list(says["decided"].values())
    if not set(people) <= board.roles.keys() or not set(says["boundaries"].values()) <= set(MARKS):
        raise EventError("it names people that there are not")


_REQUIRED = {
    "assign": _require_pass,
    "withdraw": _require_pass,
    "layer": _require_pass,
    "role": _require_manager,
    "begin": _require_unbegun,
    "close": _require_known,
}
