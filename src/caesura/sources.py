"""What the user names: files, folders and globs, matched document by document."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path

from caesura.errors import MissingDocumentError, SourceError, UsageError
from caesura.files import PART, STDIN, is_url, stem

Parts = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Source:
    """One system or reference: a name, and a path or many."""

    name: str
    path: str
    documents: dict[str, str] | None = None

    @classmethod
    def parse(cls, text: str, parts: Parts | None = None) -> Source:
        """Take `PATH` or `NAME=PATH`; a folder or a glob stands for many documents.

        So does a file that holds several recordings, if `parts` can tell their names.
        """
        name, equals, path = text.partition("=")
        if not equals or is_url(text) or Path(text).exists():
            name, path = "", text
        if not path or (equals and not name and path != text):
            raise UsageError(f"'{text}' is neither PATH nor NAME=PATH; give both a name and a path")
        default = Path(path).resolve().name if Path(path).is_dir() else stem(path)
        return cls(name or default, path, _documents(path) or _recordings(path, parts))


@dataclass(frozen=True, slots=True)
class Case:
    """One document in every version: the path of each system and each reference."""

    document: str
    systems: dict[str, str]
    references: dict[str, str]


def match(
    systems: Sequence[Source], references: Sequence[Source], *, missing: str = "error"
) -> list[Case]:
    """Match the sources document by document, in natural order of the documents' names."""
    sources = [*references, *systems]
    require_distinct([source.name for source in sources])
    require_one_stdin([source.path for source in sources])
    if all(source.documents is None for source in sources):
        return [_case(_one_name(sources), systems, references)]
    _require_one_kind(sources)
    names = _shared_names(sources, skip=missing == "skip")
    return [_case(name, systems, references) for name in sorted(names, key=_natural)]


def require_distinct(names: Sequence[str]) -> None:
    """Raise an error if two systems or references have one name."""
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise UsageError(f"the name '{min(twice)}' is used twice; name them apart with NAME=PATH")
    for name in names:
        if name.startswith("-"):
            raise UsageError(f"a name may not begin with '-': '{name}'; use NAME=PATH")


def _case(document: str, systems: Sequence[Source], references: Sequence[Source]) -> Case:
    def paths(sources: Sequence[Source]) -> dict[str, str]:
        return {s.name: s.path if s.documents is None else s.documents[document] for s in sources}

    return Case(document, paths(systems), paths(references))


def _documents(path: str) -> dict[str, str] | None:
    if path == STDIN or is_url(path):
        return None
    place = Path(path)
    if place.is_dir():
        files = [str(p) for p in place.iterdir() if p.is_file() and not p.name.startswith(".")]
        return _by_stem(path, files)
    if place.exists() or not re.search(r"[*?\[]", path):
        return None
    found = glob(path, recursive=True)  # noqa: PTH207
    return _by_stem(path, [file for file in found if Path(file).is_file()])


def _recordings(path: str, parts: Parts | None) -> dict[str, str] | None:
    names = parts(path) if parts is not None and Path(path).is_file() else []
    return {name: f"{path}{PART}{name}" for name in names} if len(names) > 1 else None


def _by_stem(path: str, files: list[str]) -> dict[str, str]:
    if not files:
        raise SourceError(path, "no files", "check the path")
    found: dict[str, str] = {}
    for file in sorted(files):
        if stem(file) in found:
            raise SourceError(
                file, f"a second document named '{stem(file)}', beside {found[stem(file)]}",
                "documents are matched by their names without suffix: rename one",
            )  # fmt: skip
        found[stem(file)] = file
    return found


def _one_name(sources: Sequence[Source]) -> str:
    stems = {stem(source.path) for source in sources}
    return stems.pop() if len(stems) == 1 else "document"


def require_one_stdin(paths: Sequence[str]) -> None:
    """Raise an error if standard input is to be two things at once."""
    if paths.count(STDIN) > 1:
        raise UsageError("standard input ('-') can be read once only; save one to a file")


def _require_one_kind(sources: Sequence[Source]) -> None:
    one = next((source for source in sources if source.documents is None), None)
    many = next(source for source in sources if source.documents is not None)
    if one is not None:
        raise SourceError(
            many.path,
            f"is a folder of documents where {one.path} is one file",
            "give files for all or folders for all",
        )


def _shared_names(sources: Sequence[Source], *, skip: bool) -> set[str]:
    documents = {source.path: set(source.documents or ()) for source in sources}
    shared = set.intersection(*documents.values())
    for path, names in documents.items():
        for other, theirs in documents.items():
            if not skip and theirs - names:
                raise MissingDocumentError(path, min(theirs - names, key=_natural), other)
    if not shared:
        paths = ", ".join(documents)
        raise SourceError(paths, "no document stands in all of them", "match their file names")
    return shared


def _natural(name: str) -> list[tuple[str, int]]:
    """Sort v9 before v10."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]
