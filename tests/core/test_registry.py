"""Modules are imported only when they are asked for."""

import subprocess
import sys

import pytest


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
