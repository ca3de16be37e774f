"""Saved rows in other packages, as the docs have it, where these are installed."""

import pytest

import caesura

TEXTS = [("it rained // we left", "it // rained we left"), ("so // they said", "so they // said")]


@pytest.fixture
def saved(tmp_path):
    """The rows of a run, as a file of JSON lines, and the precision of its system."""

    def written(values):
        return {f"d{at}": caesura.document(TEXTS[at % 2][value]) for at, value in enumerate(values)}

    ours, anna = written([0] * 8), written(at // 4 for at in range(8))
    ben = written(at % 3 == 0 for at in range(8))
    path = tmp_path / "rows.jsonl"
    found = caesura.evaluate({"ours": ours}, {"anna": anna, "ben": ben}, rows=path)
    scored = found.systems["ours"].by_reference
    return str(path), {name: own["precision"] for name, own in scored.items()}


def test_polars(saved):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    path, precision = saved
    texts = dict.fromkeys(["system", "reference", "left_out", "measure"], polars.String)
    numbers = {"counts": polars.Struct({"tp": polars.Int64, "fp": polars.Int64})}
    rows = polars.scan_ndjson(path, schema=texts | numbers)
    rows = rows.filter(polars.col("measure") == "boundary", polars.col("system") == "ours")
    tp, fp = (polars.col("counts").struct.field(name).sum() for name in ("tp", "fp"))
    found = rows.group_by("reference").agg(p=tp / (tp + fp)).collect()
    assert dict(found.iter_rows()) == precision


def test_pandas(saved):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    path, precision = saved
    rows = pandas.read_json(path, lines=True).query("measure == 'boundary' and system == 'ours'")
    counts = pandas.json_normalize(rows.counts).set_index(rows.reference)
    assert counts.groupby(level=0).sum().eval("tp / (tp + fp)").to_dict() == precision
