"""One module for each format; the registry, and what reads transcripts and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from caesura.formats.text_files import read_tokens
    from caesura.formats.texts import TextOptions

__all__ = ["TextOptions", "read_tokens"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'caesura.formats' has no attribute '{name}'")
    from caesura.formats import text_files

    return getattr(text_files, name)
