"""`caesura text`, run as a user would."""

import csv
import gzip
import io
import json
import lzma
import shlex
import sys

import pytest

import caesura
from caesura.api.saved import KNOWN
from caesura.cli.options import OUTPUT_FORMATS
from caesura.run.rows_file import read_rows
from support.random_texts import conllu, line

SYSTEM = "I ca n't go .\nSee it .\n"
GOLD = "I can not go . See it .\nOh , `` yes '' .\n"
OTHER = 'I can not go .\nSee it .\nOh , " yes " .\n'
KEYS = "tp fp fn precision recall f1".split()
DU = line("1-2", "du") + conllu(["de", "le", "pain"])


@pytest.fixture
def files(folder):
    return folder(
        s=SYSTEM + "Oh , yes .\n",
        t=OTHER,
        g=GOLD,
        du="du pain\n",
        **{"du.gold.conllu": DU, "de": "de le pain\n"},
    )


def result(run, *arguments, **more):
    status, out, error = run("text", *arguments, "-f", "json", **more)
    found = json.loads(out)
    assert (status, error) == (0, "".join(f"warning: {each}\n" for each in found["warnings"]))
    return found


def numbers(system, unit):
    return [system[unit][key] for key in KEYS[:3]]


@pytest.mark.usefixtures("files")
def test_the_json_is_the_contract(run):
    summary = result(run, "A=s.txt", "B=t.txt", "--gold", "g.txt")
    assert summary["task"] == "text"
    assert summary["documents"] == ["document"]
    assert summary["gold"] == "g"
    assert [system["name"] for system in summary["systems"]] == ["A", "B"]
    for system in summary["systems"]:
        for scores in (system, system["by_document"]["document"]):
            assert list(scores["sentences"]) == list(scores["tokens"]) == KEYS
        assert system["by_document"]["document"]["tokens"] == system["tokens"]
        assert "treebank" not in system


@pytest.mark.usefixtures("files")
def test_numbers_by_hand(run):
    first, second = result(run, "s.txt", "t.txt", "--gold", "g.txt")["systems"]
    assert numbers(first, "sentences") == [1, 2, 1]
    assert numbers(first, "tokens") == [10, 2, 4]
    assert first["tokens"]["precision"] == 10 / 12
    assert first["tokens"]["recall"] == 10 / 14
    assert first["tokens"]["f1"] == pytest.approx(20 / 26)
    assert numbers(second, "sentences") == [1, 2, 1]
    assert numbers(second, "tokens") == [14, 0, 0]
    assert second["aligned"] == 1
    assert first["micro"]["token_f1"] == first["macro"]["token_f1"] == first["tokens"]["f1"]


@pytest.mark.usefixtures("files")
def test_the_signature_tells_every_option(run):
    summary = result(run, "s.txt", "--gold", "g.txt")
    version = caesura.__version__
    assert summary["signature"] == (
        f"caesura:{version}|task:text|units:tokens|equivalences:quotes|algorithm:blocks|"
        "normalize:none|input:tokens|docs:1"
    )
    options = "--units words --equivalences none --algorithm literal --normalize nfkc".split()
    summary = result(run, "du.txt", "--gold", "du.gold.conllu", *options)
    assert summary["signature"] == (
        f"caesura:{version}|task:text|units:words|equivalences:none|algorithm:literal|"
        "normalize:nfkc|input:conllu+tokens|docs:1"
    )


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("system", "units", "expected"),
    [
        ("du.txt", "tokens", [2, 0, 0]),
        ("du.txt", "words", [1, 1, 2]),
        ("de.txt", "words", [3, 0, 0]),
        ("de.txt", "tokens", [1, 2, 1]),
        ("S=du.gold.conllu", "tokens", [2, 0, 0]),
        ("S=du.gold.conllu", "words", [3, 0, 0]),
    ],
)
def test_mixed_formats_and_units(run, system, units, expected):
    summary = result(run, system, "--gold", "du.gold.conllu", "--units", units)
    assert numbers(summary["systems"][0], "tokens") == expected


@pytest.mark.usefixtures("files")
def test_a_form_that_is_told(run, tmp_path):
    (tmp_path / "x.conllu").write_text("du pain\n")
    assert run("text", "x.conllu", "--gold", "du.txt")[0] == 1
    summary = result(run, "x.conllu", "--gold", "du.txt", "--input", "tokens")
    assert numbers(summary["systems"][0], "tokens") == [2, 0, 0]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("equivalences", "expected"),
    [("quotes", 6), ("none", 4), ("table.tsv", 6), ("commas.tsv", 4)],
)
def test_equivalences(run, folder, equivalences, expected):
    folder(
        q='Oh , " yes " .\n',
        p="Oh , `` yes '' .\n",
        **{"table.tsv": "# ours\n``\t\"\n''\t\"\n", "commas.tsv": ",\t;\n"},
    )
    summary = result(run, "q.txt", "--gold", "p.txt", "--equivalences", equivalences)
    assert summary["systems"][0]["tokens"]["tp"] == expected
    assert f"equivalences:{equivalences}" in summary["signature"].split("|")


@pytest.mark.usefixtures("files")
def test_english_contractions(run, folder):
    folder(a="I can't and wo n't .\n", b="I cannot and will not .\n")
    summary = result(run, "a.txt", "--gold", "b.txt", "--equivalences", "english-contractions")
    assert numbers(summary["systems"][0], "tokens") == [6, 0, 0]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("form", "right"), [(None, 0), ("nfc", 1), ("nfkc", 2)])
def test_normalisation(run, folder, form, right):
    folder(a="e\u0301 ﬁ\n", b="é fi\n")
    options = ["--normalize", form] if form else []
    summary = result(run, "a.txt", "--gold", "b.txt", "--force", *options)
    assert summary["systems"][0]["tokens"]["tp"] == right


@pytest.mark.usefixtures("files")
def test_the_literal_algorithm(run, folder):
    folder(a="x y\ny\nz\n", b="x\ny\ny\nz\n")
    system = result(run, "a.txt", "--gold", "b.txt", "--algorithm", "literal")["systems"][0]
    assert numbers(system, "sentences") == [1, 2, 3]
    _, out, _ = run("text", "a.txt", "--gold", "b.txt", "--algorithm", "literal")
    assert "The paper's algorithm as printed, fixed to terminate; see --algorithm blocks." in out


@pytest.mark.usefixtures("files")
def test_the_table(run):
    status, out, error = run("text", "s.txt", "t.txt", "--gold", "g.txt")
    assert (status, error) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Sentences"
    assert "s         1    2    1   .333   .500   .400" in lines
    rows = [each.split() for each in lines]
    assert "s 10 2 4 .833 .714 .769".split() in rows
    assert "t 14 0 0 1.000 1.000 1.000".split() in rows
    assert any(each.startswith("s: ") and "could not be aligned" in each for each in lines)
    assert not any(each.startswith("t: ") for each in lines)
    assert lines[-1].startswith("caesura:")
    assert "\x1b" not in out


@pytest.mark.usefixtures("files")
def test_the_table_of_words(run):
    _, out, _ = run("text", "du.txt", "--gold", "du.gold.conllu", "--units", "words")
    assert "Words" in out.splitlines()
    assert "Tokens" not in out.splitlines()


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("format", OUTPUT_FORMATS)
@pytest.mark.parametrize("more", [[], ["--by-document"], ["--show-errors", "5"]])
def test_output_to_a_file_is_what_is_printed(run, format, more, tmp_path):
    arguments = ("text", "s.txt", "t.txt", "--gold", "g.txt", "-f", format, *more)
    status, printed, said = run(*arguments)
    assert status == 0
    assert printed.endswith("\n")
    assert run(*arguments, "-o", "out") == (0, "", said)
    no_effect = f"--show-errors has no effect with -f {format}; use --errors FILE"
    is_idle = "--show-errors" in more and format in ("json", "csv")
    assert said == (f"warning: {no_effect}\n" if is_idle else "")
    assert (tmp_path / "out").read_text(encoding="utf-8") == printed


@pytest.mark.usefixtures("files")
def test_csv_has_every_score_in_full(run):
    _, out, _ = run("text", "s.txt", "t.txt", "--gold", "g.txt", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["system"], row["document"]) for row in rows] == [
        ("s", "(micro)"), ("s", "document"), ("t", "(micro)"), ("t", "document")
    ]  # fmt: skip
    assert float(rows[0]["token_recall"]) == 10 / 14
    assert (rows[0]["sentence_tp"], rows[0]["token_fn"]) == ("1", "4")


@pytest.mark.usefixtures("files")
def test_rows_can_be_read_again(run, tmp_path):
    summary = result(run, "s.txt", "--gold", "g.txt", "--rows", "rows.jsonl")
    saved = read_rows(str(tmp_path / "rows.jsonl"), KNOWN)
    assert saved.header.signature == summary["signature"]
    joint = next(row.counts for row in saved.table.rows() if row.measure == "joint")
    assert [joint.tokens.tp, joint.tokens.fp, joint.tokens.fn] == [10, 2, 4]


@pytest.fixture
def folders(folder):
    return folder(
        gold__d1="a b .\nc .\n",
        gold__d2="e f\n",
        gold__d10="x y\n",
        sys__d1="a b . c .\n",
        sys__d2="e f\n",
        sys__d10="xy\n",
    )


@pytest.mark.usefixtures("folders")
def test_folders_are_matched_by_name(run):
    summary = result(run, "sys", "--gold", "gold")
    assert summary["documents"] == ["d1", "d2", "d10"]
    system = summary["systems"][0]
    assert numbers(system, "tokens") == [7, 1, 2]
    assert numbers(system, "sentences") == [2, 1, 2]
    assert numbers(system["by_document"]["d10"], "tokens") == [0, 1, 2]
    assert system["macro"]["token_f1"] == pytest.approx(2 / 3)
    assert system["micro"]["token_f1"] == pytest.approx(14 / 17)
    assert "|docs:3" in summary["signature"]


@pytest.mark.usefixtures("folders")
def test_documents_one_by_one(run):
    _, out, _ = run("text", "sys", "--gold", "gold", "--by-document")
    assert "Sentences, document by document" in out
    assert "Tokens, document by document" in out
    assert any(line.split()[:5] == ["d10", "sys", "0", "1", "2"] for line in out.splitlines())


@pytest.mark.usefixtures("folders")
def test_globs_and_missing_documents(run, tmp_path):
    (tmp_path / "sys" / "d2.txt").unlink()
    status, _, error = run("text", "S=sys/*.txt", "--gold", "gold")
    assert (status, error) == (
        1,
        "error: sys/*.txt: no document named 'd2', which gold has; "
        "add it, or skip such documents with --missing skip\n",
    )
    summary = result(run, "S=sys/*.txt", "--gold", "gold", "--missing", "skip")
    assert summary["documents"] == ["d1", "d10"]


@pytest.mark.usefixtures("files")
def test_standard_input_and_compressed_files(run, tmp_path):
    content = (tmp_path / "s.txt").read_bytes()
    plain = result(run, "S=s.txt", "--gold", "g.txt")
    (tmp_path / "s.txt.gz").write_bytes(gzip.compress(content))
    (tmp_path / "s.txt.xz").write_bytes(lzma.compress(content))
    for path in ("s.txt.gz", "s.txt.xz"):
        assert result(run, f"S={path}", "--gold", "g.txt") == plain
    assert result(run, "S=-", "--gold", "g.txt", stdin=content) == plain
    (tmp_path / "g.conllu.gz").write_bytes(gzip.compress(DU.encode()))
    assert result(run, "du.txt", "--gold", "g.conllu.gz")["systems"][0]["tokens"]["tp"] == 2


@pytest.mark.usefixtures("files")
def test_errors_of_standard_input(run, tmp_path):
    content = (tmp_path / "s.txt").read_bytes()
    arguments = ("--gold", "g.txt", "--show-errors", "3", "--errors", "e.tsv")
    status, out, _ = run("text", "S=-", *arguments, stdin=content)
    assert status == 0
    assert "ca ~~~ n't" in out
    assert len((tmp_path / "e.tsv").read_text(encoding="utf-8").splitlines()) == 5


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(run, encoding, tmp_path):
    plain = result(run, "S=s.txt", "--gold", "g.txt")
    content = (tmp_path / "s.txt").read_text().replace("\n", "\r\n")
    (tmp_path / "x.txt").write_bytes(content.encode(encoding))
    assert result(run, "S=x.txt", "--gold", "g.txt")["systems"] == plain["systems"]


@pytest.mark.usefixtures("files")
def test_an_encoding_that_is_told(run, tmp_path):
    (tmp_path / "l.txt").write_bytes("déjà vu\n".encode("latin-1"))
    summary = result(run, "S=l.txt", "--gold", "l.txt", "--encoding", "latin-1")
    assert numbers(summary["systems"][0], "tokens") == [2, 0, 0]


@pytest.mark.usefixtures("files")
def test_errors_that_are_shown(run):
    status, out, _ = run("text", "s.txt", "t.txt", "--gold", "g.txt", "--show-errors", "1")
    assert status == 0
    lines = out.splitlines()
    assert "Token errors: the 1 most frequent of 2 patterns" in lines
    assert "Sentence errors: the first 1 of 2 blocks" in lines
    at = lines.index("s.txt:1 | g.txt:1")
    assert lines[at + 1 : at + 3] == [
        "  s     I ca n't go . ~~~ See it .",
        "  gold  I can not go . See it .",
    ]


def test_errors_are_counted(run, folder):
    folder(a="x yz\nx yz\nab c\n", b="xy z\nxy z\na bc\n")
    _, out, _ = run("text", "a.txt", "--gold", "b.txt", "--show-errors", "9")
    rows = [each.split() for each in out.splitlines()]
    assert ["a", "x", "~~~", "yz", "xy", "~~~", "z", "2"] in rows
    assert ["a", "ab", "~~~", "c", "a", "~~~", "bc", "1"] in rows


def test_long_sentences_are_shortened(run, folder):
    words = [f"w{at}" for at in range(30)]
    folder(a=" ".join(words), b="\n".join([" ".join(words[:20]), " ".join(words[20:])]))
    _, out, _ = run("text", "a.txt", "--gold", "b.txt", "--show-errors", "1")
    assert "  a     w0 w1 w2 w3 w4 w5 … w24 w25 w26 w27 w28 w29" in out.splitlines()
    assert (
        "  gold  w0 w1 w2 w3 w4 w5 … w14 w15 w16 w17 w18 w19 ~~~ "
        "w20 w21 w22 w23 w24 w25 w26 w27 w28 w29"
    ) in out.splitlines()


def test_no_errors_to_show(run, folder):
    folder(a="x\n", b="x\n")
    status, out, _ = run("text", "a.txt", "--gold", "b.txt", "--show-errors", "5")
    assert status == 0
    assert "Token errors: the 0 most frequent of 0 patterns" in out


@pytest.mark.usefixtures("files")
def test_errors_in_a_file(run, tmp_path):
    assert run("text", "s.txt", "t.txt", "--gold", "g.txt", "--errors", "e.tsv", "-q")[0] == 0
    head, *rows = [
        each.split("\t") for each in (tmp_path / "e.tsv").read_text(encoding="utf-8").splitlines()
    ]
    assert head == ("system unit document system_place gold_place system_text gold_text".split())
    sentence = ["sentence", "document"]
    token = ["token", "document"]
    gold = "I can not go . See it ."
    assert rows == [
        ["s", *sentence, "s.txt:1", "g.txt:1", "I ca n't go . ~~~ See it .", gold],
        ["s", *token, "s.txt:1", "g.txt:1", "ca ~~~ n't", "can ~~~ not"],
        ["s", *token, "s.txt:3", "g.txt:2", "", '"'],
        ["s", *token, "s.txt:3", "g.txt:2", "", '"'],
        ["t", *sentence, "t.txt:1", "g.txt:1", "I can not go . ~~~ See it .", gold],
    ]


@pytest.mark.usefixtures("files")
def test_errors_are_written_whole_or_not_at_all(run, folder):
    place = folder(**{"e.tsv": "old", "x.conllu": "no\n"})
    assert run("text", "s.txt", "x.conllu", "--gold", "g.txt", "--errors", "e.tsv")[0] == 1
    assert (place / "e.tsv").read_text() == "old"
    assert run("text", "s.txt", "--gold", "g.txt", "--errors", "no/e.tsv")[2] == (
        "error: no/e.tsv: no such file or directory; choose another path\n"
    )
    assert not list(place.glob(".caesura-*"))


def test_every_token_error_is_missing_from_what_is_right(run, folder, tmp_path):
    """The tokens of all errors are those that are too many, those that are missing, and common."""
    folder(a="a bc d\ne f g\nh i\n", b="ab c d\ne xf g h\ni\n")
    counts = result(run, "a.txt", "--gold", "b.txt", "--errors", "e.tsv")["systems"][0]["tokens"]
    rows = [line.split("\t") for line in (tmp_path / "e.tsv").read_text().splitlines()[1:]]
    sides = [
        sum(len(row[at].split(" ~~~ ")) for row in rows if row[1] == "token" and row[at])
        for at in (5, 6)
    ]
    assert [counts["fp"], counts["fn"]] == sides


UD = pytest.mark.parametrize("name", ["partut", "pronouns"])


@UD
def test_conll_is_laid_out_as_the_peer_does(run, folder, shared, name):
    udeval = pytest.importorskip("udtools.udeval")
    gold = (shared / "data" / "text" / f"{name}.gold.conllu").read_text(encoding="utf-8")
    system = gold.replace("\tNOUN\t", "\tVERB\t").replace("\tnsubj\t", "\tobj\t")
    folder(**{"s.conllu": system, "g.conllu": gold})
    status, out, error = run("text", "s.conllu", "--gold", "g.conllu", "--conll")
    assert (status, error) == (0, "")
    loaded = [udeval.load_conllu(io.StringIO(each), "f", {}) for each in (gold, system)]
    table = udeval.build_evaluation_table(udeval.evaluate(*loaded)).splitlines()
    ours = out.splitlines()
    names = "Tokens Sentences Words UPOS XPOS UFeats AllTags Lemmas UAS LAS CLAS MLAS BLEX".split()
    assert [each.split("|")[0].strip() for each in ours[2:]] == names
    assert [each for each in table if each in ours] == ours
    assert ours[:2] == table[:2]


@pytest.mark.usefixtures("files")
def test_conll_of_several_systems(run):
    _, out, _ = run("text", "s.txt", "t.txt", "--gold", "g.txt", "--conll")
    lines = out.splitlines()
    assert [each for each in lines if each.startswith("#")] == ["# s", "# t"]
    assert lines[3:5] == [
        "Tokens     |     83.33 |     71.43 |     76.92 |",
        "Sentences  |     33.33 |     50.00 |     40.00 |",
    ]


def test_conll_of_nothing(run, folder):
    """UD's script writes 0 for what is undefined; a line of numbers stays one."""
    folder(a="", b="x\n")
    _, out, _ = run("text", "a.txt", "--gold", "b.txt", "--conll")
    assert out.splitlines()[2] == "Tokens     |      0.00 |      0.00 |      0.00 |"


@pytest.mark.usefixtures("files")
def test_the_treebank_in_json_and_table(run, folder):
    folder(**{"x.conllu": DU.replace("\t0\t", "\t2\t", 1)})
    system = result(run, "x.conllu", "--gold", "du.gold.conllu")["systems"][0]
    assert list(system["treebank"]) == (
        "words upos xpos ufeats alltags lemmas uas las clas mlas blex".split()
    )
    assert system["treebank"]["uas"] == {
        "tp": 2, "fp": 1, "fn": 1, "precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3,
        "aligned_accuracy": 2 / 3,
    }  # fmt: skip
    _, out, _ = run("text", "x.conllu", "--gold", "du.gold.conllu")
    assert "Treebank" in out.splitlines()
    _, out, _ = run("text", "du.txt", "--gold", "du.gold.conllu")
    assert "Treebank" not in out.splitlines()


@pytest.mark.parametrize(
    ("system", "gold", "tokens", "rates"),
    [
        ("", "a b\n", [0, 0, 2], [None, 0, 0]),
        ("a b\n", "", [0, 2, 0], [0, None, 0]),
        ("", "\n \n", [0, 0, 0], [None, None, None]),
    ],
)
@pytest.mark.parametrize("algorithm", ["blocks", "literal"])
def test_empty_files(run, folder, system, gold, tokens, rates, algorithm):
    folder(a=system, b=gold)
    summary = result(run, "a.txt", "--gold", "b.txt", "--algorithm", algorithm)
    found = summary["systems"][0]["tokens"]
    assert [found[key] for key in KEYS] == [*tokens, *rates]
    assert summary["systems"][0]["macro_undefined"]
    for form in OUTPUT_FORMATS:
        options = ("--show-errors", "2", "--by-document", "-f", form)
        assert run("text", "a.txt", "--gold", "b.txt", *options)[0] == 0


BEGINNINGS = "this one begins “12 345”, that one “ähnlich”"
CASES = {
    "different texts": (
        {"a": "12 345\n", "b": "ähnlich\n"},
        ["a.txt", "--gold", "b.txt"],
        1,
        "a.txt: only 0% of the characters can be aligned with b.txt: "
        f"{BEGINNINGS}; check that they are the same text, or use --force",
    ),
    "texts that begin with long words": (
        {"a": "x" * 99 + " y\n", "b": "z " * 99},
        ["a.txt", "--gold", "b.txt"],
        1,
        "a.txt: only 0% of the characters can be aligned with b.txt: "
        f"this one begins “{'x' * 40}”, that one “z z z z z z z z”; "
        "check that they are the same text, or use --force",
    ),
    "one different text of two": (
        {"a": "b c\n", "b": "b c\n", "x": "xyz\n"},
        ["a.txt", "x.txt", "--gold", "b.txt"],
        1,
        "x.txt: only 0% of the characters can be aligned with b.txt: this one begins “xyz”, "
        "that one “b c”; check that they are the same text, or use --force",
    ),
    "a NUL byte": (
        {"a": b"a\nb\0", "b": "b"},
        ["a.txt", "--gold", "b.txt"],
        1,
        "a.txt:2: a NUL byte: not a text file; save it as UTF-8",
    ),
    "undecodable bytes": (
        {"a": b"a\n\xff", "b": "b"},
        ["a.txt", "--gold", "b.txt"],
        1,
        "a.txt:2: byte 0xff is not UTF-8; "
        "save the file as UTF-8, or name its encoding with --encoding",
    ),
    "a broken treebank": (
        {"a": "a", "b.conllu": "# c\n1\ta\n"},
        ["a.txt", "--gold", "b.conllu"],
        1,
        "b.conllu:2: 2 columns; CoNLL-U has ten, separated by tabs",
    ),
    "an empty treebank": (
        {"a": "a", "b.conllu": ""},
        ["a.txt", "--gold", "b.conllu"],
        1,
        "b.conllu: no words; give a CoNLL-U file that contains sentences",
    ),
    "a table of one column": (
        {"a": "a", "b": "a", "t.tsv": "a\tb\nab\n"},
        ["a.txt", "--gold", "b.txt", "--equivalences", "t.tsv"],
        1,
        "t.tsv:2: 1 column; write TOKENS, a tab, and TOKENS",
    ),
    "a table that changes the number of tokens": (
        {"a": "a", "b": "a", "t.tsv": "ca n't\tcannot\n"},
        ["a.txt", "--gold", "b.txt", "--equivalences", "t.tsv"],
        1,
        "t.tsv:1: 'ca n't' and 'cannot' have different numbers of tokens; "
        "replace each token by one token",
    ),
    "a table that is not there": (
        {"a": "a", "b": "a"},
        ["a.txt", "--gold", "b.txt", "--equivalences", "t.tsv"],
        1,
        "t.tsv: no such file or directory; check the path",
    ),
    "an unknown table": (
        {"a": "a", "b": "a"},
        ["a.txt", "--gold", "b.txt", "--equivalences", "qoutes"],
        2,
        "unknown table of equivalences 'qoutes'; did you mean quotes?",
    ),
    "an unknown format": (
        {"a": "a", "b": "a"},
        ["a.txt", "--gold", "b.txt", "--input", "conll"],
        2,
        "unknown input format 'conll'; did you mean conllu?",
    ),
    "an unknown score": (
        {"a": "a", "b": "a"},
        ["a.txt", "--gold", "b.txt", "--fail-under", "tokens_f1=1"],
        2,
        "unknown score 'tokens_f1'; did you mean token_f1 or classic_token_f1 or xpos_f1?",
    ),
    "a gate that is not met": (
        {"a": "a bc", "b": "ab c"},
        ["a.txt", "--gold", "b.txt", "--fail-under", "token_f1=.5"],
        3,
        "a: token_f1 .000 is under 0.5",
    ),
    "a gate on what is undefined": (
        {"a": "", "b": "ab c"},
        ["a.txt", "--gold", "b.txt", "--fail-under", "token_precision=.5"],
        3,
        "a: token_precision is undefined",
    ),
    "a name used twice": (
        {"a": "a", "b": "a"},
        ["x=a.txt", "--gold", "x=b.txt"],
        2,
        "the name 'x' is used twice; give different names with NAME=PATH",
    ),
    "a file that is not there": (
        {"a": "a"},
        ["a.txt", "--gold", "b.txt"],
        1,
        "b.txt: no such file or directory; check the path",
    ),
    "errors to a folder": (
        {"a": "a", "b": "a", "d__x": "x"},
        ["a.txt", "--gold", "b.txt", "--errors", "d"],
        1,
        "d: is a folder; give a file name",
    ),
}


@pytest.mark.parametrize(("files", "arguments", "status", "message"), CASES.values(), ids=CASES)
def test_bad_input(run, folder, files, arguments, status, message):
    folder(**files)
    got, _, error = run("text", *arguments)
    assert (got, error) == (status, f"error: {message}\n")


def test_different_texts_by_force(run, folder):
    folder(a="12 345\n", b="ähnlich\n")
    summary = result(run, "a.txt", "--gold", "b.txt", "--force")
    assert numbers(summary["systems"][0], "tokens") == [0, 2, 1]
    assert summary["systems"][0]["aligned"] == 0
    assert run("text", "a.txt", "--gold", "b.txt", "--algorithm", "literal")[0] == 0


@pytest.mark.parametrize(("common", "status"), [(4, 1), (5, 0), (9, 0)])
def test_half_of_the_characters_are_enough(run, folder, common, status):
    folder(a="z" * common + "x" * (10 - common), b="z" * common + "y" * (10 - common))
    assert run("text", "a.txt", "--gold", "b.txt")[0] == status


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("limit", "status"),
    [("token_f1=.7", 0), ("token_f1=.8", 3), ("sentence_recall=.5", 0), ("aligned=.99", 3)],
)
def test_gates(run, limit, status):
    got, out, error = run("text", "s.txt", "--gold", "g.txt", "--fail-under", limit, "-f", "json")
    assert got == status
    assert json.loads(out)["task"] == "text"
    assert bool(error) == bool(status)
    over = 3 if limit.startswith("aligned") else 2
    assert run("text", "t.txt", "--gold", "g.txt", "--fail-over", limit)[0] == over


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["text", "s.txt"], "Missing option '--gold'"),
        (["text", "--gold", "g.txt"], "nothing to score"),
        (["text", "s.txt", "--gold", "g.txt", "--units", "phones"], "'phones' is not one of"),
        (["text", "s.txt", "--gold", "g.txt", "--normalize", "nfd"], "'nfd' is not one of"),
        (["text", "s.txt", "--gold", "g.txt", "--algorithm", "x"], "'x' is not one of"),
        (["text", "s.txt", "--gold", "g.txt", "--show-errors", "0"], "0 is not in the range"),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_command_line_at_fault(run, arguments, message):
    status, _, error = run(*arguments)
    assert status == 2
    assert message in error


LISTS = [["I", "ca", "n't", "go", "."], ["See", "it", "."]]


def test_joint_takes_text_lines_and_lists():
    whole = caesura.joint("I ca n't go .\nSee it .", "I can not go . See it .")
    for value in (SYSTEM, LISTS, tuple(map(tuple, LISTS)), [" ".join(each) for each in LISTS]):
        found = caesura.joint(value, [["I", "can", "not", "go", ".", "See", "it", "."]])
        assert found.counts == whole.counts
    assert whole.tokens.tp == 6
    assert float(whole) == whole.score == whole.tokens.f1 == 0.75


def test_joint_keeps_white_space_inside_tokens():
    assert caesura.joint([["1 000", "km"]], [["1\u00a0000", "km"]]).tokens.f1 == 1
    assert caesura.joint([["1\n000", "km"]], [["1000", "km"]]).sentences.f1 == 1
    assert caesura.joint([["", "a", " "]], [["a"]]).tokens.f1 == 1
    assert caesura.joint([[], ["a"]], [["a"], []]).sentences.f1 == 1


def test_joint_with_options():
    assert caesura.joint("``", '"').score == 1
    assert caesura.joint("``", '"', equivalences="none").score == 0
    assert caesura.joint("bab a", "b a ba", algorithm="literal").token_tp == 1
    assert caesura.joint("bab a", "b a ba").token_tp == 0
    assert "|algorithm:literal|" in caesura.joint("a", "a", algorithm="literal").signature


def test_results_of_joint_add():
    one, other = caesura.joint("a b", "a b"), caesura.joint("ab", "a b")
    assert (one + other).tokens == caesura.joint("a b\nab", "a b\na b").tokens
    assert sum([one, other]).documents == 2


def test_texts_that_were_read(folder):
    path = folder(**{"g.conllu": DU}) / "g.conllu"
    gold = caesura.formats.read_tokens(path).text
    assert caesura.joint(gold, "du pain").score == 1


SPLIT = "print(open('raw.txt').read().replace('. ', '.' + chr(10)))"
RUN = ("--run", f"A=cmd:{shlex.join([sys.executable, '-c', SPLIT])}", "--raw", "raw.txt",
       "--gold", "gold.txt")  # fmt: skip


@pytest.fixture
def raw(folder):
    return folder(
        raw="It rained. We left. Mr. Ames stayed.\n",
        gold="It rained .\nWe left .\nMr. Ames stayed .\n",
        ours="It rained .\nWe left.\nMr. Ames stayed .\n",
    )


@pytest.mark.usefixtures("raw")
def test_detectors_are_scored_on_sentences_only(run):
    status, out, _ = run("text", *RUN, "--by-document", "--show-errors", "3")
    assert status == 0
    assert "Sentences" in out
    assert "oken" not in out.replace("units:tokens", "").replace("input:tokens", "")
    _, out, _ = run("text", *RUN, "--conll")
    assert "Sentences" in out
    assert "Tokens" not in out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spacy", "syntok"])
def test_tokens_of_detectors_that_place_some(run, folder, name):
    pytest.importorskip(name)
    folder(raw="It rained, didn't it? We left.\n", gold="It rained , did n't it ?\nWe left .\n")
    found = result(run, "--run", name, "--raw", "raw.txt", "--gold", "gold.txt")
    (system,) = found["systems"]
    assert system["tokens"]["tp"] + system["tokens"]["fn"] == 10
    assert system["tokens"]["tp"] >= 7
    assert system["sentences"]["tp"] == 2
    assert system["aligned"] == 1


@pytest.mark.usefixtures("raw")
def test_tokens_of_detectors_are_null(run):
    (system,) = result(run, *RUN)["systems"]
    assert set(system["tokens"].values()) == {None}
    assert set(system["by_document"]["document"]["tokens"].values()) == {None}
    assert {system[mean]["token_tp"] for mean in ("micro", "macro")} == {None}
    assert system["sentences"]["tp"] == 2
    assert system["macro_undefined"]["token_tp"] == 1


@pytest.mark.usefixtures("raw")
def test_detectors_beside_systems_with_tokens(run, tmp_path):
    status, out, _ = run("text", "ours.txt", *RUN, "--rows", "rows.jsonl", "--html", "page.html")
    assert status == 0
    tables = out.split("\n\n")
    assert [line.split()[0] for line in tables[0].splitlines()[3:]] == ["ours", "A"]
    assert [line.split()[0] for line in tables[1].splitlines()[3:]] == ["ours"]
    ours, detector = result(run, "ours.txt", *RUN)["systems"]
    assert ours["tokens"]["tp"] == 8
    assert detector["tokens"]["tp"] is None
    rows = list(read_rows(str(tmp_path / "rows.jsonl"), KNOWN).table.rows())
    counts = {row.system: row.counts for row in rows if row.measure == "joint"}
    assert counts["A"].token_gold == 0
    assert counts["ours"].token_gold == 10


@pytest.mark.usefixtures("raw")
def test_a_gate_on_tokens_fails_for_a_detector(run):
    status, _, error = run("text", *RUN, "--fail-under", "token_f1=0.1")
    assert (status, error) == (3, "error: A: token_f1 is undefined\n")


def test_errors_hold_no_formulas(run, folder):
    place = folder(**{"s.txt": "=cmd ()\n@x -3\n", "g.txt": "=cmd()\n@x- 3\n"})
    assert run("text", "s.txt", "--gold", "g.txt", "--errors", "e.tsv", "-q")[0] == 0
    _, *lines = (place / "e.tsv").read_text().splitlines()
    cells = [cell for line in lines for cell in line.split("\t")]
    assert not [cell for cell in cells if cell[:1] in ("=", "@", "+")]
    assert any(cell.startswith("'=cmd") for cell in cells)
