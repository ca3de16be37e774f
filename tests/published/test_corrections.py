"""Published corrections, UA-GEC: one annotator against the other, as ERRANT 3.0.2 counts them."""

import pytest

from caesura.tasks.corrections.format import parse_m2
from caesura.tasks.corrections.measures import Corrections, errant_rates

pytestmark = pytest.mark.slow

WANTED = {
    "correction": (1379, 1892, 1095),
    "type": (1304, 1967, 1170),
    "span": (1616, 1655, 858),
    "token": (1841, 1765, 784),
}
REVERSED = {
    "correction": (1379, 1095, 1892),
    "type": (1304, 1170, 1967),
    "span": (1616, 858, 1655),
    "token": (1855, 784, 1765),
}


def read(path):
    """Sentences with the edits of both annotators, as numbers and cells."""
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        sentence, *edits = block.split("\n")
        cells = [edit[2:].split("|||") for edit in edits]
        spans = [list(map(int, each[0].split())) for each in cells]
        yield sentence[2:].split(" "), list(zip(spans, cells, strict=True))


@pytest.fixture(scope="module")
def annotated(shared):
    return list(read(shared / "data" / "gec" / "ua-gec.test.m2"))


def of(annotator, annotated):
    """The edits of one annotator."""
    return [
        (tokens, [edit for edit in edits if edit[1][-1] == annotator])
        for tokens, edits in annotated
    ]


def parsed(side):
    lines = []
    for tokens, edits in side:
        lines += ["", "S " + " ".join(tokens)]
        lines += [f"A {a} {b}|||" + "|||".join(cells[1:]) for (a, b), cells in edits]
    return parse_m2("\n".join(lines).encode())


def count(pair, match="correction"):
    found = Corrections(match).count(*map(parsed, pair))
    return found.tp, found.fp, found.fn


@pytest.mark.parametrize("match", WANTED)
def test_the_second_annotator_against_the_first(annotated, match):
    pair = of("1", annotated), of("0", annotated)
    tp, fp, fn = WANTED[match]
    assert count(pair, match) == (tp, fp, fn)
    if match in ("correction", "span"):
        rate = {"correction": 0.4432, "span": 0.5193}[match]
        assert round(errant_rates(tp, fp, fn, 0.5)[2], 4) == rate


@pytest.mark.parametrize("match", WANTED)
def test_the_first_annotator_against_the_second(annotated, match):
    pair = of("0", annotated), of("1", annotated)
    assert count(pair, match) == REVERSED[match]
