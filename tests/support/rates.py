"""The rates of counts, as their measure declares them."""

from caesura.api.lists import MEASURES
from caesura.api.result import Result
from caesura.core.counts import Matches
from caesura.core.score import values


def scores(found):
    """Every rate of some counts, or of a result."""
    if isinstance(found, Result):
        return rates(found.measure, found.counts)
    if type(found) is Matches:
        return {name: getattr(found, name) for name in ("precision", "recall", "f1")}
    measures = [each for each in MEASURES.values() if each.counts is type(found)]
    own = [each for each in measures if each.name != "consensus"]
    return rates(own[0], found)


def rates(measure, counts):
    kept = [each for each in measure.scores if not each.is_count and each.of != "references"]
    return values(kept, counts)
