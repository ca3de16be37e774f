"""Inputs that vanish, fail or are slow while they are read: one line, and what is done is kept."""

import os
import threading
import time
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from support.fault_corpus import ROWS, SAVE, is_finished

pytestmark = pytest.mark.slow

RAN = (*SAVE, "--run", "same=cmd:sh same.sh")


def saved(run, *command):
    status, _, errors = run(*command)
    assert status == 0, errors
    assert is_finished()
    rows = ROWS.read_bytes()
    ROWS.unlink()
    return rows


@pytest.fixture
def program(corpus):
    """A program that gives back what it reads; what it does besides can be changed."""
    path = Path("same.sh")
    path.write_text("exec cat\n")
    return path


def test_a_file_that_vanishes(run, program):
    """After it was listed, before it is read: the program takes it away."""
    gone, kept = Path("s2/d11.txt"), Path("kept")
    expected = saved(run, *RAN)
    program.write_text(f"[ -e {gone} ] && mv {gone} {kept}; exec cat\n")
    reason = f"{gone}: no such file or directory; check the path\n"
    for options, told in ((("--keep-going",), "left out: d11: "), ((), "error: ")):
        ROWS.unlink(missing_ok=True)
        status, _, errors = run(*RAN, "--engine", "serial", *options)
        kept.rename(gone)
        assert (status, errors.splitlines(keepends=True)[0]) == (1, told + reason)
    assert not is_finished()
    program.write_text("exec cat\n")
    assert saved(run, *RAN, "--resume") == expected


@pytest.mark.parametrize("engine", [("serial",), ("processes", "-j", "2")])
def test_a_program_that_fails_and_is_fixed(run, program, engine):
    expected = saved(run, *RAN)
    program.write_text("[ -e count ] && { echo no disk >&2; exit 3; }; touch count; exec cat\n")
    status, _, errors = run(*RAN, "--engine", *engine)
    assert status == 1
    assert "sh: exit status 3; it printed: no disk; fix the program" in errors
    assert errors.count("\n") == 1
    program.write_text("exec cat\n")
    assert saved(run, *RAN, "--resume") == expected


def test_a_pipe_that_is_filled_slowly(run, corpus):
    text = Path("s1/d0.txt").read_bytes()
    place = Path("pipe/d0.txt")
    place.parent.mkdir()
    os.mkfifo(place)

    def fill():
        with place.open("wb", buffering=0) as pipe:
            for start in range(0, len(text), 100):
                time.sleep(0.005)
                pipe.write(text[start : start + 100])

    writer = threading.Thread(target=fill)
    writer.start()
    found = run("transcript", f"s={place}", "--ref", "r=anna/d0.txt", "-f", "json", "-q")
    writer.join(timeout=30)
    assert found == run("transcript", "s=s1/d0.txt", "--ref", "r=anna/d0.txt", "-f", "json", "-q")


class Server(BaseHTTPRequestHandler):
    """Says how long a text is, and breaks off before its end."""

    def __init__(self, sent, *rest):
        self.sent = sent
        super().__init__(*rest)

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.sent) + 1000))
        self.end_headers()

    def do_GET(self):
        self.do_HEAD()
        self.wfile.write(self.sent)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("sent", [b"it rained", b""])
@pytest.mark.filterwarnings("ignore")
def test_a_server_that_breaks_off(run, corpus, urls, sent):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, sent)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/d0.txt"
        status, out, errors = run("transcript", f"s={url}", "--ref", "r=anna/d0.txt", "-q")
        server.shutdown()
    assert (status, out, errors.count("\n")) == (1, "", 1)
    assert errors.startswith(f"error: {url}: ")
