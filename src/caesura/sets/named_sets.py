"""Sets by name: what their TOML files say, where their files are, and `@SET` in what is given."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from caesura.errors import FormatError, SourceError, UnknownNameError, UsageError, option
from caesura.io.cwd import exists, is_dir, local
from caesura.io.files import stem

PACKAGED = Path(__file__).parent
REFERENCE = "reference"
ROLES = (REFERENCE, "system", "phones", "words")
FOLDER = "CAESURA_SETS"
"""The environment variable that names a folder of the user's own descriptions."""
_CHOSEN: ContextVar[str] = ContextVar("sets", default="")
PLAIN = re.compile(r"\w[\w.+-]{0,99}")
"""Names and versions, which become names of files in the cache."""
ALLOWED: dict[str, tuple[str, str]] = {
    "name": (PLAIN.pattern, "a plain word"),
    "version": (PLAIN.pattern, "a plain word"),
    "sha256": ("[0-9a-f]{64}", "64 hexadecimal digits in lower case"),
    "role": ("|".join(ROLES), f"one of {', '.join(ROLES)}"),
    "bytes": (r"\d+", "a number of bytes"),
}
"""What values of a description must match, and how messages say it."""


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
    archive: SetFile | None = None
    """The file that holds all others."""
    files: tuple[SetFile, ...]
    home: Path

    @property
    def warning(self) -> str:
        """That a bundled set of the same name is not used; empty if there is none."""
        if self.home == PACKAGED or not (PACKAGED / f"{self.name}.toml").is_file():
            return ""
        return f"@{self.name} is {self.home / self.name}.toml, not the set that comes with caesura"

    @property
    def signed(self) -> str:
        """How it stands in signatures."""
        return f"{self.name}@{self.version}"

    @property
    def folder(self) -> Path:
        """Where its downloaded files are: in CAESURA_DATA, or in the user's cache."""
        chosen = os.environ.get("CAESURA_DATA")
        cache = Path(chosen) if chosen else _of_user("LOCALAPPDATA", "XDG_CACHE_HOME", ".cache")
        return cache / self.signed

    def place(self, file: SetFile) -> Path:
        """Where a file is, or will be."""
        if file.path:
            return self.home / file.path
        return self.folder / (file.name + "".join(Path(file.member or file.url).suffixes[-1:]))

    @property
    def is_here(self) -> bool:
        """Whether all files are in the package or were downloaded."""
        return all(self.place(file).is_file() for file in self.files)

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


def _of_user(on_windows: str, elsewhere: str, default: str) -> Path:
    """A folder of the user for sets, where the system's variable says, or below their home."""
    if sys.platform == "win32":
        home = Path(os.environ.get(on_windows, Path.home()))
    else:
        home = Path(os.environ.get(elsewhere) or Path.home() / default)
    return home / "caesura" / "sets"


@contextmanager
def sets_from(folder: str) -> Iterator[None]:
    """Let a folder, if one is given, come first among those that describe sets."""
    token = _CHOSEN.set(folder or _CHOSEN.get())
    try:
        yield
    finally:
        _CHOSEN.reset(token)


def folders() -> Iterator[Path]:
    """Where descriptions are: a folder that is named, the user's, and ours; the first counts.

    A folder of the working directory is not among them unless it is named: whoever made that
    directory would decide what a name means.
    """
    if chosen := _CHOSEN.get() or os.environ.get(FOLDER):
        if not is_dir(local(chosen)):
            raise UsageError(f"{chosen} is not a folder; correct {option('sets', '…')} or {FOLDER}")
        yield Path(local(chosen))
    yield _of_user("APPDATA", "XDG_CONFIG_HOME", ".config")
    yield PACKAGED


def names() -> list[str]:
    """The names of all sets, sorted."""
    known = {path.stem for folder in folders() for path in folder.glob("*.toml")}
    return sorted(filter(PLAIN.fullmatch, known))


def test_set(name: str) -> TestSet:
    """The set of a name, with or without `@`."""
    name = name.removeprefix("@")
    for folder in folders():
        path = folder / f"{name}.toml"
        if PLAIN.fullmatch(name) and path.is_file():
            return _described(path)
    raise UnknownNameError("set", f"@{name}", [f"@{each}" for each in names()])


def _described(path: Path) -> TestSet:
    """What a TOML file says; errors name the file."""
    try:
        about = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError, RecursionError) as problem:
        raise FormatError(str(path), f"is not TOML ({problem})", "fix it") from None
    tables, packed = about.pop("files", None), about.pop("archive", None)
    if not tables or not isinstance(tables, list):
        raise FormatError(str(path), "has no files", "add a table [[files]] for each")
    files = tuple(_record(path, SetFile, table) for table in tables)
    archive = None if packed is None else _record(path, SetFile, packed, name="archive")
    for file in files:
        if not (file.path or file.url or (file.member and archive and archive.url)):
            cure = "give it a path, a url, or a member and the url of an [archive]"
            raise FormatError(str(path), f"does not say where {file.name} is", cure)
    made: TestSet = _record(
        path, TestSet, about, name=path.stem, home=path.parent, files=files, archive=archive
    )
    return made


def _record(path: Path, kind: type[Any], table: Any, **known: object) -> Any:
    """What a table of a description says, if all its keys and values are allowed."""
    declared = {each.name: each for each in fields(kind) if each.name not in known}
    if not isinstance(table, dict):
        problems = ["a file or the archive is not a table"]
    else:
        needed = [name for name, each in declared.items() if each.default is MISSING]
        problems = [f"{name} is missing" for name in needed if name not in table]
        problems += [_problem(key, table[key], declared) for key in table]
    if wrong := next(filter(None, problems), None):
        raise FormatError(str(path), f"does not describe a set: {wrong}", "see docs/sets.md")
    return kind(**known, **table)


def _problem(key: str, value: Any, declared: Mapping[str, Any]) -> str:
    """What is wrong with a value of a description; empty if nothing is."""
    if key not in declared:
        return f"{key!r} is unknown"
    if type(value).__name__ != declared[key].type:
        return f"{key} is not {'a string' if declared[key].type == 'str' else 'a number'}"
    pattern, meaning = ALLOWED.get(key, (r"(?s:.*)", ""))
    if not re.fullmatch(pattern, str(value)):
        return f"{key} {value!r} is not {meaning}"
    return "" if "".join(str(value).split()).isprintable() else f"{key} has control characters"


def is_set(path: object) -> bool:
    """Whether a path names a set: it begins with `@`, and no file has this name."""
    return isinstance(path, str) and path.startswith("@") and len(path) > 1 and not exists(path)


def found_files(text: str) -> tuple[TestSet, list[SetFile]]:
    """The files that `@SET` or `@SET/FILE` names: one, or all references of the set."""
    name, _, part = text.removeprefix("@").partition("/")
    chosen = test_set(name)
    if part:
        named = [file for file in chosen.files if file.name == part]
        if not named:
            known = [file.name for file in chosen.files]
            raise UnknownNameError(f"file of @{chosen.name}", part, known)
        return chosen, named[:1]
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


class Expansion:
    """Replaces the names of sets by paths, and keeps the sets that were named."""

    def __init__(self) -> None:
        self.used: dict[TestSet, None] = {}

    @property
    def signature(self) -> str:
        """What the sets add to the signature of a run."""
        return f"|set:{','.join(used.signed for used in self.used)}" if self.used else ""

    def __call__(self, given: object) -> Any:
        """What is given, with paths in place of sets; other values as they are."""
        if isinstance(given, str):
            paths = self._paths(given)
            return paths[0] if len(paths) == 1 else paths
        if isinstance(given, Mapping):
            return {name: self.path(each) for name, each in given.items()}
        if isinstance(given, list | tuple):
            texts = [self._paths(each) if isinstance(each, str) else [each] for each in given]
            return type(given)(path for each in texts for path in each)
        return given

    def path(self, given: Any) -> Any:
        """The path of the only file of a set that is named; other values as they are."""
        if not is_set(given):
            return given
        path = set_path(given)
        self.used[found_files(given)[0]] = None
        return path

    def _paths(self, text: str) -> list[str]:
        """`@SET` and `NAME=@SET` as NAME=PATH, one for each file; any other text as it is."""
        name, equals, path = text.partition("=")
        if not equals or text.startswith("@") or exists(text):
            name, path = "", text
        if not is_set(path):
            return [text]
        chosen, files = found_files(path)
        self.used[chosen] = None
        names = {file.name: f"{name}/{file.name}" if name else file.name for file in files}
        if name and len(files) == 1:
            names[files[0].name] = name
        paths = {file.name: chosen.path(file) for file in files}
        return [
            path if not name and stem(path) == each else f"{names[each]}={path}"
            for each, path in paths.items()
        ]
