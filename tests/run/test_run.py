"""One run: rows and failures, whatever the engine, and rows that are written meanwhile."""

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caesura.errors import CaesuraError, StoppedError, UsageError
from caesura.run.inputs import Case
from caesura.run.rows_file import Header
from caesura.run.rows_writer import RowsWriter
from caesura.run.run import Failure, Running, run
from support.process_tasks import Lengths


@dataclass
class Seen:
    """What a run tells of itself."""

    told: list = field(default_factory=list)

    def begin(self, documents, size):
        self.told.append((documents, size))

    def add(self, documents, size):
        self.told.append((documents, size))

    def end(self):
        self.told.append("end")


@pytest.fixture
def cases(folder):
    place = folder(**{f"d{at}": "a b\n" * at for at in range(1, 5)})
    return [Case(f"d{at}", {"s": str(place / f"d{at}.txt")}, {}) for at in range(1, 5)]


def test_it_tells_how_far_it_has_come(cases):
    seen = Seen()
    run(cases, Lengths(), Running(1, "serial"), watch=seen)
    assert seen.told == [(4, 40), (1, 4), (1, 8), (1, 12), (1, 16), "end"]


@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_a_bad_document_stops_it_or_is_left_out(cases, engine):
    bad = Case("bad", {"s": "bad"}, {})
    with_bad = [*cases[:2], bad, *cases[2:]]
    seen, how = Seen(), Running(2, engine)
    cure = "or leave such documents out with keep_going=True$"
    with pytest.raises(CaesuraError, match=f"^bad:3: bad; fix it, {cure}"):
        run(with_bad, Lengths(), how, watch=seen)
    assert seen.told[-1] == "end"
    found = run(with_bad, Lengths(), replace(how, keep_going=True))
    assert found.failures == (Failure("bad", "bad:3: bad; fix it"),)
    assert found.cases == cases
    assert list(found.table.rows()) == list(run(cases, Lengths(), how).table.rows())
    with pytest.raises(CaesuraError, match="no document could be scored; fix them: bad:3: bad"):
        run([bad], Lengths(), replace(how, keep_going=True))


@dataclass(frozen=True)
class Misused(Lengths):
    def count(self, case):
        raise UsageError("not like this")


def test_the_command_line_at_fault_is_no_bad_document(cases):
    with pytest.raises(UsageError, match="not like this"):
        run(cases, Misused(), Running(keep_going=True))


class Greedy(Lengths):
    """A task for which some documents are too large."""

    def count(self, case):
        if case.document == "d2":
            raise MemoryError
        return super().count(case)


def test_a_document_that_does_not_fit_in_memory(cases):
    with pytest.raises(CaesuraError, match="d2: does not fit in memory; split it"):
        run(cases, Greedy(), Running(1, "serial"))
    found = run(cases, Greedy(), Running(1, "serial", keep_going=True))
    assert [failure.document for failure in found.failures] == ["d2"]


def written(path, cases, task, *, resume=False):
    """A run with one process that writes its rows; it is not finished."""
    header = Header(caesura="0", task=type(task).__name__, references=(), options={})
    with RowsWriter.open(str(path), header) as rows:
        found = run(cases, task, Running(1, "serial", resume=resume), rows=rows)
        rows.flush()
    return found


@pytest.fixture
def damaged(cases, tmp_path):
    """The rows of a run that goes on with rows some bytes of which are different."""
    path = tmp_path / "rows.jsonl"
    expected = list(written(path, cases, Lengths()).table.rows())
    data = path.read_bytes()
    assert data.count(b'{"done": ') == 4
    start = data.index(b"\n") + 1

    def resumed(at, new):
        at = start + at % (len(data) - start)
        path.write_bytes(data[:at] + new + data[at + len(new) :])
        found = written(path, cases, Lengths(), resume=True)
        assert path.read_bytes() == data
        return list(found.table.rows()), expected

    return resumed


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.integers(0, 10**6), st.binary(min_size=1, max_size=4) | st.sampled_from([b"7", b"[", b"9"])
)
def test_damage_to_rows_is_noticed(damaged, at, new):
    found, expected = damaged(at, new)
    assert found == expected


@dataclass(frozen=True)
class Stops(Lengths):
    """Is interrupted at the third document."""

    def count(self, case):
        if case.document == "d3":
            raise KeyboardInterrupt
        return super().count(case)


def test_what_was_done_is_not_done_again(cases, tmp_path):
    path = tmp_path / "rows.jsonl"
    with pytest.raises(StoppedError, match="after 2 of 4 documents; run it again"):
        written(path, cases, Stops())
    with pytest.raises(StoppedError, match='run with rows="FILE" to be able to resume'):
        run(cases, Stops(), Running(1, "serial"))
    with pytest.raises(UsageError, match='task was "Stops" and is "Lengths"'):
        written(path, cases, Lengths(), resume=True)
    found = written(path, cases[:2], Stops(), resume=True)
    assert [row.document for row in found.table.rows()] == ["d1", "d2"]
