"""A few kills; `scripts/faults --studio --kills N` does as many as asked for."""

import sys

import pytest

from support.studio_killer import StudioKiller

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="kills as POSIX does"),
]


def test_nothing_that_was_acknowledged_is_lost_or_there_twice(tmp_path):
    killer = StudioKiller(tmp_path, 5)
    try:
        while killer.kills < 2:
            killer.kill()
        killer.finish()
    finally:
        killer.close()
