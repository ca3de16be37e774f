"""Bad input: the exact line on standard error and the exit status."""

import pytest

A = "so it rained\nall night\n"
HEADER = b"{'descr': '<f8', 'fortran_order': False, 'shape': (3,".ljust(117) + b"\n"
PROJECT = "fix the text, or project the boundaries with --align"
CONTENTS = {
    "so it poured\nall night\n": "x.txt:1: the words differ at word 3: here “so it [poured] all "
    f"night”, in a.txt:1 “so it [rained] all night”; {PROJECT}",
    "so it rained\nall\n": "x.txt:2: the words differ at word 5: here “so it rained all” is the "
    f"end, in a.txt:2 “so it rained all [night]”; {PROJECT}",
    " . \n ... \n": "x.txt: no words; give a file with the words of a transcript",
    "0010": "x.txt: 4 words where a.txt has 5; give one 0 or 1 for each word of the transcript",
    b"so it rained\nall n\xefght\n": "x.txt:2: byte 0xef is not UTF-8; "
    "save the file as UTF-8, or name its encoding with --encoding",
    A.encode("utf-16-le"): "x.txt:1: NUL bytes: not a text file, or UTF-16 without a byte-order "
    "mark; save the file as UTF-8, or try --encoding utf-16-le",
}
FILES = {
    "ones.txt --ref a.txt --input binary": "ones.txt:2: 'x' in a binary string; use only 0, 1 and "
    "white space",
    "x.txt --ref a.txt": "x.txt: no such file or directory; check the path",
    "*.lines --ref a.txt": "*.lines: no files; check the path",
    "s.txt --ref two": "two: is a folder of documents where s.txt is one file; give files for all "
    "or folders for all",
    "two --ref one": "one: no document named 'b', which two has; add it, or skip such documents "
    "with --missing skip, or score each with what it has: --missing vary",
    "one --ref other --missing skip": "other, one: no document is in all of them; use the same "
    "file names, or score each with what it has: --missing vary",
    "twice --ref one": "twice/a.txt: a second document named 'a' (the first is twice/a.lines); "
    "documents are matched by name without suffix; rename one",
    "s.txt --ref a.txt -o one": "one: is a folder; give a file name",
    "s.txt --ref a.txt --html .": ".: is a folder; give a file name",
    "s.txt --ref a.txt --rows no/where.jsonl": "no/where.jsonl: no such file or directory; choose "
    "another path",
    "open.npy --ref a.txt": "open.npy: not a valid array; save an array of one number for each "
    "place, without pickles",
    "torn.txt.gz --ref a.txt": "torn.txt.gz: not a valid .gz file (Not a gzipped file (b'no')); "
    "compress it again",
}
USAGE = {
    "s.txt --ref a.txt --rows r.jsonl.xz": "r.jsonl.xz: rows are not compressed as .xz; use .gz or "
    ".zst",
    "s.txt --ref a.txt --encoding utf-9": "unknown encoding 'utf-9'; try utf-8, utf-16 or latin-1",
    "S=s.txt --ref S=a.txt": "the name 'S' is used twice; give different names with NAME=PATH",
    "s.txt --ref ./s.txt": "s.txt is given twice; drop one, or name them with NAME=PATH",
    "s.txt --ref -a=a.txt": "a name may not begin with '-': '-a'; use NAME=PATH",
    "S= --ref a.txt": "'S=' is neither PATH nor NAME=PATH; give a name and a path",
    "S=- T=- --ref a.txt": "standard input ('-') can be read only once; save one to a file",
    "s.txt --ref a.txt --input line": "unknown input form 'line'; did you mean lines?",
    "s.txt --ref a.txt --marks .x": "marks cannot be letters, digits or white space: '.x'",
    "s.txt --ref a.txt --ref b.txt --consensus 3": "a consensus of 3 needs more references than "
    "there are; choose 1 to 2",
    "s.txt --ref a.txt --fail-under wisbe=.3": "unknown score 'wisbe'; did you mean wisebe?",
    "s.txt --ref a.txt --fail-under wisebe": "'wisebe' is not MEASURE=VALUE; for example "
    "wisebe=0.35",
    "s.txt --ref a.txt --fail-under f1=nan": "'f1=nan' is not MEASURE=VALUE; for example f1=0.35",
    "s.txt --ref a.txt --fail-over ser=inf": "'ser=inf' is not MEASURE=VALUE; for example ser=0.35",
    "s.txt --ref a.txt --fail-under Pk=.3": "lower is better for pk_mean; use --fail-over Pk=.3",
    "s.txt --ref a.txt --fail-over wisebe=.3": "higher is better for wisebe; use --fail-under "
    "wisebe=.3",
}
GATES = {
    "s.txt --ref a.txt --ref b.txt --fail-under f1_mean=.6": "s: f1_mean .500 is under 0.6",
    "s.txt --ref b.txt --fail-over SER=1": "s: ser_mean 2.000 is over 1",
    "s.txt --ref a.txt --fail-under wisebe=.3": "s: wisebe is undefined with one reference",
    "s.txt --ref a.txt --fail-under adjusted_rand_index_mean=.3": "s: adjusted_rand_index_mean is "
    "not computed; add --also rand",
}


@pytest.fixture(autouse=True)
def place(folder):
    folders = {"one__a": A, "two__a": A, "two__b": A, "other__z": A, "twice__a.lines": A}
    files = {"ones": "00\n1x1", "torn.txt.gz": b"no gz", "twice__a.txt": A}
    files |= {"open.npy": b"\x93NUMPY\x01\x00\x76\x00" + HEADER + bytes(24)}
    return folder(a=A, b="so it\nrained all night\n", s=A, **folders, **files)


@pytest.mark.parametrize(("content", "message"), CONTENTS.items())
def test_a_bad_file(run, folder, content, message):
    folder(x=content)
    assert run("transcript", "x.txt", "--ref", "a.txt") == (1, "", f"error: {message}\n")


@pytest.mark.parametrize("line", FILES | USAGE | GATES)
def test_a_bad_line(run, line):
    problems = {1: FILES, 2: USAGE, 3: GATES}
    status, _, error = run("transcript", *line.split())
    assert error == f"error: {problems[status][line]}\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("transcript s.txt", "Missing option '--ref'"),
        ("transcript --ref a.txt", "nothing to score"),
        ("transcript s.txt --ref a.txt --window -1", "'-1' is neither a number of words"),
        ("transcript s.txt --ref a.txt -f xml", "'xml' is not one of"),
        ("transcript s.txt --ref a.txt --level nan", "nan is not a number"),
        ("transcript s.txt --ref a.txt --engine cloud", "choose serial, processes, dask"),
        ("transcrypt", "No such command 'transcrypt'"),
        ("text s.txt --gold a.txt --conll -f json", "remove --format"),
        ("text s.txt --reference a.txt", "No such option '--reference'; use --gold."),
        ("terms a.txt --gold a.txt", "No such option '--gold'; use --phones and --words."),
        ("segment s1 s.txt --threshold nan", "nan is not a number"),
        ("segment s1 s.txt --mean-length inf", "inf is not a number"),
        ("agreement", "Missing argument 'REF...'"),
        ("agreement --ref a.txt", "No such option '--ref'; references are arguments here."),
        ("list verbs", "'verbs' is not one of"),
    ],
)
def test_a_command_line_at_fault(run, line, message):
    status, _, error = run(*line.split())
    assert status == 2
    assert message in error


@pytest.mark.parametrize("command", ["convert", "train", "list"])
def test_commands_without_references_name_none(run, command):
    status, _, err = run(command, "--ref", "a.txt")
    assert status == 2
    assert "use --" not in err
    assert "references are" not in err


def test_a_failed_run_leaves_old_results_alone(run, place):
    (place / "out.json").write_text("old")
    assert run("transcript", "two", "--ref", "one", "-o", "out.json")[0] == 1
    assert (place / "out.json").read_text() == "old"
    assert not list(place.glob(".caesura-*"))


def test_questions_that_are_nested_too_deeply(run, folder):
    nested = "[" * 5000
    folder(**{"q.csv": f"question,references,corpus_id\nq,{nested},a\n", "c.json": nested})
    status, _, error = run("score", "chunks", "c.json", "--gold", "q.csv", "--documents", "one")
    assert status == 1
    assert error.startswith("error: q.csv:2: not JSON: '[[[")


@pytest.mark.parametrize("content", ["a A s {} 1 one\n", "a A s 0 1 {}\n"])
def test_long_cells_are_not_quoted_whole(run, folder, content):
    folder(**{"x.stm": content.format("x" * 5000)})
    status, _, error = run("transcript", "x.stm", "--ref", "a.txt")
    assert status == 1
    assert error.startswith("error: x.stm")
    assert len(error) < 300
