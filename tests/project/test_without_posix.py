"""The package where the system lacks what POSIX has: it is imported, and it scores."""

import subprocess
import sys

import pytest

from caesura.detect import programs

pytestmark = pytest.mark.slow

WITHOUT = """
import os, signal, sys
for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None
for name in ("fork", "killpg", "getuid", "mkfifo", "sched_getaffinity", "setsid"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGPIPE", "SIGALRM", "SIGUSR1"):
    if hasattr(signal, name):
        delattr(signal, name)
"""
EVERYTHING = """
import importlib, pkgutil
import caesura
for each in pkgutil.walk_packages(caesura.__path__, "caesura."):
    if "training" not in each.name and "__main__" not in each.name:
        importlib.import_module(each.name)
"""
SCORE = """
import sys
from caesura.cli import main
sys.argv = ["caesura", "transcript", "s.txt", "--ref", "r.txt", "--rows", "rows.jsonl", "-f", "csv"]
main()
"""


def without(code, **how):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, check=False, **how
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_is_imported():
    without(EVERYTHING)


def test_a_document_is_scored(tmp_path):
    (tmp_path / "s.txt").write_text("a b // c d")
    (tmp_path / "r.txt").write_text("a b // c d")
    assert ",1.0," in without(SCORE, cwd=tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["r.txt", "rows.jsonl", "s.txt"]


def test_a_path_with_backslashes_is_one_argument(monkeypatch):
    monkeypatch.setattr(programs.os, "name", "nt")
    parts = programs._parts(r'"C:\Program Files\seg.exe" --in {input}')
    assert parts == [r"C:\Program Files\seg.exe", "--in", "{input}"]


@pytest.mark.skipif(sys.platform == "win32", reason="it is the other way round there")
def test_a_folder_is_told_from_a_file_without_permission(tmp_path, monkeypatch):
    """Windows gives PermissionError for a folder."""
    from caesura.errors import SourceError
    from caesura.io import files

    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "FileIO", refuse)
    with pytest.raises(SourceError, match="is a folder, not a file"):
        files.read_bytes(str(tmp_path))
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(SourceError, match="permission denied"):
        files.read_bytes(str(tmp_path / "a.txt"))
