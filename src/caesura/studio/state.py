"""State: a project after a sequence of events, computed as a fold over the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from caesura.studio.events import (
    DISCUSS,
    LISTED,
    OPEN,
    PROJECT,
    SKIP,
    Event,
    EventError,
    Said,
    boundaries_of,
)
from caesura.studio.layers import OwnLayer

Sent = tuple[int, Event]
"""Who has sent an event."""
Kept = tuple[int, float, Event]
"""An event that is kept aside: its number in the fold, its time, and itself."""
Key = tuple[int, int, int]
"""A layer: document, person, pass."""
Hidden = tuple[int, int | None, int | None]
"""What is hidden or omitted: a person (document 0), a document, or a layer."""


class Decision(NamedTuple):
    """What was decided of a gap, and by whom."""

    value: str | None
    person: int

    @property
    def is_made(self) -> bool:
        """Whether it is a decision, and not a gap to discuss."""
        return self.value not in (SKIP, DISCUSS)


@dataclass(frozen=True, slots=True)
class Closed:
    """The stored result of a document: boundaries, whose layers they rest on, who decided."""

    person: int
    at: float
    boundaries: Mapping[int, str]
    layers: tuple[tuple[int, int], ...]
    decided: Mapping[int, int]
    withdrawn: tuple[int, ...]


@dataclass(slots=True)
class Board:
    """Layers by document, person and pass, and all else that events say of a project.

    `lengths` are the numbers of words of the documents, `beginnings` the boundaries with which
    people begin, `aside` the acts of people without an assignment, `shown` to whom others'
    boundaries of a document were shown.
    """

    lengths: dict[int, int] = field(default_factory=dict)
    beginnings: dict[int, Mapping[int, str]] = field(default_factory=dict)
    roles: dict[int, str] = field(default_factory=dict)
    layers: dict[Key, OwnLayer] = field(default_factory=dict)
    passes: dict[tuple[int, int], int] = field(default_factory=dict)
    keys: dict[int, list[Key]] = field(default_factory=dict)
    aside: dict[tuple[int, int], list[Kept]] = field(default_factory=dict)
    decisions: dict[int, dict[int, Decision]] = field(default_factory=dict)
    shown: dict[tuple[int, int], float] = field(default_factory=dict)
    hidden: set[Hidden] = field(default_factory=set)
    omitted: set[Hidden] = field(default_factory=set)
    closed: dict[int, Closed] = field(default_factory=dict)
    released: set[int] = field(default_factory=set)
    machines: dict[int, str] = field(default_factory=dict)
    guidelines: list[tuple[float, str]] = field(default_factory=list)
    seen: dict[int, int] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    arrangement: str = LISTED
    waits: bool = False
    is_migrated: bool = False
    last: dict[str, Sent] = field(default_factory=dict)
    count: int = 0

    def is_known(self, person: int, event: Event, ahead: Sent | None = None) -> bool:
        """Whether an event was accepted before; an error if it is invalid now.

        The events of a client have the numbers 0, 1, 2 …, and are taken in this order. `ahead` is
        the last one of its client that will be taken before it, and whose it is.
        """
        self.require_place(event)
        last = ahead or self.last.get(event.client)
        if last is not None and last[0] != person:
            raise EventError("another person has a client of this name")
        before = None if last is None else last[1]
        expected = 0 if before is None else before.sequence + 1
        if event.sequence > expected:
            raise OutOfOrderError(expected)
        if event.sequence == expected - 1 and event != before:
            raise EventError(f"event {event.sequence} of this client was another")
        return event.sequence < expected

    def require_place(self, event: Event) -> None:
        """Raise an error if an event is in no document, or at no gap of it."""
        if event.kind in _TAKEN and event.document == PROJECT:
            return
        length = self.lengths.get(event.document)
        if length is None:
            raise EventError(f"there is no document {event.document}")
        gaps = length - 1 if event.kind in ("set", "comment", "decide") else max(1, length - 1)
        gaps = 1 if event.kind in _TAKEN else gaps
        if event.gap >= gaps:
            raise EventError(f"there is no gap {event.gap} in a document of {length:,} words")

    def take(self, person: int, event: Event, at: float) -> None:
        """Apply a valid event."""
        self.last[event.client] = person, event
        self.count += 1
        if event.kind in _TAKEN:
            _TAKEN[event.kind](self, person, event, event.says, at)
        elif event.kind == "decide":
            self._decide(person, event)
        else:
            layer = self.current(event.document, person)
            if layer is None:
                kept = self.aside.setdefault((event.document, person), [])
                kept.append((self.count, at, event))
            else:
                layer.take(event, at)

    def _decide(self, person: int, event: Event) -> None:
        decisions = self.decisions.setdefault(event.document, {})
        decisions[event.gap] = Decision(event.value, person)
        if event.value == OPEN:
            del decisions[event.gap]

    def current(self, document: int, person: int) -> OwnLayer | None:
        """The layer on which a person works; None if they are not assigned."""
        number = self.passes.get((document, person))
        found = None if number is None else self.layers[document, person, number]
        return found if found is not None and found.is_assigned else None

    def of_person(self, document: int, person: int) -> Iterator[OwnLayer]:
        """The layers of a person in a document, pass by pass."""
        for number in range(1, self.passes.get((document, person), 0) + 1):
            if (document, person, number) in self.layers:
                yield self.layers[document, person, number]

    def of_document(self, document: int) -> list[tuple[Key, OwnLayer]]:
        """The layers of a document that are assigned and not hidden, in the order of the people."""
        if (document, None, None) in self.hidden:
            return []
        return [
            (key, self.layers[key])
            for key in sorted(self.keys.get(document, ()))
            if self.layers[key].is_assigned
            and (PROJECT, key[1], None) not in self.hidden
            and key not in self.hidden
        ]

    def new_layer(self, key: Key) -> OwnLayer:
        """Add an empty layer, or the next pass of one."""
        document, person, _ = key
        layer = OwnLayer.from_length(self.lengths[document], self.beginnings.get(document))
        layer.is_blind = (document, person) not in self.shown
        self.add_layer(key, layer)
        return layer

    def add_layer(self, key: Key, layer: OwnLayer) -> None:
        """Add a layer of a pass that there is not."""
        document, person, number = key
        self.layers[key] = layer
        self.passes[document, person] = max(number, self.passes.get((document, person), 0))
        self.keys.setdefault(document, []).append(key)


def _role(board: Board, _person: int, _event: Event, says: Said, _at: float) -> None:
    board.roles[says["person"]] = says["role"]


def _assign(board: Board, _person: int, event: Event, says: Said, _at: float) -> None:
    """Assign a layer; what its person did before joins it."""
    key = event.document, says["person"], says["pass"]
    layer = board.layers.get(key) or board.new_layer(key)
    layer.is_assigned = True
    for _, at, each in board.aside.pop(key[:2], ()):
        layer.take(each, at)


def _withdraw(board: Board, _person: int, event: Event, says: Said, _at: float) -> None:
    board.layers[event.document, says["person"], says["pass"]].is_assigned = False


def _shown(board: Board, person: int, event: Event, _says: Said, at: float) -> None:
    board.shown.setdefault((event.document, person), at)
    for layer in board.of_person(event.document, person):
        layer.seal()


def _hidden(event: Event, says: Said) -> Hidden:
    return event.document, says["person"], says["pass"]


def _hide(board: Board, _person: int, event: Event, says: Said, _at: float) -> None:
    board.hidden.add(_hidden(event, says))


def _restore(board: Board, _person: int, event: Event, says: Said, _at: float) -> None:
    board.hidden.discard(_hidden(event, says))


def _omit(board: Board, _person: int, event: Event, says: Said, _at: float) -> None:
    board.omitted.add(_hidden(event, says))


def _count(board: Board, _person: int, event: Event, says: Said, _at: float) -> None:
    board.omitted.discard(_hidden(event, says))


def _close(board: Board, person: int, event: Event, says: Said, at: float) -> None:
    """Store the result; layers that are finished are sealed, as later acts are revisions."""
    layers = tuple((who, number) for who, number in says["layers"])
    decided = {int(gap): who for gap, who in says["decided"].items()}
    board.closed[event.document] = Closed(
        person, at, boundaries_of(says["boundaries"]), layers, decided, tuple(says["withdrawn"])
    )
    for key in board.keys.get(event.document, ()):
        layer = board.layers[key]
        layer.is_assigned &= key[1] not in says["withdrawn"]
        if layer.is_done:
            layer.seal()


def _reopen(board: Board, _person: int, event: Event, _says: Said, _at: float) -> None:
    board.closed.pop(event.document, None)


def _release(board: Board, _person: int, event: Event, _says: Said, _at: float) -> None:
    board.released.add(event.document)


def _waits(board: Board, _person: int, _event: Event, says: Said, _at: float) -> None:
    board.waits = says["is_on"]


def _begin(board: Board, _person: int, event: Event, says: Said, _at: float) -> None:
    board.beginnings[event.document] = boundaries_of(says["boundaries"])
    board.machines[event.document] = " ".join(filter(None, (says["detector"], says["version"])))
    if not says["detector"]:
        del board.machines[event.document], board.beginnings[event.document]
    empty = OwnLayer.from_length(
        board.lengths[event.document], board.beginnings.get(event.document)
    )
    for key in board.keys.get(event.document, ()):
        board.layers[key].codes, board.layers[key].given = empty.codes.copy(), empty.given


def _layer(board: Board, _person: int, event: Event, says: Said, _at: float) -> None:
    """A layer that was made elsewhere, finished."""
    layer = board.new_layer((event.document, says["person"], says["pass"]))
    found = OwnLayer.from_length(layer.codes.size, boundaries_of(says["boundaries"]))
    layer.codes, layer.given, layer.is_blind = found.codes, found.given, says["blind"]
    layer.is_finished, layer.source = True, says["source"]
    layer.reached = layer.voted = layer.codes.size


def _guidelines(board: Board, _person: int, _event: Event, says: Said, at: float) -> None:
    board.guidelines.append((at, says["text"]))


def _seen(board: Board, person: int, _event: Event, says: Said, _at: float) -> None:
    board.seen[person] = says["version"]


def _order(board: Board, _person: int, _event: Event, says: Said, _at: float) -> None:
    board.order = list(says["documents"])


def _arrange(board: Board, _person: int, _event: Event, says: Said, _at: float) -> None:
    board.arrangement = says["how"]


def _migrate(board: Board, _person: int, _event: Event, _says: Said, at: float) -> None:
    """Bring acts of an earlier studio, which knew no assignments, into layers."""
    board.is_migrated = True
    for decisions in board.decisions.values():
        for gap in [gap for gap, each in decisions.items() if not each.is_made]:
            del decisions[gap]
    for document in sorted({document for document, _ in board.aside}):
        _migrate_document(board, document, at)


def _migrate_document(board: Board, document: int, at: float) -> None:
    """Everyone with a boundary still set is assigned, but for managers.

    Earlier studios showed others who had finished to whom finished: the first finish is the seal
    if another finished before, else the next finish of another.
    """
    kept = {person: each for (own, person), each in board.aside.items() if own == document}
    beginning, length = board.beginnings.get(document), board.lengths[document]
    layers = {person: OwnLayer.from_length(length, beginning) for person in kept}
    finished: set[int] = set()
    for _, when, event, person in sorted(
        ((*each, person) for person, own in kept.items() for each in own), key=lambda line: line[0]
    ):
        layers[person].take(event, when)
        if layers[person].is_finished and event.kind == "state":
            finished.add(person)
            for each in finished if len(finished) > 1 else ():
                layers[each].seal()
    for person, layer in layers.items():
        if board.roles.get(person) == "manager" or not (layer.revision and layer.codes.any()):
            continue
        layer.voted, layer.first.voted = layer.reached, layer.first.reached
        if layer.blind is not None:
            board.shown.setdefault((document, person), at)
            layer.is_blind = bool(layer.blind.revision or layer.blind.comments)
        board.add_layer((document, person, 1), layer)
        del board.aside[document, person]


_TAKEN: Final[dict[str, Callable[[Board, int, Event, Said, float], None]]] = {
    "role": _role, "assign": _assign, "withdraw": _withdraw, "hide": _hide, "restore": _restore,
    "omit": _omit, "count": _count, "shown": _shown, "release": _release, "waits": _waits,
    "close": _close, "reopen": _reopen, "begin": _begin, "layer": _layer,
    "guidelines": _guidelines, "seen": _seen, "order": _order, "arrange": _arrange,
    "migrate": _migrate,
}  # fmt: skip
"""What an act of the project does, by kind."""


class OutOfOrderError(EventError):
    """An event that comes before one that has not arrived: send from `expected` on."""

    def __init__(self, expected: int) -> None:
        super().__init__(f"events before this one are missing; send from {expected} on")
        self.expected = expected
