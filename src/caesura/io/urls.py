"""URLs, which fsspec opens and lists; `::` chains them, as in `zip://a.txt::https://host/b.zip`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from caesura.errors import CaesuraError, SourceError, no_memory, reason

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
    named = target(url)
    is_pattern = any(character in named for character in "*?[")
    if named.startswith("http") or ("." in named.rsplit("/", 1)[-1] and not is_pattern):
        return None
    with reached(url):
        files, path = _place(url)
        if is_pattern:
            found = [name for name in files.glob(path) if files.isfile(name)]
        elif files.isdir(path):
            entries = files.ls(path, detail=True)
            found = [entry["name"] for entry in entries if entry["type"] == "file"]
        else:
            return None
        shown = [name for name in found if not name.rsplit("/", 1)[-1].startswith(".")]
        return [_full(url, files, name) for name in shown]


def _full(url: str, files: Any, name: str) -> str:
    """The URL of a file that was listed at another."""
    before, named, after = _cut(url)
    if before or after:
        return f"{before}{named.partition('://')[0]}://{name}{after}"
    return str(files.unstrip_protocol(name))


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
