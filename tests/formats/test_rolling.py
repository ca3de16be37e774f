"""Rolling captions, as YouTube makes them."""

import caesura
from caesura.formats.srt import parse as parse_srt
from caesura.formats.vtt import parse

BLANK = " "
ROLLING = f"""WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.350 align:start position:0%
{BLANK}
so<00:00:00.400><c> it</c><00:00:00.640><c> rained</c>

00:00:02.350 --> 00:00:02.360 align:start position:0%
so it rained
{BLANK}

00:00:02.360 --> 00:00:04.110 align:start position:0%
so it rained
all<00:00:02.600><c> night</c><00:00:03.000><c> long</c>

00:00:04.110 --> 00:00:04.120 align:start position:0%
all night long
{BLANK}

00:00:04.120 --> 00:00:06.000 align:start position:0%
all night long
&gt;&gt; really
"""
SRT = """1
00:00:00,160 --> 00:00:02,350
so it rained

2
00:00:02,350 --> 00:00:02,360
so it rained

3
00:00:02,360 --> 00:00:04,110
so it rained
all night long

4
00:00:04,110 --> 00:00:06,000
all night long
really
"""


def test_each_word_once_with_its_time():
    (talk,) = parse(ROLLING)
    assert talk.texts == ["so", "it", "rained", "all", "night", "long", ">> really"]
    assert (talk.start // 1000).tolist() == [160, 400, 640, 2360, 2600, 3000, 4120]
    assert (talk.end // 1000).tolist() == [400, 640, 2350, 2600, 3000, 4110, 6000]
    assert talk.ends.tolist() == [False, False, True, False, False, True, True]
    assert talk.signs == {"rolled": 4}


def test_lines_of_srt():
    (talk,) = parse_srt(SRT)
    assert talk.texts == ["so it rained", "all night long", "really"]
    assert talk.end.tolist() == [2_350_000, 4_110_000, 6_000_000]


def test_a_note_says_so(run, folder):
    folder(**{"talk.vtt": ROLLING, "ref.txt": "so it rained\nall night long really"})
    status, _, err = run(
        "transcript", "talk.vtt", "--ref", "ref.txt", "--normalize", "fillers", notes=True
    )
    assert status == 1  # >> is a word
    (folder() / "talk.vtt").write_text(ROLLING.replace("&gt;&gt; ", ""))
    _, _, err = run("transcript", "talk.vtt", "--ref", "ref.txt", notes=True)
    assert "read as rolling captions, unrolled: talk.vtt, 4 repeated lines left out\n" in err


def test_songs_do_not_roll():
    cues = [("la la la", "oh"), ("yes", "no"), ("no", "la"), ("so it goes", "")]
    times = [f"00:0{at}.000 --> 00:0{at + 1}.000" for at in range(4)]
    text = "\n\n".join(f"{time}\n{a}\n{b}" for time, (a, b) in zip(times, cues, strict=True))
    assert len(caesura.formats.vtt.parse(f"WEBVTT\n\n{text}\n")[0]) == 4
