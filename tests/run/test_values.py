"""Plain Python values, as people have them in a notebook: each works, or explains itself."""

import re
from collections import UserList
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import CaesuraError, SegmentationError, SourceError, UsageError
from caesura.run.given import Paths, is_document

OURS, THEIRS = ["the cat sat", "on the mat"], ["the cat", "sat on the mat"]
WORDS = st.lists(st.text("abcé'", min_size=1, max_size=5).filter(str.isalnum), min_size=1)


def units(value, **how):
    return caesura.document(value, **how).segmentation.masses.tolist()


class Token:
    """A token as spaCy and stanza have it."""

    def __init__(self, text):
        self.text = text


class Sentence:
    """A sentence as spaCy has it: a text, and tokens to loop over."""

    def __init__(self, words):
        self.words = words

    @property
    def text(self):
        return " ".join(self.words)

    def __iter__(self):
        return map(Token, self.words)


class Spacing(str):
    """A token as syntok has it: with the white space before it."""

    __slots__ = ("spacing", "value")

    def __new__(cls, value):
        token = super().__new__(cls, f" {value}")
        token.spacing, token.value = " ", value
        return token


def forms(sentences):
    """The same sentences as different tools give them."""
    texts = [" ".join(words) for words in sentences]
    spans = [Sentence(words) for words in sentences]
    syntok = [[Spacing(word) for word in words] for words in sentences]
    return {
        "strings": texts,
        "tuple": tuple(texts),
        "own list": UserList(texts),
        "token lists": sentences,
        "tuples of tokens": tuple(map(tuple, sentences)),
        "generator": (text for text in texts),
        "generators": ((word for word in words) for words in sentences),
        "numpy strings": np.array(texts),
        "objects": np.array([*texts, None], object)[:-1],
        "pandas": pd.Series(texts, index=range(7, 7 + len(texts))),
        "spaCy": SimpleNamespace(sents=iter(spans)),
        "spaCy's sentences": spans,
        "stanza": SimpleNamespace(sentences=[SimpleNamespace(text=text) for text in texts]),
        "pysbd": [SimpleNamespace(sent=f"{text} ") for text in texts],
        "syntok": syntok,
        "syntok's paragraphs": (iter(paragraph) for paragraph in (syntok[:1], syntok[1:])),
        "blank ones between": [line for text in texts for line in ("", f" {text} ", " ")],
    }


@given(st.lists(WORDS, min_size=1))
def test_sentences_as_tools_give_them(sentences):
    for name, value in forms(sentences).items():
        assert units(value) == [len(words) for words in sentences], name


@given(st.lists(WORDS, min_size=1))
def test_tokens_as_tools_give_them(sentences):
    wanted = caesura.joint([" ".join(words) for words in sentences], sentences)
    assert wanted.token_f1 == wanted.sentence_f1 == 1
    kinds = ("token lists", "generators", "spaCy", "spaCy's sentences", "syntok's paragraphs")
    for name in kinds:
        found = caesura.joint(forms(sentences)[name], sentences)
        assert found.counts == wanted.counts, name


@given(st.lists(st.integers(0, 1), min_size=1))
def test_numbers_of_any_kind(bits):
    wanted = caesura.document(bits).segmentation
    kinds = (float, bool, str, np.int8, np.float32)
    for kind in kinds:
        assert caesura.document([kind(each) for each in bits]).segmentation == wanted
    for value in (np.array(bits), np.array(bits, float), pd.Series(bits), iter(bits)):
        assert caesura.document(value).segmentation == wanted


@given(st.lists(st.integers(1, 9)))
def test_masses_of_any_kind(masses):
    wanted = caesura.masses(masses)
    for value in (iter(masses), np.array(masses, float), pd.Series(masses, dtype=float)):
        assert caesura.masses(value) == wanted


def test_paths(tmp_path):
    path = tmp_path / "a b.txt"
    path.write_text("the cat sat\non the mat\n")
    assert caesura.boundary(path, OURS).f1 == 1
    assert caesura.joint(path, [line.split() for line in OURS]).token_f1 == 1
    with pytest.raises(SegmentationError, match=r"looks like a path.*caesura.read\('.*a b.txt'\)"):
        caesura.boundary(str(path), OURS)
    with pytest.raises(SourceError, match="no such file"):
        caesura.boundary(tmp_path / "none.txt", OURS)
    with pytest.raises(SourceError, match="is a folder"):
        caesura.boundary(tmp_path, OURS)


@pytest.mark.parametrize("text", ["yes", "yes.", "it rained. we left.txt", "no\na.txt", "1.5"])
def test_texts_that_are_no_paths(text):
    assert len(units(text)) >= 1


@pytest.mark.slow
def test_spacy():
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    with pytest.raises(SegmentationError, match=r"add a pipe such as nlp\.add_pipe"):
        caesura.boundary(nlp("The cat sat. On the mat."), OURS)
    nlp.add_pipe("sentencizer")
    doc = nlp("The cat sat. On the mat.")
    for value in (doc, doc.sents, list(doc.sents)):
        assert caesura.boundary(value, OURS).f1 == 1
    assert caesura.joint(doc, doc.sents).token_tp == 8
    found = caesura.evaluate({"spaCy": {"cat": doc}}, {"gold": {"cat": OURS}})
    assert found.systems["spaCy"].f1_mean == 1


MISTAKES = {
    "None": (None, "candidate: None is not a segmentation; give a list of sentences"),
    "a number": (3, "candidate: int 3 is not a segmentation; give"),
    "bytes": (b"it rained", "candidate: bytes is not a segmentation; decode it first"),
    "a dict": ({"d": OURS}, "dict is not a segmentation; several documents are a dict by name"),
    "a set": (set(OURS), "a set has no order, so give a list"),
    "an object": (object(), "object is not a segmentation; give"),
    "an empty text": ("", "candidate: no words; give"),
    "empty sentences": (["", " "], "candidate: no words; give"),
    "probabilities": (np.array([0.1, 0.9]), "look like probabilities; .*values > 0.5"),
    "a hole": (pd.Series([0, None, 1]), "candidate: item 1 is nan, not 0 or 1"),
    "a frame": (pd.DataFrame({"text": OURS}), "DataFrame is not a segmentation; give one column"),
    "masses": ([2, 4], "candidate: a list of numbers may be masses or positions"),
    "a matrix": (np.zeros((2, 3)), "a 0/1 list must be flat; several documents"),
    "ragged numbers": ([0, [1]], "a 0/1 list must be flat; several documents"),
    "documents": ([caesura.document(OURS)], "a list of Document; several documents are a dict"),
    "texts of documents": ([OURS, THEIRS], "“the cat sat” is not one; several documents"),
    "three levels": ([[["a"]]], "list is not a token; several documents"),
    "paths": ([Path("a"), Path("b")], "a list of .*Path; several documents are a dict by name"),
    "names of files": (["a.txt", "b.txt"], "these look like paths; several documents"),
    "a gap": (["the cat", None], "candidate: item 1 is None, not a sentence"),
    "too short": ([0, 1], "candidate: 2 words where reference has 6; give one 0 or 1"),
    "other words": (["the dog", "sat"], r"candidate:1: the words differ at word 2.*align=True"),
}


@pytest.mark.parametrize(("value", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_explain_themselves_in_one_line(value, message):
    with pytest.raises(CaesuraError, match=message) as raised:
        caesura.boundary(value, OURS)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 200


TEXT_MISTAKES = {
    "None": (None, "system: None is not a segmentation; give a list of lists of tokens"),
    "numbers": ([1, 2], "system: numbers are not tokens; give a list of lists of tokens"),
    "a gap": ([["a"], None], "system: item 1 is None, not a sentence"),
    "levels": ([[["a"]]], "system: list is not a token"),
    "a path": ("a.txt", r"looks like a path.*pathlib.Path\('a.txt'\)$"),
}


@pytest.mark.parametrize(("value", "message"), TEXT_MISTAKES.values(), ids=TEXT_MISTAKES)
def test_mistakes_in_texts(value, message):
    with pytest.raises(SegmentationError, match=message):
        caesura.joint(value, "a b")


def test_references_by_name_and_in_any_list():
    wanted = caesura.wisebe(OURS, [OURS, THEIRS])
    assert caesura.wisebe(OURS, {"anna": OURS, "candidate": THEIRS}) == wanted
    assert caesura.wisebe(OURS, (each for each in (OURS, THEIRS))) == wanted
    assert caesura.agreement({"a": OURS, "b": THEIRS}) == caesura.agreement([OURS, THEIRS])
    with pytest.raises(CaesuraError, match="in anna:1"):
        caesura.wisebe(["a dog"], {"anna": OURS})


@pytest.mark.parametrize(
    ("references", "message"),
    [(OURS, "even if there is only one"), ("a", "even if there is only one"), ({}, "no references"),
     (SimpleNamespace(sents=[]), "even if"), (None, "None is not a list"), ([], "no references")],
)  # fmt: skip
def test_references_that_are_refused(references, message):
    with pytest.raises(SegmentationError, match=message):
        caesura.wisebe(OURS, references)


PAIRWISE = ["boundary", "tolerant", "pk", "windowdiff", "marks", "boundary_similarity"]


@pytest.mark.parametrize("name", PAIRWISE)
def test_words_that_differ_are_aligned_as_evaluate_does(name):
    ours, theirs = ["so the cat sat", "on a mat", "yes"], ["the cat", "sat on the mat", "oh yes"]
    found = getattr(caesura, name)(ours, theirs, align=True)
    whole = caesura.evaluate({"s": ours}, {"r": theirs}, align=True).systems["s"].by_reference["r"]
    scores = {key: value for key, value in found.to_dict().items() if key in whole}
    assert scores == {key: pytest.approx(whole[key], nan_ok=True) for key in scores}
    assert scores or name in ("marks", "tolerant")
    assert "|align:words/medoid|" in found.signature
    with pytest.raises(UsageError, match="with and without align"):
        found + getattr(caesura, name)(ours, ours)


def test_several_references_are_aligned_as_evaluate_does():
    ours, theirs = ["the cat sat", "on a mat"], {"a": ["the cat", "sat on the mat"], "b": OURS}
    whole = caesura.evaluate({"s": ours}, theirs, align=True)
    assert caesura.wisebe(ours, theirs, align=True).wisebe == whole.systems["s"].wisebe
    assert caesura.consensus(ours, theirs, align=True).score == whole.systems["s"].consensus_f1
    assert caesura.either(ours, theirs, align=True).score == whole.systems["s"].ser_either
    other = {**theirs, "c": ["the dog sat", "on it"]}
    assert caesura.agreement(other, align=True).references == 3


def test_documents_by_name():
    """On both sides, or against those of systems."""
    both = {"d1": OURS, "d2": THEIRS}
    found = caesura.evaluate({"d1": OURS, "d2": OURS}, {"d2": THEIRS, "d1": OURS})
    assert (list(found.systems), found.summary.references) == (["system"], ("reference",))
    assert found.summary.documents == ("d1", "d2")
    assert found.systems["system"].by_reference["reference"]["tp"] == 1
    found = caesura.evaluate({"a": both, "b": both}, {"d1": OURS, "d2": OURS})
    assert (list(found.systems), found.summary.references) == (["a", "b"], ("reference",))


def test_texts_by_name():
    texts = {name: [line.split() for line in OURS] for name in ("d1", "d2")}
    for ours, gold in ((texts, texts), ({"a": texts}, texts)):
        found = caesura.evaluate(ours, gold=gold)
        assert (found.summary.documents, found.summary.references) == (("d1", "d2"), ("gold",))
    assert caesura.evaluate({"ours": texts}, gold={"best": texts}).systems["ours"].token_f1 == 1
    with pytest.raises(CaesuraError, match="no document named 'd3', which <gold> has"):
        caesura.evaluate({"a": texts}, gold={**texts, "d3": [["c"]]})


@pytest.mark.parametrize("run", ["all", ["all"], ("all",), {"all": "all"}])
def test_detectors(run):
    assert caesura.evaluate(references={"r": OURS}, run=run).systems["all"].recall_mean == 1


@pytest.mark.parametrize("ours", [None, "ab", ["a", "b"], [None, 1], 3])
def test_scores_that_are_none(ours):
    with pytest.raises(UsageError, match="give two lists, each with a score or a result"):
        caesura.compare(ours, [0.1, 0.2])


def test_a_list_of_paths_under_a_name_is_documents(folder):
    place = folder(s__d1="a b\nc\n", s__d2="a\nb\n", r__d1="a b\nc\n", r__d2="a\nb\n")
    found = caesura.evaluate({"s": sorted((place / "s").iterdir())}, {"r": place / "r"})
    assert found.summary.documents == ("d1", "d2")


QUESTIONS = ["It rained all night.", "Why not?", "We used version 2.5", "and / or"]


@pytest.mark.parametrize("form", [list, tuple, iter, np.array, caesura.document])
def test_sentences_are_one_system(form):
    others = [" ".join(QUESTIONS[:2]), *QUESTIONS[2:]]
    found = caesura.evaluate(form(QUESTIONS), others)
    f1 = caesura.boundary(QUESTIONS, others).f1
    assert {name: each.f1 for name, each in found.systems.items()} == {"system": f1}
    assert found.summary.references == ("reference",)


def test_what_is_one_system_and_what_are_several():
    found = caesura.evaluate([OURS, OURS], [OURS, OURS])
    assert [*found.systems] == ["system1", "system2"]
    assert found.summary.references == ("reference1", "reference2")
    assert caesura.evaluate([0, 1, 0], [0, 1, 0]).systems["system"].f1 == 1
    assert caesura.evaluate(QUESTIONS, gold=QUESTIONS).systems["system"].sentence_f1 == 1


@given(st.lists(st.text("ab ?.=/*", max_size=6).filter(str.strip), min_size=1, max_size=4))
def test_what_is_typed_is_never_a_sentence(typed):
    assert not is_document(Paths(typed))
    assert not is_document(typed[0])
    assert not (is_document(typed) and all(len(each.split()) < 2 for each in typed))


def test_on_the_command_line_strings_are_paths(run, folder):
    folder(r="it rained\nwe left\n")
    for arguments in (["it rained", "--ref", "r.txt"], ["r.txt", "--ref", "it rained we left"]):
        status, _, error = run("transcript", *arguments)
        assert (status, "no such file" in error) == (1, True)


TEXT = "It rained all night. We left early."
R = {"r": OURS}
PHONES = [("f", 0, 1, "a")]


@pytest.mark.parametrize(
    ("sides", "options", "message"),
    [
        ((TEXT, R), {}, "no such file; save the text"),
        (({"s": TEXT}, R), {}, "caesura.document"),
        (({"s": TEXT * 900}, R), {}, "no such file"),
        (({"s": [["a"]]},), {"gold": TEXT}, "caesura.document"),
        (({"s": {"d": TEXT}}, {"r": {"d": OURS}}), {}, "list of sentences"),
        ((["no.txt", *OURS], R), {}, "the cat sat: no such file"),
        ((["out", "last"], R), {}, "out: no such file"),
        (("a b/c d.txt", R), {}, "no such file or directory"),
        ((OURS, OURS), {"compare": True}, "there is only one system, system, and compare=True "
         "compares the others with the first; give another system, or drop compare=True"),
        ((None, R), {}, "systems cannot be None; give paths"),
        (({"s": None}, R), {}, "s: None is not"),
        (({"s": [OURS, OURS]}, R), {}, "s: a list of lists"),
        (({"s": {"d": ["a b"]}}, {"r": {"d": ["a c"]}}), {},
         "s/d:1: the words differ at word 2: here “a .b.”, in r/d:1"),
        (({"s": {"1": [("f", 0, 1)]}},), {"phones": PHONES, "words": [3]},
         "words: these are not labelled intervals"),
        (({"s": {"1": [("f",)]}},), {"phones": PHONES, "words": PHONES},
         r"\('f',\) is not an interval"),
    ],
)  # fmt: skip
def test_mistakes_of_evaluate(sides, options, message):
    with pytest.raises(CaesuraError, match=message) as raised:
        caesura.evaluate(*sides, **options)
    assert re.fullmatch(r".{1,220}", str(raised.value))


def test_no_words_where_there_should_be_some():
    message = "candidate: no words where reference has 6; give all the words, as one sentence"
    with pytest.raises(CaesuraError, match=message):
        caesura.boundary([], OURS)
