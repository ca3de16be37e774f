"""What `caesura trees` shows: tables, sentences that differ, the report's view, evalb's text."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from caesura.core.escapes import printable
from caesura.core.json_values import typed
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.summary import Summary
from caesura.output.report.trees import GatheredTrees, TreeError, TreeSide, TreesReading
from caesura.output.tables import (
    Errors,
    Found,
    Labelled,
    Page,
    Table,
    cut,
    document_records,
    document_rows,
    errors_by_system,
    frequent,
    group_tables,
    make_table,
    passage,
    shared_columns,
    system_rows,
)
from caesura.scores.catalog import catalog
from caesura.tasks.against_gold import unaligned_notes
from caesura.tasks.trees.brackets import MatchedTrees, Side
from caesura.tasks.trees.evalb import ERROR, SKIP, EvalbFigures, sentences_of, valid_lines

UNITS = {
    "brackets": "bracket",
    "unlabelled": "unlabelled",
    "tags": "tag",
    "tokens": "token",
    "sentences": "sentence",
}
"""The kinds of units, and how the keys of their scores begin."""
NONE = "–"
"""What stands for a bracket that a side does not have."""
LONGEST = 600
"""The characters of a tree that are shown."""
RULE = "=" * 76
HEAD = (
    "  Sent.                        Matched  Bracket   Cross        Correct Tag",
    " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy",
    RULE,
)
WrongSentence = tuple[str, TreeError]
"""The system, and a sentence whose brackets differ."""


def trees_page(
    summary: Summary,
    *,
    by_document: bool = False,
    by: Sequence[str] = (),
    errors: Found | None = None,
) -> Page:
    """The tables of a run, and errors below them."""
    whole, scores, n = system_rows(summary), catalog(*summary.task_kind), len(summary.systems)
    title = "Complete sentences and crossing brackets"
    tables = [
        _unit_table(summary, ("system",), whole),
        make_table("other", title, ("system",), scores.columns("other"), whole).in_groups(n),
    ]
    lines = [row for row in whole if "evalb_sentences" in row[1]]
    if lines:
        title = f"Lines, as evalb counts them with {summary.options['evalb']}"
        columns = scores.columns("alignment")
        tables.append(make_table("evalb", title, ("system",), columns, lines).in_groups(n))
    tables += group_tables(summary, by)
    if by_document:
        tables.append(_unit_table(summary, ("document", "system"), document_rows(summary)))
    lists = errors or Found()
    notes, records = unaligned_notes(summary), document_records(summary)
    return Page((*tables, *lists.tables), notes, summary.signature, records, lists.passages)


def _unit_table(summary: Summary, labels: tuple[str, ...], rows: Sequence[Labelled]) -> Table:
    """One row for each kind of unit and system; all kinds have the same columns."""
    columns = shared_columns(summary.task, "brackets", "bracket")
    n = len(summary.systems)
    each: list[Labelled] = [
        ((unit, *names), {c.key: scores[f"{prefix}_{c.key}"] for c in columns})
        for start in range(0, len(rows), n)
        for unit, prefix in UNITS.items()
        for names, scores in rows[start : start + n]
    ]
    is_whole = len(labels) == 1
    title = "Brackets, tags, tokens and sentences" + (", document by document" * (not is_whole))
    name = "units" if is_whole else "units-document"
    return make_table(name, title, ("unit", *labels), columns, each).in_groups(n)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeErrors:
    """The sentences of a document whose brackets differ, by system."""

    document: str
    errors: dict[str, tuple[TreeError, ...]]
    kind: Literal["tree_errors"] = "tree_errors"


def tree_errors(matched: MatchedTrees, document: str) -> Iterator[TreeError]:
    """Every block of sentences in which a bracket has no partner."""
    ours, theirs, names = matched.ours, matched.theirs, matched.names
    blocks, partners = matched.texts.sentences, matched.labelled
    sides = (ours, blocks.system, partners.ours), (theirs, blocks.gold, partners.theirs)
    wrong: dict[int, tuple[list[int], list[int]]] = {}  # the brackets of both sides by block
    for which, (side, edges, has_partner) in enumerate(sides):
        brackets = np.flatnonzero(~has_partner)
        in_block = np.searchsorted(edges, side.sentence[brackets], side="right") - 1
        for bracket, block in zip(brackets.tolist(), in_block.tolist(), strict=True):
            wrong.setdefault(block, ([], []))[which].append(bracket)
    other = _confused(matched)
    our_tags, their_tags = ~matched.tags.ours, ~matched.tags.theirs
    for block, (mine, yours) in sorted(wrong.items()):
        labels = [
            (names[ours.label[one]], names[theirs.label[other[one]]] if one in other else NONE)
            for one in mine
        ]
        confused = {other.get(one) for one in mine}
        labels += [(NONE, names[theirs.label[one]]) for one in yours if one not in confused]
        yield TreeError(
            document=document,
            system=_shown(ours, blocks.system[block : block + 2], mine, our_tags),
            gold=_shown(theirs, blocks.gold[block : block + 2], yours, their_tags),
            labels=tuple(labels),
        )


def _confused(matched: MatchedTrees) -> dict[int, int]:
    """For wrong brackets of the system a wrong gold one with the same edges and another label."""
    ours, theirs = matched.ours, matched.theirs
    wrong_at: dict[tuple[int, int], deque[int]] = {}
    for bracket in np.flatnonzero(~matched.labelled.theirs & theirs.is_shared).tolist():
        span = int(theirs.start[bracket]), int(theirs.stop[bracket])
        wrong_at.setdefault(span, deque()).append(bracket)
    confused = {}
    for bracket in np.flatnonzero(~matched.labelled.ours & ours.is_shared).tolist():
        others = wrong_at.get((int(ours.start[bracket]), int(ours.stop[bracket])))
        if others:
            other = others.popleft()
            # With `jp`, equal brackets that match only once can be left on both sides.
            if ours.label[bracket] != theirs.label[other]:
                confused[bracket] = other
    return confused


def _shown(side: Side, sentences: IntArray, wrong: list[int], is_tag_wrong: BoolArray) -> TreeSide:
    """The trees of a block of sentences, with the brackets and tags that are wrong."""
    trees, text = side.trees, side.trees.text
    start, stop = (int(text.sentence_ends[at - 1]) if at else 0 for at in sentences.tolist())
    # Of another type, the whole array would be copied to be searched.
    low, high = np.searchsorted(trees.first, np.array((start, stop), trees.first.dtype)).tolist()
    return TreeSide(
        place=text.place(start),
        words=tuple(trees.words(start, stop)),
        tags=tuple(trees.names[tag] for tag in trees.tag[start:stop].tolist()),
        ends=tuple((text.sentence_ends[slice(*sentences)] - start).tolist()),
        label=tuple(trees.names[label] for label in trees.label[low:high].tolist()),
        first=tuple((trees.first[low:high] - start).tolist()),
        last=tuple((trees.last[low:high] - start).tolist()),
        wrong=tuple(at - low for at in wrong),
        tags_wrong=tuple(np.flatnonzero(is_tag_wrong[start:stop]).tolist()),
        points=tuple(side.edges.point[start : stop + 1].tolist()),
    )


def bracketed(side: TreeSide) -> str:
    """The words of a side in brackets; square ones are those that the other side does not have.

    >>> side = TreeSide(place="", words=("it", "rained"), tags=("PRP", "VBD"), ends=(2,),
    ...     label=("S", "VP"), first=(0, 1), last=(2, 2), wrong=(1,), tags_wrong=())
    >>> bracketed(side)
    '(S it [VP rained])'
    """
    shown = list(side.words)
    before, after = [""] * len(shown), [""] * len(shown)
    spans, wrong = zip(side.label, side.first, side.last, strict=True), set(side.wrong)
    for at, (label, first, last) in enumerate(spans):
        left, right = "[]" if at in wrong else "()"
        before[first] += f"{left}{label} "
        after[last - 1] = right + after[last - 1]
    return " ".join(a + word + b for a, word, b in zip(before, shown, after, strict=True))


def shown_tree_errors(errors: Iterable[WrongSentence], most: int) -> Found:
    """The most frequent confusions of labels, and the first sentences that differ."""
    pairs: Counter[tuple[str, ...]] = Counter()
    passages: list[str] = []
    size = 0
    for system, error in errors:
        size += 1
        pairs.update((system, *pair) for pair in error.labels)
        if size <= most:
            sides = ((system, error.system), ("gold", error.gold))
            place = f"{error.system.place} | {error.gold.place}"
            trees = [(name, cut(bracketed(side), LONGEST)) for name, side in sides]
            passages.append(passage(place, *trees))
    table = frequent(pairs, most, "Label errors", ("system", "its label", "gold label"))
    head = (
        f"Sentences with other brackets: the first {len(passages)} of {size:,}; brackets that "
        "only one side has are square\n"
    )
    return Found((table,), (head, *passages))


def _cells(wrong: WrongSentence) -> tuple[str, ...]:
    system, error = wrong
    ours, theirs = error.system, error.gold
    labels = " ".join(f"{own}/{wanted}" for own, wanted in error.labels)
    trees = bracketed(ours), bracketed(theirs)
    return system, error.document, ours.place, theirs.place, labels, *trees


ERRORS = Errors(
    partial(errors_by_system, kept=TreeErrors, kind="tree_errors"),
    shown_tree_errors,
    ("system", "document", "system_place", "gold_place", "labels", "system_tree", "gold_tree"),
    _cells,
)


def trees_readings(kept: Iterable[TreeErrors]) -> Iterator[TreesReading]:
    """For each system its label errors, the most frequent first, and the sentences that differ."""
    systems: dict[str, GatheredTrees] = {}
    for document in kept:
        for system, errors in document.errors.items():
            gathered = systems.setdefault(system, GatheredTrees())
            for error in errors:
                gathered.add(error)
    for system, gathered in systems.items():
        yield gathered.reading(system)


def evalb_text(
    summary: Summary,
    *,
    counter: Any,
    readings: Callable[[], Iterable[Mapping[str, object]]],
    **_: object,
) -> str:
    """What evalb prints, for each system, so that scripts can read it; `counter` is the task."""
    cutoff = counter.parameters.cutoff
    documents = [typed(EvalbFigures, kept) for kept in readings() if kept["kind"] == "evalb_lines"]
    parts: list[str] = []
    for system in summary.systems:
        parts += [f"# {printable(system.name)}"] if len(summary.systems) > 1 else []
        lines = [line for document in documents for line in document.lines[system.name]]
        table = np.array(lines, np.int64).reshape(-1, 8)
        parts += HEAD
        for at, (length, status, tp, gold, test, crossing, words, tags) in enumerate(lines, 1):
            parts.append(
                f"{at:4d}  {length:3d}    {status}  {_share(tp, gold):6.2f} {_share(tp, test):6.2f}"
                f"   {tp:3d}    {gold:3d}  {test:3d}    {crossing:3d}"
                f"   {words:4d}  {tags:4d}   {_share(tags, words):6.2f}"
            )
        tp, gold, test, crossing, words, tags = valid_lines(table)[:, 2:].sum(axis=0).tolist()
        rates = f"{_share(tp, gold):6.2f} {_share(tp, test):6.2f}"
        brackets = f"                {rates} {tp:6d} {gold:5d} {test:5d}  {crossing:5d}"
        last = f"  {words:5d} {tags:5d}   {_share(tags, words):6.2f}"
        parts += [RULE, (brackets if gold and test else "") + last, "=== Summary ==="]
        parts += _summary("All", table)
        parts += _summary(f"len<={cutoff}", table[table[:, 0] <= cutoff])
    return "\n".join(parts) + "\n"


def _share(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 0.0


def _summary(title: str, table: IntArray) -> Iterator[str]:
    """The figures of all lines, or of short ones."""
    valid = valid_lines(table)
    size = len(valid)
    tp, gold, test, crossing, words, tags = valid[:, 2:].sum(axis=0).tolist()
    recall, precision = _share(tp, gold), _share(tp, test)
    both = precision + recall
    none, few, complete = sentences_of(valid)
    yield f"\n-- {title} --"
    for name, value in (
        ("sentence", len(table)),
        ("Error sentence", np.count_nonzero(table[:, 1] == ERROR)),
        ("Skip  sentence", np.count_nonzero(table[:, 1] == SKIP)),
        ("Valid sentence", size),
    ):
        yield f"{f'Number of {name}':<26}= {value:6d}"
    for name, rate in (
        ("Bracketing Recall", recall),
        ("Bracketing Precision", precision),
        ("Bracketing FMeasure", 2 * precision * recall / both if both else float("nan")),
        ("Complete match", _share(complete, size)),
        ("Average crossing", crossing / size if size else 0.0),
        ("No crossing", _share(none, size)),
        ("2 or less crossing", _share(few, size)),
        ("Tagging accuracy", _share(tags, words)),
    ):
        yield f"{name:<26}= {rate:6.2f}"
