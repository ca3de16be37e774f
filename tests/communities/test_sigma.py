"""Sigma, and BLEU with and without breaks: EvalSub's figures, and a twin."""

import csv
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import caesura
from caesura.communities.subtitles.measures import Sigma, SigmaCounts, Subtitles, paired
from caesura.errors import FormatError
from caesura.formats.plain import parse
from caesura.formats.transcripts import read
from support import reference_subtitles as twin
from support.hypothesis_settings import FEW
from support.strategies import each_of

pytest.importorskip("sacrebleu")

NEAR = {"rel": 1e-12, "abs": 1e-12, "nan_ok": True}
REF = [
    "Imagine waking up <eol> to a stranger, <eob> sometimes to many of them. <eob>",
    "Welcome to the world <eol> of online harassment. <eob>",
    "It is very serious, <eob> and it leads at times to death. <eob>",
]
OURS = [
    "Imagine waking up to <eol> a stranger, <eob> sometimes to some of them. <eob>",
    "Welcome to the world of online harassment. <eob>",
    "It is serious, <eol> and it leads at times <eob> to deadly results. <eob>",
]
BY_HAND = {
    "sigma": 63.525200050655705,
    "bleu_br": 51.196505034250876,
    "bleu_nb": 76.14269732892636,
    "alpha": 7 / 29,
}
"""Of OURS against REF, computed with sacrebleu 2.6.0 by the twin."""
TOKENS = st.sampled_from(["so", "it", "is", "no", "was", "?", "<eol>", "<eob>"])
LINES = st.lists(TOKENS, max_size=12).map(" ".join)
PAIRS = st.integers(1, 4).flatmap(
    lambda size: st.tuples(*[st.lists(LINES, min_size=size, max_size=size)] * 2)
)


def has_words(pair):
    return all(any(word.isalpha() for line in side for word in line.split()) for side in pair)


def document(lines, name="ours.txt"):
    return parse("".join(f"{line}\n" for line in lines), "breaks", source=name)


def with_tags(subtitles):
    """The segments with tags in place of the words that stand for breaks."""
    return [line.replace("\ue000", "<eol>").replace("\ue001", "<eob>") for line in subtitles.marked]


def scored(measure, system, reference):
    counts = measure.count(document(system), document(reference, "ref.txt"))
    return {score.key: score.value(counts) for score in measure.scores}


def test_the_example():
    found = scored(Sigma(), OURS, REF)
    assert {key: found[key] for key in BY_HAND} == pytest.approx(BY_HAND, rel=1e-12)
    wanted = twin.sigma(OURS, REF)
    assert {key: found[key] for key in wanted} == pytest.approx(wanted)


@pytest.mark.slow
@pytest.mark.parametrize("system", ["cascade", "nmt"])
def test_published_figures(system, shared):
    folder = shared / "data" / "communities" / "evalsub"
    with (folder / "results.csv").open() as file:
        rows = {row.pop("System"): row for row in csv.DictReader(file)}
    told = {name: float(value) for name, value in rows[f"{system}.fr"].items()}
    found = caesura.evaluate(
        {system: folder / f"{system}.fr"}, gold=folder / "amara.fr", profile="subtitles"
    )
    scores = found.systems[system].micro
    names = {
        "sigma": "Sigma",
        "bleu_br": "BLEU_br",
        "bleu_nb": "BLEU_nb",
        "alpha": "alpha",
        "cpl_conformity": "CPL_conf",
    }
    for key, theirs in names.items():
        assert scores[key] == pytest.approx(told[theirs], abs=1e-9), key


@given(PAIRS)
def test_the_twin_agrees(pair):
    system, reference = pair
    assume(has_words(pair))
    found, wanted = scored(Sigma(), system, reference), twin.sigma(system, reference)
    assert {key: found[key] for key in wanted} == pytest.approx(wanted, **NEAR)


@given(PAIRS, st.lists(st.integers(1, 60), max_size=4))
def test_blocks_add_up_to_the_document(pair, cuts):
    assume(has_words(pair))
    ours, theirs = map(document, pair)
    length = theirs.segmentation.length
    ends = np.array(sorted({*(cut for cut in cuts if cut < length), length}))
    parts = Sigma().count_blocks(ours, theirs, ends)
    assert len(parts) == ends.size
    assert sum(parts, SigmaCounts.zero()) == Sigma().count(ours, theirs)


@FEW
@given(PAIRS)
def test_arrays_of_counts_have_arrays_of_scores(pair):
    assume(has_words(pair))
    counts, _ = Sigma().count_lines(*map(document, pair))
    each = each_of(counts, counts.breaks.size)
    for score in Sigma.scores:
        alone = [score.value(one) for one in each]
        assert score.value(counts) == pytest.approx(alone, **NEAR)


def test_without_breaks():
    found = scored(Sigma(), [*map(twin.bare, REF)], REF)
    assert found["alpha"] == 0
    assert found["bleu_nb"] == pytest.approx(100)
    assert found["bleu_bound"] == pytest.approx(100 * math.exp(1 - 41 / 34))
    assert found["sigma"] == pytest.approx(75.41701595592035)


def test_no_word_matches():
    found = scored(Sigma(), ["it <eol> is <eob>"], ["no <eol> was <eob>"])
    assert found["bleu_nb"] == 0
    assert math.isnan(found["sigma"])


def test_placeholders_of_others_are_words():
    """EvalSub takes µ and § for breaks."""
    ours = ["see § 5 of it <eob>"]
    counts = Sigma().count(document(ours), document(ours))
    assert (counts.breaks, counts.words) == (1, 5)
    assert counts.br_length == 6


def test_words_of_alpha_are_those_between_spaces():
    """As in EvalSub's figures; a later version of it counts BLEU's tokens."""
    found = Sigma().count(document(["No, no. <eob>"]), document(["No, no. <eob>"]))
    assert (found.words, found.nb_length, found.alpha) == (2, 4, 0.5)


def test_numbers_of_lines_that_differ():
    message = (
        r"^ours\.txt: 2 lines, but ref\.txt has 3 lines; give the same sentences on the same "
        r"lines, with an empty line where there is none, or subtitles with times \(SRT, WebVTT\)$"
    )
    with pytest.raises(FormatError, match=message):
        scored(Sigma(), OURS[:2], REF)


def srt(lines):
    """Subtitles with times, a second each."""
    blocks = [block for block in " ".join(lines).split(" <eob>") if block.strip()]
    return "\n".join(
        f"{at + 1}\n00:00:{at:02d},000 --> 00:00:{at + 1:02d},000\n"
        + block.strip().replace(" <eol> ", "\n")
        + "\n"
        for at, block in enumerate(blocks)
    )


@pytest.mark.parametrize("forms", ["srt srt", "srt txt", "txt srt"])
def test_subtitles_with_times_are_put_into_the_sentences_of_the_reference(forms, tmp_path):
    paths = []
    for side, lines, form in zip(("ours", "ref"), (OURS, REF), forms.split(), strict=True):
        path = tmp_path / side / f"talk.{form}"
        path.parent.mkdir()
        path.write_text(srt(lines) if form == "srt" else "\n".join(lines))
        paths.append(path)
    found = caesura.evaluate({"ours": paths[0]}, gold=paths[1], profile="subtitles")
    assert found.systems["ours"].micro["sigma"] == pytest.approx(BY_HAND["sigma"])
    assert found.notes[0].startswith("sentences of the reference (for Sigma): ")


def test_words_that_move_to_other_sentences(tmp_path):
    """A cue of the system ends in the next sentence of the reference."""
    ours = ["we left <eob> it rained. And <eol> so it did. <eob>"]
    ref = ["We left <eob> it rained. <eob>", "And so <eol> it did. <eob>"]
    for name, lines in (("ours", ours), ("ref", ref)):
        (tmp_path / f"{name}.srt").write_text(srt(lines))
    found = caesura.evaluate(
        {"ours": tmp_path / "ours.srt"}, gold=tmp_path / "ref.srt", profile="subtitles"
    )
    cut = ["we left <eob> it rained.", "And <eol> so it did. <eob>"]
    wanted = twin.sigma(cut, ref)
    scores = found.systems["ours"].micro
    assert {key: scores[key] for key in wanted} == pytest.approx(wanted)


@given(st.lists(st.sampled_from([*"ab我们", "<eol>", "<eob>"]), min_size=1), st.data())
def test_text_is_cut_anew_with_its_breaks(tokens, data):
    """What is written before each cut, and the breaks after it."""
    given = document([" ".join(tokens)]) if {*tokens} - {"<eol>", "<eob>"} else None
    assume(given is not None)
    text = [each for each in tokens if not each.startswith("<")]
    cut = data.draw(st.integers(0, len(text)))
    pieces = " ".join(text[:cut]), "".join(text[cut:])
    first, second = with_tags(Subtitles.from_document(given).cut_as(pieces))
    assert first.split() + second.split() == tokens
    assert twin.bare(first).split() == text[:cut]
    assert cut == 0 or not second.startswith("<")


def test_languages_without_spaces(tmp_path):
    (tmp_path / "ref.srt").write_text(srt(["今天天气很好。 <eob>", "我们走吧。 <eob>"]))
    (tmp_path / "ours.srt").write_text(srt(["今天天气很好。我们 <eob> 走吧。 <eob>"]))
    ours, ref = (read(str(tmp_path / f"{name}.srt"), units="breaks") for name in ("ours", "ref"))
    subtitles, theirs = paired(ours, ref)
    assert with_tags(subtitles) == ["今天天气很好。", "我们 <eob> 走吧。 <eob>"]
    assert len(theirs.segments) == len(subtitles.segments)
