"""People, assignments, blind layers, closing and removal: what once broke, and what never may."""

import sqlite3
from contextlib import closing

import pytest
from caesura.studio.transfer import add_folder, exported, read_guidelines
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.studio.adjudication import changes_since, close, open_disputes
from caesura.studio.assignment import balanced
from caesura.studio.events import EventError
from caesura.studio.log import log_lines, take_log
from caesura.studio.project import Project
from caesura.studio.state import MANAGER
from caesura.studio.store import DATABASE, Store
from support.hypothesis_settings import FEW
from support.paths import GOLDEN
from support.studio_projects import (
    act,
    assign,
    event,
    finish,
    opened,
    persons,
    require_same,
    sets,
    snapshot,
    team,
    values_of,
    words,
)

NAMES = ("Anna", "Ben", "Chloé")


# What broke


def test_only_closed_documents_are_adjudicated(project):
    """Once two of many disputes were decided, and the rest was silently no boundary."""
    people = persons(project)
    project.take(people["Anna"], sets("a", [2, 4, 7]))
    project.take(people["Ben"], sets("b", [2, 5, 7]))
    finish(project, people["Anna"], people["Ben"])
    manager = people[MANAGER]
    project.take(manager, [event("m", 0, kind="decide", gap=4, value=".")])
    project.take(manager, [event("m", 1, kind="decide", gap=5, value="discuss")])
    assert open_disputes(project, 1) == (2, 1)
    assert not any(name.startswith("adjudicated") for name, _ in exported(project))
    for withdrawn, problem in (((), "Chloé"), ((4,), "1 gaps"), ((2,), "Chloé"), ((4, 2), "only")):
        with pytest.raises(EventError, match=problem):
            close(project, manager, 1, withdrawn)
    project.take(manager, [event("m", 2, kind="decide", gap=5, value=None)])
    close(project, manager, 1, (4,))
    closed = project.board.closed[1]
    assert (closed.boundaries, closed.layers) == ({2: ".", 4: ".", 7: "."}, ((2, 1), (3, 1)))
    for late in (
        [event("m", 3, kind="decide", gap=5, value=".")], [assign(4)],
        [act("withdraw", 1, person=2, **{"pass": 1})],
    ):  # fmt: skip
        with pytest.raises(EventError, match="closed"):
            project.take(manager, late)
    with pytest.raises(EventError, match="closed"):
        finish(project, people["Anna"], tab="late")
    project.take(people["Anna"], sets("late", [9]))
    assert project.counted(1)["Anna"].boundaries() == {2: ".", 4: ".", 7: "."}
    assert changes_since(project, 1) is None
    project.do(manager, act("hide", person=3, **{"pass": None}))
    assert changes_since(project, 1) == {"gaps": 0, "people": ["Ben"]}
    assert dict(exported(project))["adjudicated/talk.jsonl"].count("true") == 4
    project.do(manager, act("reopen", 1))
    assert project.board.decisions[1][5].value is None


def test_a_script_without_spaces_has_gaps_and_a_warning(project, tmp_path):
    """Chinese, Japanese and Thai once became one word, without a warning."""
    (tmp_path / "zh.txt").write_text("今天天气很好。我们去公园吧。\n")
    problems, _ = add_folder(project, tmp_path)
    assert project.documents[1].length == 12
    assert "boundaries lie between its 12 characters" in problems[0]
    assert add_folder(project, tmp_path) == ([], [])
    other = tmp_path / "words"
    other.mkdir()
    (other / "th.txt").write_text("วันนี้ อากาศ ดี\n")
    problems, _ = add_folder(project, other, tokens="words")
    assert (project.documents[2].length, "words as spaces" in problems[0]) == (3, True)


def test_the_guidelines_of_a_folder_are_versions_and_no_document(project, tmp_path):
    project.invite(MANAGER, is_manager=True)
    path = tmp_path / "guidelines.md"
    for text in ("\ufeff# Units\r\n\ta thought \u200d\x07", "# Units", "# Units", "# Other"):
        path.write_bytes(text.encode())
        add_folder(project, tmp_path)
        read_guidelines(project, tmp_path)
    assert project.documents == {}
    found = [text for _, text in project.board.guidelines]
    assert found == ["# Units\n    a thought ", "# Units", "# Other"]
    path.write_text("x" * 200_001)
    with pytest.raises(FormatError, match="shorten"):
        read_guidelines(project, tmp_path)


# Earlier projects


def older(folder):
    """A folder as a studio without assignments has left it."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        database.executescript((GOLDEN / "studio_tables_1.sql").read_text())
    return opened(f"sqlite:///{folder / DATABASE}")


def test_a_folder_of_an_earlier_studio_is_brought_up_to_date_once(tmp_path):
    project = older(tmp_path)
    board, ids = project.board, {each.name: each.id for each in project.people.values()}
    layers = {(document, who): layer for (document, who, _), layer in board.layers.items()}
    anna, ben, chloe = (layers[1, ids[name]] for name in NAMES)
    assert set(layers) == {(1, 2), (1, 3), (1, 4), (2, 2)}
    # Anna finished first and was alone; Ben's finish seals both, though Anna goes on.
    assert (anna.first.boundaries(), anna.boundaries()) == (
        {2: ".", 4: ".", 7: "."}, {2: ".", 4: ".", 7: ".", 8: "."},
    )  # fmt: skip
    assert (ben.first.boundaries(), ben.is_blind) == ({2: "."}, True)
    # Chloé finished an empty document, saw the others, and copied.
    assert (chloe.first.boundaries(), chloe.is_blind) == ({}, False)
    assert set(project.counted(1)) == {"Anna", "Ben"}
    # What was skipped or to be discussed is open; the manager and an undone key make no layer.
    assert {gap: each.value for gap, each in board.decisions[1].items()} == {4: "."}
    assert {key: len(kept) for key, kept in board.aside.items()} == {(1, 1): 1, (2, 4): 2}
    count = len(list(project.store.log()))
    project.store.close()
    again = opened(f"sqlite:///{tmp_path / DATABASE}")
    assert len(list(again.store.log())) == count
    require_same(board, again.board)
    again.store.close()


def test_the_log_of_an_earlier_studio_is_imported_as_before(project, tmp_path):
    project.invite(MANAGER, is_manager=True)
    take_log(project, (GOLDEN / "studio_log_1.jsonl").read_text())
    (tmp_path / "older").mkdir()
    other = older(tmp_path / "older")
    mine, theirs = snapshot(project.board), snapshot(other.board)
    for each in (mine, theirs):
        del each["shown"]  # when it was brought up to date
    assert mine == theirs
    other.store.close()


# What never may


KINDS = [
    "set", "set", "set", "state", "state", "comment", "decide", "show", "assign", "withdraw",
    "hide", "restore", "omit", "count", "close", "reopen", "role", "waits", "release", "pass",
]  # fmt: skip
ACTS = st.lists(
    st.tuples(
        st.sampled_from(KINDS), st.integers(1, 4), st.integers(1, 2), st.integers(0, 3),
        st.sampled_from([None, "", "."]),
    ),
    max_size=40,
)  # fmt: skip


def events_of(project, at, kind, who, document, gap, value):
    """What is done: by whom, and the events; `who` is the target of a manager's acts."""
    manager, target = project.people[1], {"person": who, "pass": 1}
    own = {"set": value, "comment": value, "state": ("open", "finished")[gap % 2]}
    if kind in own:
        return who, [event(f"tab{at}", 0, document, kind, gap % 3, own[kind])]
    if kind == "decide":
        return 1, [event(f"tab{at}", 0, document, kind, gap, ("discuss", "open", None, ".")[gap])]
    if kind == "pass":
        target["pass"] = project.board.passes.get((document, who), 0) + 1
        kind = "assign"
    role = ("annotator", "observer")[gap % 2]
    made = {
        "role": act("role", person=who, role=role), "waits": act("waits", is_on=bool(gap % 2)),
        "release": act("release", document), "reopen": act("reopen", document),
    }  # fmt: skip
    if kind in ("hide", "restore", "omit", "count"):
        target["pass"] = None if gap % 2 else 1
        return manager.id, [act(kind, 0 if gap % 2 else document, **target)]
    return manager.id, [made.get(kind) or act(kind, document, **target)]


def do(project, at, kind, who, document, gap, value):
    """Do something; whether it was accepted."""
    try:
        if kind == "show":
            return bool(project.show(project.people[who], document))
        if kind == "close":
            left = [key[1] for key, each in project.board.of_document(document) if not each.is_done]
            return bool(close(project, project.people[1], document, tuple(left)))
        person, events = events_of(project, at, kind, who, document, gap, value)
        return bool(project.take(project.people[person], events))
    except EventError:
        return False


def fresh():
    project = Project.open(Store("sqlite://"))
    project.add(words("a b c d e", "one"))
    project.add(words("f g h i j", "two"))
    team(project, texts={"one": "a b c d e"})
    return project


@pytest.mark.slow
@given(ACTS)
def test_sealed_layers_and_closed_results_never_change_and_nothing_is_lost(acts):
    project = fresh()
    sealed, closed, accepted = {}, {}, 0
    for at, each in enumerate(acts):
        before = len(list(project.store.log()))
        accepted += do(project, at, *each)
        is_done = len(list(project.store.log())) > before
        board = project.board
        for key, layer in board.layers.items():
            if layer.blind is not None:
                sealed.setdefault(key, values_of(layer.blind) | {"is_assigned": None})
                assert values_of(layer.blind) | {"is_assigned": None} == sealed[key]
        if is_done and each[0] == "close":
            closed[each[2]] = board.closed[each[2]]
        for document, found in board.closed.items():
            assert found is closed[document]
        for document, person in board.shown:
            assert all(own.blind for own in board.of_person(document, person) if own.is_blind)
    log = list(project.store.log())
    taken = sum(layer.acts for layer in project.board.layers.values())
    kept = sum(map(len, project.board.aside.values()))
    assert taken + kept == sum(each.event.kind in ("set", "comment", "state") for each in log)
    again = Project.open(project.store)
    require_same(project.board, again.board)
    copy = Project.open(Store("sqlite://"))
    copy.invite(MANAGER, is_manager=True)
    take_log(copy, "".join(log_lines(project)))
    assert snapshot(copy.board) == snapshot(project.board)
    copy.store.close()
    project.store.close()


@pytest.mark.slow
@FEW
@given(ACTS, ACTS, st.sampled_from([(0, 2, None), (0, 3, None), (1, None, None), (1, 2, 1)]))
def test_hiding_and_restoring_leaves_no_trace(before, between, what):
    """What is hidden goes on being kept: restored, all is as if it had never been hidden."""
    document, person, number = what
    boards = []
    between = [each for each in between if each[0] not in ("hide", "restore", "close")]
    for is_hidden in (False, True):
        project = fresh()
        for at, each in enumerate(before):
            do(project, at, *each)
        key = {"person": person, "pass": number}
        if is_hidden:
            project.do(project.people[1], act("hide", document, **key))
        for at, each in enumerate(between, 100):
            if each[0] != "show":  # hidden layers are not shown, and seal nothing
                do(project, at, *each)
        project.do(project.people[1], act("restore", document, **key))
        boards.append({**snapshot(project.board), "shown": None})
        project.store.close()
    for board in boards:
        for layer in (
            each for own in board["layers"].values() for each in (own, own["blind"] or {})
        ):
            layer.pop("last_at", None), layer.pop("seconds", None)
        board["aside"] = {key: [each[1] for each in kept] for key, kept in board["aside"].items()}
        board["closed"] = {key: each.boundaries for key, each in board["closed"].items()}
    assert boards[0] == boards[1]


@given(
    st.lists(st.integers(1, 50), max_size=20),
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(0, 5),
)
def test_designs_are_balanced(lengths, people, each, shared):
    words = dict(enumerate(lengths))
    each = min(each, people)
    found = balanced(words, list(range(people)), each, shared)
    load = dict.fromkeys(range(people), 0)
    for at, own in found.items():
        assert len(set(own)) == (people if at < shared else each)
        for who in own:
            load[who] += words[at]
    assert max(load.values()) - min(load.values()) <= max(lengths, default=0)
    assert found.keys() == words.keys()
