"""Scores follow from summed counts alone, for every measure of every task."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.communities.chunks.task import ChunksTask
from caesura.communities.morphemes.task import MorphemesTask
from caesura.core.mean import mean
from caesura.core.row import Row, SourceCounts
from caesura.core.table import CountTable
from caesura.measures.ranking import RankingCounts
from caesura.output.json import nested, summary_json, system_json
from caesura.scores.catalog import catalog
from caesura.scores.rules import system_scores
from caesura.scores.summarize import mean_scores, summarize, undefined
from caesura.tasks import TASKS as OBJECTS
from caesura.tasks.corrections.counting import CorrectionsTask
from caesura.tasks.sentences.counting import SentencesTask
from caesura.tasks.terms.counting import TermsTask
from caesura.tasks.text.counting import TextTask
from caesura.tasks.transcript.counting import Transcript
from caesura.tasks.trees.counting import TreesTask
from support.random_counts import some_counts

ON_WORDS = tuple(
    name
    for name in OBJECTS["transcript"].measures.asked_for
    if OBJECTS["transcript"].measures[name].has_words
)
MEASURED = {
    name: [
        each
        for each in task.measures.counted([own for own in ON_WORDS if own in task.measures])
        if each.asked_by != "varies"
    ]
    for name, task in OBJECTS.items()
}
"""The measures of each task that are counted on words."""
TASKS = {
    "transcript": Transcript(also=ON_WORDS),
    "text": TextTask(),
    "trees": TreesTask(),
    "corrections": CorrectionsTask(),
    "morphemes": MorphemesTask(),
    "chunks": ChunksTask(),
    "sentences": SentencesTask(metrics="none"),
    "terms": TermsTask(),
}
REFERENCES = {name: ("r", "q") if name == "transcript" else ("gold",) for name in TASKS}
NUMBERS = st.integers(0, 9)


@st.composite
def rows(draw, task, documents=3):
    """Rows of two systems on some documents, as a task would make them."""
    found = []
    for at in range(draw(st.integers(1, documents))):
        for name in (*REFERENCES[task], "s", "t"):
            source = SourceCounts(1, draw(NUMBERS), 1, ("lines",))
            found.append(Row(name, f"d{at}", "source", None, source))
        for system in ("s", "t"):
            for measure in MEASURED[task]:
                for reference in places(task, measure):
                    counts = draw(some_counts(measure.counts, least=1))
                    found.append(Row(system, f"d{at}", measure.name, reference, counts))
    return found


def places(task, measure):
    if measure.kind in ("panel", "speech"):
        return (None,)
    return () if measure.kind == "references" else REFERENCES[task]


def total(rows, system, measure, reference, document=None):
    """A slow twin of the table: one pass over all rows for each key."""
    found = [
        row.counts
        for row in rows
        if (row.system, row.measure, row.reference) == (system, measure.name, reference)
        and document in (None, row.document)
    ]
    return sum(found[1:], found[0]) if found else measure.counts.zero()


def expected(rows, task, system, document=None):
    """Every score of a system, from the definition: the rate of a sum, or the mean of such."""
    scores = {}
    for measure in MEASURED[task]:
        every = [total(rows, system, measure, each, document) for each in places(task, measure)]
        for score in measure.scores:
            if measure.kind == "references" or score.of == "references":
                continue
            if measure.kind != "pair":
                scores[score.key] = score.value(every[0])
            elif score.joint:
                scores[score.key_in("mean")] = best_of_mean(every)[score.key]
            elif not score.is_count:
                scores[score.key_in("mean")] = mean([score.value(each) for each in every])
    return scores


def best_of_mean(every):
    """The best mean F1 of counts against several references, which are put side by side."""
    fields = ("scores", "right", "places", "hits")
    columns = [np.concatenate([getattr(each, name) for each in every]) for name in fields]
    owner = np.repeat(np.arange(len(every)), [each.scores.size for each in every])
    found = RankingCounts(*columns, owner, (1, len(every), 1)).best_of_mean()
    return {key: value.item() for key, value in found.items()}


def same(one, other):
    assert set(one) == set(other)
    for key, value in one.items():
        assert value == pytest.approx(other[key], nan_ok=True), key


def summary(task, rows):
    return summarize(OBJECTS[task], rows, ("s", "t"), REFERENCES[task], TASKS[task])


@given(st.data(), st.sampled_from(list(TASKS)))
def test_scores_are_rates_of_sums(data, task):
    made = data.draw(rows(task))
    found = summary(task, made)
    for system in found.systems:
        same(system.micro, expected(made, task, system.name))
        for document, scores in system.by_document.items():
            same(scores, expected(made, task, system.name, document))
        if task != "terms":
            same(system.macro, mean_scores(list(system.by_document.values())))


@given(st.data(), st.sampled_from(list(TASKS)))
def test_the_order_of_rows_and_how_they_are_parted_do_not_matter(data, task):
    made = data.draw(rows(task))
    cut = data.draw(st.integers(0, len(made)))
    parts = [CountTable.from_rows(part) for part in (made[cut:], made[:cut])]
    places = {f"d{at}": at for at in range(3)}
    turned = CountTable.from_tables(parts).ordered(places)
    one, other = (summary(task, each).systems for each in (made, turned))
    assert repr(one) == repr(other)


@given(st.data(), st.sampled_from(list(TASKS)))
def test_json_has_every_score_once(data, task):
    found = summary(task, data.draw(rows(task)))
    also = tuple(name for name in ON_WORDS if name in OBJECTS[task].measures)
    every = catalog(OBJECTS[task], None, also)
    for system in found.systems:
        groups = nested(system.micro, every.systems)
        assert flattened(groups, every.systems) == list(system.micro)
        told = system_json(system, every, len(REFERENCES[task]))
        assert told["name"] == system.name
        assert {key: told["micro"][key] for key in system.micro} == told["micro"]
    assert [each["name"] for each in summary_json(found)["systems"]] == ["s", "t"]


def flattened(groups, entries):
    """The keys that stand in groups, in the order of the catalog."""
    paths = {
        (*filter(None, each.score.group.split(".")), each.score.short or key): key
        for key, each in entries.items()
    }
    ungrouped = {key for key, each in entries.items() if not each.score.group}

    def leaves(value, path):
        for name, each in value.items():
            if isinstance(each, dict):
                yield from leaves(each, (*path, name))
            else:
                yield name if not path and name in ungrouped else paths[*path, name]

    found = set(leaves(groups, ()))
    return [key for key in entries if key in found]


def test_what_is_optional_needs_every_document():
    joint, trees = (OBJECTS["text"].measures[name].counts.zero() for name in ("joint", "treebank"))
    made = [Row("s", "d1", "joint", "gold", joint), Row("s", "d1", "treebank", "gold", trees),
            Row("s", "d2", "joint", "gold", joint)]  # fmt: skip
    (system,) = summarize(OBJECTS["text"], made, ("s",), ("gold",), TextTask()).systems
    assert "las_f1" not in system.micro
    (system,) = summarize(OBJECTS["text"], made[:2], ("s",), ("gold",), TextTask()).systems
    assert math.isnan(system.micro["las_f1"])


def test_a_table_without_counts_gives_undefined_scores():
    table = CountTable(documents=["d"])
    scores = system_scores(table, ["s"], ("r",), catalog(OBJECTS["transcript"]))
    rates = {
        key: value
        for key, value in scores.items()
        if not catalog(OBJECTS["transcript"]).systems[key].score.is_count
    }
    assert all(math.isnan(value[0, 0]) for value in rates.values())


def test_means_leave_out_what_is_undefined():
    each = [{"a": 1.0, "b": math.nan}, {"a": 3.0, "b": math.nan}, {"a": math.nan, "b": math.nan}]
    assert mean_scores(each)["a"] == 2
    assert math.isnan(mean_scores(each)["b"])
    assert undefined(each) == {"a": 1, "b": 3}
    assert mean_scores([]) == {}
