"""Sets by name: what their TOML files say, and where their files are."""

from __future__ import annotations

import hashlib
import os
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from caesura.errors import FormatError, SourceError, UnknownNameError, UsageError
from caesura.io.cwd import exists, local

if TYPE_CHECKING:
    from caesura.core.json_values import JsonObject

PACKAGED = Path(__file__).parent
REFERENCE = "reference"
ROLES = (REFERENCE, "system", "phones", "words")
HERE = "sets"
"""The folder of a project that may hold descriptions of its own sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFile:
    """One file of a set: its name after `@SET/`, and the checksum that its bytes must have.

    `path` is relative to the description. A file without one is downloaded: from its own `url`, or
    as the `member` of the set's archive.
    """

    name: str
    sha256: str
    role: str = REFERENCE
    path: str = ""
    url: str = ""
    member: str = ""
    bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSet:
    """A public test set: what it is, who may use it, whom to cite, and its files."""

    name: str
    title: str
    version: str
    kind: str
    """The command that scores it: `transcript`, `score sighan`."""
    language: str
    size: str
    licence: str
    source: str
    """Where it was published."""
    citation: str = ""
    read: str = ""
    """The format of its files."""
    about: str = ""
    archive: JsonObject = field(default_factory=dict)
    """The file that holds all others: its `url`, `sha256` and `bytes`."""
    files: tuple[SetFile, ...]
    home: Path

    @property
    def signed(self) -> str:
        """How it stands in signatures."""
        return f"{self.name}@{self.version}"

    @property
    def folder(self) -> Path:
        """Where its downloaded files are."""
        return data_folder() / self.signed

    def place(self, file: SetFile) -> Path:
        """Where a file is, or will be."""
        if file.path:
            return self.home / file.path
        return self.folder / (file.name + "".join(Path(file.member or file.url).suffixes[-1:]))

    @property
    def is_here(self) -> bool:
        """Whether all files are in the package or were downloaded."""
        return all(self.place(file).is_file() for file in self.files)

    def file(self, name: str) -> SetFile:
        """The file of a name; an error lists the names that there are."""
        for file in self.files:
            if file.name == name:
                return file
        raise UnknownNameError(f"file of @{self.name}", name, [file.name for file in self.files])

    def path(self, file: SetFile) -> str:
        """The path of a file whose checksum is right; it is never downloaded here."""
        place = self.place(file)
        if not place.is_file():
            cure = f"run: caesura sets get {self.name}" if not file.path else "fix the description"
            raise SourceError(f"@{self.name}/{file.name}", "is not on this machine", cure)
        if checksum(place) != file.sha256:
            cure = "restore the file, or correct its sha256"
            if not file.path:
                cure = f"remove {place.parent} and run: caesura sets get {self.name}"
            raise SourceError(
                str(place), f"is not the file of @{self.name}: checksum differs", cure
            )
        return str(place)


def checksum(path: Path) -> str:
    """The SHA-256 of the bytes of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def data_folder() -> Path:
    """Where sets are downloaded to: CAESURA_DATA, or the user's cache."""
    if os.environ.get("CAESURA_DATA"):
        return Path(os.environ["CAESURA_DATA"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "caesura" / "sets"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "caesura" / "sets"


def folders() -> Iterator[Path]:
    """Where descriptions are: the project's, the user's, and ours; the first of a name counts."""
    yield Path(local(HERE))
    if sys.platform == "win32":
        yield Path(os.environ.get("APPDATA", Path.home())) / "caesura" / "sets"
    else:
        home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        yield Path(home) / "caesura" / "sets"
    yield PACKAGED


def names() -> list[str]:
    """The names of all sets, sorted."""
    found = {path.stem for folder in folders() for path in folder.glob("*.toml")}
    return sorted(found)


def test_set(name: str) -> TestSet:
    """The set of a name, with or without `@`."""
    name = name.removeprefix("@")
    for folder in folders():
        path = folder / f"{name}.toml"
        if name and path.is_file():
            return _described(path)
    raise UnknownNameError("set", f"@{name}", [f"@{each}" for each in names()])


def _described(path: Path) -> TestSet:
    """What a TOML file says; errors name the file."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as problem:
        raise FormatError(str(path), f"is not TOML ({problem})", "fix it") from None
    listed = told.pop("files", [])
    cure = "see docs/sets.md"
    try:
        files = tuple(SetFile(**file) for file in listed)
        found = TestSet(**told, name=path.stem, files=files, home=path.parent)
    except TypeError:
        known = [field.name for field in (*fields(TestSet), *fields(SetFile))]
        given = {*told, *(key for file in listed for key in file)}
        wrong = ", ".join(sorted(given.difference(known))) or "a key is missing"
        raise FormatError(str(path), f"does not describe a set: {wrong}", cure) from None
    if not files or any(file.role not in ROLES for file in files):
        raise FormatError(str(path), "has no files, or one without a known role", cure)
    return found


def is_set(path: object) -> bool:
    """Whether a path names a set: it begins with `@`, and no file has this name."""
    return isinstance(path, str) and path.startswith("@") and len(path) > 1 and not exists(path)


def found_files(text: str) -> tuple[TestSet, list[SetFile]]:
    """The files that `@SET` or `@SET/FILE` names: one, or all references of the set."""
    name, _, part = text.removeprefix("@").partition("/")
    chosen = test_set(name)
    if part:
        return chosen, [chosen.file(part)]
    references = [file for file in chosen.files if file.role == REFERENCE]
    if not references:
        names = ", ".join(f"@{name}/{file.name}" for file in chosen.files)
        raise UsageError(f"@{name} has no references; name one of its files: {names}")
    return chosen, references


def set_path(text: str) -> str:
    """The path of the only file that `@SET` or `@SET/FILE` names; any other path as it is."""
    if not is_set(text):
        return text
    chosen, files = found_files(text)
    if len(files) > 1:
        names = ", ".join(f"{text}/{file.name}" for file in files)
        raise UsageError(f"{text} has several files; name one: {names}")
    return chosen.path(files[0])
