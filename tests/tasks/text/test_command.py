"""`caesura text`, run as a user would."""

import io
import shlex
import sys

import pytest

import caesura
from support.random_texts import conllu, line
from support.results import result

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


def numbers(system, unit):
    return [system[unit][key] for key in KEYS[:3]]


@pytest.mark.usefixtures("files")
def test_numbers_by_hand(run):
    first, second = result(run, "text", "s.txt", "t.txt", "--gold", "g.txt")["systems"]
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
    summary = result(run, "text", "s.txt", "--gold", "g.txt")
    version = caesura.__version__
    assert summary["signature"] == (
        f"caesura:{version}|task:text|units:tokens|equivalences:quotes|algorithm:blocks|"
        "normalize:none|input:tokens|docs:1"
    )
    options = "--units words --equivalences none --algorithm literal --normalize nfkc".split()
    summary = result(run, "text", "du.txt", "--gold", "du.gold.conllu", *options)
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
    summary = result(run, "text", system, "--gold", "du.gold.conllu", "--units", units)
    assert numbers(summary["systems"][0], "tokens") == expected


@pytest.mark.usefixtures("files")
def test_a_form_that_is_told(run, tmp_path):
    (tmp_path / "x.conllu").write_text("du pain\n")
    assert run("text", "x.conllu", "--gold", "du.txt")[0] == 1
    summary = result(run, "text", "x.conllu", "--gold", "du.txt", "--input", "tokens")
    assert numbers(summary["systems"][0], "tokens") == [2, 0, 0]


@pytest.mark.parametrize(
    ("equivalences", "expected"),
    [("quotes", 5), ("none", 3), ("table.tsv", 5), ("commas.tsv", 3), ("english-contractions", 8)],
)
def test_equivalences(run, folder, equivalences, expected):
    folder(
        q="I can't wo n't \" yes \" .\n",
        p="I cannot will not `` yes '' .\n",
        **{"table.tsv": "# ours\n``\t\"\n''\t\"\n", "commas.tsv": ",\t;\n"},
    )
    summary = result(run, "text", "q.txt", "--gold", "p.txt", "--equivalences", equivalences)
    assert summary["systems"][0]["tokens"]["tp"] == expected
    assert f"equivalences:{equivalences}" in summary["signature"].split("|")


@pytest.mark.parametrize(("form", "right"), [(None, 0), ("nfc", 1), ("nfkc", 2)])
def test_normalisation(run, folder, form, right):
    folder(a="e\u0301 ﬁ\n", b="é fi\n")
    options = ["--normalize", form] if form else []
    summary = result(run, "text", "a.txt", "--gold", "b.txt", "--force", *options)
    assert summary["systems"][0]["tokens"]["tp"] == right


def test_the_literal_algorithm(run, folder):
    folder(a="x y\ny\nz\n", b="x\ny\ny\nz\n")
    system = result(run, "text", "a.txt", "--gold", "b.txt", "--algorithm", "literal")["systems"][0]
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


def test_documents_one_by_one(run, folder):
    folder(gold__d1="a b .\nc .\n", gold__d10="x y\n", sys__d1="a b . c .\n", sys__d10="xy\n")
    (system,) = result(run, "text", "sys", "--gold", "gold")["systems"]
    assert numbers(system, "tokens") == [5, 1, 2]
    assert numbers(system["by_document"]["d10"], "tokens") == [0, 1, 2]
    assert (system["micro"]["token_f1"], system["macro"]["token_f1"]) == (10 / 13, 1 / 2)
    _, out, _ = run("text", "sys", "--gold", "gold", "--by-document")
    assert "Sentences, document by document" in out
    assert "Tokens, document by document" in out
    assert any(line.split()[:5] == ["d10", "sys", "0", "1", "2"] for line in out.splitlines())


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


def test_token_errors_are_counted(run, folder):
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


@pytest.mark.parametrize("name", ["partut", "pronouns"])
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
def test_conll_of_several_systems(run, folder):
    """UD's script writes 0 for what is undefined; a line of numbers stays one."""
    folder(empty="")
    _, out, _ = run("text", "s.txt", "empty.txt", "--gold", "g.txt", "--conll")
    lines = out.splitlines()
    assert [each for each in lines if each.startswith("#")] == ["# s", "# empty"]
    assert [each for each in lines if each.startswith("Tokens")] == [
        "Tokens     |     83.33 |     71.43 |     76.92 |",
        "Tokens     |      0.00 |      0.00 |      0.00 |",
    ]
    assert lines[4] == "Sentences  |     33.33 |     50.00 |     40.00 |"


@pytest.mark.usefixtures("files")
def test_the_treebank_in_json_and_table(run, folder):
    folder(**{"x.conllu": DU.replace("\t0\t", "\t2\t", 1)})
    system = result(run, "text", "x.conllu", "--gold", "du.gold.conllu")["systems"][0]
    assert list(system["treebank"]) == (
        "words upos xpos ufeats alltags lemmas uas las clas mlas blex".split()
    )
    assert system["treebank"]["uas"] == {
        "tp": 2, "fp": 1, "fn": 1, "precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3,
        "aligned_accuracy": 2 / 3,
    }  # fmt: skip
    _, out, _ = run("text", "x.conllu", "--gold", "du.gold.conllu")
    assert "Treebank" in out.splitlines()
    _, out, _ = run("text", "du.txt", "--gold", "du.gold.conllu", "--units", "words")
    assert not {"Treebank", "Tokens"} & {*out.splitlines()}
    assert "Words" in out.splitlines()


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
    summary = result(run, "text", "a.txt", "--gold", "b.txt", "--algorithm", algorithm)
    found = summary["systems"][0]["tokens"]
    assert [found[key] for key in KEYS] == [*tokens, *rates]
    assert summary["systems"][0]["macro_undefined"]
    shown = ("--show-errors", "2", "--by-document")
    assert run("text", "a.txt", "--gold", "b.txt", "--algorithm", algorithm, *shown)[0] == 0


OTHER_TEXT = "only 0% of the characters can be aligned with b.txt: this one begins"
CURE = "check that they are the same text, or use --force"
CASES = {
    "different texts": (
        {"a": "12 345\n", "b": "ähnlich\n"},
        f"a.txt: {OTHER_TEXT} “12 345”, that one “ähnlich”; {CURE}",
    ),
    "texts that begin with long words": (
        {"a": "x" * 99 + " y\n", "b": "z " * 99},
        f"a.txt: {OTHER_TEXT} “{'x' * 40}”, that one “z z z z z z z z”; {CURE}",
    ),
    "one different text of two": (
        {"a": "b c\n", "b": "b c\n", "x": "xyz\n"},
        f"x.txt: {OTHER_TEXT} “xyz”, that one “b c”; {CURE}",
    ),
}


@pytest.mark.parametrize(("files", "message"), CASES.values(), ids=CASES)
def test_texts_that_differ(run, folder, files, message):
    folder(**files)
    systems = [f"{name}.txt" for name in files if name != "b"]
    assert run("text", *systems, "--gold", "b.txt") == (1, "", f"error: {message}\n")


def test_half_of_the_characters_are_enough_or_none_by_force(run, folder):
    for common, status in ((4, 1), (5, 0)):
        folder(a="z" * common + "x" * (10 - common), b="z" * common + "y" * (10 - common))
        assert run("text", "a.txt", "--gold", "b.txt")[0] == status
    folder(a="12 345\n", b="ähnlich\n")
    summary = result(run, "text", "a.txt", "--gold", "b.txt", "--force")
    assert numbers(summary["systems"][0], "tokens") == [0, 2, 1]
    assert summary["systems"][0]["aligned"] == 0
    assert run("text", "a.txt", "--gold", "b.txt", "--algorithm", "literal")[0] == 0


LISTS = [["I", "ca", "n't", "go", "."], ["See", "it", "."]]


def test_joint_takes_text_lines_lists_and_what_was_read(folder):
    whole = caesura.joint("I ca n't go .\nSee it .", "I can not go . See it .")
    for value in (SYSTEM, LISTS, tuple(map(tuple, LISTS)), [" ".join(each) for each in LISTS]):
        found = caesura.joint(value, [["I", "can", "not", "go", ".", "See", "it", "."]])
        assert found.counts == whole.counts
    path = folder(**{"g.conllu": DU}) / "g.conllu"
    assert caesura.joint(caesura.formats.read_tokens(path).text, "du pain").score == 1
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
    assert caesura.joint("bab a", "b a ba").token_tp == 0
    literal = caesura.joint("bab a", "b a ba", algorithm="literal")
    assert literal.token_tp == 1
    assert "|algorithm:literal|" in literal.signature


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
    """Their tokens are null in JSON, undefined for gates, and absent elsewhere."""
    _, out, _ = run("text", *RUN, "--by-document", "--show-errors", "3")
    assert "Sentences" in out
    assert "oken" not in out.replace("units:tokens", "").replace("input:tokens", "")
    _, out, _ = run("text", *RUN, "--conll")
    assert "Sentences" in out
    assert "Tokens" not in out
    (system,) = result(run, "text", *RUN)["systems"]
    assert set(system["tokens"].values()) == {None}
    assert set(system["by_document"]["document"]["tokens"].values()) == {None}
    assert {system[mean]["token_tp"] for mean in ("micro", "macro")} == {None}
    assert system["sentences"]["tp"] == 2
    assert system["macro_undefined"]["token_tp"] == 1
    status, _, error = run("text", *RUN, "--fail-under", "token_f1=0.1")
    assert (status, error) == (3, "error: A: token_f1 is undefined\n")


@pytest.mark.usefixtures("raw")
def test_detectors_beside_systems_with_tokens(run):
    status, out, _ = run("text", "ours.txt", *RUN, "--rows", "rows.jsonl", "--html", "page.html")
    assert status == 0
    sentences, tokens, *_ = out.split("\n\n")
    assert [line.split()[0] for line in sentences.splitlines()[3:]] == ["ours", "A"]
    assert [line.split()[0] for line in tokens.splitlines()[3:]] == ["ours"]
    ours, detector = result(run, "text", "ours.txt", *RUN)["systems"]
    assert ours["tokens"]["tp"] == 8
    assert detector["tokens"]["tp"] is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spacy", "syntok"])
def test_tokens_of_detectors_that_place_some(run, folder, name):
    pytest.importorskip(name)
    folder(raw="It rained, didn't it? We left.\n", gold="It rained , did n't it ?\nWe left .\n")
    found = result(run, "text", "--run", name, "--raw", "raw.txt", "--gold", "gold.txt")
    (system,) = found["systems"]
    assert system["tokens"]["tp"] + system["tokens"]["fn"] == 10
    assert system["tokens"]["tp"] >= 7
    assert system["sentences"]["tp"] == 2
    assert system["aligned"] == 1


def test_errors_hold_no_formulas(run, folder):
    place = folder(**{"s.txt": "=cmd ()\n@x -3\n", "g.txt": "=cmd()\n@x- 3\n"})
    assert run("text", "s.txt", "--gold", "g.txt", "--errors", "e.tsv", "-q")[0] == 0
    _, *lines = (place / "e.tsv").read_text().splitlines()
    cells = [cell for line in lines for cell in line.split("\t")]
    assert not [cell for cell in cells if cell[:1] in ("=", "@", "+")]
    assert any(cell.startswith("'=cmd") for cell in cells)
