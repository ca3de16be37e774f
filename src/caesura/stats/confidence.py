"""Intervals for every score of a summary, by resampling the units of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from caesura.errors import UsageError, number
from caesura.run.rows import Row
from caesura.stats.draws import weights
from caesura.stats.intervals import Interval, Method, interval
from caesura.stats.sample import FEW, Figures, Name, Sample, sample_of

CEILING = "ceiling_"


@dataclass(frozen=True, slots=True)
class Resampling:
    """How units are drawn; every option that can change an interval or a p-value."""

    resamples: int = 10_000
    seed: int = 12345
    level: float = 0.95
    method: Method = "bca"
    unit: Literal["auto", "document", "block"] = "auto"

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise UsageError(f"resamples cannot be {self.resamples}; choose 1 or more")
        if not 0 < self.level < 1:
            raise UsageError(f"level cannot be {self.level}; choose one between 0 and 1")

    def told(self, sample: Sample) -> dict[str, Any]:
        """The options and what was resampled, for the summary."""
        return {
            "level": self.level,
            "method": self.method,
            "unit": sample.scorer.noun if sample.unit == "document" else sample.unit,
            "units": len(sample),
            "documents": len(sample.documents),
            "resamples": self.resamples,
            "seed": self.seed,
        }

    def interval(self, estimate: float, draws: Any, left_out: Any) -> Interval:
        """The interval of one score."""
        return interval(estimate, draws, left_out, level=self.level, method=self.method)


Intervals = dict[Name, Interval]


def intervals(sample: Sample, how: Resampling) -> dict[str | None, Intervals]:
    """The interval of every score, of each system and of the references."""
    names = list(sample.matrices)
    draws = sample.resampled(names, weights(len(sample), how.resamples, how.seed))
    return {name: intervals_of(sample, name, draws[name], how) for name in names}


def intervals_of(sample: Sample, name: str | None, draws: Figures, how: Resampling) -> Intervals:
    """The interval of every score of one system, from its draws."""
    estimates, left_out = sample.estimates(name), sample.left_out(name)
    return {key: how.interval(value, draws[key], left_out[key]) for key, value in estimates.items()}


def add_confidence(summary: dict[str, Any], rows: Sequence[Row], how: Resampling) -> None:
    """Put intervals into a summary: to each system, to the agreement and to the ceiling."""
    systems = [system["name"] for system in summary.get("systems", [])]
    sample = sample_of(rows, systems, summary["references"], summary["task"], how.unit)
    found = intervals(sample, how)
    told = how.told(sample)
    summary["confidence"] = {**told, "notes": notes(told)}
    summary["signature"] = signed(summary["signature"], told)
    for system in summary.get("systems", []):
        system["confidence"] = by_kind(found[system["name"]])
    if "agreement" in summary:
        summary["agreement"]["confidence"] = by_kind(found[None])
    if "ceiling" in summary:
        summary["ceiling"]["confidence"] = _ceiling(found)


def by_kind(found: Intervals) -> dict[str, dict[str, list[float]]]:
    """Low and high ends under `micro` and `macro`, the ceiling left out."""
    result: dict[str, dict[str, list[float]]] = {}
    for (kind, score), each in found.items():
        if not score.startswith(CEILING):
            result.setdefault(kind, {})[score] = [each.low, each.high]
    return result


def _ceiling(found: dict[str | None, Intervals]) -> dict[str, Any]:
    """The same layout as the ceiling itself has: human, annotators and systems."""
    result: dict[str, Any] = {"human": {}, "annotators": {}}
    for name, each in found.items():
        for (kind, score), ends in each.items():
            if kind != "micro" or not score.startswith(CEILING):
                continue
            measure, _, person = score.removeprefix(CEILING).partition(":")
            if name is not None:
                place = result.setdefault("systems", {}).setdefault(name, {})
            elif person:
                place = result["annotators"].setdefault(person, {})
            else:
                place = result["human"]
            place[measure] = [ends.low, ends.high]
    return result


def signed(signature: str, told: dict[str, Any]) -> str:
    """The signature with what changes intervals and p-values."""
    fields = {
        "confidence": told["level"],
        "interval": told["method"],
        "drawn": f"{told['unit']}/{told['units']}",
        "resamples": told["resamples"],
        "seed": told["seed"],
    }
    present = {field.partition(":")[0] for field in signature.split("|")}
    added = [f"{name}:{value}" for name, value in fields.items() if name not in present]
    return "|".join([signature, *added])


def notes(told: dict[str, Any]) -> list[str]:
    """What was resampled, and a warning where there is little of it."""
    units = number(told["units"], told["unit"])
    if told["unit"] == "block":
        units += f" of {number(told['documents'], 'document')}"
    method = "BCa" if told["method"] == "bca" else "percentile"
    said = [
        f"{told['level']:.0%} intervals: bootstrap over {units}, "
        f"{number(told['resamples'], 'resample')}, {method}, seed {told['seed']}."
    ]
    if told["units"] < FEW:
        said.append(
            f"Only {units}: intervals and p-values of fewer than {FEW} units are not to be trusted."
        )
    return said
