"""Rows of version 0.1.0, which had everything in the header and no last line, are still read."""

import json
import re
import shutil

import pytest

import caesura
from caesura.api.saved import saved_report
from caesura.errors import FormatError, UsageError
from support.paths import GOLDEN

OLD = GOLDEN / "rows_0.1.0"


def figures(found):
    """What JSON says of systems and of the agreement of references."""
    return found.get("systems"), found.get("agreement"), found["documents"]


@pytest.mark.parametrize("name", ["transcript", "agreement", "text", "trees"])
def test_they_have_the_scores_that_were_printed_then(name):
    printed = json.loads((OLD / f"{name}.json").read_text("utf-8"))
    found = caesura.merge([str(OLD / f"{name}.jsonl")])
    assert not found.warnings or "left out" not in found.warnings[0]
    assert figures(found.to_dict()) == figures(printed)


def test_shards_are_merged():
    printed = json.loads((OLD / "transcript.json").read_text("utf-8"))
    found = caesura.merge([str(OLD / f"shard-{at}.jsonl") for at in (1, 2)])
    assert figures(found.to_dict()) == figures(printed)


@pytest.mark.parametrize("names", [["transcript"], ["text"], ["shard-1"], ["shard-1", "shard-2"]])
def test_readings_are_shown(names):
    _, _, readings, notes = saved_report([str(OLD / f"{name}.jsonl") for name in names])
    assert readings
    assert not notes


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("su", ["{}: su left out, which", "{}: rows of su left out, which"]),
        ("sample", ["{}: sample left out, which"]),
        ("sighan", ["{}: rows of diff left out, which"]),
        ("subtitles", ["{}: rows of evalsub left out, which"]),
    ],
)
@pytest.mark.parametrize("command", ["report", "compare"])
def test_what_is_gone_is_left_out_with_a_note(run, folder, name, told, command):
    place = folder()
    shutil.copyfile(OLD / f"{name}.jsonl", place / "old.jsonl")
    other = re.sub('"system": "s[1s]"', '"system": "other"', (place / "old.jsonl").read_text())
    (place / "new.jsonl").write_text(re.sub('"systems": .*?], ', "", other))
    files = ("old.jsonl", "new.jsonl") if command == "compare" else ("old.jsonl", "-o", "p.html")
    status, _, errors = run(command, *files)
    assert status == 0, errors
    lines = [line for line in errors.splitlines() if "old.jsonl: " in line]
    assert len(lines) == len(told)
    for line, start in zip(lines, told, strict=True):
        assert line.startswith(f"warning: {start.format('old.jsonl')} version 0.2.0 removed")


def test_rows_in_parquet_answer_in_one_line(run, folder):
    place = folder(s="a b\n", r="a\nb\n")
    (place / "r.parquet").write_bytes(b"PAR1")
    with pytest.raises(FormatError, match=r"rows in Parquet were removed in 0.2.0; save JSON"):
        caesura.merge(["r.parquet"])
    with pytest.raises(UsageError, match=r"rows in Parquet were removed in 0.2.0; save JSON"):
        caesura.evaluate("s.txt", "r.txt", rows="new.parquet")
    for command in (("compare", "r.parquet"), ("report", "r.parquet", "-o", "p.html")):
        status, _, errors = run(*command)
        assert (status, errors.count("\n")) == (1, 1)
    status, _, errors = run("transcript", "s.txt", "--ref", "r.txt", "--rows", "r.parquet")
    assert status == 2
    assert "rows in Parquet were removed in 0.2.0; save JSON lines with --rows FILE.jsonl" in errors
    assert (place / "r.parquet").read_bytes() == b"PAR1"
