"""Files of speech recognition services: Rev's .nlp, and JSON whose words a declaration locates.

A file holds one recording. A piece is a word, with the punctuation that stands beside it; where a
service gives no words for a segment, the piece is the segment. Words stay in the order of the
file. Zero times that a service leaves out, speakers that stand apart from the words, and results
that are repeated with speakers (Google) are put in their places.

Paths are keys separated by dots; `name[]` is every entry of a list, `name[0]` the first.

Rev's .nlp has a line for each word, `token|speaker|ts|endTs|punctuation|case|tags`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from caesura.core.format import Codec
from caesura.errors import FormatError, number, option
from caesura.formats.script import (
    LATEST,
    SECOND,
    UNKNOWN,
    Script,
    parse_times,
    require_forward,
    seconds,
)
from caesura.io.files import json_value, line_feeds

Keys = tuple[str, ...]
"""Paths of which the first that is there is taken."""
Row = tuple[int, int, str, str, float]
"""The start and end of a piece, its speaker, its channel, and how sure the service is of it."""
PUNCTUATION = ("punctuation", "punct")
_STEP = re.compile(r"([^.\[\]]*)(\[0?\])?\.?")
_DURATION = re.compile(r"(?:PT)?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)s)?", re.IGNORECASE)
_CHANNEL = re.compile(r"channels\[(\d+)\]")
LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recogniser:
    """Where a service's JSON has its segments, their words, and what is known of a word.

    `segments` are paths in the file, all others in a segment or a word; `unit` is what a number
    has of microseconds. `kind` says whether a word is one, or punctuation, or something `skipped`.
    `speakers` are entries apart that say who speaks at a time. Where words may be bare (`is_bare`),
    the transcript of their segment has their punctuation.
    """

    name: str
    title: str
    looks: str
    segments: Keys
    words: Keys = ("words",)
    transcript: Keys = ("transcript",)
    text: Keys = ("word",)
    start: Keys = ("start",)
    end: Keys = ("end",)
    duration: Keys = ()
    unit: float = SECOND
    speaker: Keys = ("speaker",)
    channel: Keys = ("channel",)
    confidence: Keys = ("confidence",)
    kind: Keys = ("type",)
    skipped: Keys = ()
    speakers: str = ""
    omits_zero: bool = False
    is_bare: bool = False

    def is_like(self, head: str) -> bool:
        """Whether the beginning of a file looks like this service's."""
        return re.search(self.looks, head, re.DOTALL) is not None

    def read(self, text: str, source: str = "<json>") -> list[Script]:
        """Read one recording: a piece for each word; a unit for each segment, if there are some."""
        data = _values(text, source, f"give the JSON that {self.title} writes")
        spoken = self.words, self.transcript
        for path in self.segments:
            segments = [*_nodes(data, path)]
            if any(_first(node.value, keys) for node in segments for keys in spoken):
                break
        else:
            problem = f"no words where {self.title} has them"
            raise FormatError(source, problem, f"they are in {' or '.join(self.segments)}")
        repeated = self._repeated(segments)
        apart = {str(_first(n.value, self.start)): n.value for n in _nodes(data, self.speakers)}
        texts: list[str] = []
        rows: list[Row] = []
        ends: list[int] = []  # the last pieces of segments, -1 where there are none
        opening, who = "", (self.speaker, self.channel)
        for segment in segments[-1:] if repeated else segments:
            listed_channel = "".join(_CHANNEL.findall(segment.place))
            for written, word in self._spoken(segment, source):
                spaced = LONE.sub("\ufffd", " ".join(written.split()))
                if not spaced:
                    continue
                if _first(word, self.kind) not in PUNCTUATION:
                    start, end = self._times(word, segment.place, rows, source)
                    sources = word, apart.get(str(_first(word, self.start))), segment.value
                    speaker, channel = (_name(sources, keys) for keys in who)
                    rate = _rate(_first(word, self.confidence))
                    rows.append((start, end, speaker, channel or listed_channel, rate))
                    texts.append(opening + spaced)
                    opening = ""
                elif texts and _first(word, ("attaches_to",)) != "next":
                    texts[-1] += spaced
                else:
                    opening += spaced
            ends.append(len(texts) - 1)
        if not texts:
            raise FormatError(source, "no words", f"give {self.title}'s own JSON")
        texts[-1] += opening
        return [self._script(texts, rows, repeated or ends, source)]

    def _repeated(self, segments: list[Node]) -> list[int]:
        """The last words of segments that the last segment repeats, with speakers, as Google's."""
        words = [[_first(word, self.text) for word in self._words(n.value)] for n in segments]
        before = [word for own in words[:-1] for word in own]
        ends = np.cumsum([len(own) for own in words[:-1]]) - 1
        return ends.tolist() if self.omits_zero and before and before == words[-1] else []

    def _words(self, segment: object) -> list[object]:
        words = _first(segment, self.words)
        return words if isinstance(words, list) else []

    def _spoken(self, segment: Node, source: str) -> Iterator[tuple[str, object]]:
        """The texts of a segment and the words that have them; else its transcript and itself."""
        if not isinstance(segment.value, dict):
            raise self._error(source, segment.place, "is not an object")
        whole = _first(segment.value, self.transcript)
        words = self._words(segment.value)
        words = [word for word in words if _first(word, self.kind) not in self.skipped]
        bare = [_first(word, self.text) for word in words]
        written = _dressed(whole, bare) if self.is_bare else bare
        if words and written is not None:
            for at, (text, word) in enumerate(zip(written, words, strict=True), 1):
                if not isinstance(text, str):
                    raise self._error(source, f"{segment.place}, word {at},", "has no text")
                yield text, word
        elif isinstance(whole, str) and whole.strip():
            yield whole, segment.value
        elif words:
            raise self._error(source, segment.place, "has words without text")

    def _times(self, word: object, place: str, before: list[Row], source: str) -> tuple[int, int]:
        start, end, lasts = (
            self._micros(word, keys, place or "the file", source)
            for keys in (self.start, self.end, self.duration)
        )
        if start == UNKNOWN and end != UNKNOWN and self.omits_zero:
            start = next((row[1] for row in reversed(before) if row[1] != UNKNOWN), 0)
        if end == UNKNOWN and UNKNOWN not in (start, lasts):
            end = start + lasts
        if UNKNOWN not in (start, end) and end < start:
            problem = f"begins at {seconds(start)} and ends at {seconds(end)}"
            raise self._error(source, f"a word of {place or 'the file'}", problem)
        return start, end

    def _micros(self, word: object, keys: Keys, place: str, source: str) -> int:
        """A time as microseconds: a number, a string of one, `1.5s` or `PT1.5S`, or of protobuf."""
        key = next((key for key in keys if _first(word, (key,)) is not None), None)
        if key is None:
            return UNKNOWN
        value = _first(word, (key,))
        number = _seconds(value, 1e-3 if key.endswith("Milliseconds") else self.unit / SECOND)
        if number is None or not 0 <= number <= LATEST:
            problem = f"has a {key} that is not a time: {json.dumps(value)[:40]}"
            raise self._error(source, place, problem)
        return round(number * SECOND)

    def _error(self, source: str, place: str, problem: str) -> FormatError:
        return FormatError(source, f"{place} {problem}", f"give {self.title}'s own JSON")

    def _script(self, texts: list[str], rows: list[Row], last: list[int], source: str) -> Script:
        starts, stops, speakers, channels, rates = zip(*rows, strict=True)
        start, end, confidence = map(np.array, (starts, stops, rates))
        ends = np.zeros(len(texts), np.bool_)
        ends[[at for at in last if at >= 0]] = True
        return Script(
            texts=texts,
            start=None if (start == UNKNOWN).all() else start,
            end=None if (end == UNKNOWN).all() else end,
            ends=ends if len(last) > 1 else None,
            speakers=list(speakers) if any(speakers) else None,
            channels=list(channels) if len(set(channels)) > 1 else None,
            confidence=None if np.isnan(confidence).all() else confidence,
            source=source,
            form=self.name,
        )


class Node(NamedTuple):
    """A value of the JSON, and where it stands."""

    value: object
    place: str = ""


def _nodes(data: object, path: str) -> Iterator[Node]:
    """What is at a path; nothing where a key is missing."""
    nodes = [Node(data)]
    for name, index in _STEP.findall(path):
        if name:
            nodes = [
                Node(each.value[name], f"{each.place}.{name}".lstrip("."))
                for each in nodes
                if isinstance(each.value, dict) and each.value.get(name) is not None
            ]
        if index:
            most = 1 if index == "[0]" else None
            nodes = [
                Node(value, f"{each.place}[{at}]")
                for each in nodes
                if isinstance(each.value, list)
                for at, value in enumerate(each.value[:most])
            ]
    return iter(nodes if path else ())


def _first(value: object, paths: Keys) -> object:
    """The first of some paths that is there."""
    return next((node.value for path in paths for node in _nodes(value, path)), None)


def _values(text: str, source: str, cure: str) -> object:
    """The value of a file; a list of all where several values follow each other, as Vosk's do."""
    decoder, rest, values = json.JSONDecoder(), text.removeprefix("\ufeff").lstrip(), []
    try:
        while rest:
            value, stop = decoder.raw_decode(rest)
            values.append(value)
            rest = rest[stop:].lstrip(" \t\r\n,")
    except (ValueError, RecursionError):
        values = []
    if not values:
        return json_value(text, source, cure)
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def _dressed(whole: object, words: Sequence[object]) -> Sequence[object] | None:
    """The words as a segment's text writes them, one by one; None if they differ in letters."""
    if not isinstance(whole, str) or not words or not all(isinstance(each, str) for each in words):
        return words
    written = whole.split()
    same = len(written) == len(words) and all(
        letters(one) == letters(str(other)) for one, other in zip(written, words, strict=True)
    )
    if same:
        return written
    return None if any(not each.isalnum() for each in written) else words


def letters(text: str) -> str:
    """The letters and digits of a text, whatever their case."""
    return "".join(filter(str.isalnum, text)).casefold()


def _seconds(value: object, unit: float) -> float | None:
    if isinstance(value, dict):
        parts = [_seconds(value.get(name, 0), 1) for name in ("seconds", "nanos")]
        return None if None in parts else float(parts[0] or 0) + float(parts[1] or 0) / 1e9
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not isinstance(value, str):
        return value * unit if abs(value) <= LATEST / min(unit, 1) else None
    told = _DURATION.fullmatch(value)
    if told and any(told.groups()):
        hours, minutes, rest = (float(each or 0) for each in told.groups())
        return hours * 3600 + minutes * 60 + rest
    return float(value) * unit if re.fullmatch(r"\d{1,15}(?:\.\d{1,9})?", value) else None


def _name(holders: Sequence[object], keys: Keys) -> str:
    """Who speaks, or where: the first holder that says it."""
    names = (_first(each, keys) for each in holders)
    name = next((each for each in names if isinstance(each, str | int)), "")
    return LONE.sub("", " ".join(str(name).split()))


def _rate(value: object) -> float:
    """A confidence; nan if there is none between 0 and 1."""
    try:
        rate = float(value) if isinstance(value, int | float | str) else np.nan
    except (ValueError, OverflowError):
        return np.nan
    return rate if 0 <= rate <= 1 else np.nan


_INNER = ("alternatives[0].content",)
AWS = Recogniser(
    name="aws",
    title="Amazon Transcribe",
    looks=r'"(?:jobName|accountId)"\s*:|"transcripts"\s*:\s*\[\s*\{\s*"transcript"',
    segments=("[].results",),
    words=("items",),
    transcript=("transcripts[0].transcript",),
    text=_INNER,
    start=("start_time",),
    end=("end_time",),
    speaker=("speaker_label",),
    channel=("channel_label",),
    confidence=("alternatives[0].confidence",),
    speakers="[].results.speaker_labels.segments[].items[]",
)
GOOGLE = Recogniser(
    name="google",
    title="Google Speech-to-Text",
    looks=r'"results"\s*:\s*\[\s*\{(?!\s*"channels").{0,400}?"alternatives"\s*:\s*\[\s*\{\s*"'
    r'(?:transcript|confidence|words)"|"speech\.googleapis\.com',
    segments=("[].results[]", "[].response.results[]", "[].transcript.results[]"),
    words=("alternatives[0].words",),
    transcript=("alternatives[0].transcript",),
    start=("startTime", "startOffset", "start_time", "start_offset"),
    end=("endTime", "endOffset", "end_time", "end_offset", "resultEndTime", "resultEndOffset"),
    speaker=("speakerTag", "speakerLabel", "speaker_tag", "speaker_label"),
    channel=("channelTag", "channel_tag"),
    omits_zero=True,
)
AZURE = Recogniser(
    name="azure",
    title="Azure Speech",
    looks=r'"(?:combinedRecognizedPhrases|recognizedPhrases|combinedPhrases|RecognitionStatus'
    r'|NBest)"\s*:',
    segments=("[].recognizedPhrases[]", "[].phrases[]", "[]"),
    words=(
        *("nBest[0].displayWords", "nBest[0].words", "NBest[0].DisplayWords"),
        *("NBest[0].Words", "words"),
    ),
    transcript=(
        *("nBest[0].display", "NBest[0].Display", "DisplayText", "text"),
        *("nBest[0].lexical", "NBest[0].Lexical"),
    ),
    text=("displayText", "DisplayText", "word", "Word", "text"),
    start=("offsetInTicks", "Offset", "offset", "offsetMilliseconds"),
    end=(),
    duration=("durationInTicks", "Duration", "duration", "durationMilliseconds"),
    unit=0.1,
    is_bare=True,
    speaker=("speaker", "SpeakerId", "Speaker"),
    channel=("channel", "Channel"),
    confidence=("confidence", "Confidence"),
)
DEEPGRAM = Recogniser(
    name="deepgram",
    title="Deepgram",
    looks=r'"channels"\s*:\s*\[\s*\{|"transaction_key"\s*:',
    segments=("[].results.utterances[]", "[].results.channels[].alternatives[0]"),
    text=("punctuated_word", "word"),
)
ASSEMBLYAI = Recogniser(
    name="assemblyai",
    title="AssemblyAI",
    looks=r'"(?:acoustic_model|audio_url|audio_duration|speech_model)"\s*:'
    r'|"words"\s*:\s*\[\s*\{\s*"text"\s*:\s*"[^"]*"\s*,\s*"start"\s*:\s*\d+\s*,\s*"end"\s*:\s*\d+\s*,',
    segments=("[].utterances[]", "[]"),
    transcript=("text",),
    text=("text",),
    unit=1000,
)
SPEECHMATICS = Recogniser(
    name="speechmatics",
    title="Speechmatics",
    looks=r'"format"\s*:\s*"\d\.\d+"|"results"\s*:\s*\[\s*\{.*"type"\s*:\s*"(?:word|punctuation)"',
    segments=("[]",),
    words=("results",),
    transcript=(),
    text=_INNER,
    start=("start_time",),
    end=("end_time",),
    speaker=("alternatives[0].speaker",),
    confidence=("alternatives[0].confidence",),
    skipped=("speaker_change",),
)
REVAI = Recogniser(
    name="revai",
    title="Rev AI",
    looks=r'"monologues"\s*:',
    segments=("[].monologues[]",),
    words=("elements",),
    transcript=(),
    text=("value",),
    start=("ts",),
    end=("end_ts",),
    skipped=("unknown",),
)
VOSK = Recogniser(
    name="vosk",
    title="Vosk",
    looks=r'"result"\s*:\s*\[\s*\{[^{}]*"(?:conf|word)"\s*:',
    segments=("[]",),
    words=("result", "alternatives[0].result"),
    transcript=("text", "alternatives[0].text"),
    confidence=("conf",),
)
RECOGNISERS = (AWS, AZURE, DEEPGRAM, SPEECHMATICS, GOOGLE, ASSEMBLYAI, REVAI, VOSK)
"""In the order in which a file is compared with them."""


COLUMNS = ("token", "speaker", "ts", "endTs", "punctuation", "case", "tags")
NEEDED = ("token", "punctuation")
SHOWN = 40


def parse_nlp(text: str, source: str = "<nlp>", *, force: bool = False) -> list[Script]:
    """Read one recording; with `force`, lines that do not have all columns are left out."""
    lines = line_feeds(text.removeprefix("\ufeff")).split("\n")
    names = lines[0].strip().split("|")
    for name in NEEDED:
        if name not in names:
            cure = f"the first line names the columns: {'|'.join(COLUMNS)}"
            raise FormatError(source, f"no column '{name}'", cure, line=1)
    full = [at for at, line in enumerate(lines) if at and line and not line.isspace()]
    where = [at for at in full if lines[at].count("|") == len(names) - 1]
    wrong = sorted(set(full).difference(where))
    if wrong and not force:
        row, wanted = lines[wrong[0]], len(names)
        cells = row.count("|") + 1
        problem = f"'{row[:SHOWN]}' has {number(cells, 'column')}"
        cure = "write | inside a cell as ¦" if cells > wanted else "give the line all columns"
        raise FormatError(
            source,
            f"{problem} where the first line names {wanted}",
            f"{cure}, or leave such lines out with {option('force')}",
            line=wrong[0] + 1,
        )
    if not where:
        raise FormatError(source, "no words", "give a line for each word", line=1)
    flat = "|".join(lines[at] for at in where).split("|")
    columns = {name: flat[at :: len(names)] for at, name in enumerate(names)}
    numbers = np.array(where, dtype=np.int64) + 1
    # A hyphen would be part of the word before it, a dash is not.
    marks = (mark.replace("-", "–") for mark in columns["punctuation"])
    start, end = (
        parse_times(columns[name], source, numbers) if any(columns.get(name, ())) else None
        for name in ("ts", "endTs")
    )
    script = Script(
        texts=[token + mark for token, mark in zip(columns["token"], marks, strict=True)],
        start=start,
        end=end,
        speakers=columns.get("speaker"),
        lines=numbers,
        form="nlp",
        source=source,
        signs={"left_out": len(wrong), "left_out_at": wrong[0] + 1} if wrong else {},
    )
    require_forward(script)
    return [script]


CODECS = {
    **{service.name: Codec(service.read, is_like=service.is_like) for service in RECOGNISERS},
    "nlp": Codec(parse_nlp),
}
