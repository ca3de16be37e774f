"""Endings: whatever is raised becomes one line on standard error and an exit status."""

from __future__ import annotations

import io
from pathlib import Path

import click

from caesura.core.escapes import printable
from caesura.errors import CaesuraError, InterruptError, on_command_line, shortened

PACKAGE = str(Path(__file__).parents[1])
LONGEST = 200
"""The characters that are shown of a message that is not ours."""


def say(message: str) -> None:
    """Write one line to standard error, whatever it quotes; options as the user types them."""
    click.echo(printable(on_command_line(message)), err=True)


def end(problem: BaseException, *, with_traceback: bool) -> int:
    """Say what went wrong, and return the exit status."""
    if isinstance(problem, click.Abort):
        problem = problem.__cause__ or problem
    if with_traceback:
        _show_traceback(problem)
    if isinstance(problem, click.ClickException):
        return _usage(problem)
    if not isinstance(problem, CaesuraError):
        problem = _as_error(problem)
    say(f"error: {problem.message}")
    return problem.status


def _usage(problem: click.ClickException) -> int:
    """Show a mistake on the command line as click does, with what was typed made printable.

    What is missing was not typed: its message may list choices in lines of their own.
    """
    shown, message = io.StringIO(), problem.format_message()
    problem.show(shown)
    is_ours = isinstance(problem, click.MissingParameter)
    text = shown.getvalue() if is_ours else shown.getvalue().replace(message, printable(message))
    for line in text.expandtabs(4).splitlines():
        say(line)
    return problem.exit_code


def _show_traceback(problem: BaseException) -> None:
    from traceback import format_exception

    for line in "".join(format_exception(problem)).splitlines():
        say(line)


def _as_error(problem: BaseException) -> CaesuraError:
    """What nobody foresaw, as an error of ours: a system that fails, or a bug."""
    if isinstance(problem, KeyboardInterrupt | click.Abort):
        return InterruptError()
    reason = shortened(str(problem), LONGEST)
    if isinstance(problem, MemoryError):
        return CaesuraError("out of memory; give less at a time, or fewer --jobs")
    if isinstance(problem, OSError) and problem.strerror:
        place = f"{problem.filename}: " if problem.filename else ""
        return CaesuraError(f"{place}{problem.strerror.lower()}; the system refused this")
    what = f"{type(problem).__name__}{f': {reason}' if reason else ''}{_place(problem)}"
    return CaesuraError(f"{what}; this is a bug in caesura: run again with --debug and {_report()}")


def _place(problem: BaseException) -> str:
    """The last line of ours that was reached."""
    from traceback import extract_tb

    every = extract_tb(problem.__traceback__)
    own = [each for each in every if each.filename.startswith(PACKAGE)]
    return f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""


def _report() -> str:
    """Where to report a bug, if the package that is installed says so."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata("caesura-eval").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    places = [each.partition(", ")[2] for each in urls]
    return f"report what it shows at {places[0]}" if places else "report what it shows"
