"""The database of a project: what is acknowledged is on disk, and what is erased is nowhere."""

import sqlite3
import time
from contextlib import closing

import pytest

from caesura.errors import UsageError
from caesura.studio import store as stores
from caesura.studio.launch import open_project
from caesura.studio.lock import DamagedError, StoreError
from caesura.studio.project import Project
from caesura.studio.security import hashed
from caesura.studio.store import Store
from support.studio_projects import act, assign_everyone, event, finish, persons, sets


@pytest.fixture
def path(tmp_path):
    return tmp_path / stores.DATABASE


@pytest.fixture
def store(path):
    found = Store(path)
    yield found
    found.close()


@pytest.fixture
def anna(store):
    return store.invite("Anna")[0].id


def rows(path, query):
    """What another program sees in the database."""
    # As a context, a connection of SQLite is a transaction, and stays open.
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_events_are_appended_all_or_none(store, anna):
    with pytest.raises(StoreError):
        store.append([(anna + 7, 0.0, event())])
    store.append([(anna, 0.0, event(sequence=0))])
    with pytest.raises(StoreError, match="other events"):
        store.append([(anna, 0.0, event(sequence=at)) for at in (2, 1, 0)])
    assert [each.event.sequence for each in store.log()] == [0]


def test_only_one_server_has_a_database(path, store):
    with pytest.raises(UsageError, match="open in another studio"):
        Store(path)
    store.close()
    Store(path).close()


@pytest.mark.parametrize(
    ("version", "problem"),
    [("1", "0.1.0"), ("2", "0.1.0"), ("4", "newer caesura"), ("nonsense", "newer caesura")],
)
def test_tables_of_another_version_are_left_alone(path, store, version, problem):
    store.set("version", version)
    store.close()
    with pytest.raises(UsageError, match=problem) as refused:
        Store(path)
    assert "\n" not in refused.value.message


def test_settings_change_and_names_are_unique(store):
    assert store.setting("title", "none") == "none"
    for value in "ab":
        store.set("title", value)
    assert store.setting("title") == "b"
    store.invite("Anna")
    with pytest.raises(sqlite3.IntegrityError):
        store.invite("Anna")


def test_links_and_sessions_are_kept_as_hashes_and_end(path, store, monkeypatch):
    """When they are left, and with time."""
    person, token = store.invite("Anna")
    found, first = store.enter(token)
    assert found == person == store.person(first)
    kept = rows(path, "SELECT invitation FROM people") + rows(path, "SELECT token FROM sessions")
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
    assert rows(path, "SELECT count(*) FROM sessions") == [(1,)]


def test_what_is_committed_is_on_disk_and_what_is_deleted_is_overwritten(store):
    for pragma, value in (("synchronous", 2), ("journal_mode", "wal"), ("secure_delete", 1)):
        assert store._rows(f"PRAGMA {pragma}") == [(value,)]


def folder_has(path, *texts):
    """Which of some texts are in any byte of a folder."""
    content = b"".join(each.read_bytes() for each in path.parent.rglob("*") if each.is_file())
    return [text for text in texts if text.encode() in content]


def test_what_is_deleted_is_in_no_byte_of_the_folder(path):
    """Of a document and of a person; decisions and the other layers stay, and the log is whole."""
    for name, text in (("zebra", "quagga okapi"), ("talk", "one two three")):
        (path.parent / f"{name}.txt").write_text(text)
        (path.parent / f"{name}.wav").write_bytes(b"RIFF" + name.encode())
    project, _ = open_project(path.parent)
    people = {name: project.invite(name)[0] for name in ("Anna", "Ben", "Chloé")}
    assign_everyone(project)
    for at, who in enumerate(("Anna", "Ben", "Chloé"), 1):
        for document in (1, 2):
            project.take(people[who], sets(f"{who}/{document}", [0], document))
            finish(project, people[who], document=document)
        remark = event(f"{who}/1", 1, 1, "comment", 0, f"remark {at} of {who}")
        project.take(people[who], [remark])
    manager, words = project.manager, ("quagga", "zebra", "Chloé", "remark 3")
    assert folder_has(path, *words) == list(words)
    project.erase_person(manager, people["Chloé"].id)
    project.erase_document(manager, project.named("zebra").id)
    assert folder_has(path, *words) == []
    assert project.counted(1).keys() == {"Anna", "Ben"}
    project.take(people["Anna"], [event("Anna/1", 2, kind="comment", value="more")])
    kinds = [each.event.kind for each in project.store.log()]
    assert kinds.count("erase") == 2
    project.store.close()
    again, notes = open_project(path.parent)
    assert (notes, [each.name for each in again.present][1:]) == ([], ["Anna", "Ben"])
    assert again.board.current(1, people["Anna"].id).comments[0] == "more"
    again.store.close()


def test_an_erasure_that_was_cut_short_is_finished_when_the_project_is_opened(path, monkeypatch):
    project = Project.open(Store(path))
    people = persons(project, texts={"talk": "quagga okapi"})
    monkeypatch.setattr(Store, "_clean", lambda _: None)
    project.erase_document(people["manager"], 1)
    project.store.close()
    monkeypatch.undo()
    Store(path).close()
    assert folder_has(path, "quagga") == []


def test_who_may_delete(path):
    project = Project.open(Store(path))
    people = persons(project)
    for refused in (
        lambda: project.erase_document(people["Anna"], 1),
        lambda: project.erase_person(people["Anna"], people["Ben"].id),
        lambda: project.erase_person(people["manager"], people["manager"].id),
        lambda: project.do(people["Anna"], act("erase", what="person")),
    ):
        with pytest.raises(UsageError.__base__):
            refused()
    assert len(project.documents) == 1
    project.store.close()


def test_a_document_of_a_file_with_others_is_removed_from_it_first(path):
    text = "".join(f"{name} 1 {at}.0 1.0 word{name}\n" for name in "ab" for at in range(3))
    (path.parent / "both.ctm").write_text(text)
    for is_shared in (True, False):
        project, _ = open_project(path.parent)
        first = project.named("a").id
        if is_shared:
            with pytest.raises(UsageError, match="holds other documents"):
                project.erase_document(project.manager, first)
            kept = text[: len(text) // 2]
            (path.parent / "both.ctm").write_text(
                kept.replace("a 1", "b 1").replace("worda", "wordb")
            )
        else:
            project.erase_document(project.manager, first)
            assert folder_has(path, "worda", "wordb") == ["wordb"]
        project.store.close()


@pytest.mark.parametrize("ending", ["gone", "empty"])
def test_a_database_that_is_gone_beside_its_lock_is_noticed(path, store, anna, ending):
    store.append([(anna, 0.0, event())])
    store.close()
    path.unlink()
    if ending == "empty":
        path.touch()
    with pytest.raises(DamagedError, match=f"it is {ending}; it had 1 events"):
        Store(path)


def test_a_text_that_was_altered_is_noticed(path):
    project = Project.open(Store(path))
    persons(project)
    project.store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE documents SET content = replace(content, 'rained', 'snowed')")
    with pytest.raises(DamagedError, match="the text of 'talk' was altered"):
        Store(path)


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "x.sqlite").write_bytes(b"hello, I am a text" * 100)
    with pytest.raises(StoreError, match="not a database"):
        Store(tmp_path / "x.sqlite")


def test_a_project_that_cannot_be_read_leaves_nothing_open(tmp_path):
    with closing(sqlite3.connect(tmp_path / stores.DATABASE)) as connection:
        connection.execute("CREATE TABLE documents (id)")
    with pytest.raises(StoreError, match="no such column"):
        open_project(tmp_path)
    # Nor is it locked: the same is said again.
    with pytest.raises(StoreError, match="no such column"):
        open_project(tmp_path)
