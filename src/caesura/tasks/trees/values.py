"""Trees as Python has them: bracketed strings, NLTK's trees, lists of either, paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any

from caesura.errors import SegmentationError
from caesura.run.values import encoded, refuse_path
from caesura.tasks.trees.counting import TreesTask
from caesura.tasks.trees.data import ESCAPES, TreeFile

GIVE = "give bracketed trees such as (S (NP (PRP it)) (VP (VBD rained))), NLTK trees, or a path"
_SIGNS = {sign: name for name, sign in ESCAPES.items()}
_BRACKET = re.compile(r"[()]")


def as_trees(value: object, *, task: TreesTask, source: str = "<trees>") -> TreeFile:
    """Convert a value to trees: a bracketed text, a tree as NLTK has it, a list of these, a path.

    >>> as_trees("(S (NP (PRP it)) (VP (VBD rained)))", task=TreesTask()).text
    <Text: 2 tokens, 1 sentence, brackets: it rained>
    """
    if isinstance(value, TreeFile):
        return value
    if isinstance(value, PathLike):
        return task.read(fspath(value))
    _refuse_others(value, source)
    return task.parsed(encoded("\n".join(_lines(value, source)), source), source)


def _refuse_others(value: object, source: str) -> None:
    """Raise an error for a path that is a string, and for bytes."""
    if isinstance(value, str):
        refuse_path(value, source)
        if "(" not in value and len(value.split()) == 1 and PurePath(value).suffix:
            raise SegmentationError(
                f"{source}: '{value}' is not a tree; if it is a path, give pathlib.Path('{value}')"
            )
    elif isinstance(value, bytes | bytearray):
        raise SegmentationError(f"{source}: bytes are not a tree; decode them: data.decode()")


def _lines(value: object, source: str) -> Iterator[str]:
    """Each tree as bracketed text."""
    if isinstance(value, str):
        yield value
    elif _is_tree(value):
        yield _written(value, source)
    elif isinstance(value, Iterable):
        for each in value:
            if not isinstance(each, str) and not _is_tree(each):
                raise SegmentationError(f"{source}: {each!r} is not a tree; {GIVE}")
            yield from _lines(each, source)
    else:
        raise SegmentationError(f"{source}: {value!r} is not a tree; {GIVE}")


def _is_tree(value: object) -> bool:
    """Whether a value is a tree as NLTK has it: a list of trees and words, with a label."""
    return callable(getattr(value, "label", None)) and isinstance(value, Iterable)


def _written(tree: object, source: str) -> str:
    """A tree in brackets; brackets and white space in words are written as treebanks do."""
    parts: list[str] = []
    left: list[Any] = [tree]
    while left:
        node = left.pop()
        if isinstance(node, str):
            parts.append(node)
        elif _is_tree(node):
            children = [each if _is_tree(each) else _word(each, source) for each in node]
            parts.append(f"({_name(node.label())} ")
            left += [")", *children[::-1]]
        else:
            raise SegmentationError(f"{source}: {node!r} is not a tree; {GIVE}")
    return " ".join(parts)


def _word(leaf: object, source: str) -> str:
    if not isinstance(leaf, str):
        raise SegmentationError(f"{source}: the leaf {leaf!r} is not a word; {GIVE}")
    return _BRACKET.sub(lambda found: _SIGNS[found[0]], _name(leaf))


def _name(text: object) -> str:
    """A label or word on one piece: white space in it becomes a no-break space."""
    return re.sub(r"\s", "\u00a0", str(text))
