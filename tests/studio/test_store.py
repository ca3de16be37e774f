"""The database, the same on SQLite and on PostgreSQL."""

import sqlite3
import time
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import text

from caesura.errors import UsageError
from caesura.studio import store as stores
from caesura.studio.launch import _driven, open_project
from caesura.studio.store import Store, StoreError, hashed
from support.studio_projects import event


@pytest.fixture
def store(url):
    found = Store(_driven(url))
    yield found
    found.close()


@pytest.fixture
def anna(store):
    store.add_document("talk", "0" * 64, 12, {})
    return store.invite("Anna")[0].id


def rows(url, query):
    """What another program sees in the database."""
    if url.startswith("sqlite"):
        # As a context, a connection of SQLite is a transaction, and stays open.
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            return connection.execute(query).fetchall()
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()


def test_events_are_appended_all_or_none(store, anna):
    """Of a person and a document that are there."""
    for person, document in ((anna + 7, 1), (anna, 9)):
        with pytest.raises(StoreError):
            store.append([(person, 0.0, event(document=document))])
    store.append([(anna, 0.0, event(sequence=0))])
    with pytest.raises(StoreError, match="other events"):
        store.append([(anna, 0.0, event(sequence=at)) for at in (2, 1, 0)])
    assert [each.event.sequence for each in store.log()] == [0]


def test_only_one_server_has_a_database(url, store, monkeypatch):
    monkeypatch.setattr("caesura.studio.lock.PATIENCE", 0.2)
    with pytest.raises(UsageError, match="open in another studio") as problem:
        Store(_driven(url.replace("caesura@", "caesura:secret@")))
    assert "secret" not in problem.value.message, "a password is never shown"
    store.close()
    Store(_driven(url)).close()


@pytest.mark.parametrize("version", ["3", "nonsense"])
def test_tables_of_a_newer_version_are_left_alone(url, store, version):
    store.set("version", version)
    store.close()
    with pytest.raises(UsageError, match="newer caesura"):
        Store(_driven(url))


def test_settings_change_and_names_are_unique(store):
    assert store.setting("title", "none") == "none"
    for value in "ab":
        store.set("title", value)
    assert store.setting("title") == "b"
    store.invite("Anna")
    with pytest.raises(UsageError, match="already"):
        store.invite("Anna")


def test_links_and_sessions_are_kept_as_hashes_and_end(url, store, monkeypatch):
    """When they are left, and with time."""
    person, token = store.invite("Anna")
    found, first = store.enter(token)
    assert found == person == store.person(first)
    kept = rows(url, "SELECT invitation FROM people") + rows(url, "SELECT token FROM sessions")
    assert {each for (each,) in kept} == {hashed(token), hashed(first)}
    second = store.enter(token)[1]
    store.leave(first)
    assert store.person(first) is None
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 1e6)
    assert store.person(second) is not None
    monkeypatch.setattr(time, "time", lambda: now + stores.SESSION_SECONDS + 1)
    assert store.person(second) is None
    store.enter(token)
    assert rows(url, "SELECT count(*) FROM sessions") == [(1,)]


def test_what_is_committed_is_on_disk(url, store):
    with store._engine.connect() as connection:
        if url.startswith("sqlite"):
            assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
            assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        else:
            assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"


def test_a_database_that_writes_later_is_asked_to_write_at_once(postgres):
    url = postgres.make("careless")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER DATABASE careless SET synchronous_commit = off")
    store = Store(_driven(url))
    with store._engine.connect() as connection:
        assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"
    store.close()


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("nonsense", "no address"),
        ("mysql://localhost/x", "cannot use mysql"),
        ("postgresql://127.0.0.1:1/x", "refused"),
        ("sqlite:////nowhere/at/all/x.sqlite", "No such file|unable to open"),
    ],
)
def test_addresses_that_are_no_database(address, problem):
    with pytest.raises((UsageError, StoreError), match=problem):
        Store(_driven(address))


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "x.sqlite").write_bytes(b"hello, I am a text" * 100)
    with pytest.raises(StoreError, match="not a database"):
        Store(f"sqlite:///{tmp_path / 'x.sqlite'}")


def test_a_project_that_cannot_be_read_leaves_nothing_open(tmp_path):
    with closing(sqlite3.connect(tmp_path / stores.DATABASE)) as connection:
        connection.execute("CREATE TABLE documents (id)")
    with pytest.raises(StoreError, match="no column"):
        open_project(tmp_path)
    # Nor is it locked: the same is said again.
    with pytest.raises(StoreError, match="no column"):
        open_project(tmp_path)
