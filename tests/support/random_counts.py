"""Random counts of every kind; they need not be possible, only whole."""

from dataclasses import fields

import numpy as np
from hypothesis import strategies as st

from caesura.communities.events import WAYS
from caesura.communities.events.measures import FIELDS, EventCounts
from caesura.communities.morphemes.morphs import CategoryCounts
from caesura.communities.topics.measures import CoderCounts
from caesura.core.panel_counts import PanelCounts
from caesura.measures.breakdown import BreakdownCounts
from caesura.measures.marks import MarkConsensusCounts, MarkCounts
from caesura.measures.ranking import RankingCounts, levels_of
from caesura.tasks.terms.measures import TermCounts

NUMBERS = st.integers(0, 10**6)
NAMES = st.sampled_from(["none", "unmarked", ".", "?", "!"])


def tables(*keys, size, least=0):
    """Lines of keys and so many numbers, in the order of the keys."""
    lines = st.dictionaries(st.tuples(*keys), st.tuples(*[st.integers(least, 99)] * size))
    return lines.map(lambda drawn: tuple((*key, *drawn[key]) for key in sorted(drawn)))


def some_counts(cls, least=0):
    """Counts of a kind; those of scores have at least so many."""
    if issubclass(cls, PanelCounts):
        return panel_counts(cls)
    if issubclass(cls, RankingCounts):
        return ranking_counts(cls, least)
    if cls in SPECIAL:
        return SPECIAL[cls]
    return st.builds(cls, **dict.fromkeys((field.name for field in fields(cls)), NUMBERS))


SPECIAL = {
    EventCounts: st.dictionaries(
        st.tuples(NAMES, st.sampled_from([f"{way}_{each}" for way in WAYS for each in FIELDS])),
        st.integers(1, 99),
    ).map(EventCounts.from_items),
    MarkCounts: tables(NAMES, NAMES, size=1, least=1).map(
        lambda table: MarkCounts(tuple(cell for cell in table if cell[:2] != ("none", "none")))
    ),
    MarkConsensusCounts: st.builds(MarkConsensusCounts, NUMBERS, tables(NAMES, size=3)),
    BreakdownCounts: tables(st.sampled_from(["label", "length"]), NAMES, size=3).map(
        BreakdownCounts
    ),
    CategoryCounts: tables(NAMES, size=6).map(CategoryCounts),
    CoderCounts: st.builds(
        CoderCounts,
        *[NUMBERS] * 7,
        st.lists(st.integers(0, 99), max_size=4).filter(lambda own: not own or own[-1]).map(tuple),
    ),
    TermCounts: st.builds(
        TermCounts,
        **{field.name: NUMBERS for field in fields(TermCounts) if field.name != "ned_sums"},
        ned_sums=tables(st.integers(1, 9), size=1, least=1),
    ),
}


def panel_counts(kind):
    """Counts of panels of several sizes, or of one, or of none."""
    values = st.tuples(*[st.integers(1, 99)] * len(kind.sized))
    return st.dictionaries(st.integers(2, 5), values).map(lambda own: _of_sizes(kind, own))


def ranking_counts(cls=RankingCounts, least=0):
    """Counts for at least so many scores, and for places without any."""
    levels = st.sampled_from([-1, *levels_of(np.array([0, 0.25, 0.3, 1], np.float32)).tolist()])
    three = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 5))
    drawn = st.dictionaries(levels, three, min_size=least)
    return drawn.map(lambda by_level: cls.from_items(_of_levels(by_level)))


def _of_levels(by_level):
    """Items of counts of which at most all places are right, or hits."""
    items = {}
    for level, (right, hits, places) in by_level.items():
        few = places if level >= 0 else 99
        items |= {(level, "right"): min(right, few), (level, "places"): places}
        items |= {(level, "hits"): min(hits, places) if level >= 0 else 0}
    return items


def _of_sizes(kind, by_size):
    """Counts with the ratings and pairs that panels of these sizes have."""
    items = dict.fromkeys(kind._plain(), 7)
    for size, values in by_size.items():
        items |= {(size, name): n for name, n in zip(kind.sized, values, strict=True)}
        if "ratings" in kind.sized:
            items |= {(size, "ratings"): size * values[0]}
            items |= {(size, "pairs"): size * (size - 1) * values[0]}
    return kind.from_items(items)
