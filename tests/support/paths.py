"""Where files are: of the project, of the package, and of the tests."""

from pathlib import Path

import caesura

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DOCS = ROOT / "docs"
GOLDEN = TESTS / "golden"
"""Published and pinned values."""
PACKAGE = Path(caesura.__file__).parent
SAMPLE = PACKAGE / "sample"
