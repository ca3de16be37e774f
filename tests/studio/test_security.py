"""A stranger's requests get nothing and break nothing."""

import gzip
import json
import socket
from pathlib import Path

import pytest

from caesura.formats.registry import TIMED
from caesura.studio import security
from caesura.studio.security import COOKIE
from support.studio_projects import assign, event, sets

NASTY = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "'; DROP TABLE events; --",
    '"><svg/onload=alert(1)>',
    "{{7*7}} ${7*7} %s %n \\u0000",
]
PATHS = [
    "/../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/../server.py",
    "/assets/..%2fserver.py",
    "/assets/%2e%2e%2fserver.py",
    "/assets/..%5cserver.py",
    "/assets//etc/passwd",
    "/assets/studio.js%00.css",
    "/audio/../../etc/passwd",
    "/audio/%2e%2e",
    "/audio/1%2f..%2f..",
    "/api/documents/..",
    "/api/documents/-1",
    "/api/documents/1e3",
    "/api/documents/１",
    "/api/documents/" + "9" * 5000,
    "/audio/" + "9" * 30,
    "/studio.sqlite",
    "/api/",
    "//evil.example/",
]


def raw(base, text, *, ends=False):
    """What the server answers to bytes on a socket: the status, and everything else."""
    host, port = base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(text)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        found = b""
        while piece := connection.recv(1 << 16):
            found += piece
    head = found.split(b"\r\n", 1)[0].split()
    return int(head[1]) if len(head) > 1 else 0, found


def still_works(studio):
    return studio("Anna").get("/api/me").status_code == 200


def test_tokens_that_open_nothing(studio):
    page = studio()
    for token in ("", "x" * 32, "../", 7, None, ["a"], {"a": 1}, "\ud800", True):
        assert page.post("/api/enter", content=json.dumps({"token": token})).status_code == 401
    for cookie in ("", "x" * 40, studio.people["Anna"][1], "%00", '"\\377"'):
        found = page.get("/api/me", headers={"cookie": f"{COOKIE}={cookie}"})
        assert found.status_code == 401


FOREIGN = [
    ({"host": "evil.example"}, 421),
    ({"host": "127.0.0.1"}, 421),
    ({"host": ""}, 421),
    ({"host": "127.0.0.1.evil.example"}, 421),
    ({"origin": "http://evil.example"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": "http://[bad"}, 403),
    ({"origin": "http://127.0.0.1:1"}, 403),
    ({"sec-fetch-site": "cross-site"}, 403),
    ({"sec-fetch-site": "same-site"}, 403),
    ({"x-caesura": ""}, 403),
    ({"x-caesura": "other"}, 403),
]


def test_other_hosts_and_pages_are_refused(studio):
    page = studio("manager")
    for headers, status in FOREIGN:
        found = page.post("/api/events", json={"events": []}, headers=headers)
        assert found.status_code == status, headers
        if "x-caesura" not in headers:
            assert page.get("/api/me", headers=headers).status_code == status
            assert page.get("/", headers=headers).status_code == status
    form = {"data": {"name": "Eve"}, "headers": {"x-caesura": ""}}
    for path in ("people", "people/2", "upload?name=x", "leave"):
        assert page.post(f"/api/{path}", **form).status_code == 403
    assert page.delete("/api/people/2", headers={"x-caesura": ""}).status_code == 403
    assert len(studio.project.people) == 4


def test_paths_lead_nowhere(studio):
    cookie = f"{COOKIE}={studio('manager').cookies[COOKIE]}"
    host = studio.base.removeprefix("http://")
    for path in PATHS:
        head = f"GET {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\nconnection: close"
        status, found = raw(studio.base, f"{head}\r\n\r\n".encode())
        assert status in (400, 404), path
        assert b"root:" not in found
        assert b"import" not in found
    assert still_works(studio)


def test_what_is_no_http(studio):
    host = studio.base.removeprefix("http://")
    for text in (
        b"\x00" * 1000,
        b"GET / HTTP/1.1\r\n\r\n",
        f"GET / HTTP/1.1\r\nhost: {host}\r\nhost: evil\r\n\r\n".encode(),
        f"POST /api/enter HTTP/1.1\r\nhost: {host}\r\nx-caesura: studio\r\n"
        "content-length: 99999999999999999999\r\n\r\n{}".encode(),
        f"POST /api/enter HTTP/1.1\r\nhost: {host}\r\ncontent-length: -1\r\n\r\n".encode(),
    ):
        status, _ = raw(studio.base, text, ends=True)
        assert status in (0, 400, 403, 413, 421)
    assert still_works(studio)


def test_too_much_json(studio):
    page = studio("Anna")
    big = b'{"events": [' + b" " * (10 << 20) + b"]}"
    found = page.post("/api/events", content=big)
    assert (found.status_code, "MiB are taken" in found.json()["error"]) == (413, True)
    pieces = (b" " * (1 << 16) for _ in range(160))
    assert page.post("/api/events", content=pieces).status_code == 413
    assert page.post("/api/enter", content=big).status_code == 413
    many = [{"client": "x"}] * 1001
    assert page.post("/api/events", json={"events": many}).status_code == 400
    assert still_works(studio)


def test_json_that_is_none_or_strange(studio):
    page = studio("Anna")
    for content in (
        b"", b"{", b"\xff\xfe", b"[" * 200_000, b'{"a":' * 100_000, b"NaN", b"9" * 10_000,
        b'{"events": null}', b'{"events": {}}', b'{"events": [null]}', b'{"events": [[]]}',
        b'{"events": [{}]}', b"null", b"7", b'"x"',
    ):  # fmt: skip
        assert page.post("/api/events", content=content).status_code == 400, content[:20]
    form = '{"client":"t","sequence":%s,"document":%s,"kind":"set","gap":%s,"value":""}'
    for wrong in ("NaN", "Infinity", "-1", "1e999", "9" * 400, "9" * 5000, "true", '"1"', "1.5"):
        for numbers in ((wrong, 1, 1), (0, wrong, 1), (0, 1, wrong)):
            found = page.post("/api/events", content='{"events":[%s]}' % (form % numbers))
            assert found.status_code == 400, numbers
    assert page.get("/api/documents").json()[0]["acts"] == 0


@pytest.mark.slow
def test_any_json_anywhere_is_an_answer(studio):
    manager = studio("manager")
    studio("Anna").act(*sets("anna", [1]))
    odd = [None, True, 7, -1.5, 10**30, "", "x", "\ud800", [], [[]], {}, {"x": {}}, [None, 7]]
    paths = (
        "/api/people", "/api/enter", "/api/acts", "/api/design", "/api/layers", "/api/events",
        "/api/documents/1/close",
    )  # fmt: skip
    keys = ("name", "acts", "documents", "people", "each", "layers", "blind", "events", "withdraw")
    asked = [
        (path, values)
        for path in paths
        for each in odd
        for values in (each, *({key: each} for key in keys))
    ]
    for path, values in asked:
        found = manager.post(path, content=json.dumps(values))
        assert found.status_code in (200, 201, 400, 401, 404), (path, values, found.text)


@pytest.mark.slow
def test_garbage_in_every_format(studio):
    suffixes = sorted({each for form in TIMED.values() for each in form.suffixes})
    for at, suffix in enumerate([*suffixes, ".zip", ".tar.gz", ".parquet", ".npz"]):
        for data in (b"\x00\xff" * 50, b'{"a": [1', b"<a><b>", b"1\n2\t3 x\n\n;;"):
            found = upload(studio, f"g{at}{suffix}", data)
            assert found.status_code in (201, 400), (suffix, data, found.text)


def test_texts_come_back_as_they_were_and_never_as_html(studio):
    anna, manager = studio("Anna"), studio("manager")
    for at, text in enumerate(NASTY):
        assert anna.act(event("tab", at, kind="comment", gap=at, value=text)).status_code == 200
    found = anna.get("/api/documents/1")
    assert list(found.json()["layer"]["comments"].values()) == NASTY
    assert found.headers["content-type"].startswith("application/json")
    assert found.headers["x-content-type-options"] == "nosniff"
    for text in NASTY:
        refused = manager.post("/api/people", json={"name": text})
        assert refused.status_code in (201, 400)
        assert refused.headers["content-type"].startswith("application/json")


def upload(studio, name, data, **options):
    return studio("manager").post("/api/upload", params={"name": name}, content=data, **options)


def test_uploads_that_are_no_documents(studio):
    for name, data in (
        ("empty.txt", b""),
        ("spaces.txt", b"  \n\n "),
        ("binary.txt", bytes(range(256)) * 100),
        ("zeros.txt", bytes(1000)),
        ("bad.json", b"{"),
        ("bad.TextGrid", b"hello"),
        ("bad.eaf", b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>"),
        ("", b"a b"),
        ("..", b"a b"),
        ("/", b"a b"),
        ("x" * 300 + ".txt", b"a b"),
        ("a\x00.txt", b"a b"),
    ):
        found = upload(studio, name, data)
        assert found.status_code == 400, name
        assert "/tmp" not in found.json()["error"]
    assert len(studio.project.documents) == 1


def test_the_name_of_an_upload_is_no_path(studio, tmp_path):
    before = set(Path(tmp_path).rglob("*"))
    for name in ("../../evil.txt", "/etc/evil2.txt", "..\\..\\evil3.txt", "C:\\evil4.txt"):
        found = upload(studio, name, b"a b c")
        assert found.status_code in (201, 400), name
        for each in found.json().get("documents", []):
            assert not set(each["name"]) & set("/\\:")
    assert set(Path(tmp_path).rglob("*")) == before


@pytest.mark.slow
def test_a_bomb_is_refused(studio):
    bomb = gzip.compress(bytes(1 << 20) * 80)
    assert len(bomb) < 1 << 20
    for name in ("bomb.txt.gz", "bomb.gz", "bomb.txt"):
        assert upload(studio, name, bomb).status_code == 400


def test_uploads_have_a_limit(studio, monkeypatch):
    monkeypatch.setattr("caesura.studio.app.LARGEST_FILE", 1 << 16)
    assert upload(studio, "big.txt", b"a " * (1 << 16)).status_code == 413
    assert upload(studio, "big.txt", (b"a " * 4096 for _ in range(16))).status_code == 413
    assert security.LARGEST_FILE == 64 << 20


def test_a_million_words(studio):
    text = b"so it rained a lot " * 200_000
    (made,) = upload(studio, "long.txt", text).json()["documents"]
    assert made["length"] == 1_000_000
    anna = studio("Anna")
    studio.project.do(studio.project.manager, assign(2, made["id"]))
    assert anna.act(event("tab", 0, made["id"], gap=999_998)).status_code == 200
    assert anna.act(event("tab", 1, made["id"], gap=999_999)).status_code == 400


def test_too_many_words(studio, monkeypatch):
    monkeypatch.setattr("caesura.studio.documents.MOST", 100)
    found = upload(studio, "long.txt", b"a " * 101)
    assert found.status_code == 400
    assert "100 words" in found.json()["error"]
