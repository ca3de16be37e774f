"""Transcripts in scripts without spaces, from files to scores."""

import pytest
from rapidfuzz.distance import Levenshtein

import caesura
from support.results import result

TALKS = {
    "chinese": ("今天下雨了。我们没有出门。后来雨停了，大家去公园。", 21, [5, 11, 21]),
    "japanese": ("今日は雨でした。出かけませんでした。晴れて、公園へ行きました。", 27, [7, 16, 27]),
    "thai": ("วันนี้ฝนตก. เราไม่ได้ออกไป. ตอนเย็นฝนหยุด", 30, [7, 19, 30]),
    "mixed": ("我用iPhone 15打电话。It rained. 3.5度很冷！", 13, [7, 9, 13]),
}  # fmt: skip


@pytest.mark.parametrize("language", TALKS)
def test_boundaries_lie_between_characters(language):
    text, words, ends = TALKS[language]
    segmentation = caesura.document(text, input="marks").segmentation
    assert segmentation.length == words
    assert (segmentation.boundaries[: len(ends)] + 1).tolist() == ends


@pytest.mark.parametrize("language", ["chinese", "japanese"])
def test_annotators_who_wrote_it_differently(run, folder, language):
    text = TALKS[language][0]
    lines = text.replace("。", "\n").replace("，", "").replace("、", "")
    folder(a=text, b=lines, c=lines.strip().replace("\n", "//", 1).replace("\n", ""))
    found = result(run, "transcript", "c.txt", "--ref", "a.txt", "--ref", "b.txt")
    notes = caesura.evaluate(["c.txt"], references=["a.txt", "b.txt"]).notes
    assert notes[-1].startswith("characters, in scripts without spaces: a.txt, b.txt, c.txt")
    assert "|tokens:script|" in found["signature"]
    assert found["agreement"]["pairwise_f1_mean"] == 1
    assert found["systems"][0]["by_reference"]["a"]["recall"] == 0.5


def test_character_errors_are_those_of_the_characters(run, folder):
    text = TALKS["chinese"][0]
    heard = "今天下雨啦。我没有出去门。后来停了，大家都去公园。"
    folder(a=text, b=text.replace("。", "\n"), heard=heard)
    found = result(run, "transcript", "heard.txt", "--ref", "a.txt", "--ref", "b.txt", "--align")
    bare = [each.translate({ord(mark): None for mark in "。，"}) for each in (text, heard)]
    aligned = found["sources"]["heard"]
    assert aligned["character_error_rate"] == Levenshtein.distance(*bare) / len(bare[0])
    assert aligned["word_error_rate"] == aligned["character_error_rate"]
    assert found["sources"]["b"]["character_error_rate"] == 0


def test_words_that_are_prepared_stay_words(run, folder):
    folder(a="今天 下雨 了 我们 走 吧", b="今天 下雨 了\n我们 走 吧", en="it rained\nwe left")
    chinese = ("transcript", "a.txt", "--ref", "b.txt", "--input", "lines")
    found = result(run, *chinese, "--tokens", "words")
    assert found["sources"]["b"]["words"] == 6
    assert "tokens" not in found["signature"]
    english = ("transcript", "en.txt", "--ref", "c=en.txt", "--align")
    found = result(run, *english, "--tokens", "characters")
    assert found["sources"]["c"]["words"] == 14
    assert "|tokens:characters|" in found["signature"]
    plain = result(run, *english)
    assert "tokens" not in plain["signature"]
    assert "character_error_rate" not in plain["sources"]["en"]


def test_times_and_speakers_of_subtitles(folder):
    cues = "00:00.000 --> 00:04.000\n<v Li>今天下雨了\n\n00:04.000 --> 00:06.000\n<v Wu>走吧\n"
    folder(**{"talk.vtt": f"WEBVTT\n\n{cues}"})
    talk = caesura.read("talk.vtt")
    assert talk.words == list("今天下雨了走吧")
    assert talk.track.start[0] == 0
    assert talk.track.end[[4, 6]].tolist() == [4_000_000, 6_000_000]
    assert [talk.track.speaker.names[code] for code in talk.track.speaker.codes[3:6]] == [
        "Li", "Li", "Wu",
    ]  # fmt: skip
    assert caesura.read("talk.vtt", tokens="words").segmentation.length == 2


def test_detectors_get_the_text_without_separators(run, folder):
    pytest.importorskip("sentencex")
    text = TALKS["chinese"][0]
    folder(a=text, b=text.replace("。", "。\n"))
    found = result(run, "transcript", "--run", "sentencex:zh", "--ref", "b.txt")
    assert found["systems"][0]["by_reference"]["b"]["f1"] == 1
