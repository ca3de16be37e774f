"""One huge file of trees in parts: the same counts as in one part, however it is written."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from caesura.errors import FormatError
from caesura.run.inputs import Case
from caesura.tasks._aligned_text import parts as module
from caesura.tasks._aligned_text import passages
from caesura.tasks._aligned_text.parts import count_part, merge, plan
from caesura.tasks.trees.counting import TreesTask
from support.counted_parts import merged
from support.long_texts import sentences
from support.random_trees import (
    add_bracket,
    add_empty,
    add_empty_tree,
    add_failed,
    add_unary,
    change_characters,
    copied,
    drop_word,
    grown,
    join_sentences,
    join_tokens,
    move_edge,
    regrow,
    relabel,
    retag,
    split_sentence,
    split_token,
    written,
)

pytestmark = pytest.mark.slow

SIZE = 20_000
USUAL = [add_bracket, add_unary, move_edge, regrow, relabel, retag, split_token, join_tokens,
         join_sentences, split_sentence, add_empty, add_empty_tree, add_failed]  # fmt: skip
SELDOM = [change_characters, drop_word]


@pytest.fixture(autouse=True)
def near(monkeypatch):
    """Look near by for cuts, as these files are small."""
    monkeypatch.setattr(module, "NEAR", (1 << 13, 1 << 15, 1 << 17))


def forests(chance, number, noise):
    """A system's trees and the gold's, ten by ten."""
    system, gold = [], []
    for _ in range(number // 10):
        trees = [["TOP", grown(chance, words)] for words in sentences(chance, 10)]
        gold += trees
        trees = [copied(tree) for tree in trees]
        for _ in range(10):
            chance.choice(USUAL)(chance, trees)
        if chance.random() < 10 * noise:
            chance.choice(SELDOM)(chance, trees)
        system += trees
    return system, gold


def one_a_line(chance, trees):
    return "".join(f"{written(tree)}\n" for tree in trees)


def over_lines(chance, trees):
    """As treebanks are printed: the inner lines are indented."""
    return "".join(written(tree).replace(" (VP", "\n   (VP") + "\n\n" for tree in trees)


def without_order(chance, trees):
    """Inner lines that are not indented, trees that are, and several on one line."""
    ends = ["\n", "\n", "\n", " ", "\n  ", "\r\n", "\n\n", "\n \t"]
    inner = ["\n(X", " (X"]
    return "".join(
        written(tree).replace(" (X", chance.choice(inner)) + chance.choice(ends) for tree in trees
    )


LAYOUTS = [one_a_line, over_lines, without_order]


def pair(folder, seed, noise=0.002, layouts=(one_a_line, one_a_line), number=500):
    chance = random.Random(seed)
    paths = []
    for name, trees, layout in zip("sg", forests(chance, number, noise), layouts, strict=True):
        path = folder / f"{name}{seed}.mrg"
        path.write_bytes(layout(chance, trees).encode())
        paths.append(str(path))
    return Case("d", {"s": paths[0]}, {"g": paths[1]})


def in_parts(case, task, size=SIZE):
    """The counts of a document in parts, and its first parts."""
    forms = tuple(replace(form, beyond=1 << 15) for form in task.forms(case))
    found = plan(case, forms, size=size)

    def count(part):
        return count_part(part, forms, task.further)

    counts = merged(found, count, task.replan, lambda _, counted: merge(counted))
    return counts, found


def whole(case, task):
    return {row.measure: row.counts for row in task.count(case) if row.measure != "source"}


@pytest.mark.parametrize(
    ("noise", "algorithm"), [(0, "blocks"), (0.001, "jp"), (0.02, "blocks"), (0.02, "jp")]
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_parts_add_up_to_the_whole(tmp_path, noise, algorithm, layout):
    task = TreesTask(algorithm=algorithm)
    case = pair(tmp_path, len(f"{noise}{algorithm}"), noise, (layout, one_a_line))
    counts, found = in_parts(case, task)
    wanted = whole(case, task)
    assert counts.keys() == wanted.keys()
    assert sorted(counts.pop("breakdown").groups) == sorted(wanted.pop("breakdown").groups)
    assert counts == wanted
    assert noise or layout is without_order or len(found) > 3


@pytest.mark.parametrize("options", [{"keep_empty": True}, {"labels": "full"}])
@pytest.mark.parametrize("layouts", [(over_lines, over_lines), (without_order, without_order)])
def test_parts_with_other_options(tmp_path, options, layouts):
    task = TreesTask(**options)
    case = pair(tmp_path, 7, 0.001, layouts)
    counts, _ = in_parts(case, task)
    assert counts["brackets"] == whole(case, task)["brackets"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_huge_file_on_the_command_line(tmp_path, run, monkeypatch, layout):
    monkeypatch.chdir(tmp_path)
    case = pair(tmp_path, 5, layouts=(layout, layout))
    command = (
        "trees", f"A={case.systems['s']}", "--gold", case.references["g"],
        "-f", "json", "--by", "label", "--rows", "rows.jsonl",
    )  # fmt: skip
    expected = run(*command), (tmp_path / "rows.jsonl").read_bytes()
    assert expected[0][0] == 0
    monkeypatch.setattr(TreesTask, "HUGE", dict.fromkeys(TreesTask.HUGE, 1000))
    monkeypatch.setattr(passages, "SIZE", dict.fromkeys(passages.SIZE, SIZE))
    for how in (["--engine", "serial"], ["--engine", "processes", "-j", "2"]):
        assert (run(*command, *how), (tmp_path / "rows.jsonl").read_bytes()) == expected


def damaged(text, place, old, new):
    """The text with something else where it stands for the first time after a place."""
    at = text.index(old, int(len(text) * place))
    return text[:at] + new + text[at + len(old) :]


DAMAGE = {
    "an open bracket": (b"))\n", b")\n"),
    "a closed bracket": (b"))\n", b")))\n"),
    "a word without a tag": (b"(NN ", b"x (NN "),
    "a NUL byte": (b"(NN ", b"(NN \x00"),
    "bytes that are no UTF-8": (b"(NN ", b"(NN \xff"),
}


@pytest.mark.parametrize("place", [0.01, 0.5, 0.97])
@pytest.mark.parametrize(("old", "new"), DAMAGE.values(), ids=DAMAGE)
def test_damaged_trees_in_the_middle(tmp_path, old, new, place):
    """The error is that of the whole, with its line."""
    task, case = TreesTask(), pair(tmp_path, 5, 0, number=300)
    path = Path(case.systems["s"])
    path.write_bytes(damaged(path.read_bytes(), place, old, new))
    with pytest.raises(FormatError) as wanted:
        task.count(case)
    with pytest.raises(FormatError) as found:
        in_parts(case, task, 15_000)
    assert str(found.value) == str(wanted.value)
