"""What docs/stability.md promises: no name that people rely on disappears."""

import json
import re
from pathlib import Path

import pytest

from support.public_names import PINNED, ROOT, found, read

pytestmark = pytest.mark.slow

NAMES = json.loads(PINNED.read_text())


@pytest.fixture(scope="module")
def today(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("names")
        patch.chdir(folder)
        return found(Path(folder))


@pytest.mark.parametrize("command", NAMES["json"])
def test_keys_of_json_stay(today, command):
    now = read(today["json"][command])
    for place, names in read(NAMES["json"][command]).items():
        assert names - now.get(place, set()) == set(), place


@pytest.mark.parametrize(("kind", "separator"), [("csv", ","), ("options", " ")])
def test_headers_and_options_stay(today, kind, separator):
    for command, names in NAMES[kind].items():
        assert {*names.split(separator)} - {*today[kind][command].split(separator)} == set(), (
            command
        )


@pytest.mark.parametrize("kind", ["rows", "python"])
def test_fields_of_rows_and_names_of_python_stay(today, kind):
    assert {*NAMES[kind].split()} - {*today[kind].split()} == set()


def test_what_is_promised_is_told():
    """Every promise links to where its names are listed, and the names that are there twice."""
    text = (ROOT / "docs" / "stability.md").read_text()
    for each in ("options", "JSON", "CSV", "rows", "signatures", "exit status", "Python", "scores"):
        assert re.search(rf"^\| .*{each}.* \| .* \| \[", text, re.MULTILINE), each
    for each in ("`f1` and `f1_mean`", "`--ref` and `--gold`", "`-o`, `--output` and `--out`"):
        assert each in text
