"""Figures of other programs and their test suites, and the examples of the jp paper."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import caesura
from caesura.io.writing import temporary_folder
from caesura.published.tables import Figure

if TYPE_CHECKING:
    from caesura.core.json_values import Json

KEYS = {"window_diff": "windowdiff", "windowdiff": "windowdiff"}
OPTIONS = {"n_t": "near", "window_size": "k"}


def segmentations(data: Json) -> Iterator[Figure]:
    """Pk, WindowDiff, B and S of the test suites of segeval and NLTK."""
    for at, pair in enumerate(data["pairs"], 1):
        name = KEYS.get(pair["metric"], pair["metric"])
        options = {OPTIONS[key]: value for key, value in pair["params"].items()}
        sides = [caesura.masses(pair[f"{side}_masses"]) for side in ("hypothesis", "reference")]
        found = getattr(caesura, name)(*sides, **options)
        yield f"segeval {at}", name, float(pair["expected"]), found.score
    for at, pair in enumerate(data["nltk"], 1):
        gold, ours = ([int(each) for each in pair[side]] + [1] for side in ("seg1", "seg2"))
        found = caesura.windowdiff(ours, gold, k=pair["k"])
        yield f"nltk {at}", "windowdiff", float(pair["expected"]), found.score


def coders(data: Json) -> Iterator[Figure]:
    """Fleiss' κ and π and the bias, based on B, of segeval's samples."""
    from caesura.core.segmentation import panel
    from caesura.measures.coders import CoderCounts, Coders

    for case in data["cases"]:
        panels = [panel([*map(caesura.masses, item.values())]) for item in case["items"].values()]
        total = sum((Coders().count(each) for each in panels), CoderCounts.zero())
        for key in ("kappa", "pi", "bias"):
            yield case["name"], key, float(case[key]), getattr(total, key)


def utterances(data: Json) -> Iterator[Figure]:
    """The test suite of wordseg."""
    for case in data["cases"]:
        text, gold, units = ("\n".join(case[name]) for name in ("text", "gold", "units"))
        found = caesura.wordseg(text, gold, units=units)
        for key, printed in case["expected"].items():
            value = getattr(found, key.replace("_fscore", "_f1"))
            yield case["test"], key, float(printed), value


def terms(data: Json) -> Iterator[Figure]:
    """What zerospeech-tde 2.0.3 prints for small class files."""
    for name, case in data["cases"].items():
        text = case.get("cls", case.get("input"))
        gold = [case.get(kind, data["gold"][kind]) for kind in ("phn", "wrd")]
        yield from ((name, *rest) for rest in _of_terms(text, gold, case["output"]))


def _of_terms(text: str, gold: list[str], output: Json) -> Iterator[tuple[str, Json, Json]]:
    with temporary_folder() as folder:
        paths = [Path(folder, name) for name in ("found.class", "gold.phn", "gold.wrd")]
        for path, content in zip(paths, (text, *gold), strict=True):
            path.write_text(content, encoding="utf-8")
        found, phones, words = paths
        counts = caesura.terms(found, phones=phones, words=words).counts
    tokens, grouping = output["token_type"], output["grouping"]
    printed = {
        "boundary": (output["boundary"]["P"], output["boundary"]["R"]),
        "token": (tokens["tokP"], tokens["tokR"]),
        "type": (tokens["typP"], tokens["typR"]),
        "grouping": (grouping["P"], grouping["R"]),
    }
    for measure, rates in printed.items():
        matches = getattr(counts, measure)
        for key, rate, value in zip("PR", rates, (matches.precision, matches.recall), strict=True):
            yield f"{measure} {key}", _rate(rate), value
    yield "coverage", _rate(output["coverage"]["cov"]), counts.coverage
    yield "NED", _rate(output["ned"]["ned"]), counts.ned


def _rate(value: Json) -> Json:
    return (
        "nan"
        if value == "nan" or (isinstance(value, float) and math.isnan(value))
        else float(value)
    )


def joint(data: Json) -> Iterator[Figure]:
    """The examples of the jp paper: sentences and tokens, as TP, FP and FN."""
    for example in data["examples"]:
        found = caesura.joint(example["system"], example["gold"])
        for unit in ("sentences", "tokens"):
            matches = getattr(found, unit)
            values = matches.tp, matches.fp, matches.fn
            for key, printed, value in zip(("TP", "FP", "FN"), example[unit], values, strict=True):
                yield example["where"], f"{unit} {key}", printed, value


def changes(data: Json) -> Iterator[Figure]:
    """What TCPDBench publishes for the methods on three series; covers are counted in integers."""
    for series, own in data.items():
        people, systems = (
            {name: {series: caesura.times(sorted({*points}), n=own["n"])} for name, points in side}
            for side in (
                own["annotations"].items(),
                ((name, each["points"]) for name, each in own["methods"].items()),
            )
        )
        found = caesura.evaluate(systems, gold=people, profile="changes")
        for method, printed in own["methods"].items():
            micro = found.systems[method].micro
            for key in ("f1", "precision", "recall", "cover"):
                yield f"{series}/{method}", key, f"{printed[key]:.10f}", micro[key]


def music(data: Json) -> Iterator[Figure]:
    """What mir_eval's test suite expects for its tracks."""
    for at, track in enumerate(data["tracks"]):
        sides = [
            caesura.labels([(start, end, str(label)) for start, end, label in track[side]])
            for side in ("est", "ref")
        ]
        found = caesura.evaluate({"system": sides[0]}, gold={"gold": sides[1]}, profile="music")
        micro = found.systems["system"].micro
        for key, printed in track["scores"].items():
            yield f"track {at}", key, f"{printed:.10f}", micro[key]


def shots(data: Json) -> Iterator[Figure]:
    """What AutoShot's program counts over its test videos; a video is as long as its last shot."""
    ours, theirs = (
        {
            video: caesura.labels(
                [(first, last + 1) for first, last in sides[side]],
                n=max(shots[-1][1] for shots in sides) + 1,
            )
            for video, sides in data["videos"].items()
        }
        for side in (1, 0)
    )
    found = caesura.evaluate({"AutoShot": ours}, gold=theirs, profile="shots")
    micro = found.systems["AutoShot"].micro
    for key, printed in data["printed"].items():
        yield "200 videos", key, str(printed), micro[key]


def events(data: Json) -> Iterator[Figure]:
    """What sed_eval counts of the recordings of its tests."""
    for name, own in data.items():
        ours, theirs = (
            {key: caesura.labels([*map(tuple, sides[at])]) for key, sides in own["files"].items()}
            for at in (1, 0)
        )
        found = caesura.evaluate({"system": ours}, gold=theirs, profile="events")
        micro = found.systems["system"].micro
        for key, printed in own["scores"].items():
            yield name, key, f"{printed:.10f}", micro[key]
