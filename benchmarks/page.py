"""Pages of the docs whose figures a benchmark writes."""

from __future__ import annotations

import io
import sys
from pathlib import Path


class Tee(io.StringIO):
    """Keeps what is printed, and prints it."""

    def write(self, text: str) -> int:
        """Do both."""
        sys.__stdout__.write(text)  # type: ignore[union-attr]
        return super().write(text)


def require_place(page: Path, begin: str, end: str) -> None:
    """Stop where a page has no place for figures."""
    if not page.is_file() or begin not in page.read_text() or end not in page.read_text():
        sys.exit(f"error: {page}: no place for figures; write {begin} and {end}")


def put(page: Path, figures: str, begin: str, end: str) -> None:
    """Put figures into a page, in the place of those that are there."""
    before, _, rest = page.read_text().partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n\n{figures.strip()}\n\n{end}{after}")
