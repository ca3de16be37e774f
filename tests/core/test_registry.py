"""Registries: names first, modules only when they are asked for."""

import subprocess
import sys

import pytest

from caesura.api.lists import MEASURES
from caesura.core.registry import Registry
from caesura.measures.wisebe import Wisebe
from caesura.tasks import TASKS


def test_a_registry_is_a_mapping():
    registry = Registry({"a": "math:pi", "b": "math:tau"})
    assert list(registry) == ["a", "b"]
    assert len(registry) == 2
    assert "a" in registry
    assert "math" not in registry
    assert registry["b"] == 2 * registry["a"]
    assert dict(registry.items())["a"] is registry["a"]
    assert registry.get("c") is None
    with pytest.raises(KeyError):
        registry["c"]


def test_joined():
    joined = Registry.from_registries([Registry({"a": "math:pi"}), Registry({"b": "math:e"})])
    assert list(joined) == ["a", "b"]
    assert 2 < joined["b"] < 3


def test_measures_and_tasks():
    assert MEASURES["wisebe"] is TASKS["transcript"].measures["wisebe"] is Wisebe
    assert TASKS["transcript"].measures is TASKS["agreement"].measures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("from caesura.api.lists import MEASURES; 'joint' in MEASURES", "caesura.measures.joint"),
        ("from caesura.api.lists import MEASURES; list(MEASURES)", "caesura.tasks.terms.measures"),
        ("from caesura.tasks import TASKS; TASKS['text']", "caesura.tasks.text.counting"),
        (
            "from caesura.api.saved import KNOWN; KNOWN.tasks['terms'].measures['terms']",
            "caesura.measures.events",
        ),
    ],
)
def test_nothing_is_imported_before_it_is_asked_for(statement, absent):
    code = f"import sys; {statement}; sys.exit({absent!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
