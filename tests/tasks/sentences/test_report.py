"""The segments of the page: words are aligned, segments are chosen, saved rows come back."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import caesura
from caesura.align.wording import columns
from caesura.core.json_values import plain
from caesura.output.report.page import page_data
from caesura.output.report.page_tables import page_column
from caesura.output.report.readings import readings, taken
from caesura.output.report.segments import LONGEST, MOST_FIRST, MOST_WORST, AlignedSegment
from caesura.run.inputs import Source, match
from caesura.run.run import run as run_task
from caesura.scores.catalog import catalog
from caesura.tasks import TASKS
from caesura.tasks.sentences.counting import SentencesTask

REF = "Good morning, everyone.\nIt is fast, and it does not stop.\nThank you!\n"
ASR = "good morning everyone it is so fast and it doesn't stop thank\n"


def sentences(folder, ref, *ours, **options):
    """The readings of systems."""
    texts = {f"s{at}.txt": text for at, text in enumerate(ours)}
    folder(**{"ref.txt": ref, **texts})
    cases = match([Source.parse(name) for name in texts], [Source.parse("ref.txt")])
    task = SentencesTask(metrics="none", **options)
    return list(readings(run_task(cases, task, reads=True).readings(), TASKS["sentences"]))


WORDS = st.lists(st.sampled_from(["a", "A", "ab", "abc", "b", "don't", "x,"]), max_size=9)


@given(WORDS, WORDS)
def test_columns_are_both_sides_at_the_least_edits(theirs, ours):
    found = columns(" ".join(theirs), " ".join(ours), "lower", "words")
    assert [each[1].strip() for each in found if each[0] != "i"] == theirs
    assert [each[2].strip() for each in found if each[0] != "d"] == ours
    lower = [[word.lower() for word in side] for side in (theirs, ours)]
    assert sum(sign != "=" for sign, *_ in found) == Levenshtein.distance(*lower)
    for sign, one, other in found:
        assert (sign == "=") == (one.strip().lower() == other.strip().lower())


def test_words_that_are_alike_are_paired():
    found = columns("we saw the old harbours", "they harbour", "lower", "words")
    assert [each for each in found if each[0] == "s"][-1] == ("s", " harbours", " harbour")
    assert [sign for sign, *_ in columns("a b", "b c", "exact", "words")] == ["d", "=", "i"]


def test_very_long_segments_are_aligned_too(monkeypatch):
    both = "a b c d e", "a x c e f"
    usual = columns(*both, "lower", "words")
    monkeypatch.setattr("caesura.align.wording.MOST_CELLS", 8)
    found = columns(*both, "lower", "words")
    for each in (found, usual):
        assert ["".join(side) for side in list(zip(*each, strict=True))[1:]] == [*both]
    assert [sum(s != "=" for s, *_ in each) for each in (found, usual)] == [3, 3]


@pytest.mark.parametrize(
    ("tokens", "units", "reference", "system", "wanted"),
    [
        ("bare", "words", "— Ja , “so” .", "so oh",
         [("d", "— Ja ,", ""), ("=", " “so” .", "so"), ("i", "", " oh")]),
        ("exact", "words", "Ja so", "ja so", [("s", "Ja", "ja"), ("=", " so", " so")]),
        ("lower", "characters", "去了 NLP。", "去 NLP",
         [("=", "去", "去"), ("d", "了", ""), ("=", " NLP", " NLP"), ("d", "。", "")]),
        ("lower", "words", "", "a", [("i", "", "a")]),
        ("bare", "words", "—", "", []),
    ],
)  # fmt: skip
def test_words_are_as_written(tokens, units, reference, system, wanted):
    assert columns(reference, system, tokens, units) == wanted


def test_segments_have_their_words_and_edits(folder):
    (found,) = sentences(folder, REF, ASR, tokens="bare")
    assert (found.system, found.segments, found.wrong) == ("s0", 3, 2)
    _, second, third = found.cases
    assert second == AlignedSegment(
        document="document", number=2, units="words", words=8, edits=3, left=0,
        operations="==i===sd=",
        reference=("It", " is", "", " fast,", " and", " it", " does", " not", " stop."),
        system=("it", "", " so", " fast", "", "", " doesn't", "", " stop"),
    )  # fmt: skip
    assert (third.words, third.edits, third.operations) == (2, 1, "=d")
    assert taken(json.loads(json.dumps(plain(found)))) == found


def test_characters_are_units_where_there_are_no_spaces(folder):
    (found,) = sentences(folder, "我们去了老港口。\n下了雨。\n", "我去了旧港口下了大雨\n")
    assert [(case.units, case.words, case.operations) for case in found.cases] == [
        ("characters", 8, "=d==s==d"),
        ("characters", 4, "==i=d"),
    ]


def test_the_first_segments_and_those_with_the_most_edits_are_kept(folder):
    """Of several systems, the same ones."""
    size = MOST_FIRST + MOST_WORST + 50
    ref, bad = "a b\n" * size, "a x\n" * (size - MOST_WORST) + "x y\n" * MOST_WORST
    one, two = sentences(folder, ref, ref, bad)
    assert (one.wrong, two.wrong) == (0, size)
    kept = [*range(1, MOST_FIRST + 1), *range(size - MOST_WORST + 1, size + 1)]
    for each in (one, two):
        assert [case.number for case in each.cases] == kept


def test_a_very_long_segment_is_cut(folder):
    words = " ".join(f"w{at}" for at in range(LONGEST + 50))
    (found,) = sentences(folder, f"{words}\nend\n", f"{words} more\nend\n")
    (case, _) = found.cases
    assert (len(case.operations), case.left) == (LONGEST, 51)
    assert (case.words, case.edits) == (LONGEST + 50, 1)
    assert taken(plain(found)) == found


def test_readings_of_two_sets_of_documents_are_joined(folder):
    (found,) = sentences(folder, REF, ASR)
    both = found.joined(found)
    assert (both.segments, both.wrong) == (6, 2 * found.wrong)
    assert both.cases == found.cases * 2
    many = replace(found, cases=found.cases * 300)
    assert MOST_FIRST < len(many.joined(many).cases) <= MOST_FIRST + MOST_WORST


@pytest.mark.parametrize(
    "change",
    [
        {"operations": "==x===sd="},
        {"edits": 2},
        {"edits": 4},
        {"words": 7},
        {"left": -1},
        {"left": 10**400},
        {"number": 0},
        {"reference": ("It",)},
        {"reference": ("It", " is", "", "", " and", " it", " does", " not", " stop.")},
        {"system": ("it", "", "", " fast", "", "", " doesn't", "", " stop")},
        {"system": ("it", "", " so", " fast", "", "", " doesn't", " not", " stop")},
    ],
)
def test_a_damaged_segment_is_refused(folder, change):
    (found,) = sentences(folder, REF, ASR, tokens="bare")
    broken = replace(found, cases=(replace(found.cases[1], **change),))
    with pytest.raises(ValueError, match="segments whose words do not fit their edits"):
        taken(plain(broken))


@pytest.mark.parametrize("change", [{"wrong": 4}, {"wrong": -1}, {"segments": 10**400}])
def test_impossible_numbers_are_refused(folder, change):
    (found,) = sentences(folder, REF, ASR)
    with pytest.raises(ValueError, match="more segments with edits than segments"):
        taken(plain(replace(found, **change)))


def test_a_damaged_reading_is_refused_with_its_line(run, folder):
    made = folder(**{"ref.txt": REF, "asr.txt": ASR})
    command = ("sentences", "asr.txt", "--ref", "ref.txt", "--metrics", "none", "-q")
    assert run(*command, "--rows", "r.jsonl", "--with-text")[0] == 0
    text = (made / "r.jsonl").read_text(encoding="utf-8")
    line = text.count("\n", 0, text.index('{"reading": ')) + 1
    (made / "r.jsonl").write_text(text.replace('"pairs": [', '"pairs": [3, ', 1))
    status, _, told = run("report", "r.jsonl", "-o", "p.html")
    assert status != 0
    assert f"r.jsonl:{line}: not a reading" in told


def test_rates_are_shares_and_translation_scores_up_to_a_hundred():
    every = catalog(TASKS["sentences"]).columns("all")
    found = {column.key: page_column(column, ()) for column in every}
    counts = {key for key, each in found.items() if each.format == "count"}
    assert counts == {"segments", "words", "edits"}
    assert {key for key, each in found.items() if each.better == "low"} == {"wer", "cer", "ter"}
    scales = {key: each.scale for key, each in found.items() if key not in counts}
    assert scales == {"wer": 1, "cer": 1, "bleu": 100, "chrf": 100, "chrf_plus": 100, "ter": 100}


def test_there_is_one_table_of_scores_with_or_without_documents():
    ours, ref = {"s": ["a b", "c"]}, {"r": ["a b", "d"]}
    found = caesura.evaluate(ours, ref, task="sentences", metrics="none")
    data = page_data(found.summary, found.page(by_document=True), [])
    assert [each.id for each in data.sections] == ["all"]
    assert data.tables == ()
    keys = [column.key for column in data.sections[0].columns]
    assert keys == ["segments", "words", "edits", "wer", "cer"]
