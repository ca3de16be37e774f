"""Scores from outside, correlated with those of rows: scipy has the same numbers."""

import math
import random

import numpy as np
import pytest

import caesura
from caesura.errors import FormatError, UsageError
from caesura.stats.correlation import COEFFICIENTS

PEERS = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}
DOCUMENTS, SYSTEMS = [f"d{at}" for at in range(8)], ["s0", "s1", "s2", "s3"]


def bits(seed, errors):
    """Boundaries of sixty words, some of them wrong."""
    true, draw = random.Random(seed), random.Random(f"{seed} {errors}")
    return [int((true.random() < 0.2) != (draw.random() < errors)) for _ in range(60)]


def talks(errors):
    return {name: bits(at, errors) for at, name in enumerate(DOCUMENTS)}


@pytest.fixture(scope="module")
def scored():
    systems = {name: talks(0.05 + 0.04 * at) for at, name in enumerate(SYSTEMS)}
    return caesura.evaluate(systems, {name: talks(e) for name, e in (("a", 0.02), ("b", 0.03))})


@pytest.fixture
def write(tmp_path):
    def file(text, name="x.csv"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return file


def ratings(seed=1):
    draw = random.Random(seed)
    return {(d, s): draw.randint(1, 5) for d in DOCUMENTS for s in SYSTEMS}


def lines(header, values):
    return "\n".join([header, *(",".join(map(str, [*place, v])) for place, v in values.items())])


def check(pair, x, y):
    stats = pytest.importorskip("scipy.stats")
    assert pair.points == len(x)
    for name, peer in PEERS.items():
        found = getattr(pair, name)
        assert found.value == pytest.approx(getattr(stats, peer)(x, y).statistic)
        assert found.low <= found.value <= found.high


def test_scores_of_documents_and_systems(scored, write):
    rating = ratings() | {("d1", "s2"): ""}
    file = write(lines("document,system,rating", rating))
    found = scored.correlate(outside=file, resamples=50)
    usual = scored.correlate(resamples=50)
    wisebe, window_f1 = (
        [scored.systems[s].by_document[d][key] for s in SYSTEMS for d in DOCUMENTS]
        for key in ("wisebe", "window_f1")
    )
    check(usual.pairs[0], wisebe, window_f1)
    assert {pair.measures[1] for pair in found.pairs} == {"rating"}
    of_systems = [pair.measures[0] for pair in found.pairs]
    assert of_systems[:2] == ["wisebe", "window_f1"]
    assert set(of_systems) < {name for pair in usual.pairs for name in pair.measures}
    known = {place: value for place, value in rating.items() if value != ""}
    x = [scored.systems[s].by_document[d]["wisebe"] for d, s in known]
    check(found.pairs[0], x, list(known.values()))
    assert "Correlations over documents" in str(found)


def test_scores_of_documents(scored, write):
    length = {(name,): at % 5 + 10**6 for at, name in enumerate(DOCUMENTS) if at != 3}
    file = write(lines("document,length", length))
    found = scored.correlate("fleiss_kappa", "f1_mean", outside=file, resamples=50)
    assert [pair.measures for pair in found.pairs] == [
        ("fleiss_kappa", "length"), ("f1_mean", "length")
    ]  # fmt: skip
    kappa = [scored.agreement.by_document[d]["fleiss_kappa"] for (d,) in length]
    check(found.pairs[0], kappa, list(length.values()))
    f1 = [scored.systems[s].by_document[d]["f1_mean"] for s in SYSTEMS for (d,) in length]
    check(found.pairs[1], f1, list(length.values()) * 4)
    assert "length: 1 document without a value." in found.confidence.notes
    usual = [pair.measures[0] for pair in scored.correlate(outside=file, resamples=50).pairs]
    assert {"wisebe", "fleiss_kappa"} < set(usual)
    assert len(usual) == len(set(usual))


def test_scores_of_systems(scored, write):
    rating = {("s3",): 1, ("s1",): 5e-9, ("s0",): 7e-9, ("s2",): 2e-9}
    rating |= {(name,): value * 1e-9 for (name,), value in zip(rating, (1, 5, 7, 2), strict=True)}
    file = write(lines("system,rating", rating))
    found = scored.correlate(outside=file, resamples=50)
    pair = found.pairs[0]
    assert (pair.measures, pair.over) == (("wisebe", "rating"), "systems")
    check(pair, [scored.systems[name].wisebe for (name,) in rating], list(rating.values()))
    assert "rgar" not in [each.measures[0] for each in found.pairs]
    text = str(found)
    assert "Correlations over systems" in text
    assert "rating: over 4 systems, each with its score over all documents (micro)." in text
    with pytest.raises(UsageError, match="rgar is the same for all systems"):
        scored.correlate("rgar", outside=file)


def test_several_files_and_columns(scored, write):
    one = write("document,r,q\n" + "".join(f"d{at},{at},{at * at}\n" for at in range(8)))
    two = write("system;p\n" + "".join(f"s{at};{at},5\n" for at in range(4)), "y.csv")
    found = scored.correlate("f1_mean", "r", "p", outside=[one, two], resamples=50)
    assert [(*pair.measures, pair.over) for pair in found.pairs] == [
        ("f1_mean", "r", "documents"), ("f1_mean", "p", "systems")
    ]  # fmt: skip
    assert {row["over"] for row in found.page().records} == {"documents", "systems"}
    with pytest.raises(FormatError, match=r"x.csv:1: 'r' is also in .*x.csv; rename one"):
        scored.correlate(outside=[one, one])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("document,r\nd1,1\nd10,2\nq,3\n", ":3: the rows have no document 'd10', nor 1 other of"),
        ("document,r\nq,1\n", r":2: .*'q'; name a document of the rows \(d0, d1, d2 …\), or skip"),
        ("document,r\nd1.txt,1\n", ":2: .*'d1.txt'; write 'd1' if that is meant, or skip such"),
        ("document,system,r\nd1,d1,1\n", ":2: the rows have no system 'd1'; name a system of"),
        ("document,r\nd1,1\nd2,\nd3,2\n", ": 'r' has values for 2 documents; a correlation need"),
        ("system,r\ns0,1\ns1,2\n", ": 'r' has values for 2 systems; a correlation needs at least"),
        ("document,wisebe\nd1,1\n", ":1: 'wisebe' is also a score of the rows; rename the colum"),
    ],
)
def test_what_cannot_be_correlated(scored, write, text, message):
    with pytest.raises(FormatError, match=f"x.csv{message}"):
        scored.correlate(outside=write(text))


def test_lines_of_other_documents_can_be_skipped(scored, write):
    known = "".join(f"d{at},{at % 3}\n" for at in range(8))
    one = scored.correlate(outside=write(f"document,r\n{known}"), resamples=50)
    more = write(f"document,r\nx,1\n{known}y,2\n")
    found = scored.correlate(outside=more, missing="skip", resamples=50)
    assert found.pairs == one.pairs
    assert "r: 2 lines of others skipped." in found.confidence.notes


def test_agreement_has_no_systems(write):
    people = caesura.evaluate(references={"a": talks(0.1), "b": talks(0.2)})
    file = write("document,r\n" + "".join(f"d{at},{at}\n" for at in range(8)))
    found = people.correlate(outside=file, resamples=50)
    assert found.pairs[0].measures == ("rgar", "r")
    assert found.pairs[0].points == 8
    with pytest.raises(FormatError, match=r"x.csv:1: the rows have no systems; remove the column"):
        people.correlate(outside=write("system,r\na,1\n"))


def test_values_of_each_resample():
    draw = np.random.default_rng(1)
    x, y = draw.integers(0, 4, (20, 6)).astype(float), np.arange(6.0)
    times = draw.integers(0, 3, (20, 6)).astype(float)
    for coefficient in COEFFICIENTS.values():
        every = coefficient(x, y, times)
        for at in range(20):
            (alone,) = coefficient(x[at], y, times[at : at + 1])
            assert every[at] == pytest.approx(alone, nan_ok=True)
    assert not math.isnan(every[0])
