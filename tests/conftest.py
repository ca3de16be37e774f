import gc
import io
import multiprocessing
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from caesura.cli import main
from support import hypothesis_settings  # noqa: F401  (sets how many examples are tried)
from support.held import adopt_orphans, close_archives, held
from support.paths import ROOT
from support.waiting import until

# These run programs with a shell, kill processes or make links, as POSIX has them.
POSIX = [
    "project/test_examples.py",
    "run/test_cluster.py",
    "cli/test_running.py",
    "laws/test_read_once.py",
    "fuzz/test_fuzz.py",
]
collect_ignore = POSIX if sys.platform == "win32" else []

FIXTURES = {"browser": "browser", "postgres": "database", "mortal": "database"}
"""The fixtures that give a mark to the tests that ask for them."""

OTHERS = ("pytest", "dask-scratch-space")
"""How the names of temporary files begin that pytest and Dask leave behind."""

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-color-profile=srgb",
]  # fmt: skip


def import_numpy_with_one_thread():
    """The processes of pytest share the cores; threads that wait for each other burn them."""
    name = "OPENBLAS_NUM_THREADS"
    if name not in os.environ:
        os.environ[name] = "1"
        import numpy  # noqa: F401

        del os.environ[name]  # what tests start has the environment of a user


import_numpy_with_one_thread()
adopt_orphans()
gc.set_threshold(100_000, 20, 1000)  # as the command has it


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark tests by their fixtures."""
    for item in items:
        for name in FIXTURES.keys() & set(item.fixturenames):
            item.add_marker(FIXTURES[name])


@pytest.fixture(scope="session", autouse=True)
def temporary_directory(tmp_path_factory):
    """Give the tests a temporary directory of their own, in which they must leave nothing."""
    tmp_path_factory.getbasetemp()  # stays where it is
    place = Path(tempfile.mkdtemp(prefix="tests-"))
    own = place / "pytest"  # where multiprocessing keeps the sockets of this process
    own.mkdir()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TMPDIR", str(place))
        patched.setattr(tempfile, "tempdir", str(place))
        patched.setitem(multiprocessing.current_process()._config, "tempdir", str(own))
        yield
    until(lambda: not left_in(place), 10)
    names = left_in(place)
    shutil.rmtree(place, ignore_errors=True)
    assert not names, f"tests left {', '.join(names)} in the temporary directory"


def left_in(place):
    return sorted(path.name for path in place.iterdir() if not path.name.startswith(OTHERS))


@pytest.fixture(scope="module", autouse=True)
def nothing_old_is_searched():
    """What is there before a module is no garbage; to search it again and again takes long."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def nothing_left():
    """A test closes the files and connections it opens, and ends the processes it starts.

    What fixtures of a module or of the session hold is there before the test.
    """
    before = held()
    yield
    left = held() - before
    if left:
        close_archives()
        left = held() - before
    if left:
        gc.collect()  # an error may still refer to its files
        until(lambda: held() <= before, 10)
        left = held() - before
    assert not left, "left open or running by the test"


@pytest.fixture(scope="session")
def urls():
    """The package that reads URLs; it keeps a thread and its sockets."""
    pytest.importorskip("aiohttp")
    pytest.importorskip("fsspec.asyn").get_loop()


@pytest.fixture
def short_folder(monkeypatch):
    """A temporary directory for what a test starts, with a path short enough for sockets."""
    with tempfile.TemporaryDirectory() as place:
        monkeypatch.setenv("TMPDIR", place)
        yield Path(place)


@pytest.fixture(scope="session")
def shared():
    """The data that stand beside the project; only CI insists on them."""
    path = ROOT.parent / "shared"
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


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder to work in, whose `sets` describes test sets; nothing of the user's is read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sets").mkdir()
    monkeypatch.setenv("CAESURA_SETS", "sets")
    monkeypatch.setenv("CAESURA_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


@pytest.fixture(scope="session")
def browser(temporary_directory):
    """Debian's Chromium; only CI insists on it."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is absent")
        pytest.skip("chromium is absent")
    playwright = pytest.importorskip("playwright.sync_api")
    with pytest.MonkeyPatch.context() as patched, tempfile.TemporaryDirectory() as place:
        patched.setenv("TMPDIR", place)  # of Chromium and of the program that drives it
        with playwright.sync_playwright() as play:
            browser = play.chromium.launch(executable_path=program, args=FLAGS)
            patched.undo()
            yield browser
            browser.close()
