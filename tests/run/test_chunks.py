"""Chunks: many small documents, or one, counted by whoever is free."""

from pathlib import Path

import pytest

import caesura
from caesura.errors import FormatError
from caesura.formats import transcripts as reading
from caesura.run.engine import MOST, chunks
from caesura.run.inputs import Case, weights
from caesura.run.run import Running, run
from caesura.run.worker import EACH, Sized
from support.counted_runs import seen_by
from support.process_tasks import Together


def sized(sizes):
    return [Sized(Case(f"d{at}", {}, {}), size) for at, size in enumerate(sizes)]


def cut(documents, jobs=1, size=8 << 20):
    weight = sum(each.cost for each in documents)
    return list(chunks(iter(documents), weight, jobs=jobs, size=size))


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_chunks_are_of_even_size_and_the_last_small(jobs):
    documents = sized(10_000 if at % 10 else 100_000 for at in range(4000))
    found = cut(documents, jobs)
    assert [each for chunk in found for each in chunk] == documents
    left = sum(each.cost for each in documents)
    for chunk in found:
        size = sum(each.cost for each in chunk)
        assert len(chunk) == 1 or size <= min(8 << 20, left / (4 * jobs))
        left -= size
    assert [len(chunk) for chunk in found[-3:]] == [1, 1, 1]
    assert len(found) < 4000 / 10


def test_no_chunk_has_too_many_documents():
    assert max(map(len, cut(sized([1] * 10_000)))) == MOST
    assert sized([0])[0].cost == EACH


def test_recordings_share_the_weight_of_their_file(tmp_path):
    one, many, other = (str(tmp_path / name) for name in ("one", "many", "other"))
    for path, size in ((one, 7), (many, 100), (other, 40)):
        Path(path).write_text("x" * size)
    cases = [Case(f"d{at}", {"s": f"{many}::d{at}"}, {"r": f"{other}::d{at}"}) for at in range(4)]
    assert weights(cases) == [35] * 4
    assert weights([Case("d", {"s": one}, {"r": one})]) == [14]
    assert weights([Case("d", {"s": object()}, {"r": str(tmp_path / "none")})]) == [0]


def test_files_of_many_recordings_are_parsed_once(tmp_path, monkeypatch):
    """Also where there are more of them than files of one recording that are held in memory."""
    parsed, real = [], reading.parse_scripts

    def parse(text, source, *how):
        parsed.append(source)
        return real(text, source, *how)

    monkeypatch.setattr(reading, "parse_scripts", parse)
    paths = [str(tmp_path / f"{at}.masses") for at in range(12)]
    for at, path in enumerate(paths):
        Path(path).write_text("".join(f"{at + 1} {document + 14 - at}\n" for document in range(30)))
    seen = seen_by(monkeypatch)
    caesura.evaluate(paths[1:], paths[0], jobs=1)
    assert sorted(parsed) == sorted(paths)
    assert len(seen) < 20


@pytest.mark.parametrize("engine", ["serial", "processes"])
@pytest.mark.parametrize("name", ["odd", "bad", "fine"])
def test_small_documents_are_counted_together_or_one_by_one(tmp_path, engine, name):
    names = [f"d{at}" for at in range(30)]
    names[11] = name
    for each in names:
        (tmp_path / each).write_text(each)
    cases = [Case(each, {"s": str(tmp_path / each)}, {}) for each in names]
    found = run(cases, Together(), Running(2, engine, keep_going=True))
    bad = [each.document for each in found.failures]
    assert bad == (["bad"] if name == "bad" else [])
    assert [row.document for row in found.table.rows()] == [
        each for each in names if each not in bad
    ]
    if bad:
        with pytest.raises(FormatError, match="bad:3: bad"):
            run(cases, Together(), Running(2, engine))
