"""Writers of plain transcripts: lines, marks, slashes, binary, breaks; from a script of words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from caesura.core.format import Codec
from caesura.core.line_breaks import EOB, EOL, LINE
from caesura.core.marks import MARKS, ascii_mark, with_kin
from caesura.core.segmentation import NO_BREAK
from caesura.core.tokens import SEPARATOR, tokenized
from caesura.formats.plain import SLASHES, ends_sentence, parse, scan
from caesura.formats.script import Script, to_units

ENDS = with_kin(MARKS)
MARKED = frozenset(ENDS)
OF_TYPE = {"question": "?", "?": "?", "!": "!", ";": ";"}
"""The marks of types; all others get a full stop."""


def lines(scripts: Sequence[Script]) -> Iterator[str]:
    """One unit per line."""
    yield from (f"{text}\n" for text in _units(scripts))


def marks(scripts: Sequence[Script]) -> Iterator[str]:
    """Running text in which units end with a mark, their own or one for their type; no word else.

    >>> print(*marks([Script(["Left? No 3.5!", "Yes"], ends=np.array([True, True]))]), end="")
    Left No 3.5! Yes.
    """
    yield " ".join(map(_with_one_end, _units([*map(with_marks, scripts)]))) + "\n"


def _with_one_end(unit: str) -> str:
    """A unit without the marks that would end it before its last word."""
    pieces = re.split(r"(\s)", tokenized(unit, "auto"))
    last = next((at for at in range(len(pieces) - 1, 0, -1) if scan(pieces[at]).length), 0)
    for at in range(last):
        word = pieces[at]
        # marks may also stand apart, after their word
        while not MARKED.isdisjoint(word) and scan(f"w {word}").marked.size:
            mark = max(map(word.rfind, ENDS))
            word = word[:mark] + word[mark + 1 :]
        pieces[at] = word
    return " ".join("".join(pieces).replace(SEPARATOR, "").split())


def slashes(scripts: Sequence[Script]) -> Iterator[str]:
    """Units that end with `//`, also the last, by which the form of a single unit is known."""
    yield "".join(f"{SLASHES.sub('/', text)} // " for text in _units(scripts)).rstrip() + "\n"


def _units(scripts: Sequence[Script]) -> list[str]:
    """The texts of the units, also of words that are whole sentences."""
    (script,) = scripts
    return [text.replace(NO_BREAK, " ") for text in to_units(script).texts]


def binary(scripts: Sequence[Script]) -> Iterator[str]:
    """A 0 or a 1 for each word."""
    (script,) = scripts
    ends = np.ones(len(script), np.uint8) if script.ends is None else script.ends
    yield (ends.astype(np.uint8) + ord("0")).tobytes().decode("ascii") + "\n"


def breaks(scripts: Sequence[Script]) -> Iterator[str]:
    """Units with `<eol>` or, unless they are lines, `<eob>`; sentences that end with one, a line.

    >>> print(*breaks([Script(["Hi", "Ann.", "Bye"], types=["line", "", "block"])]), sep="")
    Hi <eol> Ann. <eob>
    Bye <eob>
    <BLANKLINE>
    """
    (script,) = scripts
    units = to_units(script)
    types = units.types or [""] * len(units)
    last = len(units) - 1
    for at, (written, kind) in enumerate(zip(units.texts, types, strict=True)):
        text = written.replace(EOL, EOL.upper()).replace(EOB, EOB.upper())  # words, not breaks
        if kind == LINE:
            yield f"{text} {EOL}{chr(10) if at == last else ' '}"
        else:
            yield f"{text} {EOB}{chr(10) if at == last or ends_sentence(text) else ' '}"


def with_marks(script: Script) -> Script:
    """Give the last word of each unit a mark, if it has none."""
    if script.ends is None:
        return script
    texts = list(script.texts)
    for index in np.flatnonzero(script.ends).tolist():
        if texts[index].rstrip("\"'”’»)]")[-1:] not in ENDS:
            kind = script.types[index] if script.types is not None else ""
            texts[index] += OF_TYPE.get(ascii_mark(kind), ".")
    return replace(script, texts=texts)


CODECS = {write.__name__: Codec(parse, write) for write in (lines, marks, slashes, binary, breaks)}
