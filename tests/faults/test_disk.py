"""A full disk and a folder that cannot be written: one line, exit 1, nothing half-written."""

import os
import re
import subprocess
import sys
import threading
from io import BufferedWriter
from pathlib import Path

import numpy as np
import pytest

from caesura.detect import weights
from caesura.errors import SourceError
from caesura.io.files import read_bytes
from caesura.io.writing import Sink, temporary, temporary_folder
from support.fault_corpus import COMMAND, SCORE, files_no_larger_than, is_finished, left_behind

pytestmark = pytest.mark.slow

ONE = ("transcript", "s1/d0.txt", "--ref", "anna/d0.txt", "-q")
MADE = {
    "-o": ("made.txt", (*ONE, "-o")),
    "--rows": ("made.jsonl", (*ONE, "--rows")),
    "--html": ("made.html", (*ONE, "--html")),
    "json": ("made.json", (*ONE, "-f", "json", "-o")),
    "convert": ("made.txt", ("convert", "s1/d0.txt", "--overwrite", "-q")),
    "segment": ("made.txt", ("segment", "every:3", "s1/d0.txt", "--overwrite", "-o")),
    "streamed": ("made.txt", ("segment", "s1", "s1/d0.txt", "--overwrite", "-o")),
    "errors": ("made.tsv", ("text", "s1/d0.txt", "--gold", "anna/d0.txt", "--errors")),
}
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="has no such devices")


@pytest.mark.parametrize(("name", "command"), MADE.values(), ids=MADE)
def test_no_room_for_a_file(run, corpus, name, command):
    before = "" if name.endswith(".jsonl") else "old"
    Path(name).write_text(before)
    with files_no_larger_than(10):
        status, _, errors = run(*command, name)
    cure = "raise the limit on the size of files, or "
    assert status == 1
    assert re.fullmatch(
        rf"error: ({re.escape(name)}|temporary files): file too large; {cure}.+\n", errors
    )
    assert not Path(name).exists() or Path(name).read_text() == before
    assert not left_behind()


@LINUX
@pytest.mark.parametrize("command", [each for _, each in MADE.values()], ids=MADE)
@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("/dev/full", "no space left on device; free some space, or choose another path"),
        ("/sys/made.txt", "(permission denied|read-only file system); choose another path"),
    ],
)
def test_devices_and_folders_that_take_nothing(run, corpus, command, place, problem):
    where = Path(place)
    if command[0] in ("convert", "segment"):
        command = (command[0], "--to", "lines", *command[1:])
    status, _, errors = run(*command, where)
    assert status == 1
    assert re.fullmatch(rf"error: {where}: {problem}\n", errors)


def test_a_folder_that_cannot_be_made(run, corpus):
    Path("file").write_text("")
    status, _, errors = run("convert", "s1/d0.txt", "file/new/", "--to", "lines")
    assert (status, errors) == (1, "error: file/new/: not a directory; choose another path\n")


@LINUX
@pytest.mark.parametrize(("command", "buffers"), [(ONE, ""), (("--help",), "1")])
def test_standard_output_is_full(corpus, command, buffers):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            env={**os.environ, "PYTHONUNBUFFERED": buffers},
        )  # fmt: skip
    message = "standard output: no space left on device; free some space, or choose another path"
    assert (done.returncode, done.stderr) == (1, f"error: {message}\n")


@LINUX
def test_standard_error_is_full(corpus):
    with Path("/dev/full").open("w") as full:
        command = [*COMMAND, *(each for each in ONE if each != "-q")]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, check=False)
    assert done.returncode == 1


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="has no such device")
def test_standard_output_by_its_name(corpus):
    command = [*COMMAND, "convert", "s1/d0.txt", "/dev/stdout", "--to", "lines"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == Path("s1/d0.txt").read_bytes()


@pytest.mark.parametrize("name", ["made.jsonl", "made.jsonl.zst"])
@pytest.mark.parametrize(
    ("share", "options"), [(0, ()), (0.001, ()), (0.5, ()), (0.7, ("--with-text",)), (0.99, ())]
)
def test_going_on_when_there_is_room_again(run, corpus, monkeypatch, name, share, options):
    monkeypatch.setattr("caesura.run.rows_writer.SECONDS", -1)
    path, command = Path(name), (*SCORE, "--rows", name, "--engine", "serial", *options)
    assert run(*command)[0] == 0
    expected, size = read_bytes(name), path.stat().st_size
    path.unlink()
    with files_no_larger_than(int(size * share)):
        status, _, errors = run(*command)
    assert status == 1
    assert re.fullmatch(rf"error: ({name}|temporary files): file too large; raise .+\n", errors)
    assert share < 0.2 or "and run it again with --resume" in errors
    assert not left_behind()
    assert path.exists() == (share > 0.1)
    assert not is_finished(path)
    assert run(*command, "--resume")[0] == 0
    assert read_bytes(name) == expected


def test_no_room_for_temporary_files(run, corpus):
    message = r"temporary files: file too large; raise .+, or set TMPDIR to another folder"
    with files_no_larger_than(10), temporary() as file:
        file.write(b"x" * 100)
        with pytest.raises(SourceError, match=message):
            file.flush()
    with files_no_larger_than(10):
        status, _, errors = run(*SCORE, "--run", "same=cmd:cat {input}")
    assert status == 1
    assert re.fullmatch(f"error: {message}\n", errors)


def test_no_folder_for_temporary_files(monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", "/nonexistent")
    message = "^temporary files: no such file or directory; set TMPDIR to another folder$"
    with pytest.raises(SourceError, match=message):
        temporary()
    with pytest.raises(SourceError, match=message), temporary_folder():
        pass


def test_no_room_for_a_model(tmp_path):
    path = tmp_path / "m.npz"
    model = weights.Weights({"w": np.random.default_rng(1).random((99, 99), np.float32)}, (), {})
    with pytest.raises(SourceError, match="file too large"), files_no_larger_than(1000):
        weights.write(str(path), model)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "set_blocking"), reason="needs POSIX")
def test_a_slow_reader_is_waited_for():
    """Of a pipe, say a terminal that another program has set not to block."""
    out, into = os.pipe()
    os.set_blocking(into, False)
    read = []

    def slowly():
        with os.fdopen(out, "rb") as file:
            read.extend(iter(lambda: file.read(50_000), b""))

    reader = threading.Thread(target=slowly)
    with BufferedWriter(Sink(into, "wb", "a pipe")) as stream:
        threading.Timer(0.1, reader.start).start()
        stream.write(b"x" * 400_000)
    reader.join(timeout=30)
    assert b"".join(read) == b"x" * 400_000
