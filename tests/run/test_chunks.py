"""Chunks: many small documents, or parts of a huge one, counted by whoever is free."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

import caesura
from caesura.core.table import CountTable
from caesura.errors import FormatError
from caesura.formats import transcripts as reading
from caesura.run.chunks import EACH, MOST, Part, Whole, chunks, cost
from caesura.run.inputs import Case, weights
from caesura.run.run import Running, run
from caesura.tasks.transcript import counting as transcripts
from caesura.tasks.transcript import parts as transcript_parts
from caesura.tasks.transcript import split as cuts
from caesura.tasks.transcript.counting import Transcript
from caesura.tasks.transcript.parts import TranscriptPart
from support.counted_parts import rows_of, seen_by
from support.process_tasks import Lengths


def wholes(sizes):
    return [Whole(Case(f"d{at}", {}, {}), size) for at, size in enumerate(sizes)]


def cut(parts, jobs=1, size=8 << 20):
    weight = sum(cost(part.weight) for part in parts)
    return list(chunks(iter(parts), weight, jobs=jobs, size=size))


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_chunks_are_of_even_size_and_the_last_small(jobs):
    parts = wholes(10_000 if at % 10 else 100_000 for at in range(4000))
    found = cut(parts, jobs)
    assert [part for chunk in found for part in chunk] == parts
    left = sum(cost(part.weight) for part in parts)
    for chunk in found:
        size = sum(cost(part.weight) for part in chunk)
        assert len(chunk) == 1 or size <= min(8 << 20, left / (4 * jobs))
        left -= size
    assert [len(chunk) for chunk in found[-3:]] == [1, 1, 1]
    assert len(found) < 4000 / 10


def test_no_chunk_has_too_many_documents():
    assert max(map(len, cut(wholes([1] * 10_000)))) == MOST
    assert cost(0) == EACH


def test_a_part_weighs_what_its_document_does(tmp_path):
    (tmp_path / "a").write_text("so it goes")
    assert Part(Case("a", {"s": str(tmp_path / "a")}, {})).weight == 10


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


@dataclass(frozen=True)
class Together(Lengths):
    """Counts many at once, unless one is odd."""

    is_counted_together = True

    def count_many(self, cases):
        if any(case.document == "odd" for case in cases):
            return None
        return [row for case in cases for row in self.count(case)]


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


def test_many_go_in_one_chunk_where_they_can_be_counted_together(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("a")
    cases = [Case(f"d{at}", {"s": str(tmp_path / "a")}, {}) for at in range(600)]
    seen = seen_by(monkeypatch)
    run(cases, Together(), Running(engine="serial"))
    assert len(seen) < 40
    seen.clear()
    run(cases, Lengths(), Running(engine="serial"))
    assert {len(chunk) for chunk in seen} == {1}


@pytest.fixture
def small(monkeypatch):
    """Take small transcripts for huge ones."""
    monkeypatch.setattr(transcripts, "HUGE", 20_000)
    monkeypatch.setattr(transcripts, "SMALL", 1)
    monkeypatch.setattr(transcript_parts, "SIZE", 30_000)
    monkeypatch.setattr(cuts, "VIEWS", (1 << 11, 1 << 14))
    monkeypatch.setattr(cuts, "REACHES", (1 << 11, 1 << 13, 1 << 16))


def made(folder, name, number):
    draw = random.Random(name)
    words = [f"w{draw.randrange(500)}" for _ in range(number)]
    for who in ("s", "r"):
        parted = [word + draw.choice("      \n") for word in words]
        (folder / f"{name}.{who}").write_text("".join(parted).strip() + "\n")
    return Case(name, {"s": str(folder / f"{name}.s")}, {"r": str(folder / f"{name}.r")})


@pytest.mark.parametrize("sizes", [[9000], [9000, 9000], [500, 9000, 500, 500], [500] * 4])
def test_huge_documents_are_counted_in_parts_among_small_ones(tmp_path, small, monkeypatch, sizes):
    cases = [made(tmp_path, f"d{at}", size) for at, size in enumerate(sizes)]
    task = Transcript()
    expected = CountTable.from_tables([task.count(case) for case in cases])
    seen = seen_by(monkeypatch)
    assert CountTable.from_rows(rows_of(cases, task, "serial")) == expected
    kinds = {part.case.document: type(part) for chunk in seen for part in chunk}
    wanted = [TranscriptPart if size == 9000 else Whole for size in sizes]
    assert [kinds[case.document] for case in cases] == wanted
    assert CountTable.from_rows(rows_of(cases, task, "processes", 2)) == expected


@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_a_bad_document_among_huge_ones(tmp_path, small, engine):
    cases = [made(tmp_path, f"d{at}", 9000) for at in range(5)]
    (tmp_path / "d3.s").write_text("nothing like it\n" * 5000)
    found = run(cases, Transcript(), Running(2, engine, keep_going=True))
    assert [failure.document for failure in found.failures] == ["d3"]
    assert len({row.document for row in found.table.rows()}) == 4
