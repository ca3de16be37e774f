"""What the fuzzer found once, and a short hunt. A long one: `scripts/fuzz`."""

import os
import random
import shlex
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.types import StringParamType

from caesura.cli import COMMANDS
from fuzz.hunt import Hunt
from fuzz.lines import FILES, OUTPUTS, SHARED, Line, params_of
from fuzz.options import SCORED, VALUES
from fuzz.targets import uses
from support.hypothesis_settings import RANDOM
from support.paths import TESTS

pytestmark = pytest.mark.fuzz

HERE = TESTS / "fuzz"
CORPUS = sorted((HERE / "corpus").iterdir())
"""Files called WHAT-WAS-WRONG--KIND.SUFFIX."""
LINES = (HERE / "lines.txt").read_text("utf-8").splitlines()
"""Command lines that failed once, on files of the pool."""


@pytest.fixture(scope="module")
def hunt(tmp_path_factory):
    before = Path.cwd()
    yield Hunt(RANDOM or "ci", tmp_path_factory.mktemp("hunt"))
    os.chdir(before)
    tempfile.tempdir = None


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_what_was_found(hunt, path):
    file = path.name.partition("--")[2]
    kind = max((name for name in hunt.kinds if file.startswith(name)), key=len)
    for target in dict.fromkeys(uses(kind)):
        for seed in range(6):
            failure = hunt.used(path.name, file, path.read_bytes(), random.Random(seed), target)
            assert failure is None, failure.trace


@pytest.mark.parametrize("line", LINES)
def test_lines_that_were_found(hunt, line):
    words = Line(tuple(shlex.split(line)[1:]), ())
    failure = hunt.used("line", "lines.txt", b"it rained\n", random.Random(1), words)
    assert failure is None, failure.trace


def test_a_short_hunt(hunt):
    for number in range(500):
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


def test_every_command_and_every_option_is_tried():
    assert {name.partition(" ")[0] for name in FILES} == {*COMMANDS} - {"studio"}
    for name, files in FILES.items():
        known = {*files, *SHARED, *OUTPUTS, *VALUES, *SCORED}
        texts = [each.name for each in params_of(name) if isinstance(each.type, StringParamType)]
        assert {*texts} <= known, name


def _printing(text):
    return lambda *_, **__: print(text)


def _overwriting(words, **_):
    Path(words[1]).write_text("")


@pytest.mark.parametrize(
    ("main", "problem"),
    [
        (lambda *_, **__: 5, "exit status 5"),
        (_overwriting, "the input is changed"),
        (_printing('{"f1": NaN}'), "JSON that is not valid: NaN in JSON"),
        (lambda *_, **__: Path("case-x.out/.caesura-x").write_text(""), "a temporary file is left"),
        (lambda *_, **__: Path("pool/x").write_text(""), "another input is changed"),
    ],
)
def test_a_broken_promise_is_noticed(hunt, monkeypatch, main, problem):
    monkeypatch.setattr("fuzz.outcome.cli", SimpleNamespace(main=main))
    line = Line(("report", "case-x/x.srt", *(("-f", "json") if "JSON" in problem else ())), ())
    failure = hunt.used("x", "srt.srt", b"1", random.Random(1), line)
    assert failure.problem.startswith(f"BrokenPromiseError: {problem}")


def test_options_that_a_failure_does_not_need_are_dropped(hunt, monkeypatch):
    def main(words, **_):
        return 5 if "--align" in words else 0

    def made(number):
        options = (("--level", "0.9"), ("--align",), ("-f", "csv"))
        return "srt.srt", b"1", Line(("transcript", "case-x/x.srt"), options), random.Random(1)

    monkeypatch.setattr("fuzz.outcome.cli", SimpleNamespace(main=main))
    monkeypatch.setattr(hunt, "made", made)
    assert hunt.tried("x").target == "caesura transcript case-x/x.srt --align"
