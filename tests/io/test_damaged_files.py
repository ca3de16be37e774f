"""Damaged and hostile tables and archives: an error with the file and the row or member."""

import io
import json
import re
import tarfile
import tracemalloc
import zipfile
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caesura.errors import CaesuraError, FormatError, SourceError
from caesura.formats.transcripts import read
from caesura.io.decoding_errors import sound
from caesura.run.inputs import Source

GOOD = {"document": "d0", "text": "so it\nrained"}
BAD_ROWS = {
    "numbers as words": ({"S": [0], "words": [1, 2]}, "'words' is not a list of words"),
    "a number of words": ({"S": [0], "words": 3}, "'words' is not a list of words"),
    "ragged boundaries": ({"S": [[0], [1, 2]], "length": 3}, "neither a text nor whole numbers"),
    "nested boundaries": ({"S": [[0], [1]], "length": 3}, "neither a text nor whole numbers"),
    "boundaries that are too large": ({"S": [2**63], "length": 3}, "a boundary at 92233720368547"),
    "a lone surrogate": ({"S": "so \ud800 it"}, r"a lone surrogate (\ud800)"),
    "a lone surrogate in words": ({"S": [0], "words": ["\udfff"]}, r"a lone surrogate (\udfff)"),
    "a huge length": ({"S": [0], "length": 10**30}, "a document has at most 1,000,000,000,000"),
    "a length that is none": ({"S": [0], "length": True}, "boundaries without words"),
}


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def read_all(path):
    source = Source.parse(f"S={path}")
    return [read(each) for each in (source.documents or {"": source.path}).values()]


@pytest.mark.parametrize("row", BAD_ROWS)
def test_bad_rows(tmp_path, row):
    fields, message = BAD_ROWS[row]
    path = lines(tmp_path / "t.jsonl", GOOD, {"document": "d1", **fields})
    with pytest.raises(FormatError, match=re.escape(message)) as error:
        read_all(path)
    assert str(error.value).startswith(f"{path}!S@{len(json.dumps(GOOD)) + 1}+")


@pytest.mark.parametrize("row", BAD_ROWS)
def test_bad_rows_are_left_out(folder, run, tmp_path, row):
    folder()
    fields = BAD_ROWS[row][0]
    lines(tmp_path / "s.jsonl", GOOD, {"document": "d1", **fields})
    lines(tmp_path / "r.jsonl", GOOD, {"document": "d1", "text": "so it"})
    how = "S=s.jsonl --ref R=r.jsonl -f json --keep-going".split()
    status, out, errors = run("transcript", *how)
    assert status == 1
    assert json.loads(out)["documents"] == ["d0"]
    assert "1 of 2 documents left out" in errors


@pytest.mark.parametrize("name", [None, True, ["d"], "\ud800"])
def test_documents_without_a_name(tmp_path, name):
    path = lines(tmp_path / "t.jsonl", GOOD, {"document": name, "text": "a"})
    with pytest.raises(FormatError, match=re.escape(f"{path}:2: ")):
        Source.parse(f"S={path}")


@pytest.fixture
def parquet():
    return pytest.importorskip("pyarrow.parquet")


def test_damaged_parquet(tmp_path, parquet):
    import pyarrow

    path = tmp_path / "t.parquet"
    names = [f"document {number}" for number in range(50)]
    table = pyarrow.table({"document": names, "text": ["so it rained"] * 50})
    parquet.write_table(table, path)
    whole = path.read_bytes()
    for at in (10, 200, 400):
        path.write_bytes(whole[:at] + b"\xff" * 150 + whole[at + 150 :])
        with pytest.raises((FormatError, SourceError), match=re.escape(str(path))):
            read_all(path)


def test_parquet_columns_of_other_types(tmp_path, parquet):
    import pyarrow

    for words in ([[1]], [1], [["a", None]]):
        path = tmp_path / "t.parquet"
        table = pyarrow.table({"document": ["d"], "boundaries": [[0]], "words": words})
        parquet.write_table(table, path)
        with pytest.raises(FormatError, match="'words' is not a list of words"):
            read_all(path)


def zipped(path, name="a.txt", method=zipfile.ZIP_LZMA):
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(name, "so it rained all night\n" * 9)
    return path


def test_damaged_lzma(tmp_path):
    path = zipped(tmp_path / "x.zip")
    data = bytearray(path.read_bytes())
    data[39:60] = b"\xff" * 21
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"x\.zip!@0\+207/a\.txt: not a valid archive") as error:
        read_all(path)
    assert str(error.value).endswith("; pack it again")


def test_a_tar_of_a_member_larger_than_any_disk(tmp_path):
    path, info = tmp_path / "x.tar", tarfile.TarInfo("a.txt")
    info.size = 2**87
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + b"so it" + bytes(507))
    with pytest.raises((FormatError, SourceError), match=re.escape(str(path))):
        read_all(path)


def test_a_name_that_claims_gigabytes_takes_no_memory(tmp_path):
    path, info = tmp_path / "x.tar", tarfile.TarInfo("a.txt")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 0o77777777777
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + b"so it" + bytes(507))
    tracemalloc.start()
    with pytest.raises(FormatError, match=r"x\.tar: not a valid archive"):
        read_all(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 24


def test_a_member_of_a_size_that_the_file_does_not_have(tmp_path):
    path = tmp_path / "x.tar"
    path.write_bytes(b"so it")
    with pytest.raises(FormatError, match="the file is truncated"):
        read(f"{path}!@0+{2**87}/a.txt")


MUTATIONS = st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=4)), max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MUTATIONS, st.sampled_from(["x.zip", "x.tar", "x.tgz", "x.tar.xz", "x.jsonl"]))
def test_damaged_files_are_read_or_refused(tmp_path, mutations, name):
    path = tmp_path / name
    if path.suffix == ".zip":
        zipped(path, method=zipfile.ZIP_DEFLATED)
    elif path.suffix == ".jsonl":
        lines(path, GOOD, {"document": "d1", "S": [0], "words": ["so", "it"]})
    else:
        mode = {".tgz": "w:gz", ".xz": "w:xz"}.get(path.suffix, "w")
        with tarfile.open(path, mode) as archive:
            info = tarfile.TarInfo("a.txt")
            info.size = 5
            archive.addfile(info, io.BytesIO(b"so it"))
    data = bytearray(path.read_bytes())
    for at, piece in mutations:
        data[at : at + len(piece)] = piece
    path.write_bytes(data)
    with suppress(CaesuraError):
        read_all(path)


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
