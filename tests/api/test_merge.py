"""Shards and batches: merged, they are what one run is."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import CaesuraError, UsageError
from caesura.run.given import Content
from caesura.run.shards import Shard, hash_of
from support.every_task import DOCUMENTS, EXAMPLES, plain
from support.hypothesis_settings import FEW

STATISTICS = ("--confidence", "--compare", "--resamples", "20")
ONE_RUN = {name: (example, ()) for name, example in EXAMPLES.items() if name != "terms"}
ONE_RUN["by unit"] = (EXAMPLES["transcript"], STATISTICS)


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    EXAMPLES["transcript"].write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("task", ONE_RUN)
def test_merged_shards_are_one_run(task, run, tmp_path, monkeypatch):
    """Tables, JSON and report have the same bytes, also where a shard is empty."""
    example, how = ONE_RUN[task]
    example.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    details = [] if task == "agreement" else ["--by-document"]
    one = run(*example.line, *how, *details, "--html", "one.html")
    as_json = run(*example.line, *how, "-f", "json")
    assert one[0] == 0, one[2]
    for number in (1, 2, 3, 4, 5):
        rows = "r-{shard}.jsonl.gz" if number % 2 else "r-{shard}.jsonl"
        shard = ["--shard", f"{number}/5", "--rows", rows, "--with-text"]
        assert run(*example.line, *shard)[0] == 0
    files = sorted(str(path) for path in tmp_path.glob("r-*"))
    assert len(files) == 5
    merged = run("merge", *files, *how, *details, "--html", "merged.html")
    assert merged[:2] == one[:2], merged[2]
    assert run("merge", *reversed(files), *how, "-f", "json")[1] == as_json[1]
    assert (tmp_path / "merged.html").read_text() == (tmp_path / "one.html").read_text()


def test_what_has_no_shards(run, folder):
    gold = {"t.phn": "r1 0.0 1.0 a\n", "t.wrd": "r1 0.0 1.0 one\n"}
    folder(s="a\nb", r="a b", **{"t.class": "Class 1\nr1 0.0 1.0\n\n"}, **gold)
    terms = ("terms", "t.class", "--phones", "t.phn", "--words", "t.wrd")
    best = ("transcript", "s.txt", "--ref", "r.txt", "--threshold", "best")
    for line, problem in (
        (terms, "whose classes span its recordings"),
        (best, "--threshold best looks at all documents, --shard at some; give a number"),
    ):
        status, out, error = run(*line, "--shard", "1/2", "--rows", "r.jsonl")
        assert (status, out) == (2, "")
        assert problem in error
        assert not Path("r.jsonl").exists()
    one = run(*terms, "--rows", "whole.jsonl")
    assert one[0] == 0
    assert run("merge", "whole.jsonl", "--by-document")[:2] == one[:2]


LINE = ["transcript", "s1", "s2", "--ref", "a", "--ref", "b"]


def sharded(run, number, *more, name="r"):
    for at in range(1, number + 1):
        run(*LINE, "--shard", f"{at}/{number}", "--rows", f"{name}-{{shard}}.jsonl", *more)
    return [f"{name}-{at}-of-{number}.jsonl" for at in range(1, number + 1)]


@pytest.mark.parametrize(
    ("chosen", "problem"),
    [
        (lambda three, _: three[:2], "shard 3/3 is missing; make the rows with --shard 3/3"),
        (lambda three, _: [*three, three[1]], "are both shard 2/3; drop one"),
        (lambda three, two: [*three[:2], two[0]], "o-1-of-2.jsonl is 1/2, where r-1-of-3.jsonl is"),
        (lambda three, _: [*three[:2], "all.jsonl"], "all.jsonl is not of the run of"),
        (lambda three, _: [*three[:2], "moved.jsonl"], "is not of shard 3/3"),
        (lambda three, _: [*three[:2], "w.jsonl"], "w.jsonl is not of the run of r-1-of-3.jsonl"),
    ],
)
@pytest.mark.usefixtures("corpus")
def test_shards_that_do_not_fit_are_named(run, chosen, problem):
    three, two = sharded(run, 3), sharded(run, 2, name="o")
    run(*LINE, "--rows", "all.jsonl")
    run(*LINE, "--shard", "3/3", "--rows", "w.jsonl", "--window", "4")
    moved = Path(three[1]).read_text().replace('"shard": "2/3"', '"shard": "3/3"')
    Path("moved.jsonl").write_text(moved)
    status, out, error = run("merge", *chosen(three, two))
    assert (status, out) == (1 if "not of shard" in problem else 2, "")
    assert problem in error


def test_shards_of_a_parquet_table(corpus):
    """Documents are its rows, in two row groups; one of the shards has none of them."""
    columns = {
        who: [plain(at, number) for at in range(3)] for number, who in enumerate(("s", "a", "b"))
    }
    pq.write_table(pa.table({"document": ["d 0", "d 1", "d 2"], **columns}), "all.parquet", 2)
    given = {"systems": ["s=all.parquet"], "references": ["a=all.parquet", "b=all.parquet"]}
    paths = [f"{at}.jsonl" for at in range(1, 6)]
    for at, path in enumerate(paths, 1):
        caesura.evaluate(**given, input="lines", rows=path, shard=f"{at}/5")
    assert caesura.merge(paths).to_dict() == caesura.evaluate(**given, input="lines").to_dict()


def test_hashes_are_the_same_everywhere():
    """A shard is counted on another machine, perhaps by another version."""
    assert [hash_of(name) for name in ("d1", "größe")] == [
        10039477529245159366,
        15227693328794890239,
    ]


def batch(documents=DOCUMENTS):
    """A table of documents: an id, two systems and two references."""
    ids = [DOCUMENTS.index(name) for name in documents]
    columns = {"s1": 1, "s2": 2, "a": 0, "b": 1}
    cells = {name: [plain(at, who) for at in ids] for name, who in columns.items()}
    return pa.table({"id": documents, **cells})


def by_name(column):
    """The documents of a column as values in memory."""
    return {
        n: Content(text) for n, text in zip(DOCUMENTS, batch()[column].to_pylist(), strict=True)
    }


HOW = {"references": ["a", "b"], "input": "lines"}


def test_batches_are_one_run():
    """However documents are divided, and even if an engine drops the metadata of tables."""
    theirs, ours = ({name: by_name(name) for name in side} for side in ("ab", ("s1", "s2")))
    one = caesura.evaluate(ours, theirs, input="lines").to_dict()
    parts = [batch(some) for some in (DOCUMENTS[3:], DOCUMENTS[:1], DOCUMENTS[1:3])]
    tables = [caesura.count_batch(part, **HOW) for part in parts]
    assert caesura.merge(tables).to_dict() == one
    together = pa.concat_tables(tables).replace_schema_metadata(None)
    texts = pa.schema([(f.name, pa.string() if pa.types.is_dictionary(f.type) else f.type)
                       for f in together.schema])  # fmt: skip
    assert caesura.merge([together.cast(texts)]).to_dict() == one
    assert tables[0].schema == tables[1].schema


def test_batches_of_text():
    table = batch()
    found = caesura.merge([caesura.count_batch(table, task="text", systems="s1", gold="a")])
    one = caesura.evaluate({"s1": by_name("s1")}, gold={"a": by_name("a")}, task="text")
    assert found.to_dict() == one.to_dict()


def test_bad_batches():
    with pytest.raises(UsageError, match="no column 'c'; the table has id, s1"):
        caesura.count_batch(batch(), references=["c"])
    table = caesura.count_batch(batch(), **HOW)
    with pytest.raises(UsageError, match="the document 'd1' is in"):
        caesura.merge([table, table])
    with pytest.raises(CaesuraError, match="no column 'document', so not a rows file"):
        caesura.merge([batch()])
    with pytest.raises(CaesuraError, match="is there twice, or missing"):
        caesura.merge([table.slice(0, table.num_rows - 1)])
    with pytest.raises(UsageError, match="no rows to merge"):
        caesura.merge([])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_COUNT": "4"},
         "3/4"),
        ({"RANK": "0", "WORLD_SIZE": "2"}, "1/2"),
        ({"JOB_COMPLETION_INDEX": "3"}, "4/8"),
    ],
)  # fmt: skip
def test_shards_of_job_arrays(given, told, monkeypatch):
    for name in ("SLURM_ARRAY_TASK_ID", "SLURM_PROCID", "RANK", "JOB_COMPLETION_INDEX"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="none of SLURM_ARRAY_TASK_ID"):
        Shard.parse("auto")
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert str(Shard.parse("auto/8" if told == "4/8" else "auto")) == told


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "x/2", "1/0", "1/2/3"])
def test_bad_shards(shard):
    with pytest.raises(UsageError, match="is not I/N with I from 1 to N"):
        Shard.parse(shard)


@FEW
@given(st.lists(st.text(min_size=1), unique=True, max_size=30), st.integers(1, 9))
def test_every_document_is_of_one_shard(names, shards):
    each = [Shard.parse(f"{at}/{shards}") for at in range(1, shards + 1)]
    assert all(sum(own.takes(name) for own in each) == 1 for name in names)


@pytest.mark.usefixtures("corpus")
def test_a_shard_that_was_stopped_resumes(run):
    whole = run(*LINE, "-f", "json")[1]
    *_, last = filter(Shard.parse("1/2").takes, DOCUMENTS)
    bad = Path(f"s1/{last}.txt")
    good = bad.read_text()
    bad.write_text("other words\n")
    files = sharded(run, 2)
    unfinished = f"error: {files[0]}: unfinished; continue with --resume\n"
    assert run("merge", *files) == (1, "", unfinished)
    bad.write_text(good)
    sharded(run, 2, "--resume")
    assert run("merge", *files, "-f", "json")[1] == whole


@pytest.mark.parametrize("sides", ["transcript s1 --ref a --ref b --ref c", "agreement a b c"])
def test_annotators_that_vary(run, corpus, sides):
    """Shards in which an annotator has no document, and empty ones."""
    for name, own in {"b": DOCUMENTS[:3], "c": DOCUMENTS[-1:]}.items():
        for document in {*DOCUMENTS} - {*own}:
            (corpus / name / f"{document}.txt").unlink()
    line = [*sides.split(), "--missing", "vary"]
    files = [f"{at}.jsonl" for at in range(1, 9)]
    for at, rows in enumerate(files, 1):
        status, _, error = run(*line, "--shard", f"{at}/8", "--rows", rows, "--with-text")
        assert status == 0, error
    documents = [Path(path).read_text().count('{"done": ') for path in files]
    assert sum(documents) == len(DOCUMENTS)
    assert 0 in documents
    assert run("merge", *files, "-f", "json")[1] == run(*line, "-f", "json")[1]
    one, merged = (run(*each, "--html", "p.html")[1] for each in (line, ["merge", *files]))
    assert one == merged
