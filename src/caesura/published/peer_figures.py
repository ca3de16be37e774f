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
