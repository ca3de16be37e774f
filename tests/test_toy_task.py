"""The kernel scores, prints, saves and reads a task that is registered nowhere."""

import json
from dataclasses import dataclass
from typing import ClassVar

from caesura.core.counts import Counts, ratio
from caesura.core.option import Options, encoding, option
from caesura.core.registry import Registry
from caesura.core.row import Row, SourceCounts
from caesura.core.score import Score
from caesura.core.task import Known, Later, Task
from caesura.measures.base import Measure
from caesura.output.render import as_csv, as_json, as_text
from caesura.output.report import report
from caesura.output.tables.pages import page_of
from caesura.run.cases import Case
from caesura.run.rows import read_rows, write_rows
from caesura.run.run import run
from caesura.scores.summary import summarize
from caesura.stats.compare import compare
from caesura.stats.confidence import add_confidence
from caesura.stats.contest import Contest
from caesura.stats.resampling import Resampling
from caesura.stats.saved import header_of, summary_of


@dataclass(frozen=True, slots=True)
class LengthCounts(Counts):
    right: int
    size: int

    @property
    def accuracy(self):
        return ratio(self.right, self.size)


@dataclass(frozen=True, slots=True)
class Lengths(Measure):
    name: ClassVar = "lengths"
    kind: ClassVar = "toys"
    counts: ClassVar = LengthCounts
    scores: ClassVar = (
        Score(
            "length_accuracy", "accuracy", "Lines as long as gold ones.", take="accuracy",
            views=("unit", "headline", "compare"), group="lengths", short="accuracy",
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyCounter(Options):
    encoding: str | None = encoding()
    slack: int = option(0, "How much longer.", metavar="N", signed=lambda own, _: own.slack)
    blocks: bool = False

    def count(self, case):
        ((name, gold),) = case.references.items()
        rows = [Row(name, case.document, "source", None, self._source(gold))]
        for system, own in case.systems.items():
            right = sum(abs(len(a) - len(b)) <= self.slack for a, b in zip(own, gold, strict=True))
            counts = LengthCounts(right, len(gold))
            rows.append(Row(system, case.document, "source", None, self._source(own)))
            rows.append(Row(system, case.document, "lengths", name, counts))
        return rows

    def _source(self, lines):
        return SourceCounts(1, 1, len(lines), ("toys",), {})


HERE = f"{__name__}:"
TOYS = Task(
    name="toys",
    command="toys",
    unit="toy",
    scored="toys",
    behind="toys",
    counter=Later(f"{HERE}ToyCounter"),
    options=Later(f"{HERE}ToyCounter"),
    measures=Registry({"lengths": f"{HERE}Lengths"}),
    tables={"unit": ("toys", "Toys")},
)
NAMES = ["s", "t"]
CASES = [
    Case(str(at), {"s": ["a", "bb"], "t": ["a", "b" * at]}, {"gold": ["a", "b"]}) for at in range(3)
]


def counted():
    rows = run(CASES, ToyCounter(slack=0), measures=TOYS.measures).rows
    return rows, summarize(TOYS, rows, NAMES, ["gold"], ToyCounter(slack=0))


def test_it_is_counted_and_scored():
    _, summary = counted()
    assert [system.micro["length_accuracy"] for system in summary.systems] == [3 / 6, 4 / 6]
    assert summary.signature.endswith("task:toys|slack:0|docs:3")


def test_it_is_printed_and_written():
    _, summary = counted()
    told = json.loads(as_json(summary))
    assert (told["task"], told["options"]) == ("toys", {"encoding": None, "slack": 0})
    assert told["systems"][0]["lengths"] == {"accuracy": 0.5}
    assert "Toys\nsystem   accuracy" in as_text(page_of(summary))
    assert "length_accuracy" in as_csv(page_of(summary)).splitlines()[0]
    assert "How good are these toys?" in report(summary, page_of(summary), ())


def test_it_is_given_intervals_and_compared():
    rows, summary = counted()
    drawn = add_confidence(summary, rows, Resampling(resamples=50))
    low, high = drawn.systems[1].confidence["micro"]["length_accuracy"]
    assert low <= 4 / 6 <= high
    compared = compare(Contest.from_summary(summary, rows), Resampling(resamples=50), "s")
    assert compared.comparisons[0].micro["length_accuracy"].difference > 0


def test_it_is_saved_and_read_back(tmp_path):
    rows, summary = counted()
    path = str(tmp_path / "rows.jsonl")
    write_rows(path, header_of(summary), rows)
    file = read_rows(path, Known({"toys": TOYS}, {}))
    assert list(file.rows) == list(rows)
    again, _ = summary_of([path], [file])
    assert (again.systems, again.signature) == (summary.systems, summary.signature)
