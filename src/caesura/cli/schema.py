"""`caesura schema`: the JSON Schema of the output."""

from __future__ import annotations

import click

from caesura.cli import options
from caesura.cli.commands import argument, command


@command("schema")
@argument("task", metavar="TASK")
@options.quiet_option(expose_value=False)
def schema(task: str) -> None:
    """Print the JSON Schema of a task's output.

    TASK is a task, such as transcript, or a profile of `caesura score`, such as sighan. The schema
    is that of `-f json`; it defines every score.

    \b
    Examples:
      caesura schema transcript > transcript.schema.json
      caesura schema sighan
    """
    from caesura.communities import PROFILES
    from caesura.core.task import Kind
    from caesura.errors import UnknownNameError
    from caesura.output.json import indented
    from caesura.output.json_schema import schema as schema_of
    from caesura.tasks import TASKS

    known = [name for name, each in TASKS.items() if each.load is not None]
    if task in known:
        kind = Kind(TASKS[task])
    elif task in PROFILES:
        kind = Kind(TASKS[PROFILES[task].task], PROFILES[task])
    else:
        raise UnknownNameError("task", task, [*known, *PROFILES])
    click.echo(indented(schema_of(kind)))
