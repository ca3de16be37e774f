"""Differences as GNU diff finds them, against the program itself."""

import re
import shutil
import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.tasks.text.gnu_diff import differences, hunks

HUNK = re.compile(r"^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?$", re.MULTILINE)


@st.composite
def changed(draw, most=120):
    """A sequence, and one that was made from it: frequent items, rare ones, and new ones."""
    frequent = st.integers(0, draw(st.sampled_from([1, 2, 5, 30])))
    item = frequent | st.integers(100, 400) if draw(st.booleans()) else frequent
    left = draw(st.lists(item, max_size=most))
    edit = st.sampled_from(["keep"] * draw(st.integers(0, 8)) + ["drop", "add", "new", "again"])
    made = {
        "keep": lambda each: [each],
        "drop": lambda each: [],
        "add": lambda each: [draw(frequent), each],
        "new": lambda each: [500 + each],
        "again": lambda each: [each, each],
    }
    return left, [each for old in left for each in made[draw(edit)](old)]


def by_program(left, right, folder, *options):
    """The hunks that the program prints."""
    if shutil.which("diff") is None:
        pytest.skip("there is no diff")
    paths = [folder / name for name in ("left", "right")]
    for path, items in zip(paths, (left, right), strict=True):
        path.write_text("".join(f"{item}\n" for item in items))
    done = subprocess.run(["diff", *options, *paths], capture_output=True, text=True, check=False)
    for first, last, kind, other, other_last in HUNK.findall(done.stdout):
        sides = (first, last, kind == "a"), (other, other_last, kind == "d")
        yield tuple(
            range(int(a), int(a)) if is_empty else range(int(a) - 1, int(b or a))
            for a, b, is_empty in sides
        )


@pytest.fixture(scope="module")
def pair_of_files(tmp_path_factory):
    return tmp_path_factory.mktemp("diff")


@given(pair=changed())
@example(pair=([1, *[0] * 8, 2, 2, 3], [*[0] * 9, 5, 6]))
def test_differences_are_those_of_the_program(pair, pair_of_files):
    for is_minimal in (False, True):
        options = ["--minimal"] * is_minimal
        found = hunks(*differences(*pair, is_minimal=is_minimal))
        assert list(found) == list(by_program(*pair, pair_of_files, *options))


@given(changed(40))
def test_what_does_not_differ_is_the_same(pair):
    sides = [
        [item for item, differs in zip(side, which, strict=True) if not differs]
        for side, which in zip(pair, differences(*pair), strict=True)
    ]
    assert sides[0] == sides[1]


@given(changed(40))
def test_the_least_differences_leave_a_longest_common_subsequence(pair):
    from rapidfuzz.distance import LCSseq

    same = differences(*pair, is_minimal=True)[0].count(False)
    assert same == LCSseq.similarity(*pair)
    assert differences(*pair)[0].count(False) <= same


def test_frequent_items_among_lone_ones_are_lost():
    """`a` is on both sides, but among what the other side lacks: only --minimal finds it."""
    left = ["x1", "x2", "x3", "x4", "a", "x5", "x6", "x7", "x8"]
    right = [*"aaaaaa", "y"]
    assert differences(left, right)[0].count(False) == 0
    assert differences(left, right, is_minimal=True)[0].count(False) == 1
