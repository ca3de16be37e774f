"""A slow twin of chunks, written from the definitions, character by character."""

from __future__ import annotations

Span = tuple[int, int]


def omega(
    chunks: list[Span], excerpts: list[Span], touching: bool = False
) -> tuple[float, int, int]:
    """PrecisionΩ of one question, the chunks touched, and the excerpts that no chunk holds."""
    near = [each for each in chunks if any(_meet(each, other, touching) for other in excerpts)]
    wanted = {at for start, end in excerpts for at in range(start, end)}
    returned = {at for start, end in near for at in range(start, end)}
    cut = [e for e in excerpts if not any(a <= e[0] and e[1] <= b for a, b in chunks)]
    return len(wanted & returned) / len(wanted | returned), len(near), len(cut)


def _meet(one: Span, other: Span, touching: bool) -> bool:
    start, end = max(one[0], other[0]), min(one[1], other[1])
    return start <= end if touching else start < end
