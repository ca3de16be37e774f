"""Views: what people may see of a project, as plain values."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

from caesura.core.summary import Summary
from caesura.core.tokens import has_unspaced
from caesura.output.json import summary_json
from caesura.studio.adjudication import changes_since, open_disputes, unfinished
from caesura.studio.adjudication import disputes as disputes_of
from caesura.studio.events import PROJECT
from caesura.studio.layers import OwnLayer
from caesura.studio.live_agreement import LiveAgreement
from caesura.studio.passes import self_agreement
from caesura.studio.project import Project
from caesura.studio.rules import ANNOTATOR, NotAllowedError
from caesura.studio.store import Person, StoredDocument

EXAMPLES = {"every": "every:12", "pauses": "pauses:0.5"}
"""How detectors with a number are offered."""


def person(project: Project, each: Person) -> dict[str, object]:
    """A person, without anything secret."""
    is_hidden = (PROJECT, each.id, None) in project.board.hidden
    is_omitted = (PROJECT, each.id, None) in project.board.omitted
    found = asdict(each) | {"role": project.role(each.id)}
    return found | {"is_hidden": is_hidden, "is_omitted": is_omitted}


def people(project: Project) -> list[dict[str, object]]:
    """Everyone, with how many agreements and closed results rest on them."""
    counted = [project.counted(each.id) for each in project.listed]
    closed = [each.layers for each in project.board.closed.values()]
    return [
        person(project, each)
        | {
            "agreement": sum(each.name in own and len(own) > 1 for own in counted),
            "closed": sum(any(who == each.id for who, _ in own) for own in closed),
            "assigned": sum(who == each.id for _, who in project.board.passes),
        }
        for each in project.people.values()
    ]


def me(project: Project, who: Person) -> dict[str, object]:
    """The person who asks, and the project."""
    board = project.board
    known = {"name": project.name, "id": project.identity, "waits": board.waits,
             "language": project.language, "arrangement": board.arrangement}  # fmt: skip
    guidelines = {"version": len(board.guidelines), "seen": board.seen.get(who.id, 0)}
    return {"person": person(project, who), "project": known, "guidelines": guidelines}


def guidelines(project: Project, who: Person) -> dict[str, object]:
    """The guidelines, and those that a person saw last."""
    versions, seen = project.board.guidelines, project.board.seen.get(who.id, 0)
    return {
        "version": len(versions),
        "text": versions[-1][1] if versions else "",
        "at": versions[-1][0] if versions else None,
        "seen": seen,
        "before": versions[seen - 1][1] if 0 < seen <= len(versions) else None,
    }


def documents(project: Project, who: Person) -> list[dict[str, object]]:
    """The documents of an annotator with their progress; for others all, with everyone's."""
    if project.role(who.id) == ANNOTATOR:
        passes = project.board.passes
        return [
            _head(project, each) | _progress(layer) | {"pass": passes[each.id, who.id]}
            for each, layer in project.queue(who.id)
        ]
    hidden = [
        each for each in project.documents.values() if (each.id, None, None) in project.board.hidden
    ]
    return [_listed(project, each) for each in (*project.listed, *hidden)]


def _head(project: Project, each: StoredDocument) -> dict[str, object]:
    return {
        "id": each.id,
        "name": each.name,
        "words": each.length,
        "has_audio": each.name in project.audio,
        "begins_with": len(project.board.beginnings.get(each.id, ())),
        "machine": project.board.machines.get(each.id, ""),
        "is_closed": each.id in project.board.closed,
    }


def _listed(project: Project, each: StoredDocument) -> dict[str, object]:
    """A document for a manager: who has it, how far they are, and what comes next."""
    board = project.board
    layers = [
        {"person": key[1], "name": project.name_of(key[1]), "pass": key[2]} | _progress(layer)
        for key, layer in board.of_document(each.id)
    ]
    aside = {
        project.name_of(who): len(kept)
        for (own, who), kept in board.aside.items()
        if own == each.id
    }
    disputed, still = open_disputes(project, each.id)
    key = (each.id, None, None)
    return _head(project, each) | {
        "people": layers,
        "disputes": disputed,
        "open": still,
        "aside": aside,
        "next": next_step(project, each.id, still),
        "is_hidden": key in board.hidden,
        "is_omitted": key in board.omitted,
        "is_released": each.id in board.released,
    }


def next_step(project: Project, document: int, still: int) -> str:
    """What comes next in a document: assign, wait, adjudicate, close, or nothing."""
    if document in project.board.closed:
        return "done"
    if not project.board.of_document(document):
        return "assign"
    if unfinished(project, document):
        return "wait"
    return "adjudicate" if still else "close"


def _progress(layer: OwnLayer) -> dict[str, object]:
    first = layer.first
    return {
        "state": layer.state,
        "is_finished": layer.is_finished,
        "acts": layer.acts,
        "boundaries": int((layer.codes > 0).sum()),
        "comments": len(layer.comments),
        "reached": first.reached,
        "seconds": round(layer.seconds),
        "is_blind": layer.is_blind,
        "is_revised": layer.is_revised,
        "source": layer.source,
    }


def document(project: Project, who: Person, number: int) -> dict[str, object]:
    """One document: its words, a person's own layer, and others' if these were shown to them."""
    pinned, board = project.pinned(number), project.board
    own = board.current(number, who.id)
    if own is None and project.role(who.id) == ANNOTATOR:
        raise NotAllowedError("you are not assigned to this document")
    layer = own or OwnLayer.from_length(pinned.length)
    others = project.others(number, who.id)
    is_shown = (number, who.id) in board.shown
    found = asdict(pinned) | {"id": number, "length": pinned.length}
    found["audio"] = f"/audio/{number}" if pinned.name in project.audio else None
    found["layer"] = _progress(layer) | _layer(layer)
    found["is_closed"], found["machine"] = number in board.closed, board.machines.get(number, "")
    found["is_readonly"] = own is None
    found["is_free"] = not board.waits or number in board.released or number in board.closed
    found["others"] = {name: _layer(each) for name, each in others.items()} if is_shown else None
    found["has_others"] = bool(others) if own is None or own.is_done else None
    return found


def _layer(layer: OwnLayer) -> dict[str, object]:
    found = {"boundaries": layer.boundaries(), "comments": dict(layer.comments)}
    return found | {"unsure": sorted(layer.unsure)}


def agreement(project: Project, live: LiveAgreement) -> dict[str, object]:
    """Inter-annotator agreement, overall, in pairs and by document; None for one annotator."""
    found = live.summary(confidence=True)
    so_far = live.summary(so_far=True) if _is_in_work(project) else None
    workers = [
        {"name": each.name, "is_revoked": each.is_revoked} | total(project, each)
        for each in project.annotators
    ]
    aided = {name: live.summary(name) for name in live.machines}
    return {
        "summary": None if found is None else summary_json(found),
        "so_far": None if so_far is None else _part(so_far),
        "aided": {name: summary_json(each) for name, each in aided.items() if each is not None},
        "again": self_agreement(project),
        "people": workers,
        "documents": len(project.listed),
        "left_out": left_out(project),
    }


def left_out(project: Project) -> dict[str, int]:
    """How many layers do not count, by the reason."""
    found: Counter[str] = Counter()
    for each in project.listed:
        counted = {id(layer) for layer in project.counted(each.id).values()}
        for _, layer in project.board.of_document(each.id):
            if id(layer.first) not in counted:
                found[_why_not(layer)] += 1
            found["revised"] += layer.is_revised
    found["aside"] = sum(map(len, project.board.aside.values()))
    return {why: number for why, number in found.items() if number}


def _why_not(layer: OwnLayer) -> str:
    if not layer.is_done:
        return "in work" if layer.acts else "not begun"
    if not layer.is_blind:
        return "imported without a statement" if layer.source else "not blind"
    return "left out or a later pass"


def _is_in_work(project: Project) -> bool:
    """Whether layers in work would count."""
    every = (each.id for each in project.listed)
    return any(len(project.counted(at, in_work=True)) > len(project.counted(at)) for at in every)


def _part(so_far: Summary) -> dict[str, object]:
    """The agreement with layers in work, and on how many gaps; each stretch ends with a word."""
    found = summary_json(so_far)["agreement"]
    return {"gaps": so_far.words - len(so_far.documents), "agreement": found}


def total(project: Project, who: Person) -> dict[str, object]:
    """What a person has done in all documents together."""
    own = [
        layer
        for each in project.listed
        for key, layer in project.board.of_document(each.id)
        if key[1] == who.id
    ]
    return {
        "acts": sum(each.acts for each in own),
        "assigned": len(own),
        "begun": sum(each.acts > 0 for each in own),
        "finished": sum(each.is_done for each in own),
        "boundaries": sum(int((each.codes > 0).sum()) for each in own),
        "reached": sum(each.reached for each in own),
        "seconds": round(sum(each.seconds for each in own)),
    }


def disputes(project: Project, number: int) -> dict[str, object]:
    """The gaps of a document in dispute, with comments, and whether it can be closed."""
    layers = {project.name_of(key[1]): layer for key, layer in project.votes(number).items()}
    found = [
        asdict(each)
        | {"is_of_marks": each.is_of_marks}
        | {
            "comments": {
                name: c for name, own in layers.items() if (c := own.comments.get(each.gap))
            }
        }
        for each in disputes_of(project, number)
    ]
    closed = project.board.closed.get(number)
    return {
        "document": number,
        "name": project.documents[number].name,
        "people": {name: layer.is_blind for name, layer in layers.items()},
        "disputes": found,
        "unfinished": {str(who): name for who, name in unfinished(project, number).items()},
        "closed": None
        if closed is None
        else {"by": project.name_of(closed.person), "at": closed.at,
              "boundaries": len(closed.boundaries), "since": changes_since(project, number)},
    }  # fmt: skip


def detectors(project: Project, number: int) -> list[dict[str, str]]:
    """The detectors that can be run on a document by name, what they do, and why one cannot."""
    from caesura.detect.names import ADAPTERS, BASELINES, NETWORKS

    pinned = project.pinned(number)
    missing = {
        "English": has_unspaced(pinned.words) and "reads English",
        "punctuated": pinned.shown == pinned.words and "reads punctuation, which is not shown here",
        "word times": not pinned.start and "needs word times",
    }
    every = {**NETWORKS, **BASELINES, **ADAPTERS}
    return [
        {"name": EXAMPLES.get(name, name), "about": about.text,
         "why_not": missing.get(about.reads) or ("" if about.is_installed else about.install)}
        for name, about in every.items()
    ]  # fmt: skip
