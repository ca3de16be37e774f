"""URLs, which fsspec opens and lists."""

from __future__ import annotations

from typing import Any, BinaryIO

from caesura.errors import SourceError

EXTRA = "pip install 'caesura[formats]'"


def is_url(path: str) -> bool:
    """Whether a path is a URL for fsspec to open."""
    scheme, colon, _ = path.partition("://")
    return bool(colon) and scheme.isalnum()


def open_url(url: str) -> BinaryIO:
    """Open a URL for reading; the contents are fetched when they are read."""
    files, path = _place(url)
    opened: BinaryIO = files.open(path, "rb")
    return opened


def list_url(url: str) -> list[str] | None:
    """The files of a folder, or those that match a pattern, as URLs; None if it is one file.

    A last name with a suffix is one file, as is every http URL; no listing is requested then.
    """
    is_pattern = any(character in url for character in "*?[")
    if url.startswith("http") or ("." in url.rsplit("/", 1)[-1] and not is_pattern):
        return None
    files, path = _place(url)
    if is_pattern:
        found = [name for name in files.glob(path) if files.isfile(name)]
    elif files.isdir(path):
        found = [entry["name"] for entry in files.ls(path, detail=True) if entry["type"] == "file"]
    else:
        return None
    shown = [name for name in found if not name.rsplit("/", 1)[-1].startswith(".")]
    return [str(files.unstrip_protocol(name)) for name in shown]


def _place(url: str) -> tuple[Any, str]:
    """The file system that a URL names, and the path on it."""
    try:
        import fsspec
    except ImportError:
        raise SourceError(url, "reading URLs needs the package fsspec", EXTRA) from None
    try:
        files, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as problem:
        cure = EXTRA if url.startswith("http") else "install the package that fsspec asks for"
        raise SourceError(url, str(problem), cure) from None
    return files, str(path)
