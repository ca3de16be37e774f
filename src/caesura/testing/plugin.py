"""The pytest plug-in: the fixture `assert_boundaries`."""

from collections.abc import Callable

import pytest

from caesura import testing


@pytest.fixture(name="assert_boundaries")
def _assert_boundaries() -> Callable[..., None]:
    """`caesura.testing.assert_boundaries`, without an import."""
    return testing.assert_boundaries
