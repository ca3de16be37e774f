"""The names that systems and references get from their paths."""

import json
import os
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import SourceError, UsageError
from caesura.io.files import stem
from caesura.run.inputs import Source, with_distinct_names
from caesura.run.naming import distinct_names

PARTS = st.sampled_from(["a", "b", "..", "t.v1"])
FILES = st.builds(
    lambda root, folders, name, suffix: root + "/".join([*folders, name + suffix]),
    st.sampled_from(["", "", "/"]),
    st.lists(PARTS, max_size=3),
    st.sampled_from(["t", "s", "t.txt"]),
    st.sampled_from(["", ".txt", ".srt", ".txt.gz"]),
)
PATHS = st.lists(FILES, max_size=7, unique_by=os.path.abspath)
TAKEN = st.sets(st.sampled_from(["t", "a/t", "s", "t.txt"]))


def without_suffix(path):
    """A path as short as a name without a suffix can be."""
    folder, slash, _ = path.rpartition("/")
    return folder + slash + stem(path)


@given(PATHS, TAKEN)
def test_names_are_distinct_ends_of_their_paths(paths, taken):
    names = distinct_names(paths, taken)
    found = [name for name in names if name not in taken]
    assert len(set(found)) == len(found)
    for path, name in zip(map(os.path.normpath, paths), names, strict=True):
        assert f"/{path}".endswith(f"/{name}") or f"/{without_suffix(path)}".endswith(f"/{name}")


@given(PATHS)
def test_names_are_no_longer_than_they_must_be(paths):
    names = distinct_names(paths)
    ends = [
        [f"/{each(os.path.normpath(path))}" for each in (without_suffix, str)] for path in paths
    ]
    for at, (path, name) in enumerate(zip(paths, names, strict=True)):
        shorter = name.partition("/")[2] or (stem(path) if name != stem(path) else "")
        others = [end for place, own in enumerate(ends) if place != at for end in own]
        assert not shorter or any(end.endswith(f"/{shorter}") for end in others)


@given(PATHS)
def test_names_that_differ_are_the_stems(paths):
    stems = [stem(path) for path in paths]
    if len(set(stems)) == len(stems):
        assert distinct_names(paths) == stems


@given(PATHS, st.randoms())
def test_the_order_of_the_paths_does_not_matter(paths, random):
    before = dict(zip(paths, distinct_names(paths), strict=True))
    random.shuffle(paths)
    assert dict(zip(paths, distinct_names(paths), strict=True)) == before


@pytest.mark.parametrize(
    ("paths", "taken", "names"),
    [
        (["out/t.txt", "gold/t.txt"], [], ["out/t", "gold/t"]),
        (["out/t.srt", "gold/t.txt"], [], ["out/t", "gold/t"]),
        (["x/out/t.txt", "y/out/t.txt", "gold/t.txt"], [], ["x/out/t", "y/out/t", "gold/t"]),
        (["t.txt", "out/t.txt"], [], ["t", "out/t"]),
        (["t.txt", "t.srt"], [], ["t.txt", "t.srt"]),
        (["out/t.txt", "out/t.srt", "gold/t.txt"], [], ["t.txt", "t.srt", "gold/t"]),
        (["t.txt", "t.txt.gz"], [], ["t.txt", "t.txt.gz"]),
        (["out/*.txt", "gold/*.txt"], [], ["out/*", "gold/*"]),
        (["s3://a/out/t.txt", "s3://a/gold/t.txt"], [], ["out/t", "gold/t"]),
        (["all.stm::one", "all.stm::two"], [], ["all.stm::one", "all.stm::two"]),
        (["-", "stdin.txt"], [], ["stdin", "stdin.txt"]),
        (["best.txt"], ["best"], ["best.txt"]),
        (["out/best.txt"], ["best"], ["out/best"]),
        (["s.txt"], ["best"], ["s"]),
    ],
)
def test_names_of_usual_layouts(paths, taken, names):
    assert distinct_names(paths, taken) == names


@pytest.mark.parametrize(("one", "other"), [*pairwise(["t.txt", "./t.txt", "d/../t.txt", "t.txt"])])
def test_one_file_given_twice(folder, one, other):
    with pytest.raises(UsageError, match="is given twice; drop one, or name them"):
        distinct_names([one, other])
    with pytest.raises(UsageError, match="is given twice"):
        distinct_names([str(Path(one).resolve()), other])


def test_folders_have_names_of_their_own(folder):
    folder(out__talks__v1="a", gold__talks__v1="a", **{"system.v2__v1": "a"})
    assert distinct_names(["out/talks", "gold/talks/"]) == ["out/talks", "gold/talks"]
    assert distinct_names(["system.v2", "x/system.v2.txt"]) == ["system.v2", "x/system.v2"]
    os.chdir("out/talks")
    assert distinct_names([".", "../../gold/talks"])[0].endswith("out/talks")


def test_names_that_were_given_stay():
    sources = [Source.parse("t=a/x.txt"), Source.parse("b/t.txt"), Source.parse("t.txt")]
    names = [source.name for source in with_distinct_names(sources, ["b/t"])]
    assert names == ["t", "b/t.txt", "t.txt"]


def test_the_usual_layout_is_scored(folder, run):
    folder(out__t="so it\nrained\n", gold__t="so\nit rained\n", best="so it rained\n")
    for line in (
        "transcript out/t.txt --ref gold/t.txt",
        "agreement out/t.txt gold/t.txt",
        "text out/t.txt --gold gold/t.txt",
        "transcript --run best --ref best.txt",
    ):
        assert run(*line.split())[0] == 0
    found = caesura.evaluate(["out/t.txt"], ["gold/t.txt", "best.txt"], run={"best": "every:2"})
    assert list(found.systems) == ["out/t", "best"]
    assert found.summary.references == ("gold/t", "best.txt")


CAFE = "caf\N{LATIN SMALL LETTER E WITH ACUTE}", "cafe\N{COMBINING ACUTE ACCENT}"


def test_forms_of_one_name_are_one(folder, run):
    """A keyboard writes NFC, some file systems NFD."""
    place = folder(
        b="so it\nrained\n", **{f"{at}__{name}": "so it\nrained\n" for at, name in enumerate(CAFE)}
    )
    status, _, error = run("transcript", *(f"{name}=b.txt" for name in CAFE), "--ref", "b.txt")
    assert (status, error) == (
        2,
        f"error: the name '{CAFE[0]}' is used twice; give different names with NAME=PATH\n",
    )
    status, out, _ = run("transcript", "0", "--ref", "1", "-f", "json")
    assert (status, json.loads(out)["documents"]) == (0, [CAFE[0]])
    files = [str(path) for path in sorted(place.glob("[01]/*"))]
    status, out, _ = run("transcript", *files, "--ref", "b.txt", "-f", "json")
    assert [each["name"] for each in json.loads(out)["systems"]] == [f"0/{CAFE[0]}", f"1/{CAFE[0]}"]
    references = f"{CAFE[0]}=b.txt", f"r={files[0]}"
    assert run("agreement", *references, "--align", "--axis-from", CAFE[1])[0] == 0


def test_documents_in_memory_in_two_forms():
    with pytest.raises(SourceError, match="a second document named"):
        caesura.evaluate({"s": {name: ["a b"] for name in CAFE}}, {"r": {CAFE[0]: ["a b"]}})
    found = caesura.evaluate({"s": {CAFE[0]: ["a b", "c"]}}, {"r": {CAFE[1]: ["a b", "c"]}})
    assert found.systems["s"].f1_mean == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_not_utf8(folder, run):
    name = os.fsdecode(b"caf\xe9")
    place = folder(**{f"{x}__{name}": "so it\nrained\n" for x in "sr"}, s__n="a\nb\n", r__n="a b\n")
    outputs = {"-o": "out", "--rows": "rows.jsonl", "--html": "page.html"}
    given = [each for pair in outputs.items() for each in pair]
    for form in ("table", "json", "csv", "markdown", "latex"):
        assert run("transcript", "s", "--ref", "r", "--by-document", "-f", form, *given)[0] == 0
        assert r"caf" in (place / "out").read_text(encoding="utf-8")
    for path in outputs.values():
        (place / path).read_text(encoding="utf-8")
    lines = map(json.loads, (place / "rows.jsonl").read_text(encoding="utf-8").splitlines())
    assert [line["done"] for line in lines if "done" in line] == [r"caf\xe9", "n"]
    assert run("report", "rows.jsonl")[0] == 0
    status, out, error = run("transcript", f"s/{name}.txt", "--ref", "r/n.txt", notes=True)
    assert status == 1
    assert r"s/caf\xe9.txt" in error
    status, out, _ = run("transcript", f"{name}=s/n.txt", "--ref", "r/n.txt", "-f", "json")
    assert json.loads(out)["systems"][0]["name"] == r"caf\xe9"


@pytest.mark.parametrize("size", [256, 5000])
def test_names_that_are_too_long_for_a_file(folder, run, size):
    folder(a="so it\nrained\n")
    name = "x" * size
    assert run("transcript", f"{name}=a.txt", "--ref", "a.txt")[0] == 0
    for line in (
        f"transcript {name} --ref a.txt",
        f"transcript --run {name} --ref a.txt",
        *(
            f"transcript a.txt --ref b=a.txt {option} {name}"
            for option in ("-o", "--rows", "--html")
        ),
        f"convert a.txt {name} --to lines",
        f"terms a.txt --phones {name}.TextGrid --words {name}",
        f"report {name}",
    ):
        status, _, error = run(*line.split())
        assert status in (1, 2)
        assert error.count("\n") == 1
        assert "bug" not in error
