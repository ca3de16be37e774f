"""Events: what people do to documents, one at a time. They are appended, and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from caesura.errors import CaesuraError

Kind = Literal["set", "comment", "state", "decide"]
KINDS: Final = ("set", "comment", "state", "decide")
MARKS: Final = ("", ".", "?", "!", ";")
"""What a boundary may be marked with; the first is no mark."""
DECISIONS: Final = (*MARKS, "skip", "discuss")
"""What may be decided of a gap besides that there is no boundary."""
STATES: Final = ("open", "finished")
LONGEST_COMMENT, LONGEST_NAME = 2000, 64
MOST = 2**53
"""The largest number that a page can count to."""


class EventError(CaesuraError):
    """An event that is refused; nothing of it is stored."""


@dataclass(frozen=True, slots=True)
class Event:
    """One act: `client` and `sequence` identify it, `gap` is the word after which it is.

    `set` places a boundary with a mark (`value`), or removes it (None). `comment` writes a comment
    at a gap, or removes it (None). `state` opens or finishes a document. `decide` is the
    manager's decision on a gap: a mark, None for no boundary, `skip` or `discuss`.
    """

    client: str
    sequence: int
    document: int
    kind: Kind
    gap: int
    value: str | None

    @classmethod
    def from_json(cls, values: object) -> Event:
        """Take an event from a request; an error says what is wrong with it."""
        if not isinstance(values, Mapping) or set(values) != set(cls.__match_args__):
            raise EventError(f"an event has {', '.join(cls.__match_args__)} and nothing else")
        event = cls(**values)
        for name in ("sequence", "document", "gap"):
            number = getattr(event, name)
            if type(number) is not int or not 0 <= number < MOST:
                raise EventError(f"{name} is not a number from 0 on")
        if not _is_text(event.client, LONGEST_NAME) or not event.client:
            raise EventError("client is not a name")
        if event.kind not in KINDS:
            raise EventError(f"kind is not one of {', '.join(KINDS)}")
        event._require_value()
        return event

    def _require_value(self) -> None:
        known: dict[str, tuple[str | None, ...]] = {
            "set": (None, *MARKS),
            "state": STATES,
            "decide": (None, *DECISIONS),
        }
        if self.kind == "comment":
            if self.value is not None and not _is_text(self.value, LONGEST_COMMENT):
                raise EventError(f"a comment is a text of up to {LONGEST_COMMENT:,} characters")
        elif self.value not in known[self.kind]:
            raise EventError(f"the value of {self.kind} is not one of those that it may have")


def _is_text(value: object, longest: int) -> bool:
    """Whether a value is a text without control characters, and not too long."""
    return (
        isinstance(value, str)
        and len(value) <= longest
        and all(each.isprintable() or each == "\n" for each in value)
    )
