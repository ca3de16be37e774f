"""Paths that say more than where a file is: URLs, recordings, and documents in files of many.

fsspec opens and lists URLs; `::` chains them, as in `zip://a.txt::https://host/b.zip`. It also
separates the path of a file from the name of one of its recordings.

Members are documents in files that hold many, such as archives and tables. Their path says where
they are, so that each is located only once: `SHARD.tar!@OFFSET+SIZE/NAME`,
`SHARD.zip!@0+SIZE/NAME`, `TABLE.parquet!COLUMN@ROW+SIZE/DOCUMENT`,
`TABLE.jsonl!COLUMN@OFFSET+SIZE/DOCUMENT`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from caesura.errors import CaesuraError, SourceError, no_memory, reason
from caesura.io.cwd import local

EXTRA = "pip install 'caesura-eval[formats]'"
PART = "::"
"""Separates the path of a file from the name of one of its recordings, and the links of a chain."""
_OUTER = "(?:zip|tar|libarchive|simplecache|filecache|blockcache|cached|dir|reference)"
_BARE = f"(?:{_OUTER}::)*"
_URL = re.compile(rf"{_BARE}[^\W_]+://")
_INNER = re.compile(rf"{_BARE}(?P<target>{_OUTER}://(?:(?!::).)*)(?P<rest>::.*)", re.DOTALL)
_LINKS = re.compile(rf"(?:{_OUTER}(?:://(?:(?!::).)*)?::)*(?:[^\W_]+://)?(?:\[[^\]/]*)?", re.DOTALL)


def is_url(path: str) -> bool:
    """Whether a path is a URL for fsspec to open."""
    return ":" in path and _URL.match(path) is not None


def target(path: str) -> str:
    """What a chained URL names; any other path is as it was.

    >>> target("zip://d1.txt::/data/a.zip"), target("simplecache::s3://b/a.zip"), target("a.txt")
    ('zip://d1.txt', 's3://b/a.zip', 'a.txt')
    """
    return _cut(path)[1] if PART in path else path


def _cut(url: str) -> tuple[str, str, str]:
    """A URL in what it names, and the links before and after."""
    inner = _INNER.match(url)
    if inner is not None:
        return url[: inner.start("target")], inner["target"], inner["rest"]
    bare = re.match(_BARE, url)
    start = bare.end() if bare is not None and is_url(url) else 0
    return url[:start], url[start:], ""


def split_recording(path: str) -> tuple[str, str]:
    """A path and the name of a recording after it; `::` in a chain or an address is no separator.

    >>> split_recording("a.rttm::talk"), split_recording("http://[::1]:8000/a.rttm")
    (('a.rttm', 'talk'), ('http://[::1]:8000/a.rttm', ''))
    """
    links = _LINKS.match(path)
    at = path.find(PART, links.end() if links is not None and is_url(path) else 0)
    return (path, "") if at < 0 else (path[:at], path[at + len(PART) :])


def open_url(url: str) -> BinaryIO:
    """Open a URL for reading; the contents are fetched when they are read."""
    with reached(url):
        files, path = _place(url)
        opened: Any = files.open(path, "rb")
        # A file system of a chain closes its files when nobody knows it any more.
        opened.files = files
        return cast(BinaryIO, opened)


def list_url(url: str) -> list[str] | None:
    """The files of a folder, or those that match a pattern, as URLs; None if it is one file.

    A last name with a suffix is one file, as is every http URL; no listing is requested then.
    """
    before, named, after = _cut(url)
    is_pattern = any(character in named for character in "*?[")
    if named.startswith("http") or ("." in named.rsplit("/", 1)[-1] and not is_pattern):
        return None
    with reached(url):
        files, path = _place(url)
        if is_pattern:
            names = [name for name in files.glob(path) if files.isfile(name)]
        elif files.isdir(path):
            entries = files.ls(path, detail=True)
            names = [entry["name"] for entry in entries if entry["type"] == "file"]
        else:
            return None
        shown = [name for name in names if not name.rsplit("/", 1)[-1].startswith(".")]
        if before or after:
            return [f"{before}{named.partition('://')[0]}://{name}{after}" for name in shown]
        return [str(files.unstrip_protocol(name)) for name in shown]


def _place(url: str) -> tuple[Any, str]:
    """The file system that a URL names, and the path on it."""
    try:
        import fsspec
    except ImportError:
        raise SourceError(url, "reading URLs needs the package fsspec", EXTRA) from None
    before, named, after = _cut(url)
    if PART in url and not before and not after:
        # The address of a host, [::1], which fsspec would take for a chain.
        kind = fsspec.get_filesystem_class(named.partition("://")[0])
        return kind(**kind._get_kwargs_from_urls(named)), str(kind._strip_protocol(named))
    files, path = fsspec.core.url_to_fs(url)
    return files, str(path)


@contextmanager
def reached(url: str) -> Iterator[None]:
    """Turn anything that goes wrong between here and a URL into an error of one line."""
    try:
        yield
    except CaesuraError:
        raise
    except MemoryError:
        raise no_memory(url) from None
    except Exception as fault:
        raise SourceError(url, *_explained(url, fault)) from None


def _explained(url: str, fault: BaseException) -> tuple[str, str]:
    """What went wrong, and what to do; behind a file that is not there may be another cause."""
    from http import HTTPStatus

    cause = fault.__cause__ if isinstance(fault, FileNotFoundError) else None
    if cause is not None and getattr(cause, "status", 0) != HTTPStatus.NOT_FOUND:
        return _explained(url, cause)
    said = reason(fault)
    if isinstance(fault, ImportError) or "Protocol not known" in said:
        is_http = target(url).startswith("http")
        return said, EXTRA if is_http else "install the package that fsspec asks for"
    if isinstance(fault, NotImplementedError):
        return f"{url.partition('://')[0]}:// cannot list or open this", "download the file first"
    if isinstance(fault, TypeError) and " missing " in said:
        lacks = said.partition(": ")[2]
        return f"fsspec needs more than a URL to open it ({lacks})", "download the file first"
    if isinstance(fault, OSError):
        return said, "check the path"
    return f"fsspec cannot open it ({said})", "check the URL, or download the file first"


# Members

ARCHIVES = (".tar", ".tgz", ".tar.gz", ".tar.xz", ".zip")
PARQUET = ".parquet"
LINES = (".jsonl", ".ndjson")
_HOLDERS = (*ARCHIVES, PARQUET, *LINES)
_SUFFIXES = "|".join(map(re.escape, _HOLDERS))
_INSIDE = re.compile(
    rf"(?P<file>.+?(?:{_SUFFIXES})(?:::[^!]*)?)!(?P<column>[^/!@]*)@(?P<at>\d+)\+(?P<size>\d+)/(?P<name>.*)",
    re.DOTALL,
)
Stamp = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One document in a file of many: where it begins, as bytes or as a row, and its size."""

    file: str
    name: str
    at: int
    size: int
    column: str = ""

    @classmethod
    def from_path(cls, path: str) -> Member | None:
        """Parse the path of a member; None for any other path.

        >>> Member.from_path("refs.tar!@512+40/day1/v6.txt")
        Member(file='refs.tar', name='day1/v6.txt', at=512, size=40, column='')
        """
        parts = _INSIDE.fullmatch(path) if "!" in path else None
        if parts is None:
            return None
        return cls(parts["file"], parts["name"], int(parts["at"]), int(parts["size"]), parts[2])

    def __str__(self) -> str:
        return f"{self.file}!{self.column}@{self.at}+{self.size}/{self.name}"


def file_of(path: str) -> str:
    """The file on disk that holds a path."""
    member = Member.from_path(path)
    return path if member is None else member.file


def stamp(path: str) -> Stamp:
    """The modification time and size of a file, to detect changes; empty if it is not a file."""
    try:
        status = os.stat(local(file_of(path)))  # noqa: PTH116
    except (OSError, ValueError):
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino


def may_hold_many(path: str) -> bool:
    """Whether a file has the suffix of those that may hold many documents."""
    return target(path).lower().endswith(_HOLDERS)


def is_archive(path: str) -> bool:
    """Whether a file holds documents as members."""
    return target(path).lower().endswith(ARCHIVES)


def row_of(path: str) -> Member | None:
    """The row of a table that a path names; None for any other path."""
    member = Member.from_path(path)
    return None if member is None or is_archive(member.file) else member


def recording_of(path: str) -> tuple[str, str]:
    """A path in that of a file and the name of one of its recordings, which may be empty.

    The name of a member of an archive may have a `::` of its own, and so may that of a file.
    """
    if PART not in path or Member.from_path(path) is not None or os.path.exists(local(path)):  # noqa: PTH110
        return path, ""
    return split_recording(path)
