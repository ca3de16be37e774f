"""The same scores as other programs give, and where they differ."""

import math
from decimal import InvalidOperation

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from caesura.core.segmentation import panel
from caesura.measures.agreement import Agreement
from caesura.measures.boundary import Boundary
from caesura.measures.edit import Edit
from caesura.measures.windows import WindowCounts, Windows
from support.strategies import FINALS, at, counted, counted_each, masses, pairs, panels, room

pytestmark = pytest.mark.slow

ONE_CATEGORY = "invalid value encountered in scalar divide"


@pytest.fixture(scope="module")
def segeval():
    return pytest.importorskip("segeval")


@pytest.fixture(scope="module")
def nltk():
    return pytest.importorskip("nltk.metrics.segmentation")


@pytest.fixture(scope="module")
def inter_rater():
    return pytest.importorskip("statsmodels.stats.inter_rater")


@pytest.fixture(scope="module")
def krippendorff():
    return pytest.importorskip("krippendorff")


def lengths(segmentation):
    return tuple(segmentation.masses.tolist())


def gaps(segmentation):
    inner = counted(segmentation, "drop")
    return "".join("01"[j in inner] for j in range(segmentation.length - 1))


def ratings(references, final):
    slots = range(room(references.members[0], final))
    each = counted_each(references, final)
    return np.array([[int(j in positions) for j in slots] for positions in each])


@given(pair=pairs(), k=st.integers(0, 12))
def test_segeval_windows(segeval, pair, k):
    counts = Windows(k).count(*pair)
    assume(counts.windows)
    options = {"window_size": k} if k else {}
    hypothesis, wanted = map(lengths, pair)
    assert counts.pk == pytest.approx(float(segeval.pk(hypothesis, wanted, **options)), rel=1e-12)
    found = segeval.window_diff(hypothesis, wanted, **options)
    assert counts.windowdiff == pytest.approx(float(found), rel=1e-12)


@given(pair=pairs(), near=st.integers(2, 4))
def test_segeval_edits(segeval, pair, near):
    counts = Edit(near).count(*pair)
    assume(counts.pairs)
    hypothesis, wanted = map(lengths, pair)
    _, _, additions, substitutions, transpositions = segeval.boundary_similarity(
        hypothesis, wanted, n_t=near, return_parts=True
    )
    assert counts.additions == len(additions)
    assert counts.transpositions == len(transpositions)
    assert not substitutions
    b = segeval.boundary_similarity(hypothesis, wanted, n_t=near)
    assert counts.boundary_similarity == pytest.approx(float(b), abs=1e-12)
    s = segeval.segmentation_similarity(hypothesis, wanted, n_t=near)
    assert counts.segmentation_similarity == pytest.approx(float(s), abs=1e-12)


@given(pair=pairs().filter(lambda pair: len(pair[0]) > 1), data=st.data())
def test_nltk_windows(nltk, pair, data):
    hypothesis, wanted = map(gaps, pair)
    k = data.draw(st.integers(1, len(wanted)))
    counts = Windows(k).count(*pair)
    assert counts.pk == pytest.approx(nltk.pk(wanted, hypothesis, k), rel=1e-12)
    assert counts.windowdiff == pytest.approx(nltk.windowdiff(wanted, hypothesis, k), rel=1e-12)


@given(references=panels(2), final=FINALS)
def test_statsmodels_fleiss_kappa(inter_rater, references, final):
    votes = ratings(references, final).sum(axis=0)
    assume(0 < votes.sum() < votes.size * len(references))
    counts, m = Agreement(final).count(references), len(references)
    table = np.stack((votes, m - votes), axis=1)
    found = inter_rater.fleiss_kappa(table)
    assert counts.fleiss_kappa == pytest.approx(found, abs=1e-12)
    some = table[votes > 0]
    if some[:, 1].any():
        found = inter_rater.fleiss_kappa(some)
        assert counts.fleiss_kappa_boundaries == pytest.approx(found, abs=1e-12)


@given(pair=pairs(), final=FINALS)
def test_statsmodels_cohens_kappa(inter_rater, pair, final):
    counts = Boundary(final).count(*pair)
    assume(not math.isnan(counts.kappa))
    neither = counts.slots - counts.tp - counts.fp - counts.fn
    table = np.array([[counts.tp, counts.fp], [counts.fn, neither]])
    found = inter_rater.cohens_kappa(table, return_results=False)
    assert counts.kappa == pytest.approx(found, abs=1e-12)


@given(references=panels(2), final=FINALS)
def test_krippendorff_alpha(krippendorff, references, final):
    data = ratings(references, final)
    assume(0 < data.sum() < data.size)
    found = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
    assert Agreement(final).count(references).krippendorff_alpha == pytest.approx(found, abs=1e-12)


def test_nltk_takes_its_default_k_from_gaps_and_boundaries(nltk):
    hypothesis, wanted = masses(3), masses(2, 1)
    assert Windows().count(hypothesis, wanted) == WindowCounts(1, 1, 1)
    assert nltk.pk(gaps(wanted), gaps(hypothesis)) == 0.5


def test_segeval_stops_at_windows_of_256_units(segeval):
    same = masses(300)
    assert segeval.window_diff(lengths(same), lengths(same), window_size=255) == 0
    with pytest.raises(AssertionError):
        segeval.window_diff(lengths(same), lengths(same), window_size=256)
    assert Windows(256).count(same, same).windowdiff == 0


def test_segeval_has_no_similarity_of_two_without_boundaries(segeval):
    counts = Edit().count(masses(5), masses(5))
    assert math.isnan(counts.boundary_similarity)
    assert counts.segmentation_similarity == 1
    for similarity in (segeval.boundary_similarity, segeval.segmentation_similarity):
        with pytest.raises(ValueError, match="empty"):
            similarity((5,), (5,))


def test_segeval_calls_pk_0_where_there_is_no_window(segeval):
    assert math.isnan(Windows().count(masses(2), masses(1, 1)).pk)
    assert segeval.pk((2,), (1, 1)) == 0
    with pytest.raises(InvalidOperation):
        segeval.window_diff((2,), (1, 1))


def test_krippendorff_refuses_one_category(krippendorff):
    references = panel([at(5), at(5)])
    assert math.isnan(Agreement().count(references).krippendorff_alpha)
    with pytest.raises(ValueError, match="more than one value"):
        krippendorff.alpha(ratings(references, "drop"), level_of_measurement="nominal")


@pytest.mark.filterwarnings(f"ignore:{ONE_CATEGORY}:RuntimeWarning")
def test_statsmodels_divides_by_0_where_there_is_one_category(inter_rater):
    references = panel([at(5), at(5)])
    assert math.isnan(Agreement().count(references).fleiss_kappa)
    assert math.isnan(inter_rater.fleiss_kappa(np.array([[0, 2]] * 4)))
    assert math.isnan(Boundary().count(at(5), at(5)).kappa)
    assert math.isnan(inter_rater.cohens_kappa(np.array([[0, 0], [0, 4]]), return_results=False))
