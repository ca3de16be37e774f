"""Morphs: equal to SIGMORPHON's evaluate.py and to a slow twin; the official figures."""

import contextlib
import csv
import io
import json
from argparse import Namespace
from importlib import util

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.communities.morphemes import morphs
from caesura.communities.morphemes.morphs import Categories, MorphCounts, Morphs, count_lines
from caesura.errors import FormatError
from support.reference_morphs import counts_of_line

# Subtask, system: the lines in which boundaries are counted, and their counts.
SURFACE = {
    ("word", "AUUH_A"): (3994, 9935, 273, 407),
    ("word", "AUUH_B"): (3998, 9937, 256, 413),
    ("word", "AUUH_E"): (3989, 9730, 390, 589),
    ("sentence", "AUUH_A"): (443, 5928, 267, 408),
    ("sentence", "AUUH_B"): (460, 6452, 294, 411),
    ("sentence", "AUUH_E"): (319, 3747, 268, 468),
}
CATEGORIES = ["000", "100", "010", ""]
WORDS = st.text("ab", min_size=1, max_size=6)
MORPHS = st.lists(st.text("ab|@é", max_size=3), min_size=1, max_size=5).map(" @@".join)
ANY = st.one_of(MORPHS, st.text("ab @", max_size=12))


@st.composite
def segmented(draw, text):
    """A text with blanks and ` @@` in it."""
    marks = draw(st.lists(st.sampled_from(["", "", " @@", " "]), min_size=len(text)))
    return "".join(mark + sign for mark, sign in zip(marks, text, strict=False)).strip()


@st.composite
def tables(draw):
    """Words with their morphs on both sides, and a category; each word once."""
    words = draw(st.lists(WORDS | st.just("a b ab"), min_size=1, max_size=8, unique=True))
    return [
        (word, *(draw(ANY | segmented(word)) for _ in range(2)), draw(st.sampled_from(CATEGORIES)))
        for word in words
    ]


def parsed(rows):
    """Both sides of a table; the gold with categories."""
    ours = "".join(f"{word}\t{system}\n" for word, system, _, _ in rows)
    theirs = "".join(f"{word}\t{gold}\t{kind}\n" for word, _, gold, kind in rows)
    return morphs.parse_morphs(ours.encode()), morphs.parse_morphs(theirs.encode())


@given(tables())
def test_the_twin_counts_the_same(rows):
    found = count_lines(*parsed(rows)).T.tolist()
    assert found == [list(counts_of_line(*row[:3])) for row in rows]


@given(tables(), st.integers(1, 4))
def test_parts_add_up(rows, size):
    system, gold = parsed(rows)
    lines = count_lines(system, gold)
    edges = np.array([*range(0, len(rows), size), len(rows)])
    parts = Morphs.count_parts(lines, edges)
    assert sum(parts, MorphCounts.zero()) == Morphs().count(system, gold)
    categories = Categories.count_parts(lines, gold.categories, edges)
    whole = Categories().count(system, gold)
    assert sum(categories, Categories.counts.zero()) == Categories.counts.zero() + whole
    named = {kind or "none" for *_, kind in rows} if any(row[3] for row in rows) else set()
    assert set(whole.each_category()) == named


def test_lines_in_chunks(monkeypatch):
    rows = [("ab", "a @@b", "ab", ""), ("abc", "a @@b c", "ab @@c", ""), ("b", "b", "b", "")] * 3
    whole = count_lines(*parsed(rows)).tolist()
    monkeypatch.setattr(morphs, "CHUNK", 2)
    assert count_lines(*parsed(rows)).tolist() == whole


@pytest.fixture(scope="module")
def official(shared):
    """The organisers' program."""
    path = shared / "data" / "communities" / "sigmorphon" / "evaluate.py"
    spec = util.spec_from_file_location("sigmorphon_evaluate", path)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(module, guess, gold):
    """What it prints by category and of all, read back."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        module.main(Namespace(gold=gold, guess=guess, category=True))
    found = {}
    for block in out.getvalue().strip().split("\n\n\n"):
        head, *lines = block.split("\n")
        found[head.removeprefix("category: ")] = dict(line.split("\t") for line in lines)
    return found


def rates(counts):
    """The same figures as it prints them."""
    morphs = counts.morphs
    per_cent = {"precision": morphs.precision, "recall": morphs.recall, "f_measure": morphs.f1}
    return {
        "distance": f"{counts.mean_distance:.2f}",
        **{name: f"{100 * value:.2f}" for name, value in per_cent.items()},
    }


def test_evaluate_py_prints_the_same_of_random_lines(official, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sigmorphon")
    guess, gold = str(folder / "guess.tsv"), str(folder / "gold.tsv")

    @given(tables())
    def check(rows):
        rows = [(word, ours, theirs, kind or "none") for word, ours, theirs, kind in rows]
        with open(guess, "w", encoding="utf-8") as file:  # noqa: PTH123
            file.writelines(f"{word}\t{ours}\n" for word, ours, *_ in rows)
        with open(gold, "w", encoding="utf-8") as file:  # noqa: PTH123
            file.writelines(f"{word}\t{theirs}\t{kind}\n" for word, _, theirs, kind in rows)
        tables = parsed(rows)
        every = Categories().count(*tables).each_category() | {"all": Morphs().count(*tables)}
        assert printed(official, guess, gold) == {name: rates(own) for name, own in every.items()}

    check()


@pytest.mark.parametrize(("task", "system"), SURFACE)
def test_official_figures(shared, task, system):
    folder = shared / "data" / "communities" / "sigmorphon"
    ours, gold = folder / f"ces.{task}.{system}.tsv", folder / f"ces.{task}.test.gold.tsv"
    found = caesura.evaluate({"s": ours}, gold=gold, profile="morphemes", force=True).systems["s"]
    official = json.loads((folder / "scores.json").read_text())
    (row,) = (each for each in official if (each["task"], each["system"]) == (task, system))
    assert found.distance == row["distance"]
    wanted = [row[name] for name in ("precision", "recall", "f_measure")]
    tp, fp, fn = (found[f"morph_{name}"] for name in ("tp", "fp", "fn"))
    precision, recall = 100 * tp / (tp + fp), 100 * tp / (tp + fn)
    assert [precision, recall, 2 * precision * recall / (precision + recall)] == wanted
    assert [100 * found[name] for name in ("precision", "recall", "f1")] == pytest.approx(
        wanted, rel=1e-15
    )
    names = [f"morph_boundary_{name}" for name in ("lines", "tp", "fp", "fn")]
    assert tuple(found[name] for name in names) == SURFACE[task, system]


def test_sentences_that_begin_with_a_quotation_mark_have_lost_it(shared):
    """Read as quoted values, the gold's sentences are those that the participants were given."""
    folder = shared / "data" / "communities" / "sigmorphon"
    paths = [folder / f"ces.sentence.{name}.tsv" for name in ("AUUH_A", "test.gold")]
    ours, gold = (morphs.parse_morphs(path.read_bytes()).words for path in paths)
    assert [at for at, pair in enumerate(zip(ours, gold, strict=True)) if len({*pair}) > 1] == [304]
    assert ours == [row[0] for row in csv.reader(gold, delimiter="\t")]
    with pytest.raises(FormatError, match="has lost the quotation marks"):
        caesura.evaluate({"s": paths[0]}, gold=paths[1], profile="morphemes")
