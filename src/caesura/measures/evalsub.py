"""Breaks of subtitles as EvalSub counts them: words by their numbers, types apart and together.

Karakanta, Buet, Cettolo and Yvon (2022), Evaluating subtitle segmentation for end-to-end generation
systems; Pk, WindowDiff, S and B are segeval's there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.counts import Counts, harmonic, of_arrays, ratio
from caesura.core.line_breaks import BLOCK_END, EOB, EOL, LINE_END
from caesura.core.measure import LineMeasure, PlacedCounts
from caesura.core.score import Better, Score
from caesura.core.segmentation import BoolArray, Document, IntArray
from caesura.core.subtitle_blocks import Subtitles, placed
from caesura.measures.windows import mean_k

KINDS = {"eox": (EOL, EOB), "eol": (EOL,), "eob": (EOB,)}
"""Breaks of both types, of lines and of blocks."""
_TAGS = str.maketrans({LINE_END: EOL, BLOCK_END: EOB})
_BREAK = re.compile(f"({EOL}|{EOB})")
_AROUND, _LAST = re.compile(f" ?({EOL}|{EOB}) ?"), re.compile(f"({EOL}|{EOB})$")
_SPACES = re.compile(" {2,}")
WHOLE, HALF = 2, 1
"""What an addition costs, and a near miss or a break of the other type, in halves of an edit."""
_SCORES: dict[str, tuple[str, str, Better]] = {
    "precision": ("P", "Precision", "high"),
    "recall": ("R", "Recall", "high"),
    "f1": ("F1", "F1", "high"),
    "pk": ("Pk", "Pk", "low"),
    "windowdiff": ("WindowDiff", "WindowDiff", "low"),
    "segmentation_similarity": ("S", "Segmentation similarity", "high"),
    "boundary_similarity": ("B", "Boundary similarity", "high"),
}


class KindScores(NamedTuple):
    """The scores of breaks of one kind: numbers, or arrays of them."""

    precision: object
    recall: object
    f1: object
    pk: object
    windowdiff: object
    segmentation_similarity: object
    boundary_similarity: object


@dataclass(frozen=True, slots=True)
class EvalSubCounts(Counts):
    """For each kind of break what is counted of places, of windows and of edits.

    `typed` are the edits of both types together, in which a break of the other type is one, too;
    `cost`, `pairs` and `room` are in halves of an edit. `short` of the `lines` are within the limit
    of characters.
    """

    eox_hits: int
    eox_found: int
    eox_wanted: int
    eox_pk_errors: int
    eox_windowdiff_errors: int
    eox_windows: int
    eox_cost: int
    eox_pairs: int
    eox_room: int
    eol_hits: int
    eol_found: int
    eol_wanted: int
    eol_pk_errors: int
    eol_windowdiff_errors: int
    eol_windows: int
    eol_cost: int
    eol_pairs: int
    eol_room: int
    eob_hits: int
    eob_found: int
    eob_wanted: int
    eob_pk_errors: int
    eob_windowdiff_errors: int
    eob_windows: int
    eob_cost: int
    eob_pairs: int
    eob_room: int
    typed_cost: int
    typed_pairs: int
    typed_room: int
    short: int
    lines: int

    @property
    def eox(self) -> KindScores:
        """Breaks, whatever their type."""
        return self._of("eox")

    @property
    def eol(self) -> KindScores:
        """Line breaks."""
        return self._of("eol")

    @property
    def eob(self) -> KindScores:
        """Block breaks."""
        return self._of("eob")

    @property
    def segmentation_similarity(self) -> object:
        """S of both types together."""
        return ratio(self.typed_room - self.typed_cost, self.typed_room)

    @property
    def boundary_similarity(self) -> object:
        """B of both types together."""
        return ratio(self.typed_pairs - self.typed_cost, self.typed_pairs)

    @property
    def cpl_conformity(self) -> object:
        """Lines that are short enough / lines, from 0 to 100."""
        return 100 * ratio(self.short, self.lines)

    @property
    def score(self) -> object:
        """F1 of all breaks."""
        return self.eox.f1

    def _of(self, kind: str) -> KindScores:
        def of(name: str) -> Numeric:
            return getattr(self, f"{kind}_{name}")

        precision = ratio(of("hits"), of("found"))
        recall = ratio(of("hits"), of("wanted"))
        return KindScores(
            precision,
            recall,
            harmonic(precision, recall),
            ratio(of("pk_errors"), of("windows")),
            ratio(of("windowdiff_errors"), of("windows")),
            ratio(of("room") - of("cost"), of("room")),
            ratio(of("pairs") - of("cost"), of("pairs")),
        )


def _scores() -> tuple[Score, ...]:
    """The scores that EvalSub's main program prints, then those of one kind of break."""
    similarities = ("segmentation_similarity", "boundary_similarity")
    found = []
    for kind, tags in {"": "breaks", "eox": "breaks", "eol": EOL, "eob": EOB}.items():
        for key, (label, long, better) in _SCORES.items():
            if kind == "eox" and key not in similarities:
                continue
            name = f"{kind}_{key}_evalsub".removeprefix("_")
            take = key if not kind and key in similarities else f"{kind or 'eox'}.{key}"
            what = f"{long} of {tags}, as in EvalSub" + (", by type." if take == key else ".")
            shown = f"{kind} {label} (EvalSub)".strip()
            found.append(Score(name, shown, what, better, take=take))
    what = "Lines within the limit of characters, as in EvalSub (0–100)."
    cpl = Score("cpl_conformity_evalsub", "CPL (EvalSub)", what, take="cpl_conformity", scale=100)
    return (*found, cpl)


@dataclass(frozen=True, slots=True, eq=False)
class TaggedText:
    """A text as EvalSub reads it: how many words, and how many precede each of its breaks.

    A word is what is between white space, also punctuation. The last `<eob>` of a text is left out,
    since the end of the text counts as a break of any kind.
    """

    words: int
    places: dict[str, IntArray]  # by tag: (breaks,) the words before each
    lines: list[str]
    before: IntArray  # (lines,) the words before each line

    @classmethod
    def from_document(cls, document: Document) -> TaggedText:
        """Take the text of a document that was read with its breaks."""
        segments = Subtitles.from_document(document).segments
        joined = " ".join(each.translate(_TAGS).strip() for each in segments)
        pieces = _BREAK.split(_close(_SPACES.sub(" ", joined)).removesuffix(EOB))
        sizes = np.array([len(piece.split()) for piece in pieces[::2]], np.int64)
        upto, tags = np.cumsum(sizes), np.array(pieces[1::2], np.str_)
        places = {tag: upto[:-1][tags == tag] for tag in (EOL, EOB)}
        lines = _BREAK.split(_LAST.sub("", _close(joined)))[::2]
        before = np.append(upto - sizes, upto[-1])[: len(lines)]
        return cls(int(upto[-1]), places, lines, before)

    def breaks(self, kind: str) -> IntArray:
        """The words before each break of a kind, in order, several breaks in a row included."""
        return np.sort(np.concatenate([self.places[tag] for tag in KINDS[kind]]))

    def has_breaks(self, kind: str) -> BoolArray:
        """After how many words there is a break of a kind; the end of the text is one."""
        return _marked(np.append(self.breaks(kind), self.words), self.words + 1)

    def gaps(self, kind: str) -> IntArray:
        """Between which words there is a break of a kind: 1, otherwise 0.

        Before the first word, segeval takes one for the last gap: its index is -1.
        """
        places = self.breaks(kind)
        if self.words < 2:
            return np.zeros(0, np.int64)
        return _marked(places[places < self.words] - 1, self.words - 1).astype(np.int64)


@dataclass(frozen=True, slots=True)
class EvalSub(LineMeasure):
    """EvalSub's P, R and F1, Pk, WindowDiff, S and B, for breaks together and by type.

    Words count by their numbers in the text, whatever they are. If the numbers of words differ,
    only P, R and F1 are defined.
    """

    name: ClassVar[str] = "evalsub"
    counts: ClassVar[type[Counts]] = EvalSubCounts
    scores: ClassVar[tuple[Score, ...]] = _scores()
    least_values: ClassVar[dict[str, int]] = {"max_cpl": 1}

    max_cpl: int = 42

    def count_lines(self, candidate: Document, reference: Document) -> PlacedCounts:
        """Count what begins after each number of words."""
        ours, theirs = TaggedText.from_document(candidate), TaggedText.from_document(reference)
        size = max(ours.words, theirs.words) + 1
        columns = [column for kind in KINDS for column in _of_kind(ours, theirs, kind)]
        columns += _edits(_types(ours), _types(theirs))
        columns += self._lines(ours)
        whole = [_padded(each, size) for each in columns]
        at = placed(np.arange(size), size, reference.segmentation.length)
        return PlacedCounts(of_arrays(EvalSubCounts, *whole), at)

    def _lines(self, ours: TaggedText) -> list[IntArray]:
        """The lines that are short enough, and all, after each number of words."""
        short = [len(line) <= self.max_cpl for line in ours.lines]
        size = ours.words + 1
        return [
            np.bincount(ours.before, weights, minlength=size).astype(np.int64)
            for weights in (short, None)
        ]


def _of_kind(ours: TaggedText, theirs: TaggedText, kind: str) -> list[IntArray]:
    """Hits, breaks found and wanted; errors of windows and windows; cost, pairs and room."""
    size = max(ours.words, theirs.words) + 1
    found, wanted = (_padded(each.has_breaks(kind), size) for each in (ours, theirs))
    hits = [found & wanted, found, wanted]
    edits = _edits(ours.gaps(kind), theirs.gaps(kind))
    return [*hits, *_windows(ours, theirs, kind), *edits]


def _windows(ours: TaggedText, theirs: TaggedText, kind: str) -> list[IntArray]:
    """The windows of k gaps that begin at each word: errors of Pk, of WindowDiff, and all."""
    k = mean_k(theirs.words, theirs.breaks(kind).size + 1)
    total = max(0, theirs.words - k) if ours.words == theirs.words else 0
    sums = [_sums(each.has_breaks(kind)[1:-1], k, total) for each in (ours, theirs)]
    errors = (sums[0] > 0) != (sums[1] > 0), sums[0] != sums[1]
    return [*(each.astype(np.int64) for each in errors), np.ones(total, np.int64)]


def _sums(gaps: BoolArray, k: int, total: int) -> IntArray:
    """How many breaks there are in the k gaps from each on."""
    before = np.append(0, np.cumsum(gaps))
    found: IntArray = before[k : k + total] - before[:total]
    return found


def _types(text: TaggedText) -> IntArray:
    """The types of the breaks of each gap, as bits: 1 a block's, 2 a line's."""
    return text.gaps("eob") + 2 * text.gaps("eol")


def _edits(ours: IntArray, theirs: IntArray) -> list[IntArray]:
    """The cost of what turns one into the other, what can be paired, and the room, gap by gap.

    Nothing if the numbers of words differ, or if there is no break. The room of segeval has the
    number of types twice.
    """
    types = int(np.bitwise_or.reduce(np.append(ours, theirs), initial=0)).bit_count()
    if ours.size != theirs.size or not types:
        return [np.zeros(0, np.int64)] * 3
    cost, edits = _boundary_edits(ours, theirs)
    pairs = WHOLE * (edits + _bits(ours & theirs))
    return [cost, pairs, np.full(ours.size, WHOLE * types * types)]


def _boundary_edits(ours: IntArray, theirs: IntArray) -> tuple[IntArray, IntArray]:
    """The cost and the number of the edits at each gap, as segeval finds them with n_t = 2.

    A break that only one side has and one of its type in the next gap that only the other has are a
    near miss, from left to right, unless both gaps have breaks of other types to exchange.
    """
    left = ours ^ theirs  # types that only one side has
    missed = np.zeros_like(left)
    for at in np.flatnonzero(left[:-1] & left[1:] & (ours[:-1] ^ ours[1:])).tolist():
        moved = ours[at] ^ ours[at + 1]
        for bit in (1, 2):
            here, there = left[at], left[at + 1]
            is_near = bool(here & there & moved & (theirs[at] ^ theirs[at + 1]) & bit)
            if is_near and not (
                _is_swap(here, ours[at], theirs[at])
                and _is_swap(there, ours[at + 1], theirs[at + 1])
            ):
                left[at] &= ~bit
                left[at + 1] &= ~bit
                missed[at] += 1
    swaps = ((left & ours) > 0) & ((left & theirs) > 0)
    additions = _bits(left) - 2 * swaps
    return WHOLE * additions + HALF * (swaps + missed), additions + swaps + missed


def _is_swap(left: int, ours: int, theirs: int) -> bool:
    """Whether what is left of a gap has types of both sides, to exchange."""
    return bool(left & ours) and bool(left & theirs)


def _bits(values: IntArray) -> IntArray:
    """How many of two bits are set."""
    return (values & 1) + (values >> 1)


def _padded(values: IntArray | BoolArray, size: int) -> IntArray:
    """The same as whole numbers, with zeros after them."""
    found = np.zeros(size, np.int64)
    found[: values.size] = values
    return found


def _close(text: str) -> str:
    """A text without a space beside a break."""
    return _AROUND.sub(r"\1", text)


def _marked(places: IntArray, size: int) -> BoolArray:
    """Which of some places there are; -1 is the last."""
    found = np.zeros(size, np.bool_)
    found[places] = True
    return found
