"""Views: what people may see of a project, as plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from caesura.core.json_values import plain
from caesura.core.summary import Summary
from caesura.output.json import summary_json
from caesura.studio.live_agreement import Dispute, LiveAgreement
from caesura.studio.live_agreement import disputes as disputes_of
from caesura.studio.project import Project
from caesura.studio.state import OwnLayer
from caesura.studio.store import Person, StoredDocument

MOST_PATTERNS = 50


def person(each: Person) -> dict[str, object]:
    """A person, without anything secret."""
    return asdict(each)


def me(project: Project, who: Person) -> dict[str, object]:
    """The person who asks, and the project."""
    known = {"name": project.name, "id": project.identity}
    return {"person": person(who), "project": known}


def documents(project: Project, who: Person) -> list[dict[str, object]]:
    """All documents with a person's progress; for a manager, with everyone's."""
    return [_listed(project, who, each) for each in project.documents.values()]


def _listed(project: Project, who: Person, each: StoredDocument) -> dict[str, object]:
    found = {
        "id": each.id,
        "name": each.name,
        "words": each.length,
        "has_audio": each.name in project.audio,
        "begins_with": len(project.board.beginnings.get(each.id, ())),
    }
    own = project.board.layers.get((each.id, who.id))
    found |= _progress(own) if own else _progress(OwnLayer.from_length(0))
    if who.is_manager:
        layers = project.layers(each.id)
        found["people"] = {name: _progress(layer) for name, layer in layers.items()}
        found["decisions"] = len(project.board.decisions.get(each.id, {}))
    return found


def _progress(layer: OwnLayer) -> dict[str, object]:
    return {
        "is_finished": layer.is_finished,
        "acts": layer.acts,
        "boundaries": int((layer.codes > 0).sum()),
        "comments": len(layer.comments),
        "reached": layer.reached,
        "seconds": round(layer.seconds),
    }


def document(project: Project, who: Person, number: int) -> dict[str, object]:
    """One document: its words, a person's own layer, and others' if the person may see them."""
    pinned = project.pinned(number)
    own = project.board.layers.get((number, who.id))
    beginning = project.board.beginnings.get(number)
    layer = own or OwnLayer.from_length(pinned.length, beginning)
    others = {
        name: _layer(each)
        for name, each in project.layers(number).items()
        if name != who.name and (who.is_manager or each.is_finished)
    }
    found = asdict(pinned) | {"id": number, "length": pinned.length}
    found["audio"] = f"/audio/{number}" if pinned.name in project.audio else None
    found["layer"] = _layer(layer) | {"is_finished": layer.is_finished}
    found["others"] = others if who.is_manager or layer.is_finished else None
    return found


def _layer(layer: OwnLayer) -> dict[str, object]:
    return {"boundaries": layer.boundaries(), "comments": dict(layer.comments)}


def agreement(project: Project, live: LiveAgreement) -> dict[str, object]:
    """Inter-annotator agreement, overall, in pairs and by document; None for one annotator."""
    found, so_far = live.summary(), live.summary(so_far=True)
    people = [
        {"name": each.name, "is_revoked": each.is_revoked} | _total(project, each)
        for each in project.annotators
    ]
    return {
        "summary": None if found is None else summary_json(found),
        "so_far": None if found is None or so_far is None else _part(so_far, found),
        "people": people,
        "documents": len(project.documents),
    }


def _part(so_far: Summary, whole: Summary) -> dict[str, object] | None:
    """The agreement on the words that all have reached, if these are not all words."""
    if so_far.words == whole.words:
        return None
    found = summary_json(so_far)["agreement"]
    return {"words": so_far.words, "of": whole.words, "agreement": found}


def _total(project: Project, who: Person) -> dict[str, object]:
    own = [layer for (_, person), layer in list(project.board.layers.items()) if person == who.id]
    return {
        "acts": sum(each.acts for each in own),
        "begun": len(own),
        "finished": sum(each.is_finished for each in own),
        "boundaries": sum(int((each.codes > 0).sum()) for each in own),
        "reached": sum(each.reached for each in own),
        "seconds": round(sum(each.seconds for each in own)),
    }


def disputes(project: Project, number: int) -> dict[str, object]:
    """The gaps of a document in dispute, with comments."""
    layers = project.layers(number)
    found = [
        asdict(each)
        | {
            "comments": {
                name: c for name, own in layers.items() if (c := own.comments.get(each.gap))
            }
        }
        for each in disputes_of(project, number)
    ]
    return {"document": number, "people": list(layers), "disputes": found}


def patterns(project: Project) -> list[dict[str, object]]:
    """The words around gaps in dispute, the most frequent first."""
    times: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], tuple[str, Dispute]] = {}
    for name, each in _every_dispute(project):
        for side, words in (
            ("before", each.after.split(" ")[:1]),
            ("after", each.before.split(" ")[-1:]),
        ):
            key = side, words[0].casefold() if words else ""
            times[key] += 1
            example.setdefault(key, (name, each))
    common = sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_PATTERNS]
    return [
        {"side": side, "word": word, "times": number, "document": example[side, word][0],
         "example": plain(asdict(example[side, word][1]))}
        for (side, word), number in common
        if number > 1
    ]  # fmt: skip


def _every_dispute(project: Project) -> Iterator[tuple[str, Dispute]]:
    for number, each in project.documents.items():
        for dispute in disputes_of(project, number):
            yield each.name, dispute
