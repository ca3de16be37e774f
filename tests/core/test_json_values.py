"""Results as plain values, and plain values as results again."""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.json_values import plain, typed
from caesura.core.results import ReferencePair, ReferencePairs

NAMES = st.text(max_size=4)
NUMBERS = st.floats(allow_infinity=False) | st.integers(-5, 5).map(float)
COUNTS = st.integers(0, 10**12)


def same(one, other):
    """Equal, with undefined equal to undefined."""
    return repr(one) == repr(other)


@dataclass(frozen=True)
class Inner:
    name: str
    score: float = math.nan


@dataclass(frozen=True)
class Outer:
    kind: Literal["a", "b"]
    pair: tuple[int, str]
    many: tuple[float, ...]
    named: dict[str, Inner]
    maybe: Inner | None = None
    flag: bool = False
    anything: Any = None
    empty: dict[str, int] = field(default_factory=dict)


OUTERS = st.builds(
    Outer,
    st.sampled_from("ab"),
    st.tuples(COUNTS, NAMES),
    st.lists(NUMBERS, max_size=3).map(tuple),
    st.dictionaries(NAMES, st.builds(Inner, NAMES, NUMBERS), max_size=2),
    st.none() | st.builds(Inner, NAMES, NUMBERS),
    st.booleans(),
    st.none() | NAMES,
    st.dictionaries(NAMES, COUNTS, max_size=2),
)


@given(OUTERS, st.booleans())
def test_what_is_written_is_read_again(value, compact):
    written = json.dumps(plain(value, compact=compact), allow_nan=False)
    assert same(typed(Outer, json.loads(written)), value)


def test_what_is_left_out():
    value = Outer("a", (1, "x"), (), {})
    full = plain(value)
    assert "maybe" not in full
    assert full["empty"] == {}
    assert "empty" not in plain(value, compact=True)
    assert plain(value, compact=True)["named"] == {}, "only what has a default"


def test_numbers_of_numpy():
    assert plain({"a": np.float64("nan"), "b": np.int64(3), "c": np.array([1.5, math.nan])}) == {
        "a": None,
        "b": 3,
        "c": [1.5, None],
    }


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kind": "c"}, "kind: 'c' is no"),
        ({"pair": [1]}, "pair: [1] is not a valid tuple"),
        ({"pair": "ab"}, "pair: 'ab' is not a valid list"),
        ({"pair": [True, "x"]}, "pair: True is not a valid int"),
        ({"many": [1, "x"]}, "many: 'x' is not a valid float"),
        ({"many": [10**400]}, "many: 1000"),
        ({"named": []}, "named: [] is not a valid dict"),
        ({"named": {"x": {"name": 3}}}, "name: 3 is not a valid str"),
        ({"named": {"x": {}}}, "x: no name"),
        ({"maybe": {"name": "a", "sore": 1}}, "maybe: unknown: sore"),
        ({"flag": 1}, "flag: 1 is not a valid bool"),
        ({"more": 1}, "unknown: more"),
    ],
)
def test_values_of_another_kind(changed, message):
    good = {"kind": "a", "pair": [1, "x"], "many": [None, 2], "named": {}}
    assert typed(Outer, good).many[1] == 2
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        typed(Outer, good | changed)


def test_pairs_of_references_that_are_kept_in_columns_are_a_list():
    pairs = ReferencePairs("abc", {"f1": np.array([0.5, 1, 0])})
    written = plain(pairs)
    assert [each["references"] for each in written] == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert same(typed(Sequence[ReferencePair], written), tuple(pairs))
