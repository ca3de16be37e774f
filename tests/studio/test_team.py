"""Safe in a team: nobody shuts others out, reads what is theirs, or loses it unnoticed."""

import json
import shutil
import socket
import sqlite3
import stat
import sys
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass

import pytest
from caesura.studio.connections import victim
from caesura.studio.integrity import DamagedError

from caesura.studio import connections, launch, security
from caesura.studio.log import parse_log
from caesura.studio.security import Limiter
from support.studio_projects import Page, event, listen, opened, served, sets, team, unzipped
from support.waiting import until


def half_sent(base, text):
    """A connection with a part of a request."""
    host, port = base.removeprefix("http://").split(":")
    found = socket.create_connection((host, int(port)), timeout=10)
    found.sendall(text.replace("HOST", f"{host}:{port}").encode())
    return found


def is_closed(connection):
    connection.settimeout(0.01)
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


HEAD = "GET / HTTP/1.1\r\nhost: HO"
BODY = "POST /api/enter HTTP/1.1\r\nhost: HOST\r\nx-caesura: studio\r\ncontent-length: 99\r\n\r\n{"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", HEAD, BODY])
def test_requests_that_do_not_arrive_shut_nobody_out_and_are_cut(studio, monkeypatch, text):
    monkeypatch.setattr(connections, "MOST", 10)
    anna = studio("Anna")
    with ExitStack() as stack:
        many = [stack.enter_context(half_sent(studio.base, text)) for _ in range(30)]
        assert studio("Ben").get("/api/me").status_code == 200
        assert anna.act(*sets("tab", [1])).status_code == 200
        assert sum(map(is_closed, many)) >= 20
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.1)
    page = studio("Anna")
    with half_sent(studio.base, text) as connection:
        assert until(lambda: is_closed(connection), 3)
    time.sleep(0.3)
    assert page.get("/api/me").status_code == 200, "a connection between requests may wait"


@dataclass
class Made:
    host: str
    began: float
    waits: bool = True

    def is_waiting(self):
        return self.waits


def test_a_newcomer_replaces_a_connection_of_the_host_that_has_most():
    mine, work = Made("a", 0), Made("b", 1, waits=False)
    theirs = [Made("b", at) for at in (2, 3)]
    assert victim([mine, work, *theirs]) is theirs[0]
    assert victim([mine, work]) is mine
    assert victim([Made("a", 0, waits=False), work]) is work


@pytest.mark.parametrize(("proxy", "status"), [("", 429), ("127.0.0.1", 401), ("10.0.0.1", 429)])
def test_forwarded_addresses_are_believed_from_a_named_proxy(project, proxy, status):
    team(project)
    with served(project, proxy=proxy) as (base, studio):
        studio.tries = Limiter(1, 3600)
        found = [
            Page(base).post("/api/enter", json={"token": "x"}, headers={"x-forwarded-for": each})
            for each in ("192.0.2.1", "192.0.2.2")
        ]
    assert [each.status_code for each in found] == [401, status]


def test_links_work_from_letters_and_other_pages(studio):
    headers = {"sec-fetch-site": "cross-site", **security.NAVIGATION}
    assert studio().get("/", headers=headers).status_code == 200
    anna = studio("Anna")
    assert anna.get("/api/me", headers=headers).status_code == 403
    assert anna.post("/api/leave", headers=headers).status_code == 403


def test_the_link_that_is_opened_works_once(studio):
    token = studio.studio.once.add(1)
    assert Page(studio.base, token).get("/api/people").status_code == 200
    assert studio().enter(token).status_code == 401
    assert token not in repr(studio.studio.once)


@pytest.mark.slow
def test_links_and_sessions_live_on_after_a_restart(tmp_path):
    """As the docs say; the link that is opened works once, and only in its own process."""
    (tmp_path / "talk.txt").write_text("so it rained")
    first = launch.open_project(tmp_path)
    with closing(first.project.store), served(first.project) as (base, studio):
        anna, ben = (first.project.invite(name)[0] for name in ("Anna", "Ben"))
        links = {each: first.project.invite_again(each.id) for each in (anna, ben)}
        own = first.project.invite_again(first.manager.id)
        unused = studio.once.add(first.manager.id)
        pages = [Page(base, own), Page(base, own), Page(base, links[anna])]
        cookies = [dict(each.cookies) for each in pages]
        pages[1].post("/api/leave")
        first.project.revoke(ben.id)
    second = launch.open_project(tmp_path)
    assert first.project.identity == second.project.identity != ""
    with closing(second.project.store), served(second.project) as (base, _):
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
        project = opened(f"sqlite:///{path}")
        if not project.people:
            team(project)
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
        project.store.close()
        assert modes == dict.fromkeys(
            ["studio.sqlite", "studio.sqlite-wal", "studio.sqlite-shm", "studio.sqlite.lock"], 0o600
        )
        path.chmod(0o644)


def test_a_person_has_a_quota_of_events_and_comments(studio, monkeypatch):
    anna = studio("Anna")
    monkeypatch.setattr(security, "FIRST_EVENTS", -20 * 12 + 4)
    assert anna.act(*sets("tab", range(4))).status_code == 200
    assert anna.act(*sets("tab", [5], start=4)).status_code == 429
    assert studio("Ben").act(*sets("ben", [1])).status_code == 200
    monkeypatch.setattr(security, "FIRST_EVENTS", 100)
    monkeypatch.setattr(security, "MOST_CHARACTERS", 10)
    said = [event("tab", at, kind="comment", gap=1, value="x" * 6) for at in (4, 5)]
    assert anna.act(said[0]).status_code == 200
    found = anna.act(said[1])
    assert (found.status_code, found.json()["error"].split(";")[0]) == (
        429, "a person may write 10,000 comments, 10 characters",
    )  # fmt: skip
    usage = studio.project.store.usage()
    assert usage[2] == studio.studio.usage[2] == security.Usage(5, 1, 6)


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
    """The address and the path of a database with six events."""
    url = f"sqlite:///{tmp_path / 'studio.sqlite'}"
    project = opened(url)
    anna = team(project, assigned=False)["Anna"][0]
    project.take(anna, sets("tab", range(6)))
    project.store.close()
    return url, tmp_path / "studio.sqlite"


def require_refused(url, problem):
    with pytest.raises(DamagedError, match=problem):
        opened(url)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("DELETE FROM events WHERE number = 3", "events before 6 are missing or were changed"),
        ("DELETE FROM events WHERE number > 4", "its log ends at event 4, but 6 was acknowledged"),
        ("UPDATE events SET value = '?' WHERE number = 2", "events before 6 are missing"),
        ("UPDATE events SET at = at + 1 WHERE number = 6", "events before 6 are missing"),
        ("DROP TABLE events", "its log ends at event 0, but 6 was acknowledged"),
    ],
)
def test_a_changed_log_is_not_opened(worked, statement, problem):
    url, path = worked
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()
    require_refused(url, problem)
    path.with_name("studio.sqlite.lock").unlink()
    require_refused(url, "events before 6 are missing|its log ends at event [04], not at 6")


def test_a_damaged_truncated_or_emptied_file_is_not_opened(worked):
    url, path = worked
    data = path.read_bytes()
    zeros = [data[:at] + bytes(4096) + data[at + 4096 :] for at in range(4096, len(data), 4096)]
    for bad in (*zeros, b"", data[:100], data[: 4096 * 3], data[:-4096]):
        path.write_bytes(bad)
        require_refused(url, "is damaged")
    path.write_bytes(data)
    opened(url).store.close()


def test_a_log_that_was_left_behind_is_noticed(worked, tmp_path):
    url, path = worked
    before = path.read_bytes()
    project = opened(url)
    project.take(project.people[2], sets("tab", range(6, 9), start=6))
    project.store.close()
    path.write_bytes(before)
    require_refused(url, "at event 6, but 9 was acknowledged; put studio.sqlite-wal next to it")
    shutil.copy(path, tmp_path / "copy.sqlite")
    opened(f"sqlite:///{tmp_path / 'copy.sqlite'}").store.close()
    path.with_name("studio.sqlite.lock").unlink()
    opened(url).store.close()


def test_unsure_is_kept_exported_and_shown_to_the_adjudicator(studio):
    anna, ben, manager = studio("Anna"), studio("Ben"), studio("manager")
    finish = {"kind": "state", "gap": 10, "value": "finished"}
    marks = [event("a", at, gap=gap, value=value)
             for at, (gap, value) in enumerate([(2, ".~"), (4, "~"), (4, "")])]  # fmt: skip
    assert anna.act(*marks, event("a", 3, **finish)).status_code == 200
    assert ben.act(event("b", 0, gap=4, value=""), event("b", 1, **finish)).status_code == 200
    assert anna.act(event("a", 4, gap=1, value="~~")).status_code == 400
    assert anna.get("/api/documents/1").json()["layer"]["unsure"] == [2]
    (dispute,) = manager.get("/api/documents/1/disputes").json()["disputes"]
    assert (dispute["gap"], dispute["marks"]["Anna"], dispute["unsure"]) == (2, ".", ["Anna"])
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
