"""Kaldi's text: one line per utterance, its id and then its words.

All utterances are taken for the units of one recording, in the order of the file; their names are
not kept. A name alone is an utterance without words.
"""

from __future__ import annotations

import numpy as np

from caesura.errors import FormatError
from caesura.formats.script import Script
from caesura.io.files import line_feeds

FORM = "UTTERANCE WORDS"


def parse(text: str, source: str = "<kaldi>") -> list[Script]:
    """Read one recording."""
    lines = line_feeds(text).split("\n")
    numbered = [(at, line.split(maxsplit=1)) for at, line in enumerate(lines, 1) if line.strip()]
    if not any(len(cells) == 2 for _, cells in numbered):
        raise FormatError(source, "no words", f"write {FORM} on each line")
    seen: dict[str, int] = {}
    for at, (name, *_) in numbered:
        if name in seen:
            problem = f"the utterance '{name}' is on line {seen[name]} too"
            raise FormatError(source, problem, "give each utterance its own name", line=at)
        seen[name] = at
    script = Script(
        texts=[cells[1].strip() if len(cells) == 2 else "" for _, cells in numbered],
        ends=np.ones(len(numbered), dtype=np.bool_),
        lines=np.array([at for at, _ in numbered], dtype=np.int64),
        form="kaldi",
        source=source,
    )
    return [script]
