r"""SubRip's .srt: numbered subtitles, each a time line with text under it.

The format cannot escape `<` or `->`. We insert a word joiner, which is invisible, after the first
character of `<x`, `{\` and `->`, and remove it when reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from caesura.formats._shared.script import Script, require_forward
from caesura.formats._shared.subtitles import (
    Cues,
    clocks,
    find_cues,
    is_time_line,
    timed,
    to_script,
    unified,
    unrolled,
    without_tags,
)

_JOINER = "\u2060"
_ESCAPED = re.compile(rf"([<{{-]){_JOINER}")
_TO_ESCAPE = re.compile(r"<(?=[A-Za-z0-9./:])|\{(?=\\)|-(?=>)")


def parse(text: str, source: str = "<srt>") -> list[Script]:
    """Read one recording: a piece for each subtitle, as a unit."""
    cues = find_cues(unified(text), source, blank_ends=False)
    require_forward(_bare(cues, source))
    cues = unrolled(cues)
    joined = without_tags("\n".join(cues.texts))
    texts = (_ESCAPED.sub(r"\1", joined) if _JOINER in joined else joined).split("\n")
    return [to_script(replace(cues, texts=texts if cues.texts else []), source, "srt")]


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write a subtitle for each piece that has text."""
    number = 0
    for script in scripts:
        if not len(script):
            continue
        start, end = timed(script, "SubRip")
        for text, on, off in zip(script.texts, clocks(start, ","), clocks(end, ","), strict=True):
            line = _TO_ESCAPE.sub(rf"\g<0>{_JOINER}", " ".join(text.split()))
            if line:
                number += 1
                yield f"{number}\n{on} --> {off}\n{line}\n\n"


def _bare(cues: Cues, source: str) -> Script:
    return Script(cues.texts, cues.start, cues.end, lines=cues.lines, source=source)


def is_like(head: str) -> bool:
    """Whether one of the first two lines is a time line."""
    first = unified(head).split("\n", 2)[:2]
    return any(is_time_line(line) for line in first)
