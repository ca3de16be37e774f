"""FORMATS: the formats of transcripts and text. A task's own formats come with the task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module

from caesura.core.format import TEXT, TRANSCRIPT, Format
from caesura.core.registry import Extensible, required
from caesura.errors import option

_NUMBERS = r"\s*+(?:[;#]|(?:\S++\s++){3}(?:<NA>|[-+.]?\d))"
"""A comment, or a number in the fourth column."""


def _plain(name: str, about: str) -> Format:
    """Plain text, which `plain` reads."""
    module = "caesura.formats.plain_writers"
    return Format(name=name, about=about, module=module, is_written=True, is_plain=True)


def _service(name: str, about: str, module: str = "caesura.formats.recognisers") -> Format:
    """The JSON of a program or service of speech recognition."""
    return Format(
        name=name,
        about=about,
        module=module,
        suffixes=(".json",),
        opening=r"[\[{]",
        units="auto",
    )


def _text(name: str, about: str, *suffixes: str) -> Format:
    """Tokenized text, which `text_files` reads."""
    return Format(name=name, holds=TEXT, about=about, suffixes=suffixes)


FORMATS: tuple[Format, ...] = (
    _plain("lines", "one unit per line"),
    _plain("marks", "running text in which . ? ! ; end a unit (see --marks)"),
    _plain("slashes", "units separated by //"),
    _plain("binary", "a string of 0s and 1s, one per word: 1 where a unit ends after the word"),
    _plain("breaks", "subtitles as text: <eol> ends a line, <eob> a block"),
    Format(
        name="srt",
        about="SubRip (.srt): subtitles with times",
        module="caesura.formats.subtitles",
        is_written=True,
        suffixes=(".srt",),
        contains="-->",
        units="auto",
        pieces="segments",
    ),
    Format(
        name="vtt",
        about="WebVTT: subtitles with times and speakers",
        module="caesura.formats.subtitles",
        is_written=True,
        suffixes=(".vtt", ".webvtt"),
        opening=r"WEBVTT(?!\S)",
        units="auto",
        pieces="segments",
    ),
    Format(
        name="ass",
        about="SubStation Alpha (.ass, .ssa): subtitles with times and names",
        module="caesura.formats.subtitles",
        suffixes=(".ass", ".ssa"),
        opening=r"\[Script Info\]",
        units="auto",
    ),
    Format(
        name="ttml",
        about="TTML (.ttml, .dfxp): subtitles in XML with times and agents",
        module="caesura.formats.subtitles",
        suffixes=(".ttml", ".dfxp"),
        opening=r"(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:\w+:)?tt[\s>]",
        units="auto",
    ),
    _service(
        "whisper",
        "Whisper's JSON: segments and words (also faster-whisper, WhisperX, whisper.cpp)",
        module="caesura.formats.whisper",
    ),
    _service("aws", "Amazon Transcribe's JSON: words with speakers, times and confidence"),
    _service("azure", "Azure Speech's JSON: of batches, fast transcription, and detailed results"),
    _service("deepgram", "Deepgram's JSON: utterances, or channels, and their words"),
    _service("speechmatics", "Speechmatics' JSON (json-v2): words and punctuation"),
    _service("google", "Google Speech-to-Text's JSON, v1 and v2: results and their words"),
    _service("assemblyai", "AssemblyAI's JSON: utterances and words, times in milliseconds"),
    _service("revai", "Rev AI's JSON: monologues and their elements"),
    _service("vosk", "Vosk's JSON: one result after another, or a list"),
    Format(
        name="seglst",
        about="SegLST's JSON: a list of segments with session, speaker and times",
        module="caesura.formats.segment_records",
        suffixes=(".json",),
        opening=r'\[\s*\{[^{}]*"session_id"\s*:',
        holds_many=True,
    ),
    Format(
        name="tsv",
        about="Whisper's .tsv: start, end and text of segments, in milliseconds",
        module="caesura.formats.segment_records",
        opening=r"start\tend\ttext[ \t\r]*(?:\n|$)",
        units="auto",
    ),
    Format(
        name="chat",
        about="CHAT (.cha): utterances with speakers, codes and times, of CHILDES and TalkBank",
        module="caesura.formats.chat",
        suffixes=(".cha",),
        opening=r"@(?:UTF8|Begin)\s",
    ),
    Format(
        name="nlp",
        about="Rev's .nlp: one line per word, with its mark, speaker and times",
        module="caesura.formats.recognisers",
        options=("force",),
        suffixes=(".nlp",),
        opening=r"token\|",
        units="marks",
    ),
    Format(
        name="ctm",
        about="NIST CTM: one line per word, with its recording, channel and times",
        module="caesura.formats.nist",
        is_written=True,
        suffixes=(".ctm",),
        opening=_NUMBERS,
        is_like_words=True,
        units="auto",
        holds_many=True,
    ),
    Format(
        name="stm",
        about="NIST STM: one line per segment, with its recording, speaker and times",
        module="caesura.formats.nist",
        is_written=True,
        suffixes=(".stm",),
        opening=_NUMBERS,
        is_like_words=True,
        pieces="segments",
        holds_many=True,
    ),
    Format(
        name="rttm",
        about="NIST RTTM: LEXEME and SU lines, words and typed units with speakers and times; "
        "without them SPEAKER lines, segments with speakers",
        module="caesura.formats.nist",
        is_written=True,
        options=("tier",),
        suffixes=(".rttm",),
        opening=_NUMBERS,
        holds_many=True,
    ),
    Format(
        name="kaldi",
        about="Kaldi's text: one line per utterance, its id and its words",
        module="caesura.formats.segment_records",
    ),
    Format(
        name="textgrid",
        about="Praat TextGrid: an interval tier for each speaker, or tiers of words and of units",
        module="caesura.formats.textgrid",
        is_written=True,
        options=("tier",),
        suffixes=(".textgrid",),
        opening=r'(File type = )?"ooTextFile[^"]*"[^"]*"TextGrid"',
        pieces="both",
    ),
    Format(
        name="eaf",
        about="ELAN (.eaf): a tier for each speaker, with words and types in its child tiers",
        module="caesura.formats.eaf",
        is_written=True,
        options=("tier",),
        suffixes=(".eaf",),
        contains="<ANNOTATION_DOCUMENT",
        pieces="both",
    ),
    Format(
        name="phn",
        about="phones or words in time: FILE ON OFF LABEL lines in seconds, or TIMIT's ON OFF "
        "LABEL in samples",
        module="caesura.formats.phn",
        options=("rate",),
        suffixes=(".phn", ".wrd"),
        holds_many=True,
    ),
    Format(
        name="disrpt",
        about="DISRPT (.tok, .conllu): discourse units or connectives, a token a line",
        module="caesura.formats.disrpt",
        suffixes=(".tok",),
        contains="\t",
        holds_many=True,
    ),
    Format(
        name="choi",
        about="Choi's files: one sentence per line, lines of === between topics",
        module="caesura.formats.topics",
        suffixes=(".choi",),
        contains="=====",
    ),
    Format(
        name="segeval",
        about="segeval's JSON, TSV or CSV: documents, their coders, the lengths of their units",
        module="caesura.formats.topics",
        suffixes=(".json",),
        opening=r"\{|[Cc]oder[\t,]|[^\t\n]+\t\d+[\t\n]",
        holds_many=True,
        has_words=False,
    ),
    Format(
        name="conllu",
        about="CoNLL-U: a transcript whose units are the sentences",
        module="caesura.formats.conllu",
        suffixes=(".conllu",),
        contains="\t",
        holds_many=True,
    ),
    Format(
        name="jsonl",
        about="caesura's JSON lines: one object per piece, with everything known about it",
        module="caesura.formats.jsonl",
        is_written=True,
        suffixes=(".jsonl", ".ndjson"),
        opening=r'\{[^\n]*"schema"\s*:\s*"transcript"',
        holds_many=True,
    ),
    Format(
        name="nemo",
        about="NeMo's manifests: JSON lines of audio files, offsets, durations and texts",
        module="caesura.formats.segment_records",
        suffixes=(".jsonl", ".json"),
        opening=r'\{[^\n]*"audio_filepath"\s*:',
        holds_many=True,
    ),
    Format(
        name="masses",
        about="the lengths of the units of a document on each line: 2 3 6",
        module="caesura.formats.topics",
        is_written=True,
        suffixes=(".masses",),
        opening=r"[0-9][0-9\s]*+\Z",
        holds_many=True,
        has_words=False,
    ),
    Format(
        name="times",
        about="points without words: TIME [LABEL] lines, chapters, JSON of series and annotators",
        module="caesura.formats.signals",
        is_written=True,
        options=("rate", "axis"),
        suffixes=(".times",),
        pieces="segments",
        holds_many=True,
        has_words=False,
    ),
    Format(
        name="labels",
        about="labelled intervals without words: START END [LABEL] lines, or a label per frame",
        module="caesura.formats.signals",
        is_written=True,
        options=("rate", "axis"),
        suffixes=(".lab",),
        pieces="segments",
        holds_many=True,
        has_words=False,
    ),
    Format(
        name="scenes",
        about="shots of videos without words: FIRST LAST frame lines, JSON or JSON lines",
        module="caesura.formats.signals",
        suffixes=(".scenes",),
        holds_many=True,
        has_words=False,
    ),
    Format(
        name="scores",
        about="one word per line with a score, word TAB 0.93, or a table of words and scores",
        module="caesura.formats.word_scores",
        options=("scores",),
        opening=r"[^\t\n]*\t[-+.\d]|[^\n]*?(?i:score|probability)",
        holds_many=True,
    ),
    _text("tokens", "one sentence per line, tokens separated by spaces"),
    _text("segmented", "as tokens, and the ideographic space (U+3000) separates words, too"),
    _text("conllu", "the ten columns of Universal Dependencies", ".conllu", ".conll-u", ".conll"),
)
PLAIN = {each.name: each for each in FORMATS if each.is_plain}
"""Plain transcripts by name."""


def _plugged(name: str, value: object) -> Format:
    """A format of a plug-in, under the name of its entry point."""
    plugged = replace(required(Format, value), name=name, is_plain=False)
    if not plugged.module or name not in import_module(plugged.module).CODECS:
        raise ValueError(f"CODECS of its module has no '{name}'")
    return plugged


TIMED = Extensible(
    {each.name: each for each in FORMATS if each.holds == TRANSCRIPT and not each.is_plain},
    "formats",
    _plugged,
    (*PLAIN, "auto"),
)
"""Transcripts with times, speakers, recordings or types, by name, and formats of plug-ins."""
TEXTS = {each.name: each for each in FORMATS if each.holds == TEXT}
"""Tokenized texts by name."""


def without_effect(options: Mapping[str, object], forms: Iterable[str]) -> Iterator[str]:
    """The options of formats that none of the files takes, given the forms in which they came."""
    formats = [TIMED[name] for form in forms if (name := form.partition("-")[0]) in TIMED]
    for name in ("tier", "rate"):
        if options.get(name) and not any(name in each.options for each in formats):
            yield name
    if options.get("units") in ("marks", "segments", "intervals") and not formats:
        yield "units"


def useless(options: Mapping[str, object], forms: Iterable[str]) -> Iterator[str]:
    """Messages about options without effect; a tier NAME? or NAME* need not be there."""
    for name in without_effect(options, forms):
        takers = [key for key, each in TIMED.items() if name in each.options] or ["timed"]
        if not str(options[name]).endswith(("?", "*")):
            yield f"{option(name, '…')} has no effect: no file is {' or '.join(takers)}"
