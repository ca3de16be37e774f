"""Agreement of coders by boundary similarity: B-based κ and π."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from caesura.communities.topics.measures import CoderCounts, CoderPairs, Coders
from caesura.core.segmentation import panel
from support import reference_topics
from support.hypothesis_settings import MANY
from support.published import figures
from support.strategies import at, counted, groups, masses, panels

NEAR = st.integers(1, 5)
PUBLISHED = figures("segeval")


@pytest.fixture(scope="module")
def segeval():
    return pytest.importorskip("segeval")


def total(documents, near=2):
    counts = (Coders(near).count(panel(each)) for each in documents)
    return sum(counts, CoderCounts.zero())


def values(counts):
    return counts.agreement, counts.kappa, counts.pi, counts.bias


@st.composite
def corpora(draw):
    """Documents, each with as many versions."""
    coders = draw(st.integers(2, 4))
    return draw(st.lists(groups(coders, coders), min_size=1, max_size=4))


@MANY
@given(corpora(), NEAR)
def test_equal_their_twins(corpus, near):
    documents = [[(counted(own, "drop"), len(own)) for own in each] for each in corpus]
    found = map(float, reference_topics.coders(documents, near))
    assert values(total(corpus, near)) == pytest.approx(tuple(found), abs=1e-12, nan_ok=True)


@given(corpus=corpora(), near=st.integers(2, 4))
def test_segeval_gives_the_same(segeval, corpus, near):
    corpus = [each for each in corpus if sum(own.boundaries.size < 2 for own in each) < 2]
    assume(corpus)
    data = {
        f"d{at}": {f"c{n}": tuple(own.masses.tolist()) for n, own in enumerate(each)}
        for at, each in enumerate(corpus)
    }
    counts = total(corpus, near)
    assume(counts.chance_of_each != 1 and counts.chance_of_all != 1)
    functions = (
        segeval.actual_agreement_linear,
        segeval.fleiss_kappa_linear,
        segeval.fleiss_pi_linear,
        segeval.artstein_poesio_bias_linear,
    )
    found = tuple(float(each(data, n_t=near)) for each in functions)
    assert values(counts) == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("case", PUBLISHED["cases"], ids=lambda case: case["name"])
def test_published_figures(case):
    """Those of segeval's own tests, to all their digits."""
    coders = list(dict.fromkeys(name for own in case["items"].values() for name in own))
    corpus = [[masses(*own[name]) for name in coders] for own in case["items"].values()]
    counts = total(corpus)
    for name in ("kappa", "pi", "bias"):
        if name in case:
            assert getattr(counts, name) == pytest.approx(case[name], abs=5e-16, rel=1e-14)


@given(panels(2, 2), NEAR)
def test_two_coders_are_a_pair(references, near):
    assert Coders(near).count(references) == CoderPairs(near).count(*references.members)


def test_by_hand():
    """The example of the docs: B is 2.5/3, both have 3 of 11 places."""
    counts = Coders().count(panel([at(12, 2, 5, 9), at(12, 2, 6, 9)]))
    assert counts.agreement == pytest.approx(2.5 / 3)
    assert counts.kappa == counts.pi == pytest.approx((2.5 / 3 - 9 / 121) / (1 - 9 / 121))
    assert counts.bias == pytest.approx(0)


def test_a_coder_without_boundaries_counts():
    counts = Coders().count(panel([at(5, 1), at(5, 1), at(5)]))
    assert counts.agreement == pytest.approx(1 / 3)
    assert counts.chance_of_each == pytest.approx((1 / 16 + 0 + 0) / 3)
    assert counts.chance_of_all == pytest.approx((2 / 12) ** 2)


@pytest.mark.parametrize("members", [[at(5, 1)], [at(1), at(1)], [at(5), at(5)]])
def test_undefined(members):
    """With one coder, without a place, and where nobody has a boundary."""
    counts = Coders().count(panel(members))
    assert all(math.isnan(each) for each in values(counts)[:3])
