"""Completion: what a shell offers for arguments and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


def complete_files(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Files, which the shell finds by itself."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def complete_detectors(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Detectors, with one line each; models are files."""
    from click.shell_completion import CompletionItem

    from caesura.detect import DETECTORS

    found = [
        CompletionItem(name, help=about.text)
        for name, about in DETECTORS.items()
        if name.startswith(incomplete)
    ]
    return found or complete_files(ctx, param, incomplete)
