"""An annotator sees nobody else's boundaries before a document is closed, by no route."""

import json

from caesura.studio.app import ROUTES
from support.studio_projects import event, listen, sets

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
    for method, path, _, _ in ROUTES:
        if method == "GET" and path != "/api/live":
            texts[path] = page.get(path.replace("{number:int}", "1")).text
    return texts


def test_nothing_of_others_also_when_one_has_finished(studio):
    before = everything(studio("Anna"))
    begin(studio, ben_finishes=True)
    anna = studio("Anna")
    assert everything(anna) == before
    anna.act(*sets("anna", [3]))
    anna.act(event("anna", 1, kind="state", value="finished"))
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


def test_errors_tell_nothing_of_others(studio):
    begin(studio, ben_finishes=True)
    found = studio("Anna").act(*sets("ben", [2, 7], value="?"))
    assert found.status_code == 400
    assert "Ben" not in found.text
