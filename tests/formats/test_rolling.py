"""Rolling captions, as YouTube makes them."""

from support.pieces import pieces, script

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
    assert pieces("vtt", ROLLING, "texts start end ends") == [
        ("so", 0.16, 0.4, False), ("it", 0.4, 0.64, False), ("rained", 0.64, 2.35, True),
        ("all", 2.36, 2.6, False), ("night", 2.6, 3, False), ("long", 3, 4.11, True),
        (">> really", 4.12, 6, True),
    ]  # fmt: skip
    assert script("vtt", ROLLING).signs == {"rolled": 4}


def test_lines_of_srt():
    found = pieces("srt", SRT, "texts end")
    assert found == [("so it rained", 2.35), ("all night long", 4.11), ("really", 6)]


def test_a_note_says_so(run, folder):
    text = ROLLING.replace("&gt;&gt; ", "")
    folder(**{"talk.vtt": text, "ref.txt": "so it rained\nall night long really"})
    _, _, err = run("transcript", "talk.vtt", "--ref", "ref.txt", notes=True)
    assert "read as rolling captions, unrolled: talk.vtt, 4 repeated lines left out\n" in err


def test_songs_do_not_roll():
    cues = [("la la la", "oh"), ("yes", "no"), ("no", "la"), ("so it goes", "")]
    times = [f"00:0{at}.000 --> 00:0{at + 1}.000" for at in range(4)]
    text = "\n\n".join(f"{time}\n{a}\n{b}" for time, (a, b) in zip(times, cues, strict=True))
    assert len(script("vtt", f"WEBVTT\n\n{text}\n")) == 4
