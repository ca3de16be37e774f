import json
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.api.lists import MEASURES
from caesura.api.saved import KNOWN
from caesura.core.counts import Counts
from caesura.core.row import Row, SourceCounts
from caesura.core.segmentation import Document
from caesura.errors import FormatError, UnknownNameError
from caesura.formats.plain import parse
from caesura.run.rows_file import Header, read_rows
from caesura.tasks.transcript.counting import Transcript, count_documents
from support.rows import line_of, table_of, write_rows
from support.strategies import judged

NAMES = st.text(min_size=1, max_size=5)
HEADER = Header(
    caesura="1", task="transcript", signature="x", references=("r",), systems=("s",), options={}
)
COUNTS = {"tp": 1, "fp": 2, "fn": 3, "slots": 9}


def head(**changed):
    """A first line, with something wrong."""
    return json.dumps(json.loads(HEADER.first_line) | changed) + "\n"


HEAD = head()


def line(**changed):
    """A header and a row, with something wrong."""
    row = {"system": "s", "document": "d", "measure": "boundary", "reference": "r"}
    return HEAD + json.dumps(row | {"counts": COUNTS} | changed) + "\n"


def rows_of(candidate, panel):
    references = {f"r{i}": Document(each) for i, each in enumerate(panel.members)}
    table = count_documents("d", {"s": Document(candidate)}, references, Transcript())
    return list(table.rows())


@given(judged(), NAMES)
def test_rows_survive_json_and_travel(case, name):
    for row in rows_of(*case):
        named = Row(row.system, name, row.measure, row.reference, row.counts)
        assert list(table_of([line_of(named)], MEASURES).rows()) == [named]
        parted = replace(named, stream=name, block=7)
        assert pickle.loads(pickle.dumps(parted)) == parted


def test_a_file_of_rows(tmp_path):
    one, two = parse("a b // c d"), parse("a // b c d")
    rows = count_documents("d", {"s": one}, {"r": two}, Transcript())
    path = str(tmp_path / "rows.jsonl")
    write_rows(path, HEADER, rows)
    saved = read_rows(path, KNOWN)
    assert (saved.header, saved.table, saved.readings) == (HEADER, rows, {})


NO_ROWS = 'rows.jsonl:1: not a rows file; make them with rows="FILE"'
FILES = {
    "": NO_ROWS,
    "[1]\n": NO_ROWS,
    **{
        json.dumps({key: value for key, value in json.loads(HEAD).items() if key != name})
        + "\n": f"rows.jsonl:1: a bad header (no {name}); "
        for name in ("task", "references", "options")
    },
    head(references="a"): "rows.jsonl:1: a bad header (references: 'a' is not a valid list); ",
    head(options=[]): "rows.jsonl:1: a bad header (options: [] is not a valid dict); ",
    f'{HEAD}{{"system": "s"': "rows.jsonl: unfinished; continue with resume=True",
    HEAD: "rows.jsonl: unfinished; continue with resume=True",
    f'{HEAD}{{"end": {{"failed": 3}}}}\n': "rows.jsonl: a bad last line (failed: 3 is not a",
    f"{HEAD}[1]\n": "rows.jsonl:2: not a valid row (it is not an object)",
}
ROWS = {
    "unknown measure '[]'": {"measure": []},
    "its document is 3, not a name": {"document": 3},
    "its system is [], not a name": {"system": []},
    "its stream is 1, not a name": {"stream": 1},
    "its block is not a number of words": {"block": "x"},
    "its counts are not those of boundary: fn": {"counts": {"tp": 1}},
    'its tp is "1", not a count': {"counts": COUNTS | {"tp": "1"}},
    "its tp is 1.5, not a count": {"counts": COUNTS | {"tp": 1.5}},
}
FILES |= {line(**row): f"rows.jsonl:2: not a valid row ({problem}" for problem, row in ROWS.items()}


@pytest.mark.parametrize(("content", "message"), FILES.items())
def test_files_that_are_no_rows(folder, content, message):
    folder(**{"rows.jsonl": content})
    with pytest.raises(FormatError) as error:
        read_rows("rows.jsonl", KNOWN)
    assert str(error.value).startswith(message)


def test_a_row_of_an_unknown_measure():
    line = json.dumps({"system": "s", "document": "d", "measure": "wisbe", "reference": None})
    with pytest.raises(UnknownNameError, match="did you mean wisebe"):
        table_of([line], MEASURES)


def test_sources_add():
    a, b = SourceCounts.from_document(parse("a // b")), SourceCounts.from_document(parse("c. d"))
    assert a + b == b + a == SourceCounts(2, 4, 4, ("marks", "slashes"), {"guessed": 2})
    assert SourceCounts.zero() + a == a
    assert isinstance(a, Counts)
