"""Sources and cases: files, folders, URLs, and what is in memory."""

import pytest

from caesura.errors import MissingDocumentError, SourceError, UsageError
from caesura.run.inputs import Case, Source, match, natural


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


@pytest.mark.parametrize("text", ["=a.txt", "A=", ""])
def test_half_a_source(text):
    with pytest.raises(UsageError, match="neither PATH nor NAME=PATH"):
        Source.parse(text)


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


def memory(name, **documents):
    return Source(name, f"<{name}>", documents)


def test_one_document_each():
    sources = Source("s", "<s>", value=[1]), Source("r", "<r>", value=[2])
    (case,) = match(sources[:1], sources[1:])
    assert case == Case("document", {"s": [1]}, {"r": [2]})
    assert (case.files, case.weight) == ([], 0)


def test_a_file_gives_the_document_its_name(folder):
    place = folder(talk="a b\n")
    file = Source.parse(str(place / "talk.txt"))
    (case,) = match([Source("s", "<s>", value=[1])], [file])
    assert case.document == "talk"
    assert case.files == [str(place / "talk.txt")]
    assert case.weight == 4


def test_many_documents_are_matched_by_name():
    cases = match([memory("s", d10=1, d2=2)], [memory("r", d2=3, d10=4)])
    assert [case.document for case in cases] == ["d2", "d10"]
    assert [(case.systems["s"], case.references["r"]) for case in cases] == [(2, 3), (1, 4)]


def test_folders_and_memory_are_matched(folder):
    folder(r__d1="a\n", r__d2="b\n")
    cases = match([memory("s", d1=1, d2=2)], [Source.parse("r")])
    assert [case.systems["s"] for case in cases] == [1, 2]


def test_what_does_not_match():
    with pytest.raises(MissingDocumentError, match="no document named 'b'"):
        match([memory("s", a=1)], [memory("r", a=1, b=2)])
    assert len(match([memory("s", a=1)], [memory("r", a=1, b=2)], missing="skip")) == 1
    with pytest.raises(SourceError):
        match([Source("s", "<s>", value=1)], [memory("r", a=1)])
    with pytest.raises(UsageError, match="used twice"):
        match([memory("s", a=1)], [memory("s", a=1)])


def test_standard_input_is_read_once():
    with pytest.raises(UsageError, match="standard input"):
        match([Source.parse("-")], [Source.parse("r=-")])
    value = Source("r", "-", value=1)
    assert match([Source.parse("s=-")], [value])[0].references == {"r": 1}
