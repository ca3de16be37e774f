"""Random recordings, which formats of times are written from."""

import numpy as np
from hypothesis import strategies as st

from caesura.formats.script import Script

GAPS = st.integers(0, 3) | st.integers(0, 10**7)
PLAIN = st.text("abcXYZ é.,?!'&<-", min_size=1, max_size=12).map(str.strip).filter(bool)
"""Texts that other programs keep as they are."""


@st.composite
def recordings(draw, texts, speakers=None, types=None, channels=None, step=1, *, apart=False):
    """A recording in order of time, of which no two pieces of a speaker end at once.

    Times are multiples of `step` microseconds. Pieces overlap unless they are to be `apart`. With
    types there are units, and the last piece of each speaker ends one.
    """
    count = draw(st.integers(1, 10))
    gaps, lengths = (
        np.array(draw(st.lists(each, min_size=count, max_size=count))) * step
        for each in (GAPS, GAPS.map(lambda gap: gap + 2))
    )
    start = np.cumsum(gaps + np.append(0, lengths[:-1]) * apart)
    end = start + lengths
    names = ["" if speakers is None else draw(speakers) for _ in range(count)]
    distinct = {pair: at for at, pair in enumerate(zip(names, end.tolist(), strict=True))}
    kept = sorted(distinct.values(), key=lambda at: (start[at], end[at]))
    last = {names[at]: at for at in kept}.values()
    ends = [at in last or draw(st.booleans()) for at in kept]
    return Script(
        texts=[draw(texts) for _ in kept],
        start=start[kept],
        end=end[kept],
        ends=None if types is None else np.array(ends),
        types=None if types is None else [draw(types) if each else "" for each in ends],
        speakers=None if speakers is None else [names[at] for at in kept],
        channels=None if channels is None else [draw(channels) for _ in kept],
        recording="talk",
    )
