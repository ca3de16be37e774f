"""Figures from the published tool, the specification, the peers' test suites and real data."""

import math
from importlib import resources
from pathlib import Path

import pytest

import caesura
from support.published import figures
from support.rates import scores
from support.speech_corpora import PHONES, WORDS, classes, counted, discovered, numbers

TERMS = figures("zerospeech2017")["cases"]


@pytest.fixture
def gold():
    """The worked example of spec/terms.md, as options of `discovered` and `counted`."""
    return {"phones": PHONES, "words": WORDS}


def of_case(case, gold):
    """The class file and the gold of a case; most are on the worked example."""
    if "phn" not in case:
        return case["input"], gold
    return case["cls"], {"phones": case["phn"], "words": case["wrd"]}


@pytest.mark.parametrize("case", TERMS.values(), ids=TERMS)
def test_counts_of_the_published_tool(case, gold):
    """Its precision, recall and rates are those that `caesura reproduce` checks."""
    text, gold = of_case(case, gold)
    counts, output = counted(text, **gold), case["output"]
    wanted = output["boundary"]
    expected = tuple(wanted[name] for name in ("hits", "n_disc", "n_gold"))
    assert numbers(counts, "boundary") == expected
    wanted = output["token_type"]
    expected = tuple(wanted[name] for name in ("token_hits", "n_disc", "n_gold"))
    assert numbers(counts, "token") == expected
    expected = tuple(wanted[name] for name in ("type_hits", "types_seen", "n_type"))
    assert numbers(counts, "type") == expected
    wanted = output["coverage"]
    assert (counts.covered, counts.phones) == (wanted["covered"], wanted["n"])
    assert counts.ned_pairs == output["ned"]["pairs"]
    assert counts.intervals == len(output["transcription"])
    kept = sum(output["clusters"].values())
    assert counts.dropped == len(discovered(text, **gold).cluster) - kept
    assert transcriptions(text, gold) == [tuple(each) for each in output["transcription"]]
    both = output["token_type"]["F"]
    rates = output["boundary"]["F"], both[0], both[1], output["grouping"]["F"]
    for measure, value in zip(("boundary", "token", "type", "grouping"), rates, strict=True):
        if isinstance(value, float):
            assert getattr(counts, measure).f1 == pytest.approx(value, abs=1e-12)


def transcriptions(text, gold):
    """(file, on, off, labels) of each interval that covers any phone."""
    found = discovered(text, **gold).transcribed().distinct()
    phones = found.gold.phones
    spelled = (
        " ".join(phones.labels[label] for label in phones.label[low:high])
        for low, high in zip(found.low, found.high, strict=True)
    )
    files = [phones.files[number] for number in found.file]
    return list(zip(files, found.on.tolist(), found.off.tolist(), spelled, strict=True))


# Every row of the specification's table: classes, and some of the counts and rates.
ROWS = {
    "an exact pair": (
        ["f1 .5 .7, f1 1.5 1.7"],
        {"boundary": (4, 4, 8), "token": (2, 2, 5), "type": (1, 1, 3), "coverage": 0.4, "ned": 0,
         "grouping_precision": 1, "grouping_recall": 1},
    ),
    "30 ms of a phone": (["f1 .570 .700"], {"heard": "a b", "token": (1, 1, 5)}),
    "29 ms of a phone": (
        ["f1 .571 .700"], {"heard": "b", "boundary": (1, 2, 8), "token": (0, 1, 5)},
    ),
    "29.6 ms": (["f1 .5704 .700"], {"heard": "a b"}),
    "29.4 ms": (["f1 .5706 .700"], {"heard": "b"}),
    "30 ms of silence": (
        ["f1 .470 .700"], {"heard": "SIL a b", "boundary": (1, 2, 8), "token": (0, 1, 5)},
    ),
    "29 ms of silence": (
        ["f1 .471 .700"], {"heard": "a b", "boundary": (2, 2, 8), "token": (1, 1, 5)},
    ),
    "half of a short phone": (["f1 .500 .825"], {"heard": "a b c"}),
    "more than half": (["f1 .500 .826"], {"heard": "a b c d"}),
    "the same word again": (
        ["f1 .5 .7, f1 .51 .7"],
        {"token_precision": 0.5, "token_recall": 0.2, "grouping_precision": 0,
         "grouping_recall": math.nan},
    ),
    "two clusters": (
        ["f1 .5 .7, f1 .7 1.0", "f1 1.5 1.7, f2 .2 .4"],
        {"boundary": (7, 7, 8), "ned": 0.5, "grouping_precision": 0.5, "grouping_recall": 2 / 3},
    ),
    "dropped": (
        ["f1 .580 .620"],
        {"dropped": 1, "boundary_precision": math.nan, "token_precision": math.nan},
    ),
    "silence is left out of NED": (["f1 .85 1.6, f1 .85 1.0"], {"ned": 0.5}),
}  # fmt: skip


@pytest.mark.parametrize(("clusters", "expected"), ROWS.values(), ids=ROWS)
def test_the_table_of_the_specification(clusters, expected, gold):
    text = classes(*clusters)
    counts = counted(text, **gold)
    heard = [labels for *_, labels in transcriptions(text, gold)]
    known = scores(counts) | {"heard": heard[0] if heard else "", "dropped": counts.dropped}
    known |= {name: numbers(counts, name) for name in ("boundary", "token", "type")}
    for name, value in expected.items():
        exactly = isinstance(value, str | tuple)
        assert known[name] == (value if exactly else pytest.approx(value, abs=1e-12, nan_ok=True))


# --- Real data ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def share():
    """The alignments and class files that come with zerospeech-tde."""
    pytest.importorskip("tde")
    folder = Path(str(resources.files("tde"))) / "share"
    if not (folder / "kamper_mandarin.class").is_file():
        pytest.skip(f"zerospeech-tde is installed without its data in {folder}")
    return folder


def scored(share, found, language, **options):
    phones, words = (share / f"{language}.{kind}" for kind in ("phn", "wrd"))
    return caesura.terms(share / found, phones=phones, words=words, **options).counts


@pytest.mark.slow
def test_mandarin(share):
    counts = scored(share, "kamper_mandarin.class", "mandarin")
    expected = {
        "boundary_precision": 0.4258554271470655,
        "boundary_recall": 0.7564097403904206,
        "token_precision": 0.07011532368004127,
        "token_recall": 0.09613053142048898,
        "type_precision": 0.06787171191447461,
        "type_recall": 0.10878142261300867,
        "coverage": 1.0,
        "ned": 0.8807128460991229,
        "grouping_precision": 0.202408082649653,
        "grouping_recall": 0.314822472972177,
    }
    assert {name: scores(counts)[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    assert counts.ned_pairs == 357_082
    assert counts.boundary.f1 == pytest.approx(0.5449, abs=5e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ties", "hits", "f1", "words"),
    [({}, 11_460, 0.3891, (616, 374)), ({"ties": "double"}, 11_451, 0.3888, (611, 369))],
)
def test_mandarin_on_paper_and_with_ties_as_doubles_break_them(share, ties, hits, f1, words):
    counts = scored(share, "kamper_mandarin.class", "mandarin", profile="paper", **ties)
    assert numbers(counts, "boundary") == (hits, 34_061, 24_845)
    assert counts.boundary.f1 == pytest.approx(f1, abs=5e-5)
    assert (counts.token_hits, counts.type_hits) == words


@pytest.mark.slow
def test_buckeye(share):
    counts = scored(share, "gold.class", "buckeye")
    rates = ("boundary_precision", "boundary_recall", "token_precision", "token_recall")
    expected = {
        **dict.fromkeys((*rates, "type_precision"), 1),
        "type_recall": 0.9858968708682239,
        "ned": 0.9291963734731831,
        "grouping_precision": 980 / 69543,
        "grouping_recall": 980 / 67490,
    }
    assert {name: scores(counts)[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    assert counts.ned_pairs == 34_773
    assert numbers(counts, "grouping") == (980, 69543, 67490)
    assert counts.type_ceiling == counts.type.recall
