"""Files that expand without end: refused in one line, with a way to raise the limit."""

import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import SourceError, UsageError
from caesura.io import packed as limits
from caesura.io.files import read_bytes
from caesura.run.inputs import Source

BOMB = b"so it rained\n" * 20_000
CURE = "if it is neither, set CAESURA_MAX_SIZE to a size such as 16G"


def zst(data):
    return pytest.importorskip("backports.zstd").compress(data)


def zipped(data):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("d.txt", data)
    return file.getvalue()


def tarred(data):
    file, info = io.BytesIO(), tarfile.TarInfo("d.txt")
    info.size = len(data)
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


KINDS = {
    "d.txt.gz": gzip.compress,
    "d.txt.xz": lzma.compress,
    "d.txt.zst": zst,
    "x.zip": zipped,
    "x.tgz": tarred,
}


def read_one(path):
    (place,) = (Source.parse(str(path)).documents or {"": str(path)}).values()
    return read_bytes(place)


@pytest.mark.parametrize("name", KINDS)
def test_bombs(tmp_path, monkeypatch, name):
    path = tmp_path / name
    path.write_bytes(KINDS[name](BOMB))
    monkeypatch.setenv(limits.VARIABLE, "100k")
    with pytest.raises(SourceError, match="over 20 times its size, as a damaged or") as error:
        read_one(path)
    assert str(error.value).startswith(str(path))
    assert str(error.value).endswith(CURE)
    monkeypatch.setenv(limits.VARIABLE, "1M")
    assert read_one(path) == BOMB


@pytest.mark.parametrize("name", KINDS)
def test_what_expands_little_is_never_too_large(tmp_path, monkeypatch, name):
    path, text = tmp_path / name, b"a few words\n"
    path.write_bytes(KINDS[name](text))
    monkeypatch.setattr(limits, "LARGEST", 1)
    if name != "x.tgz":
        assert read_one(path) == text


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
def test_an_endless_device(monkeypatch):
    monkeypatch.setenv(limits.VARIABLE, "200000")
    with pytest.raises(SourceError, match="/dev/zero: expands to more than "):
        read_bytes("/dev/zero")
    assert read_bytes("/dev/null") == b""


def test_endless_standard_input(run, folder, monkeypatch):
    folder(a="so it")
    monkeypatch.setenv(limits.VARIABLE, "100K")
    status, _, errors = run("transcript", "S=-", "--ref", "a.txt", stdin=BOMB)
    assert status == 1
    assert errors.startswith("error: -: expands to more than")


@pytest.mark.parametrize("text", ["much", "-1", "1.5G", "G", "9" * 99])
def test_a_limit_that_is_none(monkeypatch, text):
    monkeypatch.setenv(limits.VARIABLE, text)
    with pytest.raises(UsageError, match="give a size such as 500M or 4G"):
        limits.largest()


@given(st.integers(0, 2**40), st.integers(0, 2**50), st.sampled_from(["", "K", "m", "G", "t"]))
def test_limits(packed, given, unit):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(limits.VARIABLE, f" {given}{unit}")
        most = limits.largest(packed)
    assert most >= 20 * packed
    assert most == max(given * 1024 ** "_kmgt".index(unit.lower() or "_") or 1 << 30, 20 * packed)


@pytest.mark.parametrize(
    ("data", "problem"),
    [(b"so\0it", "NUL bytes: not a text file"), (b"x" * (1 << 21), "over 1,048,576 characters")],
)
def test_streams_that_are_no_words(run, data, problem):
    status, _, errors = run("segment", "s1", stdin=data)
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.startswith(f"error: -: {problem}")
