"""Whisper's JSON: segments with their words, as Whisper and the programs around it write them.

Read are the JSON of OpenAI's whisper, faster-whisper (also a bare list of segments), WhisperX,
whisper-timestamped, whisper.cpp (`transcription`, times in milliseconds) and the verbose JSON of
OpenAI's service. A piece is a word where a segment has `words`, else the segment. The words of the
service, which stand apart and have no punctuation, lend their times to the words of its text if
both have the same letters and digits.

Whisper begins a word with a blank. In a file where any word does, one that does not continues the
word before it in its segment (` twenty`, `-one`), unless letters of a script without blanks meet
there (Chinese, Japanese, Thai, Lao, Burmese, Khmer). In a file where none does, each word is one.

Words stay in the order in which they are written, whatever their times; a word without times
(WhisperX has such) has none; words and segments of white space are left out.

JSON of other services looks alike but differs in keys and in the unit of times: whatever is not
recognised as Whisper's is refused.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from caesura.core.format import Codec
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError
from caesura.formats.recognisers import LONE, RECOGNISERS, letters
from caesura.formats.script import LATEST, SECOND, UNKNOWN, Script, seconds
from caesura.io.files import json_value

CURE = "give the JSON that Whisper writes"
ACCEPTED = (
    "the JSON of OpenAI's whisper and its service, faster-whisper, WhisperX, whisper-timestamped "
    "and whisper.cpp is read; convert other JSON to one of `caesura list formats`, such as srt"
)
TEXT_KEYS = frozenset(
    {"text", "task", "language", "language_probability", "duration", "usage", "logprobs", "model",
     "segments", "words", "word_segments", "x_groq"}
)  # fmt: skip
"""What JSON that has a text only may have besides."""
SLOWEST = 100 * SECOND
"""Longer than any word takes: a segment of Whisper's is never longer than 30 seconds."""
SHOWN = 8
"""How many keys of foreign JSON an error names."""
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_LIKE = re.compile(
    r'[\[{]\s*(?:"text"\s*:\s*" |"(?:segments|word_segments|transcription|systeminfo|task)"\s*:)'
    r'|[\[{].*"(?:segments|transcription|avg_logprob|word_segments)"\s*:',
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Entries:
    """The words of all segments, or the segments that have none, and where they stand."""

    items: list[dict[str, object]]
    segments: list[object]
    segment: IntArray
    word: IntArray
    key: str
    source: str

    def place(self, at: int) -> str:
        """Where an entry stands, as `segments[3].words[2]`."""
        place = f"{self.key}[{int(self.segment[at])}]"
        return place if self.word[at] < 0 else f"{place}.words[{int(self.word[at])}]"

    def error(self, at: int, problem: str) -> FormatError:
        """An error that says which entry is wrong."""
        return FormatError(self.source, f"{self.place(at)} {problem}", CURE)


def parse(text: str, source: str = "<whisper>") -> list[Script]:
    """Read one recording: a piece for each word, or segment; a unit for each segment."""
    data: Any = json_value(text, source, CURE)
    key, segments = _segments(data, source)
    entries = _entries(segments, key, source)
    texts, start, end = _texts_and_times(entries)
    values = data if isinstance(data, dict) else {}
    apart_keys = [name for name in ("words", "word_segments") if values.get(name)]
    if not apart_keys or (entries.word >= 0).any():
        return [_script(entries, texts, start, end)]
    name = apart_keys[0]  # of words that stand beside the segments
    if not isinstance(data[name], list):
        raise FormatError(source, f"'{name}' is not a list", CURE)
    apart = _entries(data[name], name, source)
    if any("text" in item and "word" not in item for item in apart.items):
        raise _foreign(data, source)
    words, on, off = _texts_and_times(apart)
    bare = replace(_script(apart, words, on, off), ends=None)
    if not any(text.strip() for text in texts):
        return [bare]
    if key == "text":
        start, end = on[:1], off[-1:]
    return [_dressed(texts, entries.segment, bare) or _script(entries, texts, start, end)]


def is_like(head: str) -> bool:
    """Whether the beginning of a text looks like Whisper's JSON, and like no other service's."""
    return bool(_LIKE.match(head)) and not any(each.is_like(head) for each in RECOGNISERS)


def _segments(data: object, source: str) -> tuple[str, list[object]]:
    """The list of segments and its name; none where the file has words only."""
    if isinstance(data, list):
        return "", data
    if not isinstance(data, dict):
        raise FormatError(source, "neither an object nor a list", CURE)
    key = next((key for key in ("segments", "transcription") if data.get(key) is not None), None)
    if key is None:
        if not data:
            raise FormatError(source, "no key 'segments'", CURE)
        has_words = data.get("words") or data.get("word_segments")
        if not has_words and not (data.get("text") and TEXT_KEYS.issuperset(data)):
            raise _foreign(data, source)
        return "text", [{"text": data.get("text") or ""}]
    if not isinstance(data[key], list):
        raise FormatError(source, f"'{key}' is not a list", CURE)
    return key, data[key]


def _foreign(data: dict[str, object], source: str, where: str = "") -> FormatError:
    """The error for JSON that is not recognised."""
    names = ", ".join(map(str, list(data)[:SHOWN])) + ", …" * (len(data) > SHOWN)
    return FormatError(source, f"not Whisper's JSON: {where}the keys are {names}", ACCEPTED)


def _entries(segments: list[object], key: str, source: str) -> Entries:
    """Take the words of the segments that have them."""
    items: list[Any] = []
    whose: list[int] = []
    word: list[int] = []  # its number in its segment, -1 where the segment has none
    for index, segment in enumerate(segments):
        words = segment.get("words") if isinstance(segment, dict) else None
        words = words if isinstance(words, list) else []
        items += words or [segment]
        word += range(len(words)) or [-1]
        whose += [index] * (len(items) - len(whose))
    places = np.array(whose, np.int64), np.array(word, np.int64)
    entries = Entries(items, segments, *places, key, source)
    for at, item in enumerate(items):
        if not isinstance(item, dict):
            raise entries.error(at, "is not an object")
        if item.get("start") is not None and "end" not in item and "duration" in item:
            raise _foreign(item, source, f"in {entries.place(at)} ")
    return entries


def _texts_and_times(entries: Entries) -> tuple[list[str], IntArray, IntArray]:
    """The text of each entry, and its start and end in microseconds."""
    texts: list[str] = []
    for at, item in enumerate(entries.items):
        text = item["word"] if "word" in item else item.get("text")
        if not isinstance(text, str):
            name = "word" if entries.word[at] >= 0 or "word" in entries.key else "text"
            raise entries.error(at, f"has no '{name}'" if text is None else f"has no text: {text}")
        texts.append(text)
    if LONE.search("\n".join(texts)):
        texts = [LONE.sub("\ufffd", text) for text in texts]
    if entries.key == "transcription":
        start, end = (_column(entries, "offsets", name, 1000) for name in ("from", "to"))
    else:
        start, end = (_column(entries, name, "", SECOND) for name in ("start", "end"))
    known = np.flatnonzero((start != UNKNOWN) & (end != UNKNOWN))
    for at in known[end[known] < start[known]][:1].tolist():
        problem = f"begins at {seconds(int(start[at]))} and ends at {seconds(int(end[at]))}"
        cure = "it must not end before it begins"
        raise FormatError(entries.source, f"{entries.place(at)} {problem}", cure)
    words = sum(len(texts[at].split()) for at in known.tolist())
    is_slow = (end - start)[known].sum() > SLOWEST * words
    if is_slow and entries.key != "transcription":  # words that last for minutes: milliseconds?
        items = [entries.items[at] for at in known.tolist()]
        if all(type(item[name]) is int for item in items for name in ("start", "end")):
            first = f"{entries.place(int(known[0]))} begins at {items[0]['start']}"
            problem = f"times that seem to be milliseconds, not seconds: {first}"
            raise FormatError(entries.source, problem, ACCEPTED)
    return texts, start, end


def _column(entries: Entries, name: str, inner: str, scale: int) -> IntArray:
    """A column of times as microseconds."""
    values = [item.get(name) for item in entries.items]
    if inner:
        values = [value.get(inner) if isinstance(value, dict) else None for value in values]
    numbers = np.array([_number(value) for value in values], dtype=np.float64)
    for at in np.flatnonzero((numbers < 0) | (numbers > LATEST))[:1].tolist():
        problem = f"has a {inner or name} that is not a time: {json.dumps(values[at])[:40]}"
        raise entries.error(at, problem)
    unknown = np.isnan(numbers)
    micros = np.rint(np.where(unknown, 0, numbers) * scale).astype(np.int64)
    return np.where(unknown, UNKNOWN, micros)


def _number(value: Any) -> float:
    """A number; nan for null, and -1, which is not a time, for anything else."""
    if type(value) in (int, float):
        return -1 if abs(value) > LATEST else value
    return np.nan if value is None else -1


def _script(entries: Entries, texts: list[str], start: IntArray, end: IntArray) -> Script:
    """Join what continues a word, and leave out what has no text."""
    full = np.array([index for index, text in enumerate(texts) if text.strip()], dtype=np.int64)
    if not full.size:
        raise FormatError(entries.source, "no words", CURE)
    kept = [texts[index] for index in full.tolist()]
    segment = entries.segment[full]
    first = np.flatnonzero(~_continues(kept, segment, entries.word[full] >= 0))
    last = np.append(first[1:], full.size) - 1
    spans = zip(first.tolist(), (last + 1).tolist(), strict=True)
    speakers = _speakers(entries, full[first])
    return Script(
        texts=[" ".join("".join(kept[a:b]).split()) for a, b in spans],
        start=start[full[first]],
        end=end[full[last]],
        ends=np.append(np.diff(segment[first]) != 0, True),
        speakers=speakers,
        form="whisper",
        source=entries.source,
    )


def _continues(texts: list[str], segment: IntArray, is_word: BoolArray) -> BoolArray:
    """Which pieces are the rest of the word before them."""
    apart = np.array([text[0].isspace() for text in texts], dtype=np.bool_)
    if not (apart & is_word).any():
        return np.zeros(len(texts), dtype=np.bool_)
    inside = np.append(False, np.diff(segment) == 0)
    ends_apart = np.array([text[-1].isspace() for text in texts], dtype=np.bool_)
    joined: BoolArray = inside & ~apart & ~np.append(False, ends_apart[:-1])
    for at in np.flatnonzero(joined).tolist():
        here, before = texts[at][0], texts[at - 1][-1]
        unspaced = _UNSPACED.match(here) or (_UNSPACED.match(before) and here.isalnum())
        joined[at] = not unspaced
    return joined


def _speakers(entries: Entries, which: IntArray) -> list[str] | None:
    """Who speaks each piece: the word's speaker, else that of its segment."""
    names = [entries.items[index].get("speaker") for index in which.tolist()]
    for at in [at for at, name in enumerate(names) if name is None]:
        segment = entries.segments[int(entries.segment[which[at]])]
        names[at] = segment.get("speaker") if isinstance(segment, dict) else None
    speakers = ["" if name is None else LONE.sub("", " ".join(str(name).split())) for name in names]
    return speakers if any(speakers) else None


def _dressed(texts: list[str], segment: IntArray, bare: Script) -> Script | None:
    """The words of some texts with the times of bare words; None if the letters differ."""
    written, spoken = (list(map(letters, some)) for some in (texts, bare.texts))
    if "".join(written) != "".join(spoken):
        return None
    stops = np.cumsum([len(word) for word in spoken])
    before = np.cumsum([0, *map(len, written)])
    cut = [_cut(*each, set(stops)) for each in zip(texts, before, strict=False)]
    tokens = [token for text in cut for token in text]
    whose = np.repeat(segment, [len(text) for text in cut])
    own_stops = np.cumsum([len(letters(token)) for token in tokens])
    own_starts = np.concatenate(([0], own_stops[:-1]))
    silent = own_starts == own_stops
    first = np.where(silent, 0, np.searchsorted(stops, own_starts, side="right"))
    last = np.where(silent, 0, np.searchsorted(stops, own_stops, side="left"))
    return replace(
        bare,
        texts=tokens,
        start=None if bare.start is None else np.where(silent, UNKNOWN, bare.start[first]),
        end=None if bare.end is None else np.where(silent, UNKNOWN, bare.end[last]),
        ends=np.append(np.diff(whose) != 0, True),
        speakers=bare.speakers and [bare.speakers[index] for index in first.tolist()],
    )


def _cut(text: str, letter: int, edges: set[int]) -> list[str]:
    """Split a text at spaces and, in scripts without them, where words begin."""
    if not _UNSPACED.search(text):
        return text.split()
    parts: list[str] = []
    for character in text:
        size = len(letters(character))
        before = parts[-1] if parts else " "
        begins = size and letter in edges and not before.isspace()
        parts += [" "] if begins and _UNSPACED.match(character) else []
        parts.append(character)
        letter += size
    return "".join(parts).split()


CODECS = {"whisper": Codec(parse, is_like=is_like)}
