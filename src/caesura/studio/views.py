"""Views: what people may see of a project, as plain values."""

from __future__ import annotations

from collections import Counter
from typing import Any

from caesura.output.json import summary_json
from caesura.studio import adjudication
from caesura.studio.agreement import LiveAgreement, self_agreement
from caesura.studio.assignment import loads
from caesura.studio.events import ANNOTATOR, OPEN
from caesura.studio.project import Project
from caesura.studio.state import JUDGES, NotAllowedError, OwnLayer
from caesura.studio.store import Person, StoredDocument

MOST_STEPS = 1000
"""How many acts a page is told of."""
View = dict[str, Any]


def person(project: Project, who: Person) -> View:
    """A person, without anything secret."""
    role = project.role(who.id)
    return {"id": who.id, "name": who.name, "role": role, "is_revoked": who.is_revoked}


def people(project: Project) -> list[View]:
    """Everyone, with what they have and how many agreements and closed results rest on them."""
    counted = [project.counted(each.id) for each in project.listed]
    closed = [each.layers for each in project.board.closed.values()]
    words = loads(project)
    return [
        person(project, who)
        | {
            "agreement": sum(who.name in own and len(own) > 1 for own in counted),
            "closed": sum(any(number == who.id for number, _ in own) for own in closed),
            "assigned": len(project.layers_of(who.id)),
            "words": words.get(who.id, 0),
        }
        for who in project.present
    ]


def me(project: Project, who: Person) -> View:
    """The person who asks, and the project."""
    board = project.board
    return {
        "person": person(project, who),
        "project": {
            "name": project.name,
            "id": project.identity,
            "language": project.language,
            "arrangement": board.arrangement,
            "marks": board.has_marks,
        },
        "guidelines": {"version": len(board.guidelines), "seen": board.read.get(who.id, 0)},
    }


def guidelines(project: Project, who: Person) -> View:
    """The guidelines, and those that a person saw last."""
    versions, seen = project.board.guidelines, project.board.read.get(who.id, 0)
    return {
        "version": len(versions),
        "text": versions[-1][1] if versions else "",
        "at": versions[-1][0] if versions else None,
        "seen": seen,
        "before": versions[seen - 1][1] if 0 < seen <= len(versions) else None,
    }


def documents(project: Project, who: Person) -> list[View]:
    """The documents of an annotator with their progress; for others all, with everyone's."""
    if project.role(who.id) != ANNOTATOR:
        return [_listed(project, each) for each in project.listed]
    passes = project.board.passes
    return [
        _head(project, each) | _progress(layer) | {"pass": passes[each.id, who.id]}
        for each, layer in project.queue(who.id)
    ]


def _head(project: Project, stored: StoredDocument) -> View:
    return {
        "id": stored.id,
        "name": stored.name,
        "words": stored.length,
        "has_audio": stored.name in project.audio,
        "is_closed": stored.id in project.board.closed,
    }


def _listed(project: Project, stored: StoredDocument) -> View:
    """A document for a manager: who has it, how far they are, and what comes next."""
    number = stored.id
    layers = [
        {"person": who, "name": project.name_of(who), "pass": at} | _progress(layer)
        for (_, who, at), layer in project.board.of_document(number)
    ]
    still = len(adjudication.open_disputes(project, number))
    return _head(project, stored) | {
        "people": layers,
        "disputes": len(adjudication.disputes(project, number)),
        "open": still,
        "next": _next_step(project, number, still),
        "files": [path.name for path in project.files_of(number)],
    }


def _next_step(project: Project, document: int, still: int) -> str:
    """What comes next in a document: assign, wait, adjudicate, close, or nothing."""
    if document in project.board.closed:
        return "done"
    if not project.board.of_document(document):
        return "assign"
    if adjudication.unfinished(project, document):
        return "wait"
    return "adjudicate" if still else "close"


def _progress(layer: OwnLayer) -> View:
    return {
        "state": layer.state,
        "is_finished": layer.is_finished,
        "acts": layer.acts,
        "boundaries": int((layer.codes > 0).sum()),
        "comments": len(layer.comments),
        "reached": layer.reached,
        "seconds": round(layer.seconds),
        "is_blind": layer.is_blind,
        "source": layer.source,
    }


def document(project: Project, who: Person, number: int) -> View:
    """One document: its words, and a person's own layer.

    Annotators see others' layers and the result when the document is closed, managers and
    adjudicators those that are finished.
    """
    pinned, board = project.pinned(number), project.board
    layer, is_judge = board.current(number, who.id), project.role(who.id) != ANNOTATOR
    if is_judge:
        project.require_done(who.id, number)
    elif layer is None:
        raise NotAllowedError("you are not assigned to this document any more")
    is_closed = number in board.closed
    start, end = pinned.heard()
    others = [
        (key[1], own) for key, own in project.votes(number).items() if is_judge or key[1] != who.id
    ]
    own = OwnLayer.from_length(pinned.length) if is_judge or layer is None else layer
    shows = is_judge or is_closed
    return {
        "id": number,
        "name": pinned.name,
        "shown": pinned.shown,
        "length": pinned.length,
        "start": start,
        "end": end,
        "cues": pinned.cues,
        "speakers": pinned.speakers,
        "turns": pinned.turns,
        "audio": f"/audio/{number}" if pinned.name in project.audio else None,
        "layer": _progress(own) | _layer(own),
        "others": {project.name_of(who): _layer(own) for who, own in others} if shows else None,
        "result": adjudication.layer_of(project, number).boundaries() if shows else None,
        "is_closed": is_closed,
        "is_readonly": is_judge or is_closed or own.is_sealed,
        "adjudication": _adjudication(project, number) if is_judge else None,
    }


def _layer(layer: OwnLayer) -> View:
    return {
        "boundaries": layer.boundaries(),
        "comments": dict(layer.comments),
        "unsure": sorted(layer.unsure),
        "is_blind": layer.is_blind,
        "source": layer.source,
    }


def _adjudication(project: Project, number: int) -> View:
    closed = project.board.closed.get(number)
    decisions = dict(project.board.decisions.get(number, {}))
    return {
        "disputes": adjudication.disputes(project, number),
        "decisions": {
            gap: {"value": made.value, "by": project.name_of(made.person)}
            for gap, made in decisions.items()
        },
        "unfinished": adjudication.unfinished(project, number),
        "closed": closed
        and {
            "by": project.name_of(closed.person),
            "at": closed.at,
            "boundaries": len(closed.boundaries),
        },
    }


def past(project: Project, who: Person, document: int) -> View:
    """The last acts of a person in a document, with what each replaced."""
    if project.role(who.id) in JUDGES:
        return {"steps": _decided(project, who, document)[-MOST_STEPS:]}
    layer = project.board.current(document, who.id)
    if layer is None:
        return {"steps": []}
    values: dict[tuple[str, int], str | None]
    steps, values = [], {("set", gap): mark for gap, mark in layer.given.items()}
    # The acts of a layer are the last of its person there: those before are of earlier passes.
    acts = project.store.acts(document, who.id)
    for kind, gap, value in acts[max(0, len(acts) - layer.acts) :]:
        before = values.get((kind, gap))
        if kind != "state" and value != before:
            steps.append({"kind": kind, "gap": gap, "value": value, "before": before})
        values[kind, gap] = value
    return {"steps": steps[-MOST_STEPS:]}


def _decided(project: Project, who: Person, document: int) -> list[View]:
    """What a person has decided; what it replaced may be another's decision."""
    values: dict[int, str | None] = {}
    steps = []
    for person_id, gap, value in project.store.decisions(document):
        before = values.get(gap, OPEN)
        if person_id == who.id and value != before:
            steps.append({"kind": "decide", "gap": gap, "value": value, "before": before})
        values[gap] = value
    return steps


def agreement(project: Project, live: LiveAgreement) -> View:
    """Inter-annotator agreement, overall, in pairs and by document; None for one annotator."""
    summary = live.summary(confidence=True)
    so_far = live.summary(so_far=True) if _is_in_work(project) else None
    workers = [
        {"name": who.name, "is_revoked": who.is_revoked} | total(project, who)
        for who in project.annotators
    ]
    return {
        "summary": summary and summary_json(summary),
        "so_far": so_far
        and {
            # The last word of a stretch ends it, and has no gap.
            "gaps": so_far.words - len(so_far.documents),
            "agreement": summary_json(so_far)["agreement"],
        },
        "again": self_agreement(project),
        "people": workers,
        "documents": len(project.documents),
        "left_out": left_out(project),
    }


def left_out(project: Project) -> dict[str, int]:
    """How many layers do not count, by the reason."""
    reasons: Counter[str] = Counter()
    for stored in project.listed:
        counted = {id(layer) for layer in project.counted(stored.id).values()}
        for _, layer in project.board.of_document(stored.id):
            if id(layer) not in counted:
                reasons[_why_not(layer)] += 1
    return dict(reasons)


def _why_not(layer: OwnLayer) -> str:
    if not layer.is_finished:
        return "in work" if layer.acts else "not begun"
    if not layer.is_blind:
        return "imported without a statement" if layer.source else "not blind"
    return "a later pass"


def _is_in_work(project: Project) -> bool:
    """Whether layers in work would count."""
    return any(
        len(project.counted(number, in_work=True)) > len(project.counted(number))
        for number in project.documents
    )


def total(project: Project, who: Person) -> View:
    """What a person has done in all documents together."""
    layers = project.layers_of(who.id)
    return {
        "acts": sum(layer.acts for layer in layers),
        "assigned": len(layers),
        "begun": sum(layer.acts > 0 for layer in layers),
        "finished": sum(layer.is_finished for layer in layers),
        "boundaries": sum(int((layer.codes > 0).sum()) for layer in layers),
        "reached": sum(layer.reached for layer in layers),
        "seconds": round(sum(layer.seconds for layer in layers)),
    }
