"""The journal of a run: the rows of the documents that are done, so that it can be resumed.

It is next to the file of rows until that is written, as `FILE.partial`. Its first line says
what is counted and how; then come the rows of one document after another, and after each document
a line that says so, with the state of its files. Whatever follows the last such line is incomplete.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from caesura.core.row import Row
from caesura.errors import FormatError, SourceError, UnknownNameError, UsageError
from caesura.io.archives import stamp
from caesura.run.cases import Case
from caesura.run.counting import Count, Map
from caesura.run.rows import from_json, to_json

SUFFIX = ".partial"
SECONDS = 1.0
"""The seconds between flushes to disk; a killed process loses nothing in any case."""


@dataclass
class Journal:
    """The documents that are done, with their rows; `file` takes those that will be."""

    path: Path
    file: BinaryIO
    done: dict[str, tuple[list[Any], list[Row]]]
    safe_at: float = field(default_factory=time.monotonic)

    @classmethod
    def open(cls, rows: str, head: dict[str, Any], *, resume: bool) -> Journal:
        """Open the journal of a file of rows, to resume or to start over."""
        path = Path(rows + SUFFIX).resolve()
        try:
            file = path.open("r+b" if path.exists() else "w+b")
        except OSError as problem:
            reason = (problem.strerror or str(problem)).lower()
            raise SourceError(str(path), reason, "choose another path") from None
        line = json.dumps(head, ensure_ascii=False).encode() + b"\n"
        try:
            _lock(file, path)
            done, end = _read(file, path, json.loads(line)) if resume else ({}, 0)
        except BaseException:
            file.close()
            raise
        file.truncate(end)
        file.seek(end)
        journal = cls(path, file, done)
        if not end:
            journal._put(line)
        return journal

    def map(self, map: Map) -> Map:
        """A `map` that counts what is not done yet, and notes what it has counted."""

        def go_on(count: Count, cases: Iterable[Case]) -> Iterator[list[Row]]:
            cases = list(cases)
            stamps = {case.document: _stamps(case) for case in cases}
            saved = [self._rows(case, stamps[case.document]) for case in cases]
            new = [case for case, rows in zip(cases, saved, strict=True) if rows is None]
            counted = iter(map(count, new))
            for case, rows in zip(cases, saved, strict=True):
                if rows is not None:
                    yield rows
                    continue
                found = next(counted)
                if found:
                    self._note(case.document, stamps[case.document], found)
                yield found

        return go_on

    def _rows(self, case: Case, stamps: list[Any]) -> list[Row] | None:
        """The rows of a case that is done and whose files are as they were then."""
        then, rows = self.done.get(case.document, (None, None))
        return rows if then == stamps else None

    def _note(self, document: str, stamps: list[Any], rows: list[Row]) -> None:
        lines = [to_json(row) for row in rows]
        end = {"done": document, "rows": len(rows), "files": stamps}
        lines.append(json.dumps(end, ensure_ascii=False))
        self._put("".join(f"{line}\n" for line in lines).encode())
        self.done[document] = stamps, rows
        self._sync()

    def _put(self, data: bytes) -> None:
        self.file.write(data)
        self.file.flush()

    def _sync(self) -> None:
        """Flush to disk now and then; it can take long, and a Ctrl-C may come meanwhile."""
        if time.monotonic() - self.safe_at > SECONDS:
            os.fsync(self.file.fileno())
            self.safe_at = time.monotonic()

    def close(self) -> None:
        """Keep the file if it is of any use."""
        self.file.close()
        if not self.done:
            self.remove()

    def remove(self) -> None:
        """Remove the file; the rows are saved."""
        self.file.close()
        self.path.unlink(missing_ok=True)


def _stamps(case: Case) -> list[Any]:
    """The state of a case's files: names, times and sizes."""
    paths = {**case.references, **case.systems}
    return [
        [name, path, *stamp(path)] if isinstance(path, str) else [name, "in memory"]
        for name, path in paths.items()
    ]


def _lock(file: BinaryIO, path: Path) -> None:
    """Raise an error if another run writes to this journal, where the system can tell."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        problem = "another run is writing to it"
        raise SourceError(str(path), problem, "wait for it, or choose another file") from None
    except OSError:
        return


def _read(
    file: BinaryIO, path: Path, head: dict[str, Any]
) -> tuple[dict[str, tuple[list[Any], list[Row]]], int]:
    """The documents that are done, and where the last of them ends."""
    first = file.readline()
    if not first.endswith(b"\n"):
        return {}, 0
    _require_same(path, _object(first), head)
    done: dict[str, tuple[list[Any], list[Row]]] = {}
    rows: list[Row] = []
    at = end = file.tell()
    for line in file:
        at += len(line)
        fields = _object(line)
        if not line.endswith(b"\n") or not fields:
            break
        try:
            if "done" not in fields:
                rows.append(from_json(line.decode()))
                continue
            if fields["rows"] != len(rows):
                break
            done[fields["done"]] = fields["files"], rows
        except (KeyError, TypeError, ValueError, UnknownNameError):
            break
        rows, end = [], at
    return done, end


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _require_same(path: Path, then: dict[str, Any], now: dict[str, Any]) -> None:
    """Raise an error that names what differs, if the run was another one."""
    if "caesura" not in then:
        raise FormatError(str(path), "not a journal of caesura", "move it away", line=1)
    for name in [*now, *then]:
        before, here = then.get(name), now.get(name)
        if isinstance(before, dict) and isinstance(here, dict):
            _require_same(path, {"caesura": 0, **before}, {"caesura": 0, **here})
        elif before != here:
            raise UsageError(
                f"{path}: {name} was {json.dumps(before)} and is {json.dumps(here)} now; "
                "resume with the same options, or start over without --resume"
            )
