"""Plug-ins: what other packages add by entry points, looked up where a name is not one of ours.

The entry points are `caesura.measures`, `.formats`, `.profiles`, `.detectors` and `.tasks`.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any


@cache
def plugins(group: str) -> dict[str, Any]:
    """What other packages add to a group, by name; one that cannot be loaded is named and left out.

    Looking for entry points takes time, so that it is done only where a name is unknown, or all
    names are listed.
    """
    from importlib.metadata import entry_points

    loaded = {}
    for point in entry_points(group=f"caesura.{group}"):
        try:
            loaded[point.name] = point.load()
        except (Exception, SystemExit) as problem:  # whatever a plug-in does when it is imported
            leave_out(group, point.name, point.value, f"{type(problem).__name__}: {problem}")
    return loaded


def leave_out(group: str, name: str, place: str, reason: str) -> None:
    """Say on standard error that a plug-in is left out, and why."""
    told = " ".join(reason.split())
    sys.stderr.write(f"warning: plug-in '{name}' of caesura.{group} ({place}) left out: {told}\n")
