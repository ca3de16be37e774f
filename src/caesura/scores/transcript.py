"""The summary of transcripts, as the JSON of the contract."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from caesura import __version__
from caesura.align.axis import AlignmentCounts
from caesura.core.counts import NAN, mean, pearson
from caesura.measures import (
    AgreementCounts,
    BoundaryCounts,
    EditCounts,
    EitherCounts,
    MarkCounts,
    SuCounts,
    TolerantCounts,
    WindowCounts,
    WisebeCounts,
)
from caesura.run.cases import natural
from caesura.run.rows import Row, SourceCounts
from caesura.scores import Scores, mean_scores, undefined
from caesura.tasks.transcript import Transcript

Key = tuple[str | None, str, str | None]

MEANS = {
    "precision_mean": "precision",
    "recall_mean": "recall",
    "f1_mean": "f1",
    "ser_mean": "ser",
    "cer_mean": "cer",
    "pk_mean": "pk",
    "windowdiff_mean": "windowdiff",
    "boundary_similarity_mean": "boundary_similarity",
    "segmentation_similarity_mean": "segmentation_similarity",
    "tolerant_f1_mean": "tolerant_f1",
    "typed_f1_mean": "typed_f1",
    "typed_ser_mean": "typed_ser",
    "su_error_rate_mean": "su_error_rate",
    "su_event_error_rate_mean": "su_event_error_rate",
}
WISEBE = ("inside", "candidates", "hit", "windows")


@dataclass(frozen=True)
class Ledger:
    """Counts by (system, measure, reference), summed over documents or of one of them."""

    counts: dict[Key, Any]

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Ledger:
        """Sum the rows of each key."""
        sums: dict[Key, Any] = {}
        for row in rows:
            key = (row.system, row.measure, row.reference)
            sums[key] = sums[key] + row.counts if key in sums else row.counts
        return cls(sums)

    def wisebe(self, system: str, reference: str | None = None) -> WisebeCounts:
        """Against all references, or all but one (`-name`)."""
        found: WisebeCounts = self._get(WisebeCounts, system, "wisebe", reference)
        return found

    def boundary(self, system: str, reference: str) -> BoundaryCounts:
        """Against one reference; between two references in either direction."""
        turned = self.counts.get((reference, "boundary", system))
        if isinstance(turned, BoundaryCounts):
            return turned.swapped()
        found: BoundaryCounts = self._get(BoundaryCounts, system, "boundary", reference)
        return found

    def _get(self, kind: type[Any], system: str | None, measure: str, reference: str | None) -> Any:
        return self.counts.get((system, measure, reference)) or kind.zero()

    def agreement(self) -> AgreementCounts:
        """Of the references."""
        found: AgreementCounts = self._get(AgreementCounts, None, "agreement", None)
        return found

    def against(self, system: str, reference: str) -> Scores:
        """Everything about a system and one reference."""
        boundary = self.boundary(system, reference)
        kinds: dict[str, type[Any]] = {
            "windows": WindowCounts,
            "edit": EditCounts,
            "tolerant": TolerantCounts,
            "marks": MarkCounts,
            "su": SuCounts,
        }
        scores: Scores = {"tp": boundary.tp, "fp": boundary.fp, "fn": boundary.fn}
        scores |= boundary.scores()
        for measure, kind in kinds.items():
            scores |= self._get(kind, system, measure, reference).scores()
        return scores

    def scores(self, system: str, references: Sequence[str]) -> Scores:
        """Everything about a system and all references."""
        wisebe = self.wisebe(system)
        consensus = self._get(BoundaryCounts, system, "consensus", None).scores()
        each = [self.against(system, reference) for reference in references]
        return {
            **wisebe.scores(),
            **{name: mean([scores[key] for scores in each]) for name, key in MEANS.items()},
            **self._get(EitherCounts, system, "either", None).scores(),
            **{f"consensus_{name}": consensus[name] for name in ("precision", "recall", "f1")},
            **{name: getattr(wisebe, name) for name in WISEBE},
        }

    def by_mark(self, system: str, reference: str) -> Scores:
        """Counts and rates for each mark, and the slots of all; empty where there are no marks."""
        marks: MarkCounts = self._get(MarkCounts, system, "marks", reference)
        if not marks.confusion:
            return {}
        slots = ("correct", "substitutions", "deletions", "insertions")
        each = {mark: marks.of(mark) for mark in marks.marks}
        rates = ("precision", "recall", "f1")
        return {
            **{name: getattr(marks, name) for name in slots},
            "by_mark": {
                mark: {name: getattr(counts, name) for name in ("tp", "fp", "fn", *rates)}
                for mark, counts in each.items()
            },
        }

    def ceiling(self, name: str, references: Sequence[str]) -> Scores:
        """A system against all references but one, on the mean; a person against the others."""
        left_out = [name] if name in references else list(references)
        panels = [self.wisebe(name, f"-{reference}") for reference in left_out]
        others = [
            mean([self.boundary(name, other).f1 for other in references if other != reference])
            for reference in left_out
        ]
        return {
            "wisebe": mean([counts.score for counts in panels]),
            "window_f1": mean([counts.f1 for counts in panels]),
            "f1_mean": mean(others),
        }

    def source(self, name: str) -> SourceCounts:
        """What was read of one system or reference."""
        found: SourceCounts = self._get(SourceCounts, name, "source", None)
        return found


Whole = tuple[Ledger, dict[str, Ledger]]


def transcript_summary(
    rows: Sequence[Row], systems: Sequence[str], references: Sequence[str], task: Transcript
) -> dict[str, Any]:
    """The result of `caesura transcript`, as its JSON."""
    whole = ledger, documents = _ledgers(rows)
    summary = _head("transcript", [*references, *systems], references, task, whole)
    summary["agreement"] = _agreement(ledger, documents, references)
    if len(references) > 2:
        reached = {name: ledger.ceiling(name, references) for name in systems}
        summary["ceiling"] = _ceiling(ledger, references) | {"systems": reached}
    summary["systems"] = [_system(name, ledger, documents, references) for name in systems]
    summary |= _streams(rows, systems, references, task)
    return summary


def agreement_summary(
    rows: Sequence[Row], references: Sequence[str], task: Transcript
) -> dict[str, Any]:
    """The result of `caesura agreement`, as its JSON."""
    whole = ledger, documents = _ledgers(rows)
    summary = _head("agreement", references, references, task, whole)
    summary["agreement"] = _agreement(ledger, documents, references)
    if len(references) > 2:
        summary["ceiling"] = _ceiling(ledger, references)
    return summary


def _ceiling(ledger: Ledger, references: Sequence[str]) -> Scores:
    people = {name: ledger.ceiling(name, references) for name in references}
    return {"human": mean_scores(list(people.values())), "annotators": people}


def _ledgers(rows: Sequence[Row]) -> Whole:
    whole = [row for row in rows if row.stream is None]
    by_document: defaultdict[str, list[Row]] = defaultdict(list)
    for row in whole:
        by_document[row.document].append(row)
    return Ledger.of(whole), {name: Ledger.of(part) for name, part in by_document.items()}


def _streams(
    rows: Sequence[Row], systems: Sequence[str], references: Sequence[str], task: Transcript
) -> dict[str, Any]:
    """Every system's scores by speaker or channel, where these were asked for."""
    kind = task.streams or task.by
    if not kind:
        return {}
    apart: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.stream is not None:
            apart[row.stream].append(row)
    by_name = sorted(apart.items(), key=lambda item: natural(item[0]))
    ledgers = {stream: Ledger.of(part) for stream, part in by_name}
    scores = {
        stream: {name: ledger.scores(name, references) for name in systems}
        for stream, ledger in ledgers.items()
    }
    return {"streams": {"kind": kind, "by_stream": scores}}


def _head(
    task_name: str, names: Sequence[str], references: Sequence[str], task: Transcript, whole: Whole
) -> dict[str, Any]:
    ledger, documents = whole
    read = {name: ledger.source(name) for name in names}
    forms = sum(read.values(), SourceCounts.zero()).forms
    return {
        "caesura": __version__,
        "task": task_name,
        "signature": task.signature(task_name, forms, len(references), len(documents)),
        "options": asdict(task),
        "references": list(references),
        "documents": list(documents),
        "sources": {
            name: {"words": counts.words, "units": counts.units, **_alignment(name, ledger)}
            for name, counts in read.items()
        },
        **({"axes": _axes(documents)} if task.align else {}),
    }


def _axes(documents: dict[str, Ledger]) -> dict[str, str]:
    """For each document, the reference that gave its words."""
    return {
        document: reference or ""
        for document, ledger in documents.items()
        for (_, measure, reference) in ledger.counts
        if measure == "alignment"
    }


def _system(
    name: str, ledger: Ledger, documents: dict[str, Ledger], references: Sequence[str]
) -> dict[str, Any]:
    by_document = {key: each.scores(name, references) for key, each in documents.items()}
    against = {}
    for reference in references:
        against[reference] = ledger.against(name, reference)
        typed = ledger.by_mark(name, reference)
        if typed:
            against[reference]["typed"] = typed
        units = ledger.counts.get((name, "su", reference))
        if units:
            against[reference]["su"] = units.to_dict()
    return {
        "name": name,
        "micro": ledger.scores(name, references),
        "macro": mean_scores(list(by_document.values())),
        "macro_undefined": undefined(list(by_document.values())),
        "by_document": by_document,
        "by_reference": against,
        **_alignment(name, ledger),
    }


def _alignment(name: str, ledger: Ledger) -> Scores:
    """Word errors against the axis; with several documents the axes may be several."""
    found = [
        counts
        for (system, _, _), counts in ledger.counts.items()
        if system == name and isinstance(counts, AlignmentCounts)
    ]
    if not found:
        return {}
    counts = sum(found, AlignmentCounts.zero())
    return {
        **counts.scores(),
        **{field: getattr(counts, field) for field in ("substitutions", "deletions")},
        **{field: getattr(counts, field) for field in ("insertions", "merged", "lost")},
    }


def _agreement(
    ledger: Ledger, documents: dict[str, Ledger], references: Sequence[str]
) -> dict[str, Any]:
    by_document = {key: coefficients(each, references) for key, each in documents.items()}
    values = list(by_document.values())
    return {
        **coefficients(ledger, references),
        "pearson_rgar_fleiss_kappa": pearson(
            [each["rgar"] for each in values], [each["fleiss_kappa"] for each in values]
        ),
        "pairs": [_pair(ledger, a, b) for a, b in combinations(references, 2)],
        "macro": mean_scores(values),
        "by_document": by_document,
    }


def coefficients(ledger: Ledger, references: Sequence[str]) -> Scores:
    """How far the references agree."""
    pairs = [_pair(ledger, a, b) for a, b in combinations(references, 2)]

    def over_pairs(key: str) -> float:
        return mean([pair[key] for pair in pairs])

    return {
        **ledger.agreement().scores(),
        "cohen_kappa_mean": over_pairs("cohen_kappa"),
        "pairwise_f1_mean": over_pairs("f1"),
        "pairwise_boundary_similarity_mean": over_pairs("boundary_similarity"),
    }


def _pair(ledger: Ledger, a: str, b: str) -> Scores:
    boundary = ledger.boundary(a, b)
    edit = ledger.counts.get((a, "edit", b))
    return {
        "references": [a, b],
        "cohen_kappa": boundary.kappa,
        "f1": boundary.f1,
        "boundary_similarity": edit.boundary_similarity if edit else NAN,
    }


SCORE_NAMES = tuple(Ledger({}).scores("", ()))
