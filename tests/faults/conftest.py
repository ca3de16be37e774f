import sys

import pytest

from support.fault_corpus import make_corpus

# Processes are killed and disks are full as POSIX has it.
collect_ignore_glob = ["test_*.py"] if sys.platform == "win32" else []


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Sixteen documents in four versions."""
    monkeypatch.chdir(tmp_path)
    return make_corpus(tmp_path)
