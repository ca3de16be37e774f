"""Sources: files, folders and globs, matched document by document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from caesura.core.escapes import as_name
from caesura.errors import (
    MissingDocumentError,
    SourceError,
    UnknownNameError,
    UsageError,
    number,
    option,
)
from caesura.io.cwd import exists, is_file, listed
from caesura.io.files import STDIN, size_of, stem
from caesura.io.paths import PART, Member, is_archive, is_url, list_url, may_hold_many, recording_of
from caesura.run.naming import default_name, distinct_names

Parts = Callable[[str], Mapping[str, Sequence[str]]]
"""Takes a path and returns the recordings in the file by version, empty if there is only one."""
_NUMBERS = re.compile(r"(\D*)(\d*)")
Named = dict[str, Any]
"""Documents by name, or versions of one: the path of each, or what is in memory."""


@dataclass(frozen=True, slots=True)
class Source:
    """One system or reference: a name, and a path or many; or what is in memory already.

    `value` is the only document, `documents` holds many, by their names. A name that the user did
    not give comes from the path, and may become longer. `who` says which of the versions in a
    file it is, if the file holds several.
    """

    name: str
    path: str
    documents: Mapping[str, Any] | None = None
    value: Any = None
    is_named: bool = True
    who: str = ""

    def __post_init__(self) -> None:
        """Write every name in one form, so that equal ones match."""
        for name in (self.name, *(self.documents or ())):
            if not isinstance(name, str):
                raise UsageError(f"{name!r:.60} is not a name; give a text, such as '{name!s:.60}'")
        object.__setattr__(self, "name", as_name(self.name))
        if self.documents is not None and not all(map(str.isascii, self.documents)):
            found: Named = {}
            for name, version in self.documents.items():
                add_document(found, as_name(name), version)
            object.__setattr__(self, "documents", found)

    @property
    def version(self) -> Any:
        """The only document: its path, or itself."""
        return self.path if self.value is None else self.value

    @property
    def shown(self) -> str:
        """Its path, or the name of what is in memory."""
        return self.name if self.path == f"<{self.name}>" else self.path

    @classmethod
    def parse(cls, text: str) -> Source:
        """Take `PATH` or `NAME=PATH`; a folder or a glob stands for many documents."""
        return cls.parse_each(text)[0]

    @classmethod
    def parse_each(cls, text: str, parts: Parts | None = None) -> list[Source]:
        """The same, also for files that hold several recordings, if `parts` returns their names.

        A file that holds several versions stands for as many sources.
        """
        name, path = named_path(text)
        return cls.from_path(path, name, parts)

    @classmethod
    def from_path(cls, path: str, name: str, parts: Parts | None = None) -> list[Source]:
        """The sources at a path, with a name, or without."""
        used, (file, wanted) = name or default_name(path), recording_of(path)
        documents = _documents(path, used)
        found = parts(file) if not documents and parts and is_file(file) else {}
        if not found or "" in found:
            names = found.get("", ())
            if not documents and not wanted and len(names) > 1:
                documents = {each: f"{path}{PART}{each}" for each in names}
            return [cls(used, path, documents, is_named=bool(name))]
        chosen = _chosen_versions(file, wanted, found)
        documents_in = {document for names in found.values() for document in names}
        is_only = len(documents_in) == 1 or wanted not in ("", *found)
        return [
            cls._from_version(version, f"{file}{PART}{version}", names, is_only=is_only)._called(
                name if len(chosen) == 1 else f"{name}/{version}" if name else ""
            )
            for version, names in chosen.items()
        ]

    @classmethod
    def _from_version(
        cls, version: str, path: str, names: Sequence[str], *, is_only: bool
    ) -> Source:
        """One of the versions in a file; of the only document, that document."""
        if is_only:
            path = f"{path}/{names[0]}"
        documents = None if is_only else {name: f"{path}/{name}" for name in names}
        return cls(version, path, documents, is_named=False, who=version)

    def _called(self, name: str) -> Source:
        """The same under a name that the user gave, if any."""
        return replace(self, name=name, is_named=True) if name else self

    def each(self) -> list[Source]:
        """Each of its documents as a source of its own."""
        if self.documents is None:
            return [self]
        return [
            Source(name, version, is_named=False)
            if isinstance(version, str)
            else Source(name, f"<{name}>", value=version)
            for name, version in self.documents.items()
        ]


@dataclass(frozen=True, slots=True)
class Case:
    """One document in every version: where each system and reference has it, or what they have."""

    document: str
    systems: Named
    references: Named

    @property
    def files(self) -> list[str]:
        """The files that it is read from."""
        versions = (*self.systems.values(), *self.references.values())
        return [each for each in versions if isinstance(each, str)]

    @property
    def weight(self) -> int:
        """The number of bytes to read, as far as it is known."""
        return sum(map(size_of, self.files))


def weights(cases: Sequence[Case]) -> list[int]:
    """The bytes to read for each case, as far as known; recordings share the size of their file."""
    file = {path: recording_of(path)[0] for case in cases for path in case.files}
    size = {each: size_of(each) // times for each, times in Counter(file.values()).items()}
    return [sum(size[file[path]] for path in case.files) for case in cases]


class FileNames:
    """The names of the files in which versions have documents, as messages show them."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = {case.document: case for case in cases}
        self.times: dict[str, Counter[str]] = {}
        """How many files of a document have each name, of those that were asked for."""

    def __call__(self, document: str, version: str) -> str:
        """The file's name, with its folder's if another version has a file of that name.

        A document in memory, or one that a detector makes, has the names it is known by.
        """
        case = self.cases[document]
        path = {**case.references, **case.systems}.get(version)
        if not isinstance(path, str) or path == STDIN:
            return version if len(self.cases) == 1 else f"{version}/{document}"
        member = Member.from_path(path)
        if member is not None:  # without where the document is in its file
            path = f"{member.file}{member.column and f'!{member.column}'}/{member.name}"
        parts = Path(path).parts
        if document not in self.times:
            self.times[document] = Counter(Path(each).name for each in case.files)
        twice = self.times[document][parts[-1]] > 1
        return as_name("/".join(parts[-2:] if twice else parts[-1:]))


def named_path(text: str) -> tuple[str, str]:
    """The name and the path of `NAME=PATH`; of `PATH`, the name is empty."""
    name, equals, path = text.partition("=")
    if not equals or is_url(text) or exists(text):
        name, path = "", text
    if not path or (equals and not name and path != text):
        raise UsageError(f"'{text}' is neither PATH nor NAME=PATH; give a name and a path")
    return name, path


def match(
    systems: Sequence[Source],
    references: Sequence[Source],
    *,
    missing: str = "error",
    may_vary: bool = False,
) -> list[Case]:
    """Match the sources document by document, in natural order of the documents' names.

    With `missing="vary"` a case has the versions that there are, with at least one reference.
    """
    sources = [*references, *systems]
    require_one_stdin([source.path for source in sources if source.value is None])
    require_distinct([source.name for source in sources])
    if all(source.documents is None for source in sources):
        stems = {stem(source.path) for source in sources if source.value is None}
        name = stems.pop() if len(stems) == 1 else "document"
        return [_case(name, systems, references)]
    _require_one_kind(sources)
    if missing == "vary":
        names = {name for source in references for name in source.documents or ()}
    else:
        names = _shared_names(sources, skip=missing == "skip", may_vary=may_vary)
    return [_case(name, systems, references) for name in sorted(names, key=natural)]


def with_distinct_names(sources: Sequence[Source], taken: Collection[str] = ()) -> list[Source]:
    """The same sources; names that come from paths are as long as it takes to be distinct."""
    names = [*taken, *(source.name for source in sources)]
    if len(set(names)) == len(names):
        return list(sources)
    sources = _with_files(sources)
    given = [*taken, *(source.name for source in sources if source.is_named)]
    found = iter(distinct_names([each.path for each in sources if not each.is_named], given))
    return [each if each.is_named else replace(each, name=next(found)) for each in sources]


def _with_files(sources: Sequence[Source]) -> list[Source]:
    """Sources in which versions inside a file have the name of the file, too."""
    inside = [each for each in sources if each.who and not each.is_named]
    files = list(dict.fromkeys(recording_of(each.path)[0] for each in inside))
    names = dict(zip(files, distinct_names(files), strict=True))
    return [
        each._called(f"{names[recording_of(each.path)[0]]}/{each.who}")
        if each.who and not each.is_named
        else each
        for each in sources
    ]


def require_distinct(names: Sequence[str]) -> None:
    """Raise an error if two systems or references have the same name."""
    if len(set(names)) < len(names):
        twice = min(name for name, times in Counter(names).items() if times > 1)
        raise UsageError(f"the name '{twice}' is used twice; give different names with NAME=PATH")
    for name in names:
        if name.startswith("-"):
            raise UsageError(f"a name may not begin with '-': '{name}'; use NAME=PATH")


def _case(document: str, systems: Sequence[Source], references: Sequence[Source]) -> Case:
    """A document, where those have it that have it."""
    ours, theirs = (
        {
            each.name: each.version if each.documents is None else each.documents[document]
            for each in sources
            if each.documents is None or document in each.documents
        }
        for sources in (systems, references)
    )
    return Case(document, ours, theirs)


def _documents(path: str, name: str) -> dict[str, str] | None:
    """The paths of many documents by their names; None if a path is one document."""
    files = None if path == STDIN else list_url(path) if is_url(path) else listed(path)
    if files is None:
        return _inside(path, name)
    found: dict[str, str] = {}
    for file in sorted(files):
        for document, place in (_inside(file, name) or {stem(file): file}).items():
            add_document(found, document, place)
    if not found:
        raise SourceError(path, "no files", "check the path")
    return found


def _inside(path: str, name: str) -> dict[str, str] | None:
    """The documents of an archive or a table; None if a file is neither."""
    if path == STDIN or not may_hold_many(path) or recording_of(path)[1]:
        return None
    if not (is_url(path) or is_file(path)):
        return None
    from caesura.io.column_files import documents as rows_of
    from caesura.io.column_files import is_table
    from caesura.io.packed import members

    found: dict[str, str] = {}
    if is_archive(path):
        for member in members(path):
            add_document(found, stem(member.name), str(member))
    elif is_table(path):
        for member in rows_of(path, name):
            add_document(found, member.name, str(member))
    else:
        return None
    if not found:
        raise SourceError(path, "contains no documents", "check the file")
    return found


def add_document(found: Named, document: str, version: object) -> None:
    """Add a document under its name; an error if another has it."""
    if document in found:
        both = version, found[document]
        place, other = (each if isinstance(each, str) else "in memory" for each in both)
        raise SourceError(
            place, f"a second document named '{document}' (the first is {other})",
            "documents are matched by name without suffix; rename one",
        )  # fmt: skip
    found[document] = version


def _chosen_versions(
    file: str, wanted: str, found: Mapping[str, Sequence[str]]
) -> Mapping[str, Sequence[str]]:
    """All versions in a file, or the one that is named, as `VERSION` or `VERSION/DOCUMENT`."""
    if not wanted:
        return found
    labels = {f"{version}/{name}": version for version, names in found.items() for name in names}
    if wanted in found:
        return {wanted: found[wanted]}
    if wanted in labels:
        version = labels[wanted]
        return {version: [wanted.removeprefix(f"{version}/")]}
    raise UnknownNameError(f"version in {file}", wanted, found)


def require_one_stdin(paths: Sequence[str]) -> None:
    """Raise an error if standard input is used twice."""
    if paths.count(STDIN) > 1:
        raise UsageError("standard input ('-') can be read only once; save one to a file")


def _require_one_kind(sources: Sequence[Source]) -> None:
    one = next((source for source in sources if source.documents is None), None)
    many = next(source for source in sources if source.documents is not None)
    if one is None:
        return
    if many.documents and is_file(many.path):
        names = sorted(many.documents, key=natural)
        what = f"{number(len(names), 'document')}: {', '.join(names[:3])}{' …' * (len(names) > 3)}"
        cure = "give files with the same documents"
        raise SourceError(many.path, f"holds {what}, where {one.path} holds one", cure)
    raise SourceError(
        many.path,
        f"is a folder of documents where {one.path} is one file",
        "give files for all or folders for all",
    )


def _shared_names(sources: Sequence[Source], *, skip: bool, may_vary: bool) -> set[str]:
    documents = {source.path: set(source.documents or ()) for source in sources}
    shared, every = set.intersection(*documents.values()), set().union(*documents.values())
    path = next((path for path, names in documents.items() if len(names) < len(every)), None)
    if path is not None and not skip:
        missing = (
            (other, theirs - documents[path])
            for other, theirs in documents.items()
            if theirs - documents[path]
        )
        other, names = next(missing)
        raise MissingDocumentError(path, min(names, key=natural), other, may_vary=may_vary)
    if not shared:
        paths = ", ".join(documents)
        vary = f", or score each with what it has: {option('missing', 'vary')}" if may_vary else ""
        cure = f"use the same file names{vary}"
        raise SourceError(paths, "no document is in all of them", cure)
    return shared


def not_matched(sources: Sequence[Source]) -> dict[str, str]:
    """The documents that are not in all sources, in natural order, and where they are missing."""
    every = {name for source in sources for name in source.documents or ()}
    lacking = {
        name: [each.shown for each in sources if name not in (each.documents or ())]
        for name in sorted(every, key=natural)
    }
    return {name: f"not in {', '.join(paths)}" for name, paths in lacking.items() if paths}


def without_reference(systems: Sequence[Source], references: Sequence[Source]) -> dict[str, str]:
    """The documents that systems have and no reference does, in natural order, and why."""
    known = {name for source in references for name in source.documents or ()}
    every = {name for source in systems for name in source.documents or ()}
    return dict.fromkeys(sorted(every - known, key=natural), "in no reference")


def natural(name: str) -> list[tuple[str, int, str]]:
    """Sort v9 before v10; numbers may have any number of digits."""
    parts = ((text, digits.lstrip("0")) for text, digits in _NUMBERS.findall(name))
    return [(text, len(digits), digits) for text, digits in parts]
