"""Past: what a person did in a document before, so that it can be undone and gone on with."""

from __future__ import annotations

from caesura.studio.project import Project
from caesura.studio.store import Person

MOST_STEPS = 1000
"""How many acts a page is told of."""


def past(project: Project, who: Person, document: int) -> dict[str, object]:
    """The last acts of a person on their layer of a document, with what each replaced."""
    layer = project.board.current(document, who.id)
    if layer is None:
        return {"steps": []}
    values: dict[tuple[str, int], str | None] = {
        ("set", gap): mark for gap, mark in layer.given.items()
    }
    steps = []
    # The acts of a layer are the last of its person there: those before are of earlier passes.
    acts = project.store.acts(document, who.id)
    for kind, gap, value in acts[max(0, len(acts) - layer.acts) :]:
        if kind == "state":
            continue
        before = values.get((kind, gap))
        values[kind, gap] = value
        if value != before:
            steps.append({"kind": kind, "gap": gap, "value": value, "before": before})
    return {"steps": steps[-MOST_STEPS:]}
