"""Sets among what a call is given: `@SET` and `NAME=@SET` become paths with names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caesura.io.cwd import exists
from caesura.io.files import stem
from caesura.sets.named_sets import found_files, is_set, set_path


class Expansion:
    """Replaces the names of sets by paths, and keeps the sets that were named."""

    def __init__(self) -> None:
        self.signed: dict[str, None] = {}
        self.warnings: dict[str, None] = {}

    @property
    def signature(self) -> str:
        """What the sets add to the signature of a run."""
        return f"|set:{','.join(self.signed)}" if self.signed else ""

    def __call__(self, given: object) -> Any:
        """What is given, with paths in place of sets; other values as they are."""
        if isinstance(given, str):
            found = self._paths(given)
            return found[0] if len(found) == 1 else found
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
        self._sign(given)
        return path

    def _paths(self, text: str) -> list[str]:
        """`@SET` and `NAME=@SET` as NAME=PATH, one for each file; any other text as it is."""
        name, equals, path = text.partition("=")
        if not equals or text.startswith("@") or exists(text):
            name, path = "", text
        if not is_set(path):
            return [text]
        chosen, files = found_files(path)
        self._sign(path)
        names = {file.name: f"{name}/{file.name}" if name else file.name for file in files}
        if name and len(files) == 1:
            names[files[0].name] = name
        paths = {file.name: chosen.path(file) for file in files}
        return [
            path if not name and stem(path) == each else f"{names[each]}={path}"
            for each, path in paths.items()
        ]

    def _sign(self, text: str) -> None:
        chosen, _ = found_files(text)
        self.signed[chosen.signed] = None
        if chosen.warning:
            self.warnings[chosen.warning] = None
