"""Reports: systems against the present references."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from caesura.api.evaluate import evaluate
from caesura.core.segmentation import Document
from caesura.errors import CaesuraError, FormatError, UsageError, shortened
from caesura.formats.transcripts import read
from caesura.studio.documents import Pinned
from caesura.studio.names import checked_name
from caesura.studio.project import ADJUDICATED, Project, require_detector
from caesura.studio.uploads import sent

MOST_KEPT = 4


@dataclass(slots=True)
class Reports:
    """The last reports, by keys that nobody can guess."""

    _pages: dict[str, str] = field(default_factory=dict)

    def keep(self, page: str) -> str:
        """Keep a report, drop the oldest, and return the key."""
        key = secrets.token_urlsafe(16)
        self._pages[key] = page
        for old in list(self._pages)[:-MOST_KEPT]:
            del self._pages[old]
        return key

    def page(self, key: str) -> str | None:
        """A report that is still kept."""
        return self._pages.get(key)


def report(project: Project, values: object) -> str:
    """The report of detectors and uploaded files against the annotators' versions."""
    systems, detectors = _systems(project, values), _detectors(values)
    documents = [
        number
        for number, each in project.documents.items()
        if project.counted(number) and all(each.name in own for own in systems.values())
    ]
    if not documents or not (systems or detectors):
        raise UsageError(
            "choose a detector, or files named like documents that somebody has finished"
        )
    references = _references(project, documents)
    names = [project.documents[number].name for number in documents]
    given = {name: {each: own[each] for each in names} for name, own in systems.items()}
    try:
        found = evaluate(given, references, run=detectors, reads=True, missing="vary")
    except CaesuraError:
        found = evaluate(given, references, run=detectors, reads=True, missing="vary", align=True)
    return found.html()


def _references(project: Project, documents: list[int]) -> dict[str, dict[str, Document]]:
    """The versions that count by annotator, and what is adjudicated."""
    found: dict[str, dict[str, Document]] = {}
    for number in documents:
        document, closed = project.documents[number].name, project.closed(number)
        for name, own in project.references(number).items():
            found.setdefault(name, {})[document] = own
        if closed is not None:
            found.setdefault(ADJUDICATED, {})[document] = closed
    return found


def _detectors(values: object) -> list[str]:
    found = values.get("detectors", []) if isinstance(values, dict) else None
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise UsageError("detectors are a list of names")
    for each in found:
        require_detector(each)
    return found


def _systems(project: Project, values: object) -> dict[str, dict[str, Document]]:
    """Systems by name, each with its documents by name, as they were sent."""
    listed = values.get("systems", []) if isinstance(values, dict) else None
    if not isinstance(listed, list):
        raise UsageError("systems are a list")
    known = {each.name: each.id for each in project.documents.values()}
    found: dict[str, dict[str, Document]] = {}
    for each in listed:
        try:
            name, document, file, text = (each[key] for key in ("name", "document", "file", "text"))
        except (TypeError, KeyError):
            raise UsageError("a system has name, document, file and text") from None
        if not all(isinstance(part, str) for part in (name, document, file, text)):
            raise UsageError("name, document, file and text of a system are texts")
        if document not in known:
            raise UsageError(f"there is no document '{shortened(document)}'")
        pinned = project.pinned(known[document])
        found.setdefault(checked_name(name), {})[document] = _read(file, text, pinned)
    return found


def _read(file: str, text: str, pinned: Pinned) -> Document:
    """A system's version of a document, on its words if they are the same."""
    with sent(file, text.encode(errors="replace")) as path:
        try:
            return pinned.fitted(read(path))
        except FormatError:  # its words end elsewhere: they are aligned
            return read(path, tokens="dictionary")
