"""caesura's JSON lines, which can represent everything in a transcript.

The first line says what the file is: `{"caesura": "0.2.0", "schema": "transcript", "version": 1}`.
With `"verbatim": true` in it, each piece is one word, compared as it is written, also punctuation.
Each line after it is an object, a piece of what is said: a word, or the words of a unit.

    text          string, the only required key
    start, end    seconds, 0 or more, with at most 6 decimals; null where not known
    speaker       string, empty where not known
    channel       string, empty where not known
    recording     string; a file may hold several, and pieces of one need not stand together
    confidence    number from 0 to 1; null where not known
    interpolated  true if the times are a word's share of a cue or segment, else false
    end_of_unit   true if a unit ends with this piece, else false
    type          string, the type of the unit that ends here (`statement`, `?`), else empty

A key that no piece of a recording has is unknown for all of it; where some pieces have it, it is
null, the empty string or false for the others. null stands for these too.
Other keys and empty lines are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura import __version__
from caesura.core.format import Codec
from caesura.core.json_values import JsonObject
from caesura.core.segmentation import FloatArray, IntArray
from caesura.errors import FormatError
from caesura.formats.script import LATEST, SECOND, UNKNOWN, Script, require_forward, seconds

SCHEMA = "transcript"
VERSION = 1
_NOTHING = type(None)
_NUMBER: tuple[type, ...] = (int, float, _NOTHING)
_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "text": ((str,), "a string"),
    **dict.fromkeys(("start", "end"), (_NUMBER, "seconds, 0 or more")),
    "confidence": (_NUMBER, "a number from 0 to 1"),
    **dict.fromkeys(("speaker", "channel", "recording", "type"), ((str, _NOTHING), "a string")),
    **dict.fromkeys(("end_of_unit", "interpolated"), ((bool, _NOTHING), "true or false")),
}
_SURROGATE = re.compile("[\ud800-\udfff]")
Piece = JsonObject


def parse(text: str, source: str = "<jsonl>") -> list[Script]:
    """Read every recording, in the order in which they begin."""
    lines = text.split("\n")
    objects = [
        (at, _object(line, at, source, is_last=at == len(lines)))
        for at, line in enumerate(lines, 1)
        if line.strip()
    ]
    if not objects:
        cure = f'the first line is {{"schema": "{SCHEMA}", "version": {VERSION}}}'
        raise FormatError(source, "an empty file", cure, line=1)
    _require_head(*objects[0], source)
    recordings: dict[str, list[tuple[int, Piece]]] = {}
    for at, piece in objects[1:]:
        _require_types(piece, at, source)
        recordings.setdefault(piece.get("recording") or "", []).append((at, piece))
    if not recordings:
        cure = 'add a line for each piece, such as {"text": "word"}'
        raise FormatError(source, "no pieces", cure, line=objects[-1][0])
    scripts = [_script(name, pieces, source) for name, pieces in recordings.items()]
    if objects[0][1].get("verbatim"):
        return [replace(script, is_verbatim=True) for script in scripts]
    return scripts


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write every recording; one without pieces leaves no trace."""
    head = {"caesura": __version__, "schema": SCHEMA, "version": VERSION}
    if scripts and all(script.is_verbatim for script in scripts):
        head["verbatim"] = True
    yield json.dumps(head) + "\n"
    for script in scripts:
        recordings = [script.recording] * len(script) if script.recording else None
        columns: list[tuple[str, Any, Callable[[Any], str]]] = [
            ("text", script.texts, _quoted),
            ("start", script.start, _time),
            ("end", script.end, _time),
            ("speaker", script.speakers, _quoted),
            ("channel", script.channels, _quoted),
            ("recording", recordings, _quoted),
            ("confidence", script.confidence, _rate),
            ("interpolated", script.interpolated, _truth),
            ("end_of_unit", script.ends, _truth),
            ("type", script.types, _quoted),
        ]
        known = [column for column in columns if column[1] is not None]
        form = "{" + ", ".join(f'"{name}": %s' for name, *_ in known) + "}\n"
        cells = (
            map(shown, values.tolist() if isinstance(values, np.ndarray) else values)
            for _, values, shown in known
        )
        yield from (form % row for row in zip(*cells, strict=True))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=bool(_SURROGATE.search(text)))


def _time(microseconds: int) -> str:
    return "null" if microseconds == UNKNOWN else seconds(microseconds)


def _rate(value: float) -> str:
    return "null" if np.isnan(value) else f"{value:.6g}"


def _truth(value: bool) -> str:  # noqa: FBT001
    return "true" if value else "false"


def _object(line: str, at: int, source: str, *, is_last: bool) -> Piece:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        problem, cure = "this line is not JSON", "write one object on each line"
        if is_last:
            problem = "the last line is incomplete"
            cure = "the file is truncated: copy or write it again"
        raise FormatError(source, problem, cure, line=at) from None
    if not isinstance(value, dict):
        kinds = {list: "a list", str: "a string", bool: "a boolean", _NOTHING: "null"}
        problem = f"{kinds.get(type(value), 'a number')} instead of an object"
        raise FormatError(source, problem, 'write {"text": "word"}', line=at)
    return value


def _require_head(at: int, head: Piece, source: str) -> None:
    if head.get("schema") != SCHEMA:
        problem = f'the first line does not say "schema": "{SCHEMA}"'
        cure = f'begin with {{"schema": "{SCHEMA}", "version": {VERSION}}}'
        raise FormatError(source, problem, cure, line=at)
    version = head.get("version", VERSION)
    if isinstance(version, bool) or version != VERSION:
        problem = f"version {_shown(version)} of the schema"
        cure = f"this caesura reads version {VERSION}: install a newer one, or write the file again"
        raise FormatError(source, problem, cure, line=at)


def _require_types(piece: Piece, at: int, source: str) -> None:
    """Raise an error for the first key whose value is of the wrong type."""
    for key, value in piece.items():
        if key not in _TYPES:
            continue
        kinds, wanted = _TYPES[key]
        if type(value) not in kinds or (
            kinds is _NUMBER and value is not None and not 0 <= value <= LATEST
        ):
            problem = f'"{key}" is {_shown(value)}'
            raise FormatError(source, problem, f'"{key}" must be {wanted}', line=at)
    if "text" not in piece:
        raise FormatError(source, 'no "text"', '"text" must be a string', line=at)


def _shown(value: object) -> str:
    """A value, shortened."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _script(recording: str, numbered: list[tuple[int, Piece]], source: str) -> Script:
    pieces = [piece for _, piece in numbered]
    known = {key for piece in pieces for key in piece}

    def array(key: str, kind: type[np.generic]) -> npt.NDArray[Any] | None:
        return np.array([piece.get(key) for piece in pieces], kind) if key in known else None

    def strings(key: str) -> list[str] | None:
        return [piece.get(key) or "" for piece in pieces] if key in known else None

    script = Script(
        texts=[piece["text"] for piece in pieces],
        start=_micros(array("start", np.float64)),
        end=_micros(array("end", np.float64)),
        ends=array("end_of_unit", np.bool_),
        types=strings("type"),
        speakers=strings("speaker"),
        channels=strings("channel"),
        confidence=array("confidence", np.float64),
        interpolated=array("interpolated", np.bool_),
        lines=np.array([at for at, _ in numbered], dtype=np.int64),
        form="jsonl",
        source=source,
        recording=recording,
    )
    require_forward(script)
    return script


def _micros(values: FloatArray | None) -> IntArray | None:
    """Seconds, of which nan is none, as microseconds."""
    if values is None:
        return None
    known = ~np.isnan(values)
    return np.where(known, np.rint(np.where(known, values, 0) * SECOND).astype(np.int64), UNKNOWN)


CODECS = {"jsonl": Codec(parse, write)}
