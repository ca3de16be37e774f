"""Whether subtitles can be read: characters per line and second, lines per block."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.communities.subtitles.measures import ReadingCounts, ReadingLoad
from caesura.errors import UsageError
from caesura.formats.plain import parse
from caesura.formats.transcripts import read
from support import reference_subtitles as twin

SRT = """1
00:00:01,000 --> 00:00:02,000
{first}

2
00:00:03,000 --> 00:00:04,000
<b>a b
c</b>
d

3
00:00:05,000 --> 00:00:05,000
now
"""
TOKENS = st.sampled_from(["so", "it", "extraordinary", "no,", "<eol>", "<eob>"])
LINES = st.lists(st.lists(TOKENS, max_size=9).map(" ".join), min_size=1, max_size=4)


def counted(document, **options):
    return ReadingLoad(**options).count(document, document)


@pytest.mark.parametrize(("size", "is_slow"), [(21, True), (22, False)])
def test_subtitles_with_times(size, is_slow, tmp_path):
    """The third lasts no time at all."""
    path = tmp_path / "talk.srt"
    path.write_text(SRT.format(first="x" * (size - 1) + "\ny"))
    counts = counted(read(str(path), units="breaks"))
    assert counts == ReadingCounts(short=6, lines=6, flat=2, blocks=3, slow=1 + is_slow, timed=3)
    assert counts.lpb_conformity == pytest.approx(200 / 3)


@pytest.mark.parametrize(("size", "short"), [(42, 1), (43, 0)])
def test_the_longest_line(size, short):
    counts = counted(parse(f"{'é' * size} <eob>\n"))
    assert (counts.short, counts.lines) == (short, 1)


def test_limits_are_options():
    document = parse("so it <eol> is <eol> that <eob> yes <eob>\n")
    assert counted(document, max_cpl=4).short == 3
    assert counted(document, max_lines=3).flat == 2
    assert math.isnan(counted(document).cps_conformity)


@pytest.mark.parametrize("name", ["max_cpl", "max_cps", "max_lines"])
def test_limits_are_at_least_one(name):
    with pytest.raises(UsageError, match=f"{name} cannot be 0; choose 1 or more"):
        ReadingLoad(**{name: 0})


@given(LINES, st.integers(1, 30))
def test_the_twin_agrees(lines, most):
    if not any(map(twin.bare, lines)):
        return
    counts = counted(parse("\n".join(lines), "breaks"), max_cpl=most)
    assert counts.cpl_conformity == pytest.approx(twin.cpl(lines, most))


@given(LINES, st.sets(st.integers(1, 20)))
def test_blocks_add_up_to_the_document(lines, cuts):
    if not any(map(twin.bare, lines)):
        return
    document = parse("\n".join(lines), "breaks")
    length = document.segmentation.length
    ends = np.array(sorted({*(cut for cut in cuts if cut < length), length}))
    parts = ReadingLoad().count_blocks(document, document, ends)
    assert sum(parts, ReadingCounts.zero()) == counted(document)
