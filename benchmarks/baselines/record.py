"""Runs the commands of the baseline and saves all that comes out of them."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from baselines.commands import ROWS, Command

NAMES = {
    "json": "out.json",
    "table": "out.txt",
    "markdown": "out.md",
    "csv": "out.csv",
    "latex": "out.tex",
    "": "out.txt",
}
OUT, SAVED_ROWS = Path("out"), Path("rows")
START = "from caesura.cli import main; main()"
CRASH = "Traceback (most recent call last)"
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Ended:
    """What a run has given: its exit status and what it has printed."""

    status: int
    output: str
    error: str


class Recorder:
    """Runs commands in the folder of the inputs, which is the current one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.masks = _masks()

    def record(self, command: Command) -> bool:
        """Run a command in all its formats and save what comes out; true if it crashed."""
        place = self.folder / command.name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        runs = {}
        for at, form in enumerate(command.formats or ("",)):
            _empty(OUT)
            more = ("-f", form) if form else ()
            saves = command.saves if at == 0 else ()
            ended = _run((*command.arguments, *more, *saves), apart=command.apart)
            runs[form or "out"] = {"status": ended.status, "stderr": self._masked(ended.error)}
            self._write(place / NAMES[form], ended.output)
            if at == 0:
                self._keep_files(place, command.name)
        self._write(place / "runs.json", json.dumps(runs, indent=1) + "\n")
        return any(CRASH in str(run["stderr"]) for run in runs.values())

    def _keep_files(self, place: Path, name: str) -> None:
        rows = Path(ROWS[1])
        if rows.exists():
            SAVED_ROWS.mkdir(exist_ok=True)
            shutil.copy(rows, SAVED_ROWS / f"{name}.jsonl")
        for path in sorted(path for path in OUT.rglob("*") if path.is_file()):
            text = path.read_text(encoding="utf-8")
            kept = place / "files" / path.relative_to(OUT)
            kept.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".html":
                self._write(kept.with_suffix(".json"), payload(text))
            else:
                self._write(kept, text)

    def _write(self, path: Path, text: str) -> None:
        path.write_text(self._masked(text), encoding="utf-8", newline="")

    def _masked(self, text: str) -> str:
        for found, shown in self.masks:
            text = found.sub(shown, text)
        return text


def payload(page: str) -> str:
    """The data that a page holds, as indented JSON."""
    found = DATA.search(page)
    if found is None:
        return json.dumps("the page holds no data where they are looked for")
    return json.dumps(json.loads(found[1]), ensure_ascii=False, indent=1)


def package() -> Path:
    """The folder of the caesura that is run."""
    import caesura

    return Path(caesura.__file__).resolve().parent


def environment() -> dict[str, str]:
    """What numbers may depend on beside the code."""
    import numpy

    versions = {"python": sys.version.split()[0], "numpy": numpy.__version__}
    return {**versions, "machine": os.uname().machine}


def _masks() -> list[tuple[re.Pattern[str], str]]:
    """Replace what is another one in each run: the folder, the package's place, the version."""
    import caesura

    version = re.escape(caesura.__version__)
    return [
        (re.compile(re.escape(str(Path.cwd()))), "WORK"),
        (re.compile(re.escape(str(package()))), "PACKAGE"),
        (re.compile(rf'(caesura(?:, version |"?: ?"?| )){version}'), r"\1VERSION"),
        (re.compile(r"tcp://[\d.]+:\d+"), "tcp://ADDRESS"),
    ]


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()


def _run(arguments: Iterable[str], *, apart: bool) -> Ended:
    line = tuple(each.replace("WORK", str(Path.cwd())) for each in arguments)
    return _run_apart(line) if apart else _run_here(line)


def _run_apart(arguments: tuple[str, ...]) -> Ended:
    done = subprocess.run(
        [sys.executable, "-c", START, *arguments],
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def _run_here(arguments: tuple[str, ...]) -> Ended:
    """Run in this process, as `tests/` do; a traceback is recorded like any other output."""
    from caesura.cli import main

    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    output, error = _Printed(), _Printed()
    sys.argv = ["caesura", *arguments]
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO()), output, error
    status = 0
    try:
        main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        status = 70
        traceback.print_exc()
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    return Ended(status, output.text, error.text)


class _Printed(io.TextIOWrapper):
    """Standard output or standard error, kept."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="", write_through=True)

    @property
    def text(self) -> str:
        """What was printed."""
        self.seek(0)
        return self.read()
