"""Sources and cases that are in memory, beside those that are files."""

import pytest

from caesura.errors import MissingDocumentError, SourceError, UsageError
from caesura.run.cases import Case, Source, match


def memory(name, **documents):
    return Source(name, f"<{name}>", documents)


def test_one_document_each():
    sources = Source("s", "<s>", value=[1]), Source("r", "<r>", value=[2])
    (case,) = match(sources[:1], sources[1:])
    assert case == Case("document", {"s": [1]}, {"r": [2]})
    assert (case.files, case.is_on_disk, case.weight) == ([], False, 0)


def test_a_file_gives_the_document_its_name(folder):
    place = folder(talk="a b\n")
    file = Source.parse(str(place / "talk.txt"))
    (case,) = match([Source("s", "<s>", value=[1])], [file])
    assert case.document == "talk"
    assert case.files == [str(place / "talk.txt")]
    assert not case.is_on_disk
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
