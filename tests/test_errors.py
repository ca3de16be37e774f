"""Errors: what they keep when they come from another process."""

import ast
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura import errors
from caesura.communities import PROFILES
from caesura.tasks import TASKS
from support.paths import PACKAGE

EVERY = [
    errors.CaesuraError("what is wrong"),
    errors.SegmentationError("what is wrong"),
    errors.SourceError("a.txt", "is empty", "give another"),
    errors.MissingDocumentError("a/", "one", "b/"),
    errors.FormatError("a.txt", "no words", "add some", line=3),
    errors.FormatError("a.txt", "no words", "add some"),
    errors.WordsDifferError(3, ("a.txt", "one two"), ("b.txt", "one too")),
    errors.LengthsDifferError("a.txt", 3, "b.txt", 4),
    errors.LabelsError("a.txt", "speaker"),
    errors.LabelsError("a.txt", "speaker", ["A"], "b.txt", ["B"]),
    errors.TimesError("a.txt:3"),
    errors.WorkerError("one"),
    errors.LeftOutError(1, 3),
    errors.MissingPackageError("pandas", "to_frame()", "pip install pandas"),
    errors.StoppedError(1, 3, f"go on with {errors.option('resume')}"),
    errors.InterruptError(),
    errors.UsageError("what is wrong"),
    errors.UnknownNameError("measure", "f2", ["f1", "pk"]),
]


def kinds(kind=errors.CaesuraError):
    """All errors of the module."""
    return {kind, *(each for below in kind.__subclasses__() for each in kinds(below))}


def test_every_error_is_tried():
    told = {each for each in kinds() if each.__module__ == errors.__name__}
    assert {type(error) for error in EVERY} == told


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert (again.args, again.status, vars(again)) == (error.args, error.status, vars(error))


def test_options_are_written_as_the_reader_writes_them(folder, run):
    folder(s__d1="a b\n", s__d2="a b\n", r__d1="a b\n", r__d2="a c\n")
    with pytest.raises(errors.WordsDifferError) as raised:
        caesura.evaluate("s/d2.txt", "r/d2.txt")
    assert str(raised.value).endswith("or project the boundaries with align=True")
    assert repr(raised.value).endswith("align=True')")
    status, _, err = run("transcript", "s/d2.txt", "--ref", "r/d2.txt")
    assert (status, err.endswith("or project the boundaries with --align\n")) == (1, True)
    found = caesura.evaluate("s", "r", keep_going=True)
    assert found.failures[0].reason.endswith("align=True")
    assert 'with --align"' in found.html()
    assert "with --align\n" in run("transcript", "s", "--ref", "r", "--keep-going")[2]


def test_warnings_are_written_as_the_reader_writes_them(folder, run):
    folder(s="It rained. We left. So.\nWe came. It was. Late.\n", r="It rained we left so\n")
    found = caesura.evaluate("s.txt", "r.txt", align=True)
    assert [each.endswith('use input="marks"') for each in found.warnings].count(True) == 1
    assert "3 warnings>" in repr(found)
    assert "<b>Warning:</b> s.txt: read as one unit per line" in found._repr_html_()
    status, out, err = run("transcript", "s.txt", "--ref", "r.txt", "--align", "-f", "json")
    assert status == 0
    assert "use --input marks\n" in err
    assert found.to_json() == out
    assert "use --input marks" in found.html()
    assert not re.search(
        r"`\w+=", re.search(r'id="data">(.*?)</script>', found.html(), re.DOTALL)[1]
    )


@given(
    st.from_regex(r"[a-z]+(_[a-z]+)*", fullmatch=True),
    st.none() | st.integers(0) | st.from_regex(r"[A-Za-z0-9=./-]+", fullmatch=True),
)
def test_an_option_has_two_spellings(name, value):
    text = f"one {errors.option(name, value)} two"
    argument, flag = (
        how(text).split(" ", 1)[1] for how in (errors.in_python, errors.on_command_line)
    )
    left, right = argument.removesuffix(" two").split("=", 1)
    assert (left, ast.literal_eval(right)) == (name, True if value is None else value)
    dashes = "-" if name in errors.SHORT else "--"
    wanted = [f"{dashes}{name.replace('_', '-')}", *([] if value is None else [str(value)]), "two"]
    assert flag.split() == wanted


COMMAND_ONLY = (
    "cli", "detect/training", "output/gate.py", "output/statistics.py", "formats/registry.py",
    "core/command.py", "api/conversion.py", "api/segmenting.py",
    *(f"communities/{name}{part}.py" for name in PROFILES for part in ("", "/__init__")),
    *(f"tasks/{name}/{part}.py" for name in TASKS
      for part in ("__init__", "options", "output", "tables")),
)  # fmt: skip
"""What only commands can raise or print."""


@pytest.mark.slow
def test_errors_that_python_may_raise_spell_no_option_themselves():
    spelled = []
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(COMMAND_ONLY):
            texts = _texts(ast.parse(path.read_text()))
            spelled += [(name, text) for text in texts if re.search(r"(^|[\s(])--[a-z]", text)]
    assert spelled == []


def _texts(tree):
    """The strings of a module that are not docstrings."""
    nodes = list(ast.walk(tree))
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in alone]
    return [node.value for node in texts if isinstance(node.value, str)]


@given(st.text("a'“”\" :;", max_size=900), st.text("ab '", max_size=300))
def test_a_brief_problem_is_short_and_stays_as_it_is(text, cell):
    for problem in (text, f"'{cell}' is not a time", f"“{text}” where “{cell}” is"):
        found = errors.brief(problem)
        assert len(found) <= errors.LONGEST
        assert found == problem or "…" in found
    short = f"'{cell.replace(chr(39), '')[:80]}' is not a time"
    assert errors.brief(short) == short


def test_both_ends_of_what_is_quoted_are_shown():
    found = errors.brief(f"a second document named '{'day' * 40}.txt', beside {'x' * 90}")
    assert re.fullmatch(r"a second document named 'day.{50,80}….{10,30}\.txt', beside x{90}", found)


def test_of_many_known_names_some_are_listed():
    error = errors.UnknownNameError("recording", "zzz", [f"talk{at}" for at in range(100_000)])
    assert len(str(error)) < 700
