"""Wrong boundaries as they are listed: `--show-errors` and `--errors` of transcripts."""

from hypothesis import given
from hypothesis import strategies as st

from caesura.output.tables.boundaries import found_boundaries, shown_boundaries

FILES = {
    "gold": "it rained // then we left // they stayed",
    "ours": "it // rained then we left // they stayed",
}
COMMAND = ("transcript", "ours.txt", "--ref", "gold.txt")


def test_they_are_shown_in_their_words(run, folder):
    folder(**FILES)
    status, out, _ = run(*COMMAND, "--show-errors", "5")
    assert status == 0
    assert "Wrong boundaries: the 2 most frequent of 2 kinds" in out
    assert "document, after word 1\n  ours: extra (against gold)\n  it ▮ rained then we" in out
    assert "document, after word 2\n  ours: missed (against gold)\n  it rained ▮ then we" in out


def test_they_are_written_to_a_file(run, folder):
    path = folder(**FILES)
    assert run(*COMMAND, "--errors", "e.tsv")[0] == 0
    lines = (path / "e.tsv").read_text("utf-8").splitlines()
    assert lines[0].split("\t") == [
        "system", "reference", "document", "error", "word", "before", "after",
    ]  # fmt: skip
    assert [line.split("\t")[3:6] for line in lines[1:]] == [
        ["extra", "1", "it"],
        ["missed", "2", "it rained"],
    ]


def test_without_errors_nothing_is_listed(run, folder):
    folder(gold=FILES["gold"])
    command = ("transcript", "a=gold.txt", "--ref", "b=gold.txt", "--show-errors", "5")
    assert "The first of them" not in run(*command)[1]


def steps(places):
    return [b - a for a, b in zip([0, *sorted(places)], sorted(places), strict=False)]


@given(*[st.sets(st.integers(0, 8))] * 2)
def test_they_are_what_only_one_side_has(ours, theirs):
    reading = {
        "document": "d", "length": 10, "words": "a b c d e f g h i j",
        "references": {"r": steps(theirs)}, "systems": {"s": steps(ours)}, "kind": "transcript",
    }  # fmt: skip
    found = list(found_boundaries([reading]))
    assert {each.word - 1 for each in found if each.error == "extra"} == ours - theirs
    assert {each.word - 1 for each in found if each.error == "missed"} == theirs - ours
    assert len(shown_boundaries(found, 3).passages) == min(3, len(found)) + bool(found)
