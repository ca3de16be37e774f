"""JSON: results as values, and written with an indent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from json import JSONEncoder
from typing import Any

from caesura.core.comparisons import Comparisons
from caesura.core.escapes import json_printable
from caesura.core.json_values import Json, JsonObject, plain
from caesura.core.results import Ceiling, ReferenceAgreement, Streams, System
from caesura.core.score import Scores
from caesura.core.summary import Summary
from caesura.core.task import SCORE, Task
from caesura.errors import UnknownNameError, on_command_line
from caesura.scores.catalog import Catalog, catalog

KEPT = ("signature", "options", "references", "documents")
BY_SCORE = ("micro", "macro", "macro_undefined")
"""Where a comparison has something for each score."""
CONTAINERS = dict, list, tuple
TYPES = frozenset(CONTAINERS)


def summary_json(summary: Summary) -> JsonObject:
    """The summary as the JSON of the contract; scores of a group stand together."""
    scores = catalog(*summary.kind)
    result: JsonObject = {"caesura": summary.caesura, "task": summary.task}
    if summary.profile:
        result |= {"task": SCORE, "profile": summary.profile}
    result |= {name: getattr(summary, name) for name in KEPT}
    result["warnings"] = [on_command_line(each) for each in summary.warnings]
    result["skipped"] = {name: on_command_line(why) for name, why in summary.skipped.items()}
    result |= _head(summary)
    if summary.panels:
        result["panels"] = {str(size): times for size, times in summary.panels.items()}
    several = len(summary.references)
    if summary.task.has_systems:
        result["systems"] = [system_json(system, scores, several) for system in summary.systems]
    if summary.streams is not None:
        result["streams"] = _streams(summary.streams, scores, several)
    if summary.confidence is not None:
        result["confidence"] = summary.confidence
    if summary.comparison is not None:
        result["comparison"] = statistics_json(summary.comparison, scores)
    made: JsonObject = plain(result)
    return made


def _head(summary: Summary) -> JsonObject:
    """What stands before the systems: what was read, and what is known of the references."""
    head: JsonObject = {}
    if summary.task.has_gold:
        head["gold"] = summary.references[0]
    if summary.gold is not None:
        head |= {"profile": summary.options["profile"], "gold": summary.gold}
    if summary.agreement is not None:
        head["words"] = summary.words
    if summary.sources:
        head["sources"] = {
            name: {"words": version.words, "units": version.units, **version.alignment}
            for name, version in summary.sources.items()
        }
    if summary.options.get("align"):
        head["axes"] = summary.axes
    if summary.agreement is not None:
        head["agreement"] = agreement_json(summary.agreement)
    if summary.ceiling is not None:
        head["ceiling"] = _ceiling(summary.ceiling, summary.task)
    return head


def statistics_json(found: Comparisons, scores: Catalog) -> JsonObject:
    """A comparison; with one reference, scores also have their short names."""
    made: JsonObject = _both_names(plain(found, compact=True), scores, len(found.references))
    return made


def _both_names(value: object, scores: Catalog, references: int) -> Json:
    """Plain values in which what has scores by key has them under both names."""
    if isinstance(value, list):
        return [_both_names(each, scores, references) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: scores.with_short_names(inner, references) if key in BY_SCORE else inner
        for key, each in value.items()
        for inner in [_both_names(each, scores, references)]
    }


def _streams(streams: Streams, scores: Catalog, references: int) -> JsonObject:
    """Speakers or channels by name, with that of the document where it matters."""
    by_stream, sizes = {}, {}
    for stream in streams.each:
        key = "/".join(filter(None, (stream.document, stream.name)))
        by_stream[key] = {
            name: scores.with_short_names(own, references) for name, own in stream.systems.items()
        }
        kept = ("document", "name", "words", "boundaries")
        sizes[key] = {name: getattr(stream, name) for name in kept}
    return {"kind": streams.kind, "by_stream": by_stream, "sizes": sizes}


def agreement_json(agreement: ReferenceAgreement) -> JsonObject:
    """The agreement of the references, undefined numbers still nan."""
    found = {
        **agreement.micro,
        "pearson_rgar_fleiss_kappa": agreement.pearson_rgar_fleiss_kappa,
        "pairs": [
            {"references": pair.references, **pair.scores, **pair.shared}
            for pair in agreement.pairs
        ],
        "macro": agreement.macro,
        "by_document": agreement.by_document,
    }
    found |= {"typed": asdict(agreement.typed)} if agreement.typed else {}
    return found | ({"confidence": agreement.confidence} if agreement.confidence else {})


def _ceiling(ceiling: Ceiling, task: Task) -> JsonObject:
    found: JsonObject = plain(ceiling)
    if not task.has_systems:
        found.pop("systems")
        found.pop("beside", None)
        found.get("confidence", {}).pop("systems", None)
    return found


def system_json(system: System, scores: Catalog, references: int) -> JsonObject:
    """One system, undefined numbers still nan; with one reference, `f1` beside `f1_mean`."""
    grouped = scores.has_groups

    def named(own: Mapping[str, object]) -> JsonObject:
        return scores.with_short_names(own, references)

    result: JsonObject = {"name": system.name}
    result |= nested(system.micro, scores.systems) if grouped else {}
    result["micro"] = named(system.micro)
    if system.macro:
        by_document = {
            name: nested(each, scores.systems) if grouped else named(each)
            for name, each in system.by_document.items()
        }
        result |= {"macro": named(system.macro), "macro_undefined": named(system.macro_undefined)}
        result["by_document"] = by_document
    if system.by_reference:
        result["by_reference"] = {
            name: nested(against.scores, scores.every)
            | against.shared
            | ({"typed": asdict(against.typed)} if against.typed else {})
            for name, against in system.by_reference.items()
        }
    result |= system.groups
    result |= system.alignment | {name: asdict(each) for name, each in system.spreads.items()}
    if system.confidence:
        result["confidence"] = {mean: named(ends) for mean, ends in system.confidence.items()}
    return result


def nested(scores: Scores, entries: Any) -> JsonObject:
    """Scores with those of each group together, under their short names."""
    found: JsonObject = {}
    for key, value in scores.items():
        score = entries[key].score
        place = found
        for part in score.group.split(".") if score.group else ():
            place = place.setdefault(part, {})
        place[(score.short or key) if score.group else key] = value
    return found


def indented(value: object, before: str = "") -> str:
    """Plain values as `json.dumps(…, indent=2)` writes them; nan is a ValueError.

    >>> print(indented({"f1": 0.5, "pairs": [1, None]}))
    {
      "f1": 0.5,
      "pairs": [
        1,
        null
      ]
    }
    """
    # With an indent the library's encoder is pure Python: 1.8 times the time for 10,000 systems.
    # So what holds no containers goes to the one in C, with the indent in its separator.
    if not isinstance(value, CONTAINERS) or not value:
        return _encoder("")(value)
    inner, (first, last) = f"{before}  ", "{}" if isinstance(value, dict) else "[]"
    if TYPES.isdisjoint(map(type, value.values() if isinstance(value, dict) else value)):
        body = _encoder(inner)(value)[1:-1]
    elif isinstance(value, dict):
        items = [f"{_encoder('')({key: 0})[1:-2]}{indented(value[key], inner)}" for key in value]
        body = f",\n{inner}".join(items)
    else:
        body = f",\n{inner}".join([indented(item, inner) for item in value])
    return f"{first}\n{inner}{body}\n{before}{last}"


@cache
def _encoder(inner: str) -> Callable[[Json], str]:
    separators = f",\n{inner}", ": "
    return JSONEncoder(ensure_ascii=False, allow_nan=False, separators=separators).encode


def as_json(result: object) -> str:
    """The result itself, in full precision; undefined is null."""
    return json_printable(indented(_made(result))) + "\n"


ALWAYS = ("caesura", "task", "profile", "signature", "name")
"""The keys that stay whatever is selected."""


def selected(result: object, keys: Sequence[str]) -> Json:
    """The result with only some of its keys, wherever they are, and with what they are in."""
    wanted = {key.strip() for key in keys}
    missing = wanted - {*_keys(made := _made(result))}
    if missing:
        raise UnknownNameError("key", sorted(missing)[0], sorted({*_keys(made)}))
    return _pruned(made, wanted)


def _keys(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from _keys(each)


def _pruned(value: object, wanted: Collection[str]) -> Json:
    """What holds a wanted key, at any depth; nothing else."""
    if isinstance(value, list):
        return [inner for each in value if (inner := _pruned(each, wanted))]
    if not isinstance(value, dict):
        return None
    inner = {
        key: each if key in wanted else _pruned(each, wanted)
        for key, each in value.items()
        if key not in ALWAYS
    }
    kept = {key: each for key, each in inner.items() if key in wanted or each}
    own = {key: value[key] for key in ALWAYS if key in value and not isinstance(value[key], dict)}
    return own | kept if kept else {}


def _made(result: object) -> Json:
    if isinstance(result, Summary):
        return summary_json(result)
    if isinstance(result, Comparisons):
        return statistics_json(result, catalog(*result.of))
    return plain(result, compact=True)
