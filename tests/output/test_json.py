"""Indented JSON is what the standard library gives, character for character."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.output.json import indented

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.booleans() | st.none(), inner)
    ),
)


@given(VALUES)
def test_it_is_what_the_library_writes(value):
    assert indented(value) == json.dumps(value, ensure_ascii=False, indent=2)


@pytest.mark.parametrize("value", [math.nan, [math.inf], {"a": -math.inf}])
def test_what_is_no_number_is_an_error(value):
    with pytest.raises(ValueError, match="Out of range float"):
        indented(value)
