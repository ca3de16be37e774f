"""What the transcript benchmark compares: made-up input, ours, and each peer's call.

A peer's function makes its input from a transcript and returns the call that is timed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import krippendorff
import numpy as np
import numpy.typing as npt
import segeval
from nltk.metrics.segmentation import pk as nltk_pk
from nltk.metrics.segmentation import windowdiff as nltk_windowdiff
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from caesura.core.segmentation import Segmentation, panel
from caesura.measures.agreement import Agreement
from caesura.measures.boundary import Boundary
from caesura.measures.edit import Edit
from caesura.measures.windows import Windows, mean_k

Binary = npt.NDArray[np.int8]
MARKS = np.array([".", "?", "!", ";"])
SEED = 20180712


@dataclass(frozen=True)
class Transcript:
    """Made-up references and systems over n words, and the forms that the peers want."""

    length: int
    references: tuple[Segmentation, ...]
    systems: tuple[Segmentation, ...]

    @property
    def pair(self) -> tuple[Segmentation, ...]:
        """The first system and the first reference."""
        return self.systems[0], self.references[0]

    @cached_property
    def k(self) -> int:
        first = self.references[0]
        return mean_k(first.length, first.boundaries.size)

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """System and reference as NLTK reads them, over the gaps."""
        digits = (binary(side)[:-1] + ord("0") for side in self.pair)
        return tuple(side.astype(np.uint8).tobytes().decode() for side in digits)

    @cached_property
    def masses(self) -> tuple[tuple[int, ...], ...]:
        """System and reference as segeval reads them."""
        return tuple(tuple(side.masses.tolist()) for side in self.pair)

    @cached_property
    def ratings(self) -> Binary:
        """References × gaps, 0 or 1; eight bits are what krippendorff is fastest with."""
        return np.array([binary(side)[:-1] for side in self.references])

    @cached_property
    def table(self) -> npt.NDArray[np.int64]:
        """Gaps × categories, how many references chose each, as aggregate_raters lays it out."""
        marked = self.ratings.sum(axis=0, dtype=np.int64)
        return np.stack((len(self.references) - marked, marked), axis=1)


def binary(segmentation: Segmentation) -> Binary:
    """0 or 1 for each word."""
    values = np.zeros(segmentation.length, dtype=np.int8)
    values[segmentation.boundaries] = 1
    return values


def make_transcript(length: int) -> Transcript:
    """A boundary in about 15 words; three references (κ ≈ .6), two systems with more jitter."""
    rng = np.random.default_rng(SEED)
    truth = np.flatnonzero(rng.random(length) < 1 / 15)
    references = [_view(rng, truth, length, keep=0.85, jitter=0.1) for _ in range(3)]
    systems = [_view(rng, truth, length, keep=0.75, jitter=0.25) for _ in range(2)]
    return Transcript(length, tuple(references), tuple(systems))


def _view(
    rng: np.random.Generator,
    truth: npt.NDArray[np.intp],
    length: int,
    *,
    keep: float,
    jitter: float,
) -> Segmentation:
    kept = truth[rng.random(truth.size) < keep]
    moved = (rng.random(kept.size) < jitter) * rng.integers(-2, 3, kept.size)
    extra = rng.integers(0, length, length // 100)
    positions = np.concatenate((np.clip(kept + moved, 0, length - 1), extra))
    right = MARKS[(positions % 10 == 0).astype(np.int64)]
    marks = np.where(rng.random(positions.size) < 0.1, rng.choice(MARKS, positions.size), right)
    return Segmentation.from_positions(positions, length, marks)


Ours = Callable[[Sequence[Segmentation]], float]


def ours_pk(pair: Sequence[Segmentation]) -> float:
    return Windows().count(*pair).pk


def ours_windowdiff(pair: Sequence[Segmentation]) -> float:
    return Windows().count(*pair).windowdiff


def ours_b(pair: Sequence[Segmentation]) -> float:
    return Edit().count(*pair).boundary_similarity


def ours_s(pair: Sequence[Segmentation]) -> float:
    return Edit().count(*pair).segmentation_similarity


def ours_f1(pair: Sequence[Segmentation]) -> float:
    return Boundary().count(*pair).f1


def ours_kappa(references: Sequence[Segmentation]) -> float:
    return Agreement().count(panel(references)).fleiss_kappa


def ours_alpha(references: Sequence[Segmentation]) -> float:
    return Agreement().count(panel(references)).krippendorff_alpha


def by_nltk_pk(task: Transcript) -> Callable[[], float]:
    hypothesis, reference = task.strings
    return lambda: float(nltk_pk(reference, hypothesis, task.k))


def by_nltk_windowdiff(task: Transcript) -> Callable[[], float]:
    hypothesis, reference = task.strings
    return lambda: float(nltk_windowdiff(reference, hypothesis, task.k))


def by_segeval(name: str, **options: str) -> Callable[[Transcript], Callable[[], float]]:
    """A function of segeval, given masses; `options` name what to take from the transcript."""

    def prepare(task: Transcript) -> Callable[[], float]:
        given = {option: getattr(task, source) for option, source in options.items()}
        return lambda: float(getattr(segeval, name)(*task.masses, **given))

    return prepare


def by_statsmodels_table(task: Transcript) -> Callable[[], float]:
    table = task.table
    return lambda: float(fleiss_kappa(table))


def by_statsmodels_columns(task: Transcript) -> Callable[[], float]:
    """Column by column, the sums over rows of two are several times faster."""
    table = np.asfortranarray(task.table)
    return lambda: float(fleiss_kappa(table))


def by_statsmodels_ratings(task: Transcript) -> Callable[[], float]:
    ratings = np.ascontiguousarray(task.ratings.T, dtype=np.int64)
    return lambda: float(fleiss_kappa(aggregate_raters(ratings, n_cat=2)[0]))


def by_krippendorff_table(task: Transcript) -> Callable[[], float]:
    table = task.table
    return lambda: float(krippendorff.alpha(value_counts=table, level_of_measurement="nominal"))


def by_krippendorff_columns(task: Transcript) -> Callable[[], float]:
    table = np.asfortranarray(task.table)
    return lambda: float(krippendorff.alpha(value_counts=table, level_of_measurement="nominal"))


def by_krippendorff_ratings(task: Transcript) -> Callable[[], float]:
    ratings = task.ratings
    return lambda: float(krippendorff.alpha(ratings, level_of_measurement="nominal"))


def by_numpy_windows(task: Transcript, *, count: bool) -> Callable[[], float]:
    """What one writes down at once: running sums over 0/1 arrays."""
    sides = [binary(side)[:-1] for side in task.pair]

    def score() -> float:
        sums = [np.concatenate(([0], np.cumsum(side))) for side in sides]
        a, b = (run[task.k :] - run[: -task.k] for run in sums)
        return float((a != b).mean()) if count else float(((a > 0) != (b > 0)).mean())

    return score


def by_numpy_f1(task: Transcript) -> Callable[[], float]:
    a, b = (side.positions() for side in task.pair)

    def score() -> float:
        return 2 * np.intersect1d(a, b, assume_unique=True).size / (a.size + b.size)

    return score


def by_numpy_f1_dense(task: Transcript) -> Callable[[], float]:
    a, b = (binary(side)[:-1].astype(np.bool_) for side in task.pair)
    return lambda: float(2 * (a & b).sum() / (a.sum() + b.sum()))


def by_numpy_kappa(task: Transcript) -> Callable[[], float]:
    ratings, m = task.ratings, len(task.references)

    def score() -> float:
        marked = ratings.sum(axis=0, dtype=np.int64)
        agreeing = (marked * (marked - 1) + (m - marked) * (m - marked - 1)).mean()
        share = marked.mean() / m
        chance = share**2 + (1 - share) ** 2
        return float((agreeing / (m * (m - 1)) - chance) / (1 - chance))

    return score


@dataclass(frozen=True, slots=True)
class Comparison:
    """A measure, the peer that also has it, and what is timed of the peer."""

    measure: str
    peer: str
    timed: str
    prepare: Callable[[Transcript], Callable[[], float]]
    ours: Ours
    of_references: bool = False

    def given(self, task: Transcript) -> tuple[Segmentation, ...]:
        """What ours is given."""
        return task.references if self.of_references else task.pair

    def check(self, theirs: float, task: Transcript) -> str:
        """Say that the two numbers are the same; stop if they are not."""
        ours = self.ours(self.given(task))
        if theirs == ours:
            return "equal"
        if math.isclose(theirs, ours, rel_tol=1e-9, abs_tol=1e-12):
            return f"within {abs(theirs - ours):.0e}"
        raise AssertionError(f"{self.measure}: {self.peer} gives {theirs!r}, caesura {ours!r}")


COMPARISONS = (
    Comparison("Pk", "NLTK", "0/1 string", by_nltk_pk, ours_pk),
    Comparison("Pk", "segeval", "masses", by_segeval("pk", window_size="k"), ours_pk),
    Comparison("Pk", "obvious NumPy", "0/1 array", partial(by_numpy_windows, count=False), ours_pk),
    Comparison("WindowDiff", "NLTK", "0/1 string", by_nltk_windowdiff, ours_windowdiff),
    Comparison(
        "WindowDiff",
        "segeval",
        "masses",
        by_segeval("window_diff", window_size="k"),
        ours_windowdiff,
    ),
    Comparison(
        "WindowDiff",
        "obvious NumPy",
        "0/1 array",
        partial(by_numpy_windows, count=True),
        ours_windowdiff,
    ),
    Comparison("B", "segeval", "masses", by_segeval("boundary_similarity"), ours_b),
    Comparison("S", "segeval", "masses", by_segeval("segmentation_similarity"), ours_s),
    Comparison("F1", "obvious NumPy", "positions, intersect1d", by_numpy_f1, ours_f1),
    Comparison("F1", "obvious NumPy", "0/1 array, a & b", by_numpy_f1_dense, ours_f1),
    Comparison(
        "Fleiss' κ",
        "statsmodels",
        "table, made beforehand",
        by_statsmodels_table,
        ours_kappa,
        of_references=True,
    ),
    Comparison(
        "Fleiss' κ",
        "statsmodels",
        "the same, column-major",
        by_statsmodels_columns,
        ours_kappa,
        of_references=True,
    ),
    Comparison(
        "Fleiss' κ",
        "statsmodels",
        "ratings, with aggregate_raters",
        by_statsmodels_ratings,
        ours_kappa,
        of_references=True,
    ),
    Comparison(
        "Fleiss' κ",
        "obvious NumPy",
        "ratings",
        by_numpy_kappa,
        ours_kappa,
        of_references=True,
    ),
    Comparison(
        "Krippendorff's α",
        "krippendorff",
        "table, made beforehand",
        by_krippendorff_table,
        ours_alpha,
        of_references=True,
    ),
    Comparison(
        "Krippendorff's α",
        "krippendorff",
        "the same, column-major",
        by_krippendorff_columns,
        ours_alpha,
        of_references=True,
    ),
    Comparison(
        "Krippendorff's α",
        "krippendorff",
        "ratings",
        by_krippendorff_ratings,
        ours_alpha,
        of_references=True,
    ),
)
