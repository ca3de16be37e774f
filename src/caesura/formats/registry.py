"""TIMED: the formats of transcripts by name. The module of a format is imported when it is used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from caesura.formats.script import Kind, Script, Units


@dataclass(frozen=True, slots=True)
class Format:
    """A format: how it is recognised, read and written.

    `module` names the module in this folder that holds its functions: `parse` takes the text and
    the name of its source and returns a script for each recording; `write` takes scripts whose
    pieces are of the `kind` that the format holds and returns the text in parts. `units` says what
    ends a unit by default: `segments`, the ends that the format has; `marks`, the marks in its
    text; `auto`, marks if there are any, else segments. `holds_many` says whether one file can
    hold many recordings. `opening` is a pattern that the beginning of a file contains; with
    `has_look`, the module's `is_like` decides after it.
    """

    module: str
    about: str
    suffixes: tuple[str, ...]
    units: Units
    kind: Kind
    holds_many: bool = False
    opening: str = ""
    has_look: bool = False

    @property
    def _functions(self) -> Any:
        return import_module(f"caesura.formats.{self.module}")

    def scripts(self, text: str, source: str) -> list[Script]:
        """Read the recordings of a text."""
        scripts: list[Script] = self._functions.parse(text, source)
        return scripts

    def write(self, scripts: Sequence[Script]) -> Iterable[str]:
        """Write scripts, part by part."""
        parts: Iterable[str] = self._functions.write(scripts)
        return parts

    def is_like(self, head: str) -> bool:
        """Whether the beginning of a text looks like this format."""
        if not self.opening or not re.search(self.opening, head, re.DOTALL):
            return False
        return not self.has_look or bool(self._functions.is_like(head))


TIMED: dict[str, Format] = {
    "srt": Format(
        module="srt",
        about="SubRip's .srt: subtitles with their times",
        suffixes=(".srt",),
        units="auto",
        kind="segments",
        opening="-->",
        has_look=True,
    ),
    "vtt": Format(
        module="vtt",
        about="WebVTT: subtitles with their times and speakers",
        suffixes=(".vtt", ".webvtt"),
        units="auto",
        kind="segments",
        opening=r"\AWEBVTT",
    ),
    "whisper": Format(
        module="whisper",
        about="Whisper's JSON: segments and words (also faster-whisper, WhisperX, whisper.cpp)",
        suffixes=(".json",),
        units="auto",
        kind="words",
        opening=r"\A[\[{]",
        has_look=True,
    ),
    "nlp": Format(
        module="nlp",
        about="Rev's .nlp: a line for each word, with its mark, speaker and times",
        suffixes=(".nlp",),
        units="marks",
        kind="words",
        opening=r"\Atoken\|",
    ),
    "ctm": Format(
        module="ctm",
        about="NIST's CTM: a line for each word, with its recording, channel and times",
        suffixes=(".ctm",),
        units="auto",
        kind="words",
        holds_many=True,
        opening=r"[ \t][\d.]+[ \t]+[\d.]+[ \t]",
        has_look=True,
    ),
    "stm": Format(
        module="stm",
        about="NIST's STM: a line for each segment, with its recording, speaker and times",
        suffixes=(".stm",),
        units="segments",
        kind="segments",
        holds_many=True,
        opening=r"[ \t][\d.]+[ \t]+[\d.]+",
        has_look=True,
    ),
    "rttm": Format(
        module="rttm",
        about="NIST's RTTM: LEXEME and SU lines, words and typed units with speakers and times",
        suffixes=(".rttm",),
        units="segments",
        kind="words",
        holds_many=True,
        opening=r"\s(<NA>|[-+.]?\d)\S*\s+(<NA>|[-+.]?\d)",
        has_look=True,
    ),
    "kaldi": Format(
        module="kaldi",
        about="Kaldi's text: a line for each utterance, its name and its words",
        suffixes=(),
        units="segments",
        kind="segments",
    ),
    "textgrid": Format(
        module="textgrid",
        about="Praat TextGrids: a tier of intervals for each speaker, or tiers of words and of "
        "units",
        suffixes=(".textgrid",),
        units="segments",
        kind="both",
        opening=r'\A(File type = )?"ooTextFile[^"]*"[^"]*"TextGrid"',
    ),
    "eaf": Format(
        module="eaf",
        about="ELAN's annotation format: a tier for each speaker, words and types in tiers below "
        "it",
        suffixes=(".eaf",),
        units="segments",
        kind="both",
        opening="<ANNOTATION_DOCUMENT",
    ),
    "conllu": Format(
        module="treebank",
        about="CoNLL-U: a transcript whose units are the sentences of a treebank",
        suffixes=(".conllu",),
        units="segments",
        kind="words",
        holds_many=True,
        opening=r"(?m:^[0-9-]+(?:\t[^\t\n]+){9}$)",
    ),
    "jsonl": Format(
        module="jsonl",
        about="caesura's own JSON lines: an object for each piece, with all that is known about it",
        suffixes=(".jsonl", ".ndjson"),
        units="segments",
        kind="words",
        holds_many=True,
        opening=r'\A\{[^\n]*"schema"\s*:\s*"transcript"',
    ),
}
