import io
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from caesura.cli import main

# These run programs with a shell, kill processes or make links, as POSIX has them.
POSIX = [
    "test_examples.py",
    "test_dask.py",
    "cli/test_running.py",
    "cli/test_once.py",
    "test_fuzz.py",
]
collect_ignore = POSIX if sys.platform == "win32" else []

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-color-profile=srgb",
]  # fmt: skip

settings.register_profile(
    "caesura",
    max_examples=100,
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("caesura")


@pytest.fixture(scope="session")
def shared():
    """The data that stand beside the project; only CI insists on them."""
    path = Path(__file__).parents[2] / "shared"
    if not path.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{path} is absent")
        pytest.skip(f"{path} is absent")
    return path


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `caesura ARGUMENTS` in this process: exit status, standard output, standard error.

    The lines that say how inputs were read are left out of the last, unless `notes` are wanted.
    """

    def call(*arguments, stdin=None, notes=False):
        monkeypatch.setattr("sys.argv", ["caesura", *map(str, arguments)])
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        out, error = capsys.readouterr()
        lines = error.splitlines(keepends=True)
        return status, out, "".join(x for x in lines if notes or not x.startswith("read as "))

    return call


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, and a function that fills it."""
    monkeypatch.chdir(tmp_path)

    def fill(**files):
        for name, content in files.items():
            path = tmp_path / name.replace("__", "/")
            path = path if path.suffix else path.with_suffix(".txt")
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return fill


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium; only CI insists on it."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is absent")
        pytest.skip("chromium is absent")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()
