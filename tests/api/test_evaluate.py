"""caesura.evaluate: the one way in, with all that the command line can do."""

import json
import math

import pytest

import caesura
from caesura.errors import CaesuraError, UsageError
from support.paths import SAMPLE

SYSTEMS = {name: SAMPLE / f"{name}.txt" for name in ("rules", "neural")}
REFERENCES = {name: SAMPLE / f"{name}.txt" for name in ("ann1", "ann2", "ann3")}
OURS, THEIRS = ["so it rained", "all night", "yes"], ["so", "it rained all night", "yes"]
MOMENTS = caesura.times([1.5], duration=5)
PHONES = [("f", 0, 0.2, "a"), ("f", 0.2, 0.4, "b"), ("g", 0, 0.2, "a"), ("g", 0.2, 0.4, "b")]
WORDS = [("f", 0, 0.4, "ab"), ("g", 0, 0.4, "ab")]
FOUND = {"1": [("f", 0, 0.4), ("g", 0, 0.4)]}


@pytest.fixture(scope="module")
def sample():
    return caesura.evaluate(SYSTEMS, REFERENCES)


def test_scores_are_attributes_under_the_keys_of_json(sample):
    neural = sample.systems["neural"]
    told = next(each for each in sample.to_dict()["systems"] if each["name"] == "neural")
    for key, value in told["micro"].items():
        assert getattr(neural, key) == neural[key] == (math.nan if value is None else value) or (
            value is None and math.isnan(neural[key])
        )
    assert neural.by_reference["ann1"]["tp"] == told["by_reference"]["ann1"]["tp"]
    assert set(told) <= set(dir(neural)) == {"name", *neural}
    assert sample.agreement.fleiss_kappa == sample.to_dict()["agreement"]["fleiss_kappa"]
    with pytest.raises(AttributeError, match="no score 'wisbe'; did you mean wisebe"):
        neural.wisbe  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean f1_mean"):
        neural.f1  # noqa: B018
    with pytest.raises(AttributeError):
        neural._private  # noqa: B018


def test_documents_in_memory():
    found = caesura.evaluate({"s": OURS}, {"r": THEIRS}).systems["s"]
    assert (found.by_reference["r"]["tp"], found.by_reference["r"]["fp"]) == (1, 1)
    many = caesura.evaluate({"s": {"d1": OURS, "d2": THEIRS}}, {"r": {"d1": OURS, "d2": THEIRS}})
    assert many.summary.documents == ("d1", "d2")
    assert many.systems["s"].f1_mean == 1
    assert many.systems["s"].by_document["d2"]["f1_mean"] == 1


def test_documents_in_memory_beside_files(tmp_path):
    (tmp_path / "r.txt").write_text("\n".join(THEIRS))
    found = caesura.evaluate({"s": OURS}, {"r": tmp_path / "r.txt"})
    assert found.systems["s"].recall_mean == 0.5


def test_documents_in_memory_go_to_other_processes():
    ours = {f"d{at}": OURS for at in range(4)}
    theirs = {f"d{at}": THEIRS for at in range(4)}
    here = caesura.evaluate({"s": ours}, {"r": theirs})
    there = caesura.evaluate({"s": ours}, {"r": theirs}, jobs=2, engine="processes")
    assert there.rows == here.rows


def test_text():
    ours = caesura.evaluate({"s": [["a", "b", "c", "."]]}, gold=[["a", "b", "."]])
    assert ours.summary.references == ("gold",)
    assert (ours.systems["s"].tokens["f1"], ours.systems["s"].token_tp) == (6 / 7, 3)
    lines = caesura.evaluate({"s": ["a b c ."]}, gold=["a b ."], equivalences="none")
    assert lines.systems["s"].token_f1 == ours.systems["s"].token_f1


def test_terms():
    found = caesura.evaluate({"s": FOUND}, phones=PHONES, words=WORDS)
    assert found.systems["s"].token["f1"] == found.systems["s"].token_f1 == 1
    assert found.systems["s"].ned == 0
    again = caesura.evaluate({"s": FOUND, "t": FOUND}, phones=PHONES, words=WORDS, parts=2)
    assert again.systems["t"].parts["mean"]["token_f1"] == 1


@pytest.mark.parametrize(
    ("sides", "options", "message"),
    [
        (({"s": OURS},), {}, "no references; give at least one"),
        (({"s": OURS}, {"s": OURS, "r": OURS}), {}, "used twice"),
        (({"s": OURS}, {"r": OURS}), {"widow": 1}, "mean window"),
        (({"s": [["a"]]},), {"gold": [["a"]], "widow": "x"}, "unknown option"),
        (({"s": OURS}, {"r": OURS}), {"profile": "x"}, "profile"),
        (({"s": OURS}, {"r": OURS}), {"window": "x"}, "neither"),
        (({"s": OURS}, {"r": OURS}), {"seed": -1}, "0 or more"),
        (({"s": OURS}, {"r": OURS}), {"level": 1}, "level cannot be 1; choose one between 0"),
        (({"s": OURS}, {"r": OURS}), {"marks": [".", "?"]}, "marks must be one text"),
        (({1: OURS}, {"r": OURS}), {}, "1 is not a name"),
        (({"s": {1: OURS}}, {"r": {1: OURS}}), {}, "not a name"),
        (({"s": FOUND},), {"phones": PHONES}, "both phones and words"),
    ],
)
def test_options_and_names_that_cannot_be(sides, options, message):
    with pytest.raises(UsageError, match=message):
        caesura.evaluate(*sides, **options)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: caesura.compare([], [], seed=-1), UsageError, "0 or more"),
        (lambda: caesura.document("a. b", marks=["."]), UsageError, "marks must be one text"),
        (lambda: caesura.positions([1], length=10**19), CaesuraError, "length cannot be"),
        (lambda: caesura.masses([2**62, 2**62]), CaesuraError, "length cannot be"),
        (lambda: caesura.tolerant(MOMENTS, MOMENTS, tolerance=float("nan")), UsageError, "nan"),
    ],
)
def test_values_that_cannot_be(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_comparisons(sample):
    found = sample.compare("neural", resamples=100)
    assert found.comparisons[0].systems == ("rules", "neural")


def test_rows_are_saved_for_compare_and_report(sample, tmp_path, run):
    sample.save(str(tmp_path / "rows.jsonl"), with_text=True)
    status, out, _ = run("compare", str(tmp_path / "rows.jsonl"), "-f", "json")
    assert (status, json.loads(out)["of"]) == (0, "transcript")
    saved, page = tmp_path / "saved.html", tmp_path / "page.html"
    assert run("report", tmp_path / "rows.jsonl", "-o", saved)[0] == 0
    assert saved.read_text() == sample.html(str(page)) == page.read_text()


def test_a_frame(sample):
    frame = sample.to_frame()
    assert list(frame["system"]) == ["rules"] * 3 + ["neural"] * 3
    assert list(frame["document"][:2]) == ["(micro)", "(macro)"]
    assert frame["wisebe"][3] == sample.systems["neural"].wisebe


def test_a_notebook_shows_tables(sample):
    text = sample._repr_html_()
    assert text.count("<table>") == len(sample.page().tables)
    assert "<b>.417</b>" in text
    assert 'title="F1 over windows × agreement of the references."' in text


@pytest.mark.parametrize("name", ["rows.jsonl", "rows-{shard}.jsonl"])
def test_paths_of_rows_may_be_objects(tmp_path, name):
    found = caesura.evaluate({"s": OURS}, {"r": THEIRS}, rows=tmp_path / name, shard="1/1")
    found.save(tmp_path / "saved.jsonl")
    written = (tmp_path / name.format(shard="1-of-1")).read_text().splitlines()
    assert written[1:2] == (tmp_path / "saved.jsonl").read_text().splitlines()[1:2]


def test_seconds_may_be_computed():
    """A float is in seconds where times are compared; 0.1 × 12 has no short decimal form."""
    far = caesura.times([2.7], duration=5)
    assert caesura.tolerant(far, MOMENTS, tolerance=0.1 * 12).f1 == 1
    assert caesura.tolerant(far, MOMENTS, tolerance=1.1).f1 == 0
    found = caesura.evaluate(far, MOMENTS, axis="time", tolerance=0.1 * 12)
    assert "|tolerance:1.2s" in found.signature
