"""M2 that is malformed or odd: one line with file, line and cure, or a warning."""

import pytest

import caesura
from caesura.errors import CaesuraError
from caesura.tasks.corrections.format import parse_m2
from support.results import result

END = "REQUIRED|||-NONE-|||"
GOLD = (
    f"S He like cats .\nA 1 2|||R:VERB|||likes|||{END}0\n\n"
    f"S I am agree\nA 1 2|||U:VERB||||||{END}0\nA 3 3|||M:PUNCT|||.|||{END}0\n"
)


COMMAND = ("corrections", "s.m2", "--gold", "g.m2")


def with_edit(line):
    """An edit in place of that of the first sentence."""
    first, _, *rest = GOLD.splitlines()
    return "\n".join([first, line, *rest])


# The system's file, and what is said of it.
BAD = {
    "an empty file": ("", "s.m2: no sentences"),
    "empty sentences": ("S\n\nS \n", "s.m2: no sentences"),
    "a text further down": (GOLD + "He likes\n", "s.m2:7: the line 'He likes' begins neither"),
    "an edit before any sentence": (f"A 0 1|||R|||x|||{END}0\n{GOLD}", "s.m2:1: an edit before"),
    "a span beyond the sentence": (
        with_edit(f"A 3 5|||R|||x|||{END}0"),
        "s.m2:2: the span 3 5 is outside the sentence, which has 4 tokens; count tokens from 0",
    ),
    "a negative span": (with_edit(f"A -1 1|||R|||x|||{END}0"), "s.m2:2: the span -1 1 is outside"),
    "a span without an annotation": (with_edit(f"A -1 -1|||R|||x|||{END}0"), "s.m2:2: the span -1"),
    "a span that ends early": (with_edit(f"A 2 1|||R|||x|||{END}0"), "s.m2:2: the span 2 1 ends"),
    "a number too few": (with_edit(f"A 1|||R|||x|||{END}0"), "s.m2:2: '1' is not a span"),
    "a word for a number": (with_edit(f"A 1 b|||R|||x|||{END}0"), "s.m2:2: the token 'b' is not"),
    "a huge number": (
        with_edit(f"A 1 {'9' * 5000}|||R|||x|||{END}0"), "s.m2:2: the token '99999999999",
    ),
    "fields too few": (with_edit("A 1 2|||R|||x"), "s.m2:2: an edit of 3 fields"),
    "a named annotator": (with_edit(f"A 1 2|||R|||x|||{END}Ann"), "s.m2:2: the annotator 'Ann'"),
    "an edit of an empty sentence": (
        f"{GOLD}\nS\nA 0 0|||M|||x|||{END}0\n", "s.m2:9: an edit of a sentence without tokens",
    ),
    "a NUL byte": (GOLD.replace("am", "a\0m"), "s.m2:4: a NUL byte"),
    "bytes that are no UTF-8": (
        GOLD.encode().replace(b"agree", b"agr\xe9e"), "s.m2:4: byte 0xe9 is not UTF-8",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), BAD.values(), ids=BAD)
def test_bad_input(folder, run, text, problem):
    folder(**{"s.m2": text, "g.m2": GOLD})
    status, out, error = run(*COMMAND)
    assert (status, out) == (1, "")
    assert error.startswith(f"error: {problem}"), error
    assert error.count("\n") == 1
    assert "; " in error
    assert len(error) < 300


def test_edits_outside_their_sentence_can_be_ignored(folder, run):
    """A warning counts them and names the first; the error names the option."""
    spans = "3 5", "-1 1", "2 1"
    first, *others = [f"A {span}|||R|||x|||{END}0" for span in spans]
    folder(**{"s.m2": GOLD, "g.m2": "\n".join([with_edit(first), *others, ""])})
    status, _, error = run(*COMMAND)
    assert status == 1
    assert error.endswith(", or ignore such edits with --force\n")
    said = "g.m2:2: 3 edits whose span the sentence does not have; ignored"
    told = result(run, *COMMAND, "--force")
    assert told["warnings"] == [said]
    assert [told["systems"][0]["edits"][name] for name in ("tp", "fp", "fn")] == [2, 1, 0]
    with pytest.raises(CaesuraError, match="ignore such edits with force=True"):
        caesura.evaluate({"s": "s.m2"}, gold="g.m2", task="corrections")
    found = caesura.evaluate({"s": "s.m2"}, gold="g.m2", task="corrections", force=True)
    assert found.warnings == (said,)


@pytest.mark.parametrize("value", [b"S a", 3, [1, 2], {"a": 1}, None])
def test_values_that_are_no_corrections(value):
    with pytest.raises((CaesuraError, TypeError)):
        caesura.evaluate({"s": value}, gold=GOLD.splitlines(), task="corrections")


@pytest.mark.parametrize("beta", ["0", "nan"])
def test_a_beta_that_cannot_be(folder, run, beta):
    folder(**{"s.m2": GOLD, "g.m2": GOLD})
    status, out, _ = run(*COMMAND, "--beta", beta)
    assert (status, out) == (2, "")


OVERLAPS = {
    "the same span": [(0, 1), (0, 1)],
    "a part": [(0, 3), (1, 2)],
    "over an edge": [(0, 2), (1, 3)],
    "an insertion inside": [(0, 2), (1, 1)],
    "two insertions": [(1, 1), (1, 1)],
    "a long one before others": [(0, 4), (1, 2), (3, 4)],
}
BESIDE = {
    "neighbours": [(0, 1), (1, 2)],
    "an insertion before": [(1, 1), (1, 2)],
    "an insertion after": [(0, 1), (1, 1)],
}


def edited(spans, who=0):
    return "S a b c d\n" + "".join(f"A {a} {b}|||R|||x|||{END}{who}\n" for a, b in spans)


@pytest.mark.parametrize("spans", OVERLAPS.values(), ids=OVERLAPS)
def test_edits_that_overlap_are_told(folder, run, spans):
    folder(**{"s.m2": "S e\n\n" + edited(spans), "g.m2": "S e\nS a b c d\n"})
    size = len(spans) - 1
    edits = f"{size} edit{'s' * (size > 1)}"
    assert result(run, *COMMAND)["warnings"] == [
        f"s.m2:5: {edits} at a place that the same annotator edits already; each counts, as in "
        "ERRANT"
    ]


def test_edits_beside_each_other_or_of_others_do_not_overlap(folder, run):
    both = edited([(0, 2)]) + edited([(1, 2)], who=1).partition("\n")[2]
    for text in (*map(edited, BESIDE.values()), both):
        folder(**{"s.m2": "S a b c d\n", "g.m2": text})
        assert run(*COMMAND)[2] == ""


def test_annotators_that_are_missing_in_places_are_told(folder, run):
    gold = edited([(0, 1)]) + "\n" + edited([(0, 1)], who=1) + "\nS f\n"
    folder(**{"s.m2": "S a b c d\n\nS a b c d\n\nS f\n", "g.m2": gold})
    assert result(run, *COMMAND)["warnings"] == [
        "g.m2:1: 2 sentences without some of the annotators, who are not chosen there; "
        "write a noop for those who change nothing"
    ]


def test_many_files_with_overlaps_are_told_in_one_line(folder, run):
    bad = edited([(0, 1), (0, 1)])
    names = [f"{side}__{at}.m2" for side in ("s", "g") for at in range(3)]
    folder(**dict.fromkeys(names, bad))
    error = run("corrections", "s", "--gold", "g")[2]
    assert error.startswith("warning: 6 files: 6 edits at a place")
    assert error.count("\n") == 1


SAME = {
    "blank lines": "\n\n" + GOLD.replace("\n", "\n\n") + "\n\n",
    "no blank lines": GOLD.replace("\n\n", "\n"),
    "no line end": GOLD.rstrip("\n"),
    "more spaces": GOLD.replace("like cats", "like  cats "),
    "empty sentences": "S\n\n" + GOLD + "\nS \n",
    "a noop beside edits": GOLD.replace("\n\n", f"\nA -1 -1|||noop|||-NONE-|||{END}0\n\n"),
}


@pytest.mark.parametrize("data", SAME.values(), ids=SAME)
def test_files_that_are_only_written_differently(folder, run, data):
    folder(**{"s.m2": data, "g.m2": GOLD, "t.m2": GOLD})
    wanted = run("corrections", "s=t.m2", "--gold", "g.m2")
    assert run("corrections", "s=s.m2", "--gold", "g.m2") == wanted
    assert wanted[0] == 0


def test_spaces_that_are_not_ascii_are_inside_tokens():
    r"""A no-break space, U+2028 and U+0085, which str.splitlines and str.split would cut at."""
    for space in "\u00a0\u2028\u0085\u3000":
        found = parse_m2(f"S a{space}b c\nA 1 2|||R|||x|||{END}0\n".encode())
        assert found.text.tokens(0, 2)[1] == "c"
        assert found.text.token_ends.size == 2
    alone = parse_m2(f"S a \u00a0 c\nA 2 3|||R|||x|||{END}0\n".encode())
    assert alone.text.tokens(2, 3) == ["c"]
    assert [edit.first for edit in alone.edits] == [2]


def test_an_insertion_at_the_end_of_the_text(folder, run):
    end = f"S a b\nA 2 2|||M|||.|||{END}0\n"
    folder(**{"s.m2": end, "g.m2": end})
    for match in ("correction", "type", "span", "token"):
        found = result(run, *COMMAND, "--match", match)
        assert found["systems"][0]["edits"]["tp"] == 1
