"""The JSON of results: what `-f json` prints."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from caesura.core.plain import plain
from caesura.core.profiles import SCORE
from caesura.core.results import (
    Against,
    Ceiling,
    ReferenceAgreement,
    Streams,
    Summary,
    System,
    Version,
)
from caesura.core.score import Scores
from caesura.errors import on_command_line
from caesura.scores.catalog import Catalog, Entry, catalog

KEPT = ("signature", "options", "references", "documents")


def summary_json(summary: Summary) -> dict[str, Any]:
    """The summary as the JSON of the contract; scores of a group stand together."""
    scores = catalog(summary.kind)
    result: dict[str, Any] = {"caesura": summary.caesura, "task": summary.task}
    if summary.profile:
        result |= {"task": SCORE, "profile": summary.profile}
    result |= {name: getattr(summary, name) for name in KEPT}
    result["warnings"] = [on_command_line(each) for each in summary.warnings]
    result["skipped"] = {name: on_command_line(why) for name, why in summary.skipped.items()}
    result |= _head(summary)
    if summary.task != "agreement":
        result["systems"] = [system_json(system, scores) for system in summary.systems]
    if summary.streams is not None:
        result["streams"] = _streams(summary.streams)
    if summary.confidence is not None:
        result["confidence"] = summary.confidence
    if summary.comparison is not None:
        result["comparison"] = plain(summary.comparison, compact=True)
    made: dict[str, Any] = plain(result)
    return made


def _head(summary: Summary) -> dict[str, Any]:
    """What stands before the systems: what was read, and what is known of the references."""
    head: dict[str, Any] = {}
    if summary.task in ("text", "trees", "corrections", "morphemes"):
        head["gold"] = summary.references[0]
    if summary.gold is not None:
        head |= {"profile": summary.options["profile"], "gold": summary.gold}
    if summary.agreement is not None:
        head["words"] = summary.words
    if summary.sources:
        head["sources"] = {name: _version(each) for name, each in summary.sources.items()}
    if summary.options.get("align"):
        head["axes"] = summary.axes
    if summary.agreement is not None:
        head["agreement"] = agreement_json(summary.agreement)
    if summary.ceiling is not None:
        head["ceiling"] = _ceiling(summary.ceiling, summary.task)
    return head


def _streams(streams: Streams) -> dict[str, Any]:
    """Speakers or channels by name, with that of the document where it matters."""
    keys = ["/".join(filter(None, (each.document, each.name))) for each in streams.each]
    by_stream = {key: each.systems for key, each in zip(keys, streams.each, strict=True)}
    sizes = {
        key: {name: getattr(each, name) for name in ("document", "name", "words", "boundaries")}
        for key, each in zip(keys, streams.each, strict=True)
    }
    return {"kind": streams.kind, "by_stream": by_stream, "sizes": sizes}


def _version(version: Version) -> dict[str, Any]:
    return {"words": version.words, "units": version.units, **version.alignment}


def agreement_json(agreement: ReferenceAgreement) -> dict[str, Any]:
    """The agreement of the references, undefined numbers still nan."""
    found = {
        **agreement.micro,
        "pearson_rgar_fleiss_kappa": agreement.pearson_rgar_fleiss_kappa,
        "pairs": [{"references": pair.references, **pair.scores} for pair in agreement.pairs],
        "macro": agreement.macro,
        "by_document": agreement.by_document,
    }
    found |= {"typed": asdict(agreement.typed)} if agreement.typed else {}
    return found | ({"confidence": agreement.confidence} if agreement.confidence else {})


def _ceiling(ceiling: Ceiling, task: str) -> dict[str, Any]:
    found: dict[str, Any] = plain(ceiling)
    if task == "agreement":
        found.pop("systems")
        found.get("confidence", {}).pop("systems", None)
    return found


def system_json(system: System, scores: Catalog) -> dict[str, Any]:
    """One system, undefined numbers still nan."""
    grouped = scores.has_groups
    result: dict[str, Any] = {"name": system.name}
    result |= nested(system.micro, scores.systems) if grouped else {}
    result["micro"] = system.micro
    if system.macro:
        by_document = {
            name: nested(each, scores.systems) if grouped else each
            for name, each in system.by_document.items()
        }
        result |= {"macro": system.macro, "macro_undefined": system.macro_undefined}
        result["by_document"] = by_document
    if system.by_reference:
        result["by_reference"] = {
            name: _against(each, scores.every) for name, each in system.by_reference.items()
        }
    result |= system.groups
    result |= system.alignment | {name: asdict(each) for name, each in system.spreads.items()}
    return result | ({"confidence": system.confidence} if system.confidence else {})


def _against(against: Against, entries: dict[str, Entry]) -> dict[str, Any]:
    found = nested(against.scores, entries)
    return found | ({"typed": asdict(against.typed)} if against.typed else {})


def nested(scores: Scores, entries: Any) -> dict[str, Any]:
    """Scores with those of each group together, under their short names."""
    found: dict[str, Any] = {}
    for key, value in scores.items():
        score = entries[key].score
        place = found
        for part in score.group.split(".") if score.group else ():
            place = place.setdefault(part, {})
        place[(score.short or key) if score.group else key] = value
    return found
