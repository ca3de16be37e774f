"""Statement: how a project's annotations were made, for the appendix of a paper."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from math import isnan, nan

from caesura import __version__
from caesura.core.summary import Summary
from caesura.studio.layers import OwnLayer
from caesura.studio.live_agreement import UNAIDED, LiveAgreement, figures
from caesura.studio.project import Project
from caesura.studio.state import Key

STATEMENT = "statement.md"


def statement(project: Project) -> str:
    """Who annotated what, when, blind or not, by which guidelines, and how far they agree."""
    return "\n".join(_lines(project)) + "\n"


def _lines(project: Project) -> Iterator[str]:
    listed, board = project.listed, project.board
    words = sum(each.length for each in listed)
    yield f"# Data statement: {project.name}"
    yield ""
    yield f"Documents: {len(listed):,}, with {words:,} words; made with caesura {__version__}."
    version = len(board.guidelines)
    told = f"version {version}, in guidelines.md" if version else "none in the tool"
    yield f"Guidelines: {told}."
    yield f"Adjudicated documents: {len(board.closed):,}."
    began = {each.name: board.machines[each.id] for each in listed if each.id in board.machines}
    for machine in sorted(set(began.values())):
        names = ", ".join(name for name, own in began.items() if own == machine)
        yield f"Pre-annotated by {machine}: {names}."
    yield from ("", "## Annotators", "", "| annotator | documents | made | counts | s a word |")
    yield "|---|---|---|---|---|"
    yield from _people(project)
    live = LiveAgreement(project)
    for machine in (UNAIDED, *live.machines):
        found = live.summary(machine, confidence=True)
        yield from ("", f"## Agreement{f', begun from {machine}' if machine else ''}", "")
        yield from _figures(found)


def _people(project: Project) -> Iterator[str]:
    for each in project.annotators:
        own = [
            (key, layer)
            for document in project.listed
            for key, layer in project.board.of_document(document.id)
            if key[1] == each.id
        ]
        if own:
            yield f"| {each.name} | {len(own):,} | {_when(own)} | {_states(own)} | {_pace(own)} |"


def _states(own: list[tuple[Key, OwnLayer]]) -> str:
    """How many layers are blind to the end, or until others were shown, and how many not."""
    done = [layer for _, layer in own if layer.is_done]
    blind = [layer for layer in done if layer.is_blind]
    parts = {
        "finished blind": len(blind),
        "revised after seeing others": sum(layer.is_revised for layer in blind),
        "not blind or not known": len(done) - len(blind),
        "not finished": len(own) - len(done),
    }
    return ", ".join(f"{number:,} {what}" for what, number in parts.items() if number)


def _when(own: list[tuple[Key, OwnLayer]]) -> str:
    if all(layer.source for _, layer in own):
        return "elsewhere, imported"
    at = [when for _, layer in own for when in layer.last_at.values()]
    if not at:
        return "–"
    days = [datetime.fromtimestamp(when, UTC).date().isoformat() for when in (min(at), max(at))]
    return " to ".join(dict.fromkeys(days))


def _pace(own: list[tuple[Key, OwnLayer]]) -> str:
    """Seconds of work a word, in finished layers."""
    done = [layer for _, layer in own if layer.is_done and not layer.source]
    words = sum(layer.codes.size for layer in done)
    return f"{sum(layer.seconds for layer in done) / words:.2f}" if words else "–"


def _figures(found: Summary | None) -> Iterator[str]:
    if found is None or found.agreement is None:
        yield "No document has two finished blind layers."
        return
    values, spans = found.agreement.micro, (found.agreement.confidence or {}).get("micro", {})
    for key, name in figures().items():
        low, high = spans.get(key, (nan, nan))
        span = "" if isnan(low) or isnan(high) else f" (95 % {low:.3f} to {high:.3f})"
        yield f"- {name}: {'undefined' if isnan(values[key]) else f'{values[key]:.3f}{span}'}"
    yield ""
    yield f"Documents: {len(found.documents):,}; `{found.signature}`"
