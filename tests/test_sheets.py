import pickle
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.row import Key, Row, SourceCounts
from caesura.core.rows import FAN, Rows
from caesura.core.sheet import Sheet
from caesura.measures.boundary import BoundaryCounts
from caesura.measures.marks import MarkCounts
from caesura.measures.terms import TermCounts
from caesura.measures.wisebe import WisebeCounts
from caesura.run.rows import texts_of, to_json

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
    rest = draw(st.tuples(*[st.sampled_from([None, None, None, "x", "y"])] * 4))
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


def nonzero(counts):
    return {item: number for item, number in counts.items().items() if number}


def written(rows):
    return [to_json(each) for each in rows]


@given(ROWS)
def test_rows_come_out_as_they_went_in(rows):
    kept = Rows.from_rows(rows)
    assert list(kept) == rows
    assert kept == rows
    assert len(kept) == len(rows)
    assert written(kept) == written(rows)
    assert "".join(kept.each(texts_of)) == "".join(f"{line}\n" for line in written(rows))
    assert [kept[at] for at in range(len(rows))] == rows
    assert [kept[at] for at in range(-len(rows), 0)] == rows
    assert kept[1:3] == rows[1:3]


@given(ROWS)
def test_rows_travel(rows):
    sent = pickle.loads(pickle.dumps(Rows.from_rows(rows)))
    assert written(sent) == written(rows)


@given(st.lists(ROWS, max_size=5), st.booleans())
def test_rows_are_collected_in_order(parts, as_rows):
    kept = Rows()
    for part in parts:
        kept.add(Rows.from_rows(part) if as_rows else part)
        assert len(kept) >= len(part)
    assert list(kept) == [each for part in parts for each in part]


@given(ROWS, st.permutations(["a", "b%s", 'ç"', "d0", "d1", "d2", "d3"]))
def test_rows_are_sorted_by_document(rows, names):
    place = {name: at for at, name in enumerate(names)}
    found = Rows.from_rows(rows).sorted(place)
    assert list(found) == sorted(rows, key=lambda row: place[row.document])


@given(regular())
def test_rows_of_one_layout_are_one_sheet(rows):
    assert len(Rows.from_rows(rows).sheets) == min(1, len(rows))


@given(regular())
def test_counts_are_summed_by_key(rows):
    for sheet in Rows.from_rows(rows).sheets:
        for key in sheet.layout.keys:
            kind, number = sheet.layout.place(key)
            own = [
                each.counts
                for each in rows
                if Key(each.system, each.measure, each.reference) == key
            ]
            found = list(sheet.tallies[kind].total().each())[number]
            assert nonzero(found) == nonzero(reduce(add, own))
            assert all(type(n) is int for n in found.items().values())


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 7), min_size=1, max_size=5))
def test_sheets_are_made_of_arrays(numbers):
    columns = np.array(numbers).T
    documents = [f"d{at}" for at in range(len(numbers))]
    wisebe, boundary = Key("s", "wisebe", None), [Key("s", "boundary", name) for name in "ab"]
    marks = Key("s", "marks", "a")
    read = [SourceCounts(1, n[0], n[1], ("plain",)) for n in numbers]
    confusion = MarkCounts(((".", ".", columns[0]), (".", "none", columns[1])))
    matched = BoundaryCounts(*columns[:4]), BoundaryCounts(*columns[1:5])
    by_key = {
        Key("s", "source", None): read,
        wisebe: WisebeCounts(*columns),
        boundary[0]: matched[0],
        marks: confusion,
        boundary[1]: matched[1],
    }
    expected = [
        [
            Row("s", name, "source", None, source),
            Row("s", name, "wisebe", None, WisebeCounts(*n)),
            Row("s", name, "boundary", "a", BoundaryCounts(*n[:4])),
            Row("s", name, "marks", "a", _confusion(n)),
            Row("s", name, "boundary", "b", BoundaryCounts(*n[1:5])),
        ]
        for name, source, n in zip(documents, read, numbers, strict=True)
    ]
    assert list(Sheet.from_counts(documents, by_key).each()) == expected
    stacked = BoundaryCounts(*(np.stack([columns[at], columns[at + 1]]) for at in range(4)))
    by_measure = {"boundary": stacked, "wisebe": WisebeCounts(*columns), "marks": confusion}
    keys = [wisebe, boundary[0], marks, boundary[1]]
    found = Sheet.from_tallies(documents, keys, by_measure)
    assert list(found.each()) == [rows[1:] for rows in expected]


def _confusion(numbers):
    table = {(".", "."): numbers[0], (".", "none"): numbers[1]}
    return MarkCounts(tuple((a, b, n) for (a, b), n in table.items() if n))


@pytest.mark.parametrize("size", [1, 3])
def test_many_sheets_are_joined(size):
    kept = Rows()
    parts = [
        [
            Row("s", f"d{at}.{each}", "boundary", "r", BoundaryCounts(at, each, 0, 9))
            for each in range(size)
        ]
        for at in range(2 * FAN + 1)
    ]
    for part in parts:
        kept.add(Rows.from_rows(part))
    assert list(kept) == [each for part in parts for each in part]
    assert len(kept.sheets) == 1
