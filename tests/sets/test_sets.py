"""Named sets: in place of paths, described in TOML, checked, downloaded whole or not at all."""

import errno
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.error import HTTPError

import pytest

import caesura
from caesura.errors import UnknownNameError
from caesura.sets import named_sets
from caesura.sets.named_sets import checksum, test_set
from support.published import ABOUT

test_set.__test__ = False
TEXT = b"it rained\nwe left\n" * 20_000
pytestmark = pytest.mark.usefixtures("home")


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def described(name, *files, archive=None):
    """A description in a folder of our own."""
    text = ABOUT
    if archive:
        text += "[archive]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in archive.items())
    for file in files:
        text += "\n[[files]]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in file.items())
    Path("sets", f"{name}.toml").write_text(text)


@pytest.mark.parametrize("name", [path.stem for path in named_sets.PACKAGED.glob("*.toml")])
def test_packaged_sets_are_whole(name):
    chosen = test_set(name)
    assert chosen.licence
    assert {file.role for file in chosen.files} <= {*named_sets.ROLES}
    for file in chosen.files:
        assert file.path or file.member
        assert not file.path or checksum(chosen.place(file)) == file.sha256
    if chosen.kind == "transcript":
        forms = {caesura.read(f"@{name}/{file.name}").form for file in chosen.files}
        assert forms == {chosen.read}


def test_packaged_sets_are_small():
    data = [path for path in named_sets.PACKAGED.rglob("*") if path.suffix not in (".py", ".pyc")]
    assert sum(path.stat().st_size for path in data if path.is_file()) < 300_000


def test_a_set_stands_for_its_references(run):
    command = ("transcript", "@demo/rules", "ours=@demo/neural", "--ref", "@demo", "-f", "json")
    status, out, _ = run(*command)
    found = json.loads(out)
    assert (status, found["references"]) == (0, ["ann1", "ann2", "ann3"])
    assert [system["name"] for system in found["systems"]] == ["rules", "ours"]
    assert found["signature"].endswith("|set:demo@1")


def test_python_takes_the_same_strings():
    found = caesura.evaluate({"S1": "@wisebe-v6/S1"}, "@wisebe-v6")
    assert round(found.systems["S1"].wisebe, 3) == 0.298
    assert found.signature.endswith("|set:wisebe-v6@1")
    assert caesura.read("@wisebe-v6/S1").segmentation.length == 1602


def test_sets_are_given_to_other_commands(run):
    assert run("convert", "@demo/ann1", "-", "--to", "slashes")[1].startswith("well, um")
    assert run("segment", "every:5", "@demo/ann1")[0] == 0
    assert run("resegment", "@demo/ann1", "--to", "@demo/ann2")[0] == 0
    status, _, err = run("convert", "@demo", "-", "--to", "slashes")
    assert (status, "@demo has several files; name one: @demo/ann1" in err) == (2, True)


def test_a_file_of_that_name_is_a_file(run, home):
    (home / "@demo").write_text("a b\nc d\n")
    status, out, _ = run("transcript", "x=@demo", "--ref", "@demo", "-f", "json")
    assert (status, "set:" in out) == (0, False)


def test_unknown_names(run):
    assert (
        run("sets", "show", "wisebe")[2]
        == "error: unknown set '@wisebe'; did you mean @wisebe-v6?\n"
    )
    status, _, err = run("transcript", "@demo/rule", "--ref", "@demo")
    assert (status, err) == (2, "error: unknown file of @demo 'rule'; did you mean rules?\n")
    assert run("sets", "get")[0] == 2


def test_what_commands_tell(run):
    assert "@demo" in run("sets")[1]
    out = run("sets", "show", "wisebe-v6")[1]
    assert "@inproceedings{" in out
    assert "@wisebe-v6/S1" in out


def test_a_changed_file_is_refused(run, home):
    (home / "talk.txt").write_bytes(TEXT)
    described("mine", {"name": "a", "path": "../talk.txt", "sha256": sha256(TEXT)})
    assert run("transcript", "talk.txt", "--ref", "@mine", "-q")[0] == 0
    (home / "talk.txt").write_bytes(TEXT[:-1])
    status, out, err = run("transcript", "@mine/a", "--ref", "@mine")
    assert (status, out) == (1, "")
    assert "is not the file of @mine: checksum differs; restore the file" in err


GOOD = {"name": "a", "path": "../talk.txt", "sha256": "0" * 64}
FILE = "[[files]]\n" + "".join(f"{key} = {value!r}\n" for key, value in GOOD.items())
BAD = {
    "title = ": "sets/bad.toml: is not TOML",
    "\udcff": "is not TOML",
    f"a = {'[' * 9999}": "is not TOML",
    ABOUT: "has no files",
    f"files = 3\n{ABOUT}": "has no files",
    f"files = [1]\n{ABOUT}": "is not a table",
    f"{ABOUT}archive = 'x.tar'\n{FILE}": "is not a table",
    f"{ABOUT}colour = 'red'\n{FILE}": "a set: 'colour' is unknown",
    f"{ABOUT}home = 'x'\n{FILE}": "'home' is unknown",
    f"title = 'x'\n{FILE}": "a set: version is missing",
    f"{ABOUT}about = 3\n{FILE}": "about is not a string",
    f"{ABOUT}about = '\\u001b[2J'\n{FILE}".replace("'", '"'): "about has control characters",
    f"{ABOUT.replace('2', '../..')}{FILE}": "version '../..' is not a plain word",
    f"{ABOUT.replace(chr(34) + '2' + chr(34), '2')}{FILE}": "version is not a string",
    f"{ABOUT}[archive]\nbytes = 1\n{FILE}": "sha256 is missing",
    f"{ABOUT}[archive]\nurl = 3\nsha256 = '{'0' * 64}'\n{FILE}": "url is not a string",
}
BAD_FILES = {
    ("name", "/home/x/.bashrc"): "name '/home/x/.bashrc' is not a plain word",
    ("name", "../../x"): "name '../../x' is not a plain word",
    ("name", ""): "name '' is not a plain word",
    ("name", 1): "name is not a string",
    ("sha256", "../../../../x"): "sha256 '../../../../x' is not 64 hexadecimal digits",
    ("role", "gold"): "role 'gold' is not one of reference, system",
    ("bytes", -1): "bytes -1 is not a number of bytes",
    ("bytes", "many"): "bytes is not a number",
    ("path", "a\x00b"): "path has control characters",
    ("path", ""): "does not say where a is",
}


@pytest.mark.parametrize(("text", "problem"), BAD.items())
def test_bad_descriptions(run, home, text, problem):
    (home / "sets" / "bad.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    for command in ("show", "get"):
        status, _, err = run("sets", command, "bad")
        assert (status, problem in err, err.count("\n")) == (1, True, 1), err


@pytest.mark.parametrize(("value", "problem"), BAD_FILES.items())
def test_bad_files_of_descriptions(run, value, problem):
    described("bad", GOOD | dict([value]))
    status, _, err = run("sets", "get", "bad")
    assert (status, problem in err, err.count("\n")) == (1, True, 1), err


@pytest.mark.parametrize("name", ["../../x", "/tmp/x", "..", "a b", "", "a\x00"])
def test_names_of_sets_are_plain_words(run, home, name):
    described("a b", GOOD)
    (home / "x.toml").write_text(ABOUT + FILE)
    status, _, err = run("sets", "show", name)
    assert (status, "unknown set" in err) == (2, True), err


def test_the_working_directory_describes_no_sets(run, home, monkeypatch):
    (home / "talk.txt").write_bytes(TEXT)
    described("demo", GOOD | {"sha256": sha256(TEXT)})
    described("mine", GOOD | {"sha256": sha256(TEXT)})
    monkeypatch.delenv("CAESURA_SETS")
    assert "unknown set" in run("sets", "show", "mine")[2]
    assert "ann1" in run("sets", "show", "demo")[1]
    score = ("transcript", "talk.txt", "--ref", "@mine", "-q")
    assert run(*score)[0] == 2
    assert run(*score, "--sets", "sets")[0] == 0
    with pytest.raises(UnknownNameError, match="unknown set"):
        caesura.evaluate("talk.txt", "@mine")
    assert caesura.evaluate("talk.txt", "@mine", sets=home / "sets").systems["talk"].f1 == 1
    assert run(*score)[0] == 2
    assert run(*score, "--sets", "nowhere")[0] == 2
    monkeypatch.setenv("CAESURA_SETS", "nowhere")
    assert "nowhere is not a folder; correct --sets or CAESURA_SETS" in run(*score)[2]


def test_a_set_in_place_of_a_bundled_one_is_named(run, home):
    (home / "talk.txt").write_bytes(TEXT)
    described("demo", GOOD | {"sha256": sha256(TEXT)})
    warning = "@demo is sets/demo.toml, not the set that comes with caesura"
    score = ("transcript", "talk.txt", "--ref", "@demo", "-q", "-f", "json")
    for command in (
        score, ("sets",), ("sets", "show", "demo"), ("convert", "@demo", "-", "--to", "lines"),
    ):  # fmt: skip
        status, _, err = run(*command)
        assert (status, err.count(warning)) == (0, 1), command
    assert warning in json.loads(run(*score)[1])["warnings"]
    assert warning not in run("sets", "show", "tcpd")[2]


class Handler(BaseHTTPRequestHandler):
    """Serves TEXT and a tar; breaks off, redirects and lies if it is asked to."""

    asked: ClassVar = []

    def do_GET(self):
        first = int(self.headers.get("Range", "bytes=0-")[6:-1])
        self.asked.append((self.path, first))
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/talk.txt")
            self.end_headers()
            return
        if self.path == "/gone":
            self.send_error(404)
            return
        data = packed() if self.path.endswith(".tar") else TEXT
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(data) - first))
        self.end_headers()
        broken = self.path == "/broken" and not first
        self.wfile.write(data[first : len(data) // 2] if broken else data[first:])

    def log_message(self, *_):
        pass


def packed():
    with io.BytesIO() as out:
        with tarfile.open(fileobj=out, mode="w") as tar:
            member = tarfile.TarInfo("inner/talk.txt")
            member.size = len(TEXT)
            tar.addfile(member, io.BytesIO(TEXT))
        return out.getvalue()


@pytest.fixture
def server():
    Handler.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def remote(server, path, data=TEXT):
    described("far", {"name": "a", "url": server + path, "sha256": sha256(data)})


def kept(home):
    return sorted(path.name for path in (home / "data").rglob("*") if path.name != ".lock")


@pytest.mark.parametrize("path", ["/talk.txt", "/moved"])
def test_get(run, home, server, path):
    remote(server, path)
    status, _, err = run("transcript", "@far/a", "--ref", "@far")
    assert (status, err) == (
        1,
        "error: @far/a: is not on this machine; run: caesura sets get far\n",
    )
    status, out, err = run("sets", "get", "far")
    assert (status, err) == (0, "")
    assert Path(out.strip()).read_bytes() == TEXT
    before = len(Handler.asked)
    assert run("sets", "get", "far")[0] == 0
    assert run("transcript", "x=@far/a", "--ref", "@far", "-q")[0] == 0
    assert len(Handler.asked) == before


@pytest.mark.parametrize("options", [(), ("-q",)])
def test_a_bar_on_a_terminal(run, server, monkeypatch, options):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    remote(server, "/talk.txt")
    status, _, errors = run("sets", "get", "far", *options)
    assert (status, "@far: 100 %" in errors, errors == "") == (0, not options, bool(options))


def test_get_from_an_archive(run, home, server):
    archive = {"url": f"{server}/all.tar", "sha256": sha256(packed())}
    file = {"name": "a", "member": "inner/talk.txt", "sha256": sha256(TEXT)}
    described("far", file, archive=archive)
    assert run("sets", "get", "far")[0] == 0
    assert kept(home) == ["a.txt", "far@2"]
    described("other", file | {"member": "no.txt"}, archive=archive)
    status, _, err = run("sets", "get", "other")
    assert (status, "has no member no.txt" in err) == (1, True)


def test_a_transfer_that_breaks_off_is_continued(run, home, server):
    remote(server, "/broken")
    status, _, err = run("sets", "get", "far")
    assert (status, err.count("\n")) == (1, 1)
    assert "broke off after 180,000 of 360,000 bytes; run the command again" in err
    assert run("sets", "get", "far")[0] == 0
    assert [first for _, first in Handler.asked] == [0, 180_000]
    assert kept(home) == ["a", "far@2"]


def test_other_bytes_are_removed(run, home, server):
    remote(server, "/talk.txt", b"something else")
    status, _, err = run("sets", "get", "far")
    assert (status, "its checksum differs; it was removed" in err) == (1, True)
    assert kept(home) == ["far@2"]


def test_a_full_disk_leaves_nothing(run, home, server, monkeypatch):
    remote(server, "/talk.txt")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("http.client.HTTPResponse.read", full)
    status, _, err = run("sets", "get", "far")
    assert (status, "the disk is full; free some space, or set CAESURA_DATA" in err) == (1, True)
    assert kept(home) == ["far@2"]


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("http://127.0.0.1:9/x", "cannot be reached ("),
        ("file:///etc/passwd", "is not an address of the web"),
        ("http://[", "is not an address ("),
        ("http://127.0.0.1:x/", "is not an address ("),
        ("http://127.0.0.1:9999999/", "cannot be reached ("),
        (f"http://{'a' * 99}.org/", "is not an address ("),
    ],
)
def test_no_network(run, address, problem):
    described("far", {"name": "a", "url": address, "sha256": sha256(TEXT)})
    status, _, err = run("sets", "get", "far")
    assert (status, problem in err, err.count("\n")) == (1, True, 1), err


def test_a_server_that_has_no_such_file(run, server):
    """Its connection is closed; garbage would warn of one that is not (an error in tests)."""
    closed, close = [], HTTPError.close
    remote(server, "/gone")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HTTPError, "close", lambda self: [closed.append(self.code), close(self)])
        assert "the server says 404" in run("sets", "get", "far")[2]
    assert closed == [404]


@pytest.mark.slow
def test_two_processes_at_once(home, server):
    remote(server, "/talk.txt")
    command = [sys.executable, "-m", "caesura", "sets", "get", "far"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in "ab"]
    ends = [(process.communicate(), process.returncode) for process in both]
    assert [status for _, status in ends] == [0, 0], ends
    assert len(Handler.asked) == 1
    assert kept(home) == ["a.txt", "far@2"]
