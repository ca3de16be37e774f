"""`--confidence` and `--compare` of the scoring commands, and `caesura compare`."""

import csv
import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from caesura.cli.options import OUTPUT_FORMATS
from support.speech_corpora import classes

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


@pytest.fixture(autouse=True)
def place(folder):
    """Twelve transcripts of three annotators and two systems."""
    return folder(**{f"{who}__d{n}": talk(n, q) for who, q in QUALITY.items() for n in range(12)})


@pytest.fixture
def rows(run):
    """Saved rows of both systems."""
    run("transcript", "good", "poor", *REFS, "--rows", "rows.jsonl")
    return "rows.jsonl"


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


def require_the_same_scores(summary, plain):
    """What statistics add changes no score."""
    for ours, theirs in zip(summary["systems"], plain["systems"], strict=True):
        assert {key: ours[key] for key in theirs} == theirs


def require_around(intervals, scores):
    """Each score that is defined lies in its interval."""
    for key, (low, high) in intervals.items():
        assert scores[key] is None or low <= scores[key] <= high, key


def test_intervals_and_comparison_over_documents(run):
    arguments = ("transcript", "good", "poor", *REFS, "--confidence", "--compare")
    summary = result(run, *arguments, "--rows", "rows.jsonl")
    told = summary["confidence"]
    assert (told["unit"], told["units"], told["resamples"]) == ("document", 12, 10_000)
    drawn = "|interval:bca|drawn:document/12|resamples:10000|seed:12345"
    assert summary["signature"].endswith(drawn)
    for system in summary["systems"]:
        for mean in ("micro", "macro"):
            require_around(system["confidence"][mean], system[mean])
    agreement = summary["agreement"]
    require_around(agreement["confidence"]["micro"], agreement)
    require_around(agreement["confidence"]["macro"], agreement["macro"])
    assert set(summary["ceiling"]["confidence"]) == {"human", "annotators", "systems"}
    require_around(summary["ceiling"]["confidence"]["human"], summary["ceiling"]["human"])
    (found,) = summary["comparison"]["comparisons"]
    assert found["systems"] == ["poor", "good"]
    assert found["micro"]["wisebe"]["p"] == 2 / 4096
    assert result(run, "compare", "rows.jsonl") == summary["comparison"]
    assert "confidence" not in result(run, "transcript", "good", *REFS)
    people = result(run, "agreement", "a", "b", "c", "--confidence", "--method", "percentile")
    assert people["confidence"]["method"] == "percentile"


def test_intervals_over_blocks_of_one_document(run, tmp_path):
    arguments = ("transcript", *one("good", "poor"), *ONE_REFS)
    summary = result(run, *arguments, "--confidence", "--rows", "rows.jsonl")
    require_the_same_scores(summary, result(run, *arguments))
    assert summary["confidence"]["unit"] == "block"
    assert "blocks of 1 document" in summary["confidence"]["notes"][0]
    assert "Only" in summary["confidence"]["notes"][1], "120 words are few"
    assert set(summary["systems"][0]["confidence"]) == {"micro"}
    assert '"block": ' in (tmp_path / "rows.jsonl").read_text()
    macro = ("compare", "rows.jsonl", "--mean", "macro")
    message = "error: macro scores need documents as units; drop --mean macro"
    assert failed(run, *macro, "--unit", "block") == (2, message)
    status, out, _ = run(*macro)
    assert (status, "bootstrap over 1 document" in out) == (0, True)


def test_the_unit_can_be_chosen(run):
    blocks = result(run, "transcript", "good", *REFS, "--confidence", "--unit", "block")
    assert blocks["confidence"]["units"] > 12
    whole = result(run, "transcript", *one("good"), *ONE_REFS, "--confidence", "--unit", "document")
    assert whole["confidence"]["units"] == 1
    assert whole["systems"][0]["confidence"]["micro"]["wisebe"] == [None, None]


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


def test_csv_has_the_ends_of_the_intervals(run):
    _, out, _ = run("transcript", "good", "poor", *REFS, "--confidence", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    for row in rows:
        if row["document"] in ("(micro)", "(macro)"):
            assert float(row["wisebe_low"]) < float(row["wisebe"]) < float(row["wisebe_high"])
        else:
            assert row["wisebe_low"] == row["wisebe_high"] == ""


def test_text(run, folder):
    gold = "".join(f"this is no {n} .\nit ends there .\n" for n in range(100))
    ours = gold.replace("no 7", "no7").replace("5 .\nit", "5 . it").replace("1 .\nit", "1 . it")
    folder(gold=gold, ours=ours, other=gold)
    arguments = ("text", "ours.txt", "other.txt", "--gold", "gold.txt")
    summary = result(run, *arguments, "--confidence", "--compare", "--rows", "rows.jsonl")
    require_the_same_scores(summary, result(run, *arguments))
    first, second = summary["systems"]
    low, high = first["confidence"]["micro"]["sentence_f1"]
    assert low < first["micro"]["sentence_f1"] < high
    assert second["confidence"]["micro"]["token_f1"] == [1, 1]
    assert summary["confidence"]["unit"] == "block"
    assert summary["comparison"]["comparisons"][0]["micro"]["sentence_f1"]["p"] < 0.05
    assert result(run, "compare", "rows.jsonl") == summary["comparison"]
    assert "other is better than ours on sentence F1 by" in run("compare", "rows.jsonl")[1]


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
    summary = result(run, *arguments, "--confidence", "--compare", "--rows", "rows.jsonl")
    require_the_same_scores(summary, result(run, *arguments))
    assert (summary["confidence"]["unit"], summary["confidence"]["units"]) == ("recording", 12)
    for system in summary["systems"]:
        require_around(system["confidence"]["micro"], system["micro"])
        assert "type_f1" not in system["confidence"]["micro"], "types do not add over recordings"
    assert summary["comparison"]["comparisons"][0]["micro"]["token_f1"]["difference"] > 0
    assert result(run, "compare", "rows.jsonl") == summary["comparison"]
    status, out, _ = run(*arguments, "--confidence")
    assert status == 0
    assert "bootstrap over 12 recordings" in out
    assert "types, groups and NED" in out


@pytest.mark.parametrize("command", ["compare", "correlate"])
def test_every_format(run, tmp_path, command, rows):
    for form in OUTPUT_FORMATS:
        asked = (command, rows, "--resamples", "100", "-f", form)
        status, out, error = run(*asked)
        assert (status, error) == (0, "")
        run(*asked, "-o", "out")
        assert (tmp_path / "out").read_text() == out, form


def test_only_the_scores_asked_for_are_compared(run, rows):
    out = run("compare", rows, "--measure", "f1_mean")[1]
    assert "human ceiling" in out
    assert "WiSeBE" not in out
    assert "poor is worse than people on F1 by" in out
    asked = ("compare", rows, "-f", "csv", "--measure", "f1_mean")
    assert {row["score"] for row in csv.DictReader(io.StringIO(run(*asked)[1]))} == {"f1_mean"}
    assert "ceiling" not in run("compare", rows, "--measure", "pk_mean")[1]


def test_rows_of_several_files_are_compared_as_one(run, rows):
    """Of other systems, or of other documents."""
    run("transcript", "good", *REFS, "--rows", "good.jsonl")
    run("transcript", "new=poor", *REFS, "--rows", "poor.jsonl")
    expected = result(run, "compare", rows)["comparisons"]
    assert result(run, "compare", "good.jsonl", "poor=poor.jsonl")["comparisons"] == expected
    for name in ("d?", "d1?"):
        chosen = [f"{who}={who}/{name}.txt" for who in QUALITY]
        refs = [part for each in chosen[:3] for part in ("--ref", each)]
        run("transcript", *chosen[3:], *refs, "--rows", f"{len(name)}.jsonl")
    assert result(run, "compare", "2.jsonl", "3.jsonl")["comparisons"] == expected


CANNOT_BE_COMPARED = [
    ("compare good.jsonl poor.jsonl", 2, "good.jsonl has window 2, poor.jsonl 3; "),
    ("compare good.jsonl other.jsonl", 2, "has references a, b, c, other.jsonl a, b, x; "),
    ("compare good.jsonl copy.jsonl", 2, "'good' on 'd0' is also in an earlier file"),
    ("compare good.jsonl else.jsonl", 2, "are not those of an earlier file"),
    ("compare a=good.jsonl", 2, "'a' is a reference; choose another name"),
    ("compare x=rows.jsonl", 2, "has 2 systems; only a single one can be renamed"),
    ("compare agreement.jsonl", 1, "these rows have no systems; "),
    ("compare absent.jsonl", 1, "absent.jsonl: no such file"),
    ("compare good.jsonl --unit block", 2, "these rows have no blocks; make them with --unit"),
    ("compare good.jsonl --measure wisbe", 2, "unknown score 'wisbe'; did you mean wisebe?"),
    ("compare rows.jsonl --baseline god", 2, "unknown system 'god'; did you mean good?"),
    ("compare rows.jsonl --all-pairs --baseline good", 2, "use either"),
    ("correlate good.jsonl --measure wisbe", 2, "unknown score 'wisbe'; did you mean wisebe?"),
    ("correlate one.jsonl", 2, "needs at least 3 documents, not 1"),
    ("correlate good.jsonl --with r.csv", 1, "r.csv:3: the rows have no document 'd99'"),
    ("correlate good.jsonl --with r.csv", 1, "or skip such lines with --missing skip"),
]


@pytest.mark.usefixtures("rows")
def test_what_cannot_be_compared(run, place):
    run("transcript", "good", *REFS, "--rows", "good.jsonl")
    run("transcript", "poor", *REFS, "--rows", "poor.jsonl", "--window", "3")
    run("transcript", "poor", *REFS[:4], "--ref", "x=c", "--rows", "other.jsonl")
    run("transcript", "poor", *REFS[:4], "--ref", "c=good", "--rows", "else.jsonl")
    run("transcript", *one("good"), *ONE_REFS, "--rows", "one.jsonl")
    run("agreement", "a", "b", "--rows", "agreement.jsonl")
    (place / "r.csv").write_text("document,rating\nd0,1\nd99,2\n")
    (place / "copy.jsonl").write_text((place / "good.jsonl").read_text())
    for line, status, message in CANNOT_BE_COMPARED:
        found, error = failed(run, *line.split())
        assert (found, message in error) == (status, True), (line, error)


def test_one_system_is_compared_with_people(run):
    run("transcript", "poor", *REFS, "--rows", "poor.jsonl")
    summary = result(run, "compare", "poor.jsonl")
    assert summary["comparisons"] == []
    assert summary["ceiling"]["comparisons"][0]["micro"]["wisebe"]["p"] < 0.01
    status, out, _ = run("compare", "poor.jsonl")
    assert status == 0
    assert "poor is worse than people on WiSeBE by" in out


# --- The gate ---------------------------------------------------------------------------


@pytest.mark.usefixtures("rows")
def test_a_release_that_is_worse_fails(run):
    """Compared with the only system of the rows, or with the one of the same name."""
    run("transcript", "good", *REFS, "--rows", "good.jsonl")
    for system, rows, problem in (
        ("poor", "good.jsonl", "poor is worse than good.jsonl's good on WiSeBE by ."),
        ("good", "good.jsonl", ""),
        ("good=poor", "rows.jsonl", "good is worse than rows.jsonl's good on WiSeBE by ."),
        ("poor", "rows.jsonl", ""),
        ("poor=good", "rows.jsonl", ""),
    ):
        gate = (*REFS, "--fail-if-worse-than", rows, "-o", "out")
        status, _, error = run("transcript", system, *gate)
        assert status == (3 if problem else 0)
        assert error.startswith(f"error: {problem}") if problem else error == ""
    gate = (*REFS, "--fail-if-worse-than", "rows.jsonl")
    message = "rows.jsonl has no system 'other', only good, poor; use the same names"
    assert run("transcript", "other=poor", *gate)[::2] == (2, f"error: {message}\n")


def test_a_gate_that_could_never_shut_is_refused(run, monkeypatch):
    monkeypatch.setattr("caesura.steps.shared.LIGHT", 0)
    run("transcript", *one("good"), *ONE_REFS, "--rows", "rows.jsonl")
    gate = ("transcript", *one("poor"), *ONE_REFS, "--fail-if-worse-than", "rows.jsonl")
    status, _, error = run(*gate)
    told = "too few for any difference to be significant; save large documents with --confidence"
    assert (status, told in error) == (2, True)


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


def test_correlations_of_some_scores(run, tmp_path, rows):
    summary = result(run, "correlate", rows, "--measure", "cer_mean", "--measure", "rgar")
    assert [pair["measures"] for pair in summary["pairs"]] == [["cer_mean", "rgar"]]
    assert summary["pairs"][0]["points"] == 24
    ratings = [f"d{n};{who};{q},5" for n in range(9) for who, q in (("good", 4), ("poor", n % 3))]
    (tmp_path / "r.csv").write_text("\n".join(["document;system;rating", *ratings]))
    summary = result(run, "correlate", rows, "--with", "r.csv", "--measure", "wisebe")
    (pair,) = summary["pairs"]
    assert (pair["measures"], pair["points"]) == (["wisebe", "rating"], 18)
    assert pair["pearson"]["value"] > 0.5


def test_many_points_are_thinned(run, monkeypatch, rows):
    monkeypatch.setattr("caesura.stats.correlation.LARGEST", 16)
    summary = result(run, "correlate", rows)
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
def spoken(folder, place):
    for path in place.glob("*/*.txt"):
        path.unlink()
    folder(**{f"{who}__d{n}.nlp": timed(n, q) for who, q in QUALITY.items() for n in range(12)})


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("way", ["--axis time", "--by speaker", "--streams speaker"])
def test_intervals_with_times_and_speakers(run, way):
    arguments = ("transcript", "good", "poor", *REFS, *way.split())
    few = ("--resamples", "500")
    plain = result(run, *arguments)
    summary = result(run, *arguments, "--confidence", "--compare", *few, "--rows", "rows.jsonl")
    require_the_same_scores(summary, plain)
    for system in summary["systems"]:
        require_around(system["confidence"]["micro"], system["micro"])
    assert result(run, "compare", "rows.jsonl", *few) == summary["comparison"]


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


@pytest.mark.parametrize("text", ["a b c d e f", "one", "a // b // c // d // e // f"])
@pytest.mark.parametrize("format", ["table", "json"])
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
