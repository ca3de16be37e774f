"""Files that are named after documents and recordings."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.escapes import as_name
from caesura.io.outputs import file_name, first_clash

NAMES = st.text("a/_é日\udce9", max_size=300).map(as_name) | st.text(max_size=90).map(as_name)


@given(NAMES, st.sampled_from([".txt", ".TextGrid"]))
def test_a_name_is_that_of_a_file_in_its_folder(name, suffix):
    found = file_name(name, suffix)
    assert os.path.split(found) == ("", found)
    assert found.endswith(suffix)
    assert len(os.fsencode(found)) <= 255
    if "/" not in name and "\0" not in name and len(os.fsencode(name + suffix)) <= 255:
        assert found == name + suffix


@given(st.lists(NAMES, max_size=6, unique=True))
def test_a_clash_is_that_of_two_names_of_one_file(names):
    files = [file_name(name, ".txt") for name in names]
    clash = first_clash(names, ".txt")
    assert (clash is None) == (len(set(files)) == len(files))
    if clash:
        assert clash[0] != clash[1]
        assert file_name(clash[0], ".txt") == file_name(clash[1], ".txt")


@pytest.mark.parametrize("name", ["../../../../tmp/caesura-outside", "y" * 300, "a/b", ".."])
def test_a_detector_is_run_on_documents_of_any_name(run, folder, name):
    """What it makes of them is kept in a folder of ours, and nowhere else."""
    text = {"document": name, "text": "So it rained. We left."}
    gold = text | {"text": "So it rained .\nWe left .\n"}
    place = folder(**{"raw.jsonl": json.dumps(text), "gold.jsonl": json.dumps(gold)})
    arguments = "--run", "cmd:cat {input}", "--raw", "raw.jsonl", "--gold", "gold.jsonl"
    assert run("text", *arguments, "-f", "json", "-q")[0] == 0
    assert sorted(each.name for each in place.iterdir()) == ["gold.jsonl", "raw.jsonl"]
    assert not Path("/tmp/caesura-outside.txt").exists()
