"""Bad input: the exact line on standard error and the exit status."""

import pytest

A = "so it rained\nall night\n"


@pytest.fixture
def refs(folder):
    folder(a=A, b="so it\nrained all night\n", s=A)


CASES = {
    "words that differ": (
        {"x": "so it poured\nall night\n"},
        ["x.txt", "--ref", "a.txt"],
        1,
        "x.txt:1: the words differ at word 3: here “so it [poured] all night”, "
        "in a.txt:1 “so it [rained] all night”; "
        "fix the text, or project the boundaries with --align",
    ),
    "words that end early": (
        {"x": "so it rained\nall\n"},
        ["x.txt", "--ref", "a.txt"],
        1,
        "x.txt:2: the words differ at word 5: here “so it rained all” is the end, "
        "in a.txt:2 “so it rained all [night]”; "
        "fix the text, or project the boundaries with --align",
    ),
    "an empty file": (
        {"x": ""},
        ["x.txt", "--ref", "a.txt"],
        1,
        "x.txt: no words; give a file with the words of a transcript",
    ),
    "nothing but punctuation": (
        {"x": " . \n ... \n"},
        ["x.txt", "--ref", "a.txt"],
        1,
        "x.txt: no words; give a file with the words of a transcript",
    ),
    "a binary string of the wrong length": (
        {"x": "0010"},
        ["x.txt", "--ref", "a.txt"],
        1,
        "x.txt: 4 words where a.txt has 5; give one 0 or 1 for each word of the transcript",
    ),
    "a binary string that is none": (
        {"x": "00\n1x1"},
        ["x.txt", "--ref", "a.txt", "--input", "binary"],
        1,
        "x.txt:2: 'x' in a binary string; use only 0, 1 and white space",
    ),
    "undecodable bytes": (
        {"x": b"so it rained\nall n\xefght\n"},
        ["x.txt", "--ref", "a.txt"],
        1,
        "x.txt:2: byte 0xef is not UTF-8; "
        "save the file as UTF-8, or name its encoding with --encoding",
    ),
    "UTF-16 without a mark": (
        {"x": A.encode("utf-16-le")},
        ["x.txt", "--ref", "a.txt"],
        1,
        "x.txt:1: NUL bytes: not a text file, or UTF-16 without a byte-order mark; "
        "save the file as UTF-8, or try --encoding utf-16-le",
    ),
    "an unknown encoding": (
        {},
        ["s.txt", "--ref", "a.txt", "--encoding", "utf-9"],
        2,
        "unknown encoding 'utf-9'; try utf-8, utf-16 or latin-1",
    ),
    "a file that is not there": (
        {},
        ["x.txt", "--ref", "a.txt"],
        1,
        "x.txt: no such file or directory; check the path",
    ),
    "a directory where a file was meant": (
        {"d__a": A},
        ["s.txt", "--ref", "d"],
        1,
        "d: is a folder of documents where s.txt is one file; "
        "give files for all or folders for all",
    ),
    "a missing document": (
        {"d__one": A, "d__two": A, "e__one": A},
        ["d", "--ref", "e"],
        1,
        "e: no document named 'two', which d has; "
        "add it, or skip such documents with --missing skip, or score each with what "
        "it has: --missing vary",
    ),
    "no document in common": (
        {"d__one": A, "e__two": A},
        ["d", "--ref", "e", "--missing", "skip"],
        1,
        "e, d: no document is in all of them; use the same file names, or score each with what it "
        "has: --missing vary",
    ),
    "a document twice": (
        {"d__one.txt": A, "d__one.lines": A, "e__one": A},
        ["d", "--ref", "e"],
        1,
        "d/one.txt: a second document named 'one' (the first is d/one.lines); "
        "documents are matched by name without suffix; rename one",
    ),
    "a glob that finds nothing": (
        {},
        ["*.lines", "--ref", "a.txt"],
        1,
        "*.lines: no files; check the path",
    ),
    "a name used twice": (
        {},
        ["S=s.txt", "--ref", "S=a.txt"],
        2,
        "the name 'S' is used twice; give different names with NAME=PATH",
    ),
    "a file given twice": (
        {},
        ["s.txt", "--ref", "./s.txt"],
        2,
        "s.txt is given twice; drop one, or name them with NAME=PATH",
    ),
    "a name that looks like an option": (
        {},
        ["s.txt", "--ref", "-a=a.txt"],
        2,
        "a name may not begin with '-': '-a'; use NAME=PATH",
    ),
    "no path": (
        {},
        ["S=", "--ref", "a.txt"],
        2,
        "'S=' is neither PATH nor NAME=PATH; give a name and a path",
    ),
    "standard input twice": (
        {},
        ["S=-", "T=-", "--ref", "a.txt"],
        2,
        "standard input ('-') can be read only once; save one to a file",
    ),
    "an unknown form": (
        {},
        ["s.txt", "--ref", "a.txt", "--input", "line"],
        2,
        "unknown input form 'line'; did you mean lines?",
    ),
    "marks that are letters": (
        {},
        ["s.txt", "--ref", "a.txt", "--marks", ".x"],
        2,
        "marks cannot be letters, digits or white space: '.x'",
    ),
    "a consensus of too many": (
        {},
        ["s.txt", "--ref", "a.txt", "--ref", "b.txt", "--consensus", "3"],
        2,
        "a consensus of 3 needs more references than there are; choose 1 to 2",
    ),
    "an unknown score to gate on": (
        {},
        ["s.txt", "--ref", "a.txt", "--fail-under", "wisbe=.3"],
        2,
        "unknown score 'wisbe'; did you mean wisebe?",
    ),
    "a gate without a value": (
        {},
        ["s.txt", "--ref", "a.txt", "--fail-under", "wisebe"],
        2,
        "'wisebe' is not MEASURE=VALUE; for example wisebe=0.35",
    ),
    "a gate at nan": (
        {},
        ["s.txt", "--ref", "a.txt", "--fail-under", "f1=nan"],
        2,
        "'f1=nan' is not MEASURE=VALUE; for example f1=0.35",
    ),
    "a gate at infinity": (
        {},
        ["s.txt", "--ref", "a.txt", "--fail-over", "ser=inf"],
        2,
        "'ser=inf' is not MEASURE=VALUE; for example ser=0.35",
    ),
    "a gate that is not met": (
        {},
        ["s.txt", "--ref", "a.txt", "--ref", "b.txt", "--fail-under", "f1_mean=.6"],
        3,
        "s: f1_mean .500 is under 0.6",
    ),
    "a gate on what is undefined": (
        {},
        ["s.txt", "--ref", "a.txt", "--fail-under", "wisebe=.3"],
        3,
        "s: wisebe is undefined with one reference",
    ),
    "a gate on what was not asked for": (
        {},
        ["s.txt", "--ref", "a.txt", "--fail-under", "adjusted_rand_index_mean=.3"],
        3,
        "s: adjusted_rand_index_mean is not computed; add --also rand",
    ),
    "an error rate that is too high": (
        {},
        ["s.txt", "--ref", "b.txt", "--fail-over", "ser_mean=1"],
        3,
        "s: ser_mean 2.000 is over 1",
    ),
    "output to a folder": (
        {"d__a": A},
        ["s.txt", "--ref", "a.txt", "-o", "d"],
        1,
        "d: is a folder; give a file name",
    ),
    "rows to nowhere": (
        {},
        ["s.txt", "--ref", "a.txt", "--rows", "no/where.jsonl"],
        1,
        "no/where.jsonl: no such file or directory; choose another path",
    ),
    "a torn gz file": (
        {"x.txt.gz": b"no gz"},
        ["x.txt.gz", "--ref", "a.txt"],
        1,
        "x.txt.gz: not a valid .gz file (Not a gzipped file (b'no')); compress it again",
    ),
}


@pytest.mark.usefixtures("refs")
@pytest.mark.parametrize(("files", "arguments", "status", "message"), CASES.values(), ids=CASES)
def test_bad_input(run, folder, files, arguments, status, message):
    folder(**files)
    got, _, error = run("transcript", *arguments)
    assert (got, error) == (status, f"error: {message}\n")


@pytest.mark.usefixtures("refs")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["transcript", "s.txt"], "Missing option '--ref'"),
        (["transcript", "--ref", "a.txt"], "nothing to score"),
        (
            ["transcript", "s.txt", "--ref", "a.txt", "--window", "-1"],
            "'-1' is neither a number of words",
        ),
        (["transcript", "s.txt", "--ref", "a.txt", "-f", "xml"], "'xml' is not one of"),
        (["transcrypt"], "No such command 'transcrypt'"),
        (["text", "s.txt", "--gold", "a.txt", "--conll", "-f", "json"], "remove --format"),
        (["segment", "s1", "s.txt", "--threshold", "nan"], "nan is not a number"),
        (["segment", "s1", "s.txt", "--mean-length", "inf"], "inf is not a number"),
        (["transcript", "s.txt", "--ref", "a.txt", "--level", "nan"], "nan is not a number"),
        (["agreement"], "Missing argument 'REF...'"),
        (["list", "verbs"], "'verbs' is not one of"),
    ],
)
def test_a_command_line_at_fault(run, arguments, message):
    status, _, error = run(*arguments)
    assert status == 2
    assert message in error


@pytest.mark.usefixtures("refs")
def test_a_failed_run_leaves_old_results_alone(run, folder):
    place = folder(x="so it snowed\n", **{"out.json": "old"})
    assert run("transcript", "x.txt", "--ref", "a.txt", "-o", "out.json")[0] == 1
    assert (place / "out.json").read_text() == "old"
    assert not list(place.glob(".caesura-*"))


@pytest.mark.usefixtures("refs")
def test_a_gate_that_fails_still_gives_the_result(run):
    status, out, _ = run(
        "transcript", "s.txt", "--ref", "b.txt", "-f", "json", "--fail-under", "f1_mean=.6"
    )
    assert status == 3
    assert '"f1_mean": 0.0' in out


LONG = "x" * 5000
ROWS = '{"caesura": "0.1.0", "task": "transcript", "signature": "", "references": [], '
ROWS += '"documents": [], "options": {}}\n'
LONG_CELLS = {
    "x.stm": f"a A s {LONG} 1 one\n",
    "x.ctm": f"a A {LONG} 1 one\n",
    "x.srt": f"1\n{LONG} --> 00:00:01,000\nso\n",
    "x.vtt": f"WEBVTT\n\n{LONG} --> 00:01.000\nso\n",
    "x.rttm": f"{LONG} a 1 0 1 x y z\n",
    "x.nlp": f"token|ts\n{LONG}|{LONG}|{LONG}\n",
    "x.json": f'{{"segments": [{{"start": "{LONG}", "end": 1, "text": "a"}}]}}',
    "x.conllu": f"{LONG}\tso\t_\t_\t_\t_\t0\t_\t_\t_\n\n",
    "x.TextGrid": f'File type = "ooTextFile"\nObject class = "{LONG}"\n',
    "x.eaf": f"<{LONG}/>",
    "x.txt": f"so {LONG}\nall night\n",
}


@pytest.mark.usefixtures("refs")
@pytest.mark.parametrize("name", LONG_CELLS)
def test_long_cells_are_not_quoted_whole(run, folder, name):
    folder(**{name: LONG_CELLS[name]})
    status, _, error = run("transcript", name, "--ref", "a.txt")
    assert status == 1
    assert error.startswith(f"error: {name}")
    assert len(error) < 300


@pytest.mark.parametrize("row", ['"system": ["{}"]', '"measure": "{}"', '"measure": ["{}"]'])
def test_nor_are_those_of_rows(run, folder, row):
    folder(**{"rows.jsonl": ROWS + "{" + row.format(LONG) + "}\n"})
    status, _, error = run("compare", "rows.jsonl")
    assert status == 1
    assert len(error) < 700
