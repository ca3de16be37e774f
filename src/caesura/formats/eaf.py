"""ELAN's annotation format (EAF): XML with tiers of annotations that point into a list of times.

Tiers that have no parent are the speakers, named as their participant, else as the tier; each of
their annotations is a unit, an empty one silence. A tier below them is read if its name or its
linguistic type says that it contains words or units, as in a TextGrid (see `tiers`); of a tier
below them named `su` or `boundaries` that refers to annotations, the labels are units' types.

Missing times are spaced evenly between those before and after, as ELAN does: on the
tier itself if it has a parent, else among all times. Annotations that refer to one and the same
share its time evenly, in the order in which they name each other.

The XML is read defensively: a document type, entities of its own, and elements nested deeper than
DEPTH are refused, and nothing is ever fetched.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn
from xml.parsers import expat

import numpy as np

from caesura.core.byte_cells import FloatArray
from caesura.core.format import Codec
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError
from caesura.formats.script import LATEST, Script
from caesura.formats.tiers import (
    Layer,
    Role,
    by_speaker,
    chosen,
    name_of,
    only,
    require_apart,
    require_times,
    rows,
    tells_ends,
    tier_script,
    to_script,
    told_by,
)

MILLISECOND = 1000
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0"\
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"\
 xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
"""
_FOOT = """    <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="segments"\
 TIME_ALIGNABLE="true"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Symbolic_Association" GRAPHIC_REFERENCES="false"\
 LINGUISTIC_TYPE_ID="su" TIME_ALIGNABLE="false"/>
    <CONSTRAINT DESCRIPTION="1-1 association with a parent annotation"\
 STEREOTYPE="Symbolic_Association"/>
</ANNOTATION_DOCUMENT>
"""
_ESCAPES = {ord(each): f"&#{ord(each)};" for each in '&<>"\t\n\r'}
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def parse(text: str, source: str = "<eaf>", tier: str = "") -> list[Script]:
    """Read one recording, or one tier of it."""
    document = Elan(source)
    document.read(text)
    names = list(document.tiers)
    if not tier or tier.endswith("*"):
        return [to_script(_layers(document), "eaf", source, names)]
    (layer,) = _layers(document, names[chosen(names, tier, source)])
    return [tier_script(layer, "eaf", source)]


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write a tier for each speaker, times rounded to milliseconds.

    What a speaker says at the same time goes to a further tier of the same participant; types,
    and units of several pieces, to a tier named `su` below it.
    """
    script = only(scripts, "an EAF")
    times = np.stack(require_times(script, "an EAF"))
    times = (times + MILLISECOND // 2) // MILLISECOND
    values, slot = np.unique(times, return_inverse=True)
    yield _HEAD + "    <TIME_ORDER>\n"
    for at, value in enumerate(values.tolist()):
        yield f'        <TIME_SLOT TIME_SLOT_ID="ts{at}" TIME_VALUE="{value}"/>\n'
    yield "    </TIME_ORDER>\n"
    taken: set[str] = set()
    for speaker, which in by_speaker(script).items():
        for row in rows(*times[:, which]):
            yield from _tier(script, speaker, which[row], slot.reshape(times.shape), taken)
    yield _FOOT


def _layers(document: Elan, wanted: str = "") -> Iterator[Layer]:
    """The tiers that are read, with their times; or only one, whatever its name implies."""
    order = {name: at for at, name in enumerate(document.slots)}
    told = np.array(list(document.slots.values()), dtype=np.float64)
    times = _laid_out(told)
    spans: dict[str, tuple[float, float]] = {}
    speakers: dict[str, str] = {}
    for tier in _parents_first(document):
        own = _on_tier(tier, order, told, times) if tier.parent else times
        spans |= _aligned(tier, order, own) | _referring(tier, spans, document)
        speaker, role = _told(tier)
        speakers[tier.id] = speakers[tier.parent] if tier.parent else tier.participant or speaker
        if wanted:
            role = "" if tier.id == wanted else "other"
        if role != "other":
            yield _layer(tier, spans, speakers[tier.id], role, document.source)


def _parents_first(document: Elan) -> list[ElanTier]:
    children: dict[str, list[ElanTier]] = {}
    for tier in document.tiers.values():
        if tier.parent and tier.parent not in document.tiers:
            problem = f"no tier '{tier.parent}', the parent of '{tier.id}'"
            document.fail(problem, "add it, or remove PARENT_REF", tier.line)
        children.setdefault(tier.parent, []).append(tier)
    found = children.pop("", [])
    for tier in found:
        found += children.pop(tier.id, [])
    for tiers in children.values():
        problem = f"the parents of the tier '{tiers[0].id}' form a cycle"
        document.fail(problem, "fix its PARENT_REF", tiers[0].line)
    return found


def _told(tier: ElanTier) -> tuple[str, Role]:
    """The role that the name of a tier implies; a child tier without a role is not read."""
    speaker, role = told_by(tier.id)
    if not tier.parent:
        return speaker, "units" if role == "points" else role
    role = role or told_by(tier.type)[1] or "other"
    is_timed = any(each.slots for each in tier.annotations)
    return speaker, "units" if role == "points" and is_timed else role


def _laid_out(times: FloatArray) -> FloatArray:
    """Times, missing ones spaced evenly between their neighbours."""
    known = np.flatnonzero(~np.isnan(times))
    return np.interp(np.arange(times.size), known, times[known]) if known.size else times


def _on_tier(
    tier: ElanTier, order: dict[str, int], told: FloatArray, times: FloatArray
) -> FloatArray:
    """Lay unknown times out between the known ones of a tier, where it has some on both sides."""
    used = sorted({order[name] for each in tier.annotations for name in each.slots or ()})
    at = np.array(used, dtype=np.int64)
    known = np.flatnonzero(~np.isnan(told[at]))
    if known.size < 2:
        return times
    inner = at[known[0] : known[-1] + 1]
    own = times.copy()
    own[inner] = _laid_out(told[inner])
    return own


def _aligned(
    tier: ElanTier, order: dict[str, int], times: FloatArray
) -> dict[str, tuple[float, float]]:
    return {
        each.id: (float(times[order[each.slots[0]]]), float(times[order[each.slots[1]]]))
        for each in tier.annotations
        if each.slots
    }


def _referring(
    tier: ElanTier, spans: dict[str, tuple[float, float]], document: Elan
) -> dict[str, tuple[float, float]]:
    """The times of annotations that refer to others: their equal shares."""
    groups: dict[str, list[Annotation]] = {}
    for each in tier.annotations:
        if each.slots is None:
            if each.of not in spans:
                problem = f"no annotation '{each.of}' in the tiers above '{tier.id}'"
                document.fail(problem, "fix the ANNOTATION_REF", each.line)
            groups.setdefault(each.of, []).append(each)
    found = {}
    for of, group in groups.items():
        start, end = spans[of]
        for at, each in enumerate(_chained(group, document)):
            edges = (start + (end - start) * (at + step) / len(group) for step in (0, 1))
            found[each.id] = (next(edges), next(edges))
    return found


def _chained(group: list[Annotation], document: Elan) -> list[Annotation]:
    """Annotations of the same one, in the order given by PREVIOUS_ANNOTATION."""
    names = {each.id for each in group}
    following = {each.after: each for each in group if each.after in names}
    ordered = []
    for each in group:
        link: Annotation | None = each if each.after not in names else None
        while link is not None:
            ordered.append(link)
            link = following.get(link.id)
    if len(ordered) != len(group):
        problem = f"annotations of '{group[0].of}' that do not follow each other"
        document.fail(problem, "fix their PREVIOUS_ANNOTATION", group[0].line)
    return ordered


def _layer(
    tier: ElanTier, spans: dict[str, tuple[float, float]], speaker: str, role: Role, source: str
) -> Layer:
    """A tier in the order of its times."""
    milliseconds = np.array([spans[each.id] for each in tier.annotations]).reshape(-1, 2)
    if np.isnan(milliseconds).any():
        cure = "add TIME_VALUE to the time slots"
        raise FormatError(source, "no time slot has a time", cure, line=tier.line)
    start, end = np.rint(milliseconds.T * MILLISECOND).astype(np.int64)
    lines = np.array([each.line for each in tier.annotations], dtype=np.int64)
    labels = [each.value for each in tier.annotations]
    layer = Layer(speaker, role, labels, start, end, lines).some(np.lexsort((end, start)))
    if role == "points":
        return replace(layer, start=layer.end)
    require_apart(layer, tier.id, source)
    return layer


def _tier(
    script: Script, speaker: str, which: IntArray, slots: IntArray, taken: set[str]
) -> Iterator[str]:
    """Some pieces of a speaker that do not overlap, and their types if there are any."""
    speaker = _NO_XML.sub("", speaker)
    name = name_of(speaker)
    while name in taken:
        name += " "
    taken.add(name)
    participant = f' PARTICIPANT="{_escaped(speaker)}"' if speaker else ""
    yield f'    <TIER LINGUISTIC_TYPE_REF="segments"{participant} TIER_ID="{_escaped(name)}">\n'
    for at in which.tolist():
        times = f'TIME_SLOT_REF1="ts{slots[0, at]}" TIME_SLOT_REF2="ts{slots[1, at]}"'
        yield _annotation("ALIGNABLE", f'ANNOTATION_ID="a{at}" {times}', script.texts[at])
    yield "    </TIER>\n"
    if not tells_ends(script):
        return
    below = f'PARENT_REF="{_escaped(name)}"{participant} TIER_ID="{_escaped(name)} - su"'
    yield f'    <TIER LINGUISTIC_TYPE_REF="su" {below}>\n'
    for at in which.tolist():
        if script.ends is None or script.ends[at]:
            of = f'ANNOTATION_ID="t{at}" ANNOTATION_REF="a{at}"'
            yield _annotation("REF", of, script.types[at] if script.types else "")
    yield "    </TIER>\n"


def _annotation(kind: str, attributes: str, value: str) -> str:
    return (
        f"        <ANNOTATION>\n            <{kind}_ANNOTATION {attributes}>\n"
        f"                <ANNOTATION_VALUE>{_escaped(value)}</ANNOTATION_VALUE>\n"
        f"            </{kind}_ANNOTATION>\n        </ANNOTATION>\n"
    )


def _escaped(text: str) -> str:
    """Text for XML, without characters that XML does not allow."""
    return _NO_XML.sub("", text).translate(_ESCAPES)


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


CODECS = {"eaf": Codec(parse, write)}
