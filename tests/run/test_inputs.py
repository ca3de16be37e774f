"""Sources and cases: files, folders, URLs, and what is in memory."""

import pytest

from caesura.run.inputs import Source, match, natural


@pytest.mark.parametrize(
    ("text", "name", "path"),
    [
        ("refs/a.txt", "a", "refs/a.txt"),
        ("A=refs/a.txt", "A", "refs/a.txt"),
        ("A=x=y.txt", "A", "x=y.txt"),
        ("a.txt.gz", "a", "a.txt.gz"),
        ("-", "stdin", "-"),
        ("S=-", "S", "-"),
        ("s3://bucket/v6.txt", "v6", "s3://bucket/v6.txt"),
        ("https://host/v6.txt?id=3", "v6", "https://host/v6.txt?id=3"),
        ("S=https://host/v6.txt?id=3", "S", "https://host/v6.txt?id=3"),
    ],
)
def test_names_and_paths(text, name, path):
    source = Source.parse(text)
    assert (source.name, source.path, source.documents) == (name, path, None)


def test_a_path_that_exists_may_have_an_equals_sign(folder):
    folder(**{"run=3.txt": "a"})
    assert Source.parse("run=3.txt") == Source("run=3", "run=3.txt", is_named=False)


def test_a_folder_is_its_files_without_the_hidden_ones(folder):
    folder(d__a="x", d__b="y", **{"d__.hidden": "z", "d__deeper__c": "w"})
    source = Source.parse("d/")
    assert source.name == "d"
    assert source.documents == {"a": "d/a.txt", "b": "d/b.txt"}


def test_a_folder_keeps_what_looks_like_a_suffix(folder):
    folder(**{"system.v2__a": "x"})
    assert Source.parse("system.v2").name == Source.parse("system.v2/").name == "system.v2"


def test_single_files_of_one_stem_name_the_document(folder):
    folder(s__v6="x", r__v6="x", a="x")
    one = match([Source.parse("S=s/v6.txt")], [Source.parse("R=r/v6.txt")])
    assert [case.document for case in one] == ["v6"]
    other = match([Source.parse("S=s/v6.txt")], [Source.parse("R=a.txt")])
    assert [case.document for case in other] == ["document"]


def test_documents_are_in_natural_order(folder):
    folder(**{f"d__v{i}": "x" for i in (10, 9, 1)}, **{f"e__v{i}": "x" for i in (10, 9, 1)})
    cases = match([Source.parse("d")], [Source.parse("e")])
    assert [case.document for case in cases] == ["v1", "v9", "v10"]
    assert cases[2].systems == {"d": "d/v10.txt"}


def test_numbers_of_any_length_are_in_order():
    long = "9" * 5000
    names = ["v10", "v9", f"v{long}", f"v1{long}", "v", "v09", "w1"]
    assert sorted(names, key=natural) == ["v", "v9", "v09", "v10", f"v{long}", f"v1{long}", "w1"]
