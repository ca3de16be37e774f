"""The machine: how many cores may be used, and what the C library does with freed memory."""

from __future__ import annotations

import ctypes
import os

TRIM, MMAP = -1, -3
KEPT, LARGE = 256 << 20, 32 << 20
"""The free memory to keep; larger arrays are allocated and returned one by one."""


def keep_memory() -> None:
    """Let this process keep free memory for the next document, where the library is glibc.

    By default, and more so on workers of Dask, arrays of some megabytes are given back to the
    system as soon as they are freed; it clears them page by page when they are asked for again,
    which takes a fifth of the time of counting text, and of Dask's half.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(TRIM, KEPT)
    mallopt(MMAP, LARGE)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
