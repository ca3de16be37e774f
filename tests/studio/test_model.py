"""People, assignments, blind layers, closing and removal: what once broke, and what never may."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.studio.adjudication import close, disputes, open_disputes
from caesura.studio.assignment import balanced
from caesura.studio.events import MANAGER, EventError
from caesura.studio.export import exported
from caesura.studio.files import add_folder, read_guidelines
from caesura.studio.log import log_lines, parse_log, restore_log
from caesura.studio.project import Project
from caesura.studio.store import Store
from support.studio_projects import (
    act,
    assign,
    event,
    finish,
    persons,
    require_same,
    sets,
    snapshot,
    team,
    values_of,
)

# What broke


def test_only_closed_documents_are_adjudicated(project):
    """Once two of many disputes were decided, and the rest was silently no boundary."""
    people = persons(project)
    project.take(people["Anna"], sets("a", [2, 4, 7]))
    project.take(people["Ben"], sets("b", [2, 5, 7]))
    finish(project, people["Anna"], people["Ben"])
    manager = people[MANAGER]
    project.take(manager, [event("m", 0, kind="decide", gap=4, value="")])
    project.take(manager, [event("m", 1, kind="decide", gap=5, value="discuss")])
    assert (disputes(project, 1), open_disputes(project, 1)) == ([4, 5], [5])
    assert not any(name.startswith("adjudicated") for name, _ in exported(project))
    for withdrawn, problem in (((), "Chloé"), ((4,), "1 gaps"), ((2,), "Chloé"), ((4, 2), "only")):
        with pytest.raises(EventError, match=problem):
            close(project, manager, 1, withdrawn)
    project.take(manager, [event("m", 2, kind="decide", gap=5, value=None)])
    close(project, manager, 1, (4,))
    closed = project.board.closed[1]
    assert (closed.boundaries, closed.layers) == ({2: "", 4: "", 7: ""}, ((2, 1), (3, 1)))
    for who, late in (
        (manager, [event("m", 3, kind="decide", gap=5)]), (manager, [assign(4)]),
        (manager, [act("withdraw", 1, person=2, **{"pass": 1})]),
        (people["Anna"], sets("late", [9])),
    ):  # fmt: skip
        with pytest.raises(EventError, match="closed"):
            project.take(who, late)
    assert dict(exported(project))["adjudicated/talk.jsonl"].count("true") == 4
    project.do(manager, act("reopen", 1))
    assert project.board.decisions[1][5].value is None
    with pytest.raises(EventError, match="others were shown"):
        project.take(people["Anna"], sets("late", [9]))


@pytest.mark.parametrize(
    ("layers", "result"),
    [
        ([[3], [3], []], {3: ""}), ([[3], [], []], {}), ([[3], []], {}), ([[3], [3]], {3: ""}),
    ],
)  # fmt: skip
def test_the_majority_is_more_than_half(project, layers, result):
    names = [f"P{at}" for at in range(len(layers))]
    people = persons(project, names)
    for name, gaps in zip(names, layers, strict=True):
        project.take(people[name], sets(name, gaps))
        finish(project, people[name])
    manager = people[MANAGER]
    still = open_disputes(project, 1)
    decided = [event("m", at, 1, "decide", gap, "majority") for at, gap in enumerate(still)]
    project.take(manager, decided)
    close(project, manager, 1)
    assert project.board.closed[1].boundaries == result


def test_marks_are_in_dispute_only_where_the_project_has_them(project):
    people = persons(project)
    project.take(people["Anna"], sets("a", [2], value="."))
    project.take(people["Ben"], sets("b", [2], value="?"))
    finish(project, people["Anna"], people["Ben"])
    assert disputes(project, 1) == []
    project.do(people[MANAGER], act("marks", is_on=True))
    assert disputes(project, 1) == [2]


def test_who_could_see_others_is_not_blind(project):
    """A manager or an adjudicator who becomes an annotator could see what others had done."""
    people = persons(project)
    manager = people[MANAGER]
    second, _ = project.invite("Dora", "adjudicator")
    third, _ = project.invite("Emil", "adjudicator")
    for each in (act("role", person=third.id, role="annotator"), assign(third.id)):
        project.do(manager, each)
    project.take(people["Anna"], sets("a", [2]))
    for each in (act("role", person=second.id, role="annotator"), assign(second.id)):
        project.do(manager, each)
    layers = {key[1]: layer for key, layer in project.board.of_document(1)}
    assert (layers[third.id].is_blind, layers[second.id].is_blind) == (True, False)


def test_a_script_without_spaces_has_gaps_and_a_warning(project, tmp_path):
    """Chinese, Japanese and Thai once became one word, without a warning."""
    (tmp_path / "zh.txt").write_text("今天天气很好。我们去公园吧。\n")
    notes = add_folder(project, tmp_path)
    assert project.documents[1].length == 12
    assert "boundaries lie between its 12 characters" in notes[0]
    project.sources.clear()
    assert add_folder(project, tmp_path) == []
    other = tmp_path / "words"
    other.mkdir()
    (other / "th.txt").write_text("วันนี้ อากาศ ดี\n")
    project.tokens = "words"
    notes = add_folder(project, other)
    assert (project.documents[2].length, "words as spaces" in notes[0]) == (3, True)


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


# What never may


KINDS = [
    "set", "set", "set", "state", "state", "comment", "decide", "assign", "withdraw", "close",
    "close", "reopen", "role", "pass",
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
        value = ("majority", "open", None, ".")[gap]
        return 1, [event(f"tab{at}", 0, document, kind, gap, value)]
    if kind == "pass":
        target["pass"] = project.board.passes.get((document, who), 0) + 1
        kind = "assign"
    if kind == "role":
        return manager.id, [act("role", person=who, role=("annotator", "adjudicator")[gap % 2])]
    says = {} if kind == "reopen" else target
    return manager.id, [act(kind, document, **says)]


def do(project, at, kind, who, document, gap, value):
    """Do something, if it is accepted."""
    try:
        if kind == "close":
            layers = project.board.of_document(document)
            late = {key[1] for key, layer in layers if not layer.is_finished}
            close(project, project.people[1], document, sorted(late))
        else:
            person, events = events_of(project, at, kind, who, document, gap, value)
            project.take(project.people[person], events)
    except EventError:
        pass


def fresh():
    project = Project.open(Store())
    team(project, texts={"one": "a b c d e", "two": "f g h i j"})
    return project


@pytest.mark.slow
@given(ACTS)
def test_sealed_layers_and_closed_results_never_change_and_nothing_is_lost(acts):
    project = fresh()
    sealed, closed = {}, {}
    for at, each in enumerate(acts):
        do(project, at, *each)
        board = project.board
        for key, layer in board.layers.items():
            if layer.is_sealed:
                values = values_of(layer) | {"is_assigned": None}
                assert values == sealed.setdefault(key, values)
        closed = {number: closed.get(number, found) for number, found in board.closed.items()}
        assert board.closed == closed
    log = list(project.store.log())
    taken = sum(layer.acts for layer in project.board.layers.values())
    assert taken == sum(each.event.kind in ("set", "comment", "state") for each in log)
    require_same(project.board, Project.open(project.store).board)
    copy = Project.open(Store())
    restore_log(copy, parse_log("".join(log_lines(project))))
    assert snapshot(copy.board) == snapshot(project.board)
    copy.store.close()
    project.store.close()


@given(
    st.lists(st.lists(st.integers(1, 50), max_size=8), max_size=4),
    st.integers(1, 6),
    st.integers(1, 6),
)
def test_designs_are_balanced_over_all_weeks(weeks, people, each):
    """Each week's documents are given so that what everybody has stays balanced."""
    each, lengths, has = min(each, people), {}, {}
    for week in weeks:
        new = range(len(lengths), len(lengths) + len(week))
        lengths |= dict(zip(new, week, strict=True))
        design = balanced(new, list(range(people)), each, lengths, has)
        assert design.keys() == set(new)
        assert all(len(set(own)) == each for own in design.values())
        assert balanced(new, list(range(people)), each, lengths, has | design) == design
        has |= design
        load = [sum(lengths[at] for at, own in has.items() if who in own) for who in range(people)]
        assert max(load) - min(load) <= max(lengths.values(), default=0)


def test_two_documents_a_week_for_three_people_are_two_each():
    lengths, has = dict.fromkeys(range(6), 10), {}
    for week in ([0, 1], [2, 3], [4, 5]):
        has |= balanced(week, [1, 2, 3], 1, lengths, has)
    assert sorted(who for own in has.values() for who in own) == [1, 1, 2, 2, 3, 3]
