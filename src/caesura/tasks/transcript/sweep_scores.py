"""Sweeps: scores, ranks and crossings of systems along an option."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from caesura import __version__
from caesura.core.comparisons import Crossing, Swept, SweptSystem
from caesura.core.table import CountTable
from caesura.errors import on_command_line
from caesura.scores.catalog import catalog
from caesura.scores.read_forms import Place
from caesura.scores.summarize import summarize
from caesura.tasks.transcript import TRANSCRIPT
from caesura.tasks.transcript.sweep import Sweep, by_value


def swept(
    table: CountTable,
    systems: Sequence[str],
    references: Sequence[str],
    sweep: Sweep,
    *,
    place: Place | None = None,
) -> Swept:
    """The result of `caesura transcript --sweep`."""
    each = [
        summarize(TRANSCRIPT, some, systems, references, sweep.task, place=place)
        for some in by_value(table).values()
    ]
    fields = [f for f in each[0].signature.split("|") if f.partition(":")[0] != sweep.option]
    key = score_of(sweep.option, len(references))
    micro = [tuple(found.systems[at].micro for found in each) for at in range(len(systems))]
    scores = [tuple(one[key] for one in values) for values in micro]
    ranks = _ranks(scores, lower=catalog(TRANSCRIPT).is_lower_better(key))
    found = tuple(
        SweptSystem(name=name, score=scores[at], rank=ranks[at], micro=micro[at])
        for at, name in enumerate(systems)
    )
    return Swept(
        of=each[0].kind,
        caesura=__version__,
        signature="|".join([*fields, f"{sweep.option}:{','.join(map(str, sweep.values))}"]),
        option=sweep.option,
        values=sweep.values,
        score=key,
        references=tuple(references),
        documents=each[0].documents,
        systems=found,
        crossings=tuple(_crossings(found, sweep.values)),
        notes=each[0].notes,
        warnings=tuple(map(on_command_line, each[0].warnings)),
    )


def score_of(option: str, references: int) -> str:
    """The score that an option is for; WiSeBE needs two references."""
    shown = catalog(TRANSCRIPT).shown("sweep", references=references)
    return next(key for key, entry in shown.items() if entry.score.option == option)


def _ranks(scores: Sequence[Sequence[float]], *, lower: bool) -> list[tuple[int, ...]]:
    """For each system its rank at each value: 1 is best, equal ones share the better rank."""
    sign = 1 if lower else -1
    columns = []
    for column in zip(*scores, strict=True):
        keys = [math.inf if math.isnan(score) else sign * score for score in column]
        columns.append([1 + sum(other < key for other in keys) for key in keys])
    return list(zip(*columns, strict=True))


def _crossings(systems: Sequence[SweptSystem], values: Sequence[int]) -> Iterator[Crossing]:
    """The values between which two systems change ranks."""
    for one, other in combinations(systems, 2):
        gaps = [(at, a - b) for at, a, b in zip(values, one.score, other.score, strict=True)]
        apart = [(at, gap) for at, gap in gaps if gap != 0 and not math.isnan(gap)]
        for (before, first), (after, second) in pairwise(apart):
            if first * second < 0:
                yield Crossing(systems=(one.name, other.name), between=(before, after))
