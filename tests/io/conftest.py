import pytest


@pytest.fixture(autouse=True)
def nothing_left():
    """Let archives, tables and connections stay open, as they do for the documents that follow."""
