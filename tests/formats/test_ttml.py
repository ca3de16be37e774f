"""TTML."""

from io import StringIO

import pytest

import caesura
from support.pieces import message, pieces

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="http://www.w3.org/ns/ttml" '
    'xmlns:ttm="http://www.w3.org/ns/ttml#metadata" '
    'xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xml:lang="en" '
    'ttp:frameRate="25" ttp:tickRate="10000000">'
)
TTML = f"""{HEAD}
<head><metadata><ttm:agent xml:id="a" type="person">
<ttm:name type="full">Ann &amp; Co</ttm:name></ttm:agent></metadata></head>
<body><div begin="10s">
<p begin="00:00:00.500" end="00:00:02:05" ttm:agent="a">
<metadata><ttm:desc>no</ttm:desc></metadata>So it<br/>rained.</p>
<p begin="30000000t" dur="1500ms">Did <span style="i">it</span>?</p>
<p><span begin="5s" end="6s">No,</span> <span begin="6s" end="7s">never.</span></p>
</div></body></tt>
"""


def test_paragraphs_spans_and_times():
    assert pieces("ttml", TTML, "texts start end speakers") == [
        ("So it rained.", 10.5, 12.2, "Ann & Co"), ("Did it?", 13, 14.5, ""),
        ("No,", 15, 16, ""), ("never.", 16, 17, ""),
    ]  # fmt: skip


def test_ttconv_writes_it(folder):
    pytest.importorskip("ttconv")
    from ttconv.imsc import writer
    from ttconv.srt import reader as srt

    cue = "1\n00:00:01,000 --> 00:00:02,500\nSo it rained.\nReally?\n"
    model = srt.to_model(StringIO(cue))
    path = folder() / "talk.ttml"
    writer.from_model(model).write(path, encoding="utf-8")
    talk = caesura.read(path)
    assert talk.words == ["so", "it", "rained", "really"]
    assert talk.segmentation.boundaries.tolist() == [2, 3]
    assert (talk.track.start[0], talk.track.end[-1]) == (1_000_000, 2_500_000)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<tt><body><p>a</p></body></tt>", "x:1: text without times"),
        ("<tt><body><p begin='x'>a</p></body></tt>", "'x' is not a time"),
        ("<html/>", "<html> instead of <tt>"),
        ('<!DOCTYPE t [<!ENTITY a "b">]><tt/>', "entities of its own"),
        ("<tt><body timeContainer='seq'/></tt>", "a sequence in time"),
    ],
)
def test_what_is_wrong_is_said(text, expected):
    assert expected in message("ttml", text)
