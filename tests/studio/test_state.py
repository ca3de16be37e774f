"""Any events, in any order and however often delivered, make a valid document, and the log of
what was taken makes the same one again."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.studio.events import DECISIONS, MARKS, Event, EventError
from caesura.studio.project import Project
from caesura.studio.state import Board, OutOfOrderError
from caesura.studio.store import Store
from support import reference_studio as twin
from support.studio_projects import assign_everyone, event, require_same, sets, words

LENGTHS = {1: 1, 2: 2, 3: 9}
PEOPLE = 3
"""The first is the manager."""
VALUES = {
    "set": st.sampled_from([None, *MARKS]),
    "comment": st.sampled_from([None, "", "why?", "<b>"]),
    "state": st.sampled_from(["open", "finished"]),
    "decide": st.sampled_from([None, *DECISIONS]),
}


@st.composite
def acts(draw):
    """What one tab does: its person, and events in order."""
    person = draw(st.integers(1, PEOPLE))
    kinds = ["decide"] if person == 1 else ["set", "set", "set", "comment", "state"]
    events = []
    for at in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(kinds))
        document = draw(st.sampled_from([1, 2, 3] if kind == "state" else [2, 3]))
        most = 0 if kind == "state" else LENGTHS[document] - 2
        gap = draw(st.integers(0, most))
        events.append(Event("", at, document, kind, gap, draw(VALUES[kind])))
    return person, events


@st.composite
def deliveries(draw):
    """Requests as they arrive: pieces of what tabs do, in any order, again and again."""
    tabs = [
        (person, [replace(each, client=f"tab{at}") for each in events])
        for at, (person, events) in enumerate(draw(st.lists(acts(), min_size=1, max_size=4)))
    ]
    requests = []
    for _ in range(draw(st.integers(0, 12))):
        person, events = draw(st.sampled_from(tabs))
        start = draw(st.integers(0, len(events)))
        end = draw(st.integers(start, len(events)))
        requests.append((person, events[start:end]))
    batches = draw(st.lists(st.integers(1, 4), min_size=12, max_size=12))
    return tabs, requests, batches


OPENED = []


@pytest.fixture(autouse=True)
def _closed():
    yield
    while OPENED:
        OPENED.pop().close()


def a_project():
    project = Project.open(Store())
    OPENED.append(project.store)
    for number, length in LENGTHS.items():
        project.add(words(" ".join("abcdefghi"[:length]), f"d{number}"))
    project.invite("manager", is_manager=True)
    for name in ("Anna", "Ben"):
        project.invite(name)
    assign_everyone(project)
    return project


def logged(project):
    """What pages did; the acts of the project are those of its beginning."""
    every = [(each.person, each.at, each.event) for each in project.store.log()]
    return [line for line in every if not line[2].client.startswith("server/")]


def require_twin(project):
    log = logged(project)
    for (document, person, _), layer in project.board.layers.items():
        assert layer.boundaries() == twin.boundaries(log, document, person)
        assert layer.comments == twin.comments(log, document, person)
        assert layer.is_finished == twin.is_finished(log, document, person)
        assert layer.acts == twin.acts(log, document, person)
    for document in LENGTHS:
        found = project.board.decisions.get(document, {})
        assert {gap: each.value for gap, each in found.items()} == twin.decisions(log, document)


@pytest.mark.slow
@given(deliveries())
def test_any_delivery_makes_valid_documents_that_the_log_makes_again(case):
    tabs, requests, batches = case
    project, waiting = a_project(), list(requests)
    for size in batches:
        batch, waiting = waiting[:size], waiting[size:]
        project.take_all([(project.people[who], events) for who, events in batch])
    for (document, _, _), layer in project.board.layers.items():
        assert layer.segmentation().length == LENGTHS[document]
        assert {*layer.boundaries(), *layer.comments} <= set(range(LENGTHS[document] - 1))
        assert set(layer.boundaries().values()) <= set(MARKS)
    require_twin(project)
    log = logged(project)
    for person, events in tabs:
        own = [(who, each) for who, _, each in log if events and each.client == events[0].client]
        assert own == [(person, each) for each in events[: len(own)]]
        _send_again(project, project.people[person], events)
    every = sorted(_key((0, 0, each)) for _, own in tabs for each in own)
    assert sorted(map(_key, logged(project))) == every, "all is taken, and once"
    require_twin(project)
    require_same(project.board, Project.open(project.store).board)
    for person, events in tabs:
        assert project.take(project.people[person], events) == []


def _key(line):
    return line[2].client, line[2].sequence


def _send_again(project, person, events):
    at = 0
    for _ in range(3):
        try:
            project.take(person, events[at:])
        except OutOfOrderError as problem:
            at = problem.expected
            assert at == twin.expected(logged(project), events[0].client)
        else:
            return
    pytest.fail("it is never taken")


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 7), st.sampled_from([None, *MARKS])), max_size=20))
def test_undoing_everything_leads_back(doings):
    """A page undoes by setting what was there before; the log keeps both."""
    project = a_project()
    anna = project.people[2]
    sequence = itertools.count()

    def place(gap, value):
        layer = project.board.current(3, 2).boundaries()
        project.take(anna, [event("tab", next(sequence), 3, "set", gap, value)])
        return gap, layer.get(gap)

    for each in reversed([place(*each) for each in doings]):
        place(*each)
    assert project.board.current(3, 2).boundaries() == {}
    assert project.board.current(3, 2).acts == 2 * len(doings)


@pytest.mark.parametrize("kind", ["set", "comment", "decide"])
@pytest.mark.parametrize(("document", "gap"), [(1, 0), (2, 1), (3, 8), (3, 10**9), (4, 0), (0, 0)])
def test_there_is_no_gap_after_the_last_word(kind, document, gap):
    with pytest.raises(EventError, match="there is no"):
        Board(dict(LENGTHS)).require_place(event(document=document, kind=kind, gap=gap))


def test_a_document_of_one_word_can_be_finished():
    board = Board(dict(LENGTHS))
    board.require_place(event(document=1, kind="state", value="finished"))
    board.require_place(event(document=3, kind="state", gap=7, value="finished"))
    with pytest.raises(EventError):
        board.require_place(event(document=3, kind="state", gap=8, value="finished"))


def test_nobody_takes_the_client_of_another():
    project = a_project()
    anna, ben = project.people[2], project.people[3]
    one, same = sets("tab", [3], 3), sets("tab", [3], 3)
    first, second, third = project.take_all([(anna, one), (ben, same), (ben, sets("tab", [4], 3))])
    assert first == one
    assert isinstance(second, EventError)
    assert isinstance(third, EventError)
    with pytest.raises(EventError, match="another person"):
        project.take(ben, sets("tab", [4], 3, start=1))


def test_a_clock_that_jumps_back_changes_no_order(monkeypatch):
    project = a_project()
    anna = project.people[2]
    for at, now in enumerate([1e9, 2e9, 5.0, 1e9 + 1]):
        monkeypatch.setattr("time.time", lambda now=now: now)
        project.take(anna, [event("tab", at, 3, "set", 2, MARKS[at])])
    assert project.board.current(3, 2).boundaries()[2] == MARKS[3]
    assert project.board.current(3, 2).seconds >= 0
    require_same(project.board, Project.open(project.store).board)
