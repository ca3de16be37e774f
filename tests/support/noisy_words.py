"""Words with errors for hypothesis, limits for small texts, and slow twins of the alignment."""

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import strategies as st

from caesura.align import anchors
from caesura.align import words as module
from caesura.align.words import edits

FEW = st.lists(st.integers(0, 2), max_size=24)
SOME = st.lists(st.integers(0, 40), max_size=40)
SECOND = 1_000_000


@st.composite
def changed(draw):
    """Words, and the same with some replaced, left out or followed by others."""
    words = draw(FEW | SOME)
    pieces = [[word] for word in words]
    new = st.lists(st.integers(0, 3), max_size=5)
    for place, piece in draw(st.lists(st.tuples(st.integers(0, 39), new), max_size=8)):
        if place < len(pieces):
            pieces[place] = piece
    return words, [word for piece in pieces for word in piece]


PAIRS = st.tuples(FEW, FEW) | st.tuples(SOME, SOME) | changed()


def as_codes(words):
    return np.array(words, dtype=np.int64)


def found(a, b, **times):
    return edits(as_codes(a), as_codes(b), **{side: as_codes(each) for side, each in times.items()})


def assert_sound(a, b, result):
    """The alignment is one, and says of itself what is true."""
    assert result.landing.dtype == np.int64
    assert result.is_aligned.dtype == np.bool_
    assert result.landing.size == result.is_aligned.size == len(a)
    landing, is_aligned = result.landing.tolist(), result.is_aligned.tolist()
    last, hits = -1, 0
    for word, place, aligned in zip(a, landing, is_aligned, strict=True):
        if aligned:
            assert last < place < len(b)
            hits += word == b[place]
            last = place
        assert place == last
    aligned = sum(is_aligned)
    assert result.hits == hits
    assert result.substitutions == aligned - hits
    assert result.insertions == len(a) - aligned
    assert result.deletions == len(b) - aligned
    assert result.errors == result.substitutions + result.insertions + result.deletions


def noisy(number, rate, seed, *, vocabulary=5000):
    """What a recogniser with some word error rate hears, and what was said."""
    chance = np.random.default_rng(seed)

    def drawn(size):
        return (vocabulary ** chance.random(size)).astype(np.int64)

    said = drawn(number)
    heard = said.copy()
    kind = chance.choice(4, number, p=[1 - rate, rate / 2, rate / 4, rate / 4])
    heard[kind == 1] = drawn(int((kind == 1).sum()))
    times = np.array([1, 1, 0, 2])[kind]
    heard = np.repeat(heard, times)
    extra = (np.cumsum(times) - 1)[kind == 3]
    heard[extra] = drawn(extra.size)
    return heard, said


@contextmanager
def patched(**constants):
    """Other limits than those for real transcripts."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in constants.items():
            for part in (anchors, module):
                if hasattr(part, name):
                    patch.setattr(part, name, value)
        yield


def in_small_pieces(piece=4, string=2):
    """Even a few words are cut in pieces."""
    return patched(MAX_DIRECT_CELLS=0, PIECE_WORDS=piece, ANCHOR_WORDS=string, WORD_SAMPLE=1)


def times(seconds):
    return np.array([-1 if each < 0 else each * SECOND for each in seconds], dtype=np.int64)


@st.composite
def timed(draw):
    """Two sequences of words with times, some unknown."""
    a, b = draw(PAIRS)
    unit = draw(st.sampled_from([1, SECOND // 10, SECOND]))
    time = st.integers(0, 30).map(lambda each: each * unit) | st.just(-1)
    drawn = [draw(st.lists(time, min_size=len(x), max_size=len(x))) for x in (a, b)]
    return a, b, *(sorted(each) if draw(st.booleans()) else each for each in drawn)


def least_errors(a, b):
    """The slow twin: one row after another of the whole matrix."""
    above = list(range(len(b) + 1))
    for i, word in enumerate(a, start=1):
        row = [i]
        for j, other in enumerate(b, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (word != other)))
        above = row
    return above[-1]


def least_errors_and_distance(a, b, times_a, times_b):
    """The slow twin with times: the least (errors, distance) of all alignments."""

    def apart(i, j):
        time = abs(times_a[i] - times_b[j]) if min(times_a[i], times_b[j]) >= 0 else 0
        return time + module.SUBSTITUTION * (a[i] != b[j])

    above = [(j, 0) for j in range(len(b) + 1)]
    for i in range(len(a)):
        row = [(i + 1, 0)]
        for j in range(len(b)):
            both = above[j][0] + (a[i] != b[j]), above[j][1] + apart(i, j)
            one = [(errors + 1, time) for errors, time in (above[j + 1], row[-1])]
            row.append(min(both, *one))
        above = row
    return above[-1]


def distance(result, times_a, times_b):
    """How far aligned words lie apart in time, all together, with what substitutions add."""
    pairs = [
        (times_a[i], times_b[result.landing[i]]) for i in np.flatnonzero(result.is_aligned).tolist()
    ]
    time = int(sum(abs(one - other) for one, other in pairs if min(one, other) >= 0))
    return time + module.SUBSTITUTION * result.substitutions


def settled(a, b, times_a, times_b, partner):
    """The slow twin of `Ties`: each region by itself, cell by cell."""
    partner = partner.copy()
    before = partner.copy()
    for region in (
        module.Ties(*map(as_codes, (a, b, times_a, times_b)), before)._regions()[0].tolist()
    ):
        i, j, end_i, end_j = region
        words = a[i:end_i], b[j:end_j], times_a[i:end_i], times_b[j:end_j]
        inside = [to - j if to >= 0 else -1 for to in before[i:end_i].tolist()]
        cost, taken = least_cost_and_partners(*words)
        if cost < cost_of(*words, inside):
            partner[i:end_i] = [to + j if to >= 0 else -1 for to in taken]
    return partner


def cost_of(a, b, times_a, times_b, partner):
    """Errors, then the distance in time and what substitutions add."""
    pairs = [(i, j) for i, j in enumerate(partner) if j >= 0]
    hits = sum(a[i] == b[j] for i, j in pairs)
    errors = len(a) + len(b) - len(pairs) - hits
    known = [(times_a[i], times_b[j]) for i, j in pairs if min(times_a[i], times_b[j]) >= 0]
    time = sum(abs(one - other) for one, other in known)
    return errors, time + module.SUBSTITUTION * (len(pairs) - hits)


def least_cost_and_partners(a, b, times_a, times_b):
    """Of alignments of the least cost, from the end, pairs are preferred, then words of a alone."""
    best, came = {(0, 0): (0, 0)}, {}
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            ways = [((1, 0), (i - 1, j)), ((1, 0), (i, j - 1))]
            if i and j:
                pair = cost_of(
                    a[i - 1 : i], b[j - 1 : j], times_a[i - 1 : i], times_b[j - 1 : j], [0]
                )
                ways.insert(0, (pair, (i - 1, j - 1)))
            sums = [(added(best[place], cost), place) for cost, place in ways if place in best]
            if sums:
                best[i, j], came[i, j] = min(sums, key=lambda each: each[0])
    return best[len(a), len(b)], followed(came, len(a), len(b))


def followed(came, i, j):
    partner = [-1] * i
    while (i, j) != (0, 0):
        before_i, before_j = came[i, j]
        if before_i < i and before_j < j:
            partner[before_i] = before_j
        i, j = before_i, before_j
    return partner


def added(one, other):
    return one[0] + other[0], one[1] + other[1]
