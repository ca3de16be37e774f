import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from caesura.align.same_words import require_one_axis
from caesura.align.words import project
from caesura.core.segmentation import Document, Segmentation
from caesura.errors import WordsDifferError
from caesura.formats.plain import parse

WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=15)


def document(words, positions=(), marks=None):
    return Document(Segmentation.from_positions(positions, len(words), marks), " ".join(words))


def carried(ours, theirs, positions):
    found = project(document(ours.split(), positions), document(theirs.split()))
    return found.document.segmentation.positions().tolist(), found.counts


@pytest.mark.parametrize(
    ("ours", "theirs", "positions", "landed", "merged", "lost"),
    [
        ("a b c d", "a x c d", [1], [1], 0, 0),  # a substituted word
        ("a b new c d", "a b c d", [2], [1], 0, 0),  # after an inserted word: to the one before
        ("a b new c d", "a b c d", [1, 2], [1], 1, 0),  # two that land together count once
        ("new a b", "a b", [0], [], 0, 1),  # nothing before it
        ("a b c d", "a b x y c d", [1], [1], 0, 0),  # the axis has more words
        ("a b c new", "a b c", [2], [], 1, 0),  # at the end, which everybody has
    ],
)
def test_where_a_boundary_lands(ours, theirs, positions, landed, merged, lost):
    got, counts = carried(ours, theirs, positions)
    assert (got, counts.merged, counts.lost) == (landed, merged, lost)


def test_marks_travel_with_their_boundaries():
    moved = project(parse("is it? yes it is. good!"), parse("was it yes it is good")).document
    assert moved.segmentation.boundaries.tolist() == [1, 4, 5]
    assert moved.segmentation.marks.tolist() == ["?", ".", "!"]


@given(WORDS, WORDS, st.data())
def test_carrying_is_sound(ours, theirs, data):
    positions = data.draw(st.sets(st.integers(0, len(ours) - 1)))
    axis = document(theirs)
    found = project(document(ours, sorted(positions)), axis)
    moved, counts = found.document, found.counts
    inner = positions - {len(ours) - 1}
    assert counts.errors == Levenshtein.distance(ours, theirs)
    assert counts.words == len(theirs)
    assert moved.segmentation.length == len(theirs)
    assert moved.segmentation.positions().size == len(inner) - counts.merged - counts.lost
    require_one_axis(axis, [moved])


@given(WORDS, st.data())
def test_equal_words_are_left_as_they_are(words, data):
    positions = data.draw(st.sets(st.integers(0, len(words) - 1)))
    ours = document(words, sorted(positions))
    assert project(ours, document(words)).document is ours


@given(WORDS, WORDS)
def test_the_first_difference_is_found(ours, theirs):
    a, b = document(ours), document(theirs)
    assume(ours != theirs)
    shared = next(
        (i for i, (x, y) in enumerate(zip(ours, theirs, strict=False)) if x != y),
        min(len(ours), len(theirs)),
    )
    with pytest.raises(WordsDifferError, match=f"at word {shared + 1}:"):
        require_one_axis(a, [b])


def test_a_word_that_is_the_beginning_of_another():
    with pytest.raises(
        WordsDifferError, match=r"at word 2: here “it \[rain\]”, in .*“it \[rains\]”"
    ):
        require_one_axis(parse("it rains"), [parse("it rain")])
    with pytest.raises(WordsDifferError, match=r"at word 2: here “it” is the end"):
        require_one_axis(parse("it rains"), [parse("it")])
