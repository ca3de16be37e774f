import pytest

from caesura.errors import FormatError
from caesura.tasks.terms.speech import parse_clusters, read_clusters

PLAIN = "Class 1\nf1 .5 .7\nf2 1.5 1.75\n\nClass 2\nf1 0 .5\n\n"
ROWS = [(0, "f1", 0.5, 0.7), (0, "f2", 1.5, 1.75), (1, "f1", 0, 0.5)]


def rows(clusters):
    columns = (clusters.cluster, clusters.file, clusters.on, clusters.off)
    return [
        (cluster, clusters.files[file], on, off)
        for cluster, file, on, off in zip(*(each.tolist() for each in columns), strict=True)
    ]


def parsed(text):
    return parse_clusters(text.encode(), "found.class")


KIND = {
    "as it should be": PLAIN,
    "no last line end": PLAIN.rstrip(),
    "no blank line between": PLAIN.replace("\n\n", "\n"),
    "many blank lines": PLAIN.replace("\n", "\n\n\n"),
    "blanks around": "  " + PLAIN.replace("\n", " \n "),
    "more after the id": PLAIN.replace("Class 1", "Class 1 [a,b,c] 0.5"),
    "ids that are names": PLAIN.replace("Class 1", "Class one").replace("Class 2", "Class two"),
}


@pytest.mark.parametrize("text", KIND.values(), ids=KIND)
def test_kind_to_what_people_have(folder, text):
    folder(**{"found.class": text})
    assert rows(read_clusters("found.class")) == ROWS


def test_lines_are_counted_from_1():
    found = parsed("\n" + PLAIN)
    assert found.line.tolist() == [3, 4, 7]
    assert len(found) == 3


def test_classes_keep_their_number_where_one_is_empty():
    assert rows(parsed("Class 1\n\nClass 2\nf 0 1\n")) == [(1, "f", 0, 1)]


def test_classes_without_intervals():
    found = parsed("Class 1\n\nClass 2\n")
    assert (len(found), found.files) == (0, [])


def test_an_interval_may_stand_twice():
    assert len(parsed("Class 1\nf 0 1\nf 0 1\n\nClass 2\nf 0 1\n")) == 3


def test_a_recording_whose_name_begins_with_class():
    assert rows(parsed("Class 1\nClassroom 0 1\nf 0 1\n")) == [
        (0, "Classroom", 0, 1), (0, "f", 0, 1),
    ]  # fmt: skip


BAD = {
    "negative": ("f -1 1", "'-1' is not a time; write seconds, such as 12.34"),
    "two columns": ("f 0", "2 columns; write FILE ON OFF"),
    "a class without an id": ("Class", "a class without an id; write `Class 1`"),
    "an id twice": ("Class 1", "a second class '1'; give each class its own id"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), BAD.values(), ids=BAD)
def test_errors(line, expected):
    with pytest.raises(FormatError) as error:
        parsed(f"Class 1\nf 0 1\n\nClass 2\n{line}")
    assert str(error.value) == f"found.class:5: {expected}"


def test_an_interval_before_any_class():
    with pytest.raises(FormatError) as error:
        parsed("\nf 0 1\nClass 1\n")
    expected = "found.class:2: an interval before any class; start with `Class 1`"
    assert str(error.value) == expected


def test_an_empty_file():
    with pytest.raises(FormatError) as error:
        parsed(" \t\r\n")
    expected = "found.class: no classes; write `Class 1`, then FILE ON OFF lines"
    assert str(error.value) == expected
