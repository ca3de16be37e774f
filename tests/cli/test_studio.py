"""`caesura studio` on the command line."""

import re
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from caesura.studio import launch as serving
from caesura.studio.agreement import LiveAgreement
from caesura.studio.log import log_lines
from caesura.studio.project import Project
from support.waiting import free_port

COMMAND = [sys.executable, "-m", "caesura", "studio"]
WORDS = "so it rained a lot"


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """What would be served, without a server."""
    found = []
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def serve(project, address, ready):
        found.append((project, address))
        ready(f"{address.base}/#{'x' * 32}")

    monkeypatch.setattr(serving, "serve", serve)
    monkeypatch.setattr("click.launch", lambda path: found.append((path, linked(path))))
    yield found
    for project, _ in found:
        if isinstance(project, Project):  # a test that asks it something opens it again
            project.store.close()


def linked(path):
    """The link to which a page leads that nobody else can read."""
    assert sys.platform == "win32" or stat.S_IMODE(Path(path).stat().st_mode) == 0o600
    return re.search(r'href="([^"]+)"', Path(path).read_text())[1]


def test_a_folder_is_opened_in_the_browser(run, folder, opened):
    place = folder(a=WORDS, b=WORDS)
    status, out, errors = run("studio", place)
    link = re.search(r"http://127\.0\.0\.1:8765/#\S{32}", errors)[0]
    assert (status, out) == (0, "")
    assert opened[1] == (str(place / "studio.sqlite.html"), link)
    assert [each.name for each in opened[0][0].documents.values()] == ["a", "b"]
    assert not (place / "studio.sqlite.html").exists()


def test_a_team_without_tls_is_warned(run, folder, opened):
    place = folder(a=WORDS)
    for options, is_warned in (
        (["--host", "0.0.0.0"], True),
        (["--host", "192.0.2.7", "--url", "http://studio.example.org"], True),
        (["--host", "0.0.0.0", "--url", "https://studio.example.org/"], False),
        (["--host", "127.0.0.2"], False),
    ):
        status, _, errors = run("studio", place, "--no-browser", *options)
        assert status == 0
        assert ("warning: " in errors and "without encryption" in errors) == is_warned, options
    assert opened[2][1].base == "https://studio.example.org"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["nowhere"], "nowhere is not a folder; give one with transcripts"),
        (["a.txt"], "a.txt is not a folder; give one with transcripts"),
        ([".", "--import", "none.jsonl"], "none.jsonl: no such file or directory"),
        ([".", "--lang", "x"], "'x' is not a language tag; give one such as de"),
        (["empty", "--import", "a.txt"], "a.txt:1: not JSON; export again"),
        (["empty", "--import", "binary"], "binary: not UTF-8; give log.jsonl of an export"),
        ([".", "--host", "nowhere.invalid"], "nowhere.invalid:8765 cannot be listened on"),
    ],
)
def test_mistakes_are_said_in_a_line(run, folder, options, problem):
    place = folder(a=WORDS)
    (place / "empty").mkdir()
    (place / "binary").write_bytes(b"\xff\xfe\x00")
    status, out, errors = run("studio", *options, "--no-browser")
    assert status in (1, 2)
    assert out == ""
    (line,) = [each for each in errors.splitlines() if not each.startswith("warning: ")]
    assert line.startswith(f"error: {problem}")


@pytest.mark.parametrize(
    "url",
    ["studio.example.org", "ftp://x", "https://", "https://x/y", "https://x?y", "https://a:b@x",
     "https://x:99999", "https://[x", "https://стUDIO", "//x"],
)  # fmt: skip
def test_addresses_of_no_studio(run, folder, url):
    folder(a=WORDS)
    problem = f"error: '{url}' is not an address of a studio; give https://HOST"
    status, out, errors = run("studio", ".", "--url", url, "--no-browser")
    assert (status, out) == (2, "")
    assert errors.startswith(problem)


def test_a_port_that_is_taken(run, folder):
    place = folder(a=WORDS)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, _, errors = run("studio", place, "--no-browser", "--port", port)
    assert (status, errors) == (
        2, f"error: port {port} is in use; choose another with --port\n",
    )  # fmt: skip


@pytest.mark.slow
def test_packages_that_are_missing(folder):
    place = folder(a=WORDS)
    for missing in ("uvicorn", "starlette"):
        code = f"import sys; sys.modules[{missing!r}] = None; from caesura.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, "studio", str(place), "--no-browser"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert done.stderr == (
            "error: the studio needs more packages; install them with: "
            "pip install 'caesura-eval[studio]'\n"
        )


def test_the_demo_has_three_annotators(run, folder, opened):
    folder(a=WORDS)
    assert run("studio", "demo", "--no-browser")[0] == 0
    project = opened[0][0]
    assert [each.name for each in project.annotators] == ["Anna", "Ben", "Chloé"]
    assert LiveAgreement(project).summary() is not None
    assert not (Path.cwd() / "demo").exists()


def test_a_log_is_imported(run, folder, opened):
    place = folder(a=WORDS)
    (place / "new").mkdir()
    run("studio", "demo", "--no-browser")
    (place / "log.jsonl").write_text("".join(log_lines(opened[0][0])), encoding="utf-8")
    status, _, errors = run("studio", "new", "--import", "log.jsonl", "--no-browser")
    assert status == 0, errors
    names = [[each.name for each in project.annotators] for project, _ in opened]
    assert names[0] == names[1] == ["Anna", "Ben", "Chloé"]


def start(place, *options):
    port = free_port()
    process = subprocess.Popen(
        [*COMMAND, str(place), "--port", str(port), "--no-browser", *options],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    link = re.search(r"(http://\S+)/#(\S+)", process.stderr.readline())
    return process, f"http://127.0.0.1:{port}", link[2]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
def test_ctrl_c_ends_it_cleanly(run, folder):
    place = folder(a=WORDS)
    process, base, token = start(place)
    with httpx.Client(base_url=base, headers={"x-caesura": "studio"}) as page:
        assert page.get("/").status_code == 200
        assert page.get("/", headers={"host": "evil.example"}).status_code == 421
        page.post("/api/enter", json={"token": token}).raise_for_status()
        assert list(page.cookies) == [f"caesura_session_{base.rpartition(':')[2]}"]
        status, _, errors = run("studio", place, "--no-browser")
        assert status == 2
        assert "studio.sqlite is open in another studio; use that one, or close it" in errors
        with page.stream("GET", "/api/live") as live:
            assert next(live.iter_lines()) == "retry: 2000"
            begun = time.monotonic()
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
            assert (process.wait(), rest) == (0, "")
            assert time.monotonic() - begun < 3
    process.stderr.close()
