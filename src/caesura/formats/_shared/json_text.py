"""JSON texts as values; what is wrong in one becomes an error with its line."""

from __future__ import annotations

import json
from collections.abc import Callable

from caesura.errors import FormatError
from caesura.io.files import line_number

Pairs = list[tuple[str, object]]


def loaded(
    text: str, source: str, cure: str, made: Callable[[Pairs], dict[str, object]] | None = None
) -> object:
    """The value of a JSON text; `made` makes the objects of their names and values."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=made)
    except json.JSONDecodeError as problem:
        line = line_number(problem.doc, problem.pos)
        raise FormatError(source, f"not valid JSON ({problem.msg})", cure, line=line) from None
    except (ValueError, RecursionError):
        raise FormatError(source, "JSON nested too deeply, or a number too long", cure) from None
