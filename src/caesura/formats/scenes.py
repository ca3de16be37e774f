"""Scenes: the shots of a video, each with its first and its last frame.

`FIRST LAST` lines, as shot detectors write them; JSON by video, `{VIDEO: [[0, 58], [59, 138]]}`; or
JSON lines, `{"video": NAME, "frames": 1229, "scenes": [[0, 58], …]}`.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np

from caesura.core.format import Codec
from caesura.errors import FormatError
from caesura.formats.script import UNKNOWN, Script
from caesura.formats.signals import parse_labels
from caesura.io.files import json_value, line_feeds

CURE = 'write FIRST LAST on each line, or {"video": NAME, "frames": N, "scenes": [[0, 58], …]}'
NAMES = ("video", "name", "file", "series")
_LINE = re.compile(rf'[ \t]*\{{\s*"(?:{"|".join(NAMES)}|frames|scenes)"\s*:.*\}}[ \t]*(?:\n|$)')
"""A line that holds a whole video."""


def parse(text: str, source: str = "<scenes>") -> list[Script]:
    """Read the shots of every video; a shot ends after its last frame."""
    body = line_feeds(text).removeprefix("\ufeff").strip("\n")
    if _LINE.match(body):
        scripts = [script for at, line in enumerate(body.split("\n"), 1)
                   for script in _videos(line, source, at)]  # fmt: skip
    else:
        scripts = parse_labels(body, source, "samples")
    return [_moved(script) for script in scripts]


def _videos(line: str, source: str, at: int) -> list[Script]:
    """The video of a line of JSON, as each annotator has it."""
    if not line.strip():
        return []
    try:
        video = json_value(line, source, CURE)
        if isinstance(video, dict) and "scenes" in video:
            name = next((str(video[each]) for each in NAMES if each in video), "")
            return parse_labels(json.dumps({name: video} if name else video), source, "samples")
    except FormatError as problem:
        raise FormatError(*problem.parts, line=at) from None
    raise FormatError(source, "no scenes", CURE, line=at)


def _moved(script: Script) -> Script:
    """The shots with the frame after the last in place of it."""
    if script.end is None:
        return script
    end = np.where(script.end == UNKNOWN, UNKNOWN, script.end + 1)
    return replace(script, end=end, form="scenes")


CODECS = {"scenes": Codec(parse)}
