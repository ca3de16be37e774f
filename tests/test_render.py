import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.output.drawing import draw
from caesura.output.render import (
    as_csv,
    as_json,
    as_latex,
    as_markdown,
    as_text,
    draw_rich,
)
from caesura.output.tables import Column, Page, Table

PAGE = Page(
    (
        Table(
            "scores",
            "Scores of a_b & c",
            (Column("system", ""), Column("F1 κ", "f1", "high"), Column("SER", "ser", "low")),
            (("S_1|x", 0.5, 1.25), ("S2", 0.75, 1.25), ("S3", math.nan, -0.5)),
            ((0, 1, 2),),
        ),
    ),
    ("A note.",),
    "caesura:1|marks:.?",
    ({"system": "S,1", "f1": math.nan, "n": 3}, {"system": "S2", "f1": 0.1 + 0.2, "n": 4}),
)


def test_text():
    assert as_text(PAGE).splitlines() == [
        "Scores of a_b & c",
        "system   F1 κ     SER",
        "─────────────────────",
        "S_1|x    .500   1.250",
        "S2       .750   1.250",
        "S3          –   −.500",
        "",
        "A note.",
        "caesura:1|marks:.?",
    ]


TEXTS = st.text("ab [:\\]x−κ±–日é\u0301\n\t", max_size=8) | st.text(max_size=6)
CELLS = TEXTS | st.integers(0, 10**7) | st.floats(-2, 2) | st.just(math.nan)


@st.composite
def pages(draw_value):
    keys = draw_value(st.lists(st.sampled_from(["", "f1"]), min_size=1, max_size=4))
    columns = tuple(Column(draw_value(TEXTS), key) for key in keys)
    rows = st.lists(st.tuples(*[CELLS] * len(keys)), max_size=3).map(tuple)
    tables = st.builds(Table, st.just("t"), TEXTS, st.just(columns), rows)
    texts = st.lists(TEXTS, max_size=2).map(tuple)
    return Page(tuple(draw_value(st.lists(tables, max_size=2))), draw_value(texts), passages=("a",))


@given(pages(), st.integers(10, 40))
def test_what_is_drawn_without_rich_is_the_same(page, width):
    drawn = draw(page, width)
    assert drawn is None or drawn == draw_rich(page, width, color=False)


def test_a_plain_page_needs_no_rich():
    assert draw(PAGE, 120) == draw_rich(PAGE, 120, color=False)
    assert draw(PAGE, 20) is None


def test_text_in_colour_marks_the_best():
    assert "\x1b[1;32m.750\x1b[0m" in as_text(PAGE, color=True)


def test_markup_in_names_is_shown_as_it_is():
    table = Table("t", "[bold]t", (Column("system", ""),), (("[red]x[/red]",),))
    assert "[red]x[/red]" in as_text(Page((table,)))


def test_markdown():
    assert as_markdown(PAGE).splitlines() == [
        "**Scores of a_b & c**",
        "",
        "| system | F1 κ | SER |",
        "|---|---:|---:|",
        "| S_1\\|x | .500 | 1.250 |",
        "| S2 | **.750** | 1.250 |",
        "| S3 | – | **−.500** |",
        "",
        "A note.",
        "",
        "`caesura:1|marks:.?`",
    ]


def test_latex():
    lines = as_latex(PAGE).splitlines()
    assert r"\caption{Scores of a\_b \& c}" in lines
    assert r"\begin{tabular}{lrr}" in lines
    assert r"system & F1 $\kappa$ & SER \\" in lines
    assert r"S\_1\textbar{}x & .500 & 1.250 \\" in lines
    assert r"S2 & \textbf{.750} & 1.250 \\" in lines
    assert r"S3 & -- & \textbf{$-$.500} \\" in lines
    assert lines[-1] == "% caesura:1|marks:.?"


def test_csv():
    assert as_csv(PAGE) == 'system,f1,n\n"S,1",,3\nS2,0.30000000000000004,4\n'


def test_json_is_exact_and_has_no_nan():
    text = as_json({"a": math.nan, "b": [0.1 + 0.2, {"c": math.nan}], "d": "é"})
    assert json.loads(text) == {"a": None, "b": [0.1 + 0.2, {"c": None}], "d": "é"}
    assert "é" in text


@pytest.mark.parametrize(
    ("values", "best"),
    [((0.5, 0.5), []), ((0.5, 0.6), [1]), ((math.nan, 0.1), [1]), ((math.nan, math.nan), [])],
)
def test_the_best_is_marked_only_where_it_is_better(values, best):
    table = Table("", "", (Column("F1", "f1", "high"),), tuple((v,) for v in values), ((0, 1),))
    assert [row for row in (0, 1) if table.is_best(row, 0)] == best
