"""Choi's files: one sentence per line, and a line of `=` signs between two topics.

Choi (2000), Advances in domain independent linear text segmentation. Boundaries are between
sentences, which are compared as they stand, but for the spaces between their words.
"""

from __future__ import annotations

import re

import numpy as np

from caesura.core.format import Codec
from caesura.errors import FormatError
from caesura.formats.script import Script
from caesura.io.files import line_feeds

RULE = "=========="
_RULE = re.compile(r"={3,}")
_LIKE = re.compile(r"^={5,}[ \t]*$", re.MULTILINE)


def is_like(head: str) -> bool:
    """Whether the beginning of a text has lines of `=` signs, all of one length.

    Headings may be underlined with such lines, each as long as its heading; one that ends the
    beginning may be cut.
    """
    rules = [each[0].rstrip() for each in _LIKE.finditer(head) if each.end() < len(head)]
    return len(set(rules)) == 1


def parse(text: str, source: str = "<choi>") -> list[Script]:
    """Read one document; lines of `=` signs before, after and next to others make no topic."""
    texts: list[str] = []
    lines: list[int] = []
    ends: list[bool] = []
    for at, line in enumerate(line_feeds(text).split("\n"), 1):
        sentence = line.strip()
        if _RULE.fullmatch(sentence):
            ends[-1:] = [True] * len(ends[-1:])
        elif sentence:
            texts.append(sentence)
            lines.append(at)
            ends.append(False)
    if not texts:
        raise FormatError(source, "no sentences", f"write one on each line, {RULE} between topics")
    script = Script(
        texts=texts,
        ends=np.array(ends, np.bool_),
        lines=np.array(lines, np.int64),
        form="choi",
        source=source,
        is_verbatim=True,
    )
    return [script]


CODECS = {"choi": Codec(parse, is_like=is_like)}
