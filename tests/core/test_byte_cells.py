import math
import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.core import byte_cells as module
from caesura.core.arrays import steps, stretched
from caesura.core.byte_cells import (
    Cells,
    StringNumbers,
    gathered,
    same_strings,
    string_codes,
    whole_numbers,
)
from support.hypothesis_settings import MANY

DIGITS = st.text("0123456789", min_size=1, max_size=17)
PLAIN = st.one_of(
    DIGITS,
    st.builds("{}.{}".format, DIGITS, DIGITS),
    st.builds(".{}".format, DIGITS),
    st.builds("{}.".format, DIGITS),
    st.builds("{}{}".format, st.text("0", min_size=1, max_size=20), DIGITS),
)
ODD = st.one_of(
    st.floats().map(repr),
    st.floats(0, 1e6).map("{:.4f}".format),
    st.builds("{}e{}".format, DIGITS, st.integers(-30, 30)),
    st.text("0123456789.-+eE_naif", min_size=1, max_size=20),
    st.sampled_from("nan inf -inf Infinity -1 -0 +1 1_0 . - 1.2.3 0x1 １２ 1e400 1e-400".split()),
)
WORDS = st.lists(st.text("ab\u00e9日.", min_size=1, max_size=6), max_size=20)
BLANKS = st.text(" \t", min_size=1, max_size=3)
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\n\n", " \n", "\r\n\t\r\n"])


def number(text):
    """What `float` makes of it; no number where it is none, or has underscores."""
    try:
        return math.nan if "_" in text else float(text)
    except ValueError:
        return math.nan


def cells(*values):
    return Cells.split("\n".join(values).encode())


def texts(split):
    return [split.at(index) for index in range(split.line.size)]


@MANY
@given(st.lists(PLAIN | ODD, min_size=1, max_size=20))
@example(["9007199254740993", "0.1", "999999999999999", "99999999999999.9", "00000000000000001"])
@example(["0.000000000000001", ".123456789012345", "123456789012345.", "1234567.12345678"])
@example(["91399620.84340797", "944608837.2433843", "986.5452293525111"])
def test_numbers_are_those_of_python(values):
    found = cells(*values).floats().tolist()
    assert [repr(value) for value in found] == [repr(number(value)) for value in values]


@pytest.mark.parametrize("places", range(23))
def test_every_power_of_ten_is_exact(places):
    values = [f"0.{'0' * (places - 1)}7" if places else "7", f"7{'0' * places}", f"7e-{places}"]
    assert cells(*values).floats().tolist() == [float(value) for value in values]


def test_many_times_are_those_of_python():
    values = [f"{thousandths / 10000:.4f}" for thousandths in range(0, 200_000, 7)]
    assert cells(*values).floats().tolist() == [float(value) for value in values]


@given(WORDS)
def test_distinct(values):
    found, which = cells(*values).distinct()
    encoded = [value.encode() for value in values]
    assert found == sorted(set(encoded))
    assert [found[at] for at in which] == encoded


@given(st.lists(st.binary(min_size=1, max_size=12), min_size=1, max_size=20))
def test_codes_are_equal_for_equal_strings_only(values):
    stops = np.cumsum([len(value) for value in values])
    starts = stops - [len(value) for value in values]
    codes = string_codes(np.frombuffer(b"".join(values), np.uint8), starts, stops).tolist()
    assert len(set(codes)) == len(set(values))
    assert len(set(zip(codes, values, strict=True))) == len(set(values))


@given(st.lists(st.tuples(WORDS, LINE_ENDS), max_size=6), BLANKS, st.booleans())
def test_split(lines, blank, ends):
    text = "".join(blank.join(words) + end for words, end in lines)
    text = text if ends else text.rstrip()
    found = Cells.split(text.encode())
    assert texts(found) == text.split()
    by_line = [(at, word) for at, line in enumerate(text.split("\n")) for word in line.split()]
    assert list(zip(found.line.tolist(), texts(found), strict=True)) == by_line


@pytest.mark.parametrize("data", [b"", b"\n", b" \t\r\n\n "])
def test_nothing_to_split(data):
    found = Cells.split(data)
    assert found.line.size == found.floats().size == 0
    assert found.distinct()[0] == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a b\nc", [(0, "a"), (0, "b"), (1, "c")]),
        (b"a\tb\r\nc\r\n", [(0, "a"), (0, "b"), (1, "c")]),
        (b"  a   b\t \n\n\nc", [(0, "a"), (0, "b"), (3, "c")]),
        (b"\n\na", [(2, "a")]),
        ("日本\u00a0é b".encode(), [(0, "日本\u00a0é"), (0, "b")]),
    ],
)
def test_cells_and_their_lines(data, expected):
    found = Cells.split(data)
    assert list(zip(found.line.tolist(), texts(found), strict=True)) == expected


def test_some_cells():
    found = Cells.split(b"a b\nc").some(np.array([2, 0]))
    assert (texts(found), found.line.tolist()) == (["c", "a"], [1, 0])


def placed(values):
    """Strings one after the other, and where each begins and ends."""
    ends = np.cumsum([len(value) for value in values], dtype=np.int32)
    return np.frombuffer(b"".join(values), np.uint8), np.append(0, ends)[: ends.size], ends


STRINGS = st.binary(max_size=100) | st.text("0123456789", max_size=21).map(str.encode)


@given(st.lists(st.tuples(STRINGS, STRINGS, st.integers(0, 3))))
def test_strings_are_compared_byte_by_byte(drawn):
    """A pair is two strings, one and its beginning, one with another end, or one twice."""
    pairs = [(a, (b, a[:-1], a[:-1] + b[:1], a)[kind]) for a, b, kind in drawn]
    ours, theirs = placed([a for a, _ in pairs]), placed([b for _, b in pairs])
    assert same_strings(ours, theirs).tolist() == [a == b for a, b in pairs]


@given(st.lists(STRINGS | st.sampled_from([b"7", b"12", b"0034", b"1-2", b"_", b"\xb22", b" 1"])))
def test_whole_numbers(values):
    expected = [
        min(int(value), 2**63 - 1) if len(value) < 20 and re.fullmatch(b"[0-9]+", value) else -1
        for value in values
    ]
    assert whole_numbers(*placed(values)).tolist() == expected


@given(st.lists(STRINGS), st.randoms(use_true_random=False))
def test_strings_are_gathered_in_any_order(values, chance):
    characters, starts, ends = placed(values)
    order = np.array(chance.sample(range(len(values)), len(values)), dtype=np.int64)
    found = gathered(characters, starts[order], (ends - starts)[order])
    assert found.tobytes() == b"".join(values[at] for at in order.tolist())


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 4))))
def test_ranges_of_numbers(spans):
    starts, sizes = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    expected = [number for start, size in spans for number in range(start, start + size)]
    assert stretched(starts, sizes).tolist() == expected


@given(st.lists(st.integers(-9, 9)), st.integers(-9, 9))
def test_steps(numbers, before):
    expected = np.diff(np.array([before, *numbers])).tolist()
    assert steps(np.array(numbers, dtype=np.int64), before).tolist() == expected


def test_more_strings_than_are_looked_at_at_once():
    values = [str(at).encode() * (1 + at % 3) for at in range(20_000)]
    others = [value if at % 7 else value + b"x" for at, value in enumerate(values)]
    ours = placed(values)
    assert same_strings(ours, placed(others)).tolist() == [at % 7 > 0 for at in range(20_000)]
    assert whole_numbers(*ours).tolist() == [int(value) for value in values]
    assert gathered(ours[0], ours[1], ours[2] - ours[1]).tobytes() == b"".join(values)


@given(st.lists(st.text("abé", max_size=20), max_size=60), st.integers(1, 3), st.integers(1, 7))
def test_strings_are_numbered_once_each(values, bits, part):
    """Whatever meets in the table: it has few places here, and few strings are read at once."""
    data = "".join(values).encode()
    stops = np.cumsum([0, *(len(value.encode()) for value in values)])
    strings = np.frombuffer(data, np.uint8), stops[:-1], stops[1:]
    known = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FEW", bits)
        patch.setattr(module, "_MUCH", part)
        numbers = StringNumbers(lambda value: known.setdefault(value.decode(), len(known)))
        found = [numbers.of(strings).tolist() for _ in range(2)]
    assert found == [[known[value] for value in values]] * 2
    assert len(known) == len(set(values))
