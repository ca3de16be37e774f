"""Export: files that the commands take, a data statement for a paper's appendix, and the log."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from math import isnan, nan

import numpy as np

from caesura import __version__
from caesura.core.segmentation import NO_BREAK
from caesura.core.summary import Summary
from caesura.formats.script import Script
from caesura.formats.transcripts import write_scripts
from caesura.studio.adjudication import layer_of
from caesura.studio.agreement import LiveAgreement, figures
from caesura.studio.documents import Pinned, file_names
from caesura.studio.files import GUIDELINES
from caesura.studio.log import LOG, log_lines
from caesura.studio.project import ADJUDICATED, Project
from caesura.studio.state import OwnLayer

STATEMENT = "statement.md"


def archive(project: Project) -> bytes:
    """An archive of all annotators' versions, the adjudicated ones, and the log."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in exported(project):
            file.writestr(name, text)
    return target.getvalue()


def exported(project: Project) -> Iterator[tuple[str, str]]:
    """Every file of the export: its name, and what is in it."""
    files = file_names([each.name for each in project.documents.values()])
    for each in project.listed:
        words, file = project.pinned(each.id), f"{files[each.name]}.jsonl"
        for folder, layer, note in _versions(project, each.id):
            yield f"{folder}/{file}", _written(words, layer, note)
    if project.board.guidelines:
        yield GUIDELINES, project.board.guidelines[-1][1]
    yield STATEMENT, "\n".join(_statement(project)) + "\n"
    yield LOG, "".join(log_lines(project))


def _versions(project: Project, document: int) -> Iterator[tuple[str, OwnLayer, dict[str, str]]]:
    """The versions of a document: their folders, layers, and notes for the first line.

    What counts is in a folder of its annotator; layers in work and others that do not count are in
    `aside`.
    """
    board = project.board
    counted = {id(layer) for layer in project.counted(document).values()}
    for (_, person, number), layer in board.of_document(document):
        name = project.name_of(person)
        if id(layer) in counted:
            yield name, layer, {"annotator": name}
        elif layer.is_finished or layer.acts:
            why = "other" if layer.is_blind else "not blind"
            why = why if layer.is_finished else "in work"
            why = f"{why}, pass {number}" if number > 1 else why
            yield f"aside/{why}/{name}", layer, {"annotator": name, "aside": why}
    if document in board.closed:
        yield ADJUDICATED, layer_of(project, document), {"annotator": ADJUDICATED}
    elif board.decisions.get(document):
        yield "aside/partial", layer_of(project, document), {"partial": "some gaps are not decided"}


def _written(words: Pinned, layer: OwnLayer, note: dict[str, str]) -> str:
    """Somebody's boundaries as caesura's JSON lines; the first line has the note.

    The line of a word has the comment on the gap after it, and says if its annotator is unsure of
    the boundary there.
    """
    segmentation = layer.segmentation()
    ends = np.zeros(segmentation.length, np.bool_)
    ends[segmentation.boundaries] = True
    types = np.zeros(segmentation.length, "<U1")
    if segmentation.marks is not None:
        types[segmentation.boundaries] = segmentation.marks
    interpolated = np.zeros(segmentation.length, np.bool_)
    for first, last in words.cues:
        interpolated[first : last + 1] = True
    speakers = [*words.speakers, ""]
    script = Script(
        texts=[each.replace(NO_BREAK, " ") for each in words.shown.split(" ")],
        start=np.array(words.start, np.int64) if words.start else None,
        end=np.array(words.end, np.int64) if words.end else None,
        ends=ends,
        types=types.tolist(),
        speakers=[speakers[code] for code in words.turns] if words.turns else None,
        source=words.name,
        interpolated=interpolated if words.cues else None,
    )
    head, *lines = write_scripts([script], "jsonl").split("\n")
    remarks: dict[int, dict[str, object]] = {gap: {"unsure": True} for gap in layer.unsure}
    for gap, comment in layer.comments.items():
        remarks.setdefault(gap, {})["comment"] = comment
    for gap, remark in remarks.items():
        lines[gap] = json.dumps(json.loads(lines[gap]) | remark, ensure_ascii=False)
    return "\n".join([json.dumps(json.loads(head) | note, ensure_ascii=False), *lines])


def _statement(project: Project) -> Iterator[str]:
    """Who annotated what, when, blind or not, by which guidelines, and how far they agree."""
    listed, board = project.listed, project.board
    words = sum(each.length for each in listed)
    yield f"# Data statement: {project.name}"
    yield ""
    yield f"Documents: {len(listed):,}, with {words:,} words; made with caesura {__version__}."
    version = len(board.guidelines)
    yield f"Guidelines: {f'version {version}, in {GUIDELINES}' if version else 'none in the tool'}."
    yield f"Adjudicated documents: {len(board.closed):,}."
    yield from ("", "## Annotators", "", "| annotator | documents | made | counts | s a word |")
    yield "|---|---|---|---|---|"
    for person in project.annotators:
        layers = project.layers_of(person.id)
        if layers:
            facts = f"{len(layers):,} | {_when(layers)} | {_states(layers)} | {_pace(layers)}"
            yield f"| {person.name} | {facts} |"
    yield from ("", "## Agreement", "")
    yield from _figures(LiveAgreement(project).summary(confidence=True))


def _when(layers: list[OwnLayer]) -> str:
    if all(layer.source for layer in layers):
        return "elsewhere, imported"
    times = [at for layer in layers for at in layer.last_at.values()]
    if not times:
        return "–"
    days = [datetime.fromtimestamp(at, UTC).date().isoformat() for at in (min(times), max(times))]
    return " to ".join(dict.fromkeys(days))


def _states(layers: list[OwnLayer]) -> str:
    """How many layers were finished blind, and how many not."""
    finished = [layer for layer in layers if layer.is_finished]
    blind = sum(layer.is_blind for layer in finished)
    parts = {
        "finished blind": blind,
        "not blind or not known": len(finished) - blind,
        "not finished": len(layers) - len(finished),
    }
    return ", ".join(f"{number:,} {what}" for what, number in parts.items() if number)


def _pace(layers: list[OwnLayer]) -> str:
    """Seconds of work a word, in finished layers."""
    made = [layer for layer in layers if layer.is_finished and not layer.source]
    words = sum(layer.codes.size for layer in made)
    return f"{sum(layer.seconds for layer in made) / words:.2f}" if words else "–"


def _figures(summary: Summary | None) -> Iterator[str]:
    if summary is None or summary.agreement is None:
        yield "No document has two finished blind layers."
        return
    values, spans = summary.agreement.micro, (summary.agreement.confidence or {}).get("micro", {})
    for key, name in figures().items():
        low, high = spans.get(key, (nan, nan))
        span = "" if isnan(low) or isnan(high) else f" (95 % {low:.3f} to {high:.3f})"
        yield f"- {name}: {'undefined' if isnan(values[key]) else f'{values[key]:.3f}{span}'}"
    yield ""
    yield f"Documents: {len(summary.documents):,}; `{summary.signature}`"
