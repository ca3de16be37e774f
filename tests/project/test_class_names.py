"""The names of classes: each has one, and one only."""

import ast
from collections import Counter
from functools import cache

import pytest

from support.paths import PACKAGE


@cache
def classes():
    trees = (ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py"))
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


@pytest.mark.slow
def test_no_class_name_occurs_twice():
    names = Counter(node.name for node in classes())
    assert not [name for name, times in names.items() if times > 1]


def methods(*, made: bool):
    """The names of classmethods, which make an object, or of the methods of an object."""
    return {
        method.name
        for node in classes()
        for method in node.body
        if isinstance(method, ast.FunctionDef)
        and made == any(getattr(each, "id", "") == "classmethod" for each in method.decorator_list)
    }


def test_a_constructor_is_not_called_like_an_accessor():
    assert not methods(made=True) & methods(made=False)
