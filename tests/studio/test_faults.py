"""A database that is locked, full or gone is said plainly, and work goes on when it is back."""

import sqlite3
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from support.postgres import Postgres

from caesura.studio import views
from caesura.studio.agreement import LiveAgreement
from caesura.studio.lock import NoLock
from caesura.studio.project import Project
from caesura.studio.store import SETUP, StoreError
from support.studio_projects import Page, event, opened, require_same, served, sets, team


@pytest.fixture
def impatient(monkeypatch):
    """Nobody waits long for a lock."""
    monkeypatch.setitem(SETUP, "sqlite", (*SETUP["sqlite"], "PRAGMA busy_timeout=100"))
    monkeypatch.setitem(SETUP, "postgresql", ("SET lock_timeout = '100ms'",))


@pytest.fixture
def either(url, impatient):
    """A project on either database, which can be opened again as it is."""
    project = opened(url)
    yield project
    require_same(project.board, Project.open(project.store).board)
    project.store.close()


def require_said(found, *reasons):
    assert found.status_code == 503
    assert any(reason in found.json()["error"] for reason in reasons), found.text


def test_locked(url, either):
    token = team(either)["Anna"][1]
    with served(either) as (base, _):
        anna = Page(base, token)
        assert anna.act(*sets("tab", [1])).status_code == 200
        if url.startswith("sqlite"):
            other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
        else:
            other = psycopg.connect(url)
            other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
        require_said(anna.act(*sets("tab", [1, 2])), "locked", "lock timeout")
        assert anna.get("/api/documents").status_code == 200
        other.rollback()
        other.close()
        assert anna.act(*sets("tab", [1, 2])).json() == {"taken": 1}
    assert either.board.layers[1, 2, 1].acts == 2


def test_full(impatient, project):
    def said(at):
        return event("tab", at, kind="comment", gap=1, value="x" * 2000)

    anna = team(project)["Anna"][0]
    with project.store._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 1}")
    taken = 0
    while not isinstance(problem := project.take_all([(anna, [said(taken)])])[0], StoreError):
        taken += 1
    assert "full" in problem.message
    with project.store._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=1000000")
    assert len(project.take(anna, [said(at) for at in range(taken + 2)])) == 2
    require_same(project.board, Project.open(project.store).board)


@pytest.fixture
def mortal():
    """A PostgreSQL server of its own, which may be stopped."""
    server = Postgres.for_tests()
    yield server
    server.close()


def test_gone_and_back(mortal, impatient):
    project = opened(mortal.make("mortal"))
    people = team(project)
    with served(project) as (base, _):
        anna = Page(base, people["Anna"][1])
        assert anna.act(*sets("tab", [1, 2])).status_code == 200
        mortal.stop()
        require_said(anna.act(*sets("tab", [1, 2, 3])), "refused", "closed", "terminat")
        require_said(anna.get("/api/me"), "refused", "closed")
        require_said(Page(base).enter("x"), "refused", "closed")
        mortal.start()
        assert anna.act(*sets("tab", [1, 2, 3])).json() == {"taken": 1}
        assert anna.get("/api/documents").json()[0]["acts"] == 3
    require_same(project.board, Project.open(project.store).board)
    project.store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file stays where it is")
def test_the_file_is_removed_under_the_server(impatient, project, tmp_path):
    anna = team(project)["Anna"][0]
    project.take(anna, sets("tab", [1]))
    (tmp_path / "studio.sqlite").rename(tmp_path / "away.sqlite")
    with pytest.raises(StoreError, match="removed"):
        project.take(anna, sets("tab", [1, 2]))
    (tmp_path / "away.sqlite").rename(tmp_path / "studio.sqlite")
    assert len(project.take(anna, sets("tab", [1, 2]))) == 1


def test_a_write_of_which_nobody_knows_whether_it_was_done(either, monkeypatch):
    anna = team(either)["Anna"][0]
    append = either.store.append

    def lost(events):
        append(events)
        raise StoreError("the connection was lost while it was committed")

    monkeypatch.setattr(either.store, "append", lost)
    with pytest.raises(StoreError):
        either.take(anna, sets("tab", [1, 2]))
    monkeypatch.setattr(either.store, "append", append)
    assert either.take(anna, sets("tab", [1, 2, 3])) == sets("tab", [3], start=2)
    assert [each.event for each in either.store.log()][-3:] == sets("tab", [1, 2, 3])


def test_what_another_wrote_is_taken_before_more_is_written(url, either, monkeypatch):
    anna = team(either)["Anna"][0]
    either.take(anna, sets("tab", [1]))
    monkeypatch.setattr("caesura.studio.store.lock_of", lambda _: NoLock())
    other = opened(url)
    other.take(anna, sets("tab", [1, 5]))
    other.store.close()
    with pytest.raises(StoreError, match="other events"):
        either.take(anna, sets("tab", [7], start=1))
    assert either.take(anna, sets("tab", [1, 5])) == []
    assert sorted(either.board.layers[1, anna.id, 1].boundaries()) == [1, 5]


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
            views.disputes(project, 1)
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
