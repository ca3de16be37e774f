"""State: documents after a sequence of events, computed as a fold over the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import Segmentation
from caesura.studio.events import MARKS, STATES, Event, EventError

NO_BOUNDARY = 0
"""The code of a gap without a boundary; those with one have 1 + the number of the mark."""
BREAK = 120.0
"""From how many seconds between two acts on nobody is at work."""
Codes = npt.NDArray[np.uint8]
Sent = tuple[int, Event]
"""Who has sent an event."""
_CODE_OF = {None: NO_BOUNDARY} | {mark: at for at, mark in enumerate(MARKS, 1)}


@dataclass(slots=True)
class OwnLayer:
    """One person's boundaries in one document, comments, and whether they have finished.

    `acts` counts events, `revision` changes with every boundary. `reached` is how many words lie
    before the last gap that was touched, `seconds` how long somebody has worked, without breaks.
    """

    codes: Codes
    comments: dict[int, str] = field(default_factory=dict)
    is_finished: bool = False
    acts: int = 0
    revision: int = 0
    reached: int = 0
    seconds: float = 0.0
    last_at: float = 0.0

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
        self.seconds += at - self.last_at if 0 < at - self.last_at < BREAK else 0
        self.last_at = at
        if event.kind == "set":
            self.codes[event.gap] = _CODE_OF[event.value]
            self.revision += 1
        elif event.kind == "comment" and event.value:
            self.comments[event.gap] = event.value
        elif event.kind == "comment":
            self.comments.pop(event.gap, None)
        elif event.kind == "state":
            self.is_finished = event.value == STATES[1]

    def boundaries(self) -> dict[int, str]:
        """Where units end, and with which marks."""
        codes = self.codes.copy()  # events may be taken while it is read
        places = np.flatnonzero(codes)
        each = zip(places.tolist(), codes[places].tolist(), strict=True)
        return {at: MARKS[code - 1] for at, code in each}

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


@dataclass(slots=True)
class Board:
    """All layers by document and person, the decisions, and what each client has sent.

    `lengths` are the numbers of words of the documents, `beginnings` the boundaries with which
    people begin.
    """

    lengths: dict[int, int] = field(default_factory=dict)
    beginnings: dict[int, Mapping[int, str]] = field(default_factory=dict)
    layers: dict[tuple[int, int], OwnLayer] = field(default_factory=dict)
    decisions: dict[int, dict[int, str | None]] = field(default_factory=dict)
    last: dict[str, Sent] = field(default_factory=dict)

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
        length = self.lengths.get(event.document)
        if length is None:
            raise EventError(f"there is no document {event.document}")
        gaps = 1 if event.kind == "state" else length - 1
        if event.gap >= gaps:
            raise EventError(f"there is no gap {event.gap} in a document of {length:,} words")

    def take(self, person: int, event: Event, at: float) -> None:
        """Apply a valid event."""
        self.last[event.client] = person, event
        if event.kind == "decide":
            self.decisions.setdefault(event.document, {})[event.gap] = event.value
        else:
            self.layer(event.document, person).take(event, at)

    def layer(self, document: int, person: int) -> OwnLayer:
        """A person's layer of a document, empty before the first event."""
        key = document, person
        if key not in self.layers:
            beginning = self.beginnings.get(document)
            self.layers[key] = OwnLayer.from_length(self.lengths[document], beginning)
        return self.layers[key]


class OutOfOrderError(EventError):
    """An event that comes before one that has not arrived: send from `expected` on."""

    def __init__(self, expected: int) -> None:
        super().__init__(f"events before this one are missing; send from {expected} on")
        self.expected = expected
