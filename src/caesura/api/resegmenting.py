"""Resegmentation: texts put into the segments of references, from files or values of Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Literal

from caesura import __version__
from caesura.align.resegmentation import Resegmented, looks_strange
from caesura.align.wording import Compared, Level
from caesura.errors import FormatError, SegmentationError, UsageError, option
from caesura.formats.text_files import by_document, in_documents, read_docids, read_segments
from caesura.io.writing import writing
from caesura.run.inputs import Source, match, not_matched
from caesura.tasks.sentences.counting import Sentences, as_lines

Put = Callable[[str, str | None], None]


def resegment(
    text: object, reference: object, *, tokens: Compared = "lower", units: Level = "auto"
) -> Resegmented:
    """Put a text into the segments of a reference, at the least edit cost.

    >>> found = resegment("it rained all night we left", ["it rained the night", "we left early"])
    >>> found.lines, found.edits.tolist(), found.slack()
    (['it rained all night', 'we left'], [1, 1], [(0, 0), (0, 0)])
    """
    Sentences(tokens, units)
    lines, segments = as_lines(text, source="text"), as_lines(reference, source="reference")
    if not any(segment.strip() for segment in segments):
        raise SegmentationError("reference: no segments; give a text with one segment per line")
    return Resegmented.from_lines(lines, segments, tokens, units)


@dataclass(frozen=True, slots=True)
class Resegmenting:
    """Documents in the segments of their references.

    `docids` names the document of each line, where one file has several; `is_folder` says that each
    document has a file. `places` are these files, `skipped` the documents that are left out, with
    the reason.
    """

    documents: Mapping[str, Resegmented]
    docids: Sequence[str]
    is_folder: bool
    places: Mapping[str, str]
    skipped: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_options(
        cls,
        text: str,
        reference: str,
        *,
        docids: str | None = None,
        tokens: Compared = "lower",
        units: Level = "auto",
        encoding: str | None = None,
        missing: Literal["error", "skip"] = "error",
    ) -> Resegmenting:
        """Read texts and references, and fit the ones into the others."""
        ours, theirs = Source.parse(text), Source.parse(reference)
        names: Sequence[str] = ()
        places: dict[str, tuple[str, ...]] = {}
        if docids is not None:
            names = read_docids(docids)
            pairs = _by_docids(ours, theirs, names, docids, encoding)
        else:
            cases = match([ours], [theirs], missing=missing)
            places = {
                case.document: (*case.systems.values(), *case.references.values()) for case in cases
            }
            pairs = {
                name: tuple(read_segments(path, encoding) for path in paths)
                for name, paths in places.items()
            }
        found = {}
        for name, (lines, segments) in pairs.items():
            if not any(segment.strip() for segment in segments):
                cure = "give a text with one segment per line"
                place = places.get(name, (theirs.path,))[-1]
                raise FormatError(place, "no reference segments", cure)
            found[name] = Resegmented.from_lines(lines, segments, tokens, units)
        own = {name: paths[0] for name, paths in places.items()}
        skipped = {} if docids is not None else not_matched([ours, theirs])
        return cls(found, names, ours.documents is not None, own, skipped)

    @property
    def warnings(self) -> Iterator[str]:
        """Documents with many more word errors than the others, which may be others."""
        rates = {
            name: each.fit.errors / max(1, len(each.reference))
            for name, each in self.documents.items()
        }
        usual = median(rates.values()) if len(rates) > 2 else 0.0
        for name, rate in rates.items():
            if looks_strange(rate, usual):
                place = self.places.get(name, name)
                yield (
                    f"{place}: {rate:.0%} word errors; check that it is the text of its reference"
                )

    def write(self, format: str, output: str | None, put: Put) -> None:
        """Write the lines, or JSON, to a file, to a folder or to standard output."""
        if not self.is_folder:
            put(self._json() if format == "json" else self._text(), output)
            return
        if output is None:
            raise UsageError(
                f"a folder of texts needs a folder for them; add {option('output', 'DIR')}"
            )
        with writing(output, "give a folder for the texts"):
            Path(output).mkdir(parents=True, exist_ok=True)
        for name, path in self.files(format, output).items():
            one = Resegmenting({name: self.documents[name]}, (), is_folder=False, places={})
            put(one._json() if format == "json" else one._text(), path)

    def files(self, format: str, folder: str) -> dict[str, str]:
        """The file of each document in a folder to write to; none if there is only one output."""
        suffix = ".json" if format == "json" else ".txt"
        names = self.documents if self.is_folder else ()
        return {name: str(Path(folder) / f"{name}{suffix}") for name in names}

    def _text(self) -> str:
        if not self.docids:
            return "".join("\n".join(each.lines) + "\n" for each in self.documents.values())
        lines = {name: iter(each.lines) for name, each in self.documents.items()}
        return "".join(f"{next(lines[name])}\n" for name in self.docids)

    def _json(self) -> str:
        made = {
            "caesura": __version__,
            "task": "resegment",
            "segments": sum(each.fit.cuts.size for each in self.documents.values()),
            "edits": sum(int(each.edits.sum()) for each in self.documents.values()),
            "documents": {name: _document(each) for name, each in self.documents.items()},
        }
        return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def _by_docids(
    text: Source, reference: Source, names: Sequence[str], place: str, encoding: str | None
) -> dict[str, tuple[list[str], ...]]:
    for each in (text, reference):
        if each.documents is not None:
            raise UsageError(
                f"{each.name} has several files; give one with {option('docids', '…')}"
            )
    segments = by_document(read_segments(reference.path, encoding), names, reference.path, place)
    lines = in_documents(read_segments(text.path, encoding), list(segments), text.path, place)
    return {name: (lines[name], segments[name]) for name in segments}


def _document(found: Resegmented) -> dict[str, object]:
    """One document: each segment with its text, its words, its edits and the slack of its cut."""
    rows = zip(found.lines, found.spans, found.edits.tolist(), found.slack(), strict=True)
    return {
        "words": len(found.text),
        "edits": int(found.edits.sum()),
        "is_minimal": found.fit.is_certain,
        "segments": [
            {"text": line, "words": list(span), "edits": edits, "slack": list(slack)}
            for line, span, edits, slack in rows
        ],
    }
