"""The kernel scores, prints, saves and reads a task that is registered nowhere."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import caesura
from caesura.cli.task_command import command_of
from caesura.core.command import Command, gold_side
from caesura.core.counts import Counts, ratio
from caesura.core.measure import Measure
from caesura.core.option import Options, encoding, option
from caesura.core.row import Row, SourceCounts
from caesura.core.score import Score
from caesura.core.task import Known, Measures, Parts, Task
from caesura.output.pages import plain_page
from caesura.run.given import against_gold
from caesura.run.rows_file import read_rows
from caesura.scores.summarize import summary_of_scores
from caesura.stats import saved_runs
from caesura.steps.shared import counting, prepared


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


def read(side):
    """The lines of each version, which is a path or in memory."""
    return {
        name: Path(given).read_text().splitlines() if isinstance(given, str) else given
        for name, given in side.items()
    }


def as_lines(value, *, source):
    return list(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyCounter(Options):
    encoding: str | None = encoding()
    slack: int = option(0, "How much longer.", metavar="N")
    blocks: bool = False

    has_blocks: ClassVar = False

    def signature(self, read):
        return {"slack": self.slack, "docs": read.documents}

    def count(self, case):
        ((name, gold),) = read(case.references).items()
        rows = [Row(name, case.document, "source", None, self._source(gold))]
        for system, own in read(case.systems).items():
            right = sum(abs(len(a) - len(b)) <= self.slack for a, b in zip(own, gold, strict=True))
            counts = LengthCounts(right, len(gold))
            rows.append(Row(system, case.document, "source", None, self._source(own)))
            rows.append(Row(system, case.document, "lengths", name, counts))
        return rows

    def _source(self, lines):
        return SourceCounts(1, 1, len(lines), ("toys",), {})


COMMAND = Command(
    has_errors=False,
    about="""TOY is a file of lines.

    \b
    Examples:
      caesura toys ours.txt --gold gold.txt --slack 1
    """,
    systems="TOY...",
    sides=(gold_side("The gold toys."),),
)


def score_toys(sides, given, shared):
    """The whole task, from files to tables."""
    options = ToyCounter.from_given(given)
    plan = prepared(against_gold(TOYS, options, as_lines, sides, shared.missing), shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted):
    return summary_of_scores(counted, counted.table.by_document())


def page_of(summary, **details):
    return plain_page(summary, {"unit": ("toys", "Toys")}, **details)


TOYS = Task(
    name="toys",
    command="toys",
    help="Score toys by their lengths.",
    called=lambda: COMMAND,
    unit="toy",
    scored="toys",
    behind="toys",
    measures=Measures({"lengths": f"{__name__}:Lengths"}),
    options=lambda: ToyCounter,
    load=lambda: Parts(counter=ToyCounter, score=score_toys, summary=summary_of, page=page_of),
)


def evaluated(**options):
    """Three documents, of which the second system has one wrong."""
    right, wrong = ["a", "b"], ["a", "bb"]
    systems = {"s": dict.fromkeys("123", wrong), "t": {"1": right, "2": right, "3": wrong}}
    gold = {"gold": dict.fromkeys("123", right)}
    return caesura.evaluate(systems, gold=gold, task=TOYS, **options)


def test_it_is_counted_scored_and_printed():
    found = evaluated()
    assert [found.systems[name].length_accuracy for name in "st"] == [3 / 6, 5 / 6]
    assert found.signature.endswith("task:toys|slack:0|docs:3")
    assert evaluated(slack=1).systems["s"].length_accuracy == 1
    told = found.to_dict()
    assert (told["task"], told["options"]) == ("toys", {"encoding": None, "slack": 0})
    assert told["systems"][0]["lengths"] == {"accuracy": 0.5}
    assert "Toys\nsystem   accuracy" in str(found)
    assert "How good are these toys?" in found.html()


def test_it_is_given_intervals_and_compared():
    found = evaluated(confidence=True, compare=True, resamples=50).to_dict()
    low, high = found["systems"][1]["confidence"]["micro"]["length_accuracy"]
    assert low <= 5 / 6 <= high
    (pair,) = found["comparison"]["comparisons"]
    assert pair["micro"]["length_accuracy"]["difference"] > 0


def test_it_is_saved_and_read_back(tmp_path):
    path = str(tmp_path / "rows.jsonl")
    rows = evaluated(rows=path).rows
    file = read_rows(path, Known({"toys": TOYS}, {}))
    assert list(file.table.rows()) == list(rows)
    summary, _ = saved_runs.summary_of([path], [file])
    assert [system.micro["length_accuracy"] for system in summary.systems] == [3 / 6, 5 / 6]


def called(*arguments):
    """Call the command of the task, which `caesura` does not have."""
    command_of(TOYS).main(arguments, prog_name="caesura toys", standalone_mode=False)


def test_its_command_has_help(capsys):
    called("--help")
    told = capsys.readouterr().out
    assert "Usage: caesura toys TOY... --gold GOLD [OPTIONS]\n\n  Score toys by" in told
    assert "How much longer." in told


def test_its_command_scores_files(folder, capsys):
    folder(ours="a\nbb\n", gold="a\nb\n")
    called("ours.txt", "--gold", "gold.txt", "-f", "json", "-q")
    found = json.loads(capsys.readouterr().out)
    assert found["systems"][0]["lengths"] == {"accuracy": 0.5}
    called("ours.txt", "--gold", "gold.txt", "--slack", "1", "-q")
    assert "ours        1.000" in capsys.readouterr().out
