"""Recipes of the docs with the real packages, where they are installed: batches are one run."""

import sys

import pyarrow as pa
import pytest

import caesura

TEXTS = [("it rained // we left", "it // rained we left"), ("so // they said", "so they // said")]
TABLE = pa.table({
    "id": [f"d{at}" for at in range(8)],
    "ours": [TEXTS[at % 2][0] for at in range(8)],
    "anna": [TEXTS[at % 2][at // 4] for at in range(8)],
    "ben": [TEXTS[at % 2][at % 3 == 0] for at in range(8)],
})  # fmt: skip


def count(table):
    return caesura.count_batch(table, references=["anna", "ben"])


def with_texts(table):
    """The table without dictionaries, which Spark and datasets do not have."""
    return table.cast(
        pa.schema(
            [(each.name, pa.string() if pa.types.is_dictionary(each.type) else each.type)
             for each in table.schema]
        )
    )  # fmt: skip


@pytest.fixture(scope="module")
def one():
    return caesura.merge([count(TABLE)]).to_dict()


def test_ray_data(one):
    ray = pytest.importorskip("ray", reason="ray is not installed")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        counted = ray.data.from_arrow(TABLE).map_batches(
            count, batch_format="pyarrow", batch_size=3
        )
        tables = [ray.get(each) for each in counted.to_arrow_refs()]
    finally:
        ray.shutdown()
    assert caesura.merge(tables).to_dict() == one


def test_spark(one, monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    pandas = pytest.importorskip("pyspark.sql.pandas.types")
    spark = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = spark.getOrCreate()
    schema = pandas.from_arrow_schema(with_texts(count(TABLE.slice(0, 1))).schema)

    def counted(batches):
        for batch in batches:
            yield from with_texts(count(pa.Table.from_batches([batch]))).to_batches()

    try:
        frame = spark.createDataFrame(TABLE.to_pandas()).repartition(3)
        found = frame.mapInArrow(counted, schema).toArrow()
    finally:
        spark.stop()
    assert caesura.merge([found]).to_dict() == one


def test_datasets(one):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    given = datasets.Dataset(TABLE).with_format("arrow")
    found = given.map(
        lambda table: with_texts(count(table)),
        batched=True, batch_size=3, remove_columns=TABLE.column_names,
    )  # fmt: skip
    assert caesura.merge([found.data.table]).to_dict() == one


@pytest.fixture
def saved(tmp_path):
    """The rows of a run, as a file of JSON lines."""
    ids, cells = TABLE["id"].to_pylist(), ("ours", "anna", "ben")
    for name in cells:
        (tmp_path / name).mkdir()
        for document, text in zip(ids, TABLE[name].to_pylist(), strict=True):
            (tmp_path / name / f"{document}.txt").write_text(text)
    ours, *theirs = (str(tmp_path / name) for name in cells)
    path = str(tmp_path / "rows.jsonl")
    caesura.evaluate(ours, theirs, rows=path)
    return path


def test_duckdb(one, saved):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    found = duckdb.sql(
        "SELECT reference, sum((counts->>'tp')::BIGINT) / "
        "sum((counts->>'tp')::BIGINT + (counts->>'fp')::BIGINT) AS p "
        f"FROM read_json('{saved}', format = 'newline_delimited', columns = {{system: 'VARCHAR', "
        "reference: 'VARCHAR', left_out: 'VARCHAR', measure: 'VARCHAR', counts: 'JSON'}) "
        "WHERE measure = 'boundary' AND left_out IS NULL AND system = 'ours' "
        "GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    scored = one["systems"][0]["by_reference"]
    assert dict(found) == {name: own["precision"] for name, own in scored.items()}


def test_polars(one, saved):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    texts = dict.fromkeys(["system", "reference", "left_out", "measure"], polars.String)
    numbers = {"counts": polars.Struct({"tp": polars.Int64, "fp": polars.Int64})}
    rows = polars.scan_ndjson(saved, schema=texts | numbers)
    rows = rows.filter(polars.col("measure") == "boundary", polars.col("system") == "ours")
    tp, fp = (polars.col("counts").struct.field(name).sum() for name in ("tp", "fp"))
    found = rows.group_by("reference").agg(p=tp / (tp + fp)).collect()
    scored = one["systems"][0]["by_reference"]
    assert dict(found.iter_rows()) == {name: own["precision"] for name, own in scored.items()}


def test_pandas(one, saved):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    rows = pandas.read_json(saved, lines=True).query("measure == 'boundary' and system == 'ours'")
    counts = pandas.json_normalize(rows.counts).set_index(rows.reference)
    found = counts.groupby(level=0).sum().eval("tp / (tp + fp)")
    scored = one["systems"][0]["by_reference"]
    assert found.to_dict() == {name: own["precision"] for name, own in scored.items()}
