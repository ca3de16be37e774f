import gzip

import pytest

from caesura.errors import CaesuraError
from caesura.tasks.terms.speech import Gold, parse_intervals, read_intervals

PLAIN = "f1 0 .5 SIL\nf1 .5 .6 a\nf2 0 1.25 b\n"
ROWS = [("f1", 0, 0.5, "SIL"), ("f1", 0.5, 0.6, "a"), ("f2", 0, 1.25, "b")]


def rows(intervals):
    columns = (intervals.file, intervals.on, intervals.off, intervals.label)
    return [
        (intervals.files[file], on, off, intervals.labels[label])
        for file, on, off, label in zip(*(each.tolist() for each in columns), strict=True)
    ]


def parsed(text, source="gold.phn"):
    return rows(parse_intervals(text.encode(), source))


def message(call, *arguments, **options):
    with pytest.raises(CaesuraError) as error:
        call(*arguments, **options)
    return str(error.value)


# --- Four columns ---------------------------------------------------------------------

KIND = {
    "as it should be": PLAIN,
    "blanks around": "  " + PLAIN.replace("\n", " \n"),
    "blank lines between": "\n" + PLAIN.replace("\n", "\n\n \t\n"),
    "out of order": "".join(PLAIN.splitlines(keepends=True)[::-1]),
    "an interval twice": PLAIN + "f1 .5 .6 a\nf1 0.50 0.600 a\n",
    "exponents": PLAIN.replace(".5 ", "5e-1 "),
    "a byte-order mark": "\ufeff" + PLAIN,
}


@pytest.mark.parametrize("text", KIND.values(), ids=KIND)
def test_kind_to_what_people_have(folder, text):
    folder(**{"gold.phn": text})
    assert rows(read_intervals("gold.phn", tier="phones")) == ROWS


def test_a_named_encoding_and_a_compressed_file(folder):
    folder(**{"gold.wrd.gz": gzip.compress("f1 0 1 é\n".encode("latin-1"))})
    found = read_intervals("gold.wrd.gz", tier="words", encoding="latin-1")
    assert rows(found) == [("f1", 0, 1, "é")]


def test_times_are_the_numbers_that_were_written():
    found = parse_intervals(b"f 0.1 0.30000000000000004 a\nf 123456.7891 200000 b\n")
    assert found.on.tolist() == [0.1, 123456.7891]
    assert found.off.tolist() == [0.30000000000000004, 200000]


def test_recordings_and_labels_are_sorted():
    found = parse_intervals(b"b 0 1 z\na 0 1 y\nb 1 2 x\n")
    assert (found.files, found.labels) == (["a", "b"], ["x", "y", "z"])
    assert len(found) == 3


def test_without_a_label():
    found = parse_intervals(PLAIN.encode())
    assert rows(found.without("SIL")) == ROWS[1:]
    assert found.without("SPN") is found
    assert len(parse_intervals(b"f 0 1 SIL\n").without("SIL")) == 0


FORWARD = "an interval must end after it begins"
BEGINS = "an interval that begins at 0.5 and ends at"
SECONDS = "write seconds, such as 12.34"
COLUMNS = "write FILE ON OFF LABEL"
FOLLOW = "gold intervals of a recording must not overlap"
BAD = {
    "it ends before it begins": ("f .5 .4 a", f"{BEGINS} 0.4; {FORWARD}"),
    "it ends where it begins": ("f .5 0.50 a", f"{BEGINS} 0.5; {FORWARD}"),
    "nan": ("f nan 1 a", f"'nan' is not a time; {SECONDS}"),
    "negative": ("f -0.1 1 a", f"'-0.1' is not a time; {SECONDS}"),
    "a decimal comma": ("f 0,5 1 a", f"'0,5' is not a time; {SECONDS}"),
    "three columns": ("f 0 1", f"3 columns; {COLUMNS}"),
    "five columns": ("f 0 1 a b", f"5 columns; {COLUMNS}"),
    "overlapping": ("g .5 1.5 b", f"the interval 0.5–1.5 overlaps 0–1 on line 1; {FOLLOW}"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), BAD.values(), ids=BAD)
def test_errors(line, expected):
    assert message(parsed, f"g 0 1 a\n\n{line}\nz 0 1 a\n") == f"gold.phn:3: {expected}"


@pytest.mark.parametrize(("text", "name"), [(" \t\r\n", "gold.phn"), (";; none\n", "gold.ctm")])
def test_an_empty_file(text, name):
    expected = f"{name}: no intervals; write FILE {'CHANNEL' if 'ctm' in name else 'ON OFF'}"
    assert message(parsed, text, name).startswith(expected)


def test_silent_words_are_left_out():
    phones = parse_intervals(b"a 0 1 x\nb 0 1 SIL\nb 1 2 x\n")
    gold = Gold.from_intervals(phones, parse_intervals(b"b 0 1 SIL\nb 1 2 X\n"), source="gold.wrd")
    assert rows(gold.words) == [("b", 1, 2, "X")]
    assert gold.is_silent.tolist() == [False, True, False]


# --- CTM ------------------------------------------------------------------------------

CTM = {
    "plain": "f1 1 0 .5 SIL\nf1 1 .5 .1 a\nf2 A 0 1.25 b\n",
    "a confidence": "f1 1 0 .5 SIL 0.9\nf1 1 .5 .1 a 1\nf2 1 0 1.25 b NA\n",
    "comments": ";; made by hand\nf1 1 0 .5 SIL\n;;\n\nf1 1 .5 .1 a\nf2 1 0 1.25 b\n;; f3 0 1\n",
    "CRLF and tabs": "f1\t1\t0\t.5\tSIL\r\nf1\t1\t.5\t.1\ta\r\nf2\t1\t0\t1.25\tb\r\n",
}


@pytest.mark.parametrize("text", CTM.values(), ids=CTM)
@pytest.mark.parametrize("name", ["gold.ctm", "GOLD.CTM"])
def test_ctm(text, name):
    assert parsed(text, name) == ROWS


def test_the_end_of_a_ctm_interval_is_the_time_one_would_write():
    found = parse_intervals(b"f 1 0.1 0.2 a\nf 1 0.3 0.6 b\nf 1 0.9 0.1 c\n", "gold.ctm")
    assert found.off.tolist() == [0.3, 0.9, 1.0]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("f1 1 0 .5", "4 columns; write FILE CHANNEL START DURATION LABEL"),
        ("f1 1 0 .5 a .9 x", "7 columns; write FILE CHANNEL START DURATION LABEL"),
        ("f1 1 0 -1 a", f"'-1' is not a time; {SECONDS}"),
        ("f1 1 .5 0 a", f"{BEGINS} 0.5; {FORWARD}"),
        ("g 1 .5 1 a", f"the interval 0.5–1.5 overlaps 0–1 on line 2; {FOLLOW}"),
    ],
)
def test_errors_in_ctm(line, expected):
    text = f";; by hand\ng 1 0 1 a\n\n{line}\n"
    assert message(parsed, text, "gold.ctm") == f"gold.ctm:4: {expected}"


# --- TextGrids ------------------------------------------------------------------------


def long_grid(**tiers):
    """A TextGrid in Praat's long form, written by hand."""
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0", "xmax = 2"]
    lines += ["tiers? <exists>", f"size = {len(tiers)}", "item []:"]
    for at, (name, entries) in enumerate(tiers.items(), 1):
        lines += [f"    item [{at}]:", '        class = "IntervalTier"']
        lines += [f'        name = "{name}"', "        xmin = 0", "        xmax = 2"]
        lines.append(f"        intervals: size = {len(entries)}")
        for number, (on, off, label) in enumerate(entries, 1):
            lines += [f"        intervals [{number}]:", f"            xmin = {on}"]
            lines += [f"            xmax = {off}", f'            text = "{label}"']
    return "\n".join(lines) + "\n"


GRID = {
    "phones": [(0, 0.5, "SIL"), (0.5, 0.6, "a"), (0.6, 2, "")],
    "words": [(0, 0.5, ""), (0.5, 0.6, "in fact"), (0.6, 2, " ")],
}
MEND = "add or rename the tier"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_textgrid_with_a_blank_in_its_name(folder, encoding):
    folder(**{"my talk.TextGrid": long_grid(**GRID).encode(encoding)})
    phones, words = (rows(read_intervals("my talk.TextGrid", tier=tier)) for tier in GRID)
    assert [row[1:] for row in phones] == [(0, 0.5, "SIL"), (0.5, 0.6, "a")]
    assert [row[1:] for row in words] == [(0.5, 0.6, "in_fact")]


def test_a_folder_of_textgrids(folder):
    other = long_grid(phones=[(0, 1.25, "b")], words=[])
    folder(**{"grids__f2.TextGrid": other, "grids__f1.TextGrid": long_grid(**GRID)})
    folder(**{"grids__notes.txt": "none"})
    assert rows(read_intervals("grids", tier="phones")) == ROWS
    assert rows(read_intervals("grids", tier="words")) == [("f1", 0.5, 0.6, "in_fact")]


def test_a_missing_tier(folder):
    folder(**{"f1.TextGrid": long_grid(phones=GRID["phones"])})
    error = message(read_intervals, "f1.TextGrid", tier="words")
    assert error == f"f1.TextGrid: no tier 'words' among 'phones'; {MEND}"


def test_a_tier_without_intervals(folder):
    folder(**{"f1.TextGrid": long_grid(phones=[(0, 2, "")])})
    expected = "f1.TextGrid: no intervals; fill the tier 'phones'"
    assert message(read_intervals, "f1.TextGrid", tier="phones") == expected


def test_a_folder_without_textgrids(folder):
    folder(**{"grids__f1.txt": "none"})
    expected = "grids: no TextGrids in this folder; file names must end in .TextGrid"
    assert message(read_intervals, "grids", tier="phones") == expected


POINTS = (
    long_grid(phones=[(0, 1, "a")])
    .replace("IntervalTier", "TextTier")
    .replace("intervals", "points")
    .replace("            xmin = 0\n            xmax = 1", "            number = 1")
    .replace("text =", "mark =")
)
GRID_ERRORS = {
    "overlapping": (
        long_grid(phones=[(0, 0.5, "a"), (0.4, 1, "b")]),
        f"20: the interval 0.4–1 overlaps 0–0.5 on line 16; {FOLLOW}",
    ),
    "it ends where it begins": (
        long_grid(phones=[(0, 0.5, "a"), (0.5, 0.5, "b")]),
        f"20: {BEGINS} 0.5; {FORWARD}",
    ),
    "points": (POINTS, "10: the tier 'phones' is a point tier; make it an interval tier"),
    "negative": (long_grid(phones=[(-1, 0.5, "a")]), f"16: '-1.0' is not a time; {SECONDS}"),
}


@pytest.mark.parametrize(("text", "expected"), GRID_ERRORS.values(), ids=GRID_ERRORS)
def test_errors_in_textgrids_tell_the_file_and_the_line(folder, text, expected):
    folder(**{"grids__f1.TextGrid": text, "grids__f0.TextGrid": long_grid(**GRID)})
    assert message(read_intervals, "grids", tier="phones") == f"grids/f1.TextGrid:{expected}"
