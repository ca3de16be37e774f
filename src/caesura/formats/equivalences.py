"""Equivalences: tokens that are compared as other tokens, such as `` for "."""

from __future__ import annotations

import re
from dataclasses import dataclass

from caesura.errors import FormatError, UnknownNameError, number
from caesura.io.files import read_text

_BLANK = rb" \t\n\r\v\f\x1c-\x1f"
QUOTES = {"``": '"', "''": '"'}
_NEGATED = (
    "do does did is are was were has have had could would should must need might ought ai dare"
)
_CONTRACTIONS = {
    "n't": "not",
    "'m": "am",
    "'re": "are",
    "'ve": "have",
    "'ll": "will",
    "ca n't": "can not",
    "can't": "cannot",
    "wo n't": "will not",
    "won't": "willnot",
    "sha n't": "shall not",
    "shan't": "shallnot",
    "let 's": "let us",
    "let's": "letus",
    "gon na": "going to",
    "gonna": "goingto",
    "wan na": "want to",
    "wanna": "wantto",
    "got ta": "got to",
    "gotta": "gotto",
    **{f"{verb}n't": f"{verb}not" for verb in _NEGATED.split()},
    "i'm": "iam",
    **{f"{word}'re": f"{word}are" for word in ("you", "we", "they")},
    **{f"{word}'ve": f"{word}have" for word in ("i", "you", "we", "they")},
    **{f"{word}'ll": f"{word}will" for word in ("i", "you", "he", "she", "it", "we", "they")},
}


@dataclass(frozen=True, slots=True)
class Equivalences:
    """Sequences of tokens and the sequences, of as many tokens, that they are compared as."""

    name: str
    rows: tuple[tuple[str, str], ...]

    @property
    def has_quotes(self) -> bool:
        """Whether `` and '' are among them; they are frequent and handled separately."""
        return set(QUOTES.items()) <= set(self.rows)

    def apply(self, data: bytes) -> bytes:
        """Rewrite the tokens of a text, which are separated by spaces; not the quotes."""
        apart = QUOTES.items() if self.has_quotes else ()
        table = {_key(a.encode()): b.encode() for a, b in self.rows if (a, b) not in apart}
        if not table:
            return data
        longest = sorted(table, key=len, reverse=True)
        ways = b"|".join(rb"[ \t]+".join(map(re.escape, key.split())) for key in longest)
        return re.sub(
            rb"(?<![^%b])(?:" % _BLANK + ways + rb")(?![^%b])" % _BLANK,
            lambda found: table[_key(found[0])],
            data,
        )


def _key(tokens: bytes) -> bytes:
    return b" ".join(tokens.split())


def _cased(rows: dict[str, str]) -> dict[str, str]:
    """Rows of a table as they are, with a capital, and in capitals."""
    with_capital = {a[0].upper() + a[1:]: b[0].upper() + b[1:] for a, b in rows.items()}
    in_capitals = {a.upper(): b.upper() for a, b in rows.items()}
    return {**in_capitals, **with_capital, **rows}


TABLES: dict[str, Equivalences] = {
    "quotes": Equivalences("quotes", tuple(QUOTES.items())),
    "english-contractions": Equivalences(
        "english-contractions", tuple({**QUOTES, **_cased(_CONTRACTIONS)}.items())
    ),
    "none": Equivalences("none", ()),
}


def load(name: str) -> Equivalences:
    """A built-in table by its name, or a file of two columns separated by a tab."""
    if name in TABLES:
        return TABLES[name]
    if name.isidentifier() or name.replace("-", "").isalpha():
        raise UnknownNameError("table of equivalences", name, TABLES)
    rows = []
    for at, line in enumerate(read_text(name).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [" ".join(cell.split()) for cell in line.split("\t")]
        if len(cells) != 2:
            problem = number(len(cells), "column")
            raise FormatError(name, problem, "write TOKENS, a tab, and TOKENS", line=at)
        left, right = cells
        if not left or len(left.split()) != len(right.split()):
            problem = f"'{left}' and '{right}' have different numbers of tokens"
            raise FormatError(name, problem, "replace each token by one token", line=at)
        rows.append((left, right))
    return Equivalences(name, tuple(rows))
