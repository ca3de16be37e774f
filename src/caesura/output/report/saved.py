"""Saved rows into what a page is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caesura.core.row import Row
from caesura.run.cases import Source
from caesura.run.rows import read_readings
from caesura.stats.saved import saved_summary

Reading = dict[str, Any]


def saved(texts: Sequence[str]) -> tuple[dict[str, Any], list[Row], list[Reading]]:
    """The summary of one file of rows or of several, the rows, and the readings with them."""
    summary, rows = saved_summary(texts)
    parts = [_renamed(text, read_readings(Source.parse(text).path)) for text in texts]
    return summary, rows, _together([reading for part in parts for reading in part])


def _renamed(text: str, readings: list[Reading]) -> list[Reading]:
    """Let NAME=PATH rename the only system, in the readings as it does in the rows."""
    source = Source.parse(text)
    if text == source.path or not readings:
        return readings
    return [_with_name(reading, source.name) for reading in readings]


def _with_name(reading: Reading, name: str) -> Reading:
    if "system" in reading:
        return {**reading, "system": name}
    if "systems" not in reading:
        return reading
    (old,) = reading["systems"]
    marks = {name if key == old else key: own for key, own in reading.get("marks", {}).items()}
    return {**reading, "systems": {name: reading["systems"][old]}, "marks": marks}


def _together(readings: list[Reading]) -> list[Reading]:
    """One reading for each document, with the systems of all files."""
    result: dict[str, Reading] = {}
    for reading in readings:
        key = str(reading.get("document", f"system {reading.get('system', '')}"))
        if key not in result:
            result[key] = reading
        elif "systems" in reading:
            both = result[key]
            result[key] = {
                **both,
                "systems": {**both["systems"], **reading["systems"]},
                "marks": {**both.get("marks", {}), **reading.get("marks", {})},
            }
    return list(result.values())
