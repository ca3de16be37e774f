"""EvalSub's own P, R, F1, Pk, WindowDiff, S and B: a twin with segeval, and its files."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.formats.plain import parse
from caesura.measures.evalsub import EvalSub
from support import reference_subtitles as twin
from support.hypothesis_settings import MANY

segeval = pytest.importorskip("segeval")
KINDS = {"eox": ("<eol>", "<eob>"), "eol": ("<eol>",), "eob": ("<eob>",)}
NEAR = {"rel": 1e-12, "abs": 1e-12, "nan_ok": True}
GAPS = st.lists(st.sampled_from(["<eol>", "<eob>", "\n", "?"]), max_size=2)


@st.composite
def texts(draw, same=True):
    """Two versions of some words, with breaks, lone marks and ends of lines anywhere."""
    size = draw(st.integers(1, 14))
    marks = draw(st.lists(st.booleans(), min_size=size, max_size=size))

    def version(length):
        found = []
        for at in range(length):
            found += [f"w{at}", *(["?"] if marks[at % size] else [])]
            gap = draw(GAPS)
            found += [each for each in gap if each != "?"] if same else gap
        return " ".join(found).split("\n")

    return version(size), version(size if same else draw(st.integers(1, 14)))


def counted(ours, theirs):
    sides = (parse("\n".join(each), "breaks") for each in (ours, theirs))
    return EvalSub().count(*sides)


@MANY
@given(texts() | texts(same=False))
def test_the_twin_agrees(pair):
    found = counted(*pair)
    for name, kinds in KINDS.items():
        assert tuple(getattr(found, name)) == pytest.approx(twin.evalsub(*pair, kinds), **NEAR)
    own = found.segmentation_similarity, found.boundary_similarity
    assert own == pytest.approx(twin.typed(*pair), **NEAR)
    assert found.cpl_conformity == pytest.approx(twin.evalsub_cpl(pair[0]))


def test_a_break_before_the_first_word():
    """segeval has it in the last gap, where the other side has one."""
    ours, theirs = ["<eol> a b c <eob>"], ["a b <eol> c <eob>"]
    assert counted(ours, theirs).boundary_similarity == 1
    assert twin.typed(ours, theirs) == (1, 1)


def test_the_end_of_the_text_is_a_line_break_too():
    """Of one `<eol>` each at different places, both sides have the end."""
    found = caesura.evaluate(
        {"ours": ["a <eol> b c d <eob>"]}, gold={"ref": ["a b <eol> c d <eob>"]},
        profile="subtitles", also="evalsub",
    ).systems["ours"]  # fmt: skip
    assert (found.eol_f1, found.eol_f1_evalsub) == (0, 1 / 2)
    assert found.f1 == found.f1_evalsub == 1 / 2


def test_lone_punctuation_is_a_word():
    """Here a break after `?` is one after `quoi`; in EvalSub it is another place."""
    sides = {"ours": ["quoi <eob> ? <eob> rien <eob>"]}, {"ref": ["quoi ? <eob> rien <eob>"]}
    found = caesura.evaluate(sides[0], gold=sides[1], profile="subtitles", also="evalsub")
    scores = found.systems["ours"]
    assert scores.f1 == 1
    assert scores.precision_evalsub == 2 / 3
    assert scores.pk_evalsub == pytest.approx(0)


@pytest.fixture(scope="module")
def data(shared):
    return shared / "data" / "communities" / "evalsub"


def moved(text):
    """A made-up system on the same words: every seventh break is one word later or another."""
    lines, number = [], 0
    for line in text.split("\n"):
        words = line.split()
        for at, word in enumerate(words[:-1]):
            number += word in ("<eol>", "<eob>")
            if word == "<eol>" and number % 7 == 0:
                words[at], words[at + 1] = words[at + 1], word
            elif word == "<eol>" and number % 7 == 3:
                words[at] = "<eob>"
        lines.append(" ".join(words))
    return "\n".join(lines)


@pytest.mark.slow
def test_on_the_words_of_its_own_data(data, run, tmp_path):
    text = (data / "amara.fr").read_text()
    (tmp_path / "ours.fr").write_text(moved(text))
    command = ("score", "subtitles", tmp_path / "ours.fr", "--gold", data / "amara.fr")
    status, out, _ = run(*command, "--also", "evalsub", "-f", "json")
    found = json.loads(out)["systems"][0]["micro"]
    assert status == 0
    sides = moved(text).splitlines(), text.splitlines()
    expected = twin.evalsub(*sides, KINDS["eol"])
    names = ("precision", "recall", "f1", "pk", "windowdiff")
    assert [found[f"eol_{name}_evalsub"] for name in names] == pytest.approx(expected[:5])
    own = found["segmentation_similarity_evalsub"], found["boundary_similarity_evalsub"]
    assert own == pytest.approx(twin.typed(*sides))
    assert found["eol_f1"] < found["eol_f1_evalsub"]
    assert found["cpl_conformity_evalsub"] == pytest.approx(twin.evalsub_cpl(sides[0]))


@pytest.mark.slow
def test_blocks_add_up(data):
    how = {"gold": data / "amara.fr", "profile": "subtitles", "also": "evalsub"}
    whole, parts = (
        caesura.evaluate({"nmt": data / "nmt.fr"}, **how, blocks=blocks).systems["nmt"].micro
        for blocks in (False, True)
    )
    keys = [key for key in whole if key.endswith("_evalsub")]
    assert len(keys) == 24
    assert {key: parts[key] for key in keys} == pytest.approx(
        {key: whole[key] for key in keys}, nan_ok=True
    )
