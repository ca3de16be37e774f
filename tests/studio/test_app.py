"""Every route, asked by whom it is for."""

import base64
from itertools import product

import pytest

from caesura.studio.app import ROUTES
from caesura.studio.events import Event
from caesura.studio.launch import Address
from caesura.studio.security import COOKIE, HEADERS, POLICY, Origin
from support.studio_projects import Page, event, listen, served, sets, words


def test_without_a_session_there_is_the_shell_and_nothing_else(studio):
    page = studio()
    assert page.get("/").headers["content-security-policy"] == POLICY
    for name, kind in (("studio.js", "javascript"), ("studio.css", "css")):
        found = page.get(f"/assets/{name}")
        assert (found.status_code, kind in found.headers["content-type"]) == (200, True)
    for method, path, _, _ in ROUTES:
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
    assert found["layer"]["boundaries"] == {"2": "", "4": ""}
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
    "mja": [
        "GET /api/me", "GET /api/documents", "GET /api/documents/1", "GET /api/guidelines",
        "GET /api/documents/1/past", "POST /api/events",
    ],
    "mj": ["GET /api/agreement", "GET /api/patterns", "POST /api/documents/1/close"],
    "m": [
        "GET /api/people", "GET /api/export", "POST /api/people", "POST /api/people/3",
        "POST /api/people/4/end", "DELETE /api/people/4", "POST /api/design",
        "POST /api/upload?name=x.txt", "POST /api/upload?name=x.mp3", "POST /api/layers",
    ],
}  # fmt: skip
"""Who may ask what: managers, adjudicators (j), annotators."""
DONE = {
    "set": "a", "comment": "a", "state": "a", "decide": "mj", "withdraw": "mj", "reopen": "mj",
    "seen": "mja", "role": "m", "assign": "m", "guidelines": "m", "order": "m", "arrange": "m",
    "rename": "m", "marks": "m",
}  # fmt: skip
"""Who may do what."""
SAID = {
    "withdraw": {"document": 1, "person": 3, "pass": 1}, "reopen": {"document": 1},
    "seen": {"version": 1}, "role": {"person": 3, "role": "annotator"},
    "assign": {"document": 1, "person": 3, "pass": 1}, "guidelines": {"text": "so"},
    "order": {"documents": [1]}, "arrange": {"how": "random"}, "rename": {"name": "Talks"},
    "marks": {"is_on": True},
}  # fmt: skip


def everyone(studio):
    """A page for each role, by its letter."""
    found = {"m": studio("manager"), "a": studio("Anna")}
    made = found["m"].post("/api/people", json={"name": "Jo", "role": "adjudicator"}).json()
    return found | {"j": Page(studio.base, made["token"])}


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

    assert role(1, "adjudicator") == 400
    assert role(2, "manager") == 200
    assert studio("Anna").get("/api/people").status_code == 200
    assert role(1, "adjudicator") == 200
    assert manager.get("/api/people").status_code == 403


def test_acts_that_make_no_sense(studio):
    manager = studio("manager")
    bad = [
        {}, {"kind": "erase", "what": "person"}, {"kind": "close"},
        {"kind": "assign", "document": 1, "person": 99, "pass": 1},
        {"kind": "assign", "document": 1, "person": 1, "pass": 1},
        {"kind": "assign", "document": 1, "person": 2, "pass": 7},
        {"kind": "assign", "document": 0, "person": 2, "pass": 1},
        {"kind": "assign", "document": 9, "person": 2, "pass": 1},
        {"kind": "assign", "document": "1", "person": 2, "pass": 1},
        {"kind": "assign", "document": 1, "person": True, "pass": 1},
        {"kind": "role", "person": 2, "role": "king"},
        {"kind": "guidelines", "text": "\x07"}, {"kind": "guidelines", "text": 7},
        {"kind": "order", "documents": [[1]]}, {"kind": "arrange", "how": "sorted"},
        {"kind": "marks", "is_on": 1}, {"kind": "marks", "is_on": True, "more": 1},
        {"kind": "marks", "is_on": True, "document": 1}, {"kind": "rename", "name": ""},
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
    found = manager.post("/api/design", json=asked)
    assert found.json() == {"assigned": {"Anna": 4, "Ben": 4, "Chloé": 4}}
    assert manager.post("/api/design", json=asked).json() == {"assigned": {}}
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
    refused = dora.act(*sets("d", [1]))
    assert (refused.status_code, "not assigned" in refused.json()["error"]) == (400, True)
    for name in ("Dora Ω", "dora ω", "adjudicated", "Manager", "Aside"):
        assert manager.post("/api/people", json={"name": name}).status_code == 400
    fresh = manager.post(f"/api/people/{made['id']}").json()["token"]
    assert dora.get("/api/me").status_code == 401
    assert Page(studio.base).enter(made["token"]).status_code == 401
    dora = Page(studio.base, fresh)
    assert manager.post(f"/api/people/{made['id']}/end").status_code == 200
    assert dora.get("/api/me").status_code == 401
    assert Page(studio.base).enter(fresh).status_code == 401
    assert [each["is_revoked"] for each in manager.get("/api/people").json()][-1]
    assert manager.post("/api/people/1/end").status_code == 400
    assert manager.post("/api/people/99/end").status_code == 404


def test_a_manager_makes_a_link_for_another_device(studio):
    manager = studio("manager")
    token = manager.post("/api/people/1").json()["token"]
    assert manager.get("/api/me").status_code == 200
    assert Page(studio.base, token).get("/api/people").status_code == 200


def test_documents_and_people_are_deleted(studio):
    manager, anna = studio("manager"), studio("Anna")
    anna.act(*sets("tab", [2]))
    assert manager.delete("/api/people/1").status_code == 403
    for path in ("/api/people/2", "/api/documents/1"):
        assert manager.delete(path).status_code == 200
        assert manager.delete(path).status_code == 404
    assert anna.get("/api/me").status_code == 401
    assert manager.get("/api/documents").json() == []
    assert [each["name"] for each in manager.get("/api/people").json()][1:] == ["Ben", "Chloé"]
    assert manager.post("/api/people", json={"name": "Anna"}).status_code == 201


def test_others_are_seen_when_a_document_is_closed_and_not_before(studio):
    manager, anna, ben = studio("manager"), studio("Anna"), studio("Ben")
    for page, name in ((anna, "a"), (ben, "b"), (studio("Chloé"), "c")):
        page.act(*sets(name, [2]), event(name, 1, kind="state", value="finished"))
    found = anna.get("/api/documents/1").json()
    assert (found["others"], found["result"], found["adjudication"]) == (None, None, None)
    judged = manager.get("/api/documents/1").json()
    assert (judged["others"].keys(), judged["result"]) == ({"Anna", "Ben", "Chloé"}, {"2": ""})
    assert judged["adjudication"]["disputes"] == []
    assert manager.post("/api/documents/1/close", json={"withdraw": []}).status_code == 200
    found = anna.get("/api/documents/1").json()
    assert (found["others"].keys(), found["result"]) == ({"Ben", "Chloé"}, {"2": ""})
    assert (found["is_readonly"], found["layer"]["state"]) == (True, "sealed")
    manager.post("/api/acts", json={"acts": [{"kind": "reopen", "document": 1}]})
    found = anna.get("/api/documents/1").json()
    assert (found["others"], found["is_readonly"]) == (None, True)
    assert anna.act(*sets("late", [3])).status_code == 400


def test_whoever_annotates_a_document_does_not_adjudicate_it(studio):
    """Until they have finished it, or are withdrawn."""
    studio.project.do(
        studio.project.manager, Event.of_project("role", person=2, role="adjudicator")
    )
    anna = studio("Anna")
    found = anna.get("/api/documents/1")
    assert (found.status_code, "withdraw" in found.json()["error"]) == (403, True)
    act = {"kind": "withdraw", "document": 1, "person": 2, "pass": 1}
    anna.post("/api/acts", json={"acts": [act]})
    assert anna.get("/api/documents/1").status_code == 200


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
    for path in ("/api/people/2", "/api/people/2/end"):
        told, thread = listen(anna, lambda found: found)
        assert manager.post(path).status_code == 200
        thread.join(5)
        assert (thread.is_alive(), told) == (False, [])
        assert anna.get("/api/live").status_code == 401
        anna = Page(studio.base, manager.post("/api/people/2").json()["token"])


def test_a_project_may_have_any_name(studio):
    for name in ("проект", 'a"b', "a\r\nset-cookie: x", "100 %", "ü" * 300):
        studio.project.folder_name = name
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


CUES = """WEBVTT

00:00.000 --> 00:07.000
{}

00:07.000 --> 00:09.000
OK then

00:12.000 --> 00:13.000
Bye
"""
SAID_THERE = "Yes, I did. They look fine to me. Are you sure about it? I think so."


def test_words_of_a_cue_have_its_time_whatever_their_punctuation(studio):
    manager, seen = studio("manager"), []
    for name, text in {
        "a": SAID_THERE,
        "b": SAID_THERE.replace(".", "").replace("?", " –"),
    }.items():
        manager.post("/api/upload", params={"name": f"{name}.vtt"}, content=CUES.format(text))
        found = manager.get(f"/api/documents/{studio.project.named(name).id}").json()
        seen.append([found[key] for key in ("shown", "start", "end", "cues")])
    assert seen[0] == seen[1]
    _, start, end, cues = seen[0]
    assert cues == [[0, 15], [16, 17]]
    assert start == [0] * 16 + [7_000_000] * 2 + [12_000_000]
    assert end == [7_000_000] * 16 + [9_000_000] * 2 + [13_000_000]


def test_an_import_asks_before_it_adds_documents_or_people(studio):
    manager = studio("manager")
    data = base64.b64encode(b"so it rained a lot\nand then we went home to eat\n").decode()

    def imported(name, file, data=data, **more):
        layers = [{"name": name, "file": file, "data": data}]
        return manager.post("/api/layers", json={"layers": layers, "blind": True, **more})

    found = imported("Anna", "talk.txt")
    assert (found.status_code, found.json()["told"]) == (201, ["talk: 1 boundaries of Anna"])
    asked = imported("Ana", "talk.txt")
    assert (asked.status_code, asked.json()["people"], asked.json()["documents"]) == (
        409, ["Ana"], [],
    )  # fmt: skip
    other = base64.b64encode(b"another text\n").decode()
    asked = imported("Anna", "tolk.txt", other)
    assert (asked.json()["people"], asked.json()["documents"]) == ([], ["tolk"])
    assert (len(studio.project.people), len(studio.project.documents)) == (4, 1)
    assert imported("Ana", "talk.txt", add=True).status_code == 201
    ana = studio.project.person_named("Ana")
    assert manager.delete(f"/api/people/{ana.id}").status_code == 200
    assert studio.project.person_named("Ana") is None
