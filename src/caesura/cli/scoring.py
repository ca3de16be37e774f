"""What all scoring commands share: gates, statistics, running and output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from caesura.cli import options
from caesura.cli.exit_status import say
from caesura.cli.running import Progress, tell
from caesura.core.profile import Profile, with_parameter
from caesura.errors import LeftOutError, UsageError

if TYPE_CHECKING:
    from caesura.core.task import Task
    from caesura.output.gate import Gate
    from caesura.output.tables import Errors
    from caesura.steps.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class Scoring:
    """The options of a scoring command that do not change how a document is counted."""

    gate: Gate | None
    given: Mapping[str, Any]

    @classmethod
    def from_options(
        cls, task: Task, given: dict[str, object], profile: Profile | None = None
    ) -> Scoring:
        """Take the shared options out of those given; task and profile have the scores of gates."""
        shared = {name: given.pop(name, default) for name, default in SHARED.items()}
        if shared["show_errors"] and shared["format"] not in TABLES:
            problem = f"--show-errors has no effect with -f {shared['format']}; use --errors FILE"
            tell((), [problem], quiet=False)
        if shared["select"] and shared["format"] != "json":
            raise UsageError("--select chooses keys of the JSON; add -f json")
        limits: Any = (*shared["fail_under"], *shared["fail_over"])  # type: ignore[misc]
        if limits and (also := with_parameter(limits, profile)):
            given["also"] = (*(given.get("also") or ()), *also)  # type: ignore[misc]
        gate = None
        if limits:
            from caesura.output.gate import Gate

            under, over = shared["fail_under"], shared["fail_over"]
            gate = Gate.parse(under, over, task, profile)  # type: ignore[arg-type]
        return cls(gate, shared)

    def evaluate(
        self, systems: Any, references: Any = (), *, reads: bool = False, **how: Any
    ) -> Evaluation:
        """Score, and write the report if asked for."""
        from caesura.api.evaluate import evaluate
        from caesura.run.given import as_typed

        names = ("confidence", "compare", "rows", "with_text")
        how |= {"gold": as_typed(how["gold"])} if "gold" in how else {}
        found = evaluate(
            as_typed(systems),
            as_typed(references),
            watch=Progress(self.given["quiet"]),
            blocks=self.given["fail_if_worse_than"] is not None,
            reads=reads or any(self.given[name] is not None for name in READING),
            **{name: self.given[name] for name in names},
            **how,
        )
        for failure in found.failures:
            say(f"left out: {failure.document}: {failure.message}")
        tell(found.summary.notes, found.summary.warnings, quiet=self.given["quiet"])
        if self.given["cite"]:
            from caesura.published.citations import citations

            click.echo(citations(found.summary.signature), err=True)
        if self.given["html"] is not None:
            found.html(self.given["html"])
        if self.given["errors"] is not None:
            errors: Errors[Any] = found.summary.task.parts.errors()
            errors.write(self.given["errors"], errors.find(found.readings()))
        return found

    def show(self, found: Evaluation, **details: object) -> None:
        """Print the tables, then let bad documents and gates decide how the command ends."""
        if self.given["show_errors"] is not None:
            errors: Errors[Any] = found.summary.task.parts.errors()
            details["errors"] = errors.show(
                errors.find(found.readings()), self.given["show_errors"]
            )
        form, output, select = (self.given[name] for name in ("format", "output", "select"))
        options.emit(found.summary, partial(found.page, **details), form, output, select)
        self.finish(found)

    def finish(self, found: Evaluation) -> None:
        """Raise an error if documents were left out or a gate is not passed."""
        if found.failures:
            bad = len(found.failures)
            raise LeftOutError(bad, bad + len(found.cases))
        if self.gate is not None:
            self.gate.check(found.summary)
        if self.given["fail_if_worse_than"] is not None:
            from caesura.api.saved import saved_run
            from caesura.output.gate import check_no_worse

            before = saved_run(self.given["fail_if_worse_than"])
            check_no_worse(before, found.summary, found.table, found.resampling)


TABLES = ("table", "markdown", "latex")
"""The formats that have tables of errors."""
READING = ("html", "show_errors", "errors")
"""The options that need to know what every document looks like."""
SHARED: dict[str, object] = {
    "format": "table",
    "output": None,
    "rows": None,
    "with_text": False,
    "html": None,
    "show_errors": None,
    "errors": None,
    "quiet": False,
    "cite": False,
    "select": None,
    "confidence": False,
    "compare": False,
    "fail_under": (),
    "fail_over": (),
    "fail_if_worse_than": None,
}
"""The shared options by name, and what they are in a command that does not have them."""
