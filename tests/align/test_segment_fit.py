"""Texts in the segments of a reference, as the slow twin cuts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.align import resegmentation as cuts
from support import reference_segments
from support.hypothesis_settings import MANY
from support.random_segments import TOKENS, joined, noisy_pairs


def resegmented(lines, segments, tokens="exact"):
    return caesura.resegment(joined(lines), joined(segments), tokens=tokens, units="words")


@pytest.fixture(scope="module")
def whole():
    """Matrices of whole texts, so that all alignments with the fewest errors are compared."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "RUN", 1 << 20)
        yield


@MANY
@given(noisy_pairs())
def test_cuts_are_worth_as_much_as_the_best(whole, pair):
    lines, segments = pair
    found = resegmented(lines, segments).fit
    worth = reference_segments.worth(found.cuts.tolist(), lines, segments)
    assert worth == reference_segments.best(lines, segments)
    assert worth[0] == found.errors


@MANY
@given(
    noisy_pairs(),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([2, 3, 1024]),
    st.sampled_from([1, 9, 60, 1 << 22]),
)
def test_no_cuts_have_fewer_errors(pair, run, largest, cells):
    """However the texts are divided, and whatever is filled together."""
    lines, segments = pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "RUN", run)
        patch.setattr(cuts, "LARGEST", largest)
        patch.setattr(cuts, "CELLS", cells)
        found = resegmented(lines, segments)
    worth = reference_segments.worth(found.fit.cuts.tolist(), lines, segments)
    assert worth[0] == reference_segments.best(lines, segments)[0] == found.edits.sum()


@MANY
@given(noisy_pairs(), TOKENS)
def test_slack_is_how_far_cuts_could_move(pair, tokens):
    found = resegmented(*pair, tokens)
    own = tuple(found.text.compared)
    other = [tuple(found.reference.compared[a:b]) for a, b in found.segments]
    assert found.slack() == reference_segments.slack(found.fit.cuts.tolist(), own, other)


# The lines of a text, the segments of a reference, and where the text is cut.
CHOICES = {
    "not before closing punctuation": (["a , b"], ["a", "b"], ["a ,", "b"]),
    "not after opening punctuation": (["a ( b"], ["a", "b"], ["a", "( b"]),
    "not after an opening quotation mark": (["a “ b"], ["a", "b"], ["a", "“ b"]),
    "at the end of a sentence": (["a x. Y b"], ["a", "b"], ["a x.", "Y b"]),
    "at a question": (["a x y? Z b"], ["a", "b"], ["a x y?", "Z b"]),
    "after a closing quotation mark": (["a x!” Y b"], ["a", "b"], ["a x!”", "Y b"]),
    "at the end of a line": (["a x", "y z b"], ["a", "b"], ["a x", "y z b"]),
    "at the end of another": (["a x y", "z b"], ["a", "b"], ["a x y", "z b"]),
    "rather not before punctuation": (["a x", ") y b"], ["a x", "y b"], ["a x )", "y b"]),
    "with the word that is more alike": (["a home b"], ["a hum", "zz b"], ["a home", "b"]),
    "with the other": (["a home b"], ["a zz", "hum b"], ["a", "home b"]),
    "nothing in an empty segment": (["a b"], ["a", "", "b"], ["a", "", "b"]),
    "fewest errors before all": (["a", "b c"], ["a b", "c"], ["a b", "c"]),
}


@pytest.mark.parametrize(("text", "segments", "wanted"), CHOICES.values(), ids=CHOICES)
def test_choices_among_the_fewest_errors(text, segments, wanted):
    lines, split = ([each.split() for each in side] for side in (text, segments))
    found = resegmented(lines, split)
    assert found.lines == wanted
    best = reference_segments.best(lines, split)
    assert reference_segments.worth(found.fit.cuts.tolist(), lines, split) == best


def test_no_sentence_ends_where_a_small_letter_follows():
    found = caesura.resegment("a x. y? z b", ["a", "b"])
    assert found.text.places.is_end.tolist() == [False] * 5 + [True]
    assert caesura.resegment("a x. Y? z", ["a"]).text.places.is_end.tolist()[1:3] == [False, True]


@pytest.mark.slow
def test_thousands_of_cuts_in_one_place():
    """Before punctuation, and more of them than an error should cost."""
    found = caesura.resegment("a ,", ["a", *["x"] * 5000, ","])
    assert found.edits.sum() == found.fit.errors == 5000
    assert found.lines == ["a", *[""] * 5000, ","]
