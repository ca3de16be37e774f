"""ELAN's XML: time slots, tiers and annotations.

It is read defensively: a document type, entities of its own, and elements nested deeper than DEPTH
are refused, and nothing is ever fetched.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from caesura.errors import FormatError
from caesura.formats._shared.clock_times import LATEST

DEPTH = 64
SIZE = 1 << 30
"""The most bytes of XML that are read."""


@dataclass(slots=True)
class Annotation:
    """One annotation: between two time slots, or of another annotation, maybe after a third."""

    id: str
    line: int
    slots: tuple[str, str] | None
    of: str
    after: str
    value: str = ""


@dataclass(slots=True)
class ElanTier:
    """One tier as it is written."""

    id: str
    line: int
    participant: str
    parent: str
    type: str
    annotations: list[Annotation] = field(default_factory=list)


class Elan:
    """The time slots and tiers of an EAF, as they come out of the XML."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.slots: dict[str, float] = {}
        self.tiers: dict[str, ElanTier] = {}
        self._open: list[str] = []
        self._parser = expat.ParserCreate("utf-8", "}")
        self._tier: ElanTier | None = None
        self._annotation: Annotation | None = None
        self._value: list[str] = []

    def read(self, text: str) -> None:
        """Parse a document."""
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > SIZE:
            raise FormatError(self.source, f"more than {SIZE:,} bytes of XML", "split the file")
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        parser.ExternalEntityRefHandler = self._refuse
        try:
            parser.Parse(data, True)  # noqa: FBT003
        except expat.ExpatError as problem:
            reason = expat.errors.messages.get(problem.code, str(problem))
            cure = "save it from ELAN again"
            raise FormatError(
                self.source, f"broken XML ({reason})", cure, line=problem.lineno
            ) from None
        if not self.tiers:
            cure = "add a tier for each speaker"
            raise FormatError(self.source, "no tiers", cure, line=1)

    def fail(self, problem: str, cure: str, line: int | None = None) -> NoReturn:
        """Raise an error that names a line, by default the one that is read."""
        line = self._parser.CurrentLineNumber if line is None else line
        raise FormatError(self.source, problem, cure, line=line)

    def _refuse(self, *_: object) -> NoReturn:
        self.fail("a document type or its own entities", "remove the DOCTYPE; EAF has none")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition("}")[2]
        if not self._open and name != "ANNOTATION_DOCUMENT":
            problem = f"<{name[:40]}> instead of <ANNOTATION_DOCUMENT>"
            self.fail(problem, "give a file that ELAN saved")
        if len(self._open) >= DEPTH:
            self.fail(f"elements nested deeper than {DEPTH}", "save it from ELAN again")
        self._open.append(name)
        if name in _ELEMENTS:
            _ELEMENTS[name](self, attributes)

    def _end(self, name: str) -> None:
        self._open.pop()
        if self._annotation and name.endswith("_ANNOTATION"):
            self._annotation.value = "".join(self._value)
            self._annotation = None

    def _characters(self, text: str) -> None:
        if self._annotation and self._open[-1] == "ANNOTATION_VALUE":
            self._value.append(text)

    def _need(self, attributes: dict[str, str], name: str) -> str:
        if not attributes.get(name):
            self.fail(f"<{self._open[-1]}> without {name}", f"add {name}")
        return attributes[name]

    def _take_header(self, attributes: dict[str, str]) -> None:
        units = attributes.get("TIME_UNITS", "milliseconds")
        if units != "milliseconds":
            self.fail(f"times in {units[:40]}", "save it from ELAN with times in milliseconds")

    def _take_time_slot(self, attributes: dict[str, str]) -> None:
        name = self._need(attributes, "TIME_SLOT_ID")
        value = attributes.get("TIME_VALUE")
        if name in self.slots:
            self.fail(f"the time slot '{name}' appears twice", "give each its own id")
        if value is None:
            self.slots[name] = math.nan
        elif re.fullmatch("[0-9]{1,18}", value) and int(value) <= LATEST * 1000:
            self.slots[name] = int(value)
        else:
            self.fail(f"'{value[:40]}' is not a time", "write whole milliseconds, such as 1500")

    def _take_tier(self, attributes: dict[str, str]) -> None:
        name = self._need(attributes, "TIER_ID")
        if name in self.tiers:
            self.fail(f"the tier '{name}' appears twice", "give each its own name")
        participant, parent, kind = (
            attributes.get(key, "") for key in ("PARTICIPANT", "PARENT_REF", "LINGUISTIC_TYPE_REF")
        )
        self._tier = ElanTier(name, self._parser.CurrentLineNumber, participant, parent, kind)
        self.tiers[name] = self._tier

    def _take_alignable(self, attributes: dict[str, str]) -> None:
        first, last = (self._need(attributes, f"TIME_SLOT_REF{which}") for which in (1, 2))
        for name in (first, last):
            if name not in self.slots:
                self.fail(f"no time slot '{name}'", "add it to the TIME_ORDER, before the tiers")
        self._annotate(attributes, (first, last), "")

    def _take_reference(self, attributes: dict[str, str]) -> None:
        self._annotate(attributes, None, self._need(attributes, "ANNOTATION_REF"))

    def _annotate(self, attributes: dict[str, str], slots: tuple[str, str] | None, of: str) -> None:
        if self._tier is None:
            self.fail("an annotation outside a tier", "save it from ELAN again")
        name, after = self._need(attributes, "ANNOTATION_ID"), attributes.get("PREVIOUS_ANNOTATION")
        self._value = []
        self._annotation = Annotation(name, self._parser.CurrentLineNumber, slots, of, after or "")
        self._tier.annotations.append(self._annotation)


_ELEMENTS = {
    "HEADER": Elan._take_header,
    "TIME_SLOT": Elan._take_time_slot,
    "TIER": Elan._take_tier,
    "ALIGNABLE_ANNOTATION": Elan._take_alignable,
    "REF_ANNOTATION": Elan._take_reference,
}
