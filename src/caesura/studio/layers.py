"""Layers: one person's boundaries in one document and pass, blind and revised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import Segmentation
from caesura.studio.events import MARKS, STATES, UNSURE, Event

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
    before the last gap that was touched; up to `voted` words count as a vote in adjudication.
    `seconds` is how long somebody has worked, without breaks. `blind` is the layer as it was when
    others were first shown to its person; it never changes, and what comes later is the revision.
    `is_blind` is false if they were shown before it began, or if nobody knows. `unsure` are the
    boundaries of which its person is unsure, `given` those with which the layer began.
    """

    codes: Codes
    comments: dict[int, str] = field(default_factory=dict)
    unsure: set[int] = field(default_factory=set)
    is_finished: bool = False
    acts: int = 0
    revision: int = 0
    reached: int = 0
    voted: int = 0
    seconds: float = 0.0
    last_at: dict[str, float] = field(default_factory=dict)
    is_assigned: bool = True
    is_blind: bool = True
    source: str = ""
    given: Mapping[int, str] = field(default_factory=dict)
    blind: OwnLayer | None = None

    @classmethod
    def from_length(cls, length: int, boundaries: Mapping[int, str] | None = None) -> OwnLayer:
        """A layer that nobody has touched."""
        codes = np.zeros(length, np.uint8)
        given = boundaries or {}
        for at, mark in given.items():
            codes[at] = _CODE_OF[mark]
        return cls(codes, given=given)

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
            self.voted = self.codes.size if self.is_finished else self.voted

    def _set(self, gap: int, value: str | None) -> None:
        is_unsure = value is not None and value.endswith(UNSURE)
        self.codes[gap] = _CODE_OF[value.removesuffix(UNSURE) if value is not None else None]
        (self.unsure.add if is_unsure else self.unsure.discard)(gap)

    def seal(self) -> None:
        """End the blind layer; what comes later is the revision."""
        if self.blind is None:
            self.blind = replace(
                self,
                codes=self.codes.copy(),
                comments=dict(self.comments),
                unsure=set(self.unsure),
            )

    @property
    def first(self) -> OwnLayer:
        """The blind layer: what was made before others were shown."""
        return self.blind or self

    @property
    def is_done(self) -> bool:
        """Whether the blind layer is finished."""
        return self.is_finished if self.blind is None else True

    @property
    def is_revised(self) -> bool:
        """Whether boundaries have changed after others were shown."""
        return self.blind is not None and bool((self.codes != self.blind.codes).any())

    @property
    def state(self) -> str:
        """How far its assignment is."""
        if not self.is_assigned:
            return "withdrawn"
        if self.blind is not None:
            return "sealed"
        return "finished" if self.is_finished else "in work" if self.acts else "assigned"

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
