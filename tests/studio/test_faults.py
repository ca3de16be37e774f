"""A database that is locked, full or gone is said plainly, and work goes on when it is back."""

import sqlite3
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from caesura.studio import store, views
from caesura.studio.agreement import LiveAgreement
from caesura.studio.lock import Lock, StoreError
from caesura.studio.project import Project
from support.studio_projects import Page, event, opened, require_same, served, sets, team


@pytest.fixture
def impatient(monkeypatch):
    """Nobody waits long for a lock."""
    monkeypatch.setattr(store, "SETUP", (*store.SETUP, "PRAGMA busy_timeout=100"))


@pytest.fixture
def whole(impatient, tmp_path):
    """A project, which can be opened again as it is."""
    project = opened(tmp_path / "studio.sqlite")
    yield project
    require_same(project.board, Project.open(project.store).board)
    project.store.close()


def require_said(found, *reasons):
    assert found.status_code == 503
    assert any(reason in found.json()["error"] for reason in reasons), found.text


def test_locked(whole, tmp_path):
    token = team(whole)["Anna"][1]
    with served(whole) as (base, _):
        anna = Page(base, token)
        assert anna.act(*sets("tab", [1])).status_code == 200
        other = sqlite3.connect(tmp_path / "studio.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        require_said(anna.act(*sets("tab", [1, 2])), "locked")
        assert anna.get("/api/documents").status_code == 200
        other.rollback()
        other.close()
        assert anna.act(*sets("tab", [1, 2])).json() == {"taken": 1}
    assert whole.board.layers[1, 2, 1].acts == 2


def test_full(impatient, project):
    def said(at):
        return event("tab", at, kind="comment", gap=1, value="x" * 2000)

    anna = team(project)["Anna"][0]
    with project.store._connection() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages + 1}")
    taken = 0
    while not isinstance(problem := project.take_all([(anna, [said(taken)])])[0], StoreError):
        taken += 1
    assert "full" in problem.message
    with project.store._connection() as connection:
        connection.execute("PRAGMA max_page_count=1000000")
    assert len(project.take(anna, [said(at) for at in range(taken + 2)])) == 2
    require_same(project.board, Project.open(project.store).board)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file stays where it is")
def test_the_file_is_removed_under_the_server(impatient, project, tmp_path):
    anna = team(project)["Anna"][0]
    project.take(anna, sets("tab", [1]))
    (tmp_path / "studio.sqlite").rename(tmp_path / "away.sqlite")
    with pytest.raises(StoreError, match="removed"):
        project.take(anna, sets("tab", [1, 2]))
    (tmp_path / "away.sqlite").rename(tmp_path / "studio.sqlite")
    assert len(project.take(anna, sets("tab", [1, 2]))) == 1


def test_a_write_of_which_nobody_knows_whether_it_was_done(whole, monkeypatch):
    anna = team(whole)["Anna"][0]
    append = whole.store.append

    def lost(events):
        append(events)
        raise StoreError("the connection was lost while it was committed")

    monkeypatch.setattr(whole.store, "append", lost)
    with pytest.raises(StoreError):
        whole.take(anna, sets("tab", [1, 2]))
    monkeypatch.setattr(whole.store, "append", append)
    assert whole.take(anna, sets("tab", [1, 2, 3])) == sets("tab", [3], start=2)
    assert [each.event for each in whole.store.log()][-3:] == sets("tab", [1, 2, 3])


def test_what_another_wrote_is_taken_before_more_is_written(whole, tmp_path, monkeypatch):
    anna = team(whole)["Anna"][0]
    whole.take(anna, sets("tab", [1]))
    monkeypatch.setattr(Lock, "take", lambda _: None)
    other = opened(tmp_path / "studio.sqlite")
    other.take(anna, sets("tab", [1, 5]))
    other.store.close()
    with pytest.raises(StoreError, match="other events"):
        whole.take(anna, sets("tab", [7], start=1))
    assert whole.take(anna, sets("tab", [1, 5])) == []
    assert sorted(whole.board.layers[1, anna.id, 1].boundaries()) == [1, 5]


def test_an_unforeseen_failure_ends_one_request_and_not_the_writer(studio, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(studio.project.store, "append", lambda events: 1 / 0)
        assert studio("Anna").act(*sets("tab", [1])).status_code == 500
    assert studio("Anna").act(*sets("tab", [1])).json() == {"taken": 1}


@pytest.mark.slow
def test_reading_while_others_write(project):
    """Views are made in other threads than that of the writer."""
    people = team(project)
    over = threading.Event()

    def read():
        live, times = LiveAgreement(project), 0
        while not over.is_set() or not times:
            views.documents(project, people["manager"][0])
            views.document(project, people["manager"][0], 1)
            views.agreement(project, live)
            times += 1
        return times

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(3)]
        for at in range(150):
            for name in ("Anna", "Ben"):
                act = event(name, at, gap=at % 11, value=[".", None, "?"][at % 3])
                project.take(people[name][0], [act])
            if at % 50 == 0:
                project.invite(f"P{at}")
        over.set()
    assert all(each.result() for each in readers)
