"""Options of transcripts as users write them."""

import pytest

from caesura.errors import UnknownNameError, UsageError
from caesura.tasks.transcript.counting import Transcript
from caesura.tasks.transcript.options import DEFAULTS, extent


def given(**options):
    return Transcript.from_given(options)


def test_the_clock_has_defaults_of_its_own():
    task = given(axis="time")
    assert (task.window, task.tolerance) == (
        DEFAULTS["time"]["window"],
        DEFAULTS["time"]["tolerance"],
    )
    task = given(axis="time", window="1.5s", tolerance="200ms")
    assert (task.window, task.tolerance) == (1_500_000, 200_000)


@pytest.mark.parametrize(
    ("value", "on_clock", "expected"),
    [(2, False, 2), ("2", False, 2), (" 7 ", False, 7), ("0.5s", True, 500_000),
     ("0.5 s", True, 500_000), ("30ms", True, 30_000), ("2s", True, 2_000_000)],
)  # fmt: skip
def test_extents(value, on_clock, expected):
    assert extent("window", value, "time" if on_clock else "words") == expected


@pytest.mark.parametrize(
    ("value", "on_clock", "message"),
    [
        ("2s", False, 'window=… on axis="words" is a number of words, such as 2'),
        ("2", True, 'window=… on axis="time" is a time, such as 0.5s'),
        ("0.5", False, "'0.5' is neither a number of words"),
        ("-1", False, "'-1' is neither a number of words"),
        ("many", False, "'many' is neither a number of words"),
        ("2h", True, "'2h' is neither a number of words"),
        ("1000000001", False, "window=…: 1000000001 is too large; give at most 1,000,000,000"),
        ("1" * 400 + "s", True, "1… is too large; give at most 1,000,000,000 s"),
    ],
)
def test_extents_that_cannot_be(value, on_clock, message):
    with pytest.raises(UsageError) as error:
        extent("window", value, "time" if on_clock else "words")
    assert message in str(error.value)


def test_numbers_that_are_too_large_to_count_with():
    assert given(near=10**9).near == 10**9
    for name in ("k", "near", "consensus", "max_cpl"):
        with pytest.raises(UsageError, match=f"{name}=…: 10000000000 is too large"):
            given(**{name: 10**10})


def test_names_that_are_unknown():
    with pytest.raises(UnknownNameError, match="unknown profile 'papr'; did you mean paper"):
        given(profile="papr")
    with pytest.raises(UnknownNameError, match="unknown option 'widow'; did you mean window"):
        given(widow=2)
