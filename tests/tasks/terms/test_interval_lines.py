import gzip

import pytest

from caesura.errors import CaesuraError, FormatError, SourceError
from caesura.tasks.terms.interval_lines import parse_intervals, read_intervals
from caesura.tasks.terms.speech import Gold

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
    "no last line end": PLAIN.rstrip(),
    "tabs": PLAIN.replace(" ", "\t"),
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "double blanks": PLAIN.replace(" ", "  "),
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


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(folder, encoding):
    folder(**{"gold.wrd": PLAIN.replace("b\n", "日本\n").encode(encoding)})
    assert rows(read_intervals("gold.wrd", tier="words"))[-1] == ("f2", 0, 1.25, "日本")


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


def test_touching_intervals_do_not_overlap():
    assert len(parse_intervals(b"f 0 1 a\nf 1 2 a\nf 2 3 a\n")) == 3


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
    "inf": ("f 0 inf a", f"'inf' is not a time; {SECONDS}"),
    "too large": ("f 0 1e400 a", f"'1e400' is not a time; {SECONDS}"),
    "negative": ("f -0.1 1 a", f"'-0.1' is not a time; {SECONDS}"),
    "letters": ("f 0 x1 a", f"'x1' is not a time; {SECONDS}"),
    "underscores": ("f 0 1_0 a", f"'1_0' is not a time; {SECONDS}"),
    "a decimal comma": ("f 0,5 1 a", f"'0,5' is not a time; {SECONDS}"),
    "three columns": ("f 0 1", f"3 columns; {COLUMNS}"),
    "five columns": ("f 0 1 a b", f"5 columns; {COLUMNS}"),
    "another label": ("g 0 1 b", f"the interval 0–1 overlaps 0–1 on line 1; {FOLLOW}"),
    "overlapping": ("g .5 1.5 b", f"the interval 0.5–1.5 overlaps 0–1 on line 1; {FOLLOW}"),
    "inside": ("g .25 .5 b", f"the interval 0.25–0.5 overlaps 0–1 on line 1; {FOLLOW}"),
}  # fmt: skip


@pytest.mark.parametrize("gap", ["", "\n\n"])
@pytest.mark.parametrize(("line", "expected"), BAD.values(), ids=BAD)
def test_errors(line, expected, gap):
    text = f"g 0 1 a\n{gap}{line}\nz 0 1 a\n"
    place = f"gold.phn:{2 + len(gap)}"
    assert message(parsed, text) == f"{place}: {expected}"


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n"])
def test_an_empty_file(text):
    expected = "gold.phn: no intervals; write FILE ON OFF LABEL on each line"
    assert message(parsed, text) == expected


def test_a_file_that_is_not_there(folder):
    folder()
    expected = "gold.phn: no such file or directory; check the path"
    assert message(read_intervals, "gold.phn", tier="phones") == expected


def test_an_error_shows_the_times_that_are_wrong():
    expected = (
        "gold.phn:1: an interval that begins at 12345.678 and ends at 12345.67; "
        "an interval must end after it begins"
    )
    assert message(parsed, "f 12345.678 12345.67 a\n") == expected


def test_words_in_a_recording_without_phones():
    phones = parse_intervals(b"f1 0 1 a\n")
    words = parse_intervals(b"f1 0 1 A\nf2 0 1 B\n")
    expected = "gold.wrd: 'f2' has words but no phones; add its phones"
    assert message(Gold.from_intervals, phones, words, source="gold.wrd") == expected


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


def test_ctm_intervals_that_follow_each_other_in_fine_times():
    text = "f 1 0 0.12345678 a\nf 1 0.12345678 0.1 b\n"
    assert [row[1:3] for row in parsed(text, "gold.ctm")] == [
        (0, pytest.approx(0.12345678)), (pytest.approx(0.12345678), pytest.approx(0.22345678)),
    ]  # fmt: skip


def test_a_compressed_ctm(folder):
    folder(**{"gold.ctm.gz": gzip.compress(CTM["plain"].encode())})
    assert rows(read_intervals("gold.ctm.gz", tier="phones")) == ROWS


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


def test_a_ctm_of_comments_only():
    assert message(parsed, ";; nothing here\n", "gold.ctm").startswith("gold.ctm: no intervals; ")


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


def short_grid(**tiers):
    """The same in the short form."""
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", "2", "<exists>"]
    lines.append(str(len(tiers)))
    for name, entries in tiers.items():
        lines += ['"IntervalTier"', f'"{name}"', "0", "2", str(len(entries))]
        lines += [line for on, off, label in entries for line in (str(on), str(off), f'"{label}"')]
    return "\n".join(lines) + "\n"


GRID = {
    "phones": [(0, 0.5, "SIL"), (0.5, 0.6, "a"), (0.6, 2, "")],
    "words": [(0, 0.5, ""), (0.5, 0.6, "in fact"), (0.6, 2, " ")],
}
PHONE_ROWS = [("f1", 0, 0.5, "SIL"), ("f1", 0.5, 0.6, "a")]
MEND = "add or rename the tier"


@pytest.mark.parametrize("make", [long_grid, short_grid])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_textgrids(folder, make, encoding):
    folder(**{"f1.TextGrid": make(**GRID).encode(encoding)})
    assert rows(read_intervals("f1.TextGrid", tier="phones")) == PHONE_ROWS
    assert rows(read_intervals("f1.TextGrid", tier="words")) == [("f1", 0.5, 0.6, "in_fact")]


@pytest.mark.parametrize("form", ["long_textgrid", "short_textgrid"])
def test_textgrids_that_praatio_wrote(tmp_path, form):
    textgrid = pytest.importorskip("praatio.textgrid")
    grid = textgrid.Textgrid()
    entries = [each for each in GRID["phones"] if each[2]]
    grid.addTier(textgrid.IntervalTier("phones", entries, 0, 2))
    path = str(tmp_path / "f1.TextGrid")
    grid.save(path, form, includeBlankSpaces=True)
    assert rows(read_intervals(path, tier="phones")) == PHONE_ROWS


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


BROKEN = {
    "empty": b"",
    "no TextGrid": b"hello\n",
    "torn": long_grid(**GRID)[:-150].encode(),
    "letters for a time": long_grid(**GRID).replace("0.5", "x").encode(),
    "undecodable": long_grid(**GRID).replace("SIL", "\xe9").encode("latin-1"),
    "overlapping": long_grid(phones=[(0, 0.5, "a"), (0.4, 1, "b")]).encode(),
    "it ends where it begins": long_grid(phones=[(0.5, 0.5, "a"), (0.5, 1, "b")]).encode(),
    "points": long_grid(phones=[(0, 1, "a")])
    .replace("IntervalTier", "TextTier")
    .replace("intervals", "points")
    .replace("            xmin = 0\n            xmax = 1", "            number = 1")
    .replace("text =", "mark =")
    .encode(),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_broken_textgrids(folder, content):
    folder(**{"grids__f1.TextGrid": content})
    with pytest.raises(FormatError, match=r"^grids/f1\.TextGrid(:\d+)?: .+; .+"):
        read_intervals("grids", tier="phones")


def test_a_tier_without_intervals(folder):
    folder(**{"f1.TextGrid": long_grid(phones=[(0, 2, "")])})
    expected = "f1.TextGrid: no intervals; fill the tier 'phones'"
    assert message(read_intervals, "f1.TextGrid", tier="phones") == expected


def test_a_folder_without_textgrids(folder):
    folder(**{"grids__f1.txt": "none"})
    expected = "grids: no TextGrids in this folder; file names must end in .TextGrid"
    assert message(read_intervals, "grids", tier="phones") == expected


def test_a_textgrid_that_is_not_there(folder):
    folder()
    with pytest.raises(SourceError) as error:
        read_intervals("f1.TextGrid", tier="phones")
    assert str(error.value) == "f1.TextGrid: no such file or directory; check the path"


def test_a_textgrid_with_a_blank_in_its_name(folder):
    folder(**{"my talk.TextGrid": long_grid(**GRID)})
    found = read_intervals("my talk.TextGrid", tier="phones")
    assert [row[1:] for row in rows(found)] == [row[1:] for row in PHONE_ROWS]


def test_textgrids_in_lower_case(folder):
    folder(**{"grids__f1.textgrid": long_grid(**GRID)})
    assert rows(read_intervals("grids/f1.textgrid", tier="phones")) == PHONE_ROWS
    assert rows(read_intervals("grids", tier="phones")) == PHONE_ROWS


def test_a_compressed_textgrid(folder):
    folder(**{"f1.TextGrid.gz": gzip.compress(short_grid(**GRID).encode("utf-16"))})
    assert rows(read_intervals("f1.TextGrid.gz", tier="phones")) == PHONE_ROWS


def test_a_textgrid_in_a_named_encoding(folder):
    folder(**{"f1.TextGrid": long_grid(phones=[(0, 1, "é")]).encode("latin-1")})
    assert rows(read_intervals("f1.TextGrid", tier="phones", encoding="latin-1"))[0][3] == "é"


POINTS = BROKEN["points"].decode()
GRID_ERRORS = {
    "overlapping": (
        long_grid(phones=[(0, 0.5, "a"), (0.4, 1, "b")]),
        f"20: the interval 0.4–1 overlaps 0–0.5 on line 16; {FOLLOW}",
    ),
    "it ends where it begins": (
        long_grid(phones=[(0, 0.5, "a"), (0.5, 0.5, "b")]),
        f"20: {BEGINS} 0.5; {FORWARD}",
    ),
    "all on one line": (
        short_grid(phones=[(0, 0.5, "a"), (0.5, 0.5, "b")]).replace("\n", " "),
        f"1: {BEGINS} 0.5; {FORWARD}",
    ),
    "points": (POINTS, "10: the tier 'phones' is a point tier; make it an interval tier"),
    "negative": (
        long_grid(phones=[(-1, 0.5, "a")]),
        f"16: '-1.0' is not a time; {SECONDS}",
    ),
}


@pytest.mark.parametrize(("text", "expected"), GRID_ERRORS.values(), ids=GRID_ERRORS)
def test_errors_in_textgrids_tell_the_file_and_the_line(folder, text, expected):
    folder(**{"grids__f1.TextGrid": text, "grids__f0.TextGrid": long_grid(**GRID)})
    assert message(read_intervals, "grids", tier="phones") == f"grids/f1.TextGrid:{expected}"
