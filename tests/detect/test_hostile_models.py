"""Models are files from anywhere: whatever is in one, it runs or is refused in one line."""

import io
import json
import re
import sys
import zipfile

import numpy as np
import pytest

from caesura.detect import weights
from caesura.detect.detector import KINDS, Detector
from caesura.errors import CaesuraError, FormatError, SourceError
from support.paths import GOLDEN

WORDS = [f"w{at * at % 37}" for at in range(300)]


@pytest.fixture(scope="module", params=KINDS)
def packed(request):
    """The arrays of a small model as they are stored."""
    path = GOLDEN / f"detect_{request.param}.npz"
    with np.load(path) as stored:
        return {name: stored[name] for name in stored.files}


def about_of(packed):
    return json.loads(packed["about"].tobytes())


def said(about):
    text = about if isinstance(about, str) else json.dumps(about)
    return {"about": np.frombuffer(text.encode(), np.uint8)}


def saved(folder, packed):
    path = folder / "model.npz"
    np.savez(path, **packed)
    return str(path)


def assert_refused(path):
    with pytest.raises(FormatError) as problem:
        Detector.from_file(path)
    message = str(problem.value)
    assert message.startswith(f"{path}: ")
    assert "; " in message
    assert "\n" not in message
    assert len(message) < len(path) + 150


ABOUTS = [
    "", "no JSON", "[]", "3", "null", '"rnn"', "[" * 100_000, "{}", '{"kind": NaN}', "9" * 9000,
    "x" * (weights.LONGEST + 1),
]  # fmt: skip
"""What a model may say of itself instead of an object."""


@pytest.mark.parametrize("about", ABOUTS, ids=lambda about: about[:9])
def test_what_a_model_says_of_itself_is_no_object(tmp_path, packed, about):
    assert_refused(saved(tmp_path, packed | said(about)))


@pytest.mark.parametrize("kind", ["os", "training.train", "..run.run", "Rnn", "", None, 1, ["rnn"]])
def test_a_kind_is_looked_up_and_never_imported(tmp_path, packed, kind):
    before = set(sys.modules)
    assert_refused(saved(tmp_path, packed | said(about_of(packed) | {"kind": kind})))
    assert {name for name in set(sys.modules) - before if name.startswith("caesura")} == set()


VALUES = [None, True, "4", "x" * 999, [], {}, 0, -1, 0.5, 10**9, 10**30, float("nan"), float("inf")]


@pytest.mark.slow
@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:9])
def test_numbers_of_another_kind_or_size(tmp_path, packed, value):
    about = about_of(packed)
    changes = [{"buckets": value}, {"shape": value}]
    for name in about["shape"]:
        if (name, value) != ("margin", 0):
            changes += [{"shape": {name: value}}, {"shape": about["shape"] | {name: value}}]
    if value not in (True, 0, 0.5):
        changes.append({"threshold": value})
    for change in changes:
        assert_refused(saved(tmp_path, packed | said(about | change)))


def test_a_window_that_is_all_margin(tmp_path, packed):
    about = about_of(packed)
    if "window" in about["shape"]:
        about["shape"]["margin"] = about["shape"]["window"] // 2
        assert_refused(saved(tmp_path, packed | said(about)))


@pytest.mark.slow
def test_an_array_that_is_missing_or_of_another_shape(tmp_path, packed):
    for name in set(packed) - {"about", "words"}:
        rest = {other: array for other, array in packed.items() if other != name}
        array = packed[name]
        assert_refused(saved(tmp_path, rest))
        for wrong in (array[:-1], array[..., None], array[:0], np.zeros(3, "U1"), np.array(1j)):
            assert_refused(saved(tmp_path, rest | {name: wrong}))


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300, -1e9])
def test_weights_that_are_no_numbers(tmp_path, packed, value):
    bias = packed["out.bias"].astype(np.float64)
    bias[1] = value
    path = saved(tmp_path, packed | {"out.bias": bias})
    message = f"^{re.escape(path)}: weights that are huge or no numbers; train the model again$"
    with pytest.raises(FormatError, match=message):
        Detector.from_file(path)


def test_objects_are_not_unpickled(tmp_path, packed):
    class Evil:
        def __reduce__(self):
            return pytest.fail, ("it was unpickled",)

    array = np.empty(1, object)
    array[0] = Evil()
    path = tmp_path / "model.npz"
    for name in ("about", "table"):
        np.savez(path, allow_pickle=True, **{**packed, name: array})
        assert_refused(str(path))


def test_files_that_only_have_the_name(tmp_path, packed):
    path = tmp_path / "model.npz"
    for missing in ("no such file", "give a model written by"):
        with pytest.raises(SourceError, match=missing):
            Detector.from_file(str(path))
        path.mkdir(exist_ok=True)
    path.rmdir()
    np.savez(path, words=np.zeros(3))
    array = io.BytesIO()
    np.save(array, packed["table"])
    for content in (path.read_bytes(), array.getvalue(), b"", b"words"):
        path.write_bytes(content)
        assert_refused(str(path))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("about", "{}")
        archive.writestr("words.npy", "no array")
    assert_refused(str(path))


def test_a_model_that_is_small_only_as_long_as_it_is_packed(tmp_path, packed, monkeypatch):
    monkeypatch.setattr(weights, "LARGEST", 1 << 20)
    path = tmp_path / "model.npz"
    np.savez_compressed(path, **packed, extra=np.zeros(2 << 20, np.int8))
    assert path.stat().st_size < 1 << 18
    assert_refused(str(path))


def test_an_array_that_says_it_is_larger_than_any_memory(tmp_path, packed):
    head = io.BytesIO()
    shape = {"descr": "<f4", "fortran_order": False, "shape": (1 << 40, 1 << 20)}
    np.lib.format.write_array_header_1_0(head, shape)
    path = saved(tmp_path, {name: array for name, array in packed.items() if name != "table"})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("table.npy", head.getvalue())
    assert_refused(path)


def test_weights_too_large_to_calculate_with(tmp_path, packed):
    huge = np.full_like(packed["table.scale"], 3e6)
    path = saved(tmp_path, packed | {"table.scale": huge})
    detector = Detector.from_file(path)
    try:
        found = detector.probabilities(WORDS)
    except CaesuraError as problem:
        found, text = None, str(problem)
    said = "the model gives some words no probability; train it again"
    assert text == said if found is None else np.isfinite(found).all()


def test_the_command_says_it_in_one_line(run, tmp_path, packed, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("so it is\nyes\n")
    saved(tmp_path, packed | said({"kind": "os"}))
    message = "error: model.npz: a model that this version cannot run; give a model written by"
    for command in (
        ("segment", "model.npz", "a.txt"),
        ("transcript", "--run", "model.npz", "--ref", "a.txt"),
    ):
        status, out, errors = run(*command)
        assert (status, out, errors.count("\n")) == (1, "", 1)
        assert errors.startswith(message)
