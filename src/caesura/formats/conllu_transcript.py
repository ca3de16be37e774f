"""CoNLL-U as a transcript: surface tokens are words, sentences are units.

A token of punctuation (UPOS `PUNCT`; without UPOS, a form of nothing else) belongs to the word
before it in its sentence, or if there is none, to the first that follows. `SpaceAfter=No` says
whether there is a space between them.

- `# newdoc id = NAME` begins a recording; without an id it is named by its number.
- `# speaker = NAME` (`speaker_id`, `speaker_name`, `speakerId`) says who speaks in a sentence,
  `Speaker=NAME` in the last column (MISC) who says a word.
- `AlignBegin=1500` and `AlignEnd=1820` in MISC are times in milliseconds, `start=1.5` and
  `end=1.82` in seconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.treebank_table import TreebankTable
from caesura.errors import FormatError
from caesura.formats._shared.clock_times import LATEST, SECOND
from caesura.formats._shared.script import UNKNOWN, Script, require_forward
from caesura.formats.conllu import parse_conllu
from caesura.formats.plain import words_by_line

_SCALE = {"AlignBegin": 1000, "AlignEnd": 1000, "start": SECOND, "end": SECOND}
_MISC = re.compile(r"(?:^|(?<=\|))(AlignBegin|AlignEnd|start|end|SpaceAfter|Speaker)=([^|]*)")
_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=(.*)|\s*$)")
_SPEAKER = re.compile(r"#\s*speaker(?:[ _]?(?:id|name))?\s*=(.*)", re.IGNORECASE)
_UNTOLD = "_"
_TOKEN_LINE = re.compile(r"^[0-9-]+(?:\t[^\t\n]+){9}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The surface tokens of a file."""

    forms: list[str]
    misc: list[dict[str, str]]
    sentence: IntArray
    is_mark: BoolArray
    lines: IntArray


def is_like(head: str) -> bool:
    """Whether a line at the beginning of a text is that of a token."""
    return _TOKEN_LINE.search(head) is not None


def parse(text: str, source: str = "<conllu>") -> list[Script]:
    """Read every recording."""
    table = parse_conllu(text.encode("utf-8", "replace"), source)
    tokens = _tokens(table)
    recordings, speakers = _comments(table.data.decode())
    head, texts = _pieces(tokens)
    script = Script(
        texts=texts,
        start=_times(tokens, head, ("AlignBegin", "start"), source),
        end=_times(tokens, head, ("AlignEnd", "end"), source),
        ends=np.diff(tokens.sentence[head], append=-1) != 0,
        speakers=_speakers(tokens, head, speakers),
        lines=tokens.lines[head],
        form="conllu",
        source=source,
    )
    require_forward(script)
    return _parted(script, tokens.sentence[head], recordings, table.unlike)


def _tokens(table: TreebankTable) -> Tokens:
    lines = table.tokens
    forms = table.texts("form", lines)
    values, which = table.values("misc", lines)
    misc = [dict(_MISC.findall(value.decode())) for value in values]
    tags, tag = table.values("upos", lines)
    is_untold = np.array([value == _UNTOLD.encode() for value in tags])[tag]
    is_mark = np.array([value == b"PUNCT" for value in tags])[tag]
    is_mark |= is_untold & (words_by_line("\n".join(forms)) == 0)
    told = [misc[index] for index in which.tolist()]
    sentence, line = (each[lines].astype(np.int64) for each in (table.sentence, table.line))
    return Tokens(forms, told, sentence, is_mark, line + 1)


def _comments(text: str) -> tuple[list[tuple[int, str]], dict[int, str]]:
    """At which sentences recordings begin, and who speaks in which."""
    recordings: list[tuple[int, str]] = []
    speakers: dict[int, str] = {}
    sentence = 0
    for line in text.split("\n"):
        if not line:
            sentence += 1
        elif line[0] == "#":
            if found := _NEWDOC.match(line):
                recordings.append((sentence, (found[1] or "").strip() or str(len(recordings) + 1)))
            elif found := _SPEAKER.match(line):
                speakers[sentence] = found[1].strip()
    return recordings, speakers


def _pieces(tokens: Tokens) -> tuple[IntArray, list[str]]:
    """The word of each piece, and the word with the marks that belong to it."""
    place = np.arange(len(tokens.forms))
    before = np.maximum.accumulate(np.where(tokens.is_mark, -1, place))
    after = np.minimum.accumulate(np.where(tokens.is_mark, place.size, place)[::-1])[::-1]
    sentence = np.append(tokens.sentence, -1)
    begins = np.searchsorted(tokens.sentence, tokens.sentence)
    head = np.where(sentence[after] == tokens.sentence, after, begins)
    head = np.where((before >= 0) & (sentence[before] == tokens.sentence), before, head)
    first = np.flatnonzero(np.diff(head, prepend=-1))
    spans = zip(first.tolist(), [*first[1:].tolist(), place.size], strict=True)
    texts = [tokens.forms[a] if b == a + 1 else _joined(tokens, a, b) for a, b in spans]
    return head[first], texts


def _joined(tokens: Tokens, first: int, stop: int) -> str:
    parts = zip(tokens.forms[first:stop], tokens.misc[first:stop], strict=True)
    return "".join(
        form if misc.get("SpaceAfter") == "No" else f"{form} " for form, misc in parts
    ).rstrip()


def _times(tokens: Tokens, head: IntArray, keys: tuple[str, str], source: str) -> IntArray | None:
    """When words begin, or end, by the first key that is there."""
    times = [UNKNOWN] * head.size
    for at, index in enumerate(head.tolist()):
        misc = tokens.misc[index]
        for key in keys:
            if misc.get(key, _UNTOLD) not in ("", _UNTOLD):
                times[at] = _time(key, misc[key], source, int(tokens.lines[index]))
                break
    return np.array(times, dtype=np.int64) if any(each != UNKNOWN for each in times) else None


def _time(key: str, value: str, source: str, line: int) -> int:
    scale = _SCALE[key]
    is_number = re.fullmatch(r"[0-9]{1,15}(\.[0-9]{0,15})?", value)
    if is_number and (time := round(float(value) * scale)) <= LATEST * SECOND:
        return time
    problem = f"'{key}={value[:40]}' is not a time"
    cure = "write seconds, such as 1.5" if scale == SECOND else "write milliseconds, such as 1500"
    raise FormatError(source, problem, cure, line=line)


def _speakers(tokens: Tokens, head: IntArray, told: dict[int, str]) -> list[str] | None:
    names = [
        tokens.misc[index].get("Speaker") or told.get(sentence, "")
        for index, sentence in zip(head.tolist(), tokens.sentence[head].tolist(), strict=True)
    ]
    return names if any(names) else None


def _parted(
    script: Script, sentence: IntArray, recordings: list[tuple[int, str]], unlike: IntArray
) -> list[Script]:
    """A script for each recording, in the order in which they begin."""
    if not recordings:
        return [replace(script, signs=_signs(sentence, unlike))]
    starts = np.array([first for first, _ in recordings], dtype=np.int64)
    names = ["", *(name for _, name in recordings)]
    codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
    code = np.array([codes[name] for name in names])[
        np.searchsorted(starts, sentence, side="right")
    ]
    order = np.argsort(code, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(code, minlength=len(codes)))[:-1])
    return [
        replace(script.some(which), recording=name, signs=_signs(sentence[which], unlike))
        for name, which in zip(codes, parts, strict=True)
        if which.size
    ]


def _signs(sentence: IntArray, unlike: IntArray) -> dict[str, int]:
    """How many sentences have a `# text` unlike their tokens, where there are any."""
    size = int(np.isin(unlike, sentence).sum())
    return {"text_differs": size} if size else {}
