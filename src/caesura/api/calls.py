"""One call for each measure, on documents, texts and plain Python values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

from caesura.align.axis import require_one_axis
from caesura.api.result import Result
from caesura.api.values import (
    Boundaries,
    Interval,
    Label,
    Tokens,
    as_clusters,
    as_document,
    as_intervals,
    as_tokens,
)
from caesura.core.segmentation import Document, Final, Panel, Segmentation
from caesura.errors import SegmentationError
from caesura.formats.equivalences import TABLES, load
from caesura.measures.agreement import Agreement, AgreementCounts
from caesura.measures.base import PairMeasure, PanelMeasure
from caesura.measures.boundary import (
    Boundary,
    BoundaryCounts,
    Consensus,
    Either,
    EitherCounts,
    Tolerant,
    TolerantCounts,
)
from caesura.measures.edit import Edit, EditCounts
from caesura.measures.joint import Joint, JointCounts
from caesura.measures.marks import MarkCounts, Marks
from caesura.measures.terms import TermCounts, Terms
from caesura.measures.windows import WindowCounts, Windows
from caesura.measures.wisebe import Wisebe, WisebeCounts
from caesura.measures.wordseg import Wordseg, WordsegCounts
from caesura.tasks.terms import TermsTask

References = Sequence[Boundaries]
Path = str | PathLike[str]

masses = Segmentation.from_masses
positions = Segmentation.from_positions
document = as_document


def wisebe(
    candidate: Boundaries, references: References, *, window: int = 2, final: Final = "drop"
) -> Result[WisebeCounts]:
    """WiSeBE of a candidate against several references.

    >>> wisebe("a b // c d e // f", ["a b // c d // e f", "a b // c d e f"], window=1).score
    0.25
    """
    return _against_many(Wisebe(window, final), candidate, references, "score")


def consensus(
    candidate: Boundaries, references: References, *, least: int = 0, final: Final = "drop"
) -> Result[BoundaryCounts]:
    """P, R, F1 against the boundaries that at least `least` references have; 0 is the majority."""
    return _against_many(Consensus(least, final), candidate, references, "f1")


def either(
    candidate: Boundaries, references: References, *, final: Final = "drop"
) -> Result[EitherCounts]:
    """Slot error rate in which only decisions that no reference supports are errors."""
    return _against_many(Either(final), candidate, references, "ser")


def boundary(
    candidate: Boundaries, reference: Boundaries, *, final: Final = "drop"
) -> Result[BoundaryCounts]:
    """Precision, recall, F1, SER and CER against one reference."""
    return _against_one(Boundary(final), candidate, reference, "f1")


def marks(
    candidate: Boundaries, reference: Boundaries, *, final: Final = "drop"
) -> Result[MarkCounts]:
    """P, R, F1 for each mark, and SER with substitutions."""
    return _against_one(Marks(final), candidate, reference, "score")


def tolerant(
    candidate: Boundaries, reference: Boundaries, *, tolerance: int = 2, final: Final = "drop"
) -> Result[TolerantCounts]:
    """P, R, F1 with boundaries matched up to some words apart."""
    return _against_one(Tolerant(tolerance, final), candidate, reference, "f1")


def pk(candidate: Boundaries, reference: Boundaries, *, k: int = 0) -> Result[WindowCounts]:
    """Pk: the share of windows of k + 1 words that are wrongly split or not split."""
    return _against_one(Windows(k), candidate, reference, "pk")


def windowdiff(candidate: Boundaries, reference: Boundaries, *, k: int = 0) -> Result[WindowCounts]:
    """WindowDiff: the share of windows of k + 1 words with different numbers of boundaries."""
    return _against_one(Windows(k), candidate, reference, "windowdiff")


def boundary_similarity(
    candidate: Boundaries, reference: Boundaries, *, near: int = 2
) -> Result[EditCounts]:
    """Fournier's B.

    >>> boundary_similarity(masses([2, 3, 6]), masses([2, 2, 7])).score
    0.75
    """
    return _against_one(Edit(near), candidate, reference, "boundary_similarity")


def segmentation_similarity(
    candidate: Boundaries, reference: Boundaries, *, near: int = 2
) -> Result[EditCounts]:
    """Fournier and Inkpen's S."""
    return _against_one(Edit(near), candidate, reference, "segmentation_similarity")


def cohen_kappa(a: Boundaries, b: Boundaries, *, final: Final = "drop") -> Result[BoundaryCounts]:
    """Cohen's κ of two references over all positions."""
    return _against_one(Boundary(final), a, b, "kappa")


def agreement(references: References, *, final: Final = "drop") -> Result[AgreementCounts]:
    """RGAR, Fleiss' κ (all positions, boundaries only) and Krippendorff's α of references.

    >>> found = agreement(["a b // c d", "a b // c d", "a // b c d"])
    >>> round(found.fleiss_kappa, 3), round(found.krippendorff_alpha, 3)
    (0.0, 0.111)
    """
    wanted = _documents(references)
    panel = _panel(wanted, members=len(wanted))
    return Result(Agreement(final), Agreement(final).count(panel), "fleiss_kappa", len(panel))


def joint(
    system: Tokens,
    gold: Tokens,
    *,
    equivalences: str = "quotes",
    normalize: Literal["nfc", "nfkc"] | None = None,
    algorithm: Literal["blocks", "literal"] = "blocks",
) -> Result[JointCounts]:
    """Tokens and sentences jointly.

    A text is one sentence per line with tokens separated by spaces, a list of such lines, or a list
    of lists of tokens.

    >>> joint([["I", "ca", "n't", "go", "."]], [["I", "can", "not", "go", "."]]).tokens
    Matches(tp=3, fp=2, fn=2)
    """
    table = load(equivalences)
    ours, theirs = (as_tokens(text, table, normalize) for text in (system, gold))
    measure = Joint(algorithm, equivalences, normalize or "none")
    return Result(measure, measure.count(ours, theirs), "score")


def wordseg(system: Tokens, gold: Tokens) -> Result[WordsegCounts]:
    """Tokens, types and boundaries of segmented utterances, one a line or a list of words.

    >>> wordseg("the dog bites thedog", "the dog bites the dog").token
    Matches(tp=3, fp=1, fn=2)
    """
    ours, theirs = (as_tokens(text, TABLES["none"]) for text in (system, gold))
    return Result(Wordseg(), Wordseg().count(ours, theirs), "score")


def terms(
    classes: Path | Mapping[str, Sequence[Interval]],
    *,
    phones: Path | Sequence[Label],
    words: Path | Sequence[Label],
    profile: Literal["2017", "paper"] = "2017",
) -> Result[TermCounts]:
    """Boundary, token, type, grouping, NED and coverage of discovered terms.

    Classes, phones and words are paths, or plain values: intervals (file, on, off) by class, and
    lists of (file, on, off, label).

    >>> gold = [("f", 0, 0.2, "a"), ("f", 0.2, 0.4, "b")]
    >>> terms({"1": [("f", 0, 0.4)]}, phones=gold, words=[("f", 0, 0.4, "ab")]).token
    Matches(tp=1, fp=0, fn=0)
    """
    task = TermsTask(profile)
    gold = task.read_gold(as_intervals(phones, "phones"), as_intervals(words, "words"))
    found = str(classes) if isinstance(classes, str | PathLike) else as_clusters(classes)
    return Result(Terms(profile), Terms(profile).count(task.read_found(found, gold)), "score")


def _against_one(
    measure: PairMeasure, candidate: Boundaries, reference: Boundaries, headline: str
) -> Result[Any]:
    placed, wanted = as_document(candidate), as_document(reference)
    require_one_axis(wanted, [placed])
    return Result(measure, measure.count(placed.segmentation, wanted.segmentation), headline)


def _against_many(
    measure: PanelMeasure, candidate: Boundaries, references: References, headline: str
) -> Result[Any]:
    placed, wanted = as_document(candidate), _documents(references)
    panel = _panel([*wanted, placed], members=len(wanted))
    return Result(measure, measure.count(placed.segmentation, panel), headline, len(panel))


def _documents(references: References) -> list[Document]:
    if isinstance(references, str | Document | Segmentation):
        raise SegmentationError("references must be a list, even if there is only one")
    return [as_document(reference) for reference in references]


def _panel(documents: list[Document], members: int) -> Panel:
    """Combine the first documents, after checking that all have the same words."""
    if not members:
        raise SegmentationError("no references; give at least one")
    require_one_axis(documents[0], documents[1:])
    return Panel(tuple(each.segmentation for each in documents[:members]))
