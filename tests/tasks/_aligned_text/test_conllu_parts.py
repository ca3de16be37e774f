"""Huge CoNLL-U in parts: joint and treebank counts as in one part, and errors with their line."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from caesura.errors import FormatError
from caesura.run.inputs import Case
from caesura.tasks._aligned_text import parts as module
from caesura.tasks._aligned_text import passages
from caesura.tasks._aligned_text.parts import count_part, merge, plan, replan
from caesura.tasks._aligned_text.passages import Passage, sentence_after
from caesura.tasks.text.counting import TextTask
from support.counted_parts import merged
from support.long_texts import cut_out, otherwise, sentences, whole, written
from support.random_texts import DEPRELS, FEATS, UPOS, line

pytestmark = pytest.mark.slow

SIZE = 150_000


@pytest.fixture(autouse=True)
def near(monkeypatch):
    """Look near by for cuts, as these treebanks are small."""
    monkeypatch.setattr(module, "NEAR", (1 << 15, 1 << 17, 1 << 19))


def treebank(chance, text, ranges=0.08):
    """Sentences as CoNLL-U, with comments, multiword tokens, empty nodes and any trees."""
    blank = ["\n", "\n", "\n", "\n\n", "\n# newpar\n\n"]
    return "".join(sentence(chance, tokens, ranges) + chance.choice(blank) for tokens in text)


def sentence(chance, tokens, ranges):
    rows, number = [], 0
    if chance.random() < 0.3:
        rows.append(f"# text = {' '.join(tokens)}\n")
    for token in tokens:
        if chance.random() < 0.01:
            rows.append(line(f"{number}.1", "gap"))
        parts = [token]
        if chance.random() < ranges:
            at = chance.randrange(1, len(token)) if len(token) > 1 else 1
            parts = chance.choice([[token[:at], token[at:] or "x"], [token.upper()], ["de", "le"]])
            rows.append(line(f"{number + 1}-{number + len(parts)}", token))
        for part in parts:
            number += 1
            rows.append(word(chance, number, part, len(tokens)))
    return "".join(rows)


def word(chance, number, form, size):
    tags = chance.choice(UPOS), chance.choice("XXY"), chance.choice(FEATS)
    head = chance.choice([number - 1, number - 1, chance.randrange(size)])
    return line(number, form, chance.choice("aab_"), *tags, head, chance.choice(DEPRELS))


def repeated(chance, system, gold):
    return system[:300] * 12, gold[:300] * 13


def pair(folder, seed, noise=0.002, change=None, end="\n", number=2800, ranges=0.08):
    chance = random.Random(seed)
    gold = sentences(chance, number)
    system = otherwise(chance, gold, noise)
    if change:
        system, gold = change(chance, system, gold)
    paths = {}
    for name, text in (("s", system), ("g", gold)):
        path = folder / f"{name}{seed}.conllu"
        path.write_bytes(treebank(chance, text, ranges).replace("\n", end).encode())
        paths[name] = str(path)
    return Case("d", {"s": paths["s"]}, {"g": paths["g"]})


def in_parts(case, task, size=SIZE):
    forms = tuple(replace(form, beyond=1 << 16) for form in task.forms(case))
    found = plan(case, forms, size=size)
    return total(found, forms), found


def total(parts, forms):
    def count(part):
        return count_part(part, forms)

    return merged(parts, count, replan, lambda _, counted: merge(counted))


def everything(case, task):
    return {row.measure: row.counts for row in task.count(case) if row.measure != "source"}


@pytest.mark.parametrize(
    ("noise", "change", "units"),
    [
        (0, None, "tokens"),
        (0.0003, None, "words"),
        (0.003, None, "tokens"),
        (0.02, None, "words"),
        (0.0003, cut_out, "tokens"),
        (0.003, cut_out, "words"),
        (0, repeated, "words"),
        (0.02, repeated, "tokens"),
    ],
)
def test_parts_add_up_to_the_whole(tmp_path, noise, change, units):
    task = TextTask(force=True, units=units)
    seed = len(f"{noise}{units}{change}")
    ranges = 0.08 if units == "tokens" else 0.003
    case = pair(tmp_path, seed, noise, change, end=["\n", "\r\n"][seed % 2], ranges=ranges)
    counts, found = in_parts(case, task)
    assert counts == everything(case, task)
    assert change or noise > 0.002 or len(found) > 3


@pytest.mark.parametrize("units", ["tokens", "words"])
def test_what_was_noticed_is_the_same_in_parts(tmp_path, units):
    """Sentences whose `# text` is not that of their tokens, each counted once."""
    task, chance = TextTask(force=True, units=units), random.Random(3)
    case = pair(tmp_path, 5, noise=0.001, ranges=0.003)
    for path in map(Path, case.files):
        lines = path.read_text("utf-8").split("\n")
        marked = (each + "x" * ("# text" in each and chance.random() < 0.1) for each in lines)
        path.write_text("\n".join(marked), "utf-8")
    forms = tuple(replace(form, beyond=1 << 16) for form in task.forms(case))
    parts = plan(case, forms, size=SIZE)
    assert len(parts) > 3
    rows = merged(parts, lambda part: count_part(part, forms), task.replan, task.merge)
    found, wanted = (
        {row.system: row.counts for row in each if row.measure == "source"}
        for each in (rows, task.count(case))
    )
    assert found == wanted
    assert all(each.signs["text_differs"] > 20 for each in found.values())


def test_many_multiword_tokens(tmp_path):
    case = pair(tmp_path, 1, noise=0.001, ranges=0.5, number=2500)
    counts, found = in_parts(case, TextTask(force=True), size=80_000)
    assert counts == everything(case, TextTask(force=True))
    assert len(found) > 3


@pytest.mark.parametrize("units", ["tokens", "words"])
@pytest.mark.parametrize("noise", [0, 0.001])
def test_tokens_against_conllu(tmp_path, noise, units):
    chance = random.Random(7)
    gold = sentences(chance, 3000)
    tokens = written(tmp_path / "s.txt", otherwise(chance, gold, noise), chance)
    (tmp_path / "g.conllu").write_text(treebank(chance, gold), encoding="utf-8")
    task = TextTask(force=True, units=units)
    for case in (
        Case("d", {"s": tokens}, {"g": str(tmp_path / "g.conllu")}),
        Case("d", {"s": str(tmp_path / "g.conllu")}, {"g": tokens}),
    ):
        counts, found = in_parts(case, task, size=30_000)
        assert counts == everything(case, task)
        assert list(counts) == ["joint"]
        assert units == "words" or len(found) > 2


def test_most_pieces_are_counted_alone(tmp_path):
    case = pair(tmp_path, 3, noise=0.0003, number=6000)
    forms = TextTask().forms(case)
    found = plan(case, forms, size=SIZE)
    counted = [count_part(part, forms) for part in found]
    assert sum(each.counts is not None for each in counted) > 0.7 * len(counted) > 3


def test_a_cut_before_a_multiword_token_is_found_out(tmp_path):
    """What one side has not passed yet falls into a region that begins after the cut."""
    words = [["one", f"w{at}", "aaaaa"] for at in range(400)]
    plain = [line(*row) for row in ((1, "aaaaa"), (2, "is"))]
    gold, system = [], []
    for tokens in words:
        rows = [line(at, token) for at, token in enumerate(tokens, 1)]
        gold.append("".join(rows))
        system.append("".join([*rows[:2], *(line(at, "a") for at in range(3, 8))]))
    gold[200] = line("1-2", "aa") + line(1, "a") + line(2, "a") + plain[1].replace("2", "3", 1)
    system[200] = line(1, "aa") + plain[1]
    paths = []
    for name, blocks in (("s", system), ("g", gold)):
        (tmp_path / f"{name}.conllu").write_text("\n".join(blocks) + "\n", encoding="utf-8")
        paths.append((tmp_path / f"{name}.conllu", len(("\n".join(blocks[:200]) + "\n").encode())))
    (ours, stop), (theirs, end) = paths
    case = Case("d", {"s": str(ours)}, {"g": str(theirs)})
    forms = TextTask().forms(case)
    last = plan(case, forms)[0]
    cut = [replace(last, stop=(stop, end), closed=frozenset()), replace(last, start=(stop, end))]
    assert count_part(cut[1], forms).counts is None
    assert total(cut, forms) == whole(case)


def test_a_huge_treebank_on_the_command_line(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one, other = pair(tmp_path, 5, number=2500), pair(tmp_path, 6, number=2500)
    command = (
        "text", f"A={one.systems['s']}", f"B={other.systems['s']}",
        "--gold", one.references["g"], "-f", "json", "--force", "--rows", "rows.jsonl",
    )  # fmt: skip
    expected = run(*command), (tmp_path / "rows.jsonl").read_bytes()
    assert expected[0][0] == 0
    assert b"treebank" in expected[1]
    monkeypatch.setattr(TextTask, "HUGE", dict.fromkeys(TextTask.HUGE, 1000))
    monkeypatch.setattr(passages, "SIZE", dict.fromkeys(passages.SIZE, SIZE))
    for how in (["--engine", "serial"], ["--engine", "processes", "-j", "2"]):
        assert (run(*command, *how), (tmp_path / "rows.jsonl").read_bytes()) == expected


ERRORS = {
    "a column too few": lambda row: "\t".join(row.split("\t")[:9]),
    "an id out of order": lambda row: re.sub(r"^\S+", "77", row),
    "no id": lambda row: re.sub(r"^\S+", "x", row),
    "a form of white space": lambda row: re.sub(r"\t[^\t]+", "\t\u00a0", row, count=1),
    "bytes": lambda row: row.replace("\t", "\udcff", 1),
    "NUL": lambda row: row + "\0",
}


PLACES = [("s", 0.5), ("g", 0.02), ("g", 0.99)] * 2


@pytest.mark.parametrize(
    ("spoil", "side", "place"),
    [(spoil, *place) for spoil, place in zip(ERRORS.values(), PLACES, strict=True)],
    ids=ERRORS,
)
def test_errors_tell_the_line_of_the_file(tmp_path, run, monkeypatch, spoil, side, place):
    case = pair(tmp_path, 5, number=2500, ranges=0)
    path = Path({**case.systems, **case.references}[side])
    rows = path.read_text(encoding="utf-8").split("\n")
    at = next(at for at in range(int(place * len(rows)), len(rows)) if rows[at].startswith("2\t"))
    rows[at] = spoil(rows[at])
    path.write_bytes("\n".join(rows).encode(errors="surrogateescape"))
    command = ("text", f"A={case.systems['s']}", "--gold", case.references["g"], "--force")
    expected = run(*command)
    assert expected[0] == 1
    (told,) = re.findall(rf"^error: {re.escape(str(path))}:(\d+): ", expected[2])
    assert at - 3 <= int(told) <= at + 1
    monkeypatch.setattr(TextTask, "HUGE", dict.fromkeys(TextTask.HUGE, 1000))
    monkeypatch.setattr(passages, "SIZE", dict.fromkeys(passages.SIZE, SIZE))
    assert run(*command) == expected
    with pytest.raises(FormatError):
        in_parts(case, TextTask())


@pytest.mark.parametrize("gap", [rb"\n", rb"\n\r?\n"])
def test_where_sentences_begin(tmp_path, gap):
    path = tmp_path / "f"
    data = b"a\nb\n\nc\r\n\r\nd\n\n\ne\n\n# c\nf"
    path.write_bytes(data)
    ends = [found.end() for found in re.finditer(gap, data)]
    for at in range(-1, len(data) + 3):
        wanted = next((end for end in [0, *ends] if end >= at), len(data))
        found = sentence_after(str(path), at, gap)
        assert found == wanted or (data[:found].endswith(b"\n\n\n") and found >= at)


@pytest.mark.parametrize("form", ["conllu", "tokens"])
def test_a_byte_order_mark(tmp_path, form):
    """Near the beginning, the place of a cut is counted from there."""
    chance = random.Random(4)
    text = sentences(chance, 1500)
    for name in "sg":
        content = treebank(chance, text) if form == "conllu" else "\n".join(map(" ".join, text))
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + content.encode())
    case = Case("d", {"s": str(tmp_path / "s")}, {"g": str(tmp_path / "g")})
    task = TextTask(input=form)
    counts, found = in_parts(case, task, size=20_000)
    assert counts == everything(case, task)
    assert len(found) > 3
    for part in found[1:]:
        for path, start in zip(part.paths, part.start, strict=True):
            assert Path(path).read_bytes()[:start].endswith(b"\n")


def test_cuts_stand_after_blank_lines(tmp_path):
    case = pair(tmp_path, 8, end="\r\n")
    for part in plan(case, TextTask().forms(case), size=SIZE)[1:]:
        for path, start in zip(part.paths, part.start, strict=True):
            data = Path(path).read_bytes()
            assert data[:start].endswith(b"\n\r\n")
            form = TextTask().form(path)
            assert Passage.from_range(path, start, len(data), form).start == start
