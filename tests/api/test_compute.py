"""compute(): flat floats; and what tests of other projects use."""

import math
import subprocess
import sys

import pytest

import caesura
from caesura.errors import UsageError
from caesura.testing import assert_boundaries

OURS, GOLD = ["it rained we", "left now"], ["it rained", "we left now"]


def test_floats_of_documents():
    found = caesura.compute([OURS, "a b // c"], [GOLD, "a b // c"])
    assert {type(value) for value in found.values()} == {float}
    assert found["f1"] == 0.5
    assert math.isnan(found["rgar"])
    found = caesura.compute([[0, 1, 0, 1]], {"a": [[0, 1, 0, 1]], "b": [[0, 1, 1, 1]]})
    assert found["wisebe"] > 0


def test_other_tasks():
    assert caesura.compute(["a b ."], ["a b ."], task="text")["token_f1"] == 1
    assert caesura.compute(["我们 在"], ["我们 在"], profile="sighan")["f1"] == 1


def test_as_many_of_both():
    with pytest.raises(UsageError, match="1 predictions, but 2 documents of references"):
        caesura.compute([OURS], [GOLD, GOLD])


def test_assert_boundaries():
    assert_boundaries(GOLD, GOLD, f1=1, pk=0)
    with pytest.raises(AssertionError) as problem:
        assert_boundaries(OURS, GOLD, f1=0.9, pk=0.1)
    message = str(problem.value)
    assert message.startswith("system: f1_mean .000 is under 0.9; system: pk_mean .667 is over 0.1")
    assert "The first 2 wrong boundaries" in message
    with pytest.raises(UsageError, match="no score to reach"):
        assert_boundaries(OURS, GOLD)
    with pytest.raises(AssertionError, match="token_f1"):
        assert_boundaries(["a b c"], ["a bc"], task="text", token_f1=0.9)


@pytest.mark.slow
def test_the_fixture_comes_with_the_package(tmp_path):
    test = "def test(assert_boundaries):\n    assert_boundaries(['a b'], ['a', 'b'], f1=.9)\n"
    (tmp_path / "test_it.py").write_text(test)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "is under 0.9" in ran.stdout
    assert "1 failed" in ran.stdout


@pytest.mark.slow
def test_frames_of_polars():
    polars = pytest.importorskip("polars")
    found = caesura.evaluate({"ours": OURS}, {"gold": GOLD}).to_frame("polars")
    assert isinstance(found, polars.DataFrame)
    assert found.height > 1
    assert caesura.boundary(OURS, GOLD).to_frame("polars")["tp"].to_list() == [0]
    with pytest.raises(UsageError, match="unknown library of data frames 'dask'"):
        caesura.boundary(OURS, GOLD).to_frame("dask")
