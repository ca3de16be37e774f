"""Punctuation marks by kind: `.` stands for the full stops of all scripts, `?` for question marks.

The marks of `.`, `?` and `!` are the characters that have the property Sentence_Terminal in Unicode
17.0 (PropList.txt), all of them. Semicolons, commas and colons are those of the scripts that have
signs of their own for them. A mark that is not ASCII stands only for itself.
"""

from __future__ import annotations

import re

MARKS = ".?!;"
"""The marks that end a unit by default, in any script."""
MARK_EVERY = 50
"""The words that have a mark among them if a text is punctuated; rarer marks are abbreviations'."""
EDGES = (
    "…\"'`´()[]{}«»‹›“”„‟‘‚‛‒–—―¿¡「」『』（）【】《》〈〉・፡፦"
    "\u200b\u200c\u200d\u2060\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)
"""Other punctuation, which is not part of a word at its edges."""
_QUESTION_MARKS = "061F 1367 1945 203D 2047-2049 2CFA-2CFB 2E2E 2E54 A60F A6F7 FE16 FE56 FF1F 11143"
_EXCLAMATION_MARKS = "07F9 1944 203C 2E53 FE15 FE57 FF01"
_FULL_STOPS = (
    "0589 061D-061E 06D4 0700-0702 0837 0839 083D-083E 0964-0965 104A-104B 1362 1368 166E "
    "1735-1736 17D4-17D5 1803 1809 1AA8-1AAB 1B4E-1B4F 1B5A-1B5B 1B5E-1B5F 1B7D-1B7F 1C3B-1C3C "
    "1C7E-1C7F 2024 2CF9 2E3C 3002 A4FF A60E A6F3 A876-A877 A8CE-A8CF A92F A9C8-A9C9 AA5D-AA5F "
    "AAF0-AAF1 ABEB FE12 FE52 FF0E FF61 10A56-10A57 10F55-10F59 10F86-10F89 11047-11048 "
    "110BE-110C1 11141-11142 111C5-111C6 111CD 111DE-111DF 11238-11239 1123B-1123C 112A9 "
    "113D4-113D5 1144B-1144C 115C2-115C3 115C9-115D7 11641-11642 1173C-1173E 11944 11946 "
    "11A42-11A43 11A9B-11A9C 11C41-11C42 11EF7-11EF8 11F43-11F44 16A6E-16A6F 16AF5 16B37-16B38 "
    "16B44 16D6E-16D6F 16E98 1BC9F 1DA88"
)
_SEMICOLONS = "061B 1364 A6F6 FE14 FE54 FF1B"
_COMMAS = "055D 060C 07F8 1363 1802 1808 3001 A4FE A60D A6F5 FE10-FE11 FE50-FE51 FF0C FF64"
_COLONS = "1365 A6F4 FE13 FE55 FF1A"


def _characters(codes: str) -> str:
    """The characters of code points and ranges of them."""
    spans = [span.split("-") for span in codes.split()]
    return "".join(
        chr(code) for span in spans for code in range(int(span[0], 16), int(span[-1], 16) + 1)
    )


KIN = {
    ".": _characters(_FULL_STOPS),
    "?": _characters(_QUESTION_MARKS),
    "!": _characters(_EXCLAMATION_MARKS),
    ";": _characters(_SEMICOLONS),
    ",": _characters(_COMMAS),
    ":": _characters(_COLONS),
}
"""The marks of other scripts that an ASCII mark stands for."""
_ASCII = {other: mark for mark, others in KIN.items() for other in others}


def with_kin(marks: str) -> str:
    """Marks, each with those of other scripts that it stands for.

    >>> "؟" in with_kin("?"), with_kin("。")
    (True, '。')
    """
    return marks + "".join(KIN.get(mark, "") for mark in marks)


def ascii_mark(mark: str) -> str:
    """The ASCII mark that stands for a mark, or the mark itself.

    >>> ascii_mark("？"), ascii_mark("।"), ascii_mark("…")
    ('?', '.', '…')
    """
    return _ASCII.get(mark, mark)


def one_of(marks: str) -> str:
    """A regular expression for one of some marks or their kin."""
    return f"[{re.escape(with_kin(marks))}]"
