"""`caesura transcript` and `caesura agreement`, run as a user would."""

import csv
import gzip
import io
import json
import lzma
import re

import pytest

from caesura.cli.demo import SAMPLE
from caesura.cli.options import OUTPUT_FORMATS
from caesura.output.render import RENDERERS

SCORES = (
    "wisebe window_precision window_recall window_f1 rgar precision_mean recall_mean f1_mean "
    "ser_mean ser_either consensus_precision consensus_recall consensus_f1 cer_mean pk_mean "
    "windowdiff_mean boundary_similarity_mean inside candidates hit windows"
).split()
BY_REFERENCE = (
    "tp fp fn precision recall f1 ser cer pk windowdiff boundary_similarity segmentation_similarity"
).split()
AGREEMENT = (
    "rgar fleiss_kappa fleiss_kappa_boundaries krippendorff_alpha cohen_kappa_mean "
    "pairwise_f1_mean by_document"
).split()


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


def result(run, *arguments):
    status, out, error = run(*arguments, "-f", "json")
    found = json.loads(out)
    assert (status, error) == (0, "".join(f"warning: {each}\n" for each in found["warnings"]))
    return found


@pytest.mark.usefixtures("talk")
def test_the_json_is_the_contract(run):
    summary = result(run, "transcript", "S1=one.txt", "S2=two.txt", *REFS)
    assert summary["task"] == "transcript"
    assert summary["references"] == ["a", "b", "c"]
    assert summary["documents"] == ["document"]
    assert set(AGREEMENT) <= set(summary["agreement"])
    assert [system["name"] for system in summary["systems"]] == ["S1", "S2"]
    for system in summary["systems"]:
        for scores in (system["micro"], system["macro"], system["by_document"]["document"]):
            assert set(SCORES) <= set(scores)
        assert all(set(BY_REFERENCE) <= set(system["by_reference"][name]) for name in "abc")


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
    for (
        field
    ) in "window:4 final:keep consensus:3 tolerance:0 k:5 near:3 align:words/medoid".split():
        assert field in summary["signature"].split("|")


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
def test_the_tools_profile(run):
    summary = result(run, "transcript", "one.txt", *REFS, "--profile", "tool")
    assert "|window:3|final:keep|" in summary["signature"]
    summary = result(run, "transcript", "one.txt", *REFS, "--profile", "tool", "--window", "4")
    assert "|window:4|final:keep|" in summary["signature"]


def test_formats_are_those_that_can_be_rendered():
    assert set(OUTPUT_FORMATS) == {*RENDERERS, "json"}


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("format", OUTPUT_FORMATS)
def test_output_to_a_file_is_what_is_printed(run, format, tmp_path):
    _, printed, _ = run("transcript", "one.txt", "two.txt", *REFS, "-f", format)
    status, out, _ = run("transcript", "one.txt", "two.txt", *REFS, "-f", format, "-o", "out")
    assert (status, out) == (0, "")
    assert (tmp_path / "out").read_text() == printed
    assert printed.endswith("\n")


@pytest.mark.usefixtures("talk")
def test_csv_has_every_score_in_full(run):
    _, out, _ = run("transcript", "one.txt", "two.txt", *REFS, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["system"], row["document"]) for row in rows[:3]] == [
        ("one", "(micro)"), ("one", "(macro)"), ("one", "document")
    ]  # fmt: skip
    assert float(rows[0]["wisebe"]) == pytest.approx(2 / 3, abs=1e-15)


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


@pytest.fixture
def folders(folder):
    return folder(
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


@pytest.mark.usefixtures("folders")
def test_folders_are_matched_by_name_in_natural_order(run):
    summary = result(run, "transcript", "sys", "--ref", "ann", "--ref", "ben")
    assert summary["documents"] == ["d1", "d2", "d10"]
    assert summary["references"] == ["ann", "ben"]
    system = summary["systems"][0]
    assert system["by_document"]["d2"]["wisebe"] is None
    assert system["macro_undefined"]["wisebe"] == 1
    assert system["macro"]["f1_mean"] == 0.5
    assert system["by_reference"]["ann"]["tp"] == 2


@pytest.mark.usefixtures("folders")
def test_globs_and_missing_documents(run, tmp_path):
    (tmp_path / "ben" / "d2.txt").unlink()
    arguments = ("transcript", "S=sys/*.txt", "--ref", "ann", "--ref", "ben")
    assert run(*arguments)[0] == 1
    assert result(run, *arguments, "--missing", "skip")["documents"] == ["d1", "d10"]


@pytest.mark.usefixtures("folders")
def test_the_table_of_documents(run):
    _, out, _ = run("transcript", "sys", "--ref", "ann", "--ref", "ben", "--by-document")
    assert "2 references on 8 words in 3 documents" in out
    assert "Document by document" in out
    assert "sys: macro WiSeBE excludes 1 document, where it is undefined." in out


@pytest.mark.usefixtures("talk")
def test_standard_input_and_compressed_files(run, tmp_path):
    text = (tmp_path / "one.txt").read_bytes()
    plain = result(run, "transcript", "S=one.txt", *REFS)
    (tmp_path / "one.txt.gz").write_bytes(gzip.compress(text))
    (tmp_path / "one.txt.xz").write_bytes(lzma.compress(text))
    for path in ("one.txt.gz", "one.txt.xz"):
        assert result(run, "transcript", f"S={path}", *REFS) == plain
    _, out, _ = run("transcript", "S=-", *REFS, "-f", "json", stdin=text)
    assert json.loads(out) == plain


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_and_crlf(run, encoding, tmp_path):
    plain = result(run, "transcript", "S=one.txt", "--ref", "R=a.txt")
    text = (tmp_path / "a.txt").read_text().replace("\n", "\r\n")
    (tmp_path / "other.txt").write_bytes(text.encode(encoding))
    assert result(run, "transcript", "S=one.txt", "--ref", "R=other.txt") == plain


def test_one_word(run, folder):
    folder(a="yes", b="Yes.", s="yes!")
    summary = result(run, "transcript", "s.txt", "--ref", "a.txt", "--ref", "b.txt")
    micro = summary["systems"][0]["micro"]
    undefined = {name for name in SCORES if micro[name] is None}
    assert undefined == set(SCORES) - {"inside", "candidates", "hit", "windows"}


def test_no_boundary_at_all(run, folder):
    folder(a="a b c", b="a b c", s="a b c")
    micro = result(run, "transcript", "s.txt", "--ref", "a.txt", "--ref", "b.txt")["systems"][0][
        "micro"
    ]
    assert [micro[name] for name in ("wisebe", "rgar", "f1_mean", "ser_mean")] == [None] * 4
    assert micro["cer_mean"] == 0
    assert micro["segmentation_similarity_mean"] == 1


def test_one_reference_has_no_agreement(run, folder):
    folder(a="a b\nc", s="a b\nc")
    summary = result(run, "transcript", "s.txt", "--ref", "a.txt")
    assert summary["agreement"]["fleiss_kappa"] is None
    assert summary["systems"][0]["micro"]["wisebe"] is None
    assert summary["systems"][0]["micro"]["f1_mean"] == 1
    assert "ceiling" not in summary


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


def test_right_to_left_text_and_combining_marks(run, folder):
    folder(
        a="ذهب الولد.\nثم عاد؟\n",
        b="ذهب الولد ثم عاد",
        s="ذهب الولد\nثم عاد",
        c="un café noir\net voilà",
        d="un cafe\u0301 noir et voila\u0300",
    )
    summary = result(run, "transcript", "s.txt", "--ref", "a.txt", "--ref", "b.txt")
    assert summary["systems"][0]["by_reference"]["a"]["f1"] == 1
    assert result(run, "transcript", "d.txt", "--ref", "c.txt")["sources"]["c"]["words"] == 5


@pytest.mark.usefixtures("talk")
def test_agreement(run):
    summary = result(run, "agreement", "a.txt", "b.txt", "c.txt")
    assert summary["task"] == "agreement"
    agreement = summary["agreement"]
    assert set(AGREEMENT) <= set(agreement)
    assert [pair["references"] for pair in agreement["pairs"]] == [
        ["a", "b"], ["a", "c"], ["b", "c"]
    ]  # fmt: skip
    assert agreement["pairs"][0]["f1"] == 0.8
    assert summary["signature"].endswith("|input:lines|refs:3|docs:1|near:2")
    assert set(summary["ceiling"]["annotators"]) == {"a", "b", "c"}
    for each in OUTPUT_FORMATS:
        status, out, _ = run("agreement", "a.txt", "b.txt", "c.txt", "-f", each, "--by-document")
        assert status == 0
        assert out


@pytest.mark.usefixtures("folders")
def test_agreement_over_documents_has_a_pearson(run):
    agreement = result(run, "agreement", "ann", "ben", "sys")["agreement"]
    by_document = agreement["by_document"]
    assert set(by_document) == {"d1", "d2", "d10"}
    assert by_document["d2"]["rgar"] is None
    assert agreement["pearson_rgar_fleiss_kappa"] is None or agreement["macro"]["rgar"] > 0


def test_demo(run, tmp_path):
    status, out, error = run("demo", "--rows", tmp_path / "rows.jsonl")
    assert (status, error) == (0, "")
    for part in ("WiSeBE", "Fleiss κ", "rules", "neural", "ann3", "Try next", "human ceiling"):
        assert part in out
    assert (tmp_path / "rows.jsonl").read_text().count("\n") > 50


def test_the_demo_gives_its_files(run, folder, monkeypatch):
    """What it says to try next works, and leads nobody into the package."""
    place = folder()
    _, out, _ = run("demo")
    assert "site-packages" not in out
    assert str(SAMPLE) not in out
    after = [line.strip() for line in out.splitlines() if line.startswith("  caesura ")]
    first, *others = after
    assert first == "caesura demo --files sample && cd sample"
    assert run("demo", "--files", "sample") == (0, "", "")
    assert sorted(each.name for each in (place / "sample").iterdir()) == sorted(
        each.name for each in SAMPLE.iterdir()
    )
    assert run("demo", "--files", "sample")[0] == 2
    monkeypatch.chdir(place / "sample")
    assert [run(*each.split()[1:])[0] for each in others] == [0] * len(others)


def test_list(run):
    status, out, _ = run("list", "measures")
    assert status == 0
    assert "wisebe" in out
    head, first, *_ = run("list", "formats")[1].splitlines()
    assert (head.split(), first.split()[:2]) == (
        ["name", "written", "description"],
        ["lines", "yes"],
    )


def test_help_teaches(run):
    status, out, _ = run("transcript", "--help")
    assert status == 0
    assert "caesura transcript s1.txt s2.txt --ref a.txt --ref b.txt --ref c.txt" in out


@pytest.mark.slow
@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("width", [50, 60, 80, 200])
def test_tables_are_as_wide_as_the_terminal(run, monkeypatch, width):
    monkeypatch.setattr("caesura.cli.options._is_terminal", lambda output: output is None)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    status, out, _ = run("transcript", "one.txt", "two.txt", *REFS, "--compare")
    assert status == 0
    assert max(map(len, out.splitlines()[:-1])) <= width
    assert "\x1b" not in out


@pytest.mark.usefixtures("talk")
def test_a_file_does_not_depend_on_the_terminal(run, monkeypatch, tmp_path):
    _, printed, _ = run("transcript", "one.txt", *REFS)
    monkeypatch.setattr("caesura.cli.options._is_terminal", lambda output: output is None)
    monkeypatch.setenv("COLUMNS", "40")
    run("transcript", "one.txt", *REFS, "-o", "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == printed
