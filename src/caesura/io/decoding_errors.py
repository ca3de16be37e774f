"""Faults: whatever decoders of others raise becomes an error of ours, with the path and a cure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from caesura.errors import CaesuraError, FormatError, SourceError, no_memory, reason

_OF_PATHS = (FileNotFoundError, PermissionError, IsADirectoryError, ConnectionError, TimeoutError)


@contextmanager
def sound(path: str, problem: str, cure: str) -> Iterator[None]:
    """Turn anything that goes wrong inside a decoder into an error of one line.

    Decoders of damaged files raise exceptions of all kinds: those they document, and others.
    """
    try:
        yield
    except CaesuraError:
        raise
    except MemoryError:
        raise no_memory(path) from None
    except Exception as fault:
        if is_of_path(fault):
            raise SourceError(path, reason(fault), f"check the path, or {cure}") from None
        raise FormatError(path, f"{problem} ({reason(fault)})", cure) from None


def is_of_path(fault: Exception) -> bool:
    """Whether the system or the network failed; decoders raise OSErrors without a number."""
    return isinstance(fault, _OF_PATHS) or (isinstance(fault, OSError) and bool(fault.errno))
