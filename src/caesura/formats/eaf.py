"""ELAN's annotation format (EAF): XML with tiers of annotations that point into a list of times.

Tiers that have no parent are the speakers, named as their participant, else as the tier; each of
their annotations is a unit, an empty one silence. A tier below them is read if its name or its
linguistic type says that it contains words or units, as in a TextGrid (see `tiers`); of a tier
below them named `su` or `boundaries` that refers to annotations, the labels are units' types.

Missing times are spaced evenly between those before and after, as ELAN does: on the
tier itself if it has a parent, else among all times. Annotations that refer to one and the same
share its time evenly, in the order in which they name each other.

A document type, entities of its own, and elements nested deeper than DEPTH are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from caesura.core.byte_cells import FloatArray
from caesura.core.format import Codec
from caesura.errors import FormatError
from caesura.formats.script import LATEST, Script
from caesura.formats.tiers import (
    Layer,
    Role,
    chosen,
    name_of,
    only_timed,
    require_apart,
    rows_of_speakers,
    tells_ends,
    tier_script,
    to_script,
    told_by,
)
from caesura.formats.xml_tree import Element, parse_xml

MILLISECOND = 1000
DEPTH = 64
_AGAIN = "save it from ELAN again"
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


@dataclass(slots=True)
class Annotation:
    """One annotation: between two time slots, or of another annotation, maybe after a third."""

    id: str
    line: int
    slots: tuple[str, str] | None
    of: str
    after: str
    value: str


@dataclass(slots=True)
class ElanTier:
    """One tier as it is written."""

    id: str
    line: int
    participant: str
    parent: str
    type: str
    annotations: list[Annotation] = field(default_factory=list)


def parse(text: str, source: str = "<eaf>", tier: str = "") -> list[Script]:
    """Read one recording, or one tier of it."""
    slots, tiers = _read(text, source)
    names = list(tiers)
    if not tier or tier.endswith("*"):
        return [to_script(_layers(slots, tiers, source), "eaf", source, names)]
    (layer,) = _layers(slots, tiers, source, names[chosen(names, tier, source)])
    return [tier_script(layer, "eaf", source)]


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write a tier for each speaker, times rounded to milliseconds.

    What a speaker says at the same time goes to a further tier of the same participant; types,
    and units of several pieces, to a tier named `su` below it.
    """
    script, *spans = only_timed(scripts, "an EAF")
    times = np.stack(spans)
    times = (times + MILLISECOND // 2) // MILLISECOND
    values, slot = np.unique(times, return_inverse=True)
    yield _HEAD + "    <TIME_ORDER>\n"
    for at, value in enumerate(values.tolist()):
        yield f'        <TIME_SLOT TIME_SLOT_ID="ts{at}" TIME_VALUE="{value}"/>\n'
    yield "    </TIME_ORDER>\n"
    taken: set[str] = set()
    first, last = slot.reshape(times.shape)  # the time slots at which pieces begin and end
    for speaker, rows in rows_of_speakers(script, *times).items():
        escaped = _escaped(speaker)
        participant = f' PARTICIPANT="{escaped}"' if escaped else ""
        for row in rows:
            name = name_of(_NO_XML.sub("", speaker))
            while name in taken:
                name += " "
            taken.add(name)
            tier = _escaped(name)
            yield f'    <TIER LINGUISTIC_TYPE_REF="segments"{participant} TIER_ID="{tier}">\n'
            for at in row.tolist():
                ends = f'TIME_SLOT_REF1="ts{first[at]}" TIME_SLOT_REF2="ts{last[at]}"'
                yield _annotation("ALIGNABLE", f'ANNOTATION_ID="a{at}" {ends}', script.texts[at])
            yield "    </TIER>\n"
            if not tells_ends(script):
                continue
            below = f'PARENT_REF="{tier}"{participant} TIER_ID="{tier} - su"'
            yield f'    <TIER LINGUISTIC_TYPE_REF="su" {below}>\n'
            for at in row.tolist():
                if script.ends is None or script.ends[at]:
                    of = f'ANNOTATION_ID="t{at}" ANNOTATION_REF="a{at}"'
                    yield _annotation("REF", of, script.types[at] if script.types else "")
            yield "    </TIER>\n"
    yield _FOOT


def _read(text: str, source: str) -> tuple[dict[str, float], dict[str, ElanTier]]:
    """The times of slots in milliseconds, nan where there is none, and the tiers as written."""
    refused = "a document type or its own entities", "remove the DOCTYPE; EAF has none"
    root = "ANNOTATION_DOCUMENT", "give a file that ELAN saved"
    document = parse_xml(text, source, root, _AGAIN, refused, depth=DEPTH, has_doctype=False)
    slots: dict[str, float] = {}
    tiers: dict[str, ElanTier] = {}
    tier: ElanTier | None = None
    for element in document.walk():
        if element.name == "HEADER":
            units = element.attributes.get("TIME_UNITS", "milliseconds")
            if units != "milliseconds":
                cure = "save it from ELAN with times in milliseconds"
                raise element.error(f"times in {units[:40]}", cure)
        elif element.name == "TIME_SLOT":
            name, time = _time_slot(element)
            if name in slots:
                raise element.error(f"the time slot '{name}' appears twice", "give each its own id")
            slots[name] = time
        elif element.name == "TIER":
            name = element.required("TIER_ID")
            if name in tiers:
                raise element.error(f"the tier '{name}' appears twice", "give each its own name")
            participant, parent, kind = (
                element.attributes.get(key, "")
                for key in ("PARTICIPANT", "PARENT_REF", "LINGUISTIC_TYPE_REF")
            )
            tier = tiers[name] = ElanTier(name, element.line, participant, parent, kind)
        elif element.name in ("ALIGNABLE_ANNOTATION", "REF_ANNOTATION"):
            annotation = _annotation_of(element, slots)
            if tier is None:
                raise element.error("an annotation outside a tier", _AGAIN)
            tier.annotations.append(annotation)
    if not tiers:
        raise FormatError(source, "no tiers", "add a tier for each speaker", line=1)
    return slots, tiers


def _time_slot(element: Element) -> tuple[str, float]:
    """The name of a time slot and its time."""
    name, value = element.required("TIME_SLOT_ID"), element.attributes.get("TIME_VALUE")
    if value is None:
        return name, math.nan
    if not re.fullmatch("[0-9]{1,18}", value) or int(value) > LATEST * 1000:
        cure = "write whole milliseconds, such as 1500"
        raise element.error(f"'{value[:40]}' is not a time", cure)
    return name, int(value)


def _annotation_of(element: Element, slots: Mapping[str, float]) -> Annotation:
    """An annotation with times of its own, or of another one."""
    times, of = None, ""
    if element.name == "ALIGNABLE_ANNOTATION":
        times = element.required("TIME_SLOT_REF1"), element.required("TIME_SLOT_REF2")
        for slot in times:
            if slot not in slots:
                cure = "add it to the TIME_ORDER, before the tiers"
                raise element.error(f"no time slot '{slot}'", cure)
    else:
        of = element.required("ANNOTATION_REF")
    values = (part.text for part in element.walk() if part.name == "ANNOTATION_VALUE")
    name, after = element.required("ANNOTATION_ID"), element.attributes.get("PREVIOUS_ANNOTATION")
    return Annotation(name, element.line, times, of, after or "", "".join(values))


def _layers(
    slots: Mapping[str, float], tiers: Mapping[str, ElanTier], source: str, wanted: str = ""
) -> Iterator[Layer]:
    """The tiers that are read, with their times; or only one, whatever its name implies."""
    order = {name: at for at, name in enumerate(slots)}
    told = np.array(list(slots.values()), dtype=np.float64)
    times = _laid_out(told)
    spans: dict[str, tuple[float, float]] = {}
    speakers: dict[str, str] = {}
    for tier in _parents_first(tiers, source):
        shares = _referring(tier, spans, source)
        tier_times = _on_tier(tier, order, told, times) if tier.parent else times
        for annotation in tier.annotations:
            if annotation.slots:
                start, end = (float(tier_times[order[slot]]) for slot in annotation.slots)
                spans[annotation.id] = start, end
        spans |= shares
        speaker, role = told_by(tier.id)
        if tier.parent:  # without a role, it is not read
            role = role or told_by(tier.type)[1] or "other"
        if role == "points" and (not tier.parent or any(each.slots for each in tier.annotations)):
            role = "units"
        speakers[tier.id] = speakers[tier.parent] if tier.parent else tier.participant or speaker
        if wanted:
            role = "" if tier.id == wanted else "other"
        if role != "other":
            yield _layer(tier, spans, speakers[tier.id], role, source)


def _parents_first(tiers: Mapping[str, ElanTier], source: str) -> list[ElanTier]:
    children: dict[str, list[ElanTier]] = {}
    for tier in tiers.values():
        if tier.parent and tier.parent not in tiers:
            problem = f"no tier '{tier.parent}', the parent of '{tier.id}'"
            raise FormatError(source, problem, "add it, or remove PARENT_REF", line=tier.line)
        children.setdefault(tier.parent, []).append(tier)
    ordered = children.pop("", [])
    for tier in ordered:
        ordered += children.pop(tier.id, [])
    for unreached in children.values():
        problem = f"the parents of the tier '{unreached[0].id}' form a cycle"
        raise FormatError(source, problem, "fix its PARENT_REF", line=unreached[0].line)
    return ordered


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


def _referring(
    tier: ElanTier, spans: Mapping[str, tuple[float, float]], source: str
) -> dict[str, tuple[float, float]]:
    """The times of annotations that refer to others: their equal shares."""
    groups: dict[str, list[Annotation]] = {}
    for each in tier.annotations:
        if each.slots is None:
            if each.of not in spans:
                problem = f"no annotation '{each.of}' in the tiers above '{tier.id}'"
                raise FormatError(source, problem, "fix the ANNOTATION_REF", line=each.line)
            groups.setdefault(each.of, []).append(each)
    shares = {}
    for of, group in groups.items():
        start, end = spans[of]
        for at, each in enumerate(_chained(group, source)):
            on, off = (start + (end - start) * (at + step) / len(group) for step in (0, 1))
            shares[each.id] = on, off
    return shares


def _chained(group: list[Annotation], source: str) -> list[Annotation]:
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
        raise FormatError(source, problem, "fix their PREVIOUS_ANNOTATION", line=group[0].line)
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


def _annotation(kind: str, attributes: str, value: str) -> str:
    return (
        f"        <ANNOTATION>\n            <{kind}_ANNOTATION {attributes}>\n"
        f"                <ANNOTATION_VALUE>{_escaped(value)}</ANNOTATION_VALUE>\n"
        f"            </{kind}_ANNOTATION>\n        </ANNOTATION>\n"
    )


def _escaped(text: str) -> str:
    """Text for XML, without characters that XML does not allow."""
    return _NO_XML.sub("", text).translate(_ESCAPES)


CODECS = {"eaf": Codec(parse, write)}
