"""Times of words that share a cue or segment: the same whatever the punctuation, and marked."""

import numpy as np
import pytest

import caesura
from caesura.align.normalize import compose

WRITTEN = "Yes, I did – twice! … (Are you sure?)", "yes i did twice are you sure"
CUES = {
    "a.srt": "1\n00:00:00,000 --> 00:00:07,000\n{}\n",
    "a.vtt": "WEBVTT\n\n00:00.000 --> 00:07.000\n{}\n",
    "a.ass": "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:00.00,0:00:07.00,{}\n",
    "a.ttml": '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="0s" end="7s">{}</p></div>'
    "</body></tt>",
    "a.stm": "talk 1 ann 0 7 {}\n",
    "a.json": '{{"segments": [{{"start": 0, "end": 7, "text": "{}"}}]}}',
    "a.jsonl": '{{"schema": "transcript"}}\n{{"text": "{}", "start": 0, "end": 7}}\n',
    "a.cha": "@Begin\n*ANN:\t{} . \u00150_7000\u0015\n@End\n",
}


@pytest.fixture
def track(folder):
    """The times of the words of one cue or segment."""

    def call(text, name="a.srt"):
        folder(**{name: CUES[name].format(text)})
        return caesura.read(name).track

    return call


@pytest.mark.parametrize("name", CUES)
def test_punctuation_has_no_length(track, name):
    letters = np.append(0, np.cumsum([3, 1, 3, 5, 3, 3, 4])) * 7_000_000 / 22
    for text in WRITTEN:
        found = track(text, name)
        assert found.start.tolist() == np.rint(letters[:-1]).tolist()
        assert found.end.tolist() == np.rint(letters[1:]).tolist()
        assert found.interpolated.all()


def test_speakers_who_share_a_cue(track):
    for text in ("<v A>– No! …<v B>Are you sure?!", "<v A>no<v B>are you sure"):
        found = track(text, "a.vtt")
        assert found.start.tolist() == np.rint(np.array([0, 2, 5, 8]) * 7_000_000 / 12).tolist()
        assert found.interpolated.tolist() == [True] * 4
    found = track("<v A>—<v B>no", "a.vtt")
    assert (found.start.tolist(), found.end.tolist()) == ([0], [7_000_000])


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("कि यह", [1, 2]),  # a vowel sign is a combining mark
        ("كَتَبَ كتب", [3, 3]),  # vowels written or not
        ("cafe\u0301 caf\u00e9", [4, 4]),
        ("a & b_c 3.5", [1, 1, 2, 2]),
    ],
)
def test_letters_and_digits_of_any_script(track, text, lengths):
    assert track(text).end.tolist() == np.rint(np.cumsum(lengths) * 7e6 / sum(lengths)).tolist()


def test_what_is_marked(folder, run):
    cues = CUES["a.srt"].format("so it did") + "\n2\n00:00:08,000 --> 00:00:09,000\nYes"
    folder(**{"a.srt": cues})
    document = caesura.read("a.srt")
    assert document.track.interpolated.tolist() == [True, True, True, False]
    assert run("convert", "a.srt", "b.jsonl")[0] == 0
    assert caesura.read("b.jsonl").track.interpolated.tolist() == [True, True, True, False]
    folder(**{"a.ctm": "talk 1 0.0 0.5 it's\ntalk 1 0.5 0.5 true\n"})
    whole = caesura.read("a.ctm")
    assert whole.track.interpolated is None
    parted = compose(["contractions"]).apply(whole)
    assert parted.track.end.tolist() == [333_333, 500_000, 1_000_000]
    assert parted.track.interpolated.tolist() == [True, True, False]
