"""Names of people and documents, which can also name files and columns, each only once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from caesura.errors import UsageError, shortened

LONGEST = 64
RESERVED = frozenset(
    {"adjudicated", "aside", "guidelines", "log", "machine", "partial", "preannotated", "statement"}
)
"""What an export calls its own files and folders."""
_SUFFIXES = (".jsonl", ".json", ".md", ".txt", ".csv", ".tsv", ".zip")
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
"""What is no file on Windows."""
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Characters without a glyph (Default_Ignorable_Code_Point, and the empty Braille pattern)."""


@lru_cache(4096)
def plain_name(name: str) -> str:
    """A name in NFC, without characters that nobody sees."""
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", name)).split())


def name_key(name: str) -> str:
    """What names have in common that would name the same file on some system.

    >>> name_key("Chloé") == name_key("CHLOE" + chr(0x301)) == name_key("Chloé. ")
    True
    """
    return unicodedata.normalize("NFC", plain_name(name).casefold()).rstrip(". ")


def checked_name(name: str) -> str:
    """A valid name of a document or a person, in NFC."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    is_plain = name.isprintable() and not set(name) & set('/\\:*?"<>|')
    if not name or len(name) > LONGEST or not is_plain or _INVISIBLE.search(name):
        raise UsageError(
            f"'{shortened(name)}' cannot be a name; use up to {LONGEST} letters, digits and spaces"
        )
    if name.startswith((".", "-")) or name.endswith("."):
        raise UsageError(f"a name may not begin with '.' or '-', or end with '.': '{name}'")
    return name


def require_no_file(name: str) -> None:
    """Raise an error if a person's name is that of a file or a folder of an export."""
    key = name_key(name)
    is_file = key.endswith(_SUFFIXES) or key in RESERVED or _DEVICES.fullmatch(key)
    if is_file:
        raise UsageError(f"'{name}' is what an export calls one of its files; choose another name")


def file_names(names: Sequence[str]) -> dict[str, str]:
    """Names of files for documents, whose own may have slashes; no two are the same.

    >>> file_names(["a", "../a", "b/c", "b?c", "A.", "con"])
    {'a': 'a', '../a': '_._a', 'b/c': 'b_c', 'b?c': 'b_c-2', 'A.': 'A-2', 'con': '_con'}
    """
    found: dict[str, str] = {}
    used: set[str] = set()
    for name in names:
        plain = re.sub(r'^\.|[/\\:*?"<>|]|[^\x20-\U0010ffff]', "_", _INVISIBLE.sub("", name))
        plain = (
            unicodedata.normalize("NFC", plain).encode()[:200].decode(errors="ignore").rstrip(". ")
        )
        plain = f"_{plain}" if not plain or _DEVICES.fullmatch(plain.casefold()) else plain
        at, own = 1, plain
        while name_key(own) in used:
            at += 1
            own = f"{plain}-{at}"
        used.add(name_key(own))
        found[name] = own
    return found
