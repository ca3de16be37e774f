"""What came of a command line: how it ended, and whether what it promises holds."""

import json
import re
import sys
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import click

from caesura.cli import cli
from caesura.cli.commands import DEBUG
from caesura.cli.exit_status import end
from caesura.errors import CaesuraError
from fuzz.pool import POOL

CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
SCORING = ("agreement", "compare", "correlate", "terms", "transcript", "trees")
"""Commands whose output is made of scores and names, not of the words of a transcript."""
PASSED, GATE = 0, 3
OTHERWISE = {"-h", "--help", "--files"}
"""Options with which a command does something else than it says."""
BUG, TRACEBACK, NO_MEMORY = "this is a bug", "Traceback", "does not fit in memory"
TEMPORARY = "tmp"
"""The folder of temporary files, in the current one."""


class BrokenPromiseError(Exception):
    """Something that should hold does not."""


def hold(is_so, what):
    """Say that a promise is broken, if it is."""
    if not is_so:
        raise BrokenPromiseError(what)


@dataclass(frozen=True)
class Outcome:
    """The exit status of a command and what it wrote to the standard streams."""

    status: int
    out: str
    err: str


def ran(words, data=b""):
    """Run `caesura WORDS` in this process as the program does; raise what nobody foresaw."""
    out, err, settings = StringIO(), StringIO(), {}
    with ExitStack() as stack:
        stack.enter_context(patch.object(sys, "stdin", TextIOWrapper(BytesIO(data))))
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        try:
            status = cli.main(words, prog_name="caesura", standalone_mode=False, obj=settings) or 0
        except Exception as problem:
            status = end(problem, with_traceback=settings.get(DEBUG, False))
            if not _is_foreseen(problem):
                raise
    return Outcome(status, out.getvalue(), err.getvalue())


def _is_foreseen(problem):
    """Whether the command line has more to say than that this is a bug."""
    is_told = isinstance(problem, OSError) and problem.strerror
    return is_told or isinstance(problem, CaesuraError | click.ClickException)


def outputs_of(path):
    """The folder of what is written in a case, which is not that of its input."""
    return f"{Path(path).parent}.out"


def checked(words, path):
    """Run a command line that has this file for an input, and see that promises are kept."""
    data, before = Path(path).read_bytes(), _inputs(words)
    outcome = ran(words, data)
    hold(Path(path).exists() and Path(path).read_bytes() == data, "the input is changed")
    hold(_inputs(words) == before, "another input is changed, or a file is left beside the inputs")
    hold(not any(Path(TEMPORARY).iterdir()), "a temporary file is left")
    _said(words, outcome)
    _written(words, Path(outputs_of(path)), outcome)
    return outcome


def _inputs(words):
    """The files that a command line names, and the folders of all, with their times and sizes."""
    named = [word.rpartition("=")[2] for word in words]
    return {path: _stamp(path) for path in (".", POOL, *named) if path.startswith((".", POOL))}


def _stamp(path):
    try:
        about = Path(path).stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


def _said(words, outcome):
    """See that a command ends as promised, and says why in a line."""
    err = outcome.err
    hold(outcome.status in (0, 1, 2, 3), f"exit status {outcome.status}")
    hold(BUG not in err and NO_MEMORY not in err, "an error that no one foresaw")
    hold("--debug" in words or TRACEBACK not in err, "a traceback")
    errors = [line for line in err.splitlines() if line.lower().startswith("error: ")]
    hold(len(errors) == (outcome.status != PASSED), f"{len(errors)} errors are shown")
    hold(not CONTROL.search(err), "control characters on standard error")
    if words[0] in SCORING:
        hold(not CONTROL.search(outcome.out), "control characters on standard output")


def _written(words, folder, outcome):
    """See that what was written is whole, and nothing else is left behind."""
    is_done = outcome.status in (PASSED, GATE) and not OTHERWISE & {*words}
    if is_done and _value(words, "-f", "--format") == "json":
        output = _value(words, "-o", "--output")
        is_shown = output is None or not Path(output).is_file()
        _json(outcome.out if is_shown else Path(output).read_text("utf-8"), output)
    for path in folder.rglob("*"):
        _whole(path, is_done=is_done)


def _value(words, *names):
    """The value that an option is given last."""
    found = [after for word, after in pairwise(words) if word in names]
    return found[-1] if found else None


def _json(text, output):
    if text or output is None:
        try:
            json.loads(text, parse_constant=_refuse)
        except ValueError as problem:
            raise BrokenPromiseError(f"JSON that is not valid: {problem}") from None


def _refuse(constant):
    raise ValueError(f"{constant} in JSON")


def _whole(path, *, is_done):
    """See that one file is no rest of something."""
    hold(not path.name.startswith(".caesura-"), "a temporary file is left")
    if path.name == "page.html":
        hold(path.read_text("utf-8").rstrip().endswith("</html>"), "half of a page")
    elif path.name == "rows.jsonl":
        for line in path.read_text("utf-8").rstrip("\n").split("\n"):
            _json(line, None)
