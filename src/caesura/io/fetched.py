"""Bytes from elsewhere than files: standard input, URLs, archives, tables."""

from __future__ import annotations

from functools import lru_cache
from typing import TextIO

from caesura.errors import FormatError
from caesura.io.archives import read_member
from caesura.io.column_files import read_cell
from caesura.io.limits import contents
from caesura.io.members import Member, is_archive
from caesura.io.urls import PART, open_url, reached


@lru_cache(maxsize=1)
def everything(stream: TextIO) -> bytes:
    """The contents of a stream, which can be read again."""
    return contents(stream.buffer, "-")


def fetched(url: str) -> bytes:
    """The bytes at a URL."""
    with reached(url), open_url(url) as file:
        known = 0 if PART in url else getattr(file, "size", None) or 0
        return contents(file, url, known)


def inside(member: Member) -> bytes:
    """One document of a file that holds many."""
    if is_archive(member.file):
        return read_member(member)
    cell = read_cell(member)
    if isinstance(cell, str):
        return cell.encode()
    problem = f"the column '{member.column}' contains boundaries, not text"
    raise FormatError(str(member), problem, "give the source the name of a column of texts")
