"""Tables: derived columns, ids of their own, and the best of each column, found in one pass."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.output.pages import page_of
from caesura.output.statistics import compare_page
from caesura.output.tables import Column, Page, Table, shown
from caesura.scores.catalog import catalog
from caesura.tasks import TASKS

CELLS = st.none() | st.integers(-3, 3) | st.floats(-2, 2) | st.just(math.nan) | st.just("–")
COLUMNS = st.lists(st.sampled_from(["high", "low", None]), min_size=1, max_size=3)
DOCUMENTS = {f"d{at}": [f"a{at} b", "c d e", "f"] for at in range(3)}
OTHERS = {f"d{at}": [f"a{at}", "b c d", "e f"] for at in range(3)}
REFERENCES = {"r": DOCUMENTS, "q": OTHERS, "p": DOCUMENTS}
PHONES = [("f", 0, 0.2, "a"), ("f", 0.2, 0.4, "b"), ("g", 0, 0.2, "a"), ("g", 0.2, 0.4, "b")]
WORDS = [("f", 0, 0.4, "ab"), ("g", 0, 0.4, "ab")]


@st.composite
def tables(draw):
    better = draw(COLUMNS)
    width = len(better)
    rows = draw(st.lists(st.tuples(*[CELLS] * width), max_size=8))
    columns = tuple(Column(f"c{at}", f"k{at}", each) for at, each in enumerate(better))
    return Table("t", "title", columns, tuple(rows)).in_groups(draw(st.integers(0, 4)))


def is_best_slowly(table, row, column):
    """The definition: no rival is better, and some rival is worse."""
    better = table.columns[column].better
    group = next((group for group in table.groups if row in group), ())
    if better is None or len(group) < 2:
        return False

    def worth(at):
        value = table.rows[at][column]
        if not isinstance(value, int | float) or math.isnan(value):
            return -math.inf
        return value if better == "high" else -value

    others = [worth(at) for at in group]
    return worth(row) > -math.inf and worth(row) == max(others) and min(others) < worth(row)


@given(tables())
def test_the_best_is_what_the_definition_says(table):
    for row in range(len(table.rows)):
        for column in range(len(table.columns)):
            assert table.is_best(row, column) == is_best_slowly(table, row, column)


def test_a_group_may_be_empty():
    table = Table("t", "", (Column("F1", "f1", "high"),), ((0.5,),), groups=((), (0,)))
    assert not table.is_best(0, 0)


@given(tables(), st.integers(1, 4))
def test_groups_are_disjoint_and_whole(table, size):
    groups = table.in_groups(size).groups
    assert all(len(group) == size for group in groups)
    assert [row for group in groups for row in group] == list(range(len(groups) * size))
    assert len(table.rows) - len(groups) * size < size


@given(CELLS)
def test_a_cell_is_short(value):
    text = shown(value)
    assert text
    assert not text.startswith(("0.", "-"))
    assert (text == "–") == (
        value in (None, "–") or (isinstance(value, float) and math.isnan(value))
    )


def evaluations():
    how = {"confidence": True, "resamples": 30}
    yield caesura.evaluate({"s": DOCUMENTS, "t": OTHERS}, REFERENCES, compare=True, **how)
    yield caesura.evaluate({"s": DOCUMENTS}, {"r": OTHERS})
    yield caesura.evaluate(references=REFERENCES, **how)
    yield caesura.evaluate({"s": DOCUMENTS}, gold={"g": OTHERS}, force=True)


def pages():
    for found in evaluations():
        yield page_of(found.summary, by_document=True)
    found = {"1": [("f", 0, 0.4), ("g", 0, 0.4)]}
    terms = caesura.evaluate({"s": found}, phones=PHONES, words=WORDS, parts=2)
    yield page_of(terms.summary)


def test_tables_have_ids_of_their_own_and_rows_that_fit():
    for page in pages():
        ids = [table.id for table in page.tables]
        assert all(ids)
        assert len(set(ids)) == len(ids)
        for table in page.tables:
            assert all(len(row) == len(table.columns) for row in table.rows), table.id
            counts = [at for at, column in enumerate(table.columns) if column.is_count]
            for row in table.rows:
                assert all(row[at] is None or isinstance(row[at], int) for at in counts), table.id
        keys = [list(record) for record in page.records]
        assert all(each == keys[0] for each in keys)


@pytest.mark.parametrize(
    ("task", "view", "titles"),
    [
        ("transcript", "one", ["TP", "FP", "FN", "P", "R", "F1", "SER", "CER", "Pk", "WD", "B", "S",
                               "F1 ±3"]),
        ("transcript", "mean", ["P", "R", "F1", "SER", "CER", "Pk", "WD", "B", "F1 ±3"]),
        ("transcript", "ceiling", ["WiSeBE", "F1 RW", "F1"]),
        ("transcript", "document", ["WiSeBE", "F1 RW", "RGAR", "P", "R", "F1", "SER"]),
        ("transcript", "pair", ["Cohen κ", "F1", "B"]),
        ("transcript", "mark", ["TP", "FP", "FN", "P", "R", "F1"]),
        ("agreement", "agreement", ["RGAR", "Fleiss κ", "κ at boundaries", "Krippendorff α",
                                    "Cohen κ", "pairwise F1", "pairwise B"]),
        ("terms", "spread", ["boundary F1", "token F1", "type F1", "grouping F1", "NED",
                             "coverage"]),
    ],
)  # fmt: skip
def test_columns_of_views(task, view, titles):
    """Only here are all columns of a table pinned; other tests look at those they are about."""
    columns = catalog(TASKS[task], None, ()).columns(view, {"tolerance": 3})
    assert [column.title for column in columns] == titles
    assert all(column.help for column in columns)


def test_on_the_clock_windows_and_agreement_are_those_of_cells():
    clock = {"axis": "time", "tolerance": 500_000, "also": ("cells",)}
    scores = catalog(TASKS["transcript"], None, ("cells",))
    titles = {
        column.title for view in ("mean", "agreement") for column in scores.columns(view, clock)
    }
    assert titles >= {"P", "R", "F1", "SER", "RGAR", "pairwise F1", "Pk", "WD", "B", "Cohen κ"}
    assert "CER" not in titles


def test_pages_of_comparisons():
    found = caesura.evaluate({"s": DOCUMENTS, "t": OTHERS}, REFERENCES).compare(resamples=20)
    page = compare_page(found, measures=["F1", "pk_mean"])
    assert [column.title for column in page.tables[0].columns] == ["system", "F1", "Pk"]
    assert isinstance(replace(page, notes=()), Page)
