"""The figures that the cards give, made again by the shipped weights through the command line."""

import json

import pytest

pytestmark = pytest.mark.slow

FIGURES = {
    "s1": (0.736, 0.690, 0.359),
    "s2": (0.754, 0.710, 0.369),
    "best": (0.782, 0.744, 0.385),
    "best:0.2636": (0.789, 0.752, 0.394),
}
MARKS = {"P": ".", "Q": "?", "E": "!", "S": ";"}


def scores(run, references, measure):
    chosen = [part for name in FIGURES for part in ("--run", name)]
    status, out, errors = run("transcript", *chosen, *references, "-f", "json")
    assert status == 0, errors
    return {each["name"]: each["micro"][measure] for each in json.loads(out)["systems"]}


@pytest.mark.parametrize(("at", "name"), [(0, "test2011"), (1, "test2011asr")])
def test_talks(shared, tmp_path, run, at, name):
    labelled = (shared / f"data/speech/eval/iwslt_{name}.txt").read_text().split()
    cells = (cell.rpartition("/") for cell in labelled)
    path = tmp_path / f"{name}.txt"
    path.write_text(" ".join(word + MARKS.get(label, "") for word, _, label in cells))
    found = scores(run, ["--ref", path], "f1_mean")
    assert found == {each: pytest.approx(FIGURES[each][at], abs=0.0006) for each in FIGURES}


def test_v6(shared, run):
    references = sorted((shared / "data/wisebe/text").glob("*ref*"))
    assert len(references) == 3
    found = scores(run, [part for each in references for part in ("--ref", each)], "wisebe")
    assert found == {each: pytest.approx(FIGURES[each][2], abs=0.0006) for each in FIGURES}
