"""Who counts a huge document: all workers if it is one of few, else one of them, in pieces."""

import random

import pytest

from caesura.run import counting as module
from caesura.run.cases import Case
from caesura.run.counting import count_all, in_pieces, leaving_out
from caesura.tasks import cuts, stretches
from caesura.tasks import transcript as transcripts
from caesura.tasks.stretches import Stretch
from caesura.tasks.transcript import Transcript


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Take small transcripts for huge ones."""
    monkeypatch.setattr(transcripts, "HUGE", 1)
    monkeypatch.setattr(stretches, "SIZE", 30_000)
    monkeypatch.setattr(cuts, "VIEWS", (1 << 11, 1 << 14))
    monkeypatch.setattr(cuts, "REACHES", (1 << 11, 1 << 13, 1 << 16))
    monkeypatch.setattr(module, "LARGE", 50_000)


def made(folder, name, number):
    draw = random.Random(name)
    words = [f"w{draw.randrange(500)}" for _ in range(number)]
    for who in ("s", "r"):
        parted = [word + draw.choice("      \n") for word in words]
        (folder / f"{name}.{who}").write_text("".join(parted).strip() + "\n")
    return Case(name, {"s": str(folder / f"{name}.s")}, {"r": str(folder / f"{name}.r")})


class Spy:
    """A `map` that keeps what it was given, call by call."""

    def __init__(self):
        self.seen = []

    def __call__(self, count, cases):
        cases = list(cases)
        self.seen.append([type(case) for case in cases])
        return map(count, cases)


@pytest.mark.parametrize("keep_going", [False, True])
@pytest.mark.parametrize(
    ("sizes", "seen"),
    [
        ([9000], ["pieces"]),
        ([9000, 9000], ["pieces", "pieces"]),
        ([500, 9000, 500, 500], ["documents", "pieces", "documents"]),
        ([9000] * 17, ["documents"]),
        ([3000] * 4, ["documents"]),
    ],
)
def test_who_counts_a_huge_document(tmp_path, sizes, seen, keep_going):
    cases = [made(tmp_path, f"d{at}", size) for at, size in enumerate(sizes)]
    task, spy = Transcript(), Spy()
    how = leaving_out(in_pieces(spy, task), []) if keep_going else in_pieces(spy, task)
    assert list(count_all(cases, task, map=how)) == list(count_all(cases, task))
    kinds = ["pieces" if given[0] is Stretch else "documents" for given in spy.seen]
    assert kinds == seen


def test_one_of_many_is_counted_in_pieces_by_its_worker(tmp_path, monkeypatch):
    cases = [made(tmp_path, f"d{at}", 9000) for at in range(17)]
    counted = []
    real = stretches.count_stretch
    monkeypatch.setattr(
        stretches, "count_stretch", lambda piece, *how: counted.append(piece) or real(piece, *how)
    )
    task = Transcript()
    list(count_all(cases, task, map=in_pieces(Spy(), task)))
    assert len(counted) > len(cases)


def test_a_bad_document_among_many_huge_ones(tmp_path):
    cases = [made(tmp_path, f"d{at}", 9000) for at in range(17)]
    (tmp_path / "d3.s").write_text("nothing like it\n" * 500)
    failures = []
    rows = list(
        count_all(cases, Transcript(), map=leaving_out(in_pieces(map, Transcript()), failures))
    )
    assert [failure.document for failure in failures] == ["d3"]
    assert len({row.document for row in rows}) == 16
