"""Archives, tables and URLs: the documents of a folder, packed in other ways, score the same.

What is damaged in other ways than here is in the corpus of the fuzzer.
"""

import gzip
import io
import json
import re
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from caesura.errors import CaesuraError, FormatError, SourceError
from caesura.formats.transcripts import read
from caesura.io.column_files import BoundaryCell, read_cell
from caesura.io.files import read_bytes, size_of, stem, suffix_of
from caesura.io.packed import members, sound
from caesura.io.paths import Member
from caesura.run.inputs import Source, match

DOCUMENTS = {
    "d1": b"so it rained\na lot\n",
    "d2": "“Über” 日本\nja\n".encode(),
    "d10": b"well\nyes it did\nrain\n",
}


def packed(path, documents=DOCUMENTS, suffix=".txt"):
    """Write documents as a tar or a zip archive."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in documents.items():
                archive.writestr(f"in/{name}{suffix}", data)
        return path
    mode = {".gz": "w:gz", ".tgz": "w:gz", ".xz": "w:xz"}.get(path.suffix, "w")
    with tarfile.open(path, mode) as archive:
        archive.addfile(_info("in", 0, tarfile.DIRTYPE))
        for name, data in documents.items():
            archive.addfile(_info(f"in/{name}{suffix}", len(data)), io.BytesIO(data))
        archive.addfile(_info("in/.hidden", 0))
    return path


def _info(name, size, kind=tarfile.REGTYPE):
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info


NAMES = ["x.tar", "x.tar.gz", "x.tgz", "x.tar.xz", "x.zip"]


def contents(source):
    return {name: read_bytes(path) for name, path in source.documents.items()}


@pytest.mark.parametrize("name", NAMES)
def test_members_are_documents(tmp_path, name):
    source = Source.parse(str(packed(tmp_path / name)))
    assert (source.name, list(source.documents)) == ("x", list(DOCUMENTS))
    assert contents(source) == DOCUMENTS
    for document, path in source.documents.items():
        assert (stem(path), suffix_of(path)) == (document, ".txt")
        assert size_of(path) == len(DOCUMENTS[document])
        assert str(Member.from_path(path)) == path
    assert sum(case.weight for case in match([], [source])) == sum(map(len, DOCUMENTS.values()))


def test_compressed_members_and_none(tmp_path):
    documents = {name: gzip.compress(data) for name, data in DOCUMENTS.items()}
    source = Source.parse(str(packed(tmp_path / "x.tar", documents, ".txt.gz")))
    assert contents(source) == DOCUMENTS
    with pytest.raises(SourceError, match="contains no documents"):
        Source.parse(str(packed(tmp_path / "x.zip", {})))


def test_a_glob_of_shards(tmp_path):
    packed(tmp_path / "a1.tar", {"d1": DOCUMENTS["d1"]})
    packed(tmp_path / "a2.tar", {"d2": DOCUMENTS["d2"]})
    source = Source.parse(f"S={tmp_path}/a*.tar")
    assert list(source.documents) == ["d1", "d2"]
    packed(tmp_path / "a3.zip", {"d2": DOCUMENTS["d2"]})
    with pytest.raises(SourceError, match="a second document named 'd2'"):
        Source.parse(f"S={tmp_path}")


@pytest.mark.parametrize("name", NAMES)
def test_an_archive_that_is_broken(tmp_path, name):
    whole = packed(tmp_path / name).read_bytes()
    path = tmp_path / f"broken{''.join(Path(name).suffixes)}"
    for data in (b"no archive at all" * 100, whole[: 1300 if name == "x.tar" else len(whole) // 2]):
        path.write_bytes(data)
        with pytest.raises((FormatError, SourceError), match=re.escape(str(path))):
            contents(Source.parse(str(path)))


def test_a_member_that_is_damaged(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.txt", "so it rained all night\n" * 9)
    data = path.read_bytes()
    path.write_bytes(data[:39] + b"\xff" * 21 + data[60:])
    with pytest.raises(
        FormatError, match=r"x\.zip!@0\+207/a\.txt: not a valid archive .*pack it ag"
    ):
        contents(Source.parse(str(path)))


def test_a_name_that_claims_gigabytes_takes_no_memory(tmp_path):
    path, info = tmp_path / "x.tar", _info("a.txt", 0o77777777777, tarfile.GNUTYPE_LONGNAME)
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + b"so it" + bytes(507))
    tracemalloc.start()
    with pytest.raises(FormatError, match=r"x\.tar: not a valid archive"):
        Source.parse(str(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 24


def test_a_member_that_was_cut_off(tmp_path):
    path = packed(tmp_path / "x.tar")
    last = members(str(path))[-1]
    path.write_bytes(path.read_bytes()[: last.at + 3])
    for member in (str(last), f"{path}!@0+{2**87}/a.txt"):
        with pytest.raises(FormatError, match="the file is truncated"):
            read_bytes(member)


ROWS = [
    {"document": "d1", "text": "so it rained\na lot", "anna": "so it\nrained a lot"},
    {"document": "d2", "text": "yes // well // no", "anna": "yes well // no"},
]
UNITS = [
    {"document": "d1", "words": ["So", "it", "rained,", "a", "lot."], "S": [2, 4], "R": [1]},
    {"document": "d2", "words": ["yes", "no"], "S": [], "R": [0]},
]


def table(path, rows):
    """Write rows as Parquet, in groups of one, or as JSON lines."""
    if path.suffix == ".parquet":
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        types = [("document", arrow.string()), ("words", arrow.list_(arrow.string()))]
        types += [(name, arrow.list_(arrow.int64())) for name in ("S", "R")]
        schema = arrow.schema(types) if rows is UNITS else None
        written = arrow.Table.from_pylist(rows, schema=schema)
        parquet.write_table(written, path, row_group_size=1)
    else:
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return str(path)


TABLES = ["t.parquet", "t.jsonl"]


@pytest.mark.parametrize("name", TABLES)
def test_columns_of_text(tmp_path, name):
    path = table(tmp_path / name, ROWS)
    for who, column in (("S", "text"), ("anna", "anna")):
        source = Source.parse(f"{who}={path}")
        assert list(source.documents) == ["d1", "d2"]
        for row in ROWS:
            assert read_bytes(source.documents[row["document"]]).decode() == row[column]
            assert size_of(source.documents[row["document"]]) > 0
    assert read(source.documents["d1"]).segmentation.masses.tolist() == [2, 3]


@pytest.mark.parametrize("name", TABLES)
def test_columns_of_boundaries(tmp_path, name):
    path = table(tmp_path / name, UNITS)
    source = Source.parse(f"S={path}")
    first, second = (read(each) for each in source.documents.values())
    assert first.words == ["so", "it", "rained", "a", "lot"]
    assert first.segmentation.boundaries.tolist() == [2, 4]
    assert second.segmentation.boundaries.tolist() == [1]
    assert first.form == "columns"
    with pytest.raises(FormatError, match="contains boundaries, not text"):
        read_bytes(source.documents["d1"])


def test_boundaries_are_seen_where_arrow_has_them(tmp_path):
    source = Source.parse(f"S={table(tmp_path / 't.parquet', UNITS)}")
    cell = read_cell(Member.from_path(source.documents["d1"]))
    assert isinstance(cell, BoundaryCell)
    assert cell.boundaries.base is not None
    assert not cell.boundaries.flags.owndata


NO_NUMBERS = "neither a text nor whole numbers"
NO_WORDS = "'words' is not a list of words"
WRONG = {
    "no words": ({"boundaries": [0]}, "boundaries without words; add a column"),
    "beyond the end": ({"boundaries": [7], "length": 3}, "a boundary at 7 on 3 items"),
    "fractions": ({"boundaries": [0.5], "length": 3}, NO_NUMBERS),
    "one number": ({"S": 3, "length": 3}, NO_NUMBERS),
    "marks among words": ({"S": [0], "words": ["a", "--", "!"]}, "3 entries of the list"),
    "numbers as words": ({"S": [0], "words": [1, 2]}, NO_WORDS),
    "a number of words": ({"S": [0], "words": 3}, NO_WORDS),
    "no word": ({"S": [0], "words": ["a", None]}, NO_WORDS),
    "other": ({"other": "a"}, "no column 'S', 'text', 'boundaries' or 'scores'"),
}
WRONG_JSON = {
    "lists": ({"S": [[0], [1, 2]], "length": 3}, NO_NUMBERS),
    "too large": ({"S": [2**63], "length": 3}, "a boundary at 92233720368547"),
    "half a character": ({"S": "so \ud800 it"}, r"a lone surrogate (\ud800)"),
    "half a word": ({"S": [0], "words": ["\udfff"]}, r"a lone surrogate (\udfff)"),
    "a huge length": ({"S": [0], "length": 10**30}, "a document has at most 1,000,000,000,000"),
    "a length that is none": ({"S": [0], "length": True}, "boundaries without words"),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("row", "message"), WRONG.values(), ids=WRONG)
def test_rows_that_are_wrong(tmp_path, name, row, message):
    path = table(tmp_path / name, [{"document": "d1", **row}])
    assert refused(path).startswith(path)
    assert message in refused(path)


def test_a_parquet_table_names_its_documents(tmp_path):
    path = table(tmp_path / "t.parquet", [{"S": "so it"}])
    assert refused(path) == f"{path}: no column 'document'; name the documents in that column"


@pytest.mark.parametrize(("row", "message"), WRONG_JSON.values(), ids=WRONG_JSON)
def test_lines_with_wrong_values(tmp_path, row, message):
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"document": "d1", **row}))
    assert message in refused(path)


def refused(path):
    with pytest.raises(FormatError) as error:
        [read(each) for each in Source.parse(f"S={path}").documents.values()]
    return str(error.value)


@pytest.mark.parametrize("name", TABLES)
def test_two_rows_of_one_document(tmp_path, name):
    path = table(tmp_path / name, [{"document": "d1", "text": each} for each in "ab"])
    with pytest.raises(SourceError, match="a second document"):
        Source.parse(f"S={path}")


def test_a_row_that_is_wrong_is_left_out(folder, run):
    place = folder()
    rows = [{"document": "d0", "text": "so it"}, {"document": "d1", "S": [2**63], "length": 3}]
    table(place / "s.jsonl", rows)
    table(place / "r.jsonl", [{"document": name, "text": "so it"} for name in ("d0", "d1")])
    how = "S=s.jsonl --ref R=r.jsonl -f json --keep-going".split()
    status, out, errors = run("transcript", *how)
    assert (status, json.loads(out)["documents"]) == (1, ["d0"])
    assert "1 of 2 documents left out" in errors
    assert f"s.jsonl!S@{len(json.dumps(rows[0])) + 1}+" in errors


@pytest.mark.parametrize("name", [None, True, ["d"], "\ud800"])
def test_documents_without_a_name(tmp_path, name):
    path = tmp_path / "t.jsonl"
    path.write_text(f'{{"document": "d0", "text": "a"}}\n{json.dumps({"document": name})}\n')
    with pytest.raises(FormatError, match=re.escape(f"{path}:2: ")):
        Source.parse(f"S={path}")


def test_lines_that_are_no_rows(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"document": "a", "text": "b"}\n\n{"document": "c"\n')
    with pytest.raises(FormatError, match=r'jsonl:3: no object with "document"'):
        Source.parse(f"S={path}")
    path.write_text('{"schema": "transcript", "version": 1}\n{"text": "yes"}\n')
    assert Source.parse(str(path)).documents is None


def test_a_parquet_file_that_is_none(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "t.parquet").write_bytes(b"PAR1 and nothing")
    with pytest.raises(FormatError, match="not a valid Parquet file"):
        Source.parse(str(tmp_path / "t.parquet"))


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(SourceError, match=r"pip install 'caesura-eval\[columns\]'"):
        Source.parse(str(tmp_path / "t.parquet"))


@pytest.fixture
def memory():
    """A folder of documents in memory, an archive and a table beside it."""
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    for name, data in DOCUMENTS.items():
        files.pipe(f"/corpus/docs/{name}.txt", data)
    files.pipe("/corpus/docs/.hidden", b"")
    yield files
    files.rm("/corpus", recursive=True)


@pytest.mark.parametrize("place", ["docs", "docs/", "d*/*.txt", *NAMES])
def test_folders_patterns_and_archives_at_urls(memory, tmp_path, place):
    if place in NAMES:
        memory.pipe(f"/corpus/{place}", packed(tmp_path / place).read_bytes())
    assert contents(Source.parse(f"S=memory://corpus/{place}")) == DOCUMENTS


@pytest.mark.parametrize("name", TABLES)
def test_tables_at_urls(memory, tmp_path, name):
    memory.pipe(f"/corpus/{name}", Path(table(tmp_path / name, ROWS)).read_bytes())
    source = Source.parse(f"S=memory://corpus/{name}")
    assert read_bytes(source.documents["d2"]) == b"yes // well // no"
    source = Source.parse(f"S=file://{tmp_path}/{name}")
    assert read_bytes(source.documents["d2"]) == b"yes // well // no"


@pytest.mark.slow
@pytest.mark.parametrize("task", ["transcript", "text"])
@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_scores_do_not_depend_on_how_documents_are_kept(tmp_path, run, monkeypatch, task, engine):
    monkeypatch.chdir(tmp_path)
    gold = {name: data.replace(b"\n", b" ", 1) for name, data in DOCUMENTS.items()}
    for who, documents in (("s", DOCUMENTS), ("g", gold)):
        Path(who).mkdir()
        for name, data in documents.items():
            Path(who, f"{name}.txt").write_bytes(data)
        packed(Path(f"{who}.tar"), documents)
        packed(Path(f"{who}.zip"), documents)
        packed(Path(f"{who}.tar.gz"), documents)
        rows = [{"document": name, "text": data.decode()} for name, data in documents.items()]
        table(Path(f"{who}.parquet"), rows)
        table(Path(f"{who}.jsonl"), rows)
    option = "--ref" if task == "transcript" else "--gold"
    found = {
        run(task, f"S=s{kind}", option, f"G=g{kind}", "-f", "json", "--engine", engine, "-j", "2")
        for kind in ("", ".tar", ".zip", ".tar.gz", ".parquet", ".jsonl")
    }
    ((status, out, errors),) = found
    assert (status, errors) == (0, "")
    assert json.loads(out)["documents"] == list(DOCUMENTS)


def test_faults_of_decoders_are_errors_of_ours():
    def fails(fault):
        with pytest.raises(CaesuraError) as error, sound("x", "not a valid x", "write it again"):
            raise fault
        return type(error.value).__name__, str(error.value)

    invalid = "FormatError", "x: not a valid x (boom); write it again"
    assert fails(ValueError("boom\n more")) == invalid
    assert fails(OSError("boom")) == invalid
    assert fails(KeyError())[1] == "x: not a valid x (KeyError); write it again"
    assert fails(PermissionError(13, "Permission denied"))[0] == "SourceError"
    assert fails(MemoryError())[1].startswith("x: does not fit in memory; ")
