"""Safe in a team: nobody reads what is theirs, or loses it unnoticed."""

import json
import shutil
import sqlite3
import stat
import sys
from contextlib import closing

import pytest

from caesura.studio import launch, security
from caesura.studio.lock import DamagedError
from caesura.studio.log import parse_log
from support.studio_projects import Page, event, listen, opened, served, sets, team, unzipped


def test_links_work_from_letters_and_other_pages(studio):
    headers = {"sec-fetch-site": "cross-site", **security.NAVIGATION}
    assert studio().get("/", headers=headers).status_code == 200
    anna = studio("Anna")
    assert anna.get("/api/me", headers=headers).status_code == 403
    assert anna.post("/api/leave", headers=headers).status_code == 403


def once(studio, person):
    """A link that works once, as the browser gets it."""
    token = security.new_token()
    studio.once[security.hashed(token)] = person
    return token


def test_the_link_that_is_opened_works_once(studio):
    token = once(studio.studio, 1)
    assert Page(studio.base, token).get("/api/people").status_code == 200
    assert studio().enter(token).status_code == 401
    assert token not in repr(studio.studio.once)


@pytest.mark.slow
def test_links_and_sessions_live_on_after_a_restart(tmp_path):
    """As the docs say; the link that is opened works once, and only in its own process."""
    (tmp_path / "talk.txt").write_text("so it rained")
    first, _ = launch.open_project(tmp_path)
    with closing(first.store), served(first) as (base, studio):
        anna, ben = (first.invite(name)[0] for name in ("Anna", "Ben"))
        links = {each: first.invite_again(each.id) for each in (anna, ben)}
        own = first.invite_again(first.manager.id)
        unused = once(studio, first.manager.id)
        pages = [Page(base, own), Page(base, own), Page(base, links[anna])]
        cookies = [dict(each.cookies) for each in pages]
        pages[1].post("/api/leave")
        first.revoke(ben.id)
    second, _ = launch.open_project(tmp_path)
    assert first.identity == second.identity != ""
    with closing(second.store), served(second) as (base, _):
        found = [Page(base) for _ in cookies]
        for page, kept in zip(found, cookies, strict=True):
            page.cookies.update(kept)
        assert [each.get("/api/me").status_code for each in found] == [200, 401, 200]
        tried = [Page(base).enter(each).status_code for each in (own, links[anna], links[ben])]
        assert tried == [200, 200, 401]
        assert Page(base).enter(unused).status_code == 401


@pytest.mark.skipif(sys.platform == "win32", reason="has no modes")
def test_nobody_else_can_read_the_database(tmp_path):
    path = tmp_path / "studio.sqlite"
    for _ in range(2):
        project = opened(path)
        if not project.people:
            team(project)
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
        project.store.close()
        assert modes == dict.fromkeys(
            ["studio.sqlite", "studio.sqlite-wal", "studio.sqlite-shm", "studio.sqlite.lock"], 0o600
        )
        path.chmod(0o644)


def test_live_updates_end_at_sign_out(studio):
    anna, other = studio("Anna"), studio("Anna")
    _, mine = listen(anna, lambda _: False, 20)
    _, theirs = listen(other, lambda found: found, 20)
    anna.post("/api/leave")
    mine.join(10)
    assert (mine.is_alive(), theirs.is_alive()) == (False, True)
    assert other.act(*sets("tab", [1])).status_code == 200
    theirs.join(10)
    assert not theirs.is_alive()


@pytest.fixture
def worked(tmp_path):
    """The path of a database with six events of Anna, after her assignment."""
    path = tmp_path / "studio.sqlite"
    project = opened(path)
    anna = team(project, ("Anna",))["Anna"][0]
    project.take(anna, sets("tab", range(6)))
    project.store.close()
    return path


def require_refused(path, problem):
    with pytest.raises(DamagedError, match=problem):
        opened(path)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("DELETE FROM events WHERE number = 3", "events before 7 are missing or were changed"),
        ("DELETE FROM events WHERE number > 5", "its log ends at event 5, but 7 was acknowledged"),
        ("UPDATE events SET value = '?' WHERE number = 2", "events before 7 are missing"),
        ("UPDATE events SET at = at + 1 WHERE number = 7", "events before 7 are missing"),
        ("DROP TABLE events", "its log ends at event 0, but 7 was acknowledged"),
    ],
)
def test_a_changed_log_is_not_opened(worked, statement, problem):
    path = worked
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()
    require_refused(path, problem)
    path.with_name("studio.sqlite.lock").unlink()
    require_refused(path, "events before 7 are missing|its log ends at event [05], not at 7")


def test_a_damaged_truncated_or_emptied_file_is_not_opened(worked):
    path = worked
    data = path.read_bytes()
    zeros = [data[:at] + bytes(4096) + data[at + 4096 :] for at in range(4096, len(data), 4096)]
    for bad in (*zeros, b"", data[:100], data[: 4096 * 3], data[:-4096]):
        path.write_bytes(bad)
        require_refused(path, "is damaged")
    path.write_bytes(data)
    opened(path).store.close()


def test_a_log_that_was_left_behind_is_noticed(worked, tmp_path):
    path = worked
    before = path.read_bytes()
    project = opened(path)
    project.take(project.people[2], sets("tab", range(6, 9), start=6))
    project.store.close()
    path.write_bytes(before)
    require_refused(path, "at event 7, but 10 was acknowledged; put studio.sqlite-wal next to it")
    shutil.copy(path, tmp_path / "copy.sqlite")
    opened(tmp_path / "copy.sqlite").store.close()
    path.with_name("studio.sqlite.lock").unlink()
    opened(path).store.close()


def test_unsure_is_kept_exported_and_shown_to_the_adjudicator(studio):
    anna, ben, manager = studio("Anna"), studio("Ben"), studio("manager")
    finish = {"kind": "state", "gap": 10, "value": "finished"}
    marks = [event("a", at, gap=gap, value=value)
             for at, (gap, value) in enumerate([(2, ".~"), (4, "~"), (4, "")])]  # fmt: skip
    assert anna.act(*marks, event("a", 3, **finish)).status_code == 200
    assert ben.act(event("b", 0, gap=4, value=""), event("b", 1, **finish)).status_code == 200
    assert anna.act(event("a", 4, gap=1, value="~~")).status_code == 400
    assert anna.get("/api/documents/1").json()["layer"]["unsure"] == [2]
    judged = manager.get("/api/documents/1").json()
    assert judged["adjudication"]["disputes"] == [2]
    assert judged["others"]["Anna"]["unsure"] == [2]
    files = unzipped(manager.get("/api/export").content)
    lines = files["Anna/talk.jsonl"].splitlines()[1:]
    assert [at for at, line in enumerate(lines) if json.loads(line).get("unsure")] == [2]
    assert "unsure" not in files["Ben/talk.jsonl"]
    assert ".~" in [each.value for _, _, each in parse_log(files["log.jsonl"]).events]


def test_the_past_of_a_layer_is_told(studio):
    anna = studio("Anna")
    first, *rest = [("set", 2, "."), ("set", 2, "?"), ("comment", 5, "hm"), ("set", 2, None)]
    done = [first, first, *rest]
    anna.act(*(event("a", at, 1, *each) for at, each in enumerate(done)))
    steps = anna.get("/api/documents/1/past").json()["steps"]
    assert [(each["kind"], each["gap"], each["value"]) for each in steps] == [first, *rest]
    assert [each["before"] for each in steps] == [None, ".", None, "?"]
    assert studio("Ben").get("/api/documents/1/past").json() == {"steps": []}
    assert studio("manager").get("/api/documents/1/past").json() == {"steps": []}
    assert studio().get("/api/documents/1/past").status_code == 401
