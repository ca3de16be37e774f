"""Wrong boundaries as they are listed: `--show-errors` and `--errors` of transcripts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.batch import Positions
from caesura.measures.geometry import most_matches
from caesura.tasks.transcript.report import unmatched

FILES = {
    "gold": "it rained // then we left // they stayed",
    "ours": "it // rained then we left // they stayed",
}
COMMAND = ("transcript", "ours.txt", "--ref", "gold.txt")


def test_they_are_shown_in_their_words(run, folder):
    folder(**FILES)
    status, out, _ = run(*COMMAND, "--show-errors", "1")
    assert status == 0
    assert "Wrong boundaries: the 1 most frequent of 2 kinds" in out
    assert "after word 2" not in out
    out = run(*COMMAND, "--show-errors", "5")[1]
    assert "Wrong boundaries: the 2 most frequent of 2 kinds" in out
    assert "document, after word 1\n  ours: extra (against gold)\n  it ▮ rained then we" in out
    assert "document, after word 2\n  ours: missed (against gold)\n  it rained ▮ then we" in out


def test_they_are_written_to_a_file(run, folder):
    path = folder(**FILES)
    assert run(*COMMAND, "--errors", "e.tsv")[0] == 0
    lines = (path / "e.tsv").read_text("utf-8").splitlines()
    assert lines[0].split("\t") == [
        "system", "reference", "document", "error", "place", "before", "after",
    ]  # fmt: skip
    assert [line.split("\t")[3:6] for line in lines[1:]] == [
        ["extra", "1", "it"],
        ["missed", "2", "it rained"],
    ]


def test_on_the_axis_of_time_they_are_moments(run, folder):
    gold = "rec 1 0 1 w\nrec 1 1 1 w\nrec 1 2 1 w\n"
    ours = "rec 1 0 1.01 w\nrec 1 1.01 1.49 w\nrec 1 2.5 0.5 w\n"
    folder(**{"gold.ctm": gold, "ours.ctm": ours})
    command = ("score", "phones", "ours.ctm", "--gold", "gold.ctm", "--show-errors", "5")
    status, out, _ = run(*command)
    assert status == 0
    assert "at 2.000 s\n  ours: missed (against gold)\n" in out
    assert "at 2.500 s\n  ours: extra (against gold)\n" in out
    assert "1.010 s" not in out


def test_on_the_axis_of_samples_they_are_samples(run, folder):
    folder(**{"s.times": "3\n40\n", "r.times": "3\n70\n"})
    command = ("transcript", "s.times", "--ref", "r.times", "--axis", "samples")
    status, out, _ = run(*command, "--n", "100", "--show-errors", "5")
    assert status == 0
    assert "at sample 40\n  s: extra" in out
    assert "at sample 70\n  s: missed" in out


@given(*[st.sets(st.integers(0, 30)).map(sorted)] * 2, st.integers(0, 6))
def test_what_is_left_is_what_the_largest_matching_leaves(ours, theirs, tolerance):
    extra, missed = unmatched(ours, theirs, tolerance)
    placed, wanted = (Positions.from_one(np.array(each, np.int64)) for each in (ours, theirs))
    (tp,) = most_matches(placed, wanted, tolerance).tolist()
    assert (len(ours) - len(extra), len(theirs) - len(missed)) == (tp, tp)
