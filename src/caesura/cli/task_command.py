"""The commands of tasks, made of what each task declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import cleandoc
from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import INPUT, OUTPUT, GroupedCommand, argument
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.cli.task_options import task_options
from caesura.core.command import Command, OutputLayout, SideOption
from caesura.core.option import OptionValues, declared
from caesura.core.task import Task

Decorator = Callable[[Any], Any]


def command_of(task: Task) -> click.Command:
    """The command of a task that has no module of its own here."""
    assert task.called is not None, task.name
    how = task.called()

    def run(**given: object) -> None:
        _run(task, how, given)

    run.__doc__ = f"{task.help}\n\n{cleandoc(how.about)}"
    for each in reversed([*_decorators(task, how)]):
        run = each(run)
    return click.command(task.command, cls=GroupedCommand)(run)


def _decorators(task: Task, how: Command) -> Iterator[Decorator]:
    """The arguments and options, in the order of the help."""
    name = "systems" if task.has_systems else "references"
    yield argument(name, nargs=-1, required=True, metavar=how.systems)
    yield from map(side_option, how.sides)
    yield task_options(task)
    if how.has_documents:
        varies = "missing" in declared(task.options_class)
        yield options.vary_option if varies else options.missing_option
    if how.by:
        yield OUTPUT.option(
            "--by", type=click.Choice(how.groups), multiple=True, main=True, help=how.by
        )
    if how.has_errors:
        yield options.error_options
    if how.has_documents:
        yield options.by_document_option
    yield from _shared(task, how)


def _shared(task: Task, how: Command) -> Iterator[Decorator]:
    """The options that all scoring commands share; there is no gate for agreement."""
    if task.has_systems:
        yield options.statistics_options
    else:
        yield options.confidence_option
        yield options.resampling_options
    yield options.seed_option
    yield options.output_options_with(*how.layouts)
    yield running_options
    if task.has_systems:
        yield options.gate_options


def side_option(side: SideOption) -> Decorator:
    """What systems are scored against, as an option."""
    if side.is_reference:
        return options.reference_option(
            side.flag, side.name, side.help, metavar=side.metavar, several=side.is_repeated
        )
    required: OptionValues = {"required": True} if side.is_required else {"default": None}
    return INPUT.option(side.flag, metavar=side.metavar, main=True, help=side.help, **required)


def _run(task: Task, how: Command, given: OptionValues) -> None:
    """Score, and print tables or the layout that is asked for."""
    scoring = Scoring.from_options(task, given)
    details: OptionValues = {
        name: given.pop(name) for name in ("by", "by_document") if name in given
    }
    layout = how.layouts.get(scoring.given["format"])
    if layout is not None:
        _check(layout, scoring.given["format"], {**given, **details})
    sides = {name: given.pop(name, ()) for name in ("systems", "references")}
    found = scoring.evaluate(
        *map(list, sides.values()),
        task=task,
        reads=layout is not None and layout.reads,
        **given,
    )
    if layout is None:
        scoring.show(found, **details)
        return
    options.put(
        layout.make.it(found.summary, counter=found.task, readings=found.readings, **details),
        scoring.given["output"],
    )
    scoring.finish(found)


def _check(layout: OutputLayout, name: str, given: Mapping[str, object]) -> None:
    """Raise an error if something is asked for that the layout does not have, or has to have."""
    if any(given.get(each) for each in layout.refuses):
        flags = " and ".join(f"--{each.replace('_', '-')}" for each in layout.refuses)
        raise click.UsageError(f"-f {name} has its own layout; remove {flags}")
    if layout.needs and given.get(layout.needs) is None:
        raise click.UsageError(f"-f {name} needs --{layout.needs}; {layout.cure}")
