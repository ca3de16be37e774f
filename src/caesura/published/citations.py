"""Citations: the BibTeX of caesura, of what a signature scores, of a measure, and of a set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from caesura import __version__
from caesura.communities import FOLDERS as FOLDERS_OF_COMMUNITIES
from caesura.communities import PROFILES
from caesura.errors import UnknownNameError
from caesura.sets.named_sets import names, test_set
from caesura.tasks import TASKS

FILE = "citations.bib"
FOLDERS = (Path(__file__).parent, *FOLDERS_OF_COMMUNITIES)
_KEYWORDS = re.compile(r",\n  keywords = \{([^}]*)\}")
OURS = "caesura"


@cache
def entries() -> dict[str, tuple[str, frozenset[str]]]:
    """Entries by key: their text, and the tasks, profiles and measures that they are about."""
    read = {}
    for file in (folder / FILE for folder in FOLDERS if (folder / FILE).exists()):
        for text in file.read_text(encoding="utf-8").strip().split("\n\n"):
            key = text.partition("{")[2].partition(",")[0]
            words = _KEYWORDS.search(text)
            about = frozenset(words[1].split(", ")) if words else frozenset()
            read[key] = _KEYWORDS.sub("", text), about
    return read


def citations(name: str = "") -> str:
    """The BibTeX of a name: a measure, task, profile, set, signature or publication.

    For a signature, it is that of caesura, of what was scored, and of the sets that were used.

    >>> citations("windows").count("@article")
    2
    """
    if "|" in name:
        scored = dict(part.partition(":")[::2] for part in name.split("|"))
        also = re.split(r"[,+]", scored.get("also", ""))
        texts = _about({OURS, scored.get("profile") or scored.get("task", ""), *also})
        sets = filter(None, scored.get("set", "").split(","))
        of_sets = (test_set(used.partition("@")[0]).citation.strip() for used in sets)
        return _joined([*texts, *filter(None, of_sets)])
    if name.removeprefix("@") in names():
        cited = test_set(name).citation.strip()
        return f"{cited or _joined(_about({OURS}))}\n"
    known = {word for _, about in entries().values() for word in about}
    if name in known:
        return _joined(_about({name}))
    if name and name not in TASKS and name not in PROFILES:
        choices = sorted(known) + [f"@{each}" for each in names()]
        raise UnknownNameError("measure, profile, task or set", name, choices)
    return _joined(_about({OURS}))


def _about(words: set[str]) -> Iterator[str]:
    return (text for text, about in entries().values() if about & words)


def _joined(texts: Iterable[str]) -> str:
    """Entries, each once, with the version and the address of this caesura."""
    seen: dict[str, str] = {}
    for text in texts:
        title = re.sub(r"[{}\\W]", "", (re.search(r"title = \{(.*)", text) or [text])[0])
        seen.setdefault(title.lower(), text)
    return (
        "\n\n".join(seen.values())
        .replace("VERSION", __version__)
        .replace("REPOSITORY", _repository())
        + "\n"
    )


def _repository() -> str:
    """The address of the project, as the installed package gives it."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata("caesura-eval").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    return next((url.partition(", ")[2] for url in urls), "https://pypi.org/project/caesura-eval/")
