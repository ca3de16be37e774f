"""A few kills; `scripts/faults --studio --kills N` does as many as asked for."""

import itertools
import sys

import pytest

from support.studio_killer import StudioKiller

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="kills as POSIX does"),
]
NUMBERS = itertools.count()


@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 2), ("postgresql", 1)])
def test_nothing_that_was_acknowledged_is_lost_or_there_twice(request, tmp_path, kind, kills):
    database = ""
    if kind == "postgresql":
        database = request.getfixturevalue("postgres").make(f"killed{next(NUMBERS)}")
    killer = StudioKiller(tmp_path, 5, database)
    try:
        while killer.kills < kills:
            killer.kill()
        killer.finish()
    finally:
        killer.close()
