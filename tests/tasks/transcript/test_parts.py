"""One huge transcript in parts: the same rows as in one piece, and the same errors."""

import mmap
import random
import re
import tracemalloc
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from caesura.errors import CaesuraError, FormatError, UsageError, WordsDifferError
from caesura.formats import plain
from caesura.run.inputs import Case
from caesura.run.run import Running, run
from caesura.tasks.transcript import counting as module
from caesura.tasks.transcript import parts as transcript_parts
from caesura.tasks.transcript import split as cuts
from caesura.tasks.transcript.blocks import MOST
from caesura.tasks.transcript.counting import Transcript as AnyTranscript
from caesura.tasks.transcript.parts import TranscriptPart, Uncounted, plan
from caesura.tasks.transcript.split import form_of
from support.counted_parts import in_parts, seen_by
from support.reference_scores import sums_of

pytestmark = pytest.mark.slow

Transcript = partial(AnyTranscript, tokens="words")
"""By characters, which a text without spaces needs, a transcript is counted whole."""

WORDS = "so we it's zoé 日本 naïve x e\u0301t שלום well-known 3.5 http://a.b//c I don’t".split()
NAMES = ["r1", "r2", "r3", "s1", "s2"]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Cut small texts, and look near by for places."""
    monkeypatch.setattr(module, "HUGE", 1)
    monkeypatch.setattr(module, "SMALL", 1)
    monkeypatch.setattr(transcript_parts, "SIZE", 30_000)
    monkeypatch.setattr(cuts, "VIEWS", (1 << 11, 1 << 14))
    monkeypatch.setattr(cuts, "REACHES", (1 << 11, 1 << 13, 1 << 16))


def speech(draw, number):
    vocabulary = WORDS + [f"w{each}" for each in range(500)]
    return [draw.choice(vocabulary) for _ in range(number)]


def spelt(draw, word, is_end, form):
    """A word as a version may write it, with what ends a unit or does not."""
    word = draw.choice([word, word, word.upper(), f"“{word}”", f"({word}"])
    after = draw.choice(["", "", "", ",", " —", " …"])
    end = draw.choice([".", "?", " !", ";"])
    breaks = {
        "lines": [f"{draw.choice(['', end])}\n", "\r\n", " \n\n", f"{end}\r"],
        "marks": [f"{end} ", f"{end}\t", f"{end}” "],
        "slashes": [" // ", "// ", " //", f"{end} ///\n"],
    }
    joints = {"lines": [" ", "\t", "\u3000"], "marks": [" "], "slashes": [" ", "\n", "\r\n"]}
    return word + after + draw.choice(breaks[form] if is_end else joints[form])


def written(path, draw, words, form, rate=0.08, mark=""):
    """Write a version; most of its units end where those of the others do."""
    ends = random.Random(len(words))
    pieces = [
        spelt(draw, word, draw.random() < (0.8 if ends.random() < rate else rate / 8), form)
        for word in words
    ]
    path.write_bytes((mark + "".join(pieces)).encode())
    return str(path)


def case_of(folder, seed, number=9000, names=NAMES, **how):
    draw = random.Random(seed)
    words = speech(draw, number)
    paths = {
        name: written(folder / f"{name}.txt", draw, words, draw.choice(list(FORMS)), **how)
        for name in names
    }
    systems = {name: path for name, path in paths.items() if name.startswith("s")}
    return Case("d", systems, {name: paths[name] for name in paths if name not in systems})


FORMS = ("lines", "marks", "slashes")


def counted_in_parts(case, task):
    found = task.plan(case)
    assert len(found) > 3
    return in_parts(task, found)


TASKS = [
    Transcript(),
    Transcript(final="keep"),
    Transcript(window=0, tolerance=0, near=1, k=1),
    Transcript(window=5, tolerance=4, near=4, k=400, final="keep"),
    Transcript(consensus=1, k=3),
]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    ("names", "seed"), [(NAMES, 0), (NAMES[2:], 1), (["r1", "s1"], 0)], ids=["all", "some", "two"]
)
def test_parts_add_up_to_the_whole(tmp_path, seed, names, task):
    case = case_of(tmp_path, seed, names=names)
    assert counted_in_parts(case, task) == task.count(case)


@pytest.mark.parametrize("task", TASKS)
def test_blocks_of_parts_add_up_to_the_whole(tmp_path, task):
    case = case_of(tmp_path, 14)
    rows = counted_in_parts(case, replace(task, blocks=True))
    assert sums_of(rows) == sums_of(task.count(case))
    ends = sorted({portion.block for portion in rows.portions})
    assert ends[0] == 0
    assert ends[-1] == 9000
    assert 100 < len(ends) <= 1 + MOST


@pytest.mark.parametrize(("rate", "mark"), [(0.003, "\ufeff"), (0.02, ""), (0.3, "\ufeff")])
def test_few_and_many_boundaries(tmp_path, rate, mark):
    case = case_of(tmp_path, 3, number=12000, rate=rate, mark=mark)
    task = Transcript()
    found = plan(case, forms(case), task)
    assert in_parts(task, found) == task.count(case)


def forms(case):
    return {name: form_of(path, "auto") for name, path in (case.references | case.systems).items()}


def test_a_boundary_after_every_word(tmp_path):
    case = case_of(tmp_path, 4, names=["r1", "s1"], rate=1)
    assert counted_in_parts(case, Transcript()) == Transcript().count(case)


def test_a_text_that_repeats_itself(tmp_path):
    draw = random.Random(5)
    words = speech(draw, 60) * 200
    paths = {name: written(tmp_path / name, draw, words, "lines") for name in NAMES}
    case = Case("d", {"s1": paths["s1"]}, {name: paths[name] for name in ("r1", "r2")})
    assert counted_in_parts(case, Transcript()) == Transcript().count(case)


def moved(pieces, at, name, by):
    """The same with one cut some words later in one version: as if it had been found wrongly."""
    path = Path(pieces[0].path(name))
    place = pieces[at].stop[name]
    data = path.read_bytes()
    text = data[place:].decode()
    later = place + len(text[: len(text) - len(text.split(maxsplit=by)[by])].encode())
    left = replace(pieces[at], stop=pieces[at].stop | {name: later})
    right = replace(pieces[at + 1], start=pieces[at + 1].start | {name: later})
    return [*pieces[:at], left, right, *pieces[at + 2 :]]


@pytest.mark.parametrize("name", ["r1", "s1"])
@pytest.mark.parametrize("at", [0, 2, -2])
def test_a_wrong_cut_is_seen_and_mended(tmp_path, at, name):
    case, task = case_of(tmp_path, 6, names=["r1", "r2", "s1"]), Transcript()
    pieces = task.plan(case)
    wrong = moved(pieces, at % len(pieces), name, 7)
    assert isinstance(task.count_part(wrong[at % len(pieces)]), Uncounted)
    assert in_parts(task, wrong) == task.count(case)


def test_a_wrong_guess_of_k_is_mended(tmp_path):
    case, task = case_of(tmp_path, 7), Transcript()
    pieces = [replace(piece, k=(dict.fromkeys(piece.k[0], 99),)) for piece in task.plan(case)]
    assert in_parts(task, pieces) == task.count(case)


def test_a_doubtful_k_is_counted_in_both_ways(tmp_path):
    case, task = case_of(tmp_path, 7), Transcript()
    wanted = task.count(case)
    for low, high in [(5, 6), (6, 7), (2, 6)]:
        k = tuple(dict.fromkeys(case.references, each) for each in (low, high))
        pieces = [replace(piece, k=k) for piece in task.plan(case)]
        assert in_parts(task, pieces) == wanted


def test_a_version_with_a_mark_in_one_part_only(tmp_path):
    draw = random.Random(8)
    words = [f"w{draw.randrange(500)}" for _ in range(9000)]
    for name in NAMES:
        text = "".join(word + draw.choice([" "] * 9 + ["\n"]) for word in words)
        (tmp_path / name).write_text(text + ("end.\n" if name == "s1" else "end\n"))
    case = Case("d", *({n: str(tmp_path / n) for n in names} for names in (["s1"], ["r1", "r2"])))
    for final in ("drop", "keep"):
        task = Transcript(final=final)
        assert counted_in_parts(case, task) == task.count(case)


def spoilt(case, name, share, change):
    """Change one word of a version, about so far into it."""
    path = Path((case.references | case.systems)[name])
    text = path.read_bytes().decode()
    found = re.search(r"(?<= )w\d+", text[int(len(text) * share) :])
    at, end = (int(len(text) * share) + place for place in found.span())
    path.write_bytes((text[:at] + change + text[end:]).encode())


def error_of(function, *arguments):
    with pytest.raises(CaesuraError) as problem:
        function(*arguments)
    return type(problem.value), str(problem.value)


@pytest.mark.parametrize(
    ("share", "change"),
    [
        (0.001, "another"),
        (0.3, "another"),
        (0.99, "another"),
        (0.001, "one more"),
        (0.8, "one more"),
        (0.55, ""),
        (0.99, ""),
    ],
)
def test_words_that_differ_are_told_as_in_the_whole(tmp_path, share, change):
    case, task = case_of(tmp_path, 9, names=["r1", "r2", "s1"]), Transcript()
    spoilt(case, "r2", share, change)
    kind, text = error_of(counted_in_parts, case, task)
    assert (kind, text) == error_of(task.count, case)
    assert kind is WordsDifferError


def test_a_version_that_ends_early_is_told_as_in_the_whole(tmp_path):
    case, task = case_of(tmp_path, 10, names=["r1", "s1"]), Transcript()
    path = Path(case.systems["s1"])
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b" ", int(len(data) * 0.9))])
    assert error_of(counted_in_parts, case, task) == error_of(task.count, case)


@pytest.mark.parametrize("byte", [b"\xff", b"\0"])
def test_bytes_that_are_no_text_are_told_as_in_the_whole(tmp_path, byte):
    case, task = case_of(tmp_path, 11, names=["r1", "s1"]), Transcript()
    path = Path(case.systems["s1"])
    data = path.read_bytes()
    at = data.index(b" ", int(len(data) * 0.6))
    path.write_bytes(data[:at] + byte + data[at:])
    kind, text = error_of(counted_in_parts, case, task)
    assert (kind, text) == error_of(task.count, case)
    assert kind is FormatError


def test_a_run_counts_parts_and_leaves_bad_documents_out(tmp_path, monkeypatch):
    case, task = case_of(tmp_path, 12, names=["r1", "s1"]), Transcript(k=6)
    seen = seen_by(monkeypatch)
    assert run([case], task).table == task.count(case)
    parts = [part for chunk in seen for part in chunk]
    assert all(isinstance(each, TranscriptPart) for each in parts)
    assert sum(each.weight for each in parts) == case.weight
    spoilt(case, "s1", 0.5, "another")
    other = replace(case, document="other", systems={"s1": case.references["r1"]})
    found = run([case, other], task, Running(keep_going=True))
    assert {row.document for row in found.table.rows()} == {"other"}
    assert found.failures[0].reason == error_of(task.count, case)[1]


def test_what_has_to_be_seen_whole_is_not_cut(tmp_path):
    case = case_of(tmp_path, 13, names=["r1", "r2", "s1"])
    assert Transcript().plan(case)
    for whole in (
        Transcript(align=True), Transcript(normalize=("numbers",)), Transcript(su=True),
        Transcript(axis="time"), Transcript(encoding="latin-1"), Transcript(runs=(("a", "all"),)),
        Transcript(by="speaker"), Transcript(streams="speaker"), Transcript(input="binary"),
    ):  # fmt: skip
        assert not whole.plan(case)
    with pytest.raises(UsageError, match="consensus of 3"):
        counted_in_parts(case, Transcript(consensus=3))


FILES = {
    "a.txt": "so it goes\nand on\n",
    "b.txt": "  \n so it goes and on\n \u3000\n",
    "c.txt": "\ufeff\nso it goes. and on",
    "d.txt": "so it goes // and on",
    "e.txt": "so it goes at http://a.b//c and on",
    "f.txt": "so a//b and on// and",
    "g.txt": "日//本 日 //本",
    "h.txt": "a:// b",
    "i.txt": "so it goes\rand on",
    "j.txt": "x//\u3000y",
}


@pytest.mark.parametrize(("name", "text"), FILES.items())
def test_the_form_of_a_file_is_that_of_its_text(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode())
    assert form_of(str(path), "auto") == plain.detect(text.removeprefix("\ufeff"))


@pytest.mark.parametrize("at", [-2, -1, 0, 1])
@pytest.mark.parametrize("what", [" // ", "\n", " http://a ", " "])
def test_the_form_of_a_file_of_many_pages(tmp_path, monkeypatch, what, at):
    monkeypatch.setattr(cuts, "STEP", mmap.PAGESIZE)
    text = "x" * (3 * mmap.PAGESIZE + at) + what + "y" * 2 * mmap.PAGESIZE
    path = tmp_path / "a.txt"
    path.write_text(text)
    assert form_of(str(path), "auto") == plain.detect(text)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", b"0101 10\n"), ("b.srt", b"1\n00:00:01,000 --> 00:00:02,000\nso\n"),
        ("c.txt.gz", b"so it goes"), ("d.txt", "so\nit".encode("utf-16")), ("e.txt", b""),
        ("f.json", b'{"segments": []}'), ("g.txt", b"WEBVTT\n\n00:01.000 --> 00:02.000\nso\n"),
    ],
)  # fmt: skip
def test_other_files_cannot_be_read_in_the_middle(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    assert form_of(str(path), "auto") == ""
    assert form_of(str(tmp_path / "none.txt"), "auto") == ""


def peak_of(function, *arguments):
    """The most memory that Python and NumPy hold beyond what was there before."""
    tracemalloc.start()
    try:
        function(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_transcript(tmp_path, monkeypatch):
    monkeypatch.setattr(transcript_parts, "SIZE", 120_000)
    for name, small in (("HEAD", 9999), ("_HEAD", slice(9999)), ("_TAIL", slice(-9999, None))):
        monkeypatch.setattr(cuts, name, small)
    peaks, task = [], Transcript()
    for number in (24_000, 96_000):
        case = case_of(tmp_path, 15, number=number, names=["r1", "r2", "s1"])
        peaks.append(peak_of(counted_in_parts, case, task))
    assert peaks[1] < 1.3 * peaks[0]
    assert peak_of(task.count, case) > 3 * peaks[1]
