"""WebVTT: subtitles under time lines, with speakers as `<v Name>`.

The text of a cue ends at a blank line; a block without a time line is left out, as are NOTE, STYLE
and REGION. A cue in which several speak becomes a piece for each, which share its time in
proportion to the letters and digits of their words. The line `WEBVTT` may be missing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from caesura.core.segmentation import IntArray, spoken_lengths
from caesura.formats._shared.scan import scan
from caesura.formats._shared.script import Script, require_forward
from caesura.formats._shared.subtitles import (
    Cues,
    clocks,
    find_cues,
    spoken_apart,
    timed,
    to_script,
    unified,
    unrolled,
    without_tags,
)

HEADER = "WEBVTT"
_HEADER_LINE = re.compile(rf"{HEADER}[^\n]*")
_BLOCK = re.compile(r"(?:\A\n?|(?<=\n\n))(?:NOTE|STYLE|REGION)(?![^ \t\n])[^\n]*(?:\n[^\n]+)*")
_VOICE = re.compile(r"<(?:v(?:\.[^\s<>]*)?[ \t\x1f]+([^<>\n]*)|/v)>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def parse(text: str, source: str = "<vtt>") -> list[Script]:
    """Read one recording: a piece for each cue, as a unit."""
    cues = find_cues(_without_blocks(unified(text)), source, blank_ends=True)
    require_forward(Script(cues.texts, cues.start, cues.end, lines=cues.lines, source=source))
    cues = unrolled(cues)
    if cues.rolled:
        return [_spoken(cues, source)]
    cues, speakers = _by_voice(cues)
    return [to_script(cues, source, "vtt", speakers)]


def _spoken(cues: Cues, source: str) -> Script:
    """The words of rolling captions, with the times at which each of them is shown."""
    apart, is_last = spoken_apart(cues)
    texts = _plain(apart.texts)
    line: IntArray = np.cumsum(is_last) - is_last  # of each part, the number of its cue
    script = to_script(replace(apart, texts=texts), source, "vtt")
    full = [at for at, text in enumerate(texts) if text.strip()]
    return replace(script, ends=np.append(np.diff(line[full]) > 0, True), layouts=None)


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write a cue for each piece that has text, with its speaker."""
    yield f"{HEADER}\n\n"
    for script in scripts:
        if not len(script):
            continue
        start, end = timed(script, "WebVTT")
        speakers = script.speakers if script.speakers is not None else [""] * len(script)
        rows = zip(script.texts, speakers, clocks(start, "."), clocks(end, "."), strict=True)
        for text, speaker, on, off in rows:
            line = _escaped(text)
            if line:
                yield f"{on} --> {off}\n{_voice(speaker)}{line}\n\n"


def _without_blocks(text: str) -> str:
    """Blank out the header and everything that is not a cue, keeping the lines."""
    text = _HEADER_LINE.sub("", text, count=1) if text.startswith(HEADER) else text
    if not any(name in text for name in ("NOTE", "STYLE", "REGION")):
        return text
    return _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)


def _by_voice(cues: Cues) -> tuple[Cues, list[str] | None]:
    """Split the cues where the speaker changes; without tags, and the speakers of the parts."""
    if not any("<v" in text for text in cues.texts):
        return replace(cues, texts=_plain(cues.texts)), None
    parts = [_VOICE.split(text) for text in cues.texts]
    names = [name for part in parts for name in ("", *part[1::2])]
    texts = _plain([text for part in parts for text in part[::2]])
    cue = np.repeat(np.arange(len(parts)), [len(part) // 2 + 1 for part in parts])
    full = np.array([index for index, text in enumerate(texts) if text.strip()], np.int64)
    cue, sizes = cue[full], _spoken_sizes(texts)[full]
    sizes = np.where(np.bincount(cue, sizes, len(parts))[cue] > 0, sizes, 1)
    share = np.cumsum(sizes) - sizes
    share -= share[np.searchsorted(cue, cue)]
    whole = np.bincount(cue, sizes, len(parts))[cue]
    on, lasts = cues.start[cue], (cues.end - cues.start)[cue]
    is_shared = np.bincount(cue, minlength=len(parts))[cue] > 1
    parted = Cues(
        on + np.rint(lasts * (share / whole)).astype(np.int64),
        on + np.rint(lasts * ((share + sizes) / whole)).astype(np.int64),
        [texts[index] for index in full.tolist()],
        cues.lines[cue],
        interpolated=is_shared if is_shared.any() else None,
    )
    speakers = [" ".join(_decoded(names[index] or "").split()) for index in full.tolist()]
    return parted, speakers if any(speakers) else None


def _spoken_sizes(texts: list[str]) -> IntArray:
    """How long texts last that share a time; those without words no time at all."""
    found = scan("\n".join(texts))
    lengths = spoken_lengths(found.words) if found.length else np.zeros(0, np.int64)
    ends = np.append(found.words_before("\n"), found.length)
    sizes: IntArray = np.diff(np.append(0, np.cumsum(lengths))[ends], prepend=0)
    return sizes


def _plain(texts: list[str]) -> list[str]:
    return _decoded(without_tags("\n".join(texts))).split("\n") if texts else []


def _decoded(text: str) -> str:
    """Read entities such as `&amp;`; one that stands for white space is a blank."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    character = html.unescape(entity[0])
    return " " if character.isspace() else character


def _voice(speaker: str) -> str:
    """The tag of a speaker; a name that ends in a hyphen must not make an arrow of it."""
    name = _escaped(speaker)
    if name.endswith("-"):
        name = f"{name[:-1]}&#45;"
    return f"<v {name}>" if name else ""


def _escaped(text: str) -> str:
    return html.escape(" ".join(text.split()), quote=False).replace("{\\", "&#123;\\")
