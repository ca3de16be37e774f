"""segeval's JSON and tables."""

import json
from pathlib import Path

import pytest

import caesura
from caesura.errors import UnknownNameError
from caesura.formats.detection import by_content, detect
from caesura.formats.script import to_document
from caesura.formats.transcripts import parse_scripts, recordings
from support.pieces import message

ITEMS = {"d1": {"anna": [2, 3, 6], "ben": [2, 2, 7]}, "d2": {"anna": [4, 4], "ben": [5, 3]}}


@pytest.fixture(scope="module")
def peer():
    return pytest.importorskip("segeval")


def read(text, source="a.json"):
    """Masses by document and coder."""
    found = {}
    for each in parse_scripts(text, source, "segeval"):
        own = found.setdefault(each.recording, {})
        own[each.version] = to_document(each).segmentation.masses.tolist()
    return found


@pytest.mark.parametrize(
    "data",
    [
        {"items": ITEMS, "segmentation_type": "linear"},
        {"segmentation_type": "linear", "items": ITEMS, "more": 1},
        {"items": ITEMS},
        ITEMS,
    ],
)
def test_documents_coders_masses(data):
    text = json.dumps(data)
    assert read(text) == ITEMS
    assert by_content(text) == "segeval"


def test_positions():
    items = {"d": {"anna": [1, 1, 2, 2, 2], "ben": ["a", "b", "b", "b", "a"]}}
    data = {"items": items, "segmentation_type": "linear", "boundary_format": "position"}
    assert read(json.dumps(data)) == {"d": {"anna": [2, 3], "ben": [1, 3, 1]}}


@pytest.mark.parametrize(
    "text",
    [
        "Coder\tMasses\nanna\t2\t3\t6\nben\t2\t2\t7\n",
        "coder,masses\r\nanna,2,3,6\r\n\r\nben,2,2,7,\r\n",
        "Coder,Positions\nanna,1,1,2,2,2,3,3,3,3,3,3\nben,1,1,2,2,3,3,3,3,3,3,3\n",
    ],
)
def test_tables(text):
    assert read(text, "x/talk.tsv") == {"talk": ITEMS["d1"]}
    assert by_content(text) == "segeval"


def test_the_samples_of_segeval(peer):
    folder = Path(peer.__file__).parent / "data"
    found = read((folder / "hearst1997.json").read_text())
    assert {name: tuple(own) for name, own in found["stargazer"].items()} == dict(
        peer.HEARST_1997_STARGAZER["stargazer"]
    )
    for name in ("hearst1997.tsv", "hearst1997_positions.csv"):
        (coders,) = read((folder / name).read_text(), name).values()
        assert coders == found["stargazer"]
    bad = (folder / "hearst1997_bad_type.ejson").read_text()
    assert "units of the type 'incorrect'" in message("segeval", bad)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"items": {"d": {"a": [2,\n', ":2: not valid JSON"),
        ("[1, 2]", ": the file is not an object of names; write "),
        ('{"items": [1]}', ": 'items' is not an object of names; "),
        ('{"d": [2, 3]}', ": document 'd' is not an object of names; "),
        ('{"d": {"a": 3}}', ":1: document 'd', coder 'a': not a list of masses; "),
        ('{"d": {"a": []}}', ":1: document 'd', coder 'a': no masses; "),
        ('{"d": {"a": [null]}}', ":1: document 'd', coder 'a': 'null' is not a length"),
        (
            '{"items": {"d": {"a": [null]}}, "boundary_format": "position"}',
            ":1: document 'd', coder 'a': 'null' is not a length",
        ),
        ('{"d": {"a": [[1]]}}', ":1: document 'd', coder 'a': '[1]' is not a length"),
        ('{"d": {"a": [1e400]}}', ":1: document 'd', coder 'a': 'inf' is not a length"),
        ('{"d": {"a": [1], "a": [1]}}', ": the name 'a' is used twice in one object; "),
        ("{}", ": no masses of any coder; "),
        ("Coder\tMasses\n", ": no masses of any coder; "),
        ("Coder\tMasses\na\t2\na\t3", ":3: the coder 'a' is there twice; "),
        ("Coder\tMasses\na\t2\t0", ":2: coder 'a': '0' is not a length of a unit; "),
        ("Coder\tMasses\na", ":2: coder 'a': no masses; "),
        (
            '{"c": {"a/b": [1]}, "b/c": {"a": [1]}}',
            ": two codings named 'a/b/c'; rename a coder or a document",
        ),
        ("[" * 10**5, ": JSON nested too deeply"),
    ],
)
def test_broken_files(text, expected):
    assert message("segeval", text).startswith(f"x{expected}")


def test_a_version_is_named_in_the_path(folder):
    folder(**{"a.json": json.dumps(ITEMS), "whisper.json": '{"segments": []}'})
    assert recordings("a.json") == {"anna": ["d1", "d2"], "ben": ["d1", "d2"]}
    assert caesura.read("a.json::ben/d2").segmentation.masses.tolist() == [5, 3]
    assert (detect("a.json"), detect("whisper.json")) == ("segeval", "whisper")
    with pytest.raises(UnknownNameError, match=r"unknown recording in a.json 'cleo/d1'; did you"):
        caesura.read("a.json::cleo/d1")
