"""Agreement is counted again only where something has changed, and equals a full count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.output.json import summary_json
from caesura.studio.adjudication import disputes, open_disputes, result
from caesura.studio.agreement import LiveAgreement
from caesura.studio.project import Project
from caesura.studio.store import Store
from support import reference_vary
from support.hypothesis_settings import FEW
from support.studio_projects import WORDS, act, event, finish, persons, sets

TEXTS = {"one": WORDS, "two": "a b c d e f", "three": "well I do not know what to say"}
NAMES = ("Anna", "Ben", "Chloé")


def begun(project):
    people = persons(project, NAMES, TEXTS)
    for name in NAMES:
        for at in (1, 2, 3):
            project.take(people[name], sets(f"{name}{at}", [1, 3], at))
            finish(project, people[name], document=at)
    return people


@pytest.mark.slow
@FEW
@given(
    st.lists(
        st.tuples(
            st.sampled_from(NAMES), st.integers(1, 3), st.integers(0, 4),
            st.sampled_from([None, "", ".", "?"]), st.booleans(),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_kept_up_to_date_equals_a_full_count(acts):
    project = Project.open(Store())
    people = begun(project)
    kept = LiveAgreement(project)
    for at, (name, document, gap, value, is_asked) in enumerate(acts):
        project.take(people[name], [event(f"tab{at}", 0, document, "set", gap, value)])
        if is_asked:
            kept.summary()
    assert summary_json(kept.summary()) == summary_json(LiveAgreement(project).summary())
    project.store.close()


def test_disputes_are_where_people_differ(project):
    people = persons(project, NAMES, TEXTS)
    manager = people["manager"]
    project.do(manager, act("marks", is_on=True))
    project.take(people["Anna"], sets("a", [1, 3, 5]))
    project.take(people["Ben"], [*sets("b", [1, 3]), event("b", 2, gap=5, value="?")])
    project.take(people["Chloé"], sets("c", [1, 5]))
    assert disputes(project, 1) == []
    finish(project, *(people[name] for name in NAMES))
    assert disputes(project, 1) == [3, 5]
    for at, (gap, value) in enumerate([(3, None), (5, "discuss"), (1, None), (7, "majority")]):
        project.take(manager, [event("m", at, kind="decide", gap=gap, value=value)])
    assert disputes(project, 1) == [1, 3, 5], "1 is against all"
    assert open_disputes(project, 1) == [5]
    assert result(project, 1) == {5: ""}


@pytest.mark.slow
@FEW
@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.integers(1, 3), st.integers(0, 4), st.booleans()),
        max_size=16,
    ),
    st.sets(st.tuples(st.sampled_from(NAMES), st.integers(1, 3))),
)
def test_so_far_each_gap_is_counted_by_those_who_have_reached_it(acts, finished):
    project = Project.open(Store())
    people = persons(project, NAMES, TEXTS)
    for at, (name, document, gap, is_set) in enumerate(acts):
        value = "" if is_set else None
        project.take(people[name], [event(f"tab{at}", 0, document, "set", gap, value)])
    for name, document in sorted(finished):
        finish(project, people[name], document=document)
    found = LiveAgreement(project).summary(so_far=True)
    corpus = {
        (document, gap): (1, _panel(acts, finished, document, gap), {})
        for document, text in enumerate(TEXTS.values(), 1)
        for gap in range(len(text.split()) - 1)
    }
    if found is None:
        assert all(len(panel) < 2 for _, panel, _ in corpus.values())
    else:
        expected = reference_vary.agreement(corpus)
        shown = {key: found.agreement.micro[key] for key in expected}
        assert shown == pytest.approx(expected, nan_ok=True)
        assert found.words - len(found.documents) == sum(
            len(panel) > 1 for _, panel, _ in corpus.values()
        )
    project.store.close()


def _panel(acts, finished, document, gap):
    """Who has reached a gap, as sets that hold 0 where they have a boundary."""
    panel = {}
    for name in NAMES:
        own = [(at, is_set) for who, where, at, is_set in acts if (who, where) == (name, document)]
        if (name, document) in finished or any(at >= gap for at, _ in own):
            last = [is_set for at, is_set in own if at == gap][-1:]
            panel[name] = {0} if last == [True] else set()
    return panel
