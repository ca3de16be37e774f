import gzip
import json
import lzma
import os
import re
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Barrier, Thread

import pytest

from caesura.errors import FormatError, SourceError, UsageError
from caesura.io.cwd import paths_from
from caesura.io.files import decode, is_url, read_bytes, read_text, size_of, stem
from caesura.io.paths import stamp
from caesura.io.writing import replacing

POSIX = pytest.mark.skipif(os.name != "posix", reason="modes, links and pipes are POSIX")
NEEDS_BACKPORT = pytest.mark.skipif(sys.version_info >= (3, 14), reason="zstd is built in")


def exactly(message):
    return f"^{re.escape(message)}$"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("v6.txt", "v6"),
        ("refs/v6.txt", "v6"),
        ("/a.b/refs/v6", "v6"),
        ("talk.1.txt", "talk.1"),
        ("v6.txt.gz", "v6"),
        ("v6.txt.xz", "v6"),
        ("v6.txt.zst", "v6"),
        ("v6.gz", "v6"),
        ("s3://bucket/refs/v6.txt.gz", "v6"),
        ("-", "stdin"),
        ("./-", "-"),
    ],
)
def test_stem(path, name):
    assert stem(path) == name


@pytest.mark.parametrize("path", ["s3://a/b", "memory://a", "https://x.y/z.txt"])
def test_is_url(path):
    assert is_url(path)


@pytest.mark.parametrize("path", ["a/b.txt", "C:/a", "://a", "a b://c", "-"])
def test_is_no_url(path):
    assert not is_url(path)


@pytest.mark.parametrize(
    ("suffix", "compress", "padding"),
    [(".gz", gzip.compress, bytes(8)), (".xz", lzma.compress, b"")],
)
def test_compressed_files_of_several_parts(tmp_path, suffix, compress, padding):
    path = tmp_path / f"v6{suffix}"
    path.write_bytes(compress(b"it ") + compress(b"rained") + padding)
    assert read_bytes(str(path)) == b"it rained"


def test_zst(tmp_path):
    if sys.version_info >= (3, 14):
        zstd = pytest.importorskip("compression.zstd")
    else:
        zstd = pytest.importorskip("backports.zstd")
    path = tmp_path / "v6.txt.zst"
    path.write_bytes(zstd.compress(b"it rained") + zstd.compress(b" a lot"))
    assert read_text(str(path)) == "it rained a lot"
    path.write_bytes(b"no zst")
    with pytest.raises(FormatError, match=r"v6\.txt\.zst: not a valid \.zst file"):
        read_bytes(str(path))


@NEEDS_BACKPORT
def test_zst_without_its_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "backports", None)
    path = tmp_path / "v6.zst"
    path.write_bytes(b"")
    cure = "reading .zst needs the package backports.zstd; pip install 'caesura-eval[formats]'"
    with pytest.raises(SourceError, match=exactly(f"{path}: {cure}")):
        read_bytes(str(path))


@pytest.mark.parametrize(
    ("suffix", "data"),
    [
        (".gz", b"no gzip"),
        (".gz", gzip.compress(b"it rained", mtime=0)[:-4]),
        (".gz", gzip.compress(b"it rained", mtime=0)[:10] + b"\xff" * 9),
        (".xz", b"no xz"),
        (".xz", lzma.compress(b"it rained")[:-4]),
    ],
)
def test_a_broken_compressed_file_is_refused(tmp_path, suffix, data):
    path = tmp_path / f"v6{suffix}"
    path.write_bytes(data)
    message = rf"^{re.escape(str(path))}: not a valid \{suffix} file \(.+\); compress it again$"
    with pytest.raises(FormatError, match=message):
        read_bytes(str(path))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent.txt", "no such file or directory; check the path"),
        ("", "is a folder, not a file; name a file in it"),
    ],
)
def test_what_is_no_file(tmp_path, name, message):
    path = tmp_path / name
    with pytest.raises(SourceError, match=exactly(f"{path}: {message}")):
        read_text(str(path))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_that_name_themselves(encoding):
    assert decode("déjà 😀".encode(encoding), "f") == "déjà 😀"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_given_encoding(encoding):
    data = "\ufeffdéjà".encode(encoding)
    assert decode(data, "f") == decode(data, "f", encoding) == "déjà"
    assert decode("déjà".encode("latin-1"), "f", "latin-1") == "déjà"


@pytest.mark.parametrize(
    ("data", "encoding", "place"),
    [
        (b"d\xe9j\xe0", None, "1: byte 0xe9 is not UTF-8"),
        (b"so\r\nit\r\nrain\xff", None, "3: byte 0xff is not UTF-8"),
        (b"it rained \xe2\x80", None, "1: byte 0xe2 is not UTF-8"),
        (b"so\nd\xe9j\xe0", "ascii", "2: byte 0xe9 is not ASCII"),
        (b"\xef\xbb\xbf\n\n\xfe\n", None, "3: byte 0xfe is not UTF-8"),
        # The bytes of both letters hold 0x0a, which is no end of a line here.
        ("ਊĊ\nx".encode("utf-16") + b"\x00\xd8\x00\x00", None, "2: byte 0x00 is not UTF-16-LE"),
    ],
)
def test_bytes_that_are_not_the_encoding(data, encoding, place):
    cure = "save the file as UTF-8, or name its encoding with encoding=…"
    with pytest.raises(FormatError, match=exactly(f"f:{place}; {cure}")):
        decode(data, "f", encoding)


@pytest.mark.parametrize(
    ("data", "line"), [(b"so\nit\0rained", 2), ("it\nrained".encode("utf-16-le"), 1), (b"\0", 1)]
)
def test_nul_bytes(data, line):
    problem = "NUL bytes: not a text file, or UTF-16 without a byte-order mark"
    cure = 'save the file as UTF-8, or try encoding="utf-16-le"'
    with pytest.raises(FormatError, match=exactly(f"f:{line}: {problem}; {cure}")):
        decode(data, "f")


@pytest.mark.parametrize("encoding", ["utf-9", "base64", "undefined"])
def test_an_unknown_encoding(encoding):
    message = f"unknown encoding '{encoding}'; try utf-8, utf-16 or latin-1"
    with pytest.raises(UsageError, match=exactly(message)):
        decode(b"it rained", "f", encoding)


def test_replacing_writes_a_whole_file(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old", encoding="utf-8")
    with replacing(str(path)) as file:
        file.write("déjà\n")
        file.flush()
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_bytes() == "déjà\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def write_and_fail(path, problem):
    with replacing(path) as file:
        file.write("new")
        raise problem


@pytest.mark.parametrize("problem", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("old", ["old", None])
def test_replacing_leaves_the_old_file_when_something_fails(tmp_path, problem, old):
    path = tmp_path / "out.txt"
    if old is not None:
        path.write_text(old, encoding="utf-8")
    with pytest.raises(problem):
        write_and_fail(str(path), problem)
    found = {each.name: each.read_text(encoding="utf-8") for each in tmp_path.iterdir()}
    assert found == ({} if old is None else {"out.txt": old})


@POSIX
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600)])
def test_replacing_honours_the_umask(tmp_path, umask, mode):
    path = tmp_path / "out.txt"
    before = os.umask(umask)
    try:
        with replacing(str(path)) as file:
            file.write("x")
        assert os.umask(umask) == umask
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@POSIX
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_replacing_keeps_the_permissions_of_a_file(tmp_path, mode):
    path, link = tmp_path / "out", tmp_path / "link"
    path.write_text("old")
    path.chmod(mode)
    link.symlink_to(path)
    for place in (path, link):
        with replacing(str(place)) as file:
            assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
            file.write("new")
        assert stat.S_IMODE(path.stat().st_mode) == mode
    assert link.is_symlink()


@POSIX
def test_results_rows_and_report_stay_as_private_as_they_were(folder, run):
    place = folder(s__a="so it\n", s__b="so\nit\n", r__a="so\nit\n", r__b="so\nit\n")
    outputs = {"-o": "out", "--rows": "rows.jsonl", "--html": "page.html"}
    for name in outputs.values():
        old = '{"caesura": "0.2.0"}\n' if name == "rows.jsonl" else "old"
        (place / name).write_text(old)
        (place / name).chmod(0o600)
    given = [each for pair in outputs.items() for each in pair]
    assert run("transcript", "s", "--ref", "r", *given)[0] == 0
    for name in outputs.values():
        assert stat.S_IMODE((place / name).stat().st_mode) == 0o600
        assert len((place / name).read_text()) > 100


def test_replacing_writes_what_is_not_unicode_escaped(tmp_path):
    path = tmp_path / "out"
    with replacing(str(path)) as file:
        file.write("caf\udce9 \ud800")
    assert path.read_text() == "caf\\udce9 \\ud800"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "is a folder; give a file name"),
        ("absent/out.txt", "no such file or directory; choose another path"),
    ],
)
def test_what_cannot_be_replaced(tmp_path, name, message):
    path = tmp_path / name
    with pytest.raises(SourceError, match=exactly(f"{path}: {message}")), replacing(str(path)):
        pass


def test_urls():
    fsspec = pytest.importorskip("fsspec")
    for name, pack in (("V6.txt", bytes), ("V6.txt.gz", gzip.compress)):
        with fsspec.open(f"memory://refs/{name}", "wb") as file:
            file.write(pack(b"it rained"))
        assert read_text(f"memory://refs/{name}") == "it rained"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("memory://Refs/Absent.txt", "no such file or directory; check the path"),
        ("nosuch://x", ".*; install the package that fsspec asks for"),
    ],
)
def test_a_url_that_leads_nowhere(url, message):
    pytest.importorskip("fsspec")
    with pytest.raises(SourceError, match=f"^{url}: {message}$"):
        read_text(url)


def test_http_without_its_package(monkeypatch):
    registry = pytest.importorskip("fsspec.registry")
    monkeypatch.delitem(registry._registry, "http", raising=False)
    monkeypatch.setitem(sys.modules, "fsspec.implementations.http", None)
    with pytest.raises(SourceError, match=r"; pip install 'caesura-eval\[formats\]'$"):
        read_text("http://localhost/v6.txt")


@pytest.fixture
def served(urls, tmp_path):
    """A folder, and the address at which it is served."""
    handler = partial(QuietHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield tmp_path, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


def test_http_is_read_with_the_extra(served, run):
    pytest.importorskip("aiohttp")
    folder, address = served
    (folder / "talk.txt").write_text("it rained // we left")
    (folder / "gold.txt.gz").write_bytes(gzip.compress(b"it rained // we left"))
    status, out, _ = run(
        "transcript", f"{address}/talk.txt", "--ref", f"{address}/gold.txt.gz", "-f", "json"
    )
    assert status == 0
    assert json.loads(out)["systems"][0]["micro"]["f1_mean"] == 1
    status, _, error = run("transcript", f"{address}/none.txt", "--ref", f"{address}/talk.txt")
    assert (status, error) == (
        1, f"error: {address}/none.txt: no such file or directory; check the path\n",
    )  # fmt: skip


def test_urls_without_fsspec(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    message = "s3://a/b: reading URLs needs the package fsspec; pip install 'caesura-eval[formats]'"
    with pytest.raises(SourceError, match=exactly(message)):
        read_text("s3://a/b")


@POSIX
def test_a_pipe_is_written_to_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        read = pool.submit(pipe.read_text)
        with replacing(str(pipe)) as file:
            file.write("through")
        assert read.result(timeout=10) == "through"
    assert pipe.is_fifo()


def test_each_thread_has_its_own_folder(tmp_path):
    """As on a worker that serves several runs at a time."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    both = Barrier(2)

    def read(name):
        with paths_from(str(tmp_path / name)):
            both.wait(timeout=30)
            return read_text("a.txt"), size_of("a.txt"), stamp("a.txt") != ()

    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(read, ["one", "other"]))
    assert found == [("one", 3, True), ("other", 5, True)]
