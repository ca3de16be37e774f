"""Brackets as evalb counts them (Sekine & Collins 1997): line by line, with its parameter files.

Lines whose words differ are errors and lines without words are skipped; neither counts. Matching is
greedy, in order, as labels that are declared equal need not be so transitively. Not followed are
evalb's fixed limits, and that it stops at the twelfth error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from caesura.core.counts import Counts
from caesura.core.measure import Measure
from caesura.core.score import Score
from caesura.tasks.trees.data import Forest
from caesura.tasks.trees.evalb_counts import EvalbCounts
from caesura.tasks.trees.evalb_pairs import EvalbPair
from caesura.tasks.trees.parameters import EvalbParameters


@dataclass(frozen=True, slots=True)
class Evalb(Measure):
    """Sentences that evalb scores, finds wrong or skips, and its figures for short ones."""

    name: ClassVar[str] = "evalb"
    kind: ClassVar[str] = "lines"
    counts: ClassVar[type[Counts]] = EvalbCounts
    is_optional: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("evalb_sentences", "sentences", "Lines of both files.", None, ("alignment",),
              take="sentences", group="evalb", short="sentences", is_count=True),
        Score("evalb_errors", "errors", "Lines whose words differ, which do not count.", None,
              ("alignment",), take="errors", group="evalb", short="errors", is_count=True),
        Score("evalb_skipped", "skipped", "Lines without a parse, which do not count.", None,
              ("alignment",), take="skipped", group="evalb", short="skipped", is_count=True),
        Score("evalb_valid", "valid", "Lines that count.", None, ("alignment",), take="valid",
              group="evalb", short="valid", is_count=True),
        Score("evalb_short_sentences", "short", "Valid lines of up to CUTOFF_LEN words.", None,
              ("alignment",), take="short_valid", group="evalb.short", short="valid",
              is_count=True),
        Score("evalb_short_precision", "short P", "Precision of brackets in short lines.",
              views=("alignment",), take="short.precision", group="evalb.short",
              short="precision"),
        Score("evalb_short_recall", "short R", "Recall of brackets in short lines.",
              views=("alignment",), take="short.recall", group="evalb.short", short="recall"),
        Score("evalb_short_f1", "short F1", "F1 of brackets in short lines.",
              views=("alignment",), take="short.f1", group="evalb.short", short="f1"),
        Score("evalb_short_complete", "short complete", "Short lines with the same brackets / "
              "valid short lines.", take="short_complete_share", group="evalb.short",
              short="complete"),
        Score("evalb_short_tag_accuracy", "short tag accuracy", "Right tags / words of short "
              "lines.", take="short_tag_accuracy", group="evalb.short", short="tag_accuracy"),
    )  # fmt: skip

    parameters: EvalbParameters = field(default_factory=EvalbParameters)

    def count(self, system: Forest, gold: Forest) -> EvalbCounts:
        """Count the lines of one system against those of the gold."""
        pair = EvalbPair.from_forests(system, gold, self.parameters)
        return pair.counts.lines(self.parameters.cutoff)
