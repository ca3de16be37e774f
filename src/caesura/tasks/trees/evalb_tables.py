"""The table of evalb, line by line as it prints it, so that scripts can read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from caesura.core.escapes import printable
from caesura.core.json_values import typed
from caesura.core.segmentation import IntArray
from caesura.core.summary import Summary
from caesura.tasks.trees.counting import TreesTask
from caesura.tasks.trees.evalb_counts import ERROR, SKIP, VALID
from caesura.tasks.trees.evalb_lines import EvalbLines

RULE = "=" * 76
HEAD = (
    "  Sent.                        Matched  Bracket   Cross        Correct Tag",
    " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy",
    RULE,
)
COLUMNS = 8


def evalb_text(
    summary: Summary,
    *,
    counter: TreesTask,
    readings: Callable[[], Iterable[Mapping[str, object]]],
    **_: object,
) -> str:
    """What evalb prints, for each system."""
    assert counter.parameters is not None, "the layout needs --evalb"
    kept = [typed(EvalbLines, each) for each in readings() if each["kind"] == "evalb_lines"]
    parts = []
    for system in summary.systems:
        parts += [f"# {printable(system.name)}"] if len(summary.systems) > 1 else []
        figures = [line for each in kept for line in each.lines[system.name]]
        parts += _printed(
            np.array(figures, np.int64).reshape(-1, COLUMNS).T, counter.parameters.cutoff
        )
    return "\n".join(parts) + "\n"


def _printed(columns: IntArray, cutoff: int) -> Iterator[str]:
    length, status, right, gold, test, crossing, words, tags = columns
    yield from HEAD
    for at, line in enumerate(columns.T.tolist(), 1):
        yield _line(at, line)
    yield RULE
    valid = status == VALID
    total, ours, theirs, crossed, size, tagged = (
        int(each[valid].sum()) for each in (right, test, gold, crossing, words, tags)
    )
    brackets = ""
    if theirs and ours:
        rates = f"{_share(total, theirs):6.2f} {_share(total, ours):6.2f}"
        brackets = f"                {rates} {total:6d} {theirs:5d} {ours:5d}  {crossed:5d}"
    yield f"{brackets}  {size:5d} {tagged:5d}   {_share(tagged, size):6.2f}"
    yield "=== Summary ==="
    yield from _summary("All", columns)
    yield from _summary(f"len<={cutoff}", columns[:, length <= cutoff])


def _line(at: int, figures: list[int]) -> str:
    length, status, right, gold, test, crossing, words, tags = figures
    return (
        f"{at:4d}  {length:3d}    {status}  {_share(right, gold):6.2f} {_share(right, test):6.2f}"
        f"   {right:3d}    {gold:3d}  {test:3d}    {crossing:3d}"
        f"   {words:4d}  {tags:4d}   {_share(tags, words):6.2f}"
    )


def _share(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 0.0


def _summary(title: str, columns: IntArray) -> Iterator[str]:
    """The figures of all lines, or of short ones."""
    _, status, right, gold, test, crossing, words, tags = columns
    valid = status == VALID
    number = int(np.count_nonzero(valid))
    total, theirs, ours = (int(each[valid].sum()) for each in (right, gold, test))
    recall, precision = _share(total, theirs), _share(total, ours)
    both = precision + recall
    complete = valid & (right == gold) & (right == test)
    crossed = int(crossing[valid].sum())
    yield f"\n-- {title} --"
    for name, value in (
        ("sentence", status.size),
        ("Error sentence", np.count_nonzero(status == ERROR)),
        ("Skip  sentence", np.count_nonzero(status == SKIP)),
        ("Valid sentence", number),
    ):
        yield f"{f'Number of {name}':<26}= {value:6d}"
    for name, rate in (
        ("Bracketing Recall", recall),
        ("Bracketing Precision", precision),
        ("Bracketing FMeasure", 2 * precision * recall / both if both else float("nan")),
        ("Complete match", _share(int(np.count_nonzero(complete)), number)),
        ("Average crossing", crossed / number if number else 0.0),
        ("No crossing", _share(int(np.count_nonzero(valid & (crossing == 0))), number)),
        ("2 or less crossing", _share(int(np.count_nonzero(valid & (crossing <= 2))), number)),
        ("Tagging accuracy", _share(int(tags[valid].sum()), int(words[valid].sum()))),
    ):
        yield f"{name:<26}= {rate:6.2f}"
