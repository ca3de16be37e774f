import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caesura.core.batch import SegmentationBatch
from caesura.core.channels import Spans
from caesura.core.segmentation import Segmentation
from caesura.errors import FormatError, UsageError
from caesura.formats import rttm
from caesura.formats._shared.clock_times import SECOND
from caesura.matching import paths
from caesura.measures import su_units as su
from caesura.measures.mark_scores import Marks
from caesura.measures.su import Su, SuCounts
from caesura.tasks.transcript import mdeval
from support.hypothesis_settings import MANY
from support.paths import GOLDEN
from support.rates import scores
from support.strategies import FINALS, at, counted, pairs, typed_pairs

MDEVAL = json.loads((GOLDEN / "mdeval.json").read_text())
BONUS, END_BONUS, GAP = Fraction(11, 10), Fraction(1001, 1000), Fraction(1, 10)
NO_WIDTH = Fraction(1, 10**8)
KINDS = st.sampled_from(["lex", "lex", "lex", "fp", "frag", "un-lex"])


def slow_path(rows, columns, gain, missed, added):
    """md-eval's search as it is written: for each row, paths by the last column that was used."""
    before = [sum(added[:j], Fraction(0)) for j in range(columns + 1)]
    paths = {-1: (Fraction(0), [])}
    for row in range(rows):
        longer = {j: (score + missed[row], chosen) for j, (score, chosen) in paths.items()}
        for column in range(columns):
            worth = gain(row, column)
            if worth is None:
                continue
            for j in sorted(paths):
                if j >= column:
                    continue
                score = worth + paths[j][0] + before[column] - before[j + 1]
                if column not in longer or score > longer[column][0]:
                    longer[column] = (score, [*paths[j][1], (row, column)])
        paths = longer
    whole = {j: score + before[columns] - before[j + 1] for j, (score, _) in paths.items()}
    best = min(whole, key=lambda j: (-whole[j], j))
    return whole[best], paths[best][1]


def units(segmentation, final, types):
    """(first word, last word, type) of each unit that counts."""
    last = sorted(counted(segmentation, final))
    first = [0, *(j + 1 for j in last)]
    named = dict(zip(segmentation.boundaries.tolist(), types, strict=True))
    return [(a, b, named[b]) for a, b in zip(first, last, strict=False)]


def worth_of(reference, candidate, tolerance):
    """What a pair is worth to md-eval, -W."""
    begin = max(reference[0], reference[1] - tolerance + 1)
    other = max(candidate[0], candidate[1] - tolerance + 1)
    shared = min(reference[1], candidate[1]) - max(begin, other) + 1 + GAP
    width = reference[1] - begin + 1
    if shared < 0:
        return None
    shared *= BONUS if reference[2] == candidate[2] else 1
    shared *= END_BONUS if reference[1] == candidate[1] else 1
    return shared * max(width, NO_WIDTH) / (width + GAP)


def slow_count(ours, theirs, tolerance):
    """Counts as md-eval's, and what the pairs are worth."""
    worth, chosen = slow_path(
        len(theirs),
        len(ours),
        lambda row, column: worth_of(theirs[row], ours[column], tolerance),
        [0] * len(theirs),
        [0] * len(ours),
    )
    mapped, used = {row for row, _ in chosen}, {column for _, column in chosen}
    deletions = insertions = substitutions = 0
    for word in range(max([unit[1] for unit in [*ours, *theirs]], default=-1) + 1):
        wanted = [j for j, unit in enumerate(theirs) if unit[1] == word]
        placed = [j for j, unit in enumerate(ours) if unit[1] == word]
        met = [j for j in placed if j in used]
        kinds = {unit[2] for unit in [*ours, *theirs]}
        correct = sum(
            min(
                sum(theirs[j][2] == kind and j in mapped for j in wanted),
                sum(ours[j][2] == kind for j in met),
            )
            for kind in kinds
        )
        deletions += max(len(wanted) - len(met), 0)
        insertions += max(len(met) - len(wanted), 0) + len(placed) - len(met)
        substitutions += min(len(wanted), len(met)) - correct
    return worth, SuCounts(
        len(theirs),
        deletions,
        insertions,
        substitutions,
        len(theirs) - len(chosen),
        len(ours) - len(chosen),
        sum(theirs[row][2] != ours[column][2] for row, column in chosen),
    )


def read(shared, case):
    folder = shared / "data" / "mdeval"
    ours, theirs = (
        rttm.lanes((folder / f"{case}.{side}.rttm").read_text(), side) for side in ("sys", "ref")
    )
    return ours, theirs, rttm.parse_uem((folder / f"{case}.uem").read_text(), case)


@pytest.mark.parametrize("case", MDEVAL)
def test_the_cases_of_md_eval(shared, case):
    counts = mdeval.md_eval(*read(shared, case))
    exact = counts.exact_deletions, counts.exact_insertions, counts.exact_substitutions
    event = counts.deletions, counts.insertions, counts.substitutions
    assert [counts.reference, *exact] == MDEVAL[case]["exact_end"]
    assert [counts.reference, *event] == MDEVAL[case]["su_event"]


@MANY
@given(typed_pairs(), FINALS, st.integers(1, 4))
def test_equals_its_twin(pair, final, tolerance):
    ours, theirs = (units(each, final, each.marks.tolist()) for each in pair)
    worth, wanted = slow_count(ours, theirs, tolerance)
    assert Su(tolerance, final).count(*pair) == wanted
    placed, known = (
        su.SuUnits.from_batch(SegmentationBatch.from_one(each), final, np.array([True]))
        for each in pair
    )
    mapped = su.mapped_units(placed, known, tolerance).tolist()
    found = [worth_of(theirs[j], ours[k], tolerance) for j, k in enumerate(mapped) if k >= 0]
    assert sum(found) == worth


@st.composite
def loose_units(draw):
    """Units that may overlap, leave words out or hold none, sorted by their middles."""
    one = st.tuples(st.integers(0, 12), st.integers(0, 5), st.sampled_from(["", "x", "y"]))
    drawn = [
        (first, first + size - 1, kind) for first, size, kind in draw(st.lists(one, max_size=6))
    ]
    return sorted(drawn, key=lambda unit: unit[0] + unit[1])


def as_units(drawn):
    first, last, types = zip(*drawn, strict=True) if drawn else ((), (), ())
    ends = (np.array(each, dtype=np.int64) for each in (first, last))
    return su.SuUnits(*ends, np.array(types, dtype=np.str_))


@MANY
@given(loose_units(), loose_units(), st.integers(1, 4))
def test_units_that_overlap_are_paired_as_well(ours, theirs, tolerance):
    worth, _ = slow_count(ours, theirs, tolerance)
    mapped = su.mapped_units(as_units(ours), as_units(theirs), tolerance).tolist()
    chosen = [(j, k) for j, k in enumerate(mapped) if k >= 0]
    assert [k for _, k in chosen] == sorted({k for _, k in chosen})
    assert sum(worth_of(theirs[j], ours[k], tolerance) for j, k in chosen) == worth


@MANY
@given(st.data())
def test_the_best_path_is_that_of_the_whole_table(data):
    rows, columns = data.draw(st.integers(0, 6)), data.draw(st.integers(0, 6))
    edges = st.lists(st.integers(0, columns), min_size=rows, max_size=rows)
    low = np.sort(np.array(data.draw(edges), dtype=np.int64))
    high = np.maximum(low, np.sort(np.array(data.draw(edges), dtype=np.int64)))
    allowed = paths.BandPairs.from_bands(low, high)
    size = allowed.left.size
    few = st.lists(st.sampled_from([None, -2, -1, 0, 1]), min_size=size, max_size=size)
    gains = data.draw(few)
    prices = st.integers(-1, 0)
    missed = data.draw(st.lists(prices, min_size=rows, max_size=rows))
    added = data.draw(st.lists(prices, min_size=columns, max_size=columns))
    table = dict(
        zip(zip(allowed.left.tolist(), allowed.right.tolist(), strict=True), gains, strict=True)
    )
    _, chosen = slow_path(rows, columns, lambda j, k: table.get((j, k)), missed, added)
    assert paths.best_path(allowed, gains, missed, added) == chosen


@given(typed_pairs(), FINALS)
def test_ends_are_those_of_the_plain_boundaries(pair, final):
    counts, plain = Su(final=final).count(*pair), Marks(final).count(*pair)
    assert counts.reference == plain.correct + plain.substitutions + plain.deletions
    assert counts.exact_deletions >= plain.deletions
    assert counts.exact_insertions >= plain.insertions


@given(pairs(), FINALS, st.integers(1, 3))
def test_without_types_no_type_is_wrong(pair, final, tolerance):
    counts = Su(tolerance, final).count(*pair)
    assert counts.substitutions == 0
    assert counts.reference - counts.deletions == len(counted(pair[0], final)) - counts.insertions


@given(typed_pairs(), FINALS)
def test_a_perfect_candidate_makes_no_errors(pair, final):
    counts = Su(final=final).count(pair[0], pair[0])
    assert counts == SuCounts(len(counted(pair[0], final)), 0, 0, 0, 0, 0, 0)


@given(typed_pairs(), typed_pairs())
def test_counts_add(pair, other):
    one, two = Su().count(*pair), Su().count(*other)
    assert (one + two).errors == one.errors + two.errors
    assert SuCounts.from_dict((one + two).to_dict()) == sum([one, two], SuCounts.zero())


def test_near_is_an_event_and_no_exact_end():
    counts = Su().count(at(20, 4, 9, 15), at(20, 5, 12, 17))
    assert counts == SuCounts(4, 3, 3, 0, 1, 1, 0)
    assert scores(counts)["su_error_rate"] == counts.score == 6 / 4
    assert scores(counts)["su_event_error_rate"] == 2 / 4
    assert Su(tolerance=1).count(at(20, 4), at(20, 5)).deletions == 0
    assert Su(tolerance=1).count(at(20, 4), at(20, 6)).deletions == 1


def test_nothing_to_count():
    counts = Su().count(at(0), at(0))
    assert counts == SuCounts.zero()
    assert all(math.isnan(rate) for rate in scores(counts).values())
    with pytest.raises(UsageError, match="tolerance cannot be 0"):
        Su(tolerance=0)


def test_types_of_one_side_are_not_compared():
    typed = Segmentation(9, np.array([3, 8]), np.array(["?", "."]))
    assert Su().count(typed, at(9, 3)).errors == Su().count(at(9, 3), typed).errors == 0


def lane(words, ends, *, types="statement", extra="", speaker="ann"):
    """Words of a second each, as (start, word), and units as (start, end)."""
    lines = [f"LEXEME t 1 {start} 1 {word} lex {speaker} <NA>" for start, word in words]
    lines += [f"SU t 1 {a} {b - a} <NA> {types} {speaker} <NA>" for a, b in ends]
    return rttm.lanes("\n".join([*lines, extra]))


def test_unannotated_units_are_left_out_with_what_meets_them():
    words = [(j, f"w{j}") for j in range(12)]
    theirs = lane(words, [(0, 4), (8, 12)], extra="SU t 1 4 4 <NA> unannotated ann <NA>")
    assert mdeval.md_eval(lane(words, [(0, 4), (4, 6), (6, 8), (8, 12)]), theirs) == SuCounts(
        2, 0, 0, 0, 0, 0, 0
    )
    assert mdeval.md_eval(lane(words, [(0, 4)]), theirs) == SuCounts(2, 1, 0, 0, 1, 0, 0)


def test_units_out_of_the_scored_time_are_left_out():
    words = [(j, f"w{j}") for j in range(12)]
    whole = lane(words, [(0, 4), (4, 8), (8, 12)])
    early = {("t", "1"): [(0, 7 * SECOND)]}
    assert mdeval.md_eval(whole, whole, early).reference == 1
    silent = lane(words, [(0, 4), (4, 8), (8, 12)], extra="NOSCORE t 1 5 1 <NA> <NA> <NA> <NA>")
    assert mdeval.md_eval(whole, silent) == SuCounts(2, 0, 0, 0, 0, 0, 0)


def test_hyphens_fragments_and_pauses_align():
    theirs = rttm.lanes(
        "LEXEME t 1 0 1 well-known lex a <NA>\nLEXEME t 1 1 1 Uh fp a <NA>\n"
        "LEXEME t 1 2 1 tomorrow lex a <NA>\nSU t 1 0 3 <NA> statement a <NA>\n"
    )
    ours = rttm.lanes(
        "LEXEME t 1 0 .5 well lex a <NA>\nLEXEME t 1 .5 .5 known lex a <NA>\n"
        "LEXEME t 1 1 1 er fp a <NA>\nLEXEME t 1 2 1 tom- frag a <NA>\n"
        "SU t 1 0 3 <NA> statement a <NA>\n"
    )
    assert mdeval.md_eval(ours, theirs) == SuCounts(1, 0, 0, 0, 0, 0, 0)
    names = mdeval._standard(theirs[0].words).names
    assert names == ["well", "known", "uh", "tomorrow"]


def test_both_sides_need_words():
    theirs = lane([(0, "a")], [(0, 1)])
    message = "^<rttm>:2: an SU on channel 1 of t without words {}; give LEXEME lines for both$"
    with pytest.raises(FormatError, match=message.format("in the system's output")):
        mdeval.md_eval([], theirs)
    text = "; SUs alone\nSU t 1 0 1 <NA> statement a <NA>\n"
    with pytest.raises(FormatError, match=message.format("here")):
        mdeval.md_eval(theirs, rttm.lanes(text))
    assert mdeval.md_eval([], lane([(0, "a")], [])) == SuCounts.zero()


@st.composite
def spans(draw):
    size = draw(st.integers(1, 6))
    gaps = np.array(draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
    length = np.array(draw(st.lists(st.integers(1, 3), min_size=size, max_size=size)))
    start = (np.cumsum(gaps + length) - length) * SECOND
    names = draw(st.lists(st.sampled_from(["a", "b", "ab"]), min_size=size, max_size=size))
    kinds = draw(st.lists(KINDS, min_size=size, max_size=size))
    return Spans(start, start + length * SECOND, names, kinds)


def word_worth(theirs, ours, j, k, gap):
    """What md-eval gives for aligning words; ends of units apart."""
    shared = min(theirs.end[j], ours.end[k]) - max(theirs.start[j], ours.start[k])
    if shared + gap <= 0:
        return None
    kinds, names = (theirs.kinds[j], ours.kinds[k]), (theirs.names[j], ours.names[k])
    if kinds[0] == kinds[1] and (names[0] == names[1] or kinds[0] in ("fp", "frag")):
        return 0
    if kinds == ("lex", "frag") and names[1] in names[0]:
        return 0
    if kinds == ("frag", "lex") and names[0] in names[1]:
        return 0
    return -Fraction(1, 10) if kinds[0] == kinds[1] != "lex" else -1


def slow_time(time, pairs, ours, theirs):
    """md-eval's way from a time of the candidate to one of the reference."""
    right = next((pair for pair in pairs if ours.end[pair[1]] >= time), None)
    until = len(pairs) if right is None else pairs.index(right) + 1
    left = next((pair for pair in pairs[:until][::-1] if ours.start[pair[1]] <= time), None)
    if right:
        side = "end" if ours.start[right[1]] < time else "start"
        high, above = (int(getattr(s, side)[k]) for s, k in ((ours, right[1]), (theirs, right[0])))
    if left:
        side = "start" if ours.end[left[1]] > time else "end"
        low, below = (int(getattr(s, side)[k]) for s, k in ((ours, left[1]), (theirs, left[0])))
    if not left and not right:
        return time
    if not left:
        return above + time - high
    if not right or time == low:
        return below + time - low
    return below + Fraction((time - low) * (above - below), high - low)


@MANY
@given(spans(), spans(), st.sampled_from([1, SECOND, 3 * SECOND]))
def test_words_and_times_are_carried_as_by_md_eval(ours, theirs, gap):
    nothing = Spans(np.empty(0, np.int64), np.empty(0, np.int64), [], [])
    prices = [
        [-1 if kind == "lex" else -Fraction(1, 5) for kind in side.kinds] for side in (theirs, ours)
    ]
    _, chosen = slow_path(
        len(theirs), len(ours), lambda j, k: word_worth(theirs, ours, j, k, gap), *prices
    )
    clock = mdeval._Clock.from_words(nothing, ours, nothing, theirs, gap)
    assert clock.ours[0].tolist() == [int(ours.start[k]) for _, k in chosen]
    assert clock.theirs[0].tolist() == [int(theirs.start[j]) for j, _ in chosen]
    times = np.arange(0, 20 * SECOND, SECOND // 2)
    wanted = [float(slow_time(int(time), chosen, ours, theirs)) for time in times]
    assert clock.at(times).tolist() == pytest.approx(wanted, abs=1e-3)


def none_certain(low, high, worth):
    return np.empty(0, np.int64), np.empty(0, np.int64)


@st.composite
def dense_units(draw):
    """Many units of few words, some without any, some far from the others, with few types."""
    last = np.cumsum(draw(st.lists(st.sampled_from([1, 1, 1, 2, 2, 3, 90]), max_size=60))) - 1
    first = np.concatenate(([0], last[:-1] + 1))[: last.size] + draw(st.integers(0, 1))
    types = draw(st.lists(st.sampled_from(["", ".", "?"]), min_size=last.size, max_size=last.size))
    return su.SuUnits(first, last, np.array(types, dtype="<U1"))


@settings(MANY, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(dense_units(), dense_units(), st.integers(1, 4), st.sampled_from([1, 3, 1 << 14]))
def test_certain_pairs_are_those_of_the_best_path(monkeypatch, ours, theirs, tolerance, chunk):
    with monkeypatch.context() as patched:
        patched.setattr(su, "certain_pairs", none_certain)
        wanted = su.mapped_units(ours, theirs, tolerance)
    with monkeypatch.context() as patched:
        patched.setattr(paths, "CHUNK", chunk)
        patched.setattr(paths, "WIDE", min(chunk + 1, 8))
        assert su.mapped_units(ours, theirs, tolerance).tolist() == wanted.tolist()
