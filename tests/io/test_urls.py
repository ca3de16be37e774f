"""URLs: chains with `::`, addresses with `::`, recordings after `::`; what fsspec cannot open."""

import zipfile
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import CaesuraError, SourceError
from caesura.formats.transcripts import read
from caesura.io.files import read_bytes, recording_of, stem, suffix_of
from caesura.io.paths import is_url, split_recording, target
from caesura.run.inputs import Source

RTTM = "LEXEME {0} 1 0 1 yes lex ann <NA>\nSU {0} 1 0 1 <NA> statement ann <NA>\n"


@pytest.fixture
def packed(urls, tmp_path, monkeypatch):
    config = pytest.importorskip("fsspec.config")
    # Its own temporary folder would stay until this process ends.
    monkeypatch.setitem(config.conf, "simplecache", {"cache_storage": str(tmp_path / "cache")})
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.writestr("d1.txt", "so it\nrained\n")
        archive.writestr("in/d2.txt", "a lot\n")
        archive.writestr("x::y.txt", "yes\nno\n")
        archive.writestr("t.rttm", RTTM.format("talk") + RTTM.format("other"))
    return str(tmp_path / "a.zip")


@pytest.mark.parametrize("before", ["", "simplecache::"])
def test_chains(packed, before):
    url = f"{before}zip://d1.txt::{packed}"
    source = Source.parse(url)
    assert (source.name, source.documents) == ("d1", None)
    assert read(source.path).segmentation.masses.tolist() == [2, 1]
    assert (stem(url), suffix_of(url)) == ("d1", ".txt")
    assert read(f"{before}zip://t.rttm::{packed}::other").words == ["yes"]
    with pytest.raises(CaesuraError, match=r"recording in .*zip.*'tal'.*did you mean"):
        read(f"{before}zip://t.rttm::{packed}::tal")


def test_chains_are_listed(packed):
    source = Source.parse(f"S=zip://d*.txt::{packed}")
    assert set(source.documents) == {"d1"}
    assert read_bytes(source.documents["d1"]) == b"so it\nrained\n"
    source = Source.parse(f"zip://in::{packed}")
    assert {name: read_bytes(path) for name, path in source.documents.items()} == {"d2": b"a lot\n"}


def test_an_archive_at_the_end_of_a_chain(packed):
    source = Source.parse(f"simplecache::file://{packed}")
    assert set(source.documents) == {"d1", "d2", "x::y", "t"}
    assert read_bytes(source.documents["d1"]) == b"so it\nrained\n"


def test_names_with_the_separator(packed):
    (place,) = (path for name, path in Source.parse(packed).documents.items() if "::" in name)
    assert read(place).words == ["yes", "no"]
    Path("u::v.txt").write_text("so it")
    assert recording_of("u::v.txt") == ("u::v.txt", "")
    assert recording_of("w::v.txt") == ("w", "v.txt")


@pytest.mark.parametrize(
    "place",
    [
        "http://[::1]:8000/a.rttm", "http://[::1", "a.rttm", "zip://a.rttm::/p/a.zip",
        "simplecache::http://h/a.rttm", "simplecache::zip://a.rttm::s3://b/a.zip", "s3://b/a.rttm",
        "zip://a.rttm::http://[2001::1]/a.zip",
    ],
)  # fmt: skip
def test_where_a_recording_begins(place):
    assert split_recording(place) == (place, "")
    if "[" not in place or "]" in place:
        assert split_recording(f"{place}::talk::1") == (place, "talk::1")


NAMES = st.text("ab.:/[]*", max_size=8)
LINKS = st.lists(st.sampled_from(["zip://", "simplecache::", "http://", "::", "[::1]"]) | NAMES)


@given(LINKS.map("".join))
def test_a_path_is_never_changed(path):
    place, recording = split_recording(path)
    assert path in {place, f"{place}::{recording}"}
    assert target(path) in path
    assert is_url(path) in {True, False}


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://[::1", "fsspec cannot open it (Invalid IPv6 URL); check the URL, or download"),
        ("reference://x", "fsspec needs more than a URL to open it ('fo'); download the file"),
        ("jupyter://h/x", "fsspec needs more than a URL to open it ('url'); download the file"),
        ("github://x.txt", "fsspec needs more than a URL to open it ('org' and 'repo'); download"),
        ("data://x", "fsspec cannot open it ("),
        ("zip://d9.txt::{}", "fsspec cannot open it ("),
        ("tar://d1.txt::{}", "fsspec cannot open it ("),
        ("nosuch://[::1]/x", "Protocol not known: nosuch; install the package that fsspec asks"),
    ],
)
def test_what_fsspec_cannot_open(packed, url, message):
    if url.startswith(("jupyter", "github")):
        pytest.importorskip("requests")
    url = url.format(packed)
    with pytest.raises(SourceError) as error:
        read(Source.parse(f"S={url}").path)
    assert str(error.value).startswith(f"{url}: {message}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("fault", [NotImplementedError, EOFError, MemoryError, OSError("gone")])
def test_file_systems_that_fail(packed, monkeypatch, fault):
    from fsspec.implementations.memory import MemoryFileSystem

    def fails(*_, **__):
        raise fault

    for name in ("isdir", "open"):
        monkeypatch.setattr(MemoryFileSystem, name, fails)
    for use in (Source.parse, partial(read, input="lines")):
        with pytest.raises(SourceError, match=r"^memory://x: .*; "):
            use("memory://x")
