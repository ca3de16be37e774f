"""A few kills; `scripts/faults --studio --kills N` does as many as asked for."""

import sys

import pytest

from support.studio_killer import StudioKiller

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="kills as POSIX does"),
]


def test_nothing_that_was_acknowledged_is_lost_or_there_twice(server, url, tmp_path):
    kills, database = (2, "") if server is None else (1, url)
    killer = StudioKiller(tmp_path, 5, database)
    try:
        while killer.kills < kills:
            killer.kill()
        killer.finish()
    finally:
        killer.close()
