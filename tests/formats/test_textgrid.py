import re
from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import CaesuraError, FormatError
from caesura.formats import textgrid
from caesura.formats._shared.script import UNKNOWN, Script
from caesura.formats._shared.script_documents import to_document
from caesura.formats.registry import TIMED
from caesura.formats.textgrid import parse, parse_tiers, told_by, write
from caesura.io.files import decode


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
    """The same in the short form."""
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", str(last)]
    lines += ["<exists>", str(len(tiers))]
    for name, entries in tiers:
        points = bool(entries) and len(entries[0]) == 2
        lines += ['"TextTier"' if points else '"IntervalTier"', quoted(name), "0", str(last)]
        lines.append(str(len(entries)))
        for *times, label in entries:
            lines += [*map(str, times), quoted(label)]
    return "\n".join(lines) + "\n"


FORMS = pytest.mark.parametrize("make", [long_grid, short_grid])


def pieces(text):
    [script] = parse(text, "x.TextGrid")
    return told(script)


def told(script):
    """Speaker, start, end, text, whether a unit ends, its type."""
    count = len(script)
    columns = [
        script.speakers or [""] * count,
        (script.start / 1e6).tolist(),
        (script.end / 1e6).tolist(),
        script.texts,
        [None] * count if script.ends is None else script.ends.tolist(),
        script.types or [""] * count,
    ]
    return list(zip(*columns, strict=True))


def short(text):
    return [(speaker, label, end) for speaker, _, _, label, end, _ in pieces(text)]


def message(text):
    with pytest.raises(FormatError) as error:
        parse(text, "x.TextGrid")
    return str(error.value)


# --- What tiers mean --------------------------------------------------------------------

TALK = [
    ("Ann", [(0, 1, "so you know"), (1, 2, ""), (2, 3, 'it "rained"')]),
    ("Bob", [(0, 0.5, " "), (0.5, 2.5, "yes")]),
]


@FORMS
def test_every_interval_tier_is_a_speaker(make):
    assert pieces(make(TALK)) == [
        ("Ann", 0, 1, "so you know", True, ""),
        ("Bob", 0.5, 2.5, "yes", True, ""),
        ("Ann", 2, 3, 'it "rained"', True, ""),
    ]


WORDS = [(0, 1, "so"), (1, 2, "it"), (2, 3, ""), (3, 4, "rained"), (4, 5, "a"), (5, 6, "lot")]


@FORMS
@pytest.mark.parametrize(
    ("words", "units", "speaker"),
    [
        ("words", "sentences", ""),
        ("Words", "UTTERANCES", ""),
        ("word", "su", ""),
        ("Ann - words", "Ann - sentences", "Ann"),
        ("Ann - words", "Ann", "Ann"),
        ("Ann:words", "Ann: phrase", "Ann"),
        ("words@Ann", "units@Ann", "Ann"),
        ("words - Ann", "segments - Ann", "Ann"),
        ("Ann_words", "boundaries", "Ann"),
        ("words", "whatever", ""),
    ],
)
def test_words_and_units(make, words, units, speaker):
    tiers = [
        (units, [(0, 1, "one"), (1, 4.6, "two"), (4.6, 9, "")]),
        (words, WORDS),
        (words.lower().replace("words", "phones").replace("word", "phone"), [(0, 9, "x")]),
    ]
    assert short(make(tiers)) == [
        (speaker, "so", True), (speaker, "it", False), (speaker, "rained", False),
        (speaker, "a", True), (speaker, "lot", True),
    ]  # fmt: skip


def test_a_word_belongs_to_the_unit_that_its_middle_lies_in():
    tiers = [
        ("words", [(0, 2, "a"), (2, 4, "b"), (4, 6, "c")]),
        ("units", [(0, 2.9, "x"), (2.9, 9, "y")]),
    ]
    assert [end for _, _, end in short(long_grid(tiers))] == [True, False, True]


def test_words_between_units_are_a_unit():
    words = [(at, at + 1, str(at)) for at in range(6)]
    tiers = [("words", words), ("units", [(1, 2, "x"), (4, 6, "y")])]
    assert [end for _, _, end in short(long_grid(tiers))] == [True, True, False, True, False, True]


def test_words_without_units():
    [script] = parse(long_grid([("words", WORDS), ("phones", [(0, 9, "x")])]))
    assert script.ends is None
    assert to_document(script).segmentation.boundaries.tolist() == [4]


def test_a_tier_of_words_that_holds_none():
    tiers = [*TALK, ("words", [(0, 9, "")]), ("Ann - words", [])]
    assert pieces(long_grid(tiers)) == pieces(long_grid(TALK))


def test_units_of_speakers_stay_together():
    tiers = [
        ("A - words", [(0, 1, "a"), (2, 3, "b"), (4, 5, "c")]),
        ("A", [(0, 3, "a b"), (3, 9, "c")]),
        ("B - words", [(1, 2, "x"), (3, 4, "y")]),
        ("B", [(0, 9, "x y")]),
    ]
    assert [label for _, label, _ in short(long_grid(tiers))] == ["a", "b", "x", "y", "c"]


def test_units_without_a_speaker_are_everybody_s():
    tiers = [
        ("A - words", [(0, 1, "a"), (2, 3, "b"), (4, 5, "c")]),
        ("B - words", [(1, 2, "x"), (3.5, 4, "y")]),
        ("sentences", [(0, 3, ""), (3, 9, "")]),
    ]
    assert short(long_grid(tiers)) == [
        ("A", "a", False), ("A", "b", True), ("B", "x", True), ("B", "y", True), ("A", "c", True),
    ]  # fmt: skip


def test_units_told_by_points():
    tiers = [("words", WORDS), ("su", [(1, "statement"), (4.4, ""), (5.7, "question"), (8, "?")])]
    found = pieces(long_grid(tiers))
    assert [each[4:] for each in found] == [
        (True, "statement"), (False, ""), (True, ""), (False, ""), (True, "?"),
    ]  # fmt: skip


def test_other_points_are_not_read():
    tiers = [*TALK, ("tones", [(0.1, "H*")]), ("points", [(0.1, "x")]), ("phones", [(0, 9, "x")])]
    assert pieces(long_grid(tiers)) == pieces(long_grid(TALK))


def test_sentences_without_words_are_what_is_said():
    tiers = [("Ann - sentences", [(0, 1, "one."), (1, 2, "two.")]), ("Ann", [(0, 2, "one. two.")])]
    assert [label for _, label, _ in short(long_grid(tiers))] == ["one.", "two."]


def test_sentences_without_labels_part_what_is_said():
    tiers = [("sentences", [(0, 2, ""), (2, 3, "")]), ("segments", [(0, 1, "a"), (1, 2, "b")])]
    assert short(long_grid(tiers)) == [("", "a", True), ("", "b", True)]
    tiers = [("A - su", [(0, 2, ""), (2, 3, "")]), ("A", [(0, 1, "a"), (1, 2, "b"), (2, 3, "c")])]
    assert short(long_grid(tiers)) == [("A", "a", False), ("A", "b", True), ("A", "c", True)]


def test_two_tiers_of_one_name_are_one_speaker():
    tiers = [("Ann", [(0, 2, "a"), (3, 4, "c")]), ("Ann", [(1, 5, "b")])]
    assert short(long_grid(tiers)) == [("Ann", "a", True), ("Ann", "b", True), ("Ann", "c", True)]


def test_names():
    assert told_by("Mary Ann - words") == ("Mary Ann", "words")
    assert told_by("keywords") == ("keywords", "")
    assert told_by("") == ("", "")
    assert told_by("words - segments") == ("words", "units")


@pytest.mark.parametrize("name", [" " * 10**5, "-" * 10**5, "- " * 10**5, "words" + " " * 10**5])
def test_long_names(name):
    assert told_by(f"x{name}x") == (f"x{name}x", "")


def test_as_a_document():
    document = to_document(parse(long_grid(TALK), "x.TextGrid")[0], units=TIMED["textgrid"].units)
    assert document.words == ["so", "you", "know", "yes", "it", "rained"]
    assert document.segmentation.boundaries.tolist() == [2, 3, 5]
    assert document.track.speaker.names == ("Ann", "Bob")
    assert document.form == "textgrid-segments"
    assert parse(long_grid(TALK))[0].lines.tolist() == [16, 38, 24]


# --- What people have -------------------------------------------------------------------

KIND = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "all on one line": lambda text: text.replace("\n", " "),
    "no last line end": str.rstrip,
    "comments": lambda text: text.replace("xmin = 0 \n", 'xmin = 0 ! 7 is "seven\n', 1),
    "an old header": lambda text: text.replace("ooTextFile", "ooTextFile short"),
    "exponents": lambda text: text.replace("0.5", "5e-1"),
    "a plus": lambda text: text.replace("0.5", "+.5"),
    "indented with tabs": lambda text: text.replace("    ", "\t"),
}


@FORMS
@pytest.mark.parametrize("change", KIND.values(), ids=KIND)
def test_kind_to_what_people_have(make, change):
    assert pieces(change(make(TALK))) == pieces(make(TALK))


@FORMS
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings(make, encoding):
    text = make([("Žofie", [(0, 1, "日本 é")])])
    assert short(decode(text.encode(encoding), "x")) == [("Žofie", "日本 é", True)]


def test_an_exclamation_mark_in_a_label_is_no_comment():
    assert short(long_grid([("A", [(0, 1, "oh! no"), (1, 2, 'so ""!')])]))[0][1] == "oh! no"


@FORMS
def test_it_is_told_by_its_content(make):
    assert TIMED["textgrid"].is_like(make(TALK)[:4096])
    assert not TIMED["textgrid"].is_like('File type = "ooTextFile"\nObject class = "PitchTier"\n')


# --- What is broken ---------------------------------------------------------------------

GRID = long_grid(TALK)
CUT = "it is truncated: copy or save it again"
DOUBLE = 'fix it; write a quote inside a text twice, ""'
NO_GRID = (
    "1: this is not a TextGrid; "
    'save it from Praat as a text file: it begins with File type = "ooTextFile"'
)
BROKEN = {
    "empty": ("", NO_GRID),
    "words": ("hello\n", NO_GRID),
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
    "a quote inside": (
        GRID.replace('""rained""', '"rained"'),
        f"26: '' instead of the class IntervalTier or TextTier; {DOUBLE}",
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
    "an interval that ends before it begins": (
        long_grid([("A", [(0, 1, "a"), (2, 1.5, "b")])]),
        "20: the interval 2.00–1.50 of the tier 'A' ends before it begins; fix its times",
    ),
    "overlapping intervals": (
        long_grid([("A", [(0, 1, "a"), (0.5, 1.5, "b")])]),
        "20: the interval 0.50–1.50 of the tier 'A' begins before the end of 0.00–1.00; "
        "intervals of a tier must not overlap: give each speaker a tier",
    ),
    "intervals out of order": (
        long_grid([("A", [(2, 3, "a"), (0, 1, "b")])]),
        "20: the interval 0.00–1.00 of the tier 'A' begins before the end of 2.00–3.00; "
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
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_errors(text, expected):
    assert message(text) == f"x.TextGrid:{expected}"


@FORMS
@pytest.mark.parametrize("tiers", [[("A", [(0, 9, "")])], [("A", [])], [("tones", [(1, "H")])]])
def test_nothing_is_said(make, tiers):
    expected = "x.TextGrid: no words in any tier; give an interval tier that contains the words"
    assert message(make(tiers)) == f"{expected}, or choose one of '{tiers[0][0]}' with tier=…"


def test_an_unclosed_quote():
    text = short_grid([("A", [(0, 1, "a")])]).rstrip().removesuffix('"')
    expected = "a quote that is not closed"
    assert re.fullmatch(rf"x\.TextGrid:\d+: {expected}; .+", message(text))


CORPUS = {
    "long": GRID,
    "short": short_grid(TALK),
    "points": long_grid([("words", WORDS), ("su", [(1, "statement"), (4.4, "")])]),
    "one line": short_grid(TALK).replace("\n", " "),
}


@pytest.mark.parametrize("text", CORPUS.values(), ids=CORPUS)
def test_cut_off_anywhere(text):
    for stop in range(0, len(text.rstrip()), 7):
        with pytest.raises(CaesuraError):
            parse(text[:stop])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("wrong", ["utf-8", "utf-16-le", "utf-16-be", "utf-32", "ascii"])
def test_wrong_encodings(encoding, wrong):
    try:
        found = pieces(decode(GRID.encode(encoding), "x", wrong))
    except CaesuraError:
        return
    assert found == pieces(GRID)


@given(st.text() | st.lists(st.sampled_from(['"', '""', "<exists>", "0", "1", "-1", "x", "\n", " ",
       '"IntervalTier"', '"TextTier"', '"words"', "!", "1e999"])).map(" ".join))  # fmt: skip
def test_nothing_but_our_errors(text):
    for head in ("", 'File type = "ooTextFile"\n"TextGrid" 0 1 <exists> '):
        with suppress(CaesuraError):
            parse(head + text)


@given(st.data())
def test_nothing_but_our_errors_in_mangled_files(data):
    text = data.draw(st.sampled_from(list(CORPUS.values())))
    at = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(at, min(len(text), at + 30)))
    with suppress(CaesuraError):
        parse(text[:at] + data.draw(st.text(max_size=5)) + text[stop:])


# --- Round trips ------------------------------------------------------------------------

names = st.sampled_from(["", "Ann", "Bob", "words", "Ann - words", "su", "segments", "x -"]) | (
    st.text(max_size=8).map(str.strip)
)
labels = st.text(min_size=1, max_size=12).filter(str.strip)


@st.composite
def scripts(draw, step=1, texts=labels, speakers=names):
    """A script of units; no two of a speaker end at the same time."""
    count = draw(st.integers(1, 12))
    start = [draw(st.integers(0, 5_000)) * step for _ in range(count)]
    end = [each + draw(st.integers(1, 3_000)) * step for each in start]
    who = [draw(speakers) for _ in range(count)]
    distinct = {(name, off): at for at, (name, off) in enumerate(zip(who, end, strict=True))}
    kept = sorted(distinct.values(), key=lambda at: (start[at], end[at]))
    last = {who[at]: at for at in kept}
    ends = [at in last.values() or draw(st.booleans()) for at in kept]
    kinds = st.sampled_from(["", "statement", 'a "b"'])
    return Script(
        texts=[draw(texts) for _ in kept],
        start=np.array([start[at] for at in kept]),
        end=np.array([end[at] for at in kept]),
        ends=np.array(ends),
        types=[draw(kinds) if each else "" for each in ends] if draw(st.booleans()) else None,
        speakers=[who[at] for at in kept],
    )


@given(scripts())
def test_round_trips(script):
    [found] = parse("".join(write([script])))
    assert sorted(told(found)) == sorted(told(script))


@given(scripts())
def test_pieces_of_a_row_do_not_overlap(script):
    found = textgrid.rows(script.start, script.end)
    assert sorted(at for row in found for at in row) == list(range(len(script)))
    for row in found:
        assert all(script.end[a] <= script.start[b] for a, b in pairwise(row))


def test_what_cannot_be_written():
    times = {"start": np.array([0]), "end": np.array([10])}
    for script, problem in [
        (Script(texts=["a"], source="x"), "a piece without times"),
        (Script(texts=["a"], start=np.array([0]), end=np.array([UNKNOWN])), "without times"),
        (
            Script(texts=["a"], start=np.array([5]), end=np.array([5])),
            "'a' has no duration at 0.000005",
        ),
    ]:
        with pytest.raises(FormatError, match=problem):
            list(write([script]))
    for several in ([], [Script(texts=["a"], **times)] * 2):
        with pytest.raises(FormatError, match=f"{len(several)} recordings; a TextGrid holds one"):
            list(write(several))


# --- praatio ----------------------------------------------------------------------------


@st.composite
def grids(draw):
    """The tiers of a well-formed TextGrid, with the labels that praatio keeps as they are."""
    plain = st.text("abc é\"'.?!日", min_size=1, max_size=8).map(str.strip)
    tiers = []
    for name in draw(st.lists(st.sampled_from("ABCD"), min_size=1, unique=True)):
        edges = sorted(draw(st.sets(st.integers(0, 10**6), min_size=2, max_size=8)))
        edges = [each / 1000 for each in edges]
        if draw(st.booleans()):
            tiers.append((name, [(on, off, draw(plain)) for on, off in pairwise(edges)]))
        else:
            tiers.append((name, [(time, draw(plain).replace('"', "'")) for time in edges]))
    return tiers


def as_praatio_reads(textgrid, path):
    grid = textgrid.openTextgrid(str(path), includeEmptyIntervals=False)
    return [(tier.name, [tuple(each) for each in tier.entries]) for tier in grid.tiers]


def as_we_read(text):
    return [
        (
            tier.name,
            [
                (on, label) if tier.is_points else (on, off, label)
                for on, off, label in zip(tier.on, tier.off, tier.labels, strict=True)
                if label
            ],
        )
        for tier in parse_tiers(text)
    ]


@pytest.mark.parametrize("form", ["long_textgrid", "short_textgrid"])
@FORMS
@given(tiers=grids())
def test_praatio_reads_and_writes_the_same(tmp_path_factory, make, form, tiers):
    peer = pytest.importorskip("praatio.textgrid")
    path = tmp_path_factory.mktemp("grids") / "x.TextGrid"
    text = make(tiers, last=1000)
    path.write_text(text, encoding="utf-8", newline="\n")
    expected = as_praatio_reads(peer, path)
    assert as_we_read(text) == expected
    peer.openTextgrid(str(path), includeEmptyIntervals=True).save(
        str(path), form, includeBlankSpaces=True
    )
    assert as_we_read(path.read_text(encoding="utf-8")) == expected


@given(scripts(texts=st.text("abc é\"", min_size=1).filter(str.strip),
               speakers=st.sampled_from(["Ann", "Bob", ""])))  # fmt: skip
def test_praatio_reads_what_we_write(tmp_path_factory, script):
    peer = pytest.importorskip("praatio.textgrid")
    path = tmp_path_factory.mktemp("grids") / "x.TextGrid"
    path.write_text("".join(write([script])), encoding="utf-8", newline="\n")
    grid = peer.openTextgrid(str(path), False, duplicateNamesMode="rename")
    found = [
        (round(each.start * 1e6), round(each.end * 1e6), each.label)
        for tier in grid.tiers
        if not tier.name.endswith("su")
        for each in tier.entries
        if hasattr(each, "end")
    ]
    columns = (script.start.tolist(), script.end.tolist(), map(str.strip, script.texts))
    assert sorted(found) == sorted(zip(*columns, strict=True))
