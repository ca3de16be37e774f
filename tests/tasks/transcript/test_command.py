"""`caesura transcript` and `caesura agreement`, run as a user would."""

import re

import pytest

from caesura.cli.demo import SAMPLE
from caesura.cli.options import OUTPUT_FORMATS
from caesura.output.render import RENDERERS
from support.results import result


@pytest.fixture
def talk(folder):
    """One transcript in three versions, and two systems, one of them in another form."""
    return folder(
        a="so it rained\nall night;\nand then?\nit stopped.\n",
        b="so it rained all night.\nand then?\nit stopped.\n",
        c="so it rained\nall night and then it stopped.\n",
        one="So it rained, all night. And then? It stopped",
        two="so // it rained all night // and then it // stopped",
    )


REFS = ("--ref", "a.txt", "--ref", "b.txt", "--ref", "c.txt")


@pytest.mark.usefixtures("talk")
def test_the_signature_tells_every_option(run):
    summary = result(run, "transcript", "S1=one.txt", "S2=two.txt", *REFS)
    signature = (
        f"caesura:{summary['caesura']}|task:transcript|window:2|final:drop|marks:.?!;|"
        "input:lines+marks+slashes|refs:3|docs:1|near:2|consensus:2|tolerance:2|k:auto"
    )
    assert summary["signature"] == signature
    options = "--window 4 --final keep --consensus 3 --tolerance 0 -k 5 --near 3 --align".split()
    summary = result(run, "transcript", "one.txt", *REFS, *options)
    fields = "window:4 final:keep consensus:3 tolerance:0 k:5 near:3 align:words/medoid"
    assert {*fields.split()} <= {*summary["signature"].split("|")}


@pytest.mark.usefixtures("talk")
def test_numbers_by_hand(run):
    """a: 2 4 6, b: 4 6, c: 2; S1: 4 6, S2: 0 4 7; windows of limit 2: one, from 2 to 6."""
    summary = result(run, "transcript", "S1=one.txt", "S2=two.txt", *REFS)
    first, second = (system["micro"] for system in summary["systems"])
    assert summary["agreement"]["rgar"] == 6 / 9
    assert (first["inside"], first["candidates"], first["hit"], first["windows"]) == (2, 2, 1, 1)
    assert (second["inside"], second["candidates"]) == (1, 3)
    assert first["wisebe"] == pytest.approx(2 / 3)
    assert second["wisebe"] == pytest.approx(2 / 3 * 0.5)
    assert first["f1_mean"] == pytest.approx((0.8 + 1 + 0) / 3)
    assert first["ser_either"] == 0
    assert second["ser_either"] == pytest.approx(2 / (6 / 3))
    assert second["consensus_precision"] == pytest.approx(1 / 3)
    typed = summary["systems"][0]["by_reference"]["a"]["typed"]
    assert (typed["correct"], typed["substitutions"], typed["deletions"]) == (1, 1, 1)
    assert typed["by_mark"]["?"] == {
        "tp": 1, "fp": 0, "fn": 0, "precision": 1.0, "recall": 1.0, "f1": 1.0
    }  # fmt: skip


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--profile paper", "|window:2|final:drop|"),
        ("--profile tool", "|window:3|final:keep|"),
        ("--profile tool --window 4", "|window:4|final:keep|"),
    ],
)
def test_what_is_given_comes_before_the_profile(run, options, told):
    summary = result(run, "transcript", "one.txt", *REFS, *options.split())
    assert told in summary["signature"]


def test_formats_are_those_that_can_be_rendered(run):
    assert set(OUTPUT_FORMATS) == {*RENDERERS, "json"}
    head, first, *_ = run("list", "formats")[1].splitlines()
    assert head.split() == ["name", "written", "description"]
    assert first.split()[:2] == ["lines", "yes"]


@pytest.mark.usefixtures("talk")
def test_the_table(run):
    status, out, error = run("transcript", "one.txt", "two.txt", *REFS, "--by-mark")
    assert (status, error) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "3 references on 9 words"
    assert "one        .667   1.000   1.000   1.000           .800         .000" in lines
    assert any(line.startswith("caesura:") for line in lines)
    assert "Mark by mark" in lines
    assert "\x1b" not in out


def test_folders_are_matched_by_name_in_natural_order(run, folder):
    folder(
        ann__d1="a b\nc d",
        ann__d2="one",
        ann__d10="x y // z",
        ben__d1="a b c\nd",
        ben__d2="one",
        ben__d10="x // y z",
        sys__d1="a b\nc d",
        sys__d2="one",
        sys__d10="010",
    )
    summary = result(run, "transcript", "sys", "--ref", "ann", "--ref", "ben")
    assert summary["documents"] == ["d1", "d2", "d10"]
    assert summary["references"] == ["ann", "ben"]
    system = summary["systems"][0]
    assert system["by_document"]["d2"]["wisebe"] is None
    assert system["macro_undefined"]["wisebe"] == 1
    assert system["macro"]["f1_mean"] == 0.5
    assert system["by_reference"]["ann"]["tp"] == 2
    _, out, _ = run("transcript", "sys", "--ref", "ann", "--ref", "ben", "--by-document")
    assert "2 references on 8 words in 3 documents" in out
    assert "Document by document" in out
    assert "sys: macro WiSeBE excludes 1 document, where it is undefined." in out
    by_document = result(run, "agreement", "ann", "ben", "sys")["agreement"]["by_document"]
    assert set(by_document) == {"d1", "d2", "d10"}
    assert by_document["d2"]["rgar"] is None


def test_what_is_undefined(run, folder):
    folder(a="yes", b="Yes.", s="yes!", x="a b c", y="a b\nc")
    both = ("--ref", "a.txt", "--ref", "b.txt")
    micro = result(run, "transcript", "s.txt", *both)["systems"][0]["micro"]
    assert {micro[name] for name in ("inside", "candidates", "hit", "windows")} == {0}
    rates = "wisebe window_f1 rgar f1_mean ser_mean ser_either consensus_f1 cer_mean pk_mean"
    assert {micro[name] for name in (*rates.split(), "windowdiff_mean")} == {None}
    no_boundary = ("transcript", "x.txt", "--ref", "r=x.txt", "--ref", "q=x.txt")
    micro = result(run, *no_boundary)["systems"][0]["micro"]
    assert [micro[name] for name in ("wisebe", "rgar", "f1_mean", "ser_mean")] == [None] * 4
    assert micro["cer_mean"] == 0
    assert micro["segmentation_similarity_mean"] == 1
    one_reference = result(run, "transcript", "y.txt", "--ref", "r=y.txt")
    assert one_reference["agreement"]["fleiss_kappa"] is None
    assert one_reference["systems"][0]["micro"]["wisebe"] is None
    assert "ceiling" not in one_reference


def test_words_that_differ_can_be_aligned(run, folder):
    folder(
        a="so it rained\nall night\nand stopped", s="so it poured\nall the long night\nand stopped"
    )
    summary = result(run, "transcript", "s.txt", "--ref", "a.txt", "--align")
    system = summary["systems"][0]
    assert system["word_error_rate"] == pytest.approx(3 / 7)
    assert system["by_reference"]["a"]["tp"] == 2
    _, out, _ = run("transcript", "s.txt", "--ref", "a.txt", "--align")
    assert "Words aligned with a, and boundaries projected onto them" in out
    assert re.search(r"^s +9 +3 +\.429 +1\.000 +0 +0$", out, re.MULTILINE)


@pytest.mark.usefixtures("talk")
def test_agreement(run):
    summary = result(run, "agreement", "a.txt", "b.txt", "c.txt")
    pairs = summary["agreement"]["pairs"]
    assert [pair["references"] for pair in pairs] == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert pairs[0]["f1"] == 0.8
    assert summary["signature"].endswith("|input:lines|refs:3|docs:1|near:2")
    assert set(summary["ceiling"]["annotators"]) == {"a", "b", "c"}
    assert run("agreement", "a.txt", "b.txt", "c.txt", "--by-document")[0] == 0


def test_the_demo_gives_its_files(run, folder, monkeypatch):
    """What it says to try next works, and leads nobody into the package."""
    place = folder()
    status, out, error = run("demo", "--rows", "rows.jsonl")
    assert (status, error) == (0, "")
    for part in ("WiSeBE", "Fleiss κ", "rules", "neural", "ann3", "Try next", "human ceiling"):
        assert part in out
    assert (place / "rows.jsonl").read_text().count("\n") > 50
    assert "site-packages" not in out
    assert str(SAMPLE) not in out
    first, *others = [line.strip() for line in out.splitlines() if line.startswith("  caesura ")]
    assert first == "caesura demo --files sample && cd sample"
    assert run("demo", "--files", "sample") == (0, "", "")
    names = [sorted(each.name for each in path.iterdir()) for path in (place / "sample", SAMPLE)]
    assert names[0] == names[1]
    assert run("demo", "--files", "sample")[0] == 2
    monkeypatch.chdir(place / "sample")
    assert [run(*each.split()[1:])[0] for each in others] == [0] * len(others)


@pytest.mark.slow
@pytest.mark.usefixtures("talk")
def test_tables_are_as_wide_as_the_terminal_but_not_in_a_file(run, monkeypatch, tmp_path):
    command = ("transcript", "one.txt", "two.txt", *REFS, "--compare")
    _, printed, _ = run(*command)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setenv("NO_COLOR", "1")
    status, out, _ = run(*command)
    assert status == 0
    assert max(map(len, out.splitlines()[:-1])) <= 50
    assert "\x1b" not in out
    run(*command, "-o", "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == printed
