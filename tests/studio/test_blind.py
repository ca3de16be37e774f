"""An annotator sees nobody else's boundaries before asking for them, by no route."""

import json

from caesura.studio.app import ROUTES
from caesura.studio.store import StoreError
from support.studio_projects import Page, event, listen, sets

SECRET = "what only Ben knows"


def begin(studio, *, ben_finishes):
    ben = studio("Ben")
    ben.act(*sets("ben", [2, 7], value="?"))
    ben.act(event("ben", 2, kind="comment", gap=5, value=SECRET))
    if ben_finishes:
        ben.act(event("ben", 3, kind="state", value="finished"))
    return ben


def everything(page):
    """What a page gets by all routes that only read."""
    texts = {}
    for path, (_, methods) in ROUTES.items():
        if "GET" in methods and path not in ("/", "/assets/{name}", "/api/live"):
            texts[path] = page.get(path.replace("{number:int}", "1")).text
    return texts


def test_nothing_of_others_before_one_has_finished(studio):
    before = everything(studio("Anna"))
    begin(studio, ben_finishes=True)
    anna = studio("Anna")
    assert everything(anna) == before
    anna.act(*sets("anna", [3]))
    found = everything(anna)
    assert SECRET not in json.dumps(found)
    assert not any("Ben" in text or "?" in text for text in found.values())


def test_also_not_live(studio):
    anna = studio("Anna")
    told, thread = listen(anna, lambda found: found)
    ben = begin(studio, ben_finishes=True)
    ben.act(event("ben", 4, kind="state", value="open"))
    studio("manager").act(event("manager", 0, kind="decide", gap=2))
    anna.act(*sets("anna", [3]))
    thread.join()
    assert told == [["events", [{**told[0][1][0], "client": "anna", "gap": 3}]]]


def test_others_are_shown_on_request_and_only_then(studio):
    """Finding 1: finishing showed everything, and what was copied then counted as independent."""
    begin(studio, ben_finishes=False)
    anna, project = studio("Anna"), studio.project
    show = "/api/documents/1/show"
    assert anna.post(show).json()["others"] is None  # nobody has finished: no seal
    assert (1, 2) not in project.board.shown
    studio("Ben").act(event("ben", 3, kind="state", value="finished"))
    assert anna.post(show).status_code == 403
    anna.act(event("anna", 0, kind="state", value="finished"))
    assert anna.get("/api/documents/1").json()["others"] is None
    anna.act(event("anna", 1, kind="state", value="open"), *sets("anna", [3], start=2))
    anna.act(event("anna", 3, kind="state", value="finished"))
    others = anna.post(show).json()["others"]
    assert others["Ben"]["boundaries"] == {"2": "?", "7": "?"}
    anna.act(event("anna", 4, kind="state", value="open"), *sets("anna", [2, 7], start=5))
    assert anna.get("/api/documents/1").json()["layer"]["is_revised"]
    assert project.counted(1)["Anna"].boundaries() == {3: "."}
    assert project.board.current(1, 2).boundaries() == {2: ".", 3: ".", 7: "."}


def test_showing_is_on_disk_before_anything_is_sent(studio, monkeypatch):
    begin(studio, ben_finishes=True)
    project = studio.project

    def full(*_):
        raise StoreError("the disk is full")

    monkeypatch.setattr(project.store, "append", full)
    for path in ("/api/documents/1", "/api/documents/1/disputes", "/api/export", "/api/patterns"):
        found = studio("manager").get(path)
        assert (found.status_code, SECRET in found.text) == (503, False), path
    monkeypatch.undo()
    assert SECRET in studio("manager").get("/api/documents/1").text
    assert [e.event.kind for e in project.store.log()][-1] == "shown"


def test_others_wait_for_release_if_the_manager_says_so(studio):
    begin(studio, ben_finishes=True)
    anna, manager = studio("Anna"), studio("manager")
    manager.post("/api/acts", json={"acts": [{"kind": "waits", "is_on": True}]})
    anna.act(event("anna", 0, kind="state", value="finished"))
    assert anna.post("/api/documents/1/show").status_code == 403
    manager.post("/api/acts", json={"acts": [{"kind": "release", "document": 1}]})
    assert anna.post("/api/documents/1/show").json()["others"]["Ben"]


def test_a_role_does_not_unsee(studio):
    """Who is assigned after seeing others has a layer that is not blind."""
    begin(studio, ben_finishes=True)
    manager, project = studio("manager"), studio.project
    made = manager.post("/api/people", json={"name": "Dora", "role": "observer"}).json()
    Page(studio.base, made["token"]).get("/api/documents/1")
    acts = [
        {"kind": "role", "person": made["id"], "role": "annotator"},
        {"kind": "assign", "document": 1, "person": made["id"], "pass": 1},
    ]
    for act in acts:
        assert manager.post("/api/acts", json={"acts": [act]}).status_code == 200
    assert not project.board.current(1, made["id"]).is_blind


def test_errors_tell_nothing_of_others(studio):
    begin(studio, ben_finishes=True)
    found = studio("Anna").act(*sets("ben", [2, 7], value="?"))
    assert found.status_code == 400
    assert "Ben" not in found.text
