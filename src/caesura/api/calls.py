"""One call for each measure, on documents, texts and plain Python values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from os import PathLike
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from caesura.align.axis import require_one_axis
from caesura.align.speech import Discovered, Gold
from caesura.api.result import Result
from caesura.core.intervals import Clusters, Intervals
from caesura.core.segmentation import Document, Final, Panel, Segmentation, is_binary
from caesura.core.text import Text
from caesura.errors import SegmentationError, UnknownNameError
from caesura.formats.classes import parse_clusters, read_clusters
from caesura.formats.equivalences import TABLES, Equivalences, load
from caesura.formats.intervals import parse_intervals, read_intervals
from caesura.formats.plain import MARKS, parse
from caesura.formats.tokens import parse_filled, parse_tokens
from caesura.measures import (
    Agreement,
    AgreementCounts,
    Boundary,
    BoundaryCounts,
    Consensus,
    Edit,
    EditCounts,
    Either,
    EitherCounts,
    Joint,
    JointCounts,
    MarkCounts,
    Marks,
    PairMeasure,
    PanelMeasure,
    TermCounts,
    Terms,
    Tolerant,
    TolerantCounts,
    WindowCounts,
    Windows,
    Wisebe,
    WisebeCounts,
    Wordseg,
    WordsegCounts,
)
from caesura.run.cases import require_distinct
from caesura.scores.transcript import transcript_summary
from caesura.tasks.transcript import Transcript, count_documents

Boundaries = Document | Segmentation | str | npt.ArrayLike
References = Sequence[Boundaries]
Tokens = Text | str | Sequence[str] | Sequence[Sequence[str]]
Path = str | PathLike[str]
Interval = tuple[str, float, float]
Label = tuple[str, float, float, str]

masses = Segmentation.from_masses
positions = Segmentation.from_positions


def document(value: Boundaries, *, input: str = "auto", marks: str = MARKS) -> Document:
    """Understand a value as a segmentation.

    A text is read as a file would be, with the same options. A list says for each word, by 0 or 1,
    whether a unit ends after it. `masses([2, 3])` takes lengths of units and
    `positions([1, 4], length=7)` the words after which a unit ends.

    >>> document("so // it rained").segmentation == document([1, 0, 0]).segmentation
    True
    """
    if isinstance(value, Document):
        return value
    if isinstance(value, Segmentation):
        return Document(value)
    if isinstance(value, str):
        return parse(value, input, marks=marks)
    array = _array(value)
    if not is_binary(array):
        raise SegmentationError(
            "a list of numbers may be masses or positions; say which with "
            "caesura.masses([2, 3]) or caesura.positions([1, 4], length=7)"
        )
    return Document(Segmentation.from_binary(array))


def _array(value: npt.ArrayLike) -> npt.NDArray[Any]:
    try:
        return np.asarray(value)
    except ValueError:
        raise SegmentationError("a 0/1 list has to be flat and hold nothing but 0 and 1") from None


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
    """P, R, F1 against what at least so many references have; 0 is the majority."""
    return _against_many(Consensus(least, final), candidate, references, "f1")


def either(
    candidate: Boundaries, references: References, *, final: Final = "drop"
) -> Result[EitherCounts]:
    """Slot error rate in which only what no reference supports is an error."""
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
    """P, R, F1 in which a boundary may be some words off."""
    return _against_one(Tolerant(tolerance, final), candidate, reference, "f1")


def pk(candidate: Boundaries, reference: Boundaries, *, k: int = 0) -> Result[WindowCounts]:
    """Pk: how often a window of k + 1 words is wrongly whole or cut."""
    return _against_one(Windows(k), candidate, reference, "pk")


def windowdiff(candidate: Boundaries, reference: Boundaries, *, k: int = 0) -> Result[WindowCounts]:
    """WindowDiff: how often a window of k + 1 words holds another number of boundaries."""
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
    """RGAR, Fleiss' κ (all positions, boundaries only) and Krippendorff's α of references."""
    return _among(references, "fleiss_kappa", final)


def fleiss_kappa(references: References, *, final: Final = "drop") -> Result[AgreementCounts]:
    """Fleiss' κ over all positions."""
    return _among(references, "fleiss_kappa", final)


def krippendorff_alpha(references: References, *, final: Final = "drop") -> Result[AgreementCounts]:
    """Krippendorff's α, nominal."""
    return _among(references, "krippendorff_alpha", final)


def joint(
    system: Tokens,
    gold: Tokens,
    *,
    equivalences: str = "quotes",
    normalize: Literal["nfc", "nfkc"] | None = None,
    algorithm: Literal["blocks", "literal"] = "blocks",
) -> Result[JointCounts]:
    """Tokens and sentences jointly.

    A text is one sentence per line with tokens parted by blanks, a list of such lines, or a list
    of lists of tokens.

    >>> joint([["I", "ca", "n't", "go", "."]], [["I", "can", "not", "go", "."]]).tokens
    Matches(tp=3, fp=2, fn=2)
    """
    table = load(equivalences)
    ours, theirs = (_tokenized(text, table, normalize) for text in (system, gold))
    measure = Joint(algorithm, equivalences, normalize or "none")
    return Result(measure, measure.count(ours, theirs), "score")


def _tokenized(value: Tokens, equivalences: Equivalences, normalize: str | None = None) -> Text:
    if isinstance(value, Text):
        return value
    if isinstance(value, str):
        return parse_tokens(value.encode(), equivalences=equivalences, normalize=normalize)
    data = "\n".join(map(_sentence, value)).encode()
    return parse_filled(data, equivalences=equivalences, normalize=normalize, source="<tokens>")


def _sentence(tokens: str | Sequence[str]) -> str:
    """A line of tokens; white space inside a token becomes filler."""
    if isinstance(tokens, str):
        return tokens
    return " ".join(re.sub(r"\s", "\0", token) for token in tokens)


def wordseg(system: Tokens, gold: Tokens) -> Result[WordsegCounts]:
    """Tokens, types and boundaries of segmented utterances, one a line or a list of words.

    >>> wordseg("the dog bites thedog", "the dog bites the dog").token
    Matches(tp=3, fp=1, fn=2)
    """
    ours, theirs = (_tokenized(text, TABLES["none"]) for text in (system, gold))
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
    >>> terms({"1": [("f", 0, 0.4)]}, phones=gold, words=[("f", 0, 0.4, "ab")]).of("token")
    Matches(tp=1, fp=0, fn=0)
    """
    sounds, spoken = _aligned(phones, "phones"), _aligned(words, "words")
    found = Discovered.from_clusters(
        _clusters(classes), Gold.from_intervals(sounds, spoken, source="<words>")
    )
    return Result(Terms(profile), Terms(profile).count(found), "score")


def _aligned(value: Path | Sequence[Label], tier: str) -> Intervals:
    if isinstance(value, str | PathLike):
        return read_intervals(str(value), tier=tier)
    lines = [f"{_interval(each[:3])} {_cell(each[3])}" for each in value]
    return parse_intervals("\n".join(lines).encode(), f"<{tier}>")


def _clusters(value: Path | Mapping[str, Sequence[Interval]]) -> Clusters:
    if isinstance(value, str | PathLike):
        return read_clusters(str(value))
    blocks = ("\n".join((f"Class {_cell(name)}", *map(_interval, value[name]))) for name in value)
    return parse_clusters("\n\n".join(blocks).encode())


def _interval(interval: Interval) -> str:
    file, on, off = interval
    return f"{_cell(file)} {float(on)!r} {float(off)!r}"


def _cell(name: str) -> str:
    """A name without blanks that would part it: they become no-break spaces."""
    return re.sub(r"\s", "\u00a0", str(name))


def transcript(
    systems: Mapping[str, Boundaries], references: Mapping[str, Boundaries], **options: Any
) -> dict[str, Any]:
    """Everything about one transcript, as the JSON of `caesura transcript`.

    The options are those of `caesura.run.counting.Transcript`.
    """
    task = _task(options)
    require_distinct([*systems, *references])
    ours, theirs = (
        {name: document(each, input=task.input, marks=task.marks) for name, each in side.items()}
        for side in (systems, references)
    )
    rows = count_documents("document", ours, theirs, task)
    return transcript_summary(rows, list(systems), list(references), task)


def _task(options: dict[str, Any]) -> Transcript:
    known = [field.name for field in fields(Transcript)]
    for name in options:
        if name not in known:
            raise UnknownNameError("option", name, known)
    return Transcript(**options)


def _against_one(
    measure: PairMeasure, candidate: Boundaries, reference: Boundaries, headline: str
) -> Result[Any]:
    placed, wanted = document(candidate), document(reference)
    require_one_axis(wanted, [placed])
    return Result(measure, measure.count(placed.segmentation, wanted.segmentation), headline)


def _against_many(
    measure: PanelMeasure, candidate: Boundaries, references: References, headline: str
) -> Result[Any]:
    placed, wanted = document(candidate), _documents(references)
    panel = _panel([*wanted, placed], members=len(wanted))
    return Result(measure, measure.count(placed.segmentation, panel), headline, len(panel))


def _among(references: References, headline: str, final: Final) -> Result[AgreementCounts]:
    wanted = _documents(references)
    panel = _panel(wanted, members=len(wanted))
    return Result(Agreement(final), Agreement(final).count(panel), headline, len(panel))


def _documents(references: References) -> list[Document]:
    if isinstance(references, str | Document | Segmentation):
        raise SegmentationError("references have to be a list, even if there is only one")
    return [document(reference) for reference in references]


def _panel(documents: list[Document], members: int) -> Panel:
    """Put the first so many documents together, after a look at the words of all."""
    if not members:
        raise SegmentationError("no references; give at least one")
    require_one_axis(documents[0], documents[1:])
    return Panel(tuple(each.segmentation for each in documents[:members]))
