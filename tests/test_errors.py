"""Errors: what they keep when they come from another process."""

import pickle

import pytest

from caesura import errors

EVERY = [
    errors.CaesuraError("what is wrong"),
    errors.SegmentationError("what is wrong"),
    errors.SourceError("a.txt", "is empty", "give another"),
    errors.MissingDocumentError("a/", "one", "b/"),
    errors.FormatError("a.txt", "no words", "add some", line=3),
    errors.FormatError("a.txt", "no words", "add some"),
    errors.WordsDifferError(3, ("a.txt", "one two"), ("b.txt", "one too")),
    errors.LengthsDifferError("a.txt", 3, "b.txt", 4),
    errors.LabelsError("a.txt", "speaker"),
    errors.LabelsError("a.txt", "speaker", ["A"], "b.txt", ["B"]),
    errors.TimesError("a.txt:3"),
    errors.WorkerError("one"),
    errors.LeftOutError(1, 3),
    errors.MissingPackageError("pandas", "to_frame()", "pip install pandas"),
    errors.StoppedError(1, 3, "go on with --resume"),
    errors.UsageError("what is wrong"),
    errors.UnknownNameError("measure", "f2", ["f1", "pk"]),
]


def kinds(kind=errors.CaesuraError):
    """All errors of the module."""
    return {kind, *(each for below in kind.__subclasses__() for each in kinds(below))}


def test_every_error_is_tried():
    told = {each for each in kinds() if each.__module__ == errors.__name__}
    assert {type(error) for error in EVERY} == told


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert (again.args, again.status, vars(again)) == (error.args, error.status, vars(error))


def test_a_pickled_error_tells_lines_further_on():
    again = pickle.loads(pickle.dumps(errors.FormatError("a.txt", "no words", "add some", line=3)))
    assert again.line == 3
    assert str(again.further(4)) == "a.txt:7: no words; add some"
