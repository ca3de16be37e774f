"""The segmenters of others: offsets are right whatever a tool does to characters."""

import importlib.util
import os
import re
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.detect import ADAPTERS
from caesura.detect.programs import lines_of, name_of
from caesura.detect.sentences import detected, segmenter, split_text
from caesura.detect.third_party import (
    MissingToolError,
    UnpunctuatedError,
    bare,
    cut,
    places,
    tool,
)
from caesura.errors import SourceError, UsageError
from caesura.formats.plain import parse

NASTY = (
    "Dr. Müller said: “naïve café…” ok?\u00a0Yes.  He\u200bllo ``wo rld''. 日本語です。次の文。 "
    "é\u0301 e\u0301nd. 👩‍👩‍👧 family! \ufeffA\r\nfolded line. U.S. law.\n \n"
    "New \u202eparagraph\t(x). "
)
IN_CI = ["pysbd", "syntok", "segtok", "sentencex", "nupunkt", "spacy"]
TAUGHT = [("It rained", "."), ("Yes it did", "!"), ("She ran away", "."), ("Why", "?")]


@pytest.mark.slow
@pytest.mark.parametrize("name", ADAPTERS)
def test_characters_come_back_whatever_the_tool(name):
    try:
        tool(name)
    except MissingToolError as problem:
        if name in IN_CI and os.environ.get("CI") == "true":
            raise
        pytest.skip(str(problem))
    found = split_text(name, NASTY)
    assert bare("".join(found)) == bare(NASTY)
    assert len(found) > 4
    assert found[-1] == "New \u202eparagraph (x)."
    document = parse("Yes, it rained. No! It did not,\nhe said.", "lines")
    assert segmenter(name)(document).boundaries.tolist() == [2, 3, 8]


@pytest.mark.slow
def test_punkt_with_parameters_of_our_own(tmp_path, monkeypatch):
    """NLTK itself is called; what it reads is learned here, since its data have to be loaded."""
    punkt = pytest.importorskip("nltk.tokenize.punkt")
    monkeypatch.setattr("nltk.data.path", [str(tmp_path)])
    trainer = punkt.PunktTrainer(
        " ".join(f"Dr. Smith saw the {chr(at)}ouse. He saw {chr(at)}ain" for at in range(97, 123))
    )
    folder = tmp_path / "tokenizers" / "punkt_tab" / "klingon"
    folder.mkdir(parents=True)
    punkt.save_punkt_params(trainer.get_params(), str(folder))
    found = split_text("nltk:klingon", "It  rained. Dr. Smith saw rain.\nWhy?")
    assert found == ["It rained.", "Dr. Smith saw rain.", "Why?"]
    with pytest.raises(MissingToolError, match="python -m nltk"):
        tool("nltk", "elvish")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["senter", "parser"])
def test_models_of_spacy_by_their_path(kind, tmp_path):
    """A model that has learned four sentences, saved as spaCy saves its own."""
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe(kind, config={"min_action_freq": 1} if kind == "parser" else {})
    examples = [_taught(spacy, nlp, TAUGHT[at:] + TAUGHT[:at], kind) for at in range(4)]
    nlp.initialize(lambda: examples)
    for _ in range(30):
        nlp.update(examples)
    nlp.to_disk(tmp_path / "model")
    text = "Why? It rained.  She ran away.\nYes it did!"
    found = split_text(f"spacy-{kind}:{tmp_path / 'model'}", text)
    assert found == ["Why?", "It rained.", "She ran away.", "Yes it did!"]


def _taught(spacy, nlp, sentences, kind):
    """Sentences as an example; to the parser each word hangs on the first of its sentence."""
    starts, heads = [], []
    for words, _ in sentences:
        count = len(words.split()) + 1
        heads += [len(starts)] * count
        starts += [True] + [False] * (count - 1)
    doc = nlp.make_doc(" ".join(words + mark for words, mark in sentences))
    deps = ["ROOT" if start else "dep" for start in starts]
    given = {"sent_starts": starts} if kind == "senter" else {"heads": heads, "deps": deps}
    return spacy.training.Example.from_dict(doc, given)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["He said yes.", "Why?"], ["He said “yes”.", "Why?"]),
        (["HE SAID “YES”.", "WHY?"], ["He said “yes”.", "Why?"]),
        (["He said “yes”. Why?"], ["He said “yes”. Why?"]),
        (["", "  ", "He said “yes”."], ["He said “yes”.", "Why?"]),
        ([], ["He said “yes”. Why?"]),
    ],
)
def test_altered_characters_are_aligned(said, expected):
    text = "He said  “yes”.\nWhy?"
    assert cut(text, places(text, said)) == expected


@given(st.text(), st.lists(st.integers(0, 60)))
def test_unaltered_sentences_end_where_they_were_cut(text, at):
    solid = len(bare(text))
    ends = np.unique([each for each in at if 0 < each <= solid]).astype(np.int64)
    found = cut(text, ends)
    assert bare("".join(found)) == bare(text)
    assert set(places(text, found).tolist()) - {solid} == set(ends.tolist()) - {solid}


@given(st.text(max_size=40), st.lists(st.text(max_size=9), max_size=6))
def test_any_sentences_at_all_lose_nothing(text, sentences):
    assert bare("".join(cut(text, places(text, sentences)))) == bare(text)


def program(code):
    return f"{sys.executable} -c '{code}'"


def test_a_program_reads_a_file_or_standard_input():
    shout = 'import sys; print(sys.stdin.read().upper().replace(". ", ".\\n"))'
    assert split_text(f"cmd:{program(shout)}", "It rained. No.") == ["It rained.", "No."]
    file = 'import sys; print(open(sys.argv[1]).read().replace(". ", ".\\n"))'
    assert split_text(f"cmd:{program(file)} {{input}}", "It rained. No.") == ["It rained.", "No."]


@pytest.mark.parametrize(
    ("printed", "problem"),
    [
        ("", "printed nothing from “it rained. no.” on"),
        ("It rained.", "printed nothing from “no.” on"),
        ("It reined. No.", "printed “reined. no.” where it was given “rained. no.”"),
        ("It rained.\\nNo.\\nBye", "printed “bye” after the last word"),
        ("rained. No.", "printed “rained. no.” where it was given “it rained. no.”"),
    ],
)
def test_output_that_does_not_fit_is_an_error(printed, problem):
    command = program(f'print("{printed}")')
    cure = "it has to print all the words it gets, in order, one unit per line"
    for call in (split_text, lambda spec, text: segmenter(spec)(parse(text, "lines"))):
        with pytest.raises(SourceError, match=re.escape(f"{problem}; {cure}")):
            call(f"cmd:{command}", "It rained. No.")


def test_what_a_program_says_when_it_fails_is_shown():
    fail = 'import sys; sys.exit("out of paper")'
    with pytest.raises(SourceError, match="exit status 1; it printed: out of paper"):
        lines_of(program(fail), "It rained.")
    with pytest.raises(SourceError, match="still running after"):
        lines_of(program("import time; time.sleep(60)"), "It rained.", 0.2)
    with pytest.raises(SourceError, match="no such file"):
        lines_of("./no-such-program {input}", "It rained.")
    for command in ("", "'open"):
        with pytest.raises(UsageError):
            name_of(command)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_a_program_that_is_stopped_takes_along_what_it_started(tmp_path):
    script = tmp_path / "run.sh"
    script.write_text(f"(sleep 1; touch {tmp_path}/late) & sleep 60\n")
    with pytest.raises(SourceError, match="still running after"):
        lines_of(f"sh {script}", "It rained.", 0.3)
    time.sleep(1.5)
    assert not (tmp_path / "late").exists()


@pytest.mark.skipif(importlib.util.find_spec("syntok") is None, reason="needs syntok")
def test_text_without_punctuation_is_refused():
    text = "so it rained\n" * 20
    with pytest.raises(UnpunctuatedError, match=r"^raw\.txt: no punctuation, which"):
        split_text("syntok", text, "raw.txt")
    assert split_text("syntok", "so it rained\n") == ["so it rained"]


@pytest.mark.skipif(importlib.util.find_spec("syntok") is None, reason="needs syntok")
@pytest.mark.parametrize("form", ["lines", "slashes"])
def test_a_transcript_is_given_as_written_but_on_one_line(form):
    """Where units end is not said, neither by line ends nor by slashes."""
    between = {"lines": "\n\n", "slashes": " // "}[form]
    text = between.join(["It rained. Mr. Ames", "left", "Why? I do not", "know, he said."])
    document = parse(text, form, source="a.txt")
    found = detected("syntok", document)
    assert found.segmentation.boundaries.tolist() == [1, 5, 11]
    assert (found.words, found.form) == (document.words, "text")
    bare = parse(between.join(["it rained", "why"]), form, source="a.txt")
    with pytest.raises(UnpunctuatedError, match=r"^a\.txt: no punctuation"):
        detected("syntok", bare)
    assert detected("none", bare).form == "words"


def test_a_tool_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(MissingToolError, match="pip install stanza"):
        split_text("stanza", "Yes.")
