"""`caesura transcript --sweep`: many values of one option."""

import csv
import io
import json
import xml.etree.ElementTree as ET

import pytest

from caesura.cli.options import OUTPUT_FORMATS

REFS = ("--ref", "a.txt", "--ref", "b.txt", "--ref", "c.txt")


@pytest.fixture(autouse=True)
def talk(folder):
    """Three references; one system is near them, the other is right more seldom."""
    return folder(
        a="so it // rained all night // and then it stopped // we went out",
        b="so it // rained all night and then // it stopped // we went out",
        c="so it rained all // night and // then it stopped we went out",
        near="so // it rained all // night and then // it stopped we // went out",
        right="so it // rained all night and then it stopped we went out",
    )


def result(run, *arguments):
    status, out, error = run("transcript", *arguments, "-f", "json")
    assert (status, error) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize(
    ("sweep", "score", "values"),
    [
        ("window=0..4", "wisebe", [0, 1, 2, 3, 4]),
        ("tolerance=0,2", "tolerant_f1_mean", [0, 2]),
        ("consensus=1..m", "consensus_f1", [1, 2, 3]),
        ("near=1..3", "boundary_similarity_mean", [1, 2, 3]),
        ("k=1..2,4", "windowdiff_mean", [1, 2, 4]),
    ],
)
def test_every_value_is_scored_as_it_is_alone(run, sweep, score, values):
    summary = result(run, "near.txt", "right.txt", *REFS, "--sweep", sweep)
    assert (summary["score"], summary["values"]) == (score, values)
    option = sweep.partition("=")[0]
    flag = f"--{option}" if option != "k" else "-k"
    for at, value in enumerate(values):
        alone = result(run, "near.txt", "right.txt", *REFS, flag, value)
        for system, single in zip(summary["systems"], alone["systems"], strict=True):
            assert system["micro"][at] == single["micro"]
            assert system["score"][at] == single["micro"][score]


def test_ranks_and_crossings(run):
    summary = result(run, "near.txt", "right.txt", *REFS, "--sweep", "tolerance=0..2")
    near, right = summary["systems"]
    assert near["score"][0] < right["score"][0]
    assert near["score"][2] > right["score"][2]
    assert (near["rank"][0], right["rank"][0]) == (2, 1)
    assert (near["rank"][2], right["rank"][2]) == (1, 2)
    (crossing,) = summary["crossings"]
    assert crossing["systems"] == ["near", "right"]
    _, out, _ = run("transcript", "near.txt", "right.txt", *REFS, "--sweep", "tolerance=0..2")
    low, high = crossing["between"]
    assert f"near and right cross between tolerance {low} and {high}." in out
    assert "Ranks" in out


def test_equal_systems_share_a_rank_and_never_cross(run):
    summary = result(run, "x=near.txt", "y=near.txt", *REFS, "--sweep", "window=0..3")
    assert [system["rank"] for system in summary["systems"]] == [[1] * 4] * 2
    assert summary["crossings"] == []
    _, out, _ = run("transcript", "x=near.txt", "y=near.txt", *REFS, "--sweep", "window=0..3")
    assert "No two systems cross." in out


def test_the_signature_has_the_values(run):
    summary = result(run, "near.txt", *REFS, "--sweep", "window=1,3")
    assert summary["signature"].endswith("|window:1,3")
    assert summary["signature"].count("window:") == 1


def test_one_reference_has_no_wisebe(run):
    summary = result(run, "near.txt", "--ref", "a.txt", "--sweep", "window=0..2")
    assert summary["score"] == "window_f1"
    assert None not in summary["systems"][0]["score"]


def test_one_reference_has_no_consensus(run):
    status, _, error = run("transcript", "near.txt", "--ref", "a.txt", "--sweep", "consensus=1..m")
    assert status == 2
    assert "a sweep of consensus needs several references; give another one" in error


def test_standard_input_is_read_once(run):
    status, out, _ = run(
        "transcript", "-", *REFS, "--sweep", "window=0..2",
        stdin=b"so it // rained all night and then it stopped // we went out",
    )  # fmt: skip
    assert status == 0
    assert "WiSeBE by window" in out


@pytest.mark.parametrize("format", OUTPUT_FORMATS)
def test_every_format(run, format):
    status, out, error = run(
        "transcript", "near.txt", "right.txt", *REFS, "--sweep", "window=0..2", "-f", format
    )
    assert (status, error) == (0, "")
    if format == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert [(row["system"], row["window"]) for row in rows[:4]] == [
            ("near", "0"), ("near", "1"), ("near", "2"), ("right", "0")
        ]  # fmt: skip


def test_the_plot(run, tmp_path):
    run(
        "transcript",
        "<&>=near.txt",
        "right.txt",
        *REFS,
        "--sweep",
        "window=0..9",
        "--plot",
        "w.svg",
    )
    drawn = ET.fromstring((tmp_path / "w.svg").read_text())
    kinds = [child.tag.rpartition("}")[2] for child in drawn]
    assert kinds.count("polyline") == 2
    assert kinds.count("circle") == 20
    assert "<&>" in [child.text for child in drawn]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sweep", "wndow=1"], "unknown option to sweep 'wndow'; did you mean window?"),
        (["--sweep", "window"], "'window' is not OPTION=VALUES; for example window=0..10 or"),
        (["--sweep", "window=1..x"], "'window=1..x' is not OPTION=VALUES"),
        (["--sweep", "window=3..1"], "'3..1' is not a range of 1 to 1,000 values"),
        (["--sweep", "near=0..1"], "near cannot be 0; choose 1 or more"),
        (["--sweep", "consensus=2..5"], "a consensus of 5 needs more references than there are"),
        (["--sweep", "window=1", "--confidence"], "--sweep cannot be combined with rows, gates"),
        (["--sweep", "window=1", "--rows", "x"], "--sweep cannot be combined with rows, gates"),
    ],
)
def test_what_cannot_be_swept(run, arguments, message):
    status, _, error = run("transcript", "near.txt", *REFS, *arguments)
    assert status == 2
    assert message in error
