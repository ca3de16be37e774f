import json
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.counts import Counts
from caesura.core.row import Row, SourceCounts
from caesura.core.segmentation import Document
from caesura.errors import FormatError, UnknownNameError
from caesura.formats.plain import parse
from caesura.run.rows import COUNTS, read_rows, write_rows
from caesura.tasks.transcript import Transcript, count_documents
from strategies import judged

NAMES = st.text(min_size=1, max_size=5)


def rows_of(candidate, panel):
    references = {f"r{i}": Document(each) for i, each in enumerate(panel.members)}
    return count_documents("d", {"s": Document(candidate)}, references, Transcript())


@given(judged(), NAMES)
def test_rows_survive_json_and_travel(case, name):
    for row in rows_of(*case):
        named = Row(row.system, name, row.measure, row.reference, row.counts)
        assert Row.from_json(named.to_json()) == named
        parted = replace(named, stream=name, block=7)
        assert pickle.loads(pickle.dumps(parted)) == parted


def test_rows_that_travel_share_their_names():
    counts = SourceCounts.zero()
    sent = [Row("a system", "d", "source", "a reference", counts, block=at) for at in range(2)]
    one, two = (pickle.loads(pickle.dumps(row)) for row in sent)
    assert [one, two] == sent
    assert one.system is two.system
    assert one.reference is two.reference


@given(judged())
def test_every_measure_and_every_kind_of_reference_is_there(case):
    candidate, panel = case
    rows = rows_of(candidate, panel)
    everything = set(COUNTS) - {"alignment"}
    assert {row.measure for row in rows if len(panel) > 1} <= everything
    keys = [(row.system, row.document, row.measure, row.reference) for row in rows]
    assert len(keys) == len(set(keys))
    left_out = {row.reference for row in rows if (row.reference or "").startswith("-")}
    assert left_out == ({f"-r{i}" for i in range(len(panel))} if len(panel) > 1 else set())


def test_a_file_of_rows(tmp_path):
    one, two = parse("a b // c d"), parse("a // b c d")
    rows = count_documents("d", {"s": one}, {"r": two}, Transcript())
    path = str(tmp_path / "rows.jsonl")
    write_rows(path, {"caesura": "x"}, rows)
    assert read_rows(path) == ({"caesura": "x"}, rows)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "rows.jsonl:1: no rows of caesura; make them with --rows FILE"),
        ("[1]\n", "rows.jsonl:1: no rows of caesura; make them with --rows FILE"),
        ('{"caesura": "1"}\n{"system": "s"', "rows.jsonl:2: no row ("),
        ('{"caesura": "1"}\n{"system": "s"}\n', "rows.jsonl:2: no row ('measure')"),
    ],
)
def test_files_that_are_no_rows(folder, content, message):
    folder(**{"rows.jsonl": content})
    with pytest.raises(FormatError) as error:
        read_rows("rows.jsonl")
    assert str(error.value).startswith(message)


def test_a_row_of_an_unknown_measure():
    line = json.dumps({"system": "s", "document": "d", "measure": "wisbe", "reference": None})
    with pytest.raises(UnknownNameError, match="did you mean wisebe"):
        Row.from_json(line)


def test_sources_add():
    a, b = SourceCounts.from_document(parse("a // b")), SourceCounts.from_document(parse("c. d"))
    assert a + b == b + a == SourceCounts(2, 4, 4, ("marks", "slashes"))
    assert SourceCounts.zero() + a == a
    assert isinstance(a, Counts)
