"""Patterns of disagreement are those of a count over all gaps on which people differ."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.studio.adjudication import disputes, patterns
from caesura.studio.project import Project
from caesura.studio.store import Store
from support.studio_projects import event, team

TEXTS = {"a": "so it rained so it did so we left", "b": "well so it was so late it was"}
ACTS = st.lists(
    st.tuples(st.sampled_from(["Anna", "Ben", "Chloé"]), st.integers(1, 2), st.integers(0, 6)),
    max_size=20,
)


def slowly(project):
    """The same counts, made anew."""
    times = Counter()
    for document in project.documents:
        words = project.pinned(document).shown.split(" ")
        for gap in disputes(project, document):
            times["before", words[gap + 1]] += 1
            times["after", words[gap]] += 1
    ranked = sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(*key, number) for key, number in ranked if number > 1]


@pytest.mark.slow
@given(ACTS)
def test_the_words_around_disputes_are_counted(acts):
    project = Project.open(Store())
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
        for name, document, gap in acts:
            layer = project.board.current(document, people[name][0].id)
            value = None if gap in layer.boundaries() else ""
            do(name, document, "state", 0, "open")
            do(name, document, "set", gap, value)
            do(name, document, "state", 0, "finished")
        rows = patterns(project, [1, 2])
        assert [(each["side"], each["word"], each["times"]) for each in rows] == slowly(project)
        for each in rows:
            words = each["example"]["after" if each["side"] == "before" else "before"].split(" ")
            assert each["word"] == words[0 if each["side"] == "before" else -1]
    finally:
        project.store.close()
