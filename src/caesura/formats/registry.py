"""TIMED: the formats of transcripts by name. The module of a format is imported when it is used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from caesura.formats.script import Kind, Script, Units

_NUMBERS = r"\s*+(?:[;#]|(?:\S++\s++){3}(?:<NA>|[-+.]?\d))"
"""A comment, or a number in the fourth column."""


class FormatOptions(TypedDict, total=False):
    """Options of some formats: the tier to read, samples per second, and whether to go on.

    With `force`, lines that are not valid are left out where the format can do without them.
    """

    tier: str
    rate: int
    force: bool


@dataclass(frozen=True, slots=True)
class Format:
    """A format: how it is recognised, read and written.

    `module` names the module in this folder that holds its functions: `parse` takes the text and
    the name of its source and returns a script for each recording; `write` takes scripts whose
    pieces are of the `kind` that the format holds and returns the text in parts. `units` says what
    ends a unit by default: `segments`, the ends that the format has; `marks`, the marks in its
    text; `auto`, marks if there are any, else segments. `holds_many` says whether one file can
    hold many recordings, `holds_versions` whether it can hold several versions of each, and
    `has_words` whether it holds words, not boundaries only. `opening` is a pattern with which a
    file begins and `contains` a string near its beginning; with `has_look`, the module's `is_like`
    decides after them. `options` are those that its `parse` takes.
    """

    module: str
    about: str
    suffixes: tuple[str, ...]
    units: Units
    kind: Kind
    holds_many: bool = False
    holds_versions: bool = False
    has_words: bool = True
    opening: str = ""
    contains: str = ""
    has_look: bool = False
    options: tuple[str, ...] = ()

    @property
    def _functions(self) -> Any:
        return import_module(f"caesura.formats.{self.module}")

    def scripts(
        self, text: str, source: str, options: Mapping[str, Any] | None = None
    ) -> list[Script]:
        """Read the recordings of a text."""
        taken = {name: each for name, each in (options or {}).items() if name in self.options}
        scripts: list[Script] = self._functions.parse(text, source, **taken)
        return scripts

    def write(self, scripts: Sequence[Script]) -> Iterable[str]:
        """Write scripts, part by part."""
        parts: Iterable[str] = self._functions.write(scripts)
        return parts

    def is_like(self, head: str) -> bool:
        """Whether the beginning of a text looks like this format."""
        if not (self.opening or self.contains) or self.contains not in head:
            return False
        if not re.match(self.opening, head, re.DOTALL):
            return False
        return not self.has_look or bool(self._functions.is_like(head))

    def is_doubtful(self, head: str) -> bool:
        """Whether the beginning of a text could be this format's, or words with some numbers."""
        return bool(re.match(self.opening, head, re.DOTALL) and self._functions.may_be(head))


TIMED: dict[str, Format] = {
    "srt": Format(
        module="srt",
        about="SubRip (.srt): subtitles with times",
        suffixes=(".srt",),
        units="auto",
        kind="segments",
        contains="-->",
        has_look=True,
    ),
    "vtt": Format(
        module="vtt",
        about="WebVTT: subtitles with times and speakers",
        suffixes=(".vtt", ".webvtt"),
        units="auto",
        kind="segments",
        opening=r"WEBVTT(?!\S)",
    ),
    "whisper": Format(
        module="whisper",
        about="Whisper's JSON: segments and words (also faster-whisper, WhisperX, whisper.cpp)",
        suffixes=(".json",),
        units="auto",
        kind="words",
        opening=r"[\[{]",
        has_look=True,
    ),
    "nlp": Format(
        module="nlp",
        about="Rev's .nlp: one line per word, with its mark, speaker and times",
        suffixes=(".nlp",),
        units="marks",
        kind="words",
        opening=r"token\|",
        options=("force",),
    ),
    "ctm": Format(
        module="ctm",
        about="NIST CTM: one line per word, with its recording, channel and times",
        suffixes=(".ctm",),
        units="auto",
        kind="words",
        holds_many=True,
        opening=_NUMBERS,
        has_look=True,
    ),
    "stm": Format(
        module="stm",
        about="NIST STM: one line per segment, with its recording, speaker and times",
        suffixes=(".stm",),
        units="segments",
        kind="segments",
        holds_many=True,
        opening=_NUMBERS,
        has_look=True,
    ),
    "rttm": Format(
        module="rttm",
        about="NIST RTTM: LEXEME and SU lines, words and typed units with speakers and times; "
        "without them SPEAKER lines, segments with speakers",
        suffixes=(".rttm",),
        units="segments",
        kind="words",
        holds_many=True,
        opening=_NUMBERS,
        has_look=True,
        options=("tier",),
    ),
    "kaldi": Format(
        module="kaldi",
        about="Kaldi's text: one line per utterance, its id and its words",
        suffixes=(),
        units="segments",
        kind="segments",
    ),
    "textgrid": Format(
        module="textgrid",
        about="Praat TextGrid: an interval tier for each speaker, or tiers of words and of units",
        suffixes=(".textgrid",),
        units="segments",
        kind="both",
        opening=r'(File type = )?"ooTextFile[^"]*"[^"]*"TextGrid"',
        options=("tier",),
    ),
    "eaf": Format(
        module="eaf",
        about="ELAN (.eaf): a tier for each speaker, with words and types in its child tiers",
        suffixes=(".eaf",),
        units="segments",
        kind="both",
        contains="<ANNOTATION_DOCUMENT",
        options=("tier",),
    ),
    "phn": Format(
        module="phn",
        about="phones or words in time: FILE ON OFF LABEL lines in seconds, or TIMIT's ON OFF "
        "LABEL in samples",
        suffixes=(".phn", ".wrd"),
        units="segments",
        kind="words",
        holds_many=True,
        options=("rate",),
    ),
    "disrpt": Format(
        module="disrpt",
        about="DISRPT (.tok, .conllu): discourse units or connectives, a token a line",
        suffixes=(".tok",),
        units="segments",
        kind="words",
        holds_many=True,
        contains="\t",
        has_look=True,
    ),
    "choi": Format(
        module="choi",
        about="Choi's files: one sentence per line, lines of === between topics",
        suffixes=(".choi",),
        units="segments",
        kind="words",
        contains="=====",
        has_look=True,
    ),
    "segeval": Format(
        module="segeval",
        about="segeval's JSON, TSV or CSV: documents, their coders, the lengths of their units",
        suffixes=(".json",),
        units="segments",
        kind="words",
        holds_many=True,
        holds_versions=True,
        has_words=False,
        opening=r"\{|[Cc]oder[\t,]|[^\t\n]+\t\d+[\t\n]",
        has_look=True,
    ),
    "conllu": Format(
        module="treebank",
        about="CoNLL-U: a transcript whose units are the sentences",
        suffixes=(".conllu",),
        units="segments",
        kind="words",
        holds_many=True,
        contains="\t",
        has_look=True,
    ),
    "jsonl": Format(
        module="jsonl",
        about="caesura's JSON lines: one object per piece, with everything known about it",
        suffixes=(".jsonl", ".ndjson"),
        units="segments",
        kind="words",
        holds_many=True,
        opening=r'\{[^\n]*"schema"\s*:\s*"transcript"',
    ),
    "masses": Format(
        module="masses",
        about="the lengths of the units of a document on each line: 2 3 6",
        suffixes=(".masses",),
        units="segments",
        kind="words",
        holds_many=True,
        has_words=False,
        opening=r"[0-9][0-9\s]*+\Z",
        has_look=True,
    ),
}


MISTAKEN = ("ctm", "stm")
"""The formats that a few words with numbers among them can look like."""


def doubtful(head: str) -> list[str]:
    """The formats that a text, which was not recognised as one of them, may nevertheless be in."""
    return [name for name in MISTAKEN if TIMED[name].is_doubtful(head)]


def by_content(head: str) -> str:
    """The format that the beginning of a text looks like; empty if there is none."""
    openings, inside = _signs()
    if not openings.match(head) and not any(each in head for each in inside):
        return ""
    return next((name for name, each in TIMED.items() if each.is_like(head)), "")


@lru_cache(maxsize=1)
def _signs() -> tuple[re.Pattern[str], tuple[str, ...]]:
    """A pattern with which files of all formats that have one begin, and what others contain."""
    openings = (each.opening for each in TIMED.values() if each.opening)
    pattern = re.compile("|".join(f"(?:{each})" for each in dict.fromkeys(openings)), re.DOTALL)
    return pattern, tuple(
        each.contains for each in TIMED.values() if not each.opening and each.contains
    )
