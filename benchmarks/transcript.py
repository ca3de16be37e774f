"""Transcript measures beside their peers, all together, and as the transcript grows.

    python benchmarks/transcript.py [--quick] [--markdown] [--only SECTION …]

The peers run in this process on the same input, each in the form it wants, made beforehand:
NLTK a string of 0 and 1 over the gaps, segeval masses, statsmodels a table of counts,
krippendorff a matrix of ratings. Ours starts from `Segmentation`, and once more from a 0/1
array of items, so that the conversion is seen. The numbers are compared at every size, from
1,000 words up, and a difference stops the benchmark. The tool of the WiSeBE paper's authors
cannot be installed, so WiSeBE has no peer here.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, cast

import numpy as np

from caesura.api.lists import MEASURES
from caesura.core.counts import Counts
from caesura.core.measure import PairMeasure, PanelMeasure
from caesura.core.score import ALSO
from caesura.core.segmentation import Segmentation, panel
from caesura.measures.agreement import Agreement
from caesura.measures.boundary import Boundary
from caesura.measures.edit import Edit
from caesura.measures.wisebe import Wisebe
from common import Clock, Timing, milliseconds, peak_bytes, print_table, time_once, times, words
from transcript_peers import (
    COMPARISONS,
    Comparison,
    Transcript,
    binary,
    make_transcript,
    ours_kappa,
)

Thunk = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to run."""

    largest: int
    budget: float
    together: int
    growth: tuple[int, ...]
    markdown: bool


def compare_with_peers(plan: Plan, clock: Clock) -> None:
    """Every comparison at the largest n at which the peer stays within the budget."""
    print(f"Peers: the largest n up to {words(plan.largest)} words at which one run of the peer")
    print(f"takes at most about {plan.budget:g} s; ms, best run. Ours gives Pk and WindowDiff in")
    print("one pass, and so B and S, κ and α; `from 0/1` includes Segmentation.from_binary. What")
    print("is made beforehand is not timed. The WiSeBE authors' tool cannot be installed.\n")
    tasks: dict[int, Transcript] = {}
    rows = [compare(comparison, tasks, plan, clock) for comparison in COMPARISONS]
    header = ("measure", "peer", "peer's input", "n", "runs", "peer", "ours", "ratio")
    more = ("from 0/1", "ratio", "numbers")
    print_table((*header, *more), rows, left=3, markdown=plan.markdown)


def compare(
    comparison: Comparison, tasks: dict[int, Transcript], plan: Plan, clock: Clock
) -> tuple[str, ...]:
    length, theirs, numbers = _climb(comparison, tasks, plan, clock)
    given = comparison.given(tasks[length])
    arrays = [binary(side) for side in given]
    ours = clock.best(lambda: comparison.ours(given))
    rebuilt = clock.best(lambda: comparison.ours([Segmentation.from_binary(a) for a in arrays]))
    return (
        comparison.measure,
        comparison.peer,
        comparison.timed,
        words(length),
        str(theirs.runs),
        milliseconds(theirs.best),
        milliseconds(ours),
        times(theirs.best / ours),
        milliseconds(rebuilt),
        times(theirs.best / rebuilt),
        numbers,
    )


def _climb(
    comparison: Comparison, tasks: dict[int, Transcript], plan: Plan, clock: Clock
) -> tuple[int, Timing, str]:
    """Go up through 1, 2, 5, 10 … thousand words while the next step should fit the budget."""
    lengths = [step * 10**power for power in range(3, 8) for step in (1, 2, 5)]
    lengths = [length for length in lengths if length <= plan.largest]
    for length, longer in zip(lengths, [*lengths[1:], math.inf], strict=True):
        if length not in tasks:
            tasks[length] = make_transcript(length)
        call = comparison.prepare(tasks[length])
        first, result = time_once(call)
        numbers = comparison.check(result, tasks[length])
        if first * longer / length > plan.budget:
            break
    return length, clock.time(call, already=(first,)), numbers


def time_together(plan: Plan, clock: Clock) -> None:
    """Every measure of every system against every reference, from arrays in memory."""
    task = make_transcript(plan.together)
    parts = _parts(task)
    rows = [
        (name, str(calls), milliseconds(clock.best(run)), f"{peak_bytes(run) / 1e6:.0f}")
        for name, (calls, run) in parts.items()
    ]
    whole = clock.best(lambda: [run() for _, run in parts.values()])
    kappa = ours_kappa(task.references)
    print(f"All measures together: {words(plan.together)} words, 3 references (κ = {kappa:.3f}),")
    print("2 systems, from arrays in memory; ms, best run.\n")
    rows.append(("all in one go", "", milliseconds(whole), ""))
    header = ("measure", "counts", "ms", "peak MB")
    print_table(header, rows, markdown=plan.markdown)


def _parts(task: Transcript) -> dict[str, tuple[int, Thunk]]:
    """For each measure, how many times it counts and the call that does it all."""
    references = panel(task.references)
    references.votes()
    pairs = [(system, ref) for system in task.systems for ref in task.references]
    parts: dict[str, tuple[int, Thunk]] = {
        "panel of the references": (1, lambda: panel(task.references).votes())
    }
    for name, pair_measure in _pair_measures().items():
        parts[name] = (len(pairs), partial(_count_each, pair_measure.count, pairs))
    for name, panel_measure in _panel_measures().items():
        given = [(system, references) for system in task.systems]
        parts[name] = (len(given), partial(_count_each, panel_measure.count, given))
    parts["agreement"] = (1, lambda: Agreement().count(references))
    couples = list(combinations(task.references, 2))
    parts["pairs of references: κ, F1"] = (
        len(couples),
        partial(_count_each, Boundary().count, couples),
    )
    parts["pairs of references: B"] = (len(couples), partial(_count_each, Edit().count, couples))
    parts["human ceiling: WiSeBE"] = (9, partial(_leave_one_out, task))
    return parts


def _leave_one_out(task: Transcript) -> None:
    whole = panel(task.references)
    for index, person in enumerate(task.references):
        others = whole.without(index)
        for candidate in (person, *task.systems):
            Wisebe().count(candidate, others)


def _count_each(count: Callable[..., object], given: Iterable[tuple[Any, ...]]) -> None:
    for sides in given:
        count(*sides)


def _pair_measures() -> dict[str, PairMeasure[Counts]]:
    return {
        name: kind()
        for name, kind in MEASURES.items()
        if issubclass(kind, PairMeasure) and kind.asked_by != ALSO
    }


def _panel_measures() -> dict[str, PanelMeasure[Counts]]:
    found = {name: kind() for name, kind in MEASURES.items() if kind.kind == "panel"}
    return cast("dict[str, PanelMeasure[Counts]]", found)


def time_growth(plan: Plan, clock: Clock) -> None:
    """Every measure, one count, as the transcript grows tenfold."""
    tables = [_growth(make_transcript(length), clock) for length in plan.growth]
    longest = _singles(make_transcript(plan.growth[-1]))
    rows = [
        (
            name,
            *(f"{table[name]:.2f}" for table in tables),
            f"{peak_bytes(run) / plan.growth[-1]:.1f}",
        )
        for name, run in longest.items()
    ]
    print("Growth: one count of each measure; ns for each word, best run; a panel is put together")
    print(f"anew in each run. Peak memory in bytes a word at {words(plan.growth[-1])}.\n")
    header = ("measure", *(words(length) for length in plan.growth), "bytes")
    print_table(header, rows, markdown=plan.markdown)


def _growth(task: Transcript, clock: Clock) -> dict[str, float]:
    return {name: clock.best(run) / task.length * 1e9 for name, run in _singles(task).items()}


def _singles(task: Transcript) -> dict[str, Thunk]:
    """One count of each measure, from segmentations."""
    calls: dict[str, Thunk] = {
        name: partial(measure.count, *task.pair) for name, measure in _pair_measures().items()
    }
    for name, measure in _panel_measures().items():
        calls[name] = partial(_count_panel, measure, task)
    calls["agreement"] = lambda: Agreement().count(panel(task.references))
    arrays = [binary(side) for side in task.pair]
    calls["from_binary"] = lambda: Segmentation.from_binary(arrays[0])
    return calls


def _count_panel(measure: PanelMeasure[Counts], task: Transcript) -> object:
    return measure.count(task.systems[0], panel(task.references))


SECTIONS: dict[str, Callable[[Plan, Clock], None]] = {
    "peers": compare_with_peers,
    "together": time_together,
    "growth": time_growth,
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, a few seconds")
    parser.add_argument("--markdown", action="store_true", help="print tables for the docs")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help="run these sections only")
    return parser.parse_args()


def _plan(*, quick: bool, markdown: bool) -> Plan:
    if quick:
        return Plan(10**4, 0.1, 10**5, (10**4, 10**5), markdown)
    return Plan(10**6, 10.0, 10**6, (10**4, 10**5, 10**6, 10**7), markdown)


def main() -> None:
    """Run the sections that were asked for."""
    arguments = _arguments()
    plan = _plan(quick=arguments.quick, markdown=arguments.markdown)
    clock = Clock(patience=0.03) if arguments.quick else Clock(runs=15, patience=1)
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}\n")
    for name in arguments.only or SECTIONS:
        SECTIONS[name](plan, clock)
        print()
    print(clock.noise)


if __name__ == "__main__":
    main()
