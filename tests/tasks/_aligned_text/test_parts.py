"""One huge text in parts: the same counts as in one part, whatever the differences are."""

import gzip
import random
from dataclasses import replace
from pathlib import Path

import pytest

from caesura.errors import FormatError
from caesura.measures import joint
from caesura.measures.joint import JointCounts
from caesura.run.chunks import Whole
from caesura.run.inputs import Case
from caesura.run.worker import Worker
from caesura.tasks._aligned_text import parts as module
from caesura.tasks._aligned_text import passages
from caesura.tasks._aligned_text.parts import (
    KINDS,
    TextPart,
    TextPartCounts,
    count_part,
    merge,
    plan,
    replan,
)
from caesura.tasks.text.counting import TextTask
from support.counted_parts import merged, rows_of
from support.long_texts import WORDS, cut_out, otherwise, sentences, whole, written
from support.process_tasks import Lengths

pytestmark = pytest.mark.slow

TOKENS = TextTask(input="tokens").form("")
FORMS = TOKENS, TOKENS


def pair(folder, seed, number=5000, noise=0.002, change=None):
    generator = random.Random(seed)
    gold = sentences(generator, number)
    system = otherwise(generator, gold, noise)
    if change:
        system, gold = change(generator, system, gold)
    ours = written(folder / f"s{seed}.txt", system, generator)
    return Case("d", {"s": ours}, {"g": written(folder / f"g{seed}.txt", gold, generator)})


@pytest.fixture(autouse=True)
def near(monkeypatch):
    """Look near by for cuts, as these texts are small."""
    monkeypatch.setattr(module, "NEAR", (1 << 12, 1 << 14, 1 << 16))


def in_parts(case, size=20_000):
    found = plan(case, FORMS, size=size)
    return total(found), found


def total(parts, count=lambda part: count_part(part, FORMS)):
    return merged(parts, count, replan, lambda _, counted: merge(counted))


def repeated(generator, system, gold):
    """A text that says the same again and again."""
    return system[:20] * 250, gold[:20] * 251


def at_the_end(generator, system, gold):
    return [*gold[:-1], ["another", "end"]], gold


def at_the_beginning(generator, system, gold):
    return [["another", "beginning"], *gold[1:]], gold


def in_dialogue(generator, system, gold):
    """Short answers that recur between sentences, some of which the system lacks."""
    answers = [["no", "."], ["no", "no", "."], ["yes", "."], ["no", "no", "no", "."]]
    gold = [part for each in gold for part in (*generator.choices(answers, k=3), each * 3)]
    return [each for each in gold if generator.random() > 0.03], gold


@pytest.mark.parametrize(
    ("noise", "change"),
    [
        (0, None),
        (0.0005, None),
        (0.005, None),
        (0.05, None),
        (0.0005, cut_out),
        (0.05, cut_out),
        (0.005, repeated),
        (0, at_the_end),
        (0, at_the_beginning),
        (0.005, in_dialogue),
    ],
)
def test_pieces_add_up_to_the_whole(tmp_path, noise, change):
    case = pair(tmp_path, seed=len(f"{noise}") % 3, noise=noise, change=change)
    counts, found = in_parts(case)
    assert counts == whole(case)
    assert change or noise > 0.01 or len(found) > 3


def nastily(path, text, generator):
    """A byte-order mark, and white space and characters of every kind."""
    ends = ["\n", "\n", "\r\n", "\n\n", " \n", "\t\r\n", "\n \n", "\n\r\n"]
    gaps = [" ", " ", "  ", "\v", "\u00a0 ", " \u3000"]
    lines = [
        generator.choice(["", " "]) + generator.choice(gaps).join(each) + generator.choice(ends)
        for each in text
    ]
    path.write_bytes("".join(["\ufeff", *lines, "at the end"]).encode())
    return str(path)


@pytest.mark.parametrize(("seed", "noise"), [(0, 0), (1, 0.001), (2, 0.001)])
def test_pieces_of_text_with_white_space_of_every_kind(tmp_path, seed, noise):
    generator = random.Random(seed)
    gold = sentences(generator, 4000, [*WORDS, "e\u0301te\u0301", "``", "''", "שָׁלוֹם", "a\u2009b"])
    system = otherwise(generator, gold, noise)
    paths = [
        nastily(tmp_path / name, each, generator) for name, each in (("s", system), ("g", gold))
    ]
    case = Case("d", {"s": paths[0]}, {"g": paths[1]})
    counts, found = in_parts(case)
    assert counts == whole(case)
    assert len(found) > 3


def test_a_text_that_repeats_itself_after_a_while_is_cut(tmp_path):
    case = pair(tmp_path, 1, change=lambda _, system, gold: (system[:400] * 9, gold[:400] * 9))
    counts, found = in_parts(case)
    assert counts == whole(case)
    assert len(found) > 3


def test_what_follows_is_read_only_where_characters_differ(tmp_path, monkeypatch):
    seen = []
    real = passages.Passage.with_sight
    monkeypatch.setattr(
        passages.Passage, "with_sight", lambda *given: seen.append(given) or real(*given)
    )
    equal = plan(pair(tmp_path, 1, noise=0), FORMS, size=20_000)
    assert all(count_part(part, FORMS).counts for part in equal)
    assert not seen
    total(plan(pair(tmp_path, 1, noise=0.01), FORMS, size=20_000))
    assert all(len(real(*given).stream) > len(given[0].text.stream) for given in seen)
    assert seen


def test_to_plan_reads_no_more_than_some_times_the_files(tmp_path, monkeypatch):
    """Not even where no place for a cut can be found."""
    one, two = pair(tmp_path, 1, number=3000), pair(tmp_path, 2, number=3000)
    case = Case("d", one.systems, two.references)
    read = []
    real = passages.Passage.from_range

    def spy(path, start, stop, form):
        read.append(stop - start)
        return real(path, start, stop, form)

    monkeypatch.setattr(passages.Passage, "from_range", spy)
    plan(case, FORMS, size=2_000)
    assert sum(read) < 12 * Path(one.systems["s"]).stat().st_size


def test_tokens_that_are_too_many_to_compare(tmp_path, run, monkeypatch):
    """The lines are those of the files."""
    chance = random.Random(3)
    gold = sentences(chance, 3000)
    system = [*gold[:2000], "k a a b b l".split(), *gold[2000:]]
    gold = [*gold[:2000], "l d d e e k".split(), *gold[2000:]]
    names = "s.txt", "g.txt"
    paths = [
        written(tmp_path / name, each, chance)
        for name, each in zip(names, (system, gold), strict=True)
    ]
    command = ("text", f"A={paths[0]}", "--gold", paths[1])
    monkeypatch.setattr(joint, "LARGEST", 3)
    expected = run(*command)
    assert "cannot be aligned with" in expected[2]
    monkeypatch.setattr(TextTask, "HUGE", dict.fromkeys(TextTask.HUGE, 1000))
    monkeypatch.setattr(passages, "SIZE", dict.fromkeys(passages.SIZE, 20_000))
    assert run(*command) == expected


def test_most_pieces_are_counted_alone(tmp_path):
    """Else there would be nothing to gain."""
    alone = every = 0
    for seed in range(4):
        found = plan(pair(tmp_path, seed), FORMS, size=20_000)
        counted = [count_part(part, FORMS) for part in found]
        alone += sum(each.counts is not None for each in counted)
        every += len(counted)
    assert alone / every > 0.7
    assert every > 20


def test_a_wrong_cut_is_found_out(tmp_path):
    """Cuts are tried, not trusted."""
    case = pair(tmp_path, 1)
    found = plan(case, FORMS, size=20_000)
    lines = Path(case.references["g"]).read_bytes().splitlines(keepends=True)
    for at in range(1, len(found)):
        system, gold = found[at].start
        moved = system, gold + len(lines[0])
        wrong = list(found)
        wrong[at - 1] = replace(found[at - 1], stop=moved)
        wrong[at] = replace(found[at], start=moved)
        if not any(moved[1] == offset for offset in _starts(lines)):
            continue
        assert total(wrong) == whole(case)


def _starts(lines):
    at = 0
    for line in lines:
        yield at
        at += len(line)


def test_pieces_that_need_each_other():
    """Parts that cannot be alone are joined until they can be; the last that differs is last."""
    made = [TextPart(Case("d", {}, {}), (at, at), (at + 1, at + 1)) for at in range(6)]
    made[-1] = replace(made[-1], closed=KINDS)
    asked = []

    def count(part):
        asked.append((part.start[0], part.stop[0], sorted(part.closed)))
        needs = part.start[0] <= 2 < part.stop[0] and part.stop[0] - part.start[0] < 4
        counts = {"joint": JointCounts(*[part.stop[0] - part.start[0]] * 9)}
        differs = frozenset(["joint"] if part.start[0] < 4 else [])
        return TextPartCounts(None if needs else counts, differs)

    assert total(made, count) == {"joint": JointCounts(*[6] * 9)}
    assert asked[6:] == [(1, 4, []), (0, 5, []), (0, 5, ["joint"])]


def test_a_huge_file_on_the_command_line(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    case = pair(tmp_path, 5)
    other = pair(tmp_path, 6)
    command = (
        "text", f"A={case.systems['s']}", f"B={other.systems['s']}",
        "--gold", case.references["g"], "-f", "json", "--force", "--rows", "rows.jsonl",
    )  # fmt: skip
    expected = run(*command), (tmp_path / "rows.jsonl").read_bytes()
    assert expected[0][0] == 0
    monkeypatch.setattr(TextTask, "HUGE", dict.fromkeys(TextTask.HUGE, 1000))
    monkeypatch.setattr(passages, "SIZE", dict.fromkeys(passages.SIZE, 20_000))
    for how in (["--engine", "serial"], ["--engine", "processes", "-j", "2"]):
        assert (run(*command, *how), (tmp_path / "rows.jsonl").read_bytes()) == expected


def test_huge_files_of_different_texts(tmp_path, run, monkeypatch):
    one, two = pair(tmp_path, 5), pair(tmp_path, 6)
    command = ("text", f"A={one.systems['s']}", "--gold", two.references["g"])
    expected = run(*command)
    assert expected[0] == 1
    monkeypatch.setattr(TextTask, "HUGE", dict.fromkeys(TextTask.HUGE, 1000))
    assert run(*command) == expected
    status, _, errors = run(*command, "--keep-going")
    assert status == 1
    assert errors.startswith("error: no document could be scored; fix them: ")


def test_bad_bytes_in_the_middle(tmp_path, monkeypatch):
    case = pair(tmp_path, 5)
    path = case.systems["s"]
    data = bytearray(Path(path).read_bytes())
    data[len(data) // 2] = 0xFF
    Path(path).write_bytes(data)
    with pytest.raises(FormatError, match=r"s5.txt:\d+: byte 0xff is not UTF-8"):
        in_parts(case)


@pytest.mark.parametrize("size", [0, 1, 100])
def test_small_files_are_left_whole(tmp_path, size):
    (tmp_path / "a").write_bytes(b"x\n" * size)
    case = Case("d", {"s": str(tmp_path / "a")}, {"g": str(tmp_path / "a")})
    assert TextTask().plan(case) == []


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"\xff\xfeh\x00i\x00\n\x00", {}),
        (b"no end of line", {}),
        (b"fine\n", {"blocks": True}),
        (b"fine\n", {"algorithm": "literal"}),
        (b"fine\n", {"encoding": "latin-1"}),
        (b"fine\n", {"input": "other"}),
    ],
)
def test_what_has_to_be_whole(tmp_path, monkeypatch, content, options):
    monkeypatch.setattr(TextTask, "HUGE", dict.fromkeys(TextTask.HUGE, 1))
    (tmp_path / "a").write_bytes(content)
    (tmp_path / "b").write_bytes(b"fine\n")
    case = Case("d", {"s": str(tmp_path / "a")}, {"g": str(tmp_path / "b")})
    assert TextTask(**options).plan(case) == []
    assert TextTask().plan(replace(case, systems={"s": str(tmp_path / "b")}))


def test_other_tasks_have_no_pieces():
    case = Case("d", {"s": "a"}, {"g": "b"})
    for worker in (Worker(Lengths()), Worker(TextTask(), reads=True), Worker(TextTask())):
        assert worker.plan(case, 7) == [Whole(case, 7)]
    assert rows_of([], TextTask()) == []


def test_what_is_compressed_cannot_be_read_in_the_middle(tmp_path, monkeypatch):
    monkeypatch.setattr(TextTask, "HUGE", dict.fromkeys(TextTask.HUGE, 1))
    for name in ("a.txt.gz", "b.txt.gz"):
        (tmp_path / name).write_bytes(gzip.compress(b"fine \n so\n" * 40, mtime=0) + b"\n")
    case = Case("d", {"s": str(tmp_path / "a.txt.gz")}, {"g": str(tmp_path / "b.txt.gz")})
    assert TextTask().plan(case) == []
