"""`--evalb` against the program itself, compiled from its source."""

import json
import os
import random
import shutil
import subprocess

import pytest

from caesura import trees
from caesura.tasks.trees.format import parse_brackets
from caesura.tasks.trees.measures import Brackets
from support import evalb_input as evalb
from support.random_trees import lines

SAMPLES = [
    ("sample", "sample.prm"),
    ("bug", "COLLINS.prm"),
    ("bug", "new.prm"),
    ("sample", "COLLINS.prm"),
    ("sample", "new.prm"),
]


@pytest.fixture(scope="session")
def source(shared):
    path = shared / "data" / "trees" / "evalb"
    if not (path / "evalb.c").is_file():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{path} has no evalb.c")
        pytest.skip(f"{path} has no evalb.c")
    return path


@pytest.fixture(scope="session")
def peer(source, tmp_path_factory):
    """What evalb prints of gold, system and parameters, with nan as nan."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = tmp_path_factory.mktemp("evalb") / "evalb"
    command = [compiler, "-std=gnu99", "-w", "-O1", "-o", program, source / "evalb.c"]
    subprocess.run(command, check=True)

    def call(gold, system, *options):
        command = [program, *options, "-e", "100000", gold, system]
        done = subprocess.run(command, capture_output=True, check=True)
        return done.stdout.decode().replace("-nan", " nan")

    return call


def ours(run, gold, system, parameters):
    status, out, _ = run("trees", system, "--gold", gold, "--evalb", parameters, "-f", "evalb")
    assert status == 0
    return out


@pytest.mark.parametrize(("name", "parameters"), SAMPLES)
def test_its_samples(run, peer, source, name, parameters):
    gold, system, options = source / f"{name}.gld", source / f"{name}.tst", source / parameters
    wanted = peer(gold, system, "-p", options)
    assert ours(run, gold, system, options).splitlines() == wanted.splitlines()


GOLD, SYSTEM = "(TOP (S (NN a) (NN b)))\n", "(TOP (S (NN a) (X (NN b))))\n"
TOP = "DELETE_LABEL TOP\n"
ODD = {
    "more lines of the gold": (GOLD * 5, SYSTEM * 3, TOP),
    "more lines of the system": (GOLD * 3, SYSTEM * 5, TOP),
    "no lines of the gold": ("", SYSTEM, TOP),
    "no lines of the system": (GOLD, "", TOP),
    "no lines": ("", "", TOP),
    "no line feed at the end": (GOLD * 2 + GOLD.strip(), SYSTEM * 3, TOP),
    "CRLF": (GOLD.replace("\n", "\r\n"), SYSTEM, TOP),
    "blank lines": (f"\n{GOLD}\n", f"\n{SYSTEM}\n", TOP),
    "blank lines at the end": (f"{GOLD}\n\n", f"{SYSTEM}\n", TOP),
    "other words everywhere": (GOLD * 20, GOLD.replace("a", "c") * 20, TOP),
    "no parse": (GOLD, "(())\n", TOP),
    "no parse on either side": ("()\n()\n", "()\n(())\n", TOP),
    "no parameters": (GOLD, SYSTEM, ""),
    "all words deleted": (GOLD, SYSTEM, "DELETE_LABEL NN\n"),
    "all brackets deleted": (GOLD, SYSTEM, f"{TOP}DELETE_LABEL S\nDELETE_LABEL X\n"),
    "a label of two words": (GOLD, SYSTEM, "DELETE_LABEL NN X\nDELETE_LABEL \t TOP  \n"),
    "white space": (GOLD.replace(" ", "\f"), SYSTEM.replace(" (", "\t("), TOP),
    "another case": (GOLD.upper(), SYSTEM, TOP),
}


@pytest.mark.parametrize("texts", ODD.values(), ids=ODD)
def test_odd_files(run, peer, tmp_path, texts):
    files = [tmp_path / name for name in ("gold.mrg", "system.mrg", "p.prm")]
    for path, text in zip(files, texts, strict=True):
        path.write_bytes(text.encode())
    gold, system, options = files
    wanted = peer(gold, system, "-p", options)
    assert ours(run, gold, system, options).splitlines() == wanted.splitlines()


@pytest.mark.parametrize(("name", "file"), [("collins", "COLLINS.prm"), ("new", "new.prm")])
def test_the_names_are_those_of_its_files(run, source, name, file):
    gold, system = source / "bug.gld", source / "bug.tst"
    assert ours(run, gold, system, name) == ours(run, gold, system, source / file)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("DELET X\n", "p.prm:1: the unknown keyword 'DELET'; evalb knows DEBUG, MAX_ERROR, "),
        ("# x\nEQ_LABEL X\n", "p.prm:2: EQ_LABEL has 1 value; write EQ_LABEL ONE OTHER"),
        ("EQ_WORD a b c\n", "p.prm:1: EQ_WORD has 3 values; write EQ_WORD ONE OTHER"),
        ("LABELED yes\n", "p.prm:1: 'yes' is not a number; write LABELED 1"),
        ("MAX_ERROR +-3\n", "p.prm:1: '+-3' is not a number; write MAX_ERROR 1"),
        ("DEBUG --\n", "p.prm:1: '--' is not a number; write DEBUG 1"),
        ("\nDELETE_LABEL\n", "p.prm:2: DELETE_LABEL has no value; write DELETE_LABEL VALUE"),
    ],
)
def test_parameter_files_that_are_wrong(folder, run, text, problem):
    folder(**{"s.mrg": SYSTEM, "g.mrg": GOLD, "p.prm": text})
    status, out, error = run("trees", "s.mrg", "--gold", "g.mrg", "--evalb", "p.prm")
    assert (status, out) == (1, "")
    assert error.startswith(f"error: {problem}")


@pytest.mark.parametrize("seed", range(3))
def test_equal_tokens_are_scored_as_evalb_does_if_it_deletes_no_more(peer, tmp_path, seed):
    """Brackets, crossing, complete sentences and tags, by definition."""
    chance = random.Random(seed)
    pairs = [evalb.plain_pair(chance) for _ in range(60)]
    gold, system = (lines(side) for side in zip(*pairs, strict=True))
    files = [tmp_path / name for name in ("gold.mrg", "system.mrg", "p.prm")]
    texts = gold, system, "DELETE_LABEL TOP\nDELETE_LABEL -NONE-\n"
    for path, text in zip(files, texts, strict=True):
        path.write_bytes(text.encode())
    rows = peer(*files[:2], "-p", files[2]).splitlines()
    found = Brackets().count(*(parse_brackets(text.encode()) for text in (system, gold)))
    counts = found.bracket_tp, found.bracket_gold, found.bracket_system, found.crossing
    assert rows[64].split()[2:8] == [str(each) for each in (*counts, found.tag_gold, found.tag_tp)]
    shares = found.complete_share, found.crossing_none, found.crossing_two_or_less
    names = "Complete match", "No crossing", "2 or less crossing"
    for name, share in zip(names, shares, strict=True):
        row = next(row for row in rows if row.startswith(name))
        assert row.split("=")[1].strip() == f"{100 * share:.2f}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_random_lines(run, peer, tmp_path, seed):
    chance = random.Random(seed)
    pairs = [evalb.pair(chance) for _ in range(60)]
    files = [tmp_path / name for name in ("gold.mrg", "system.mrg", "p.prm")]
    texts = ["\n".join(side) + "\n" for side in zip(*pairs, strict=True)]
    for path, text in zip(files, [*texts, evalb.parameters(chance)], strict=True):
        path.write_bytes(text.encode())
    gold, system, options = files
    wanted = peer(gold, system, "-p", options).splitlines()
    found = ours(run, gold, system, options).splitlines()
    for at, row in enumerate(wanted[3:63]):
        assert found[3 + at] == row, "\n".join([*pairs[at], options.read_text()])
    assert found == wanted, options.read_text()


def test_a_parameter_file_that_changes_is_read_again(folder):
    folder(**{"p.prm": TOP})
    counted = trees(SYSTEM, GOLD, evalb="p.prm").brackets
    folder(**{"p.prm": f"{TOP}DELETE_LABEL X\n"})
    assert (counted.fp, trees(SYSTEM, GOLD, evalb="p.prm").brackets.fp) == (1, 0)


QUOTED = """\
EQ_LABEL ADVP PRT
DELETE_LABEL TOP
DELETE_LABEL ''
DELETE_LABEL_FOR_LENGTH ''
QUOTE_LABEL ''
QUOTE_LABEL POS
"""
ONE = "(TOP (S (ADVP (RB now)) (VP (VB go)){}))"
SPLIT = "(TOP (S (PRT (RB now)) (PRT (VB go)){}))"


@pytest.mark.parametrize("marks", [("", ""), (" ('' ')", " (POS ')")])
def test_a_bracket_with_an_equal_label_counts_under_that_of_the_gold(folder, run, marks):
    """PRT is ADVP here: no label has fewer than no errors."""
    gold, system = ONE.format(marks[0]), SPLIT.format(marks[1])
    folder(**{"g.txt": gold, "s.txt": system, "p.prm": QUOTED})
    status, out, _ = run("trees", "s.txt", "--gold", "g.txt", "--evalb", "p.prm", "-f", "json")
    (scores,) = json.loads(out)["systems"]
    found = {
        label: tuple(counts[key] for key in ("tp", "fp", "fn"))
        for label, counts in scores["by_label"].items()
    }
    assert status == 0
    assert scores["brackets"]["tp"] == 2
    assert found == {"S": (1, 0, 0), "ADVP": (1, 0, 0), "VP": (0, 0, 1), "PRT": (0, 1, 0)}
