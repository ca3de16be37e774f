"""What a request may hold as an event, and what it may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.studio.events import DECISIONS, KINDS, LONGEST_COMMENT, MARKS, MOST, Event, EventError

GOOD = {"client": "tab", "sequence": 0, "document": 1, "kind": "set", "gap": 3, "value": "."}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", KINDS)
def test_all_values_that_a_kind_may_have(kind):
    values = {
        "set": [None, *MARKS],
        "comment": [None, "", "two\nlines", "<script>alert(1)</script>", "x" * LONGEST_COMMENT],
        "state": ["open", "finished"],
        "decide": [None, *DECISIONS],
    }
    for value in values[kind]:
        assert Event.from_json(GOOD | {"kind": kind, "value": value}).value == value


WRONG = {
    "client": ["", "x" * 65, "a\x00b", "\ud800", 7],
    "sequence": [-1, 1.0, True, MOST],
    "document": [10**400],
    "gap": [None, [1]],
    "kind": ["drop", ["set"]],
    "value": ["x", 1, ["."], ". "],
    "more": [1],
}
SAYS = {
    "comment": ["x" * (LONGEST_COMMENT + 1), "bell \x07", "\u202e right to left", "\udfff", 3],
    "state": [None, "done"],
    "decide": ["maybe"],
}


def test_what_is_no_event():
    wrong = [{key: value} for key, values in WRONG.items() for value in values]
    wrong += [{"kind": kind, "value": value} for kind, values in SAYS.items() for value in values]
    for each in wrong:
        with pytest.raises(EventError):
            Event.from_json(GOOD | each)
    for missing in GOOD:
        with pytest.raises(EventError, match="nothing else"):
            Event.from_json({key: value for key, value in GOOD.items() if key != missing})


@given(JSON, st.sampled_from([*GOOD, None]))
def test_any_json_is_an_event_or_an_error(value, field):
    try:
        found = Event.from_json(value if field is None else GOOD | {field: value})
    except EventError:
        return
    assert found.kind in KINDS
    assert 0 <= found.gap < MOST
    assert found.value is None or isinstance(found.value, str)
