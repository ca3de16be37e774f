"""ELAN's annotation format (EAF): XML with tiers of annotations that point into a list of times.

Tiers that have no parent are the speakers, named as their participant, else as the tier; each of
their annotations is a unit, an empty one silence. A tier below them is read if its name or its
linguistic type says that it contains words or units, as in a TextGrid (see `tiers`); of a tier
below them named `su` or `boundaries` that refers to annotations, the labels are units' types.

Missing times are spaced evenly between those before and after, as ELAN does: on the
tier itself if it has a parent, else among all times. Annotations that refer to one and the same
share its time evenly, in the order in which they name each other. The XML is read by `elan`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from caesura.core.byte_cells import FloatArray
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError
from caesura.formats._shared.elan import Annotation, Elan, ElanTier
from caesura.formats._shared.script import Script
from caesura.formats._shared.tiers import (
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
