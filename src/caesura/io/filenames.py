"""File names: what the name of a document becomes when a file is named after it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable

LONGEST = 255
"""The bytes that file systems allow in a name."""
FORBIDDEN = re.compile(r'[\x00-\x1f<>:"/\\|?*]' if sys.platform == "win32" else "[\0/]")
FOLDS = sys.platform in ("win32", "darwin")
"""Whether file systems here usually take names for one that differ in case only."""


def file_name(name: str, suffix: str) -> str:
    """A name as that of a file in any folder: no separators, and no longer than allowed.

    >>> file_name("day1/talk", ".txt"), len(file_name("é" * 300, ".txt").encode())
    ('day1_talk.txt', 254)
    """
    kept = FORBIDDEN.sub("_", name)
    room = LONGEST - len(os.fsencode(suffix))
    while len(os.fsencode(kept)) > room:
        kept = kept[: -max(1, (len(os.fsencode(kept)) - room) // 4)]
    return kept + suffix


def first_clash(names: Iterable[str], suffix: str) -> tuple[str, str] | None:
    """The first two names that would be those of one file; None if there are none.

    >>> first_clash(["a/b", "c", "a_b"], ".txt")
    ('a/b', 'a_b')
    """
    seen: dict[str, str] = {}
    for name in names:
        file = file_name(name, suffix)
        other = seen.setdefault(file.casefold() if FOLDS else file, name)
        if other is not name:
            return other, name
    return None
