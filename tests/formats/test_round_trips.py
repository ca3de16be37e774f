"""What a format can hold comes back from it as it was."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.formats.nist import TYPES
from caesura.formats.transcripts import write_scripts
from support.pieces import script as read
from support.pieces import told
from support.random_scripts import recordings

CHARACTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
NAMES = st.sampled_from(["", "Ann", "Bob", "words", "Ann - words", "su", "segments", "x -"])
ANY_NAMES = NAMES | st.text(CHARACTERS, max_size=8).map(str.strip)
LABELS = st.text(CHARACTERS | st.sampled_from("\n\r\t&<>\"'"), min_size=1).filter(str.strip)
CUES = st.lists(
    st.sampled_from(
        ["-->", "->", "<i>", "</v>", "<v A>", "<", ">", "&", "&amp;", "{\\an8}", "42", "NOTE", "-",
         "00:00:01,000 --> 00:00:02,000", "00:00:01.000 -> 1", "WEBVTT", "<00:01.000>", "<br>",
         "a", "é", "نعم", "--", "- ->", "\n\n", "\r", "\x85", "<.x>", "{", "\\", "</>", "<:>",
         "STYLE", "&#10;", ";"]
    ),
    max_size=6,
)  # fmt: skip
LINES = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2060\ufeff"), max_size=20
)
SPOKEN = st.one_of(LINES, CUES.map(" ".join), CUES.map("".join))
WORDS = st.text("abcäßב.,?'-", min_size=1, max_size=6)
KINDS = st.sampled_from(["", "statement", 'a "<b>"'])


@dataclass(frozen=True)
class Held:
    """Recordings that a format can hold, and what it keeps of each piece."""

    recordings: st.SearchStrategy
    fields: str
    is_folded: bool = False
    """Whether white space is folded, and what is nothing else left out."""


TIERS = "texts start end speakers ends types"
HELD = {
    "srt": Held(recordings(SPOKEN, step=1000), "texts start end", is_folded=True),
    "vtt": Held(recordings(SPOKEN, SPOKEN, step=1000), "texts start end speakers", is_folded=True),
    "textgrid": Held(recordings(LABELS, ANY_NAMES, KINDS), TIERS),
    "eaf": Held(recordings(LABELS, ANY_NAMES, KINDS, step=1000), TIERS),
    "rttm": Held(
        recordings(
            WORDS,
            st.sampled_from(["ann", "bob", ""]),
            st.sampled_from(TYPES),
            st.sampled_from("12"),
            apart=True,
        ),
        f"{TIERS} channels",
    ),
}


def kept(script, held):
    """The pieces of a recording that a format keeps, in any order."""
    rows = [["" if each is None else each for each in row] for row in told(script, held.fields)]
    if held.is_folded:
        rows = [[_folded(each) for each in row] for row in rows if row[0].split()]
    return sorted(rows)


def _folded(value):
    return " ".join(value.split()) if isinstance(value, str) else value


@pytest.mark.parametrize("form", HELD)
@given(data=st.data())
def test_what_is_written_reads_the_same(form, data):
    held = HELD[form]
    script = data.draw(held.recordings)
    written = write_scripts([script], form)
    if not kept(script, held):
        assert written == ("WEBVTT\n\n" if form == "vtt" else "")
        return
    again = read(form, written)
    assert kept(again, held) == kept(script, held)
    if held.is_folded:
        assert write_scripts([again], form) == written
