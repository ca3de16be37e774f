"""Praat's TextGrids."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats import textgrid
from caesura.formats.detection import by_content
from caesura.formats.script import UNKNOWN, Script
from caesura.formats.transcripts import write_scripts
from support.pieces import document, message, pieces, script
from support.random_scripts import PLAIN, recordings


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def long_grid(tiers, last=9):
    """A TextGrid in the long form; an entry with two times is an interval, with one a point."""
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0 "]
    lines += [f"xmax = {last} ", "tiers? <exists> ", f"size = {len(tiers)} ", "item []: "]
    for at, (name, entries) in enumerate(tiers, 1):
        points = bool(entries) and len(entries[0]) == 2
        lines += [f"    item [{at}]:", f'        class = "{"Text" if points else "Interval"}Tier" ']
        lines += [f"        name = {quoted(name)} ", "        xmin = 0 ", f"        xmax = {last} "]
        kind = "points" if points else "intervals"
        lines.append(f"        {kind}: size = {len(entries)} ")
        for number, (*times, label) in enumerate(entries, 1):
            keys = ["number"] if points else ["xmin", "xmax"]
            lines.append(f"        {kind} [{number}]:")
            lines += [f"            {key} = {time} " for key, time in zip(keys, times, strict=True)]
            lines.append(f"            {'mark' if points else 'text'} = {quoted(label)} ")
    return "\n".join(lines) + "\n"


def short_grid(tiers, last=9):
    """The same in the short form, which is what the long one has after its equals signs."""
    head, _, rest = long_grid(tiers, last).partition("\n\n")
    values = re.findall(r'<exists>|(?<== )(?:"(?:[^"]|"")*"|\S+)', rest)
    return "\n".join([head, "", *values, ""])


FORMS = pytest.mark.parametrize("make", [long_grid, short_grid])


def read(text, fields="speakers texts ends"):
    return pieces("textgrid", text, fields)


# --- What tiers mean --------------------------------------------------------------------

TALK = [
    ("Ann", [(0, 1, "so you know"), (1, 2, ""), (2, 3, 'it "rained"')]),
    ("Bob", [(0, 0.5, " "), (0.5, 2.5, "yes")]),
]
SPOKEN = [
    ("Ann", 0, 1, "so you know", True),
    ("Bob", 0.5, 2.5, "yes", True),
    ("Ann", 2, 3, 'it "rained"', True),
]


def spoken(text):
    return read(text, "speakers start end texts ends")


@FORMS
def test_every_interval_tier_is_a_speaker(make):
    assert spoken(make(TALK)) == SPOKEN
    found = document("textgrid", make(TALK))
    assert found.words == ["so", "you", "know", "yes", "it", "rained"]
    assert found.segmentation.boundaries.tolist() == [2, 3, 5]
    assert found.track.speaker.names == ("Ann", "Bob")
    assert found.form == "textgrid-segments"
    assert by_content(make(TALK)) == "textgrid"


def test_lines_are_those_of_the_intervals():
    assert script("textgrid", long_grid(TALK)).lines.tolist() == [16, 38, 24]


WORDS = [(0, 1, "so"), (1, 2, "it"), (2, 3, ""), (3, 4, "rained"), (4, 5, "a"), (5, 6, "lot")]


@pytest.mark.parametrize(
    ("words", "units", "speaker"),
    [
        ("words", "sentences", None),
        ("Words", "UTTERANCES", None),
        ("word", "su", None),
        ("Mary Ann - words", "Mary Ann - sentences", "Mary Ann"),
        ("Ann - words", "Ann", "Ann"),
        ("Ann:words", "Ann: phrase", "Ann"),
        ("words@Ann", "units@Ann", "Ann"),
        ("words - Ann", "segments - Ann", "Ann"),
        ("Ann_words", "boundaries", "Ann"),
        ("words", "whatever", None),
        ("words - words", "words - segments", "words"),
    ],
)
def test_words_and_units(words, units, speaker):
    tiers = [
        (units, [(0, 1, "one"), (1, 4.6, "two"), (4.6, 9, "")]),
        (words, WORDS),
        (words.lower().replace("words", "phones").replace("word", "phone"), [(0, 9, "x")]),
    ]
    assert read(long_grid(tiers)) == [
        (speaker, "so", True), (speaker, "it", False), (speaker, "rained", False),
        (speaker, "a", True), (speaker, "lot", True),
    ]  # fmt: skip


def by_units(words, units):
    return read(long_grid([("words", words), ("units", units)]), "ends")


def test_a_word_belongs_to_the_unit_that_its_middle_lies_in():
    words = [(0, 2, "a"), (2, 4, "b"), (4, 6, "c")]
    assert by_units(words, [(0, 2.9, "x"), (2.9, 9, "y")]) == [True, False, True]


def test_words_between_units_are_a_unit():
    words = [(at, at + 1, str(at)) for at in range(6)]
    ends = by_units(words, [(1, 2, "x"), (4, 6, "y")])
    assert ends == [True, True, False, True, False, True]


def test_words_without_units():
    text = long_grid([("words", WORDS), ("phones", [(0, 9, "x")])])
    assert read(text, "ends") == [None] * 5
    assert document("textgrid", text).segmentation.boundaries.tolist() == [4]


def test_units_of_speakers_stay_together():
    tiers = [
        ("A - words", [(0, 1, "a"), (2, 3, "b"), (4, 5, "c")]),
        ("A", [(0, 3, "a b"), (3, 9, "c")]),
        ("B - words", [(1, 2, "x"), (3, 4, "y")]),
        ("B", [(0, 9, "x y")]),
    ]
    assert read(long_grid(tiers), "texts") == ["a", "b", "x", "y", "c"]


def test_units_without_a_speaker_are_everybody_s():
    tiers = [
        ("A - words", [(0, 1, "a"), (2, 3, "b"), (4, 5, "c")]),
        ("B - words", [(1, 2, "x"), (3.5, 4, "y")]),
        ("sentences", [(0, 3, ""), (3, 9, "")]),
    ]
    assert read(long_grid(tiers)) == [
        ("A", "a", False), ("A", "b", True), ("B", "x", True), ("B", "y", True), ("A", "c", True),
    ]  # fmt: skip


@FORMS
def test_units_told_by_points(make):
    tiers = [("words", WORDS), ("su", [(1, "statement"), (4.4, ""), (5.7, "question"), (8, "?")])]
    assert read(make(tiers), "ends types") == [
        (True, "statement"), (False, ""), (True, ""), (False, ""), (True, "?"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "tiers",
    [
        [("tones", [(0.1, "H*")]), ("points", [(0.1, "x")]), ("phones", [(0, 9, "x")])],
        [("words", [(0, 9, "")]), ("Ann - words", [])],
    ],
    ids=["points and phones", "tiers of words that hold none"],
)
def test_tiers_that_are_not_read(tiers):
    assert spoken(long_grid([*TALK, *tiers])) == SPOKEN


def test_sentences_without_words_are_what_is_said():
    tiers = [("Ann - sentences", [(0, 1, "one."), (1, 2, "two.")]), ("Ann", [(0, 2, "one. two.")])]
    assert read(long_grid(tiers), "texts") == ["one.", "two."]


def test_sentences_without_labels_part_what_is_said():
    tiers = [("sentences", [(0, 2, ""), (2, 3, "")]), ("segments", [(0, 1, "a"), (1, 2, "b")])]
    assert read(long_grid(tiers)) == [(None, "a", True), (None, "b", True)]
    tiers = [("A - su", [(0, 2, ""), (2, 3, "")]), ("A", [(0, 1, "a"), (1, 2, "b"), (2, 3, "c")])]
    assert read(long_grid(tiers)) == [("A", "a", False), ("A", "b", True), ("A", "c", True)]


def test_two_tiers_of_one_name_are_one_speaker():
    tiers = [("Ann", [(0, 2, "a"), (3, 4, "c")]), ("Ann", [(1, 5, "b")])]
    assert read(long_grid(tiers)) == [("Ann", "a", True), ("Ann", "b", True), ("Ann", "c", True)]


@pytest.mark.parametrize("name", ["keywords", "x" + " " * 10**5 + "x", "x" + "- " * 10**5 + "x"])
def test_other_names_are_those_of_speakers(name):
    assert read(long_grid([(name, [(0, 1, "a")])])) == [(name, "a", True)]


# --- What people have -------------------------------------------------------------------

KIND = {
    "all on one line": lambda text: text.replace("\n", " "),
    "comments": lambda text: text.replace("xmin = 0 \n", 'xmin = 0 ! 7 is "seven\n', 1),
    "an old header": lambda text: text.replace("ooTextFile", "ooTextFile short"),
    "exponents": lambda text: text.replace("0.5", "5e-1"),
    "a plus": lambda text: text.replace("0.5", "+.5"),
    "indented with tabs": lambda text: text.replace("    ", "\t"),
}


@FORMS
@pytest.mark.parametrize("change", KIND.values(), ids=KIND)
def test_kind_to_what_people_have(make, change):
    assert spoken(change(make(TALK))) == SPOKEN


def test_an_exclamation_mark_in_a_label_is_no_comment():
    assert read(long_grid([("A", [(0, 1, "oh! no"), (1, 2, 'so ""!')])]))[0][1] == "oh! no"


# --- What is broken ---------------------------------------------------------------------

GRID = long_grid(TALK)
CUT = "it is truncated: copy or save it again"
DOUBLE = 'fix it; write a quote inside a text twice, ""'
NO_GRID = (
    "1: this is not a TextGrid; "
    'save it from Praat as a text file: it begins with File type = "ooTextFile"'
)
BROKEN = {
    "one text": ('"ooTextFile"', NO_GRID),
    "another object": (
        GRID.replace('"TextGrid"', '"PitchTier"'),
        "2: a 'PitchTier' instead of a TextGrid; save the TextGrid",
    ),
    "chronological": (
        '"Praat chronological TextGrid text file"\n0 9 ! Time domain.\n',
        "1: a chronological TextGrid; save it from Praat as a text file or a short text file",
    ),
    "no tiers": (
        long_grid([]),
        "6: a TextGrid without tiers; add an interval tier for each speaker",
    ),
    "absent tiers": (
        GRID.replace("<exists>", "<absent>"),
        "6: a TextGrid without tiers; add an interval tier for each speaker",
    ),
    "no flag": (GRID.replace("<exists>", ""), f"7: '2' instead of <exists>; {DOUBLE}"),
    "a negative size": (
        GRID.replace("size = 3", "size = -3"),
        "14: -3 is not a number of intervals; write how many follow",
    ),
    "a broken size": (
        GRID.replace("size = 2 \nitem", "size = 1.5 \nitem"),
        "7: 1.5 is not a number of tiers; write how many follow",
    ),
    "too large a size": (
        GRID.replace("intervals: size = 2", "intervals: size = 999999"),
        f"41: the file ends in the tier 'Bob', after 2 of 999,999 entries; {CUT}",
    ),
    "too many tiers": (
        GRID.replace("size = 2 \nitem", "size = 3 \nitem"),
        f"41: the file ends too early; {CUT}",
    ),
    "too small a size": (
        GRID.replace("size = 3", "size = 2"),
        f"""24: '2' instead of a text in "quotes"; {DOUBLE}""",
    ),
    "too few tiers": (
        GRID.replace("size = 2 \nitem", "size = 1 \nitem"),
        "28: 'IntervalTier' after the last tier; "
        "the file says that it has 1 tier: fix its sizes, or save it again",
    ),
    "a class of its own": (
        GRID.replace("IntervalTier", "MyTier", 1),
        f"10: 'MyTier' instead of the class IntervalTier or TextTier; {DOUBLE}",
    ),
    "a quote that is not closed": (
        short_grid([("A", [(0, 1, "a")])]).rstrip().removesuffix('"'),
        f"15: a quote that is not closed; {DOUBLE}",
    ),
    "letters for a time": (
        GRID.replace("xmax = 1 ", "xmax = x "),
        f"18: 'so you know' instead of a number; {DOUBLE}",
    ),
    "a file that ends before it begins": (
        GRID.replace("xmin = 0 ", "xmin = 10 ", 1),
        "4: a file that begins at 10 and ends at 9; fix its xmin and xmax",
    ),
    "a tier that ends before it begins": (
        GRID.replace("        xmax = 9 ", "        xmax = -1 ", 1),
        "12: a tier that begins at 0 and ends at -1; fix its xmin and xmax",
    ),
    "overlapping intervals": (
        long_grid([("A", [(0, 1, "a"), (0.5, 1.5, "b")])]),
        "20: the interval 0.50–1.50 of the tier 'A' begins before the end of 0.00–1.00; "
        "intervals of a tier must not overlap: give each speaker a tier",
    ),
    "a negative time": (
        long_grid([("A", [(-1, 3, "a")])]),
        "16: -1 is not a time; times must be 0 or more",
    ),
    "an endless time": (
        long_grid([("A", [(0, "1e300", "a")])]),
        "16: 1e+300 is not a time; times must be 0 or more",
    ),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_errors(text, expected):
    assert message("textgrid", text) == f"x:{expected}"


@pytest.mark.parametrize("tiers", [[("A", [(0, 9, "")])], [("A", [])], [("tones", [(1, "H")])]])
def test_nothing_is_said(tiers):
    expected = "x: no words in any tier; give an interval tier that contains the words"
    found = message("textgrid", long_grid(tiers))
    assert found == f"{expected}, or choose one of '{tiers[0][0]}' with tier=…"


ONE = Script(texts=["a"], start=np.array([0]), end=np.array([10]))


@pytest.mark.parametrize(
    ("several", "problem"),
    [
        ([Script(texts=["a"])], "a piece without times"),
        ([Script(["a"], start=np.array([0]), end=np.array([UNKNOWN]))], "without times"),
        (
            [Script(["a"], start=np.array([5]), end=np.array([5]))],
            "'a' has no duration at 0.000005",
        ),
        ([], "0 recordings; a TextGrid holds one"),
        ([ONE, ONE], "2 recordings; a TextGrid holds one"),
    ],
)
def test_what_cannot_be_written(several, problem):
    with pytest.raises(FormatError, match=problem):
        write_scripts(several, "textgrid")


@given(recordings(PLAIN, st.sampled_from(["Ann", "Bob", ""])))
def test_pieces_of_a_row_do_not_overlap(script):
    of_speakers = textgrid.rows_of_speakers(script, script.start, script.end).values()
    rows = [row.tolist() for rows in of_speakers for row in rows]
    assert sorted(at for row in rows for at in row) == list(range(len(script)))
    for row in rows:
        assert all(script.end[a] <= script.start[b] for a, b in pairwise(row))


# --- praatio ----------------------------------------------------------------------------


@st.composite
def interval_tiers(draw):
    """The tiers of a well-formed TextGrid, with the labels that praatio keeps as they are."""
    plain = st.text("abc é\"'.?!日", min_size=1, max_size=8).map(str.strip)
    tiers = []
    for name in draw(st.lists(st.sampled_from("ABCD"), min_size=1, unique=True)):
        edges = sorted(draw(st.sets(st.integers(0, 10**6), min_size=2, max_size=8)))
        tiers.append((name, [(on / 1000, off / 1000, draw(plain)) for on, off in pairwise(edges)]))
    return tiers


def as_we_read(text, names):
    every = ((name, pieces("textgrid", text, "start end texts", tier=name)) for name in names)
    return [(name, [entry for entry in entries if entry[2]]) for name, entries in every]


@pytest.mark.parametrize("form", ["long_textgrid", "short_textgrid"])
@FORMS
@given(tiers=interval_tiers())
def test_praatio_reads_and_writes_the_same(tmp_path_factory, make, form, tiers):
    peer = pytest.importorskip("praatio.textgrid")
    path = tmp_path_factory.mktemp("grids") / "x.TextGrid"
    names = [name for name, _ in tiers]
    text = make([*tiers, ("points", [(1, "a"), (2, "b")])], last=1000)
    path.write_text(text, encoding="utf-8", newline="\n")
    grid = peer.openTextgrid(str(path), includeEmptyIntervals=False)
    theirs = {tier.name: [tuple(each) for each in tier.entries] for tier in grid.tiers}
    expected = [(name, theirs[name]) for name in names]
    assert as_we_read(text, names) == expected
    grid.save(str(path), form, includeBlankSpaces=True)
    assert as_we_read(path.read_text(encoding="utf-8"), names) == expected


@given(recordings(PLAIN, st.sampled_from(["Ann", "Bob", ""]), st.sampled_from(["", "a"])))
def test_praatio_reads_what_we_write(tmp_path_factory, script):
    peer = pytest.importorskip("praatio.textgrid")
    path = tmp_path_factory.mktemp("grids") / "x.TextGrid"
    path.write_text(write_scripts([script], "textgrid"), encoding="utf-8", newline="\n")
    grid = peer.openTextgrid(str(path), False, duplicateNamesMode="rename")
    found = [
        (round(each.start * 1e6), round(each.end * 1e6), each.label)
        for tier in grid.tiers
        if not tier.name.endswith("su")
        for each in tier.entries
        if hasattr(each, "end")
    ]
    columns = (script.start.tolist(), script.end.tolist(), script.texts)
    assert sorted(found) == sorted(zip(*columns, strict=True))
