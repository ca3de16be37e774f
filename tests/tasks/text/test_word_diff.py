"""Words as SIGHAN's program counts them, against the program itself."""

import json
import re
import shutil
import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.measures.joint import AlignedTexts
from caesura.tasks._aligned_text.counting import block_ends
from caesura.tasks.text.gnu_diff import differences
from caesura.tasks.text.word_diff import WordDiff, WordDiffCounts
from support.hypothesis_settings import FEW
from support.random_texts import any_pair, text

TOTALS = {
    "insertions": "TOTAL INSERTIONS", "deletions": "TOTAL DELETIONS",
    "substitutions": "TOTAL SUBSTITUTIONS", "gold": "TOTAL TRUE WORD COUNT",
    "system": "TOTAL TEST WORD COUNT",
}  # fmt: skip
RATES = {
    "precision": "TOTAL TEST WORDS PRECISION", "recall": "TOTAL TRUE WORDS RECALL",
    "f1": "F MEASURE", "oov_rate": "OOV Rate", "oov_recall": "OOV Recall Rate",
    "iv_recall": "IV Recall Rate",
}  # fmt: skip
# What the program reports for jieba's words of the PKU test set.
PKU = {"insertions": 1809, "deletions": 9894, "substitutions": 12381}
OTHERWISE = [119, 566, 842, 1045, 1838]
WORD = st.sampled_from(["a", "b", "ab", "ba", "c", "的", "|", ">", "<"])
LINE = st.lists(WORD, min_size=1, max_size=12)


@pytest.fixture(scope="module")
def program(shared):
    """SIGHAN's program: what it prints last, by name."""
    if not (shutil.which("perl") and shutil.which("diff")):
        pytest.skip("there is no perl, or no diff")
    path = shared / "data" / "communities" / "sighan" / "score"

    def score(words, gold, system):
        done = subprocess.run(["perl", path, words, gold, system], capture_output=True, check=True)
        last = done.stdout.decode(errors="replace").split("=== SUMMARY")[1]
        return {name: float(value) for name, value in re.findall(r"=== (.*?):\t([\d.]+)", last)}

    return score


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return tmp_path_factory.mktemp("sighan")


@pytest.fixture
def scored(run):
    def score(ours, gold, *options):
        command = "score", "sighan", ours, "--gold", gold, "--also", "diff", *options, "-f", "json"
        status, out, _ = run(*command)
        assert status == 0
        return json.loads(out)["systems"][0]["micro"]

    return score


def agrees(counts, theirs):
    assert {name: getattr(counts, name) for name in TOTALS} == {
        name: theirs[key] for name, key in TOTALS.items()
    }
    for name, key in RATES.items():
        if key in theirs:  # it prints -- for what is undefined
            assert f"{getattr(counts, name):.3f}" == f"{theirs[key]:.3f}", name


def spaced(lines):
    return "".join(" ".join(line) + "\n" for line in lines)


@FEW
@given(pairs=st.lists(st.tuples(LINE, LINE), min_size=1, max_size=4))
@example(pairs=[(["a", "|", "b"], ["a", "|", "b"]), (["a"], ["|", "a", "|"])])
@example(pairs=[(["<", ">", "a"], ["<", ">", "a"]), (["a", ">"], ["<", "|"]), (["|"], ["a"])])
def test_the_program_counts_the_same(pairs, program, here):
    files = [here / name for name in ("words", "gold", "ours")]
    gold, ours = zip(*pairs, strict=True)
    for path, lines in zip(files, ([["a"], ["的"], ["|"]], gold, ours), strict=True):
        path.write_text(spaced(lines), encoding="utf-8")
    texts = AlignedTexts.from_texts(text(ours), text(gold))
    found = WordDiff().count(texts, {"a", "的", "|"})
    if found.system_right and found.gold_right:  # else it divides by zero
        agrees(found, program(*files))


@pytest.mark.slow
def test_the_test_set_of_pku(shared, scored):
    data = shared / "data" / "communities" / "sighan"
    found = scored(data / "pku_jieba.utf8", data / "pku_test_gold.utf8")
    assert {name: found[f"{name}_diff"] for name in PKU} == PKU


@pytest.mark.slow
def test_lines_of_pku(program, shared, here, scored):
    """Every twentieth line, and the five in which the program counts otherwise than by places."""
    data = shared / "data" / "communities" / "sighan"
    files = [here / name for name in ("words.txt", "ours.txt", "gold.txt")]
    for path, name in zip(files[1:], ("pku_jieba", "pku_test_gold"), strict=True):
        lines = (data / f"{name}.utf8").read_text("utf-8").splitlines()
        path.write_text("\n".join([*lines[::20], *(lines[at - 1] for at in OTHERWISE)]), "utf-8")
    words = sorted(set(files[2].read_text("utf-8").split()[:2000]))
    files[0].write_text("\n".join(words) + "\n", "utf-8")
    found = scored(*files[1:], "--dictionary", files[0])
    theirs = program(files[0], files[2], files[1])
    for name in PKU:
        assert found[f"{name}_diff"] == theirs[TOTALS[name]]
    for name, key in RATES.items():
        as_diff = found[name if name == "oov_rate" else f"{name}_diff"]
        assert f"{as_diff:.3f}" == f"{theirs[key]:.3f}", name
    assert found["insertions"] + 2 == found["insertions_diff"]


def test_what_diff_finds_in_lines_of_pku_where_it_counts_otherwise(shared):
    """By places 82,099 gold words are right, by diff 82,097, by diff --minimal 82,101."""
    data, found = shared / "data" / "communities" / "sighan", []
    gold, ours = (
        (data / f"{name}.utf8").read_text("utf-8").splitlines()
        for name in ("pku_test_gold", "pku_jieba")
    )
    for words, own in [(gold[at - 1].split(), ours[at - 1].split()) for at in OTHERWISE]:
        right = [differences(words, own, is_minimal=each)[0].count(False) for each in (False, True)]
        tokens = AlignedTexts.from_texts(text([own]), text([words])).counts.tokens
        found.append((tokens.tp, *right))
    places, by_diff, least = map(sum, zip(*found, strict=True))
    assert (places - by_diff, least - by_diff) == (82099 - 82097, 82101 - 82097)


@given(any_pair(), st.none() | st.sets(st.sampled_from(["a", "b", "ab"])))
def test_parts_add_up(pair, dictionary):
    texts = AlignedTexts.from_texts(*map(text, pair))
    points = block_ends(texts, sentences=1)
    numbers = texts.sentences.system[points], texts.sentences.gold[points]
    parts = WordDiff.count_parts(texts, numbers, dictionary)
    assert sum(parts, WordDiffCounts.zero()) == WordDiff().count(texts, dictionary)


@pytest.mark.parametrize(
    ("gold", "ours", "words", "errors"),
    [
        ("和平 和\n", "和 平和\n", 2, [1, 1, 0]),  # 和 is found, though at another place
        ("a b\nc d\n", "a b\n", 2, [0, 0, 0]),  # lines that the other file lacks are not read
        ("a b\n\nc d\n", "a b\nx\nc d\n", 4, [0, 0, 0]),  # nor those beside a blank line
        ("a | b\n", "a | b\n", 3, [0, 0, 1]),  # a word as diff's margin has it
    ],
)
def test_lines_are_paired_by_number(scored, folder, program, gold, ours, words, errors):
    folder(gold=gold, ours=ours, words="a\n")
    found = scored("ours.txt", "gold.txt", "--force")
    assert [found[f"{name}_diff"] for name in PKU] == errors
    theirs = program("words.txt", "gold.txt", "ours.txt")
    assert [theirs[TOTALS[name]] for name in PKU] == errors
    assert theirs["TOTAL TRUE WORD COUNT"] == words


def test_blocks_of_lines_have_intervals(scored, folder):
    folder(gold="a b\nc d\n" * 20, ours="a b\ncd\n" * 20)
    found = scored("ours.txt", "gold.txt", "--confidence")
    assert found["f1_diff"] == pytest.approx(4 / 7)


LETTERS, LONG = "x" * 61, "长" * 31


@pytest.mark.parametrize(
    ("words", "gold", "ours", "shown"),
    [
        ("甲\n", f"{LETTERS} 甲\n", "x 甲\n", {"recall": 1, "precision": 0.5}),  # no space after it
        (f"{LONG}\n甲\n", f"{LONG} 甲\n", f"{LONG} 甲\n", {"oov_rate": 0.5}),  # cut
        ("甲\n", "\u3000甲 乙\n", "甲 乙\n", {"gold": 3, "deletions": 1}),  # an empty word
        ("甲\n", "乡@ 乙\n", "乡@ 乙\n", {"gold": 2, "oov_rate": 1}),
        ("甲\n", "乡@乙\n", "乡@乙\n", {"gold": 2}),  # @ is a space
        ("乙甲", "乙甲\n", "乙甲\n", {"oov_rate": 1}),  # no line end
    ],
)
def test_what_is_not_followed(program, folder, monkeypatch, words, gold, ours, shown):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    (folder(gold=gold, ours=ours) / "words.txt").write_bytes(words.encode())
    theirs = program("words.txt", "gold.txt", "ours.txt")
    assert {name: theirs[{**TOTALS, **RATES}[name]] for name in shown} == shown


@pytest.mark.parametrize("ours", ["a b\n\n", "ab\ncd\n"])
def test_where_the_program_stops(program, scored, folder, ours):
    """At a blank line that is none in the gold, and if no word is right."""
    folder(gold="a b\nc d\n", ours=ours, words="a\n")
    with pytest.raises(subprocess.CalledProcessError) as raised:
        program("words.txt", "gold.txt", "ours.txt")
    assert b"division by zero" in raised.value.stderr
    assert 0 <= scored("ours.txt", "gold.txt", "--force")["f1_diff"] <= 1


def test_in_text(run, folder):
    folder(gold="ab c\n", ours="a b c\n", words="ab\n")
    command = (
        "text",
        "ours.txt",
        "--gold",
        "gold.txt",
        "--also",
        "diff",
        "--dictionary",
        "words.txt",
    )
    status, out, _ = run(*command)
    assert status == 0
    assert "Errors of words, as diff finds them" in out
