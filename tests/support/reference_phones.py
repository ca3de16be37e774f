"""Slow twins of what programs of phone and word segmentation count, on sorted lists of frames."""

from math import nan, sqrt


def is_near(one, others, reach):
    """Whether any of the others is in reach."""
    return any(abs(one - other) <= reach for other in others)


def lenient(ours, theirs, reach):
    """How many of either side have any of the other in reach."""
    return (
        sum(is_near(one, theirs, reach) for one in ours),
        sum(is_near(one, ours, reach) for one in theirs),
    )


def in_turn(ours, theirs, fits):
    """How many find one that fits and is free, each taking the first."""
    free = list(theirs)
    found = 0
    for one in ours:
        chosen = next((other for other in free if fits(one, other)), None)
        if chosen is not None:
            free.remove(chosen)
            found += 1
    return found


def harsh(ours, theirs, reach):
    """How many of either side find one of the other that is free."""
    sides = ((ours, theirs), (theirs, ours))
    return tuple(in_turn(*each, lambda a, b: abs(a - b) <= reach) for each in sides)


def scores(hits, placed, wanted, more, least):
    """P, R, F1, over-segmentation and R-value, with what programs add to denominators."""
    precision, recall = hits[0] / (placed + more), hits[1] / (wanted + more)
    f1 = 2 * (precision * recall) / (precision + recall + more)
    over = recall / (precision + least) - 1
    r1, r2 = sqrt((1 - recall) * (1 - recall) + over * over), (-over + recall - 1) / sqrt(2)
    return precision, recall, f1, over, 1 - (abs(r1) + abs(r2)) / 2


def known(hits, placed, wanted):
    """The same without anything added; nan where the program divides by 0 or has -inf."""
    if not placed or not wanted:
        return (
            nan if not placed else hits / placed,
            nan if not wanted else hits / wanted,
            *[nan] * 3,
        )
    if not hits:
        return (0, 0, nan, nan, nan)
    return scores((hits, hits), placed, wanted, 0, 0)


def kamper_boundaries(ours, theirs, reach):
    """Ends of intervals but the system's last, and the gold's before it: hits, placed, wanted."""
    placed, wanted = ours[:-1], [end for end in theirs if end < ours[-1]]
    return in_turn(placed, wanted, lambda a, b: abs(a - b) <= reach), len(placed), len(wanted)


def kamper_tokens(ours, theirs, reach):
    """Stretches between ends, the gold's cut where the system's last one ends."""
    if theirs[-1] > ours[-1]:
        theirs = [end for end in theirs if end < ours[-1]] + [ours[-1]]
    sides = [list(zip([0, *each], each, strict=False)) for each in (ours, theirs)]
    return tokens(*sides, reach), len(ours), len(theirs)


def tokens(ours, theirs, reach):
    """How many intervals find one that is free, and near at both edges."""
    return in_turn(
        ours, theirs, lambda a, b: abs(a[0] - b[0]) <= reach and abs(a[1] - b[1]) <= reach
    )
