"""SubStation Alpha."""

import pytest

import caesura
from caesura.core.line_breaks import LINE_END
from support.pieces import message, pieces

ASS = r"""[Script Info]
Title: a talk
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:02.50,0:00:04.00,Default,Bob,0,0,0,,{\i1}Did it{\i0},\Nreally?
Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,not said
Dialogue: 0,0:00:00.50,0:00:02.05,Default,Ann,0,0,0,,{a note}So\hit \{rained\}.
Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\p1}m 0 0 l 100 0{\p0}
"""


def test_events():
    assert pieces("ass", ASS, "texts start end speakers layouts") == [
        ("So it {rained}.", 0.5, 2.05, "Ann", "So it {rained}."),
        ("Did it, really?", 2.5, 4, "Bob", f"Did it,{LINE_END}really?"),
    ]


@pytest.mark.parametrize("form", ["ass", "ssa"])
def test_pysubs2_writes_it(form, folder):
    pysubs2 = pytest.importorskip("pysubs2")
    events = [
        pysubs2.SSAEvent(0, 1500, text="So it rained,\\Na lot.", name="Ann"),
        pysubs2.SSAEvent(1500, 2500, text="{\\b1}Did it?", name="Bob"),
    ]
    file = pysubs2.SSAFile()
    file.events = events
    path = folder() / f"talk.{form}"
    file.save(str(path))
    talk = caesura.read(path)
    assert talk.words == "so it rained a lot did it".split()
    assert talk.segmentation.boundaries.tolist() == [4, 6]
    assert talk.track.speaker.names == ("Ann", "Bob")
    assert talk.track.end[[4, 6]].tolist() == [1_500_000, 2_500_000]


@pytest.mark.parametrize("line", ["0,0:00,0:01,a", "0,x,y,D,,0,0,0,,a"])
def test_a_broken_event_is_an_error(line):
    found = message("ass", f"[Events]\nDialogue: {line}\n")
    assert found.startswith(f"x:2: '{line}' is not an event; write Dialogue: 0,")
