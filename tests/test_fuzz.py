"""What the fuzzer found once, and a short hunt with a fixed seed. A long one: `scripts/fuzz`."""

import os
import random
from pathlib import Path

import pytest

from fuzz.hunt import Hunt
from fuzz.targets import uses

CORPUS = sorted((Path(__file__).parent / "fuzz" / "corpus").iterdir())
"""Files called WHAT-WAS-WRONG--KIND.SUFFIX."""


@pytest.fixture(scope="module")
def hunt(tmp_path_factory):
    before = Path.cwd()
    yield Hunt("ci", tmp_path_factory.mktemp("hunt"))
    os.chdir(before)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_what_was_found(hunt, path):
    file = path.name.partition("--")[2]
    kind = max((name for name in hunt.kinds if file.startswith(name)), key=len)
    for target in dict.fromkeys(uses(kind)):
        for seed in range(6):
            failure = hunt.used(path.name, file, path.read_bytes(), random.Random(seed), target)
            assert failure is None, failure.trace


def test_a_short_hunt(hunt):
    for number in range(1000):
        failure = hunt.tried(number)
        assert failure is None, f"{failure.trace}{failure}"


def test_a_case_is_the_same_each_time(hunt):
    for number in range(50):
        one, other = hunt.made(number), hunt.made(number)
        assert one[:3] == other[:3]
        assert one[3].random() == other[3].random()


def test_a_failure_is_noticed(hunt, monkeypatch):
    def broken(path, rng, name):
        raise KeyError(name)

    failure = hunt.used("x", "srt.srt", b"", random.Random(1), broken)
    assert str(failure).startswith("case x: srt.srt, broken: KeyError: 'srt' (")
