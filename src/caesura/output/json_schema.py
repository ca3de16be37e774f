"""JSON Schema of the output: scores from the catalog, the rest from the dataclasses of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from caesura import __version__
from caesura.core.json_values import JsonObject
from caesura.core.results import Ceiling, Corpus, Resampled, Spread, Typed
from caesura.core.task import SCORE, Kind
from caesura.output.json import nested
from caesura.scores.catalog import Catalog, Entry, catalog

DRAFT = "https://json-schema.org/draft/2020-12/schema"
NUMBER: JsonObject = {"type": ["number", "null"]}
INTEGER: JsonObject = {"type": "integer"}
TEXT: JsonObject = {"type": "string"}
TEXTS: JsonObject = {"type": "array", "items": TEXT}
OBJECT: JsonObject = {"type": "object"}
PLAIN = {
    NoneType: {"type": "null"},
    str: TEXT,
    bool: {"type": "boolean"},
    int: INTEGER,
    float: NUMBER,
}
HEAD = {
    "caesura": {**TEXT, "description": "The version that computed the scores."},
    "signature": {**TEXT, "description": "Every option that can change a score."},
    "options": OBJECT,
    "references": TEXTS,
    "documents": TEXTS,
    "warnings": TEXTS,
    "skipped": {**OBJECT, "description": "Documents left out, and why."},
}


def schema(kind: Kind) -> JsonObject:
    """The schema of what `-f json` writes for a task, or for a profile."""
    scores = catalog(*kind)
    name = {"const": SCORE if kind.profile else kind.task.name}
    properties: JsonObject = {
        **HEAD, "task": name,
        "profile": TEXT, "gold": {"anyOf": [TEXT, of(Corpus)]}, "words": INTEGER,
        "sources": _by_name(OBJECT), "axes": _by_name(TEXT), "panels": _by_name(INTEGER),
        "ceiling": of(Ceiling), "streams": OBJECT, "confidence": of(Resampled),
        "comparison": OBJECT,
    }  # fmt: skip
    if kind.profile:
        properties["profile"] = {"const": kind.profile.name}
    if kind.task.has_systems:
        properties["systems"] = {"type": "array", "items": _system(scores)}
    if scores.references:
        every = {key: _score(entry) for key, entry in scores.references.items()}
        properties["agreement"] = _object({
            **every, "pearson_rgar_fleiss_kappa": NUMBER,
            "pairs": {"type": "array", "items": OBJECT}, "macro": _object(every),
            "by_document": _by_name(_object(every)), "typed": of(Typed), "confidence": OBJECT,
        })  # fmt: skip
    required = [*HEAD, "task", *(["systems"] if kind.task.has_systems else [])]
    return {
        "$schema": DRAFT,
        "title": f"caesura {__version__}: {kind}",
        **_object(properties, required),
    }


def _object(properties: Mapping[str, object], required: Sequence[str] = ()) -> JsonObject:
    """An object that has these keys, and no others."""
    listed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **listed, "additionalProperties": False}


def _by_name(values: JsonObject) -> JsonObject:
    return {"type": "object", "additionalProperties": values}


def _score(entry: Entry) -> JsonObject:
    score = entry.score
    kind: JsonObject = {"type": ["integer", "null"]} if score.is_count else dict(NUMBER)
    return {**kind, "description": f"{entry.label}: {score.help}"}


def _closed(scores: JsonObject) -> JsonObject:
    """Nested scores: what is no score itself is an object of them."""
    inner = {key: each if "type" in each else _closed(each) for key, each in scores.items()}
    return _object(inner)


def _system(scores: Catalog) -> JsonObject:
    """One system. Groups and alignments depend on the options, and are objects or numbers."""
    own = {key: _score(entry) for key, entry in scores.systems.items()}
    every = _object(scores.with_short_names(own, 1))
    grouped: JsonObject = nested(own, scores.systems) if scores.has_groups else {}
    each = _closed(grouped) if grouped else every
    properties: JsonObject = {
        "name": TEXT,
        **{key: value if "type" in value else _closed(value) for key, value in grouped.items()},
        "micro": every, "macro": every, "macro_undefined": _by_name(INTEGER),
        "by_document": _by_name(each), "by_reference": _by_name(OBJECT),
        "confidence": _by_name(OBJECT),
    }  # fmt: skip
    found = _object(properties, ["name", "micro"])
    return found | {"additionalProperties": {"anyOf": [OBJECT, NUMBER, of(Spread)]}}


def of(hint: Any) -> JsonObject:
    """The schema of a type: of a dataclass, an object of its fields.

    >>> of(dict[str, float | None])["additionalProperties"]
    {'anyOf': [{'type': ['number', 'null']}, {'type': 'null'}]}
    """
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        found = {each.name: of(hints[each.name]) for each in fields(hint)}
        return {"type": "object", "properties": found}
    origin, kinds = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [of(kind) for kind in kinds]}
    if hint in PLAIN:
        return PLAIN[hint]
    is_class = isinstance(origin, type)
    if is_class and issubclass(origin, Mapping):
        return _by_name(of(kinds[1]))
    if is_class and issubclass(origin, Sequence):
        items = [of(kind) for kind in kinds if kind is not Ellipsis]
        return {"type": "array", "items": items[0] if len(items) == 1 else {"anyOf": items}}
    return {}
