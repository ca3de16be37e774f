"""CountTable against a slow twin: rows in a dict, added one by one."""

import pickle
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core import table as core_table
from caesura.core.row import Portion, Row, SourceCounts
from caesura.core.table import CountTable, Key, Names, TableBuilder
from caesura.measures.boundary import BoundaryCounts
from caesura.measures.marks import MarkCounts
from caesura.measures.wisebe import WisebeCounts
from caesura.run.rows_file import lines_of
from caesura.tasks.terms.measures import TermCounts
from support.rows import line_of

FEW = st.sampled_from(["a", "b%s", 'ç"'])
SIZES = st.sampled_from([0, 1, 7, 1 << 15, 1 << 31, 1 << 62, 1 << 70])
MARK = st.sampled_from([".", "?", "none"])


@st.composite
def marks(draw):
    """Confusions in any order, some of them 0."""
    found = draw(st.dictionaries(st.tuples(MARK, MARK), SIZES, max_size=4))
    return MarkCounts(tuple((a, b, n) for (a, b), n in found.items()))


@st.composite
def terms(draw):
    sums = draw(st.dictionaries(st.integers(1, 5), SIZES, max_size=3))
    numbers = draw(st.lists(SIZES, min_size=18, max_size=18))
    return TermCounts(*numbers, tuple(sums.items()))


SOURCES = st.builds(
    SourceCounts, SIZES, SIZES, SIZES, st.lists(FEW, unique=True, max_size=2).map(tuple)
)
KINDS = {
    "source": SOURCES,
    "boundary": st.builds(BoundaryCounts, SIZES, SIZES, SIZES, SIZES),
    "wisebe": st.builds(WisebeCounts, *[SIZES] * 7),
    "marks": marks(),
    "terms": terms(),
}


@st.composite
def row(draw):
    """Any row; its document is often that of the last."""
    measure = draw(st.sampled_from(list(KINDS)))
    who = draw(st.none() | FEW), draw(FEW), measure, draw(st.none() | FEW)
    rest = draw(st.tuples(*[st.sampled_from([None, None, None, "x", "y"])] * 3))
    return Row(*who, draw(KINDS[measure]), *rest, draw(st.sampled_from([0, 0, 5])))


@st.composite
def regular(draw):
    """Documents that all have rows of the same keys."""
    keys = draw(st.lists(st.tuples(FEW, st.sampled_from(list(KINDS)), FEW), unique=True))
    return [
        Row(system, f"d{at}", measure, reference, draw(KINDS[measure]))
        for at in range(draw(st.integers(0, 4)))
        for system, measure, reference in keys
    ]


ROWS = st.lists(row(), max_size=12) | regular()


def place(row):
    """What a row is of: its unit, its measure and its key."""
    portion = Portion(row.scope, row.stream, row.block)
    return row.document, portion, row.measure, Key(row.system, row.reference, row.left_out)


def nonzero(counts):
    """Counts as a dict, without what is 0."""
    return {item: number for item, number in counts.items().items() if number}


def summed(rows, where=place):
    """The slow twin: what is counted at each place, rows of the same place added."""
    found = {}
    for each in rows:
        found.setdefault(where(each), []).append(each.counts)
    return {at: nonzero(reduce(add, own)) for at, own in found.items()}


@given(ROWS)
def test_rows_come_out_as_they_went_in(rows):
    table = CountTable.from_rows(rows)
    out = list(table.rows())
    assert summed(out) == summed(rows)
    assert len(out) == len(summed(rows))
    assert all(type(n) is int for each in out for n in each.counts.items().values())
    units = dict.fromkeys(place(each)[:2] for each in rows)
    assert list(zip(table.documents, table.portions, strict=True)) == list(units)
    assert list(dict.fromkeys(place(each)[:2] for each in out)) == list(units)


@given(ROWS)
def test_lines_are_those_of_the_rows(rows):
    table = CountTable.from_rows(rows)
    assert "".join(lines_of(table)) == "".join(map(line_of, table.rows()))


@given(ROWS)
def test_tables_travel(rows):
    table = CountTable.from_rows(rows)
    sent = pickle.loads(pickle.dumps(table))
    assert list(lines_of(sent)) == list(lines_of(table))


@given(st.lists(ROWS, max_size=5), st.booleans(), st.sampled_from([1, 3, 1 << 13]))
def test_it_does_not_matter_who_counted_what(parts, as_tables, pending):
    before, core_table.PENDING = core_table.PENDING, pending
    kept = TableBuilder()
    for part in parts:
        kept.add(CountTable.from_rows(part) if as_tables else part)
    core_table.PENDING = before
    whole = CountTable.from_rows([each for part in parts for each in part])
    assert summed(kept.table().rows()) == summed(whole.rows())
    assert kept.table().documents == whole.documents
    assert kept.table().names == whole.names
    if {*whole.names.each} == {*kept.table().names.each}:
        assert sorted(lines_of(kept.table())) == sorted(lines_of(whole))


@given(ROWS, st.permutations(["a", "b%s", 'ç"', "d0", "d1", "d2", "d3"]))
def test_documents_can_be_ordered(rows, names):
    order = {name: at for at, name in enumerate(names)}
    table = CountTable.from_rows(rows).ordered(order)
    assert table.documents == sorted(table.documents, key=order.__getitem__)
    assert summed(table.rows()) == summed(rows)


@given(ROWS)
def test_units_are_added_by_label(rows):
    table = CountTable.from_rows(rows).sum(lambda name, portion: None if portion.stream else name)
    kept = [each for each in rows if not each.stream]
    expected = summed(kept, lambda row: (row.document, *place(row)[2:]))
    assert summed(table.rows(), lambda row: (row.document, *place(row)[2:])) == expected
    total = CountTable.from_rows(rows).total
    assert summed(total.rows(), lambda row: place(row)[2:]) == summed(
        rows, lambda row: place(row)[2:]
    )


@given(ROWS, FEW)
def test_keys_and_units_can_be_taken(rows, name):
    table = CountTable.from_rows(rows)
    assert summed(table.only([name, None]).rows()) == summed(
        [each for each in rows if each.system in (name, None)]
    )
    units = [at for at, document in enumerate(table.documents) if document == name]
    assert summed(table.take(units).rows()) == summed(
        [each for each in rows if each.document == name]
    )


@st.composite
def drawn(draw):
    """A table of small whole numbers, dense, and how often each unit counts."""
    units, keys = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    columns = [
        np.array(draw(st.lists(st.integers(0, 9), min_size=keys * units, max_size=keys * units)))
        for _ in range(4)
    ]
    names = Names(("s", "t", "r", "q", "p"))
    codes = names.codes([Key("s", name) for name in "rqp"[:keys]])
    parts = [(codes, [("boundary", BoundaryCounts(*columns))])]
    table = CountTable.from_counts(names, [f"d{at}" for at in range(units)], parts)
    own = table.measures["boundary"]
    table = CountTable(names, table.documents, table.portions, {"boundary": own.dense(own.keys)})
    weights = draw(
        st.lists(st.lists(st.integers(0, 3), min_size=units, max_size=units), min_size=1)
    )
    return table, np.array(weights, np.float64), np.array(columns).reshape(4, keys, units)


@given(drawn())
def test_weights_leaving_out_and_exchanging_are_sums(example):
    table, weights, values = example

    def grid(made):
        return made.measures["boundary"].grid()

    expected = np.einsum("fku,du->fkd", values, weights)
    np.testing.assert_array_equal(grid(table.weighted(weights)), expected)
    others = values.sum(axis=2, keepdims=True) - values
    np.testing.assert_array_equal(grid(table.without_each()), others)
    flips, twice = (weights > 1).astype(np.float64), table.weighted(np.eye(len(table)) * 2)
    ours, theirs = table.exchanged(twice, flips)
    mixed = np.where(flips[:, None, None, :] > 0, 2 * values, values).sum(axis=-1)
    np.testing.assert_array_equal(grid(ours), np.moveaxis(mixed, 0, -1))
    np.testing.assert_array_equal(grid(theirs), 3 * values.sum(axis=2, keepdims=True) - grid(ours))


@pytest.mark.parametrize(
    ("number", "kind"),
    [(1, np.int16), (1 << 15, np.int32), (1 << 31, np.int64), (1 << 63, object), (1 << 70, object)],
)
def test_numbers_take_as_few_bytes_as_they_need(number, kind):
    rows = [Row("s", f"d{at}", "boundary", "r", BoundaryCounts(number, 0, 0, at)) for at in (0, 1)]
    table = CountTable.from_rows(rows)
    assert table.measures["boundary"].values.dtype == kind
    assert table.total.one("boundary", Key("s", "r")) == BoundaryCounts(2 * number, 0, 0, 1)


def test_products_of_large_counts_are_exact():
    rows = [Row("s", "d", "boundary", "r", BoundaryCounts(1 << 40, 3, 3, 7))]
    counts, there = CountTable.from_rows(rows).counts("boundary", np.array([[0], [0]]))
    assert not there.any()
    table = CountTable.from_rows(rows)
    counts, there = table.counts("boundary", table.names.codes([Key("s", "r")]))
    assert there.all()
    assert counts.tp[0, 0] ** 3 == 1 << 120
    assert counts.fp.dtype == np.int64


def test_what_was_not_counted_has_no_row():
    rows = [Row("s", "d", "boundary", "r", BoundaryCounts(1, 2, 3, 4)),
            Row("t", "e", "boundary", "r", BoundaryCounts(0, 0, 0, 0))]  # fmt: skip
    table = CountTable.from_rows(rows)
    _, there = table.counts("boundary", table.names.grid(["s", "t", "u"], ["r"])[:, 0])
    assert there.tolist() == [[True, False], [False, True], [False, False]]
    assert [each.document for each in table.rows()] == ["d", "e"]
    assert not CountTable()
    assert len(CountTable.from_tables([])) == 0
    assert len(CountTable().total) == 1
