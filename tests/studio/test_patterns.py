"""Patterns of disagreement are those of a count over all disputes, however they came about."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.studio.adjudication import Patterns, disputes
from support.studio_projects import event, opened, team

TEXTS = {"a": "so it rained so it did so we left", "b": "well so it was so late it was"}
ACTS = st.lists(
    st.tuples(st.sampled_from(["Anna", "Ben", "Chloé"]), st.integers(1, 2), st.integers(0, 6)),
    max_size=20,
)


def slowly(project):
    """The same counts, made anew."""
    times = Counter()
    for document in project.documents:
        for each in disputes(project, document):
            times["before", each.after.split(" ")[0]] += 1
            times["after", each.before.split(" ")[-1]] += 1
    ranked = sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(*key, number) for key, number in ranked if number > 1]


@pytest.mark.slow
@given(ACTS)
def test_only_what_has_changed_is_counted_again(acts):
    project = opened("sqlite://")
    try:
        people = team(project, texts=TEXTS)
        numbers = Counter()

        def do(name, document, kind, gap, value):
            act = event(name, numbers[name], document, kind, gap, value)
            numbers[name] += 1
            project.take(people[name][0], [act])

        for name in ("Anna", "Ben", "Chloé"):
            for document in (1, 2):
                do(name, document, "state", 0, "finished")
        patterns = Patterns(project)
        for name, document, gap in acts:
            layer = project.board.current(document, people[name][0].id)
            value = None if gap in layer.boundaries() else "."
            do(name, document, "state", 0, "open")
            do(name, document, "set", gap, value)
            do(name, document, "state", 0, "finished")
            rows = patterns.common([1, 2])
            assert [(each["side"], each["word"], each["times"]) for each in rows] == slowly(project)
        if acts:
            for each in patterns.common([1, 2]):
                words = each["example"]["after" if each["side"] == "before" else "before"]
                assert each["word"] in (words.split(" ")[0], words.split(" ")[-1])
    finally:
        project.store.close()
