"""The registry of formats, and those of the tasks."""

import pytest

from caesura.api.lists import FORMATS as LISTED
from caesura.formats.registry import FORMATS, PLAIN, TEXTS, TIMED
from caesura.tasks import TASKS

EVERY = [*FORMATS, *(each for task in TASKS.values() for each in task.formats)]


@pytest.mark.parametrize("each", EVERY, ids=lambda each: f"{each.name} of {each.holds}")
def test_the_functions_of_a_format_are_there(each):
    functions = each.functions if each.module else ()
    assert all(callable(function) for function in functions if function is not None)
    assert each.is_written == bool(functions and functions.write)
    assert each.is_like_words == bool(functions and functions.may_be)


def test_a_name_means_one_thing_in_a_command():
    assert len({(each.name, each.holds) for each in EVERY}) == len(EVERY)
    assert {*PLAIN.values(), *TIMED.values(), *TEXTS.values()} == set(FORMATS)
    assert not PLAIN.keys() & TIMED.keys()


WRITTEN = "masses times labels jsonl srt vtt textgrid eaf ctm stm rttm".split()


def test_some_can_be_written_and_all_are_listed():
    written = {name for name, each in (PLAIN | TIMED).items() if each.is_written}
    assert written == {*PLAIN, *WRITTEN}
    assert set(LISTED) == {each.name for each in EVERY}
