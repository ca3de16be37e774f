"""Agreement is counted again only where something has changed, and equals a full count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.output.json import summary_json
from caesura.studio.adjudication import disputes, open_disputes
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
    project = Project.open(Store("sqlite://"))
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
    project.take(people["Anna"], sets("a", [1, 3, 5]))
    project.take(people["Ben"], [*sets("b", [1, 3]), event("b", 2, gap=5, value="?")])
    project.take(people["Chloé"], sets("c", [1, 5]))
    assert list(disputes(project, 1)) == []
    finish(project, *(people[name] for name in NAMES))
    project.take(people["manager"], [event("m", 0, kind="decide", gap=3, value=None)])
    project.take(people["manager"], [event("m", 1, kind="decide", gap=5, value="discuss")])
    project.take(people["manager"], [event("m", 2, kind="decide", gap=1, value=None)])
    found = {each.gap: each for each in disputes(project, 1)}
    assert sorted(found) == [1, 3, 5]
    assert found[3].marks == {"Anna": ".", "Ben": ".", "Chloé": None}
    assert [found[at].state for at in (1, 3, 5)] == ["decided", "decided", "discuss"]
    assert found[1].is_against_all
    assert found[3].decision is None
    assert found[5].is_of_marks
    assert found[5].before.split(" ")[-1] == "and"
    assert found[5].after.split(" ")[0] == "then"
    assert open_disputes(project, 1) == (2, 1)


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
    project = Project.open(Store("sqlite://"))
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


def test_people_and_documents_are_left_out_and_counted_again(project):
    people = begun(project)
    project.take(people["Ben"], sets("late", [0], 2))
    kept, manager = LiveAgreement(project), people["manager"]
    first = summary_json(kept.summary(confidence=True))
    ben = {"person": people["Ben"].id, "pass": None}
    for out, back in (("omit", "count"), ("hide", "restore")):
        project.do(manager, act(out, **ben))
        assert kept.summary().agreement.micro["rgar"] == 1
        project.do(manager, act(back, **ben))
        assert summary_json(kept.summary(confidence=True)) == first
    project.do(manager, act("omit", 2, person=None, **{"pass": None}))
    assert kept.summary().agreement.micro["rgar"] == 1


def test_what_began_from_a_machine_is_compared_apart(project):
    people = persons(project, NAMES, TEXTS)
    project.begin_with(2, "every:2")
    finish(project, people["Anna"], people["Ben"], document=2)
    kept = LiveAgreement(project)
    assert kept.summary() is None
    (name,) = kept.machines
    assert name.startswith("every:2 (caesura ")
    assert kept.summary(name).agreement.micro["rgar"] == 1
