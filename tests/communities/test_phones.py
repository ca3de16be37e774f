"""The profile phones: R-value and over-segmentation as UnsupSeg computes them, and its files."""

import math

import pytest

import caesura
from caesura.errors import FormatError
from caesura.measures.boundary import BoundaryCounts
from support.interval_files import eaf, grid

R_VALUES = {
    (24, 16, 6): (1 / 3, 0.6170731285220772),
    (9, 1, 3): (-1 / 6, 0.8203059143062277),
    (1, 1, 1): (0, 0.5732233047033631),
    (1, 2, 0): (2, -0.7071067811865475),
    (7, 0, 0): (0, 1),
    (50, 0, 50): (-0.5, 0.6464466094067263),
}
"""By os = R/P - 1, r1 = √((1-R)² + os²), r2 = (-os + R - 1)/√2 and 1 - (|r1| + |r2|)/2."""
GOLD = [(0, 0.3, "sil"), (0.3, 0.52, "s"), (0.52, 0.9, "ow"), (0.9, 1.2, "sil")]
OURS = [(0, 0.31, ""), (0.31, 0.5, ""), (0.5, 0.7, ""), (0.7, 1.2, "")]


@pytest.mark.parametrize(("counts", "expected"), R_VALUES.items())
def test_r_values(counts, expected):
    found = BoundaryCounts(*counts, 0)
    assert (found.over_segmentation, found.r_value) == pytest.approx(expected, abs=1e-12)


def test_r_value_of_nothing_right():
    """UnsupSeg's R/P - 1 is -1 wherever P is 0; here it is the boundaries too many."""
    assert BoundaryCounts(0, 0, 4, 0).r_value == pytest.approx(1 - 2**0.5 / 2)
    assert BoundaryCounts(0, 4, 4, 0).over_segmentation == 0
    assert BoundaryCounts(0, 4, 4, 0).r_value == pytest.approx(1 - (1 + 0.5**0.5) / 2)
    assert math.isnan(BoundaryCounts(0, 4, 0, 0).r_value)


@pytest.fixture
def files(folder):
    millis = [(round(on * 1000), round(off * 1000), x) for on, off, x in GOLD]
    return folder(
        **{
            "ours.TextGrid": grid(mine=OURS),
            "gold.TextGrid": grid(words=[(0.3, 0.9, "so")], phones=GOLD),
            "gold.eaf": eaf(phones=millis, words=[(300, 900, "so")]),
            "gold.phn": "0 4800 sil\n4800 8320 s\n8320 14400 ow\n14400 19200 sil\n",
            "gold.ctm": "t 1 0 0.3 sil\nt 1 0.3 0.22 s\nt 1 0.52 0.38 ow\nt 1 0.9 0.3 sil\n",
            "seconds.phn": "".join(f"talk {on} {off} {x}\n" for on, off, x in GOLD),
        }
    )


@pytest.mark.parametrize("gold", ["TextGrid", "eaf", "phn", "ctm"])
def test_every_format_gives_the_same(files, gold):
    found = caesura.evaluate(
        "ours.TextGrid", gold={"gold": f"gold.{gold}"}, profile="phones", rate=16000
    )
    ours = found.systems["ours"]
    assert (ours.precision, ours.recall, ours.over_segmentation) == (2 / 3, 2 / 3, 0)
    assert ours.r_value == pytest.approx(1 - (1 + 0.5**0.5) / 6)
    assert ours.deviation == pytest.approx(-5)
    assert (ours.deviation_absolute, ours.deviation_sd) == pytest.approx((15, 15))
    assert found.summary.sources["gold"].units == 4


@pytest.mark.parametrize(("tolerance", "f1"), [("9ms", 0), ("10ms", 1 / 3), ("200ms", 1)])
def test_tolerance(files, tolerance, f1):
    found = caesura.evaluate(
        "ours.TextGrid", gold="gold.TextGrid", profile="phones", tolerance=tolerance
    )
    assert found.systems["ours"].f1 == f1
    assert f"tolerance:{float(tolerance[:-2]) / 1000:g}s" in found.signature


def test_outer_edges_and_seconds_without_a_rate(files):
    found = caesura.evaluate("ours.TextGrid", gold="seconds.phn", profile="phones")
    assert found.systems["ours"].f1 == 2 / 3
    found = caesura.evaluate("ours.TextGrid", gold="gold.TextGrid", profile="phones", final="keep")
    assert found.systems["ours"].recall == 4 / 5


def test_another_tier(files):
    with pytest.raises(FormatError, match=r"ours\.TextGrid: no tier 'words' among 'mine'"):
        caesura.evaluate("ours.TextGrid", gold="gold.TextGrid", profile="phones", tier="words")
    found = caesura.evaluate("gold.eaf", gold="gold.TextGrid", profile="phones", tier="words")
    assert math.isnan(found.systems["gold.eaf"].f1)
