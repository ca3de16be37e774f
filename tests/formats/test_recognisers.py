"""JSON of services of speech recognition: one talk, as each documents that it writes it."""

import json
import re

import pytest

import caesura
from caesura.errors import FormatError
from caesura.formats.detection import detect
from caesura.formats.recognisers import RECOGNISERS
from support.paths import TESTS

SEEDS = TESTS / "fuzz" / "seeds"
WORDS = "well it rained did it don't worry".split()
START = [500, 750, 1000, 2000, 2250, 3000, 3250]
END = [750, 1000, 1500, 2250, 2500, 3250, 3750]
CONFIDENCE = [0.98, 0.91, 0.87, 0.99, 0.95, 0.8, 0.9]
BARE, NO_SPEAKERS, NO_CONFIDENCE = "vosk", "vosk", "azure-3"
FILES = sorted(
    path.name for each in RECOGNISERS for path in SEEDS.glob(f"{each.name}-*")
)  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_one_talk_by_every_service(name, folder, run):
    (folder() / "talk.json").write_bytes((SEEDS / name).read_bytes())
    form = name.partition("-")[0]
    assert detect("talk.json") == form
    talk = caesura.read("talk.json")
    assert talk.words == WORDS
    assert (talk.track.start // 1000).tolist() == START
    assert (talk.track.end // 1000).tolist() == END
    assert talk.form == f"{form}-{'segments' if form == BARE else 'marks'}"
    assert talk.segmentation.boundaries.tolist() == [2, 4, 6]
    if form != BARE:
        assert talk.segmentation.marks.tolist() == [".", "?", "."]
    if form != NO_SPEAKERS:
        assert talk.track.speaker.codes.tolist() == [0, 0, 0, 1, 1, 0, 0]
    assert run("convert", "talk.json", "talk.jsonl", "--strict") == (0, "", "")
    kept = caesura.read("talk.jsonl")
    assert (kept.text, kept.segmentation) == (talk.text, talk.segmentation)
    if name != NO_CONFIDENCE:
        assert talk.track.confidence.tolist() == kept.track.confidence.tolist() == CONFIDENCE


def test_segments_without_words_are_pieces(folder):
    results = [
        {"alternatives": [{"transcript": text}], "resultEndTime": end}
        for text, end in (("so it rained", "1.500s"), (" all night", "3s"))
    ]
    talk = caesura.read(folder(**{"talk.json": json.dumps({"results": results})}) / "talk.json")
    assert talk.segmentation.masses.tolist() == [3, 2]
    assert talk.form == "google-segments"
    assert talk.track.end[[2, 4]].tolist() == [1_500_000, 3_000_000]


def test_a_phrase_whose_words_are_written_otherwise_is_one_piece(folder):
    data = json.loads((SEEDS / "azure-1").read_text())
    data["recognizedPhrases"][0]["nBest"][0]["display"] = "Well, it rained 20 mm."
    path = folder() / "talk.json"
    path.write_text(json.dumps(data))
    talk = caesura.read(path)
    assert talk.words[:6] == ["well", "it", "rained", "20", "mm", "did"]
    assert talk.track.end[4] == 1_500_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"monologues": []}', "no words where Rev AI has them; they are in [].monologues[]"),
        ('{"monologues": [{"elements": [{"type": "text", "value": 3}]}]}', "word 1, has no text"),
        ('{"result": [{"conf": 1, "word": "so", "start": -1, "end": 2}]}', "a start that is not a"),
        ('{"result": [{"conf": 1, "word": "so", "start": 3, "end": 2}]}', "begins at 3.00 and"),
    ],
)
def test_what_is_wrong_is_said(text, message, folder):
    place = folder(**{"talk.json": text})
    with pytest.raises(FormatError, match=re.escape(message)):
        caesura.read(place / "talk.json")
