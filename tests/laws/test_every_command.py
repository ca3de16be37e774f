"""What every command that scores can do, whatever it scores: no task or community lacks it."""

import csv
import gzip
import io
import json
import lzma
import re
from pathlib import Path

import pytest

import caesura
from caesura.communities import PROFILES
from caesura.tasks import TASKS
from support.every_task import EXAMPLES, as_arguments
from support.report_pages import data_of

FOLDERS = [name for name in EXAMPLES if name != "terms"]
"""Terms are of one corpus."""
FILES = [name for name in FOLDERS if name != "chunks"]
"""Chunks are of texts in one folder, in which questions name places by their characters."""
SCORING = [name for name in EXAMPLES if name != "agreement"]
"""Agreement has no systems: it has intervals, but no gates and nothing to compare."""
ENCODED = {
    "with a byte-order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "Windows lines": lambda text: text.replace("\n", "\r\n").encode(),
}
PACKED = {".gz": gzip.compress, ".xz": lzma.compress}
STATISTICS = ("--confidence", "--compare", "--resamples", "20")


@pytest.fixture(params=EXAMPLES)
def example(request, tmp_path, monkeypatch):
    """A command over folders, in the folder of its files."""
    monkeypatch.chdir(tmp_path)
    EXAMPLES[request.param].write(tmp_path)
    return EXAMPLES[request.param]


@pytest.fixture
def scores(run):
    """The JSON of a command that ends well."""

    def call(*line):
        status, out, error = run(*line, "-f", "json")
        assert status == 0, error
        return json.loads(out)

    return call


def of(names):
    return pytest.mark.parametrize("example", names, indirect=True)


def test_every_task_and_community_has_an_example():
    assert {*TASKS, *PROFILES} - {*EXAMPLES} == {"utterances"}


@of(FILES)
@pytest.mark.parametrize("encode", ENCODED.values(), ids=ENCODED)
def test_encodings_and_line_ends(example, scores, encode):
    before = scores(*example.line)
    example.write(Path(), encode=encode)
    assert scores(*example.line) == before


@of(FILES)
@pytest.mark.parametrize("suffix", PACKED)
def test_compressed_files(example, scores, suffix):
    before = scores(*example.on_files())
    example.write(Path(), encode=lambda text: PACKED[suffix](text.encode()), suffix=suffix)
    packed = scores(*example.on_files(suffix))
    assert text_of(packed).replace(suffix, "") == text_of(before)


@of(FILES)
def test_globs_and_one_file(example, scores):
    before = scores(*example.line)
    globs = scores(*example.on(lambda name: f"{name}={name}/*.{example.suffix}"))
    assert globs == before
    for name in Path().glob("*/d[2-9]*"), Path().glob("*/d1?.*"):
        for path in name:
            path.unlink()
    assert [*scores(*example.line)["documents"]] == ["d1"]


@of(FILES)
def test_standard_input(example, run):
    """One of the inputs, whatever it is, may be standard input; a second one may not."""
    files = example.on_files()
    _, expected, _ = run(*files, "-f", "json")
    place = next(at for at, word in enumerate(files) if "=" in word)
    name, _, path = files[place].partition("=")
    line = [*files[:place], f"{name}=-", *files[place + 1 :]]
    status, out, error = run(*line, "-f", "json", stdin=Path(path).read_bytes())
    assert status == 0, error
    assert without_paths(out) == without_paths(expected)


@pytest.mark.slow
def test_output_formats(example, run):
    """Each is the same on standard output as in a file, and the JSON says what was run."""
    outs = {}
    for form in ("table", "json", "csv", "markdown", "latex"):
        status, outs[form], error = run(*example.line, "-f", form)
        assert status == 0, error
        assert run(*example.line, "-f", form, "-o", "out.txt")[:2] == (0, "")
        assert Path("out.txt").read_text(encoding="utf-8") == outs[form]
    found = json.loads(outs["json"])
    assert run(*example.line)[1] == outs["table"]
    assert found["signature"] in outs["table"]
    assert {"caesura", "task", "options", "documents", "warnings", "skipped"} <= {*found}
    rows = [*csv.DictReader(io.StringIO(outs["csv"]))]
    assert rows
    assert all(None not in row for row in rows)


@of(FILES)
def test_an_output_is_no_input(example, run):
    path = sorted(Path("a").iterdir())[0]
    before = path.read_bytes()
    for option in ("-o", "--html", "--rows"):
        status, out, error = run(*example.on_files(), option, path)
        assert (status, out) == (2, ""), option
        assert "input" in error
        assert path.read_bytes() == before


@of(FILES)
def test_what_is_not_there_is_one_line(example, run):
    line = example.on(lambda name: f"{name}/nowhere.{example.suffix}")
    status, out, error = run(*line)
    assert status in (1, 2)
    assert out == ""
    assert re.fullmatch(r"error: .*nowhere.*\n", error)


@of(FOLDERS)
def test_a_document_that_cannot_be_read_is_left_out(example, run):
    """With --keep-going the others are scored, the document is named, and the status is 1.

    Without it, nothing is written over an earlier output.
    """
    for name in ("a", "s1"):
        (Path(name) / f"d2.{example.suffix}").write_bytes(b"\xff\xfe\xff")
    outputs = ["-o", "--html"]
    if "--errors" in run(*example.line[:2], "--help")[1]:
        outputs.append("--errors")
    for option in outputs:
        Path("earlier").write_text("as it was")
        assert run(*example.line, option, "earlier")[0] == 1
        assert Path("earlier").read_text() == "as it was"
    status, out, error = run(*example.line, "--keep-going", "-f", "json")
    assert status == 1
    assert "d2" in error
    assert "d2" not in json.loads(out)["documents"]


@of(SCORING)
def test_gates(example, run):
    """A score that is missed ends with status 3 and is named."""
    score, missed, met = example.score, ("--fail-under", 1e6), ("--fail-under", -1e6)
    if score.startswith("-"):
        score, missed, met = score[1:], ("--fail-over", -1e6), ("--fail-over", 1e6)
    assert run(*example.line, met[0], f"{score}={met[1]}")[0] == 0
    status, out, error = run(*example.line, missed[0], f"{score}={missed[1]}")
    assert status == 3
    assert out == run(*example.line)[1]
    assert "error: " in error
    assert run(*example.line, missed[0], "nonsense=1")[0] == 2


@pytest.mark.slow
def test_intervals(example, run, scores):
    found = scores(*example.line, "--confidence", "--resamples", "20")
    assert found["confidence"]["resamples"] == 20
    alone = scores(*example.line).get("systems", [])
    assert [each["micro"] for each in found.get("systems", [])] == [each["micro"] for each in alone]
    assert all(system["confidence"] for system in found.get("systems", []))
    table = run(*example.line, "--confidence", "--resamples", "20")[1]
    assert "95% intervals" in table
    assert "seed:" in table


@pytest.mark.slow
@of(SCORING)
def test_comparison(example, run, scores):
    """The second system has a difference to the first, with a p-value."""
    line = (*example.line, "--compare", "--resamples", "20")
    found = scores(*line)["comparison"]
    assert found["systems"][0]["name"] == found["baseline"]
    assert found["comparisons"]
    assert "p-values: paired randomization" in run(*line)[1]


@of(SCORING)
def test_rows(example, run):
    """Saved rows give the report of the run and can be compared; resumed, they are the same."""
    saved = ("--rows", "r.jsonl", "--with-text")
    assert run(*example.line, *saved, "--html", "run.html")[0] == 0
    before = Path("r.jsonl").read_bytes()
    assert run(*example.line, *saved, "--resume")[0] == 0
    assert Path("r.jsonl").read_bytes() == before
    assert run("report", "r.jsonl", "-o", "saved.html")[:2] == (0, "")
    assert Path("saved.html").read_text("utf-8") == Path("run.html").read_text("utf-8")
    status, out, error = run("compare", "r.jsonl", "--resamples", "20")
    assert status == 0, error
    assert "s1" in out or "fixed:9" in out


def test_the_report_has_the_figures_of_the_table(example, run, scores):
    assert run(*example.line, "--html", "page.html")[0] == 0
    found, shown = scores(*example.line), data_of(Path("page.html"))["summary"]
    assert all(shown[key] == found[key] for key in ("signature", "documents", "options"))
    for system, told in zip(shown["systems"], found.get("systems", []), strict=True):
        shared = system["micro"].keys() & told["micro"].keys()
        assert example.score.removeprefix("-") in shared or "F-measure" in example.score
        assert all(system["micro"][key] == told["micro"][key] for key in shared)


def test_the_library_gives_the_same(example, scores):
    """`evaluate` with the names of the command line."""
    found = scores(*example.line)
    assert caesura.evaluate(**as_arguments(example.line)).to_dict() == found


def text_of(found):
    return json.dumps(found, sort_keys=True)


def without_paths(text):
    """The JSON of a run on one document, without its name, the files and how they were read."""
    return {**json.loads(text.replace('"d1"', '"document"')), "sources": "", "signature": ""}
