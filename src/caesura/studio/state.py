"""State: layers, and a project after a sequence of events; who may do what in it, and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import Segmentation
from caesura.studio.events import (
    ADJUDICATOR,
    ANNOTATOR,
    DISCUSS,
    FIELDS,
    LISTED,
    MANAGER,
    MARKS,
    OF_A_DOCUMENT,
    OPEN,
    PROJECT,
    ROLES,
    STATES,
    UNSURE,
    Event,
    EventError,
    Said,
    boundaries_of,
)

NO_BOUNDARY = 0
"""The code of a gap without a boundary; those with one have 1 + the number of the mark."""
BREAK = 120.0
"""From how many seconds between two acts on nobody is at work."""
Codes = npt.NDArray[np.uint8]
_CODE_OF = {None: NO_BOUNDARY} | {mark: at for at, mark in enumerate(MARKS, 1)}


@dataclass(slots=True, eq=False)
class OwnLayer:
    """One person's boundaries in one document, comments, and whether they have finished.

    `acts` counts events, `revision` changes with every boundary. `reached` is how many words lie
    before the last gap that was touched. `seconds` is how long somebody has worked, without breaks.
    `is_sealed` says that others were shown to its person: it never changes again. `is_blind` is
    false if they were shown before it began, or if nobody knows. `unsure` are the boundaries of
    which its person is unsure, `given` those with which it was imported.
    """

    codes: Codes
    comments: dict[int, str] = field(default_factory=dict)
    unsure: set[int] = field(default_factory=set)
    is_finished: bool = False
    acts: int = 0
    revision: int = 0
    reached: int = 0
    seconds: float = 0.0
    last_at: dict[str, float] = field(default_factory=dict)
    is_assigned: bool = True
    is_blind: bool = True
    is_sealed: bool = False
    source: str = ""
    given: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def from_length(cls, length: int, boundaries: Mapping[int, str] | None = None) -> OwnLayer:
        """A layer that nobody has touched."""
        codes = np.zeros(length, np.uint8)
        for at, mark in (boundaries or {}).items():
            codes[at] = _CODE_OF[mark]
        return cls(codes)

    def take(self, event: Event, at: float) -> None:
        """Apply an event; its time may be earlier than the last, as clocks may jump."""
        self.acts += 1
        self.reached = max(self.reached, event.gap + 1)
        passed = at - self.last_at.get(event.client, at)
        self.seconds += passed if 0 < passed < BREAK else 0
        self.last_at[event.client] = at
        if event.kind == "set":
            self._set(event.gap, event.value)
            self.revision += 1
        elif event.kind == "comment" and event.value:
            self.comments[event.gap] = event.value
        elif event.kind == "comment":
            self.comments.pop(event.gap, None)
        elif event.kind == "state":
            self.is_finished = event.value == STATES[1]

    def _set(self, gap: int, value: str | None) -> None:
        is_unsure = value is not None and value.endswith(UNSURE)
        self.codes[gap] = _CODE_OF[value.removesuffix(UNSURE) if value is not None else None]
        (self.unsure.add if is_unsure else self.unsure.discard)(gap)

    @property
    def state(self) -> str:
        """How far its assignment is."""
        if not self.is_assigned:
            return "withdrawn"
        if self.is_sealed:
            return "sealed"
        return "finished" if self.is_finished else "in work" if self.acts else "assigned"

    def boundaries(self) -> dict[int, str]:
        """Where units end, and with which marks."""
        codes = self.codes.copy()  # events may be taken while it is read
        places = np.flatnonzero(codes)
        each = zip(places.tolist(), codes[places].tolist(), strict=True)
        return {at: MARKS[code - 1] for at, code in each}

    def mark_at(self, gap: int) -> str | None:
        """The mark of the boundary at a gap; None if there is none."""
        code = int(self.codes[gap])
        return MARKS[code - 1] if code else None

    def segmentation(self) -> Segmentation:
        """The boundaries as the library knows them."""
        return segmented(self.codes.copy())


def segmented(codes: Codes) -> Segmentation:
    """Codes as a segmentation; the last word always ends a unit.

    Without any mark it has no types, as if it were read from a file.
    """
    places = np.flatnonzero(codes)
    is_marked = bool((codes > _CODE_OF[""]).any())
    marks = np.array(MARKS)[codes[places] - 1] if is_marked else None
    return Segmentation.from_positions(places, codes.size, marks)


Sent = tuple[int, Event]
"""Who has sent an event."""
Key = tuple[int, int, int]
"""A layer: document, person, pass."""


class Decision(NamedTuple):
    """What was decided of a gap, and by whom."""

    value: str | None
    person: int

    @property
    def is_made(self) -> bool:
        """Whether it is a decision, and not a gap to discuss."""
        return self.value != DISCUSS


@dataclass(frozen=True, slots=True)
class Closed:
    """The stored result of a document: boundaries, and whose layers they rest on."""

    person: int
    at: float
    boundaries: Mapping[int, str]
    layers: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Board:
    """Layers by document, person and pass, and all else that events say of a project.

    `lengths` are the numbers of words of the documents. `seen` are the people who could see others'
    boundaries of a document when they were a manager or an adjudicator; `read` is the version of
    the guidelines that somebody saw last.
    """

    lengths: dict[int, int] = field(default_factory=dict)
    roles: dict[int, str] = field(default_factory=dict)
    layers: dict[Key, OwnLayer] = field(default_factory=dict)
    passes: dict[tuple[int, int], int] = field(default_factory=dict)
    keys: dict[int, list[Key]] = field(default_factory=dict)
    decisions: dict[int, dict[int, Decision]] = field(default_factory=dict)
    seen: set[tuple[int, int]] = field(default_factory=set)
    closed: dict[int, Closed] = field(default_factory=dict)
    guidelines: list[tuple[float, str]] = field(default_factory=list)
    read: dict[int, int] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    arrangement: str = LISTED
    name: str = ""
    has_marks: bool = False
    last: dict[str, Sent] = field(default_factory=dict)
    count: int = 0

    def is_known(
        self, person: int, event: Event, ahead: Sent | None = None, *, is_logged: bool = False
    ) -> bool:
        """Whether an event was accepted before; an error if it is invalid now.

        The events of a client have the numbers 0, 1, 2 …, and are taken in this order; in a log
        some may be missing, which were erased. `ahead` is the last one of its client that will be
        taken before it, and whose it is.
        """
        self.require_place(event)
        last = ahead or self.last.get(event.client)
        if last is not None and last[0] != person:
            raise EventError("another person has a client of this name")
        before = None if last is None else last[1]
        expected = 0 if before is None else before.sequence + 1
        if event.sequence > expected and not is_logged:
            raise OutOfOrderError(expected)
        if event.sequence == expected - 1 and event != before:
            raise EventError(f"event {event.sequence} of this client was another")
        return event.sequence < expected

    def require_place(self, event: Event) -> None:
        """Raise an error if an event is in no document, or at no gap of it."""
        if event.kind in FIELDS and event.document == PROJECT:
            return
        length = self.lengths.get(event.document)
        if length is None:
            raise EventError(f"there is no document {event.document}")
        gaps = length - 1 if event.kind in ("set", "comment", "decide") else max(1, length - 1)
        gaps = 1 if event.kind in FIELDS else gaps
        if event.gap >= gaps:
            raise EventError(f"there is no gap {event.gap} in a document of {length:,} words")

    def take(self, person: int, event: Event, at: float) -> None:
        """Apply a valid event."""
        self.last[event.client] = person, event
        self.count += 1
        if event.kind in FIELDS:
            self._take_act(person, event, event.says, at)
        elif event.kind == "decide":
            decisions = self.decisions.setdefault(event.document, {})
            decisions[event.gap] = Decision(event.value, person)
            if event.value == OPEN:
                del decisions[event.gap]
        else:
            layer = self.current(event.document, person)
            if layer is not None:
                layer.take(event, at)

    def _take_act(self, person: int, event: Event, says: Said, at: float) -> None:
        """Apply an act of the project."""
        document = event.document
        match event.kind:
            case "role":
                who, before = says["person"], self.roles.get(says["person"], ANNOTATOR)
                if says["role"] == ANNOTATOR and before != ANNOTATOR:
                    for number in self.lengths:
                        _note_seen(self, number, who)
                self.roles[who] = says["role"]
            case "assign":
                key = document, says["person"], says["pass"]
                (self.layers.get(key) or self.new_layer(key)).is_assigned = True
            case "withdraw":
                self.layers[document, says["person"], says["pass"]].is_assigned = False
            case "layer":
                _take_layer(self, (document, says["person"], says["pass"]), says)
            case "close":
                _close(self, person, event, says, at)
            case "reopen":
                self.closed.pop(document, None)
            case _:
                self._set_up(person, event.kind, says, at)

    def _set_up(self, person: int, kind: str, says: Said, at: float) -> None:
        """Apply what concerns no document; what was erased is not in the log any more."""
        match kind:
            case "guidelines":
                self.guidelines.append((at, says["text"]))
            case "seen":
                self.read[person] = says["version"]
            case "order":
                self.order = list(says["documents"])
            case "arrange":
                self.arrangement = says["how"]
            case "rename":
                self.name = says["name"]
            case "marks":
                self.has_marks = says["is_on"]

    def current(self, document: int, person: int) -> OwnLayer | None:
        """The layer on which a person works; None if they are not assigned."""
        number = self.passes.get((document, person))
        found = None if number is None else self.layers[document, person, number]
        return found if found is not None and found.is_assigned else None

    def of_document(self, document: int) -> list[tuple[Key, OwnLayer]]:
        """The layers of a document that are assigned, in the order of the people."""
        keys = sorted(self.keys.get(document, ()))
        return [(key, self.layers[key]) for key in keys if self.layers[key].is_assigned]

    def new_layer(self, key: Key) -> OwnLayer:
        """Add an empty layer, or the next pass of one."""
        document, person, number = key
        layer = OwnLayer.from_length(self.lengths[document])
        earlier = (self.layers.get((document, person, at)) for at in range(1, number))
        has_seen = (document, person) in self.seen
        layer.is_blind = not (has_seen or any(each and each.is_sealed for each in earlier))
        self.layers[key] = layer
        self.passes[document, person] = max(number, self.passes.get((document, person), 0))
        self.keys.setdefault(document, []).append(key)
        return layer


def _note_seen(board: Board, document: int, who: int) -> None:
    """Seal the finished layers of somebody who could see others' boundaries of a document.

    Those that are in work were hidden from them; those that were withdrawn are not blind any more.
    """
    layers = [(key, board.layers[key]) for key in board.keys.get(document, ())]
    if not any(key[1] != who and (layer.acts or layer.source) for key, layer in layers):
        return
    own = [layer for key, layer in layers if key[1] == who]
    for layer in own:
        layer.is_sealed |= layer.is_finished
        layer.is_blind &= layer.is_finished or layer.is_assigned
    if not any(layer.is_assigned and not layer.is_finished for layer in own):
        board.seen.add((document, who))


def _close(board: Board, person: int, event: Event, says: Said, at: float) -> None:
    """Store the result, and seal the layers: from now on their people see each other's."""
    layers = tuple((who, number) for who, number in says["layers"])
    boundaries = boundaries_of(says["boundaries"])
    board.closed[event.document] = Closed(person, at, boundaries, layers)
    for key in board.keys.get(event.document, ()):
        layer = board.layers[key]
        layer.is_assigned &= key[1] not in says["withdrawn"] or layer.is_finished
        layer.is_sealed |= layer.is_assigned and layer.is_finished


def _take_layer(board: Board, key: Key, says: Said) -> None:
    """Add a layer that was made elsewhere, finished."""
    layer = board.new_layer(key)
    made = OwnLayer.from_length(layer.codes.size, boundaries_of(says["boundaries"]))
    layer.codes, layer.is_blind, layer.source = made.codes, says["blind"], says["source"]
    layer.is_finished, layer.reached, layer.given = True, layer.codes.size, made.boundaries()


class OutOfOrderError(EventError):
    """An event that comes before one that has not arrived: send from `expected` on."""

    def __init__(self, expected: int) -> None:
        super().__init__(f"events before this one are missing; send from {expected} on")
        self.expected = expected


JUDGES: Final = (MANAGER, ADJUDICATOR)
MAY: Final[dict[str, tuple[str, ...]]] = (
    dict.fromkeys(FIELDS, (MANAGER,))
    | dict.fromkeys(("set", "comment", "state"), (ANNOTATOR,))
    | dict.fromkeys(("decide", "close", "reopen", "withdraw"), JUDGES)
    | {"seen": ROLES}
)
"""The roles that may do what, by kind of event."""
WHILE_OPEN: Final = ("set", "comment", "state", "decide", "assign", "withdraw", "close", "layer")
"""What is refused while a document is closed."""


class NotAllowedError(EventError):
    """Raised for what a person may not do or see."""


class NotFoundError(EventError):
    """Raised for documents and people that do not exist."""


def require_allowed(board: Board, person: int, event: Event) -> None:
    """Raise an error if a person may not do something, or not now."""
    kind, document = event.kind, event.document
    if board.roles.get(person, ANNOTATOR) not in MAY[kind]:
        whose = " or ".join(f"a{'n' * (role[0] == 'a')} {role}" for role in MAY[kind])
        raise NotAllowedError(f"only {whose} may do this")
    if document in board.closed and kind in WHILE_OPEN:
        raise EventError("this document is closed; open it again first")
    if kind in ("set", "comment", "state"):
        layer = board.current(document, person)
        if layer is None:
            raise EventError("you are not assigned to this document any more")
        if layer.is_sealed:
            raise EventError("others were shown to you; your boundaries stay as they are")
    if kind in FIELDS:
        _require_sense(board, event, event.says)


def _require_sense(board: Board, event: Event, says: Said) -> None:
    """Raise an error if an act of the project names what there is not."""
    kind = event.kind
    if (event.document == PROJECT) is (kind in OF_A_DOCUMENT):
        raise EventError(f"{kind} is of {'a' if kind in OF_A_DOCUMENT else 'no'} document")
    who = says.get("person")
    if who is not None and who not in board.roles:
        raise NotFoundError(f"there is no person {who}")
    if kind in ("assign", "withdraw", "layer"):
        _require_pass(board, event, says)
    elif kind == "role":
        managers = [number for number, role in board.roles.items() if role == MANAGER]
        if managers == [who] and says["role"] != MANAGER:
            raise EventError("a project has a manager; make somebody else one first")
    elif kind == "close":
        named = [who for who, _ in says["layers"]] + says["withdrawn"]
        if not {*named, *says["decided"].values()} <= board.roles.keys():
            raise EventError("it names people that there are not")
    if "boundaries" in says:
        length = board.lengths[event.document]
        if any(not 0 <= at < length for at in boundaries_of(says["boundaries"])):
            raise EventError("a boundary is outside of the words")


def _require_pass(board: Board, event: Event, says: Said) -> None:
    """A pass of somebody is one that they have, or the next."""
    passes = board.passes.get((event.document, says["person"]), 0)
    if event.kind == "assign" and board.roles[says["person"]] != ANNOTATOR:
        raise EventError("only annotators are assigned; change the role first")
    if event.kind == "layer" and says["pass"] != passes + 1:
        raise EventError(f"the next pass is {passes + 1}")
    if not 1 <= says["pass"] <= passes + (event.kind != "withdraw"):
        raise EventError(f"there is no pass {says['pass']} of this person")
