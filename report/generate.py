"""Write src/types.ts: the page's data as TypeScript, from the type hints of the dataclasses.

`python report/generate.py` writes the file, with `--print` it is printed instead.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from caesura.core.comparisons import Comparisons
from caesura.core.score import Scores, View
from caesura.output.report.page import PageData
from caesura.scores.catalog import catalog
from caesura.tasks import TASKS

PATH = Path(__file__).parent / "src" / "types.ts"
HELP = """/** What scores of annotators mean, by key, as the report explains them. */
export const HELP: Record<string, string> = {
"""
HEAD = "/** The data of the page, as report/generate.py wrote it from Python's dataclasses. */\n"
SCORES = """/** Scores by key; null is undefined. */
export type Scores = Record<string, number | null>;
"""
VIEWS: tuple[View, ...] = ("agreement", "ceiling")
SCALARS = {str: "string", bool: "boolean", int: "number", float: "number | null", Any: "unknown"}


def interfaces(root: type[Any]) -> str:
    """All interfaces that a dataclass needs, its own first."""
    found: dict[str, str] = {}
    waiting = [root]
    while waiting:
        kind = waiting.pop(0)
        if kind.__name__ not in found:
            hints = get_type_hints(kind, localns={"Comparisons": Comparisons})
            found[kind.__name__] = interface(kind, hints)
            waiting += [each for hint in hints.values() for each in dataclasses_in(hint)]
    return "\n".join((HEAD, SCORES, *found.values(), explained()))


def explained() -> str:
    """What scores of annotators mean, for the studio."""
    known = catalog(TASKS["agreement"], None, ())
    columns = {each.key: each for view in VIEWS for each in known.columns(view)}
    lines = [
        f"  {key}: {json.dumps(each.help, ensure_ascii=False)},\n" for key, each in columns.items()
    ]
    return f"{HELP}{''.join(lines)}}};\n"


def interface(kind: type[Any], hints: Mapping[str, Any]) -> str:
    """One dataclass."""
    told = (kind.__doc__ or "").partition("\n")[0]
    lines = [f"  {declared(each, hints[each.name])};" for each in fields(kind)]
    return "\n".join((f"/** {told} */", f"export interface {kind.__name__} {{", *lines, "}\n"))


def declared(each: Field[Any], hint: Any) -> str:
    """One field; what is None unless told otherwise is left out of JSON where it is None."""
    if each.default is None:
        known = tuple(kind for kind in get_args(hint) if kind is not NoneType)
        return f"{each.name}?: {union(known)}"
    return f"{each.name}: {written(hint)}"


def dataclasses_in(hint: Any) -> list[type[Any]]:
    """The dataclasses that a type hint names, in order."""
    if hasattr(hint, "__plain__"):
        return []
    if is_dataclass(hint):
        return [hint] if isinstance(hint, type) else []
    return [each for argument in get_args(hint) for each in dataclasses_in(argument)]


def written(hint: Any) -> str:
    """A type hint as TypeScript."""
    if hint == Scores or hasattr(hint, "__plain__"):
        return "Scores" if hint == Scores else "string"
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in arguments)
    if origin in (Union, UnionType):
        return union(arguments)
    if origin in (tuple, Sequence):
        return array(arguments if origin is tuple else (*arguments, ...))
    if origin is not None and issubclass(origin, Mapping):
        record = f"Record<{written(arguments[0])}, {written(arguments[1])}>"
        return record if arguments[0] is str else f"Partial<{record}>"
    return hint.__name__ if is_dataclass(hint) and isinstance(hint, type) else SCALARS[hint]


def union(kinds: tuple[Any, ...]) -> str:
    """Several types, each once, null last."""
    parts = [part for kind in kinds if kind is not NoneType for part in written(kind).split(" | ")]
    known = [part for part in dict.fromkeys(parts) if part != "null"]
    is_nullable = NoneType in kinds or "null" in parts
    return " | ".join([*known, "null"] if is_nullable else known)


def array(kinds: tuple[Any, ...]) -> str:
    """A list of any length, or one of each."""
    if kinds[-1] is not Ellipsis:
        return f"[{', '.join(map(written, kinds))}]"
    item = written(kinds[0])
    is_union = kinds[0] is float or get_origin(kinds[0]) in (Literal, Union, UnionType)
    return f"({item})[]" if is_union else f"{item}[]"


if __name__ == "__main__":
    text = interfaces(PageData)
    if "--print" in sys.argv:
        sys.stdout.write(text)
    else:
        PATH.write_text(text, encoding="utf-8")
