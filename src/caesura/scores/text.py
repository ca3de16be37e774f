"""The summary of text, as the JSON of the contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from caesura import __version__
from caesura.core.counts import Matches
from caesura.measures.joint import JointCounts
from caesura.measures.treebank import SCORES, TreebankCounts
from caesura.run.rows import Row, SourceCounts
from caesura.scores import Scores, mean_scores, undefined
from caesura.tasks.text import TextTask


def text_summary(
    rows: Sequence[Row], systems: Sequence[str], gold: str, task: TextTask
) -> dict[str, Any]:
    """The result of `caesura text`, as its JSON."""
    documents = list(dict.fromkeys(row.document for row in rows))
    read = [row.counts for row in rows if isinstance(row.counts, SourceCounts)]
    options = task.signature(sum(read, SourceCounts.zero()).forms, len(documents))
    signature = {"caesura": __version__, "task": "text", **options}
    return {
        "caesura": __version__,
        "task": "text",
        "signature": "|".join(f"{name}:{value}" for name, value in signature.items()),
        "options": asdict(task),
        "gold": gold,
        "references": [gold],
        "documents": documents,
        "systems": [_system(name, rows) for name in systems],
    }


def flat_scores(joint: JointCounts) -> Scores:
    """The scores that a gate or a CSV line can name: `token_f1`, `sentence_precision` …"""
    return {**joint.scores(), "aligned": joint.aligned_share}


def _system(name: str, rows: Sequence[Row]) -> dict[str, Any]:
    own = [row for row in rows if row.system == name]
    joints: dict[str, JointCounts] = {}
    trees: dict[str, TreebankCounts] = {}
    for row in own:
        if isinstance(row.counts, JointCounts):
            joints[row.document] = joints.get(row.document, JointCounts.zero()) + row.counts
        if isinstance(row.counts, TreebankCounts):
            trees[row.document] = trees.get(row.document, TreebankCounts.zero()) + row.counts
    whole = sum(joints.values(), JointCounts.zero())
    flat = [flat_scores(counts) for counts in joints.values()]
    result = {
        "name": name,
        **_units(whole),
        "micro": flat_scores(whole),
        "macro": mean_scores(flat),
        "macro_undefined": undefined(flat),
        "by_document": {document: _units(counts) for document, counts in joints.items()},
    }
    if len(trees) == len(joints):
        result["treebank"] = _treebank(sum(trees.values(), TreebankCounts.zero()))
    return result


def _units(counts: JointCounts) -> Scores:
    return {
        "sentences": _matches(counts.sentences),
        "tokens": _matches(counts.tokens),
        "aligned": counts.aligned_share,
    }


def _matches(counts: Matches) -> Scores:
    return {**counts.to_dict(), **counts.scores()}


def _treebank(counts: TreebankCounts) -> Scores:
    return {
        name: {**_matches(counts.of(name)), "aligned_accuracy": counts.accuracy(name)}
        for name in SCORES
    }
