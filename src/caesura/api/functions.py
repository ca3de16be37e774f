"""One call for each measure, on documents, texts and plain Python values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from os import PathLike
from typing import Any, Literal, TypedDict, Unpack

from caesura.align.versions import Versions
from caesura.api.result import Result
from caesura.core.consensus import consensus_rule
from caesura.core.segmentation import Document, Edges, Final, Segmentation
from caesura.errors import SegmentationError, UsageError
from caesura.formats.equivalences import TABLES, load
from caesura.measures.agreement import Agreement, AgreementCounts
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
from caesura.measures.windows import WindowCounts, Windows
from caesura.measures.wisebe import Wisebe, WisebeCounts
from caesura.tasks.terms.counting import TermsTask
from caesura.tasks.terms.measures import Profile, TermCounts, Terms, Ties
from caesura.tasks.terms.speech import Interval, Label, as_clusters, as_intervals
from caesura.tasks.text.counting import Tokens, as_tokens
from caesura.tasks.transcript import values
from caesura.tasks.transcript.values import Boundaries, as_document
from caesura.tasks.trees.brackets import TreeAlgorithm
from caesura.tasks.trees.counting import TreesTask, as_trees
from caesura.tasks.trees.measures import BracketCounts, Brackets
from caesura.tasks.utterances import Wordseg, WordsegCounts

References = Iterable[Boundaries] | Mapping[str, Boundaries]
Path = str | PathLike[str]


class EdgeOptions(TypedDict, total=False):
    """How versions are put on one axis: `align` words that differ, or see `times`."""

    align: bool
    edges: Edges
    step: int | str


class AxisOptions(EdgeOptions, total=False):
    """The same, and how far boundaries may lie apart in time, or samples, to match."""

    tolerance: int | str


CANDIDATE, REFERENCE = "candidate", "reference"
ONE = "references must be a list, even if there is only one: [reference]"

_of: Any = partial
"""A measure that is made later, with the options of an axis."""
labels = values.labels
masses = Segmentation.from_masses
positions = Segmentation.from_positions
document = as_document
times = values.times


def wisebe(
    candidate: Boundaries,
    references: References,
    *,
    window: int | str = 2,
    final: Final = "drop",
    **axis: Unpack[AxisOptions],
) -> Result[WisebeCounts]:
    """WiSeBE of a candidate against several references.

    >>> wisebe("a b // c d e // f", ["a b // c d // e f", "a b // c d e f"], window=1).score
    0.25
    """
    return _against_many(
        _of(Wisebe, window=window, final=final), candidate, references, "wisebe", axis=axis
    )


def consensus(
    candidate: Boundaries,
    references: References,
    *,
    least: int | str = 0,
    final: Final = "drop",
    **axis: Unpack[AxisOptions],
) -> Result[BoundaryCounts]:
    """P, R and F1 against boundaries that enough references have: a number, or a share of them.

    `least` is a number, 0 for the majority, or a share such as `2/3`.
    """
    return _against_many(
        _of(Consensus, least=consensus_rule(least), final=final),
        candidate,
        references,
        "consensus_f1",
        axis=axis,
    )


def either(
    candidate: Boundaries,
    references: References,
    *,
    final: Final = "drop",
    **axis: Unpack[AxisOptions],
) -> Result[EitherCounts]:
    """Slot error rate in which only decisions that no reference supports are errors."""
    return _against_many(_of(Either, final=final), candidate, references, "ser_either", axis=axis)


def boundary(
    candidate: Boundaries,
    reference: Boundaries,
    *,
    final: Final = "drop",
    **axis: Unpack[AxisOptions],
) -> Result[BoundaryCounts]:
    """Precision, recall, F1, SER and CER against one reference."""
    return _against_one(_of(Boundary, final=final), candidate, reference, "f1", axis=axis)


def marks(
    candidate: Boundaries,
    reference: Boundaries,
    *,
    final: Final = "drop",
    **axis: Unpack[AxisOptions],
) -> Result[MarkCounts]:
    """P, R and F1 by mark, and SER with substitutions."""
    return _against_one(_of(Marks, final=final), candidate, reference, "typed_f1", axis=axis)


def tolerant(
    candidate: Boundaries,
    reference: Boundaries,
    *,
    tolerance: int | str = 2,
    final: Final = "drop",
    **axis: Unpack[EdgeOptions],
) -> Result[TolerantCounts]:
    """P, R and F1 with boundaries matched up to `tolerance` words apart."""
    return _against_one(
        _of(Tolerant, tolerance=tolerance, final=final),
        candidate,
        reference,
        "tolerant_f1",
        axis=axis,
    )


def pk(
    candidate: Boundaries, reference: Boundaries, *, k: int = 0, **axis: Unpack[AxisOptions]
) -> Result[WindowCounts]:
    """Pk: the share of windows of k + 1 words that are wrongly split or not split."""
    return _against_one(_of(Windows, k=k), candidate, reference, "pk", axis=axis)


def windowdiff(
    candidate: Boundaries, reference: Boundaries, *, k: int = 0, **axis: Unpack[AxisOptions]
) -> Result[WindowCounts]:
    """WindowDiff: the share of windows of k + 1 words with different numbers of boundaries."""
    return _against_one(_of(Windows, k=k), candidate, reference, "windowdiff", axis=axis)


def boundary_similarity(
    candidate: Boundaries, reference: Boundaries, *, near: int = 2, **axis: Unpack[AxisOptions]
) -> Result[EditCounts]:
    """Fournier's B.

    >>> boundary_similarity(masses([2, 3, 6]), masses([2, 2, 7])).score
    0.75
    """
    return _against_one(
        _of(Edit, near=near), candidate, reference, "boundary_similarity", axis=axis
    )


def segmentation_similarity(
    candidate: Boundaries, reference: Boundaries, *, near: int = 2, **axis: Unpack[AxisOptions]
) -> Result[EditCounts]:
    """Fournier and Inkpen's S."""
    return _against_one(
        _of(Edit, near=near), candidate, reference, "segmentation_similarity", axis=axis
    )


def cohen_kappa(
    a: Boundaries, b: Boundaries, *, final: Final = "drop", **axis: Unpack[AxisOptions]
) -> Result[BoundaryCounts]:
    """Cohen's κ of two references over all positions."""
    return _against_one(_of(Boundary, final=final), a, b, "cohen_kappa", axis=axis)


def agreement(
    references: References, *, final: Final = "drop", **axis: Unpack[AxisOptions]
) -> Result[AgreementCounts]:
    """RGAR, Fleiss' κ (all positions, boundaries only) and Krippendorff's α of references.

    >>> found = agreement(["a b // c d", "a b // c d", "a // b c d"])
    >>> round(found.fleiss_kappa, 3), round(found.krippendorff_alpha, 3)
    (0.0, 0.111)
    """
    versions = Versions(_documents(references), {})
    measure, on = _placed(_of(Agreement, final=final), versions, axis)
    counts = measure.count(on.panel)
    return Result(measure, counts, "fleiss_kappa", len(on.panel), align=axis.get("align", False))


def joint(
    system: Tokens,
    gold: Tokens,
    *,
    equivalences: str = "quotes",
    normalize: Literal["nfc", "nfkc"] | None = None,
    algorithm: Literal["blocks", "literal"] = "blocks",
) -> Result[JointCounts]:
    """Tokens and sentences jointly.

    A text is one sentence per line with tokens separated by spaces, a list of such lines, a list
    of lists of tokens, or a document of spaCy or stanza.

    >>> joint([["I", "ca", "n't", "go", "."]], [["I", "can", "not", "go", "."]]).tokens
    Matches(tp=3, fp=2, fn=2)
    """
    table = load(equivalences)
    ours = as_tokens(system, table, normalize, source="system")
    theirs = as_tokens(gold, table, normalize, source="gold")
    measure = Joint(algorithm, equivalences, normalize or "none")
    return Result(measure, measure.count(ours, theirs), "token_f1")


def trees(
    system: object,
    gold: object,
    *,
    labels: Literal["cut", "full"] = "cut",
    keep_empty: bool = False,
    algorithm: TreeAlgorithm = "blocks",
    evalb: str | None = None,
) -> Result[BracketCounts]:
    """Brackets and tags of constituency trees, even if tokens and sentences differ.

    Trees are bracketed text, trees of NLTK, lists of either, or paths. `evalb` names parameters of
    evalb, to count as it does: collins, new, or a file.

    >>> found = trees("(S (NP (PRP it)) (VP (VBD rained)))", "(S (PRP it) (VP (VBD rained)))")
    >>> found.brackets, found.unlabelled_f1
    (Matches(tp=2, fp=1, fn=0), 0.8)
    """
    task = TreesTask(labels=labels, keep_empty=keep_empty, algorithm=algorithm, evalb=evalb)
    ours, theirs = (
        as_trees(system, task=task, source="system"),
        as_trees(gold, task=task, source="gold"),
    )
    measure = Brackets(labels, keep_empty, algorithm, evalb or "none")
    return Result(measure, task.count_brackets(ours, theirs), "bracket_f1")


def wordseg(system: Tokens, gold: Tokens, *, units: Tokens | None = None) -> Result[WordsegCounts]:
    """Tokens, types, boundaries and clusters of segmented utterances, one per line or a list.

    `units` are the utterances in the units that the adjusted Rand index counts instead of
    characters, such as phones.

    >>> wordseg("the dog bites thedog", "the dog bites the dog").token
    Matches(tp=3, fp=1, fn=2)
    """
    ours = as_tokens(system, TABLES["none"], source="system")
    theirs = as_tokens(gold, TABLES["none"], source="gold")
    parts = None if units is None else as_tokens(units, TABLES["none"], source="units")
    return Result(Wordseg(), Wordseg().count(ours, theirs, parts), "token_f1")


def terms(
    classes: Path | Mapping[str, Sequence[Interval]],
    *,
    phones: Path | Sequence[Label],
    words: Path | Sequence[Label],
    profile: Profile = "2017",
    ties: Ties = "decimal",
) -> Result[TermCounts]:
    """Boundary, token, type, grouping, NED and coverage of discovered terms.

    Classes, phones and words are paths, or plain values: intervals (file, on, off) by class, and
    lists of (file, on, off, label).

    >>> gold = [("f", 0, 0.2, "a"), ("f", 0.2, 0.4, "b")]
    >>> terms({"1": [("f", 0, 0.4)]}, phones=gold, words=[("f", 0, 0.4, "ab")]).token
    Matches(tp=1, fp=0, fn=0)
    """
    task, measure = TermsTask(profile=profile, ties=ties), Terms(profile, ties)
    gold = task.read_gold(as_intervals(phones, "phones"), as_intervals(words, "words"))
    found = str(classes) if isinstance(classes, str | PathLike) else as_clusters(classes)
    return Result(measure, measure.count(task.read_found(found, gold)), "token_f1")


def _against_one(
    made: partial[Any],
    candidate: Boundaries,
    reference: Boundaries,
    headline: str,
    axis: AxisOptions | EdgeOptions,
) -> Result[Any]:
    sides = {REFERENCE: as_document(reference, source=REFERENCE)}
    versions = Versions(sides, {CANDIDATE: as_document(candidate, source=CANDIDATE)})
    measure, placed = _placed(made, versions, axis, headline)
    on = placed.everyone
    counts = measure.count(on[CANDIDATE].segmentation, on[REFERENCE].segmentation)
    return Result(measure, counts, headline, align=axis.get("align", False))


def _against_many(
    made: partial[Any],
    candidate: Boundaries,
    references: References,
    headline: str,
    axis: AxisOptions | EdgeOptions,
) -> Result[Any]:
    own, wanted = as_document(candidate, source=CANDIDATE), _documents(references)
    _require_whole(wanted, own)
    measure, on = _placed(made, Versions(wanted, {"": own}), axis)
    counts = measure.count(on.systems[""].segmentation, on.panel)
    return Result(measure, counts, headline, len(wanted), align=axis.get("align", False))


def _placed(
    made: partial[Any], versions: Versions, given: AxisOptions | EdgeOptions, headline: str = ""
) -> tuple[Any, Versions]:
    """A measure, and all versions on one axis: words, or the moments or samples of a signal."""
    if any(each.is_signal for each in versions.everyone.values()):
        return _on_signal(made, versions, given, headline)
    for name in given.keys() - {"align"}:
        raise UsageError(f"{name} has no effect on words; drop it")
    return made(), versions.on_words(align=given.get("align", False), axis="")[0]


def _on_signal(
    made: partial[Any], versions: Versions, given: AxisOptions | EdgeOptions, headline: str
) -> tuple[Any, Versions]:
    """A measure with the options of some signals' axis, and these on a clock."""
    from caesura.measures.boundary import CellKappa
    from caesura.tasks.transcript.counting import Transcript

    if given.get("align"):
        raise UsageError("align has no effect without words; drop it")
    axis = next(each.axis for each in versions.everyone.values() if each.is_signal)
    default = {each.name: each.default for each in fields(made.func)}  # type: ignore[arg-type]
    own = {
        "consensus" if name == "least" else name: value
        for name, value in made.keywords.items()
        if name != "final" and value != default[name]
    }
    named = {name: value for name, value in given.items() if name != "align"}
    task = Transcript.from_given({"axis": axis, **own, **named})
    kind: Any = CellKappa if headline == "cohen_kappa" else made.func
    return kind.from_task(task), versions.on_clock(edges=task.edges, axis=axis)


def _documents(references: References) -> dict[str, Document]:
    """The references by name, or by number."""
    if isinstance(references, str | PathLike | Document | Segmentation) or hasattr(
        references, "sents"
    ):
        raise SegmentationError(ONE)
    if not isinstance(references, Mapping):
        if not isinstance(references, Iterable):
            raise SegmentationError(f"references: {references!r} is not a list of references")
        references = {f"{REFERENCE} {at}": each for at, each in enumerate(references, 1)}
    if not references:
        raise SegmentationError("no references; give at least one")
    return {str(name): as_document(each, source=str(name)) for name, each in references.items()}


def _require_whole(references: Mapping[str, Document], candidate: Document) -> None:
    """Raise an error if the references are the sentences of one reference."""
    texts = [each.text or "" for each in references.values()]
    if len(texts) > 1 and " ".join(texts) == candidate.text:
        raise SegmentationError(ONE)
