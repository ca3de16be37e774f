"""`--confidence` and `--compare` of the scoring commands, and `caesura compare`."""

import csv
import io
import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from caesura.cli.options import OUTPUT_FORMATS
from caesura.tasks.terms.measures import TermCounts, Terms
from support.speech_corpora import Maker, classes, discovered

pytestmark = pytest.mark.slow

REFS = ("--ref", "a", "--ref", "b", "--ref", "c")
WORDS = [f"w{at}" for at in range(120)]


def talk(seed, quality):
    """A transcript of 120 words in which some of the same boundaries are missed."""
    true = np.random.default_rng(seed).random(120) < 0.15
    draw = np.random.default_rng([seed, int(quality * 100)])
    ends = (true & (draw.random(120) > quality)) | (draw.random(120) < 0.02)
    return " ".join(word + (" //" if end else "") for word, end in zip(WORDS, ends, strict=True))


QUALITY = {"a": 0.1, "b": 0.15, "c": 0.2, "good": 0.12, "poor": 0.6}


@pytest.fixture
def corpus(folder):
    """Twelve transcripts of three annotators and two systems, and the first alone."""
    files = {f"{who}__d{n}": talk(n, q) for who, q in QUALITY.items() for n in range(12)}
    return folder(**files)


def result(run, *arguments):
    status, out, error = run(*arguments, "-f", "json")
    assert (status, error) == (0, "")
    return json.loads(out)


def failed(run, *arguments):
    status, out, error = run(*arguments)
    assert out == ""
    return status, error.strip()


def one(*names):
    return [f"{name}={name}/d0.txt" for name in names]


ONE_REFS = [part for name in "abc" for part in ("--ref", f"{name}={name}/d0.txt")]


@pytest.mark.usefixtures("corpus")
def test_intervals_over_documents(run):
    summary = result(run, "transcript", "good", "poor", *REFS, "--confidence")
    told = summary["confidence"]
    assert (told["unit"], told["units"], told["resamples"]) == ("document", 12, 10_000)
    for system in summary["systems"]:
        for mean in ("micro", "macro"):
            low, high = system["confidence"][mean]["wisebe"]
            assert low < system[mean]["wisebe"] < high
    assert summary["signature"].endswith(
        "|interval:bca|drawn:document/12|resamples:10000|seed:12345"
    )
    assert "confidence" not in result(run, "transcript", "good", *REFS)


@pytest.mark.usefixtures("corpus")
def test_intervals_over_blocks_of_one_document_change_no_score(run):
    plain = result(run, "transcript", *one("good", "poor"), *ONE_REFS)
    summary = result(run, "transcript", *one("good", "poor"), *ONE_REFS, "--confidence")
    assert summary["confidence"]["unit"] == "block"
    assert "blocks of 1 document" in summary["confidence"]["notes"][0]
    assert "Only" in summary["confidence"]["notes"][1], "120 words are few"
    for ours, theirs in zip(summary["systems"], plain["systems"], strict=True):
        assert {key: ours[key] for key in theirs} == theirs
        assert set(ours["confidence"]) == {"micro"}


@pytest.mark.usefixtures("corpus")
def test_the_unit_can_be_chosen(run):
    blocks = result(run, "transcript", "good", *REFS, "--confidence", "--unit", "block")
    assert blocks["confidence"]["units"] > 12
    whole = result(run, "transcript", *one("good"), *ONE_REFS, "--confidence", "--unit", "document")
    assert whole["confidence"]["units"] == 1
    assert whole["systems"][0]["confidence"]["micro"]["wisebe"] == [None, None]


@pytest.mark.usefixtures("corpus")
def test_comparison_beside_the_scores(run):
    summary = result(run, "transcript", "good", "poor", *REFS, "--compare")
    (found,) = summary["comparison"]["comparisons"]
    assert found["systems"] == ["poor", "good"]
    assert found["micro"]["wisebe"]["p"] == 2 / 4096
    assert summary["signature"].endswith("|drawn:document/12|resamples:10000|seed:12345")
    run("transcript", "good", "poor", *REFS, "--rows", "rows.jsonl")
    assert result(run, "compare", "rows.jsonl") == summary["comparison"]


@pytest.mark.usefixtures("corpus")
def test_the_tables(run):
    status, out, _ = run("transcript", "good", "poor", *REFS, "--confidence", "--compare")
    assert status == 0
    for part in (
        "95% intervals of micro scores",
        "95% intervals of macro scores",
        "95% intervals of the references' agreement",
        "95% intervals of the human ceiling",
        "Differences, micro, with 95% intervals",
        "poor is worse than good on WiSeBE by .",
        "95% intervals: bootstrap over 12 documents, 10,000 resamples, BCa, seed 12345.",
        "p-values: paired randomization over the same units, all 4,096 permutations, two-sided.",
    ):
        assert part in out


@pytest.mark.usefixtures("corpus")
def test_csv_has_the_ends_of_the_intervals(run):
    _, out, _ = run("transcript", "good", "poor", *REFS, "--confidence", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    for row in rows:
        if row["document"] in ("(micro)", "(macro)"):
            assert float(row["wisebe_low"]) < float(row["wisebe"]) < float(row["wisebe_high"])
        else:
            assert row["wisebe_low"] == row["wisebe_high"] == ""


@pytest.mark.usefixtures("corpus")
def test_agreement(run):
    summary = result(run, "agreement", "a", "b", "c", "--confidence", "--method", "percentile")
    low, high = summary["agreement"]["confidence"]["macro"]["fleiss_kappa"]
    assert low < summary["agreement"]["macro"]["fleiss_kappa"] < high
    assert summary["confidence"]["method"] == "percentile"
    assert set(summary["ceiling"]["confidence"]) == {"human", "annotators"}
    status, out, _ = run("agreement", "a", "b", "c", "--confidence")
    assert status == 0
    assert "95% intervals of the references' agreement" in out


def test_text(run, folder):
    gold = "".join(f"this is no {n} .\nit ends there .\n" for n in range(100))
    ours = gold.replace("no 7", "no7").replace("5 .\nit", "5 . it").replace("1 .\nit", "1 . it")
    folder(gold=gold, ours=ours, other=gold)
    arguments = ("text", "ours.txt", "other.txt", "--gold", "gold.txt")
    plain = result(run, *arguments)
    summary = result(run, *arguments, "--confidence", "--compare", "--rows", "rows.jsonl")
    first, second = summary["systems"]
    assert {key: first[key] for key in plain["systems"][0]} == plain["systems"][0]
    low, high = first["confidence"]["micro"]["sentence_f1"]
    assert low < first["micro"]["sentence_f1"] < high
    assert second["confidence"]["micro"]["token_f1"] == [1, 1]
    assert summary["confidence"]["unit"] == "block"
    assert summary["comparison"]["comparisons"][0]["micro"]["sentence_f1"]["p"] < 0.05
    assert result(run, "compare", "rows.jsonl") == summary["comparison"]
    status, out, _ = run(*arguments, "--confidence", "--compare")
    assert status == 0
    assert "other is better than ours on sentence F1 by" in out


ADDITIVE = [
    name
    for name in TermCounts.zero().items()
    if name.startswith(("boundary", "token")) or name in ("covered", "phones")
]


@pytest.mark.parametrize("profile", ["2017", "paper"])
def test_boundaries_tokens_and_coverage_add_over_recordings(profile):
    maker = Maker(random.Random(5))
    for _ in range(60):
        corpus = maker.corpus()
        if not corpus.clusters:
            continue
        found = discovered(*corpus.text)
        whole = Terms(profile).count(found)
        files = range(len(found.gold.phones.files))
        parts = [Terms(profile).count(found, np.array([at])) for at in files]
        for name in ADDITIVE:
            assert sum(getattr(part, name) for part in parts) == getattr(whole, name), name


@pytest.fixture
def recordings(folder):
    """Twelve recordings of four words; of two systems, one finds more."""
    files = [f"r{n:02}" for n in range(12)]
    phones = "".join(f"{f} {at} {at + 1} {'xyzw'[at]}\n" for f in files for at in range(4))
    good = classes(", ".join(f"{f} 0 1" for f in files), ", ".join(f"{f} 1 2" for f in files))
    poor = classes(", ".join(f"{f} {n % 3} {n % 3 + 2}" for n, f in enumerate(files)))
    return folder(**{"p.phn": phones, "w.wrd": phones, "good.class": good, "poor.class": poor})


@pytest.mark.usefixtures("recordings")
def test_terms_over_recordings(run):
    arguments = ("terms", "poor.class", "good.class", "--phones", "p.phn", "--words", "w.wrd")
    plain = result(run, *arguments)
    summary = result(run, *arguments, "--confidence", "--compare", "--rows", "rows.jsonl")
    assert (summary["confidence"]["unit"], summary["confidence"]["units"]) == ("recording", 12)
    for ours, theirs in zip(summary["systems"], plain["systems"], strict=True):
        assert {key: ours[key] for key in theirs} == theirs
        ends = ours["confidence"]["micro"]
        assert ends["token_f1"][0] <= ours["micro"]["token_f1"] <= ends["token_f1"][1]
        assert "type_f1" not in ends, "types do not add over recordings"
    found = summary["comparison"]["comparisons"][0]["micro"]["token_f1"]
    assert found["difference"] > 0
    assert result(run, "compare", "rows.jsonl") == summary["comparison"]
    status, out, _ = run(*arguments, "--confidence", "--compare")
    assert status == 0
    assert "bootstrap over 12 recordings" in out
    assert "types, groups and NED" in out


@pytest.mark.usefixtures("corpus")
def test_compare_in_every_format(run, tmp_path):
    run("transcript", "good", "poor", *REFS, "--rows", "rows.jsonl")
    for form in OUTPUT_FORMATS:
        command = ("compare", "rows.jsonl", "--resamples", "500", "-f", form)
        status, out, error = run(*command)
        assert (status, error) == (0, "")
        run(*command, "-o", "out")
        assert (tmp_path / "out").read_text() == out, form


@pytest.mark.usefixtures("corpus")
def test_the_seed_may_come_from_the_environment(run, monkeypatch):
    run("transcript", "good", "poor", *REFS, "--rows", "rows.jsonl")
    once = result(run, "compare", "rows.jsonl", "--seed", "7")
    monkeypatch.setenv("CAESURA_SEED", "7")
    assert result(run, "compare", "rows.jsonl") == once


@pytest.mark.usefixtures("corpus")
def test_what_cannot_be_compared(run, folder):
    run("transcript", "good", *REFS, "--rows", "good.jsonl")
    run("transcript", "poor", *REFS, "--rows", "poor.jsonl", "--window", "3")
    run("agreement", "a", "b", "--rows", "agreement.jsonl")
    status, error = failed(run, "compare", "good.jsonl", "poor.jsonl")
    assert (status, error.split(";")[0]) == (
        2, "error: good.jsonl has window 2, poor.jsonl 3"
    )  # fmt: skip
    assert failed(run, "compare", "agreement.jsonl")[0] == 1
    assert failed(run, "compare", "absent.jsonl")[0] == 1
    status, error = failed(run, "compare", "good.jsonl", "--unit", "block")
    assert (status, error) == (
        2, "error: these rows have no blocks; make them with --unit block, or drop it"
    )  # fmt: skip
    status, error = failed(run, "compare", "good.jsonl", "--measure", "wisbe")
    assert error == "error: unknown score 'wisbe'; did you mean wisebe?"
    status, error = failed(run, "compare", "good.jsonl", "--all-pairs", "--baseline", "good")
    assert (status, "use either" in error) == (2, True)
    folder(**{"broken.jsonl": '{"caesura": "1"}\n'})
    assert failed(run, "compare", "broken.jsonl")[0] == 1


@pytest.mark.usefixtures("corpus")
def test_one_system_is_compared_with_people(run):
    run("transcript", "poor", *REFS, "--rows", "poor.jsonl")
    summary = result(run, "compare", "poor.jsonl")
    assert summary["comparisons"] == []
    assert summary["ceiling"]["comparisons"][0]["micro"]["wisebe"]["p"] < 0.01
    status, out, _ = run("compare", "poor.jsonl")
    assert status == 0
    assert "poor is worse than people on WiSeBE by" in out


# --- The gate ---------------------------------------------------------------------------


@pytest.mark.usefixtures("corpus")
def test_a_release_that_is_worse_fails(run):
    run("transcript", "good", *REFS, "--rows", "good.jsonl")
    again = ("transcript", "poor", *REFS, "--fail-if-worse-than", "good.jsonl", "-o", "out")
    status, _, error = run(*again)
    assert status == 3
    assert error.startswith("error: poor is worse than good.jsonl's good on WiSeBE by .")
    run("transcript", "poor", *REFS, "--rows", "poor.jsonl")
    for name in ("good", "poor"):
        better = ("transcript", name, *REFS, "--fail-if-worse-than", "poor.jsonl", "-o", "out")
        assert run(*better) == (0, "", "")


@pytest.mark.usefixtures("corpus")
def test_the_system_of_the_same_name_is_the_baseline(run):
    run("transcript", "good", "poor", *REFS, "--rows", "both.jsonl")
    gate = (*REFS, "--fail-if-worse-than", "both.jsonl", "-o", "out")
    assert run("transcript", "poor", *gate) == (0, "", "")
    status, _, error = run("transcript", "good=poor", *gate)
    assert status == 3
    assert "good is worse than both.jsonl's good on WiSeBE" in error
    status, _, error = run("transcript", "other=poor", *gate)
    assert (status, error) == (
        2,
        "error: both.jsonl has no system 'other', only good, poor; use the same names\n",
    )


@pytest.mark.usefixtures("corpus")
def test_a_gate_that_could_never_shut_is_refused(run, monkeypatch):
    monkeypatch.setattr("caesura.api.evaluate.LIGHT", 0)
    run("transcript", *one("good"), *ONE_REFS, "--rows", "rows.jsonl")
    status, _, error = run(
        "transcript", *one("poor"), *ONE_REFS, "--fail-if-worse-than", "rows.jsonl", "-o", "out"
    )
    assert status == 2
    assert (
        "too few for any difference to be significant; save large documents with --confidence"
        in error
    )


def test_a_gate_over_blocks_of_one_document(run, folder):
    def joined(quality):
        return " ".join(talk(n, quality).replace("w", f"x{n}w") for n in range(20))

    folder(**{name: joined(quality) for name, quality in QUALITY.items()})
    refs = ("--ref", "a.txt", "--ref", "b.txt", "--ref", "c.txt")
    run("transcript", "new=good.txt", *refs, "--confidence", "--rows", "good.jsonl")
    gate = ("--fail-if-worse-than", "good.jsonl", "-o", "out")
    status, _, error = run("transcript", "new=poor.txt", *refs, *gate)
    assert status == 3
    assert "new is worse than good.jsonl's new on WiSeBE" in error
    assert run("transcript", "new=good.txt", *refs, *gate, "--confidence") == (0, "", "")


# --- Correlations ---------------------------------------------------------------------------


@pytest.mark.usefixtures("corpus")
def test_correlations(run):
    run("transcript", "good", "poor", *REFS, "--rows", "rows.jsonl")
    summary = result(run, "correlate", "rows.jsonl")
    found = {tuple(pair["measures"]): pair for pair in summary["pairs"]}
    both = found["wisebe", "window_f1"]
    assert both["points"] == 24
    for name in ("pearson", "spearman", "kendall"):
        assert both[name]["low"] <= both[name]["value"] <= both[name]["high"]
    assert both["pearson"]["value"] > 0.8
    people = result(run, "agreement", "a", "b", "c", "--rows", "agreement.jsonl")
    value = people["agreement"]["pearson_rgar_fleiss_kappa"]
    assert found["rgar", "fleiss_kappa"]["pearson"]["value"] == pytest.approx(value)
    alone = result(run, "correlate", "agreement.jsonl")
    assert alone["pairs"][0] == found["rgar", "fleiss_kappa"]


@pytest.mark.usefixtures("corpus")
def test_correlations_of_some_scores(run):
    run("transcript", "good", "poor", *REFS, "--rows", "rows.jsonl")
    chosen = ("--measure", "cer_mean", "--measure", "fleiss_kappa")
    summary = result(run, "correlate", "rows.jsonl", *chosen)
    assert [pair["measures"] for pair in summary["pairs"]] == [["cer_mean", "fleiss_kappa"]]
    assert summary["pairs"][0]["points"] == 24
    status, error = failed(run, "correlate", "rows.jsonl", "--measure", "wisbe")
    assert (status, "did you mean wisebe?" in error) == (2, True)
    run("transcript", *one("good"), *ONE_REFS, "--rows", "one.jsonl")
    status, error = failed(run, "correlate", "one.jsonl")
    assert (status, "needs at least 3 documents, not 1" in error) == (2, True)


@pytest.mark.usefixtures("corpus")
def test_correlations_in_every_format(run):
    run("transcript", "good", *REFS, "--rows", "rows.jsonl")
    for form in OUTPUT_FORMATS:
        status, out, error = run("correlate", "rows.jsonl", "--resamples", "100", "-f", form)
        assert (status, error) == (0, "")
        assert out


@pytest.mark.usefixtures("corpus")
def test_correlations_with_scores_from_outside(run, tmp_path):
    run("transcript", "good", "poor", *REFS, "--rows", "rows.jsonl")
    ratings = [f"d{n};{who};{q},5" for n in range(9) for who, q in (("good", 4), ("poor", n % 3))]
    (tmp_path / "r.csv").write_text("\n".join(["document;system;rating", *ratings]))
    asked = ("correlate", "rows.jsonl", "--with", "r.csv", "--resamples", "100")
    summary = result(run, *asked, "--measure", "wisebe")
    (pair,) = summary["pairs"]
    assert (pair["measures"], pair["points"]) == (["wisebe", "rating"], 18)
    assert pair["pearson"]["value"] > 0.5
    for form in OUTPUT_FORMATS:
        status, out, error = run(*asked, "-f", form)
        assert (status, error, "rating" in out) == (0, "", True)
    (tmp_path / "r.csv").write_text("document,rating\nd0,1\nd99,2\n")
    status, error = failed(run, *asked)
    assert (status, error.count("\n")) == (1, 0)
    assert error.startswith("error: r.csv:3: the rows have no document 'd99'")
    assert error.endswith("or skip such lines with --missing skip")


@pytest.mark.usefixtures("corpus")
def test_many_points_are_thinned(run, monkeypatch):
    monkeypatch.setattr("caesura.stats.correlation.LARGEST", 16)
    run("transcript", "good", "poor", *REFS, "--rows", "rows.jsonl")
    summary = result(run, "correlate", "rows.jsonl")
    assert summary["pairs"][0]["points"] == 16
    notes = " ".join(summary["confidence"]["notes"])
    assert "Of the documents 8 were drawn, for no more than 16 points." in notes


# --- Times and speakers ---------------------------------------------------------------------


def timed(seed, quality):
    """The same talk with times and two speakers."""
    lines = ["token|speaker|ts|endTs|punctuation|case|tags"]
    words = iter(talk(seed, quality).split(" "))
    for at, word in enumerate(WORDS):
        assert next(words) == word
        mark = "." if (rest := next(words, "")) == "//" else ""
        words = words if mark or not rest else iter([rest, *words])
        lines.append(f"{word}|{'AB'[at // 30 % 2]}|{at}|{at + 0.5}|{mark}||[]")
    return "\n".join(lines) + "\n"


@pytest.fixture
def spoken(folder):
    return folder(
        **{f"{who}__d{n}.nlp": timed(n, q) for who, q in QUALITY.items() for n in range(12)}
    )


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize(
    "options",
    [["--axis", "time"], ["--by", "speaker"], ["--streams", "speaker"]],
    ids=lambda options: options[0],
)
def test_intervals_with_times_speakers_and_units(run, options):
    plain = result(run, "transcript", "good", "poor", *REFS, *options)
    arguments = ("transcript", "good", "poor", *REFS, *options, "--confidence", "--compare")
    summary = result(run, *arguments, "--resamples", "500", "--rows", "rows.jsonl")
    for ours, theirs in zip(summary["systems"], plain["systems"], strict=True):
        assert {key: ours[key] for key in theirs} == theirs
        for score, ends in ours["confidence"]["micro"].items():
            if ours["micro"][score] is not None:
                assert ends[0] <= ours["micro"][score] <= ends[1], score
    compared = result(run, "compare", "rows.jsonl", "--resamples", "500")
    assert compared == summary["comparison"]
    assert compared["systems"][0]["micro"]["f1_mean"] == pytest.approx(
        plain["systems"][0]["micro"]["f1_mean"]
    )
    status, out, _ = run(*arguments, "--resamples", "500")
    assert status == 0
    assert "Pk " in out


@pytest.mark.usefixtures("spoken")
def test_where_there_are_no_blocks(run):
    one_refs = [part for name in "abc" for part in ("--ref", f"{name}={name}/d0.nlp")]
    arguments = ("transcript", "good=good/d0.nlp", *one_refs, "--confidence")
    for options in (["--axis", "time"], ["--streams", "speaker"]):
        summary = result(run, *arguments, *options, "--resamples", "100")
        assert (summary["confidence"]["unit"], summary["confidence"]["units"]) == ("document", 1)
        status, _, error = run(*arguments, *options, "--unit", "block")
        assert (status, "do not support blocks" in error) == (2, True)
    by = result(run, *arguments, "--by", "speaker", "--resamples", "100")
    assert by["confidence"]["unit"] == "block"


@pytest.mark.usefixtures("corpus")
def test_the_result_is_the_same_on_one_core_and_on_many(run, tmp_path):
    run("transcript", "good", "poor", *REFS, "--rows", "rows.jsonl", "-o", "out")
    found = set()
    for cores in ("1", "2", "4"):
        threads = {f"{name}_NUM_THREADS": cores for name in ("OPENBLAS", "OMP", "MKL")}
        done = subprocess.run(
            [sys.executable, "-c", "from caesura.cli import main; main()", "compare", "rows.jsonl",
             "-f", "json"],
            env={**os.environ, **threads}, cwd=tmp_path, capture_output=True, check=True,
        )  # fmt: skip
        found.add(done.stdout)
    assert len(found) == 1


@pytest.mark.usefixtures("corpus")
def test_blocks_have_no_macro_scores(run):
    run("transcript", *one("good", "poor"), *ONE_REFS, "--confidence", "--rows", "rows.jsonl")
    status, error = failed(run, "compare", "rows.jsonl", "--mean", "macro", "--unit", "block")
    assert (status, error) == (
        2, "error: macro scores need documents as units; drop --mean macro"
    )  # fmt: skip
    status, out, _ = run("compare", "rows.jsonl", "--mean", "macro")
    assert (status, "bootstrap over 1 document" in out) == (0, True)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        *(("a b c d e f", name) for name in OUTPUT_FORMATS),
        ("one", "table"),
        ("one", "json"),
        ("a // b // c // d // e // f", "table"),
        ("a // b // c // d // e // f", "json"),
    ],
)
def test_odd_transcripts(run, folder, text, format):
    """One word, no boundary, all of them: what is undefined is said to be, and nothing breaks."""
    folder(a=text, b=text, c=text, x=text, y=text)
    refs = ("--ref", "a.txt", "--ref", "b.txt", "--ref", "c.txt")
    options = ("--confidence", "--compare", "--resamples", "1", "-f", format)
    status, _, error = run("transcript", "x.txt", "y.txt", *refs, *options, "--rows", "r.jsonl")
    told = "warning: no boundary inside any document: precision, recall and F1 are undefined\n"
    assert (status, error) == (0, told if text == "a b c d e f" else "")
    status, _, error = run("compare", "r.jsonl", "-f", format)
    assert (status, error) == (0, "")
