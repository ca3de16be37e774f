"""Trees that are malformed or odd, on the command line and in Python."""

import json
import re
from pathlib import Path

import pytest

import caesura
from caesura.errors import CaesuraError

GOLD = "(TOP (S (NP (PRP it)) (VP (VBD rained))))\n(TOP (S (NP (PRP we)) (VP (VBD left))))\n"
DEEP = 10_000

# The system's file, and what is said of it.


OTHER = "(TOP (S (NP (PRP zzz)) (VP (VBD q) (NN qqqq))))\n" * 20


@pytest.mark.parametrize("role", ["system", "gold"])
def test_a_malformed_file_is_one_line_with_its_place(folder, run, role):
    """What else the reader refuses is in test_format.py."""
    folder(**{"s.mrg": GOLD.replace("left))))", "left)))"), "g.mrg": GOLD})
    paths = ["s.mrg", "g.mrg"] if role == "system" else ["g.mrg", "s.mrg"]
    problem = "s.mrg:2: the bracket '(TOP' that opens here is not closed; "
    status, out, error = run("trees", paths[0], "--gold", paths[1])
    assert (status, out, error.count("\n")) == (1, "", 1)
    assert error.startswith(f"error: {problem}")
    with pytest.raises(CaesuraError, match=re.escape(problem)):
        caesura.evaluate({"s": paths[0]}, gold=paths[1], task="trees")


def test_another_text(folder, run):
    folder(**{"s.mrg": OTHER, "g.mrg": GOLD * 20})
    status, out, error = run("trees", "s.mrg", "--gold", "g.mrg")
    assert (status, out) == (1, "")
    assert error == (
        "error: s.mrg: only 0% of the characters can be aligned with g.mrg: this one begins "
        "“zzz q qqqq zzz q qqqq zzz q”, that one “it rained we left it rained we left”; "
        "check that they are the same text, or use --force\n"
    )
    with pytest.raises(CaesuraError, match=r"s\.mrg: only 0% .* force=True"):
        caesura.evaluate({"s": "s.mrg"}, gold="g.mrg", task="trees")
    assert run("trees", "s.mrg", "--gold", "g.mrg", "--force")[0] == 0


ODD = {
    "deep trees": "(S " * DEEP + "(NN a)" + ")" * DEEP,
    "a word": "(NN a)",
    "a word in a root": "(TOP (NN a))",
    "one-word sentences": "(TOP (S (NN a)))\n" * 50,
    "a chain": f"(TOP {'(NP ' * 1000}(NN a){')' * 1000})",
    "several on a line": "(TOP (S (NN a)))" * 3,
    "an empty element beside them": "(TOP (S (NN a)))\n(TOP (-NONE- *))",
}


FAILED = GOLD.splitlines()[0] + "\n(TOP ())\n(())\n"
EMPTY = "s.mrg: 2 empty trees; each is scored as a sentence without tokens"


@pytest.mark.parametrize("more", [(), ("--algorithm", "jp"), ("--evalb", "new"), ("--confidence",)])
def test_trees_of_a_parser_that_failed(folder, run, more):
    """They are sentences without tokens, and a warning counts them."""
    folder(**{"s.mrg": FAILED, "g.mrg": GOLD})
    status, out, error = run("trees", "s.mrg", "--gold", "g.mrg", "-f", "json", *more)
    (system,) = json.loads(out)["systems"]
    assert status == 0
    assert error.startswith(f"warning: {EMPTY}\n")
    missing = 0 if "--evalb" in more else 3
    assert list(system["brackets"].values())[:3] == [3, 0, missing]
    assert list(system["sentences"].values())[:3] == [1, 2, 1]
    assert list(system["tokens"].values())[:3] == [2, 0, 2]


def test_trees_of_a_parser_that_failed_in_python(folder):
    folder(**{"s.mrg": FAILED, "g.mrg": GOLD})
    found = caesura.evaluate({"s": "s.mrg"}, gold="g.mrg", task="trees")
    assert EMPTY in found.warnings
    for value in (FAILED, FAILED.splitlines(), Path("s.mrg")):
        found = caesura.trees(value, GOLD)
        assert (found.bracket_tp, found.bracket_fn, found.complete_sentences) == (3, 3, 1)
    assert caesura.trees(Tree("S", []), GOLD).bracket_recall == 0


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("more", [(), ("--by", "label"), ("--algorithm", "jp"), ("--keep-empty",)])
def test_odd_trees_against_themselves(folder, run, text, more):
    folder(**{"s.mrg": text, "g.mrg": text})
    status, out, error = run("trees", "s.mrg", "--gold", "g.mrg", "-f", "json", *more)
    assert (status, error) == (0, "")
    (system,) = json.loads(out)["systems"]
    missed, complete = system["brackets"]["fn"], system["complete"]["share"]
    if "jp" not in more:
        assert system["brackets"]["fp"] == missed == 0
        assert system["brackets"]["f1"] in (1, None)
    assert system["tags"]["accuracy"] == 1
    assert (complete == 1) == (missed == 0)  # jp counts equal brackets once
    found = caesura.trees(text, text)
    assert found.tag_accuracy == found.complete_share == 1


def test_python_takes_paths_and_strings(folder):
    folder(**{"s.mrg": GOLD})
    for given in (GOLD, GOLD.splitlines(), Path("s.mrg")):
        found = caesura.trees(given, GOLD)
        assert (found.bracket_f1, found.brackets.tp) == (1, 6)


class Tree(list):
    """A tree as NLTK has it."""

    def __init__(self, label, children):
        super().__init__(children)
        self._label = label

    def label(self):
        return self._label


IT = Tree("S", [Tree("NP", [Tree("PRP", ["it"])]), Tree("VP", [Tree("VBD", ["rained"])])])


def test_python_takes_trees_of_nltk():
    first = GOLD.splitlines()[0]
    for given in (IT, [IT], (IT,), iter([IT])):
        assert caesura.trees(given, first).bracket_f1 == 1
    bracket = Tree("", [Tree("S", [Tree("NN", ["("]), Tree("CD", ["1 000"])])])
    assert caesura.trees(bracket, "(S (NN -LRB-) (CD 1000))").bracket_f1 == 1
    deep = Tree("NN", ["a"])
    for _ in range(DEEP):
        deep = Tree("S", [deep])
    assert caesura.trees(deep, deep).brackets.tp == DEEP
    while isinstance(deep, Tree):  # To free such a tree at once would need a deep stack.
        (deep,) = deep


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "system: None is not a tree; give bracketed trees"),
        ([1], "system: 1 is not a tree; give bracketed trees"),
        ([[GOLD]], "system: ['(TOP"),
        (GOLD.encode(), "system: bytes are not a tree; decode them: data.decode()"),
        ("s.mrg", "system: 's.mrg' is not a tree; if it is a path, give pathlib.Path('s.mrg')"),
        ("(S (NN \ud800))", r"system:1: a lone surrogate (\ud800), which is not a character; fix"),
        (["(S (NN a))", "(\udfff (NN a))"], r"system:2: a lone surrogate (\udfff)"),
        (Tree("S", ["a", "b"]), "system:1: the word 'a' has no tag; write it as (TAG a)"),
        (Tree("NN", [1]), "system: the leaf 1 is not a word; give bracketed trees"),
        (Path("no.mrg"), "no.mrg: no such file or directory; check the path"),
        ([], "system: no trees; write trees as"),
    ],
)
def test_values_that_are_no_trees(value, problem):
    with pytest.raises(CaesuraError) as caught:
        caesura.trees(value, GOLD)
    assert str(caught.value).startswith(problem)
    assert "\n" not in str(caught.value).replace(GOLD, "")
