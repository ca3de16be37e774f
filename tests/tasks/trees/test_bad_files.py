"""Trees that are malformed or odd: one line with file, line and cure, on the command line and in
Python, and files that are only written differently."""

import gzip
import json
import random
from pathlib import Path

import pytest

import caesura
from caesura.errors import CaesuraError
from support.random_trees import forest, lines, spread

GOLD = "(TOP (S (NP (PRP it)) (VP (VBD rained))))\n(TOP (S (NP (PRP we)) (VP (VBD left))))\n"
DEEP = 10_000

# The system's file, and what is said of it.
BAD = {
    "an empty file": ("", "s.mrg: no trees"),
    "blank lines": ("\n \n", "s.mrg: no trees"),
    "no trees at all": ("it rained .\nwe left .\n", "s.mrg:1: 'it' where a bracket should open"),
    "a bracket that stays open": (
        GOLD.replace("left))))", "left)))"),
        "s.mrg:2: the bracket '(TOP' that opens here is not closed",
    ),
    "a bracket that stays open before others": (
        GOLD.replace("rained))))", "rained)))"),
        "s.mrg:1: the bracket '(TOP' that opens here is not closed",
    ),
    "a bracket too many": (
        GOLD.replace("rained))))", "rained)))))"),
        "s.mrg:1: a bracket closes that was not opened",
    ),
    "a word without a tag": (GOLD.replace("(PRP we)", "(X w) e"), "s.mrg:2: the word 'e'"),
    "a word too many": (GOLD.replace("(PRP we)", "(PRP we all)"), "s.mrg:2: the word 'we'"),
    "a word in bare brackets": (GOLD.replace("(PRP we)", "( we)"), "s.mrg:2: the word 'we'"),
    "a NUL byte": (GOLD.replace("we", "w\x00e"), "s.mrg:2: a NUL byte"),
    "bytes that are no UTF-8": (
        GOLD.encode().replace(b"left", b"l\xefft"),
        "s.mrg:2: byte 0xef is not UTF-8",
    ),
    "many open brackets": ("(S" * DEEP, "s.mrg:1: the bracket '(S' that opens here"),
    "many closed brackets": (")" * DEEP, "s.mrg:1: a bracket closes that was not opened"),
}  # fmt: skip


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


@pytest.mark.parametrize(("text", "problem"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("role", ["system", "gold"])
def test_bad_input_on_the_command_line(folder, run, text, problem, role):
    folder(**{"s.mrg": as_bytes(text), "g.mrg": GOLD * 20})
    paths = ["s.mrg", "g.mrg"] if role == "system" else ["g.mrg", "s.mrg"]
    status, out, error = run("trees", paths[0], "--gold", paths[1])
    assert (status, out) == (1, "")
    assert error.startswith(f"error: {problem}"), error
    assert error.count("\n") == 1
    assert "; " in error


@pytest.mark.parametrize(("text", "problem"), BAD.values(), ids=BAD)
def test_bad_input_in_python(folder, text, problem):
    folder(**{"s.mrg": as_bytes(text), "g.mrg": GOLD * 20})
    with pytest.raises(CaesuraError) as caught:
        caesura.evaluate({"s": "s.mrg"}, gold="g.mrg", task="trees")
    message = str(caught.value)
    assert message.startswith(problem)
    assert "\n" not in message


TEXTS = [text for text, _ in BAD.values() if isinstance(text, str)]


@pytest.mark.parametrize("text", TEXTS)
def test_bad_strings_in_python(text):
    with pytest.raises(CaesuraError) as caught:
        caesura.trees(text, GOLD)
    assert "\n" not in str(caught.value)
    assert "; " in str(caught.value)


OTHER = "(TOP (S (NP (PRP zzz)) (VP (VBD q) (NN qqqq))))\n" * 20


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


def test_only_empty_elements(folder, run):
    """Nothing is left to score, which is no crash."""
    folder(**{"s.mrg": "(TOP (-NONE- *))", "g.mrg": "(TOP (-NONE- *))"})
    status, _, error = run("trees", "s.mrg", "--gold", "g.mrg")
    assert "Traceback" not in error
    assert status in (0, 1)


ENCODINGS = {
    "spread": lambda text, trees: spread(random.Random(1), trees).encode(),
    "CRLF": lambda text, trees: text.replace("\n", "\r\n").encode(),
    "spread with CRLF": lambda text, trees: spread(random.Random(2), trees, "\r\n").encode(),
    "on one line": lambda text, trees: text.replace("\n", "").encode(),
    "BOM": lambda text, trees: b"\xef\xbb\xbf" + text.encode(),
    "UTF-16": lambda text, trees: text.encode("utf-16"),
    "UTF-16, big end first": lambda text, trees: b"\xfe\xff" + text.encode("utf-16-be"),
    "no line feed at the end": lambda text, trees: text.removesuffix("\n").encode(),
    "gz": lambda text, trees: gzip.compress(text.encode()),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_files_that_are_written_differently(folder, run, name):
    chance = random.Random(5)
    trees = [tree for _ in range(6) for tree in forest(chance, 30)]
    text, suffix = lines(trees), ".gz" if name == "gz" else ""
    folder(**{f"s.mrg{suffix}": ENCODINGS[name](text, trees), "g.mrg": text, "p.mrg": text})
    results = []
    for path in (f"s=s.mrg{suffix}", "s=p.mrg"):
        status, out, _ = run("trees", path, "--gold", "g.mrg", "-f", "json")
        assert status == 0
        results.append(json.loads(out)["systems"])
    assert results[0] == results[1]
    assert results[0][0]["complete"]["share"] == 1


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
