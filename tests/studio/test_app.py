"""Every route, asked by whom it is for."""

from itertools import product

import pytest

from caesura.studio.app import ROUTES
from caesura.studio.launch import Address
from caesura.studio.security import COOKIE, HEADERS, POLICY, REPORT_POLICY, Limiter, Origin
from support.studio_projects import Page, assign, event, listen, served, sets, words


def test_without_a_session_there_is_the_shell_and_nothing_else(studio):
    page = studio()
    assert page.get("/").headers["content-security-policy"] == POLICY
    for name, kind in (("studio.js", "javascript"), ("studio.css", "css")):
        found = page.get(f"/assets/{name}")
        assert (found.status_code, kind in found.headers["content-type"]) == (200, True)
    open_to_all = {"/", "/assets/{name}", "/api/enter", "/api/leave"}
    for path, (_, methods) in ROUTES.items():
        for method in methods if path not in open_to_all else ():
            found = page.request(method, path.replace("{number:int}", "1"), json={})
            assert (found.status_code, list(found.json())) == (401, ["error"]), path
    for path in ("/", "/assets/studio.js", "/api/me", "/api/nothing", "/api/agreement"):
        found = page.get(path).headers
        assert {name: found[name] for name in HEADERS} == HEADERS


def test_a_link_opens_a_session_that_can_be_left(studio):
    page = studio("Anna")
    found = page.get("/api/me").json()
    assert found["person"]["name"] == "Anna"
    own = found["project"]["name"], found["project"]["id"]
    assert own == ("project", studio.project.identity)
    cookie = page.cookies[COOKIE]
    assert page.post("/api/leave").status_code == 200
    page.cookies.set(COOKIE, cookie)
    assert page.get("/api/me").status_code == 401


def test_cookies_are_for_this_site_only_and_secure_behind_https(studio, project):
    token = studio.people["Anna"][1]
    found = studio().enter(token).headers["set-cookie"].lower()
    assert {"httponly", "samesite=strict", "path=/"} <= {*found.split("; ")}
    assert "secure" not in found
    with served(project, "https://studio.example.org", is_secure=True) as (base, _):
        assert "secure" in Page(base).enter(token).headers["set-cookie"].lower()
        host = {"host": "studio.example.org", "origin": "https://studio.example.org"}
        assert Page(base).get("/", headers=host).status_code == 200


def test_documents_and_what_was_done(studio):
    page = studio("Anna")
    page.act(*sets("tab", [2, 4]), event("tab", 2, kind="comment", gap=2, value="so?"))
    (listed,) = page.get("/api/documents").json()
    assert (listed["words"], listed["acts"], listed["boundaries"]) == (12, 3, 2)
    assert (listed["state"], "people" in listed) == ("in work", False)
    found = page.get(f"/api/documents/{listed['id']}").json()
    assert found["layer"]["boundaries"] == {"2": ".", "4": "."}
    assert found["layer"]["comments"] == {"2": "so?"}
    assert found["others"] is None
    assert page.get("/api/documents/99").status_code == 404
    (listed,) = studio("manager").get("/api/documents").json()
    assert listed["people"][0]["boundaries"] == 2
    assert listed["next"] == "wait"


def test_events_are_taken_whole_once_and_in_order(studio):
    page = studio("Anna")
    for bad in (event("tab", 1, gap=99), event("tab", 1, document=7)):
        assert page.act(*sets("tab", [1]), bad).status_code == 400
    assert page.get("/api/documents").json()[0]["acts"] == 0
    assert page.act(*sets("tab", [1, 2])).json() == {"taken": 2}
    assert page.act(*sets("tab", [1, 2, 3])).json() == {"taken": 1}
    late = page.act(*sets("tab", [5], start=4))
    assert (late.status_code, late.json()["expected"]) == (409, 3)
    assert page.act(*sets("tab", [7], start=2)).status_code == 400
    assert page.act().json() == {"taken": 0}


ASKED = {
    "mjao": ["GET /api/me", "GET /api/documents", "GET /api/documents/1", "GET /api/guidelines"],
    "mjo": ["GET /api/agreement", "GET /api/patterns"],
    "mj": ["GET /api/documents/1/disputes", "POST /api/documents/1/close"],
    "a": ["POST /api/documents/1/show"],
    "m": [
        "GET /api/people", "GET /api/export", "POST /api/people", "POST /api/people/3",
        "DELETE /api/people/4", "POST /api/documents/1/begin", "POST /api/design",
        "POST /api/upload?name=x.txt", "POST /api/upload?name=x.mp3", "POST /api/layers",
        "GET /api/documents/1/detectors", "POST /api/report",
    ],
}  # fmt: skip
"""Who may ask what: managers, adjudicators (j), annotators, observers."""
DONE = {
    "set": "mjao", "comment": "mjao", "state": "mjao", "decide": "mj", "withdraw": "mj",
    "reopen": "mj", "seen": "mjao", "role": "m", "assign": "m", "hide": "m", "restore": "m",
    "omit": "m", "count": "m", "release": "m", "waits": "m", "guidelines": "m", "order": "m",
    "arrange": "m",
}  # fmt: skip
"""Who may do what."""
SAID = {
    "withdraw": {"document": 1, "person": 2, "pass": 1}, "reopen": {"document": 1},
    "seen": {"version": 1}, "role": {"person": 3, "role": "annotator"},
    "assign": {"document": 1, "person": 2, "pass": 1}, "release": {"document": 1},
    "waits": {"is_on": False}, "guidelines": {"text": "so"}, "order": {"documents": [1]},
    "arrange": {"how": "random"},
    **{kind: {"person": 3, "pass": None} for kind in ("hide", "restore", "omit", "count")},
}  # fmt: skip


def everyone(studio):
    """A page for each role, by its letter."""
    found = {"m": studio("manager"), "a": studio("Anna")}
    for letter, role in (("j", "adjudicator"), ("o", "observer")):
        made = found["m"].post("/api/people", json={"name": role, "role": role}).json()
        found[letter] = Page(studio.base, made["token"])
    return found


def test_who_may_ask_what(studio):
    pages = everyone(studio)
    for may, requests in ASKED.items():
        for asked, (letter, page) in product(requests, pages.items()):
            found = page.request(*asked.split(), content=b"[7]").status_code
            assert (found != 403) == (letter in may), (asked, letter, found)


def test_who_may_do_what(studio):
    pages = everyone(studio)
    for at, (kind, may) in enumerate(DONE.items()):
        for letter, page in pages.items():
            if kind in SAID:
                found = page.post("/api/acts", json={"acts": [{"kind": kind, **SAID[kind]}]})
            else:
                value = "finished" if kind == "state" else None
                found = page.act(event(f"{letter}{at}", 0, kind=kind, value=value))
            assert found.status_code == (200 if letter in may else 403), (kind, letter, found.text)


def test_a_project_keeps_a_manager(studio):
    manager = studio("manager")

    def role(person, name):
        act = {"kind": "role", "person": person, "role": name}
        return manager.post("/api/acts", json={"acts": [act]}).status_code

    assert role(1, "observer") == 400
    assert role(2, "manager") == 200
    assert studio("Anna").get("/api/people").status_code == 200
    assert role(1, "observer") == 200
    assert manager.get("/api/people").status_code == 403


def test_acts_that_make_no_sense(studio):
    manager = studio("manager")
    bad = [
        {}, {"kind": "shown", "document": 1}, {"kind": "migrate"}, {"kind": "close"},
        {"kind": "assign", "document": 1, "person": 99, "pass": 1},
        {"kind": "assign", "document": 1, "person": 1, "pass": 1},
        {"kind": "assign", "document": 1, "person": 2, "pass": 7},
        {"kind": "assign", "document": 0, "person": 2, "pass": 1},
        {"kind": "assign", "document": 9, "person": 2, "pass": 1},
        {"kind": "assign", "document": "1", "person": 2, "pass": 1},
        {"kind": "assign", "document": 1, "person": True, "pass": 1},
        {"kind": "hide", "document": 0, "person": None, "pass": None},
        {"kind": "role", "person": 2, "role": "king"},
        {"kind": "guidelines", "text": "\x07"}, {"kind": "guidelines", "text": 7},
        {"kind": "order", "documents": [[1]]}, {"kind": "arrange", "how": "sorted"},
        {"kind": "waits", "is_on": 1}, {"kind": "waits", "is_on": True, "more": 1},
    ]  # fmt: skip
    before = len(list(studio.project.store.log()))
    for act in bad:
        found = manager.post("/api/acts", json={"acts": [act]})
        assert found.status_code in (400, 404), act
    assert len(list(studio.project.store.log())) == before


def test_each_document_by_some_balanced(studio):
    for at in range(2, 8):
        studio.project.add(words("a b c d e f", f"d{at}"))
    manager = studio("manager")
    asked = {"documents": [2, 3, 4, 5, 6, 7], "people": [2, 3, 4], "each": 2}
    assert manager.post("/api/design", json=asked).status_code == 200
    listed = manager.get("/api/documents").json()
    assert [len(each["people"]) for each in listed] == [3, 2, 2, 2, 2, 2, 2]
    assert [each["next"] for each in listed] == ["wait"] * 7
    for name in ("Anna", "Ben"):
        page = studio(name)
        own = [each["id"] for each in page.get("/api/documents").json()]
        found = [page.get(f"/api/documents/{number}").status_code for number in range(1, 8)]
        assert found == [200 if number in own else 403 for number in range(1, 8)]
        assert len(own) == 5
    for bad in ({"each": 4}, {"people": None}, {"documents": 1}):
        assert manager.post("/api/design", json=bad).status_code == 400


def test_people_are_invited_and_revoked(studio):
    manager = studio("manager")
    made = manager.post("/api/people", json={"name": "  Dora  Ω "}).json()
    assert made["name"] == "Dora Ω"
    dora = Page(studio.base, made["token"])
    assert dora.act(*sets("d", [1])).status_code == 200
    for name in ("Dora Ω", "dora ω", "adjudicated", "Manager", "Aside", "preannotated"):
        assert manager.post("/api/people", json={"name": name}).status_code == 400
    fresh = manager.post(f"/api/people/{made['id']}").json()["token"]
    assert dora.get("/api/me").status_code == 401
    assert Page(studio.base).enter(made["token"]).status_code == 401
    dora = Page(studio.base, fresh)
    assert manager.delete(f"/api/people/{made['id']}").status_code == 200
    assert dora.act(*sets("d", [1, 2])).status_code == 401
    assert Page(studio.base).enter(fresh).status_code == 401
    assert [each["is_revoked"] for each in manager.get("/api/people").json()][-1]
    assert len(studio.project.board.aside[1, made["id"]]) == 1, "nobody has assigned anything"
    studio.project.do(studio.project.manager, assign(made["id"]))
    assert studio.project.board.current(1, made["id"]).boundaries() == {1: "."}
    assert manager.delete("/api/people/1").status_code == 400
    assert manager.delete("/api/people/99").status_code == 404


BAD_DETECTORS = ["cmd:touch /tmp/owned", "x=cmd:id", "/etc/passwd", "model.npz", "../model.npz:0.5"]
BAD_DETECTORS += ["", "nonsense", "every:../x", "spacy:/etc", "every:1\n", "cmd"]


def test_a_document_can_begin_with_a_detector(studio):
    manager = studio("manager")
    assert manager.post("/api/documents/1/begin", json={"detector": "every:4"}).json() == {
        "boundaries": 2
    }
    anna = studio("Anna")
    found = anna.get("/api/documents/1").json()
    assert found["layer"]["boundaries"] == {"3": "", "7": ""}
    anna.act(event("tab", 0, gap=3, value=None))
    again = manager.post("/api/documents/1/begin", json={"detector": None})
    assert again.status_code == 400
    assert anna.get("/api/documents/1").json()["layer"]["boundaries"] == {"7": ""}


def test_a_detector_runs_no_program_and_reads_no_file(studio):
    manager = studio("manager")
    for detector in BAD_DETECTORS:
        asked = {"detectors": [detector]}
        assert manager.post("/api/report", json=asked).status_code == 400
        begin = manager.post("/api/documents/1/begin", json={"detector": detector})
        assert begin.status_code == 400
        assert "cannot be used from here" in begin.json()["error"]


@pytest.mark.slow
def test_the_report(studio):
    for name, gaps in (("Anna", [2, 7]), ("Ben", [2]), ("Chloé", [2, 4])):
        studio(name).act(*sets(name, gaps))
        studio(name).act(event(f"{name}2", kind="state", value="finished"))
    manager = studio("manager")
    system = {"document": "talk", "file": "x.txt", "text": "so it rained\n" + "x " * 9}
    asked = {"detectors": ["every:4"], "systems": [{"name": "S1", **system}]}
    found = manager.post("/api/report", json=asked)
    assert found.status_code == 200, found.text
    assert "sandbox" in found.headers["content-security-policy"]
    place = found.headers["content-location"]
    kept = manager.get(place)
    assert (kept.text, kept.headers["content-security-policy"]) == (found.text, REPORT_POLICY)
    assert "allow-same-origin" not in REPORT_POLICY
    assert studio("Anna").get(place).status_code == 403
    assert manager.get("/report/other").status_code == 404


def test_audio_is_served_in_ranges(studio, tmp_path):
    (tmp_path / "talk.wav").write_bytes(bytes(range(200)))
    studio.project.audio["talk"] = tmp_path / "talk.wav"
    page = studio("Anna")
    assert page.get("/api/documents/1").json()["audio"] == "/audio/1"
    found = page.get("/audio/1", headers={"range": "bytes=10-19"})
    assert (found.status_code, found.content) == (206, bytes(range(10, 20)))
    (tmp_path / "talk.wav").unlink()
    assert page.get("/audio/1").status_code == 404
    assert page.get("/audio/7").status_code == 404


def test_other_tabs_and_the_manager_are_told(studio):
    anna, ben, manager = studio("Anna"), studio("Ben"), studio("manager")
    (own, first), (bens, second) = (listen(page, lambda found: found) for page in (anna, ben))
    seen, watching = listen(manager, lambda found: len(found) == 2)
    anna.act(*sets("tab", [3]))
    ben.act(*sets("ben", [4]))
    for thread in (first, second, watching):
        thread.join()
    for ((kind, data),), gap in ((own, 3), (bens, 4)):
        assert (kind, [each["gap"] for each in data]) == ("events", [gap])
    assert seen == [["progress", {"person": name, "documents": [1]}] for name in ("Anna", "Ben")]


def test_who_has_no_link_any_more_is_told_nothing(studio):
    manager, anna = studio("manager"), studio("Anna")
    for ending in (manager.post, manager.delete):
        told, thread = listen(anna, lambda found: found)
        assert ending("/api/people/2").status_code == 200
        thread.join(5)
        assert (thread.is_alive(), told) == (False, [])
        assert anna.get("/api/live").status_code == 401
        anna = Page(studio.base, manager.post("/api/people/2").json()["token"])


def test_nobody_listens_without_end(studio, monkeypatch):
    monkeypatch.setattr("caesura.studio.hub.MOST_PAGES", 2)
    anna = studio("Anna")
    heard = [listen(anna, lambda found: found) for _ in range(3)]
    anna.act(*sets("tab", [3]))
    for _, thread in heard:
        thread.join()
    assert [len(found) for found, _ in heard] == [0, 1, 1]


def test_a_project_may_have_any_name(studio):
    for name in ("проект", 'a"b', "a\r\nset-cookie: x", "100 %", "ü" * 300):
        studio.project.name = name
        found = studio("manager").get("/api/export")
        assert found.status_code == 200
        assert found.headers["content-disposition"].endswith(".zip")
        assert "set-cookie" not in found.headers


def test_where_a_studio_is_reached():
    assert Address().base == "http://127.0.0.1:8765"
    assert Address("::1", 80).base == "http://[::1]:80"
    assert Address(url="https://x.org/").base == "https://x.org"
    every = Address("0.0.0.0", 9000)
    assert "0.0.0.0" not in every.base
    assert Origin.from_address(every.shown, 9000).is_own(every.base.removeprefix("http://"))
    assert not every.is_local


def test_who_is_far_behind_begins_again(studio, monkeypatch):
    from caesura.studio import hub

    monkeypatch.setattr(hub, "BEHIND", 2)
    listener = hub.Listener(studio.people["Anna"][0])
    listener.queue = __import__("asyncio").Queue(2)
    for at in range(3):
        hub._put(listener, "events", [at])
    assert listener.queue.qsize() == 1
    assert listener.queue.get_nowait() == "event: again\ndata: {}\n\n"


def test_limits_come_back_with_time():
    limiter = Limiter(10, 60, names=2)
    assert [limiter.allows("a", now=0.0) for _ in range(11)] == [True] * 10 + [False]
    assert limiter.allows("b", now=0.0)
    assert not limiter.allows("a", 2, now=6.0)
    assert limiter.allows("a", now=6.0)
    assert not limiter.allows("c", 11, now=6.0)
    assert len(limiter._left) == 2
    assert limiter.allows("b", 5, now=100.0)
    assert limiter.allows("b", 1, now=99.9), "a clock that goes back takes nothing away"


@pytest.mark.parametrize(
    ("host", "own", "foreign"),
    [
        ("127.0.0.1", ["127.0.0.1:8765", "LOCALHOST:8765", "[::1]:8765"], ["127.0.0.1", "x:8765"]),
        ("studio.lan", ["studio.lan:8765", "localhost:8765"], ["evil.studio.lan:8765", ""]),
    ],
)
def test_hosts(host, own, foreign):
    origin = Origin.from_address(host, 8765)
    assert all(map(origin.is_own, own))
    assert not any(map(origin.is_own, foreign))
