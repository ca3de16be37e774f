"""Options of transcripts: every one that can change a number, and how users write it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from caesura.core.consensus import consensus_rule, votes_needed
from caesura.core.escapes import as_name
from caesura.core.marks import MARKS
from caesura.core.option import (
    Declared,
    Option,
    Options,
    OptionValues,
    Read,
    encoding,
    filled,
    flag,
    option,
)
from caesura.core.score import BOUNDARY
from caesura.errors import UnknownNameError, UsageError, shortened
from caesura.errors import option as told
from caesura.tasks.transcript.measures import MEASURES

if TYPE_CHECKING:
    from caesura.core.measure import Measure
    from caesura.core.table import CountTable

SECOND = 1_000_000
UNITS = {"": 1, "s": SECOND, "ms": 1000}
IN_SECONDS = ("duration", "collar")
"""Extents that are times on every axis, in seconds where no unit is given."""
LEAST_ONE = ("step", "duration")
BEST, FROM = "best", "from="
"""Thresholds that are chosen: on the documents of the run, or on those of saved rows."""
MOST = 10**9
"""The largest number of words, characters or seconds that an option may have."""
DEFAULTS: dict[str, dict[str, object]] = {
    "time": {"window": SECOND, "tolerance": SECOND // 2, "step": SECOND // 10},
    "samples": {"step": 1},
}
"""The window, the tolerance and the step of the grid by axis, in microseconds or samples."""
PROFILES: dict[str, dict[str, object]] = {
    "paper": {"window": 2, "final": "drop"},
    "tool": {"window": 3, "final": "keep"},
}
"""What the option `profile` sets."""
EXTENTS = ("window", "tolerance", "step", "duration", "collar")
COUNTS = ("k", "near", "max_cpl", "max_cps", "max_lines")
VARY = "vary"
RANKINGS = ("ranking", "tolerant_ranking")
"""The measures of scores of places, which are counted where a system has some."""
TIME, SAMPLES = ("axis", "time"), ("axis", "samples")
CELLS = "cells"
"""The measure of agreement on such a grid, which is counted there."""
WORDLESS = {"times", "labels", "scenes"}
"""The forms of points and intervals without words."""
EXTENT = "int | str | None"
"""How users write a number of words or a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptOptions(Options):
    """How transcripts are read and scored.

    On the axis of time `window` and `tolerance` are microseconds, else words. `runs` are further
    systems, by name: detectors that are run on the words of a reference. `blocks` is no option:
    the counts are those of parts of each document, which add up to it; nor is `ranks_only`: only
    scores of places are counted, to choose a threshold.
    """

    presets: ClassVar[Mapping[str, Declared]] = {
        "profile": Declared(
            "profile", "paper", 'Literal["paper", "tool"]',
            Option(
                help="paper: --window 2 --final drop, as published; tool: --window 3 --final keep, "
                "as in the authors' program. --window and --final override the profile.",
                choices=tuple(PROFILES),
            ),
        ),
        "run": Declared(
            "run", None, "str | Sequence[str] | Mapping[str, str] | None",
            Option(help="Detectors to run and score, too.", on="python"),
        ),
    }  # fmt: skip

    window: int = option(
        2, "WiSeBE: gaps longer than N words start a new window; with --axis time a duration, such "
        "as 1.5s.",
        metavar="N", written=EXTENT, unset="2, or 1s",
    )  # fmt: skip
    final: Literal["drop", "keep"] = option(
        "drop", "Count the end of the transcript as a boundary (keep) or not (drop).",
        unset="drop",
    )  # fmt: skip
    marks: str = option(
        MARKS, "The punctuation marks that end a unit. ASCII marks stand for those of all scripts: "
        ". for 。 and ।, ? for ？ and ؟.",
        group="Input", metavar="CHARS",
    )  # fmt: skip
    input: str = option(
        "auto", "The input format: auto, lines (one unit per line), marks (. ? ! ; end a unit), "
        "slashes (units separated by //), binary (0 or 1 for each word), breaks (<eol> and <eob>), "
        "or one of `caesura list formats`. auto decides by suffix and content: plain text is "
        "breaks if it contains <eol> or <eob>, slashes if it contains //, binary if it has only 0s "
        "and 1s, lines if it has several lines, and marks otherwise.",
        group="Input", metavar="FORM", is_main=True,
    )  # fmt: skip
    units: Literal["auto", "marks", "segments", "breaks", "intervals"] = option(
        "auto", "What ends a unit in timed formats: the marks in the text, or the ends of segments "
        "(subtitles, intervals, utterances); breaks: the ends of lines and blocks of subtitles; "
        "intervals: every word or segment is a unit, and with --axis time its beginning and its "
        "end are boundaries. auto depends on the format.",
        group="Input",
    )  # fmt: skip
    tokens: Literal["auto", "characters", "words"] = option(
        "auto", "What boundaries lie between: words separated by spaces, or characters. auto: "
        "characters in scripts without spaces (Chinese, Japanese, Thai, …), words in others.",
        group="Input",
    )  # fmt: skip
    near: int = option(
        2, "B and S: boundaries less than N words, or cells of the grid, apart may count as a "
        "near miss (n_t).",
        metavar="N", least=1,
    )  # fmt: skip
    consensus: int | str = option(
        0, "Consensus scores: a boundary needs at least K references: a number, a share of them "
        "(2/3, 70%, 0.7), majority or all.",
        on="systems", metavar="K", written=EXTENT, unset="the majority",
    )  # fmt: skip
    tolerance: int = option(
        2, "Match boundaries up to N words apart, for F1 ±N; with --axis time a duration, such as "
        "0.5s, for every score.",
        metavar="N", written=EXTENT, unset="2, or 0.5s",
    )  # fmt: skip
    k: int = option(
        0, "Pk and WindowDiff: the window size, in words or in cells of the grid.",
        on="systems", flag="-k", metavar="N", least=1,
        unset="half the mean reference unit, at least 2",
    )  # fmt: skip
    tier: str = option(
        "", "Read only this tier of TextGrid and ELAN files (SPEAKER: of RTTM files), as "
        "intervals. NAME? takes the only tier if there is none of that name; SPEAKER* is of RTTM "
        "files only.",
        group="Input", metavar="NAME",
    )  # fmt: skip
    rate: int = option(
        0, "The samples or frames per second of files whose times are counted in them: 16000 for "
        "TIMIT's .phn and .wrd files.",
        group="Input", metavar="HZ", least=1, most=10**7,
    )  # fmt: skip
    force: bool = flag(
        "Leave out lines of .nlp files that do not have all columns, and warn of them.",
        group="Input",
    )  # fmt: skip
    normalize: tuple[str, ...] = option(
        (), "Normalise words before comparing them. RULES is a comma-separated list: fillers, "
        "hyphens, contractions, numbers, … (see the documentation).",
        group="Alignment", metavar="RULES", clash=(TIME, SAMPLES),
        written="str | Sequence[str] | None",
    )  # fmt: skip
    align: bool = flag(
        "Allow words to differ: align them to one reference by edit distance, project the "
        "boundaries onto it, and report word error rate and coverage.",
        group="Alignment", is_main=True, clash=(TIME, SAMPLES),
    )  # fmt: skip
    axis_from: str = option(
        "", "With --align: the reference to align to, by name, or `first`, or `medoid` (the one "
        "with the fewest word errors against the others).",
        group="Alignment", metavar="REF", unset="medoid",
        needs=(("align", ""), ("runs", "…")),
    )  # fmt: skip
    axis: Literal["words", "time", "samples"] = option(
        "words", "Compare boundaries by word, by time, or by the samples of a signal. With time "
        "and samples, boundaries are matched one to one up to --tolerance apart, the words may "
        "differ, and files may hold times, labelled intervals or frames instead of words.",
        group="Alignment",
    )  # fmt: skip
    step: int = option(
        0, "Pk, WindowDiff, B, S, κ and α without words: the size of a cell of the grid, which "
        "holds a boundary if any lies in it.",
        metavar="N", written=EXTENT, unset="0.1s, or 1 sample", needs=(TIME, SAMPLES),
    )  # fmt: skip
    edges: Literal["trim", "keep"] = option(
        "trim", "Without words, count the beginning and the end as boundaries of every version "
        "(keep) or of none (trim).",
        needs=(TIME, SAMPLES),
    )  # fmt: skip
    duration: int = option(
        0, "The duration of every recording without words, such as 600s.",
        group="Input", metavar="TIME", written="float | str | None", needs=(TIME,),
        unset="that of the file, or the largest end of all versions",
    )  # fmt: skip
    n: int = option(
        0, "The number of samples of every series.",
        group="Input", metavar="N", least=1, most=MOST, needs=(SAMPLES,),
        unset="that of the file, or the largest of all versions",
    )  # fmt: skip
    lengths: str = option(
        "", "A table with the name and the length of each document, in seconds or samples.",
        group="Input", metavar="FILE", needs=(TIME, SAMPLES),
    )  # fmt: skip
    streams: str = option(
        "", "Score each speaker or channel separately, for overlapping speech. All files must "
        "use the same names.",
        group="Alignment", choices=("speaker", "channel"),
    )  # fmt: skip
    by: str = option(
        "", "Add a table of scores by speaker or channel of each document, as labelled in the "
        "reference.",
        on="systems", group="Output", choices=("speaker", "channel"), clash=(TIME, SAMPLES),
    )  # fmt: skip
    pool: bool = flag(
        "With --by or --streams: treat the same name in several documents as one speaker or "
        "channel.",
        on="systems", group="Output", needs=(("by", "…"), ("streams", "…")),
    )  # fmt: skip
    uem: str = option(
        "", "A NIST UEM file with the regions to score, on the axis of time.",
        on="systems", metavar="FILE", needs=(TIME,),
    )  # fmt: skip
    threshold: str = option(
        "", "For systems that give a score for each word or frame: end a unit where it is at least "
        "X; best: at the threshold with the highest F1 on these documents; from=ROWS: on those of "
        "saved rows, such as a development set. NAME=X, separated by commas, for single systems.",
        on="systems", metavar="X|best|from=ROWS", written="float | str | None",
        unset="0.5, or where the file says that units end",
    )  # fmt: skip
    scores: Literal["probabilities", "logits"] = option(
        "probabilities", "What the scores of words or frames are: numbers from 0 to 1, or logits, "
        "of which σ is taken. Thresholds are from 0 to 1 in any case.",
        on="systems", group="Input",
    )  # fmt: skip
    also: tuple[str, ...] = option(
        (), "Add a measure that is not counted by default, such as conventions, ghd or coders; "
        "see `caesura list measures`. Repeatable.",
        metavar="MEASURE", is_repeated=True, written="str | Sequence[str] | None",
    )  # fmt: skip
    costs: tuple[int, int, int] = option(
        (2, 2, 1), "With --also ghd: what inserting, deleting and shifting a boundary by one cost, "
        "as whole numbers.",
        metavar="INS,DEL,SHIFT", written="str | Sequence[int] | None", unset="2,2,1",
        needs=(("also", "ghd"),),
    )  # fmt: skip
    max_cpl: int = option(
        42, "The most characters of a line of a subtitle.",
        on="profiles", metavar="N", least=1,
    )  # fmt: skip
    max_cps: int = option(
        21, "The most characters per second of a subtitle.",
        on="profiles", metavar="N", least=1,
    )  # fmt: skip
    max_lines: int = option(
        2, "The most lines of a subtitle.",
        on="profiles", metavar="N", least=1,
    )  # fmt: skip
    collar: int = option(
        0, "DER and JER: leave out the time up to this far before and after each edge of a "
        "reference segment, such as 0.25s.",
        on="profiles", metavar="TIME", written="float | str | None", unset="0",
    )  # fmt: skip
    skip_overlap: bool = flag(
        "DER and JER: leave out the time in which several speakers of the reference speak.",
        on="profiles",
    )  # fmt: skip
    percentage: int = option(
        50, "The offset of an event may be as far off as this share of its length, in percent.",
        on="profiles", metavar="N", least=0, most=100,
    )  # fmt: skip
    background: str = option(
        "background", "The label of what is no event.",
        on="profiles", metavar="NAME",
    )  # fmt: skip
    whole_cells: bool = flag(
        "A boundary at the end of the last whole cell of the grid lies in that cell.", on="rows"
    )  # fmt: skip
    encoding: str | None = encoding()
    runs: tuple[tuple[str, str], ...] = option(
        (), "Detectors by name, as `run` is parsed.", on="rows"
    )
    missing: str = option("", "Whether annotators vary.", on="rows")
    thresholds: tuple[tuple[str, float], ...] = option(
        (), "Thresholds by system, those that are chosen among them.", on="rows"
    )
    blocks: bool = False
    ranks_only: bool = False

    @property
    def is_on_signal(self) -> bool:
        """Whether boundaries are compared by time or samples instead of words."""
        return self.axis != "words"

    @property
    def rankings(self) -> tuple[str, ...]:
        """The measures of scores of places; the first is that of which a threshold is chosen."""
        named = tuple(each.ranking for each in self.asked_for.values() if each.ranking)
        return named or (RANKINGS[:1] if self.is_on_signal else RANKINGS)

    @property
    def asked_for(self) -> dict[str, type[Measure]]:
        """The measures that `also` names."""
        return {name: MEASURES.measure(name) for name in self.also if name != BOUNDARY}

    @property
    def varies(self) -> bool:
        """Whether documents need not have all references and systems."""
        return self.missing == VARY

    @property
    def given(self) -> OptionValues:
        """The options by name, as JSON and rows have them; `missing` only where they vary."""
        values = Options.given.fget(self)  # type: ignore[attr-defined]
        rarely = "missing", "thresholds", "whole_cells"
        return {name: value for name, value in values.items() if value or name not in rarely}

    def signature(self, read: Read) -> dict[str, object]:
        """Every option that can change a score, and the numbers of references and documents."""
        from caesura.io.files import stem

        has_systems, on_signal = read.has_systems, self.is_on_signal
        asked_for = self.asked_for
        has_edges = on_signal and not WORDLESS.isdisjoint(read.forms)
        majority = "majority" if read.panels else read.references // 2 + 1
        sizes = f"/{read.panels[0]}-{read.panels[-1]}" if read.panels else ""
        tokens = "characters" if self.tokens == "characters" else ""
        if self.tokens == "auto" and "by_script" in read.signs:
            tokens = "script"
        normalized = ""
        if self.normalize:
            from caesura.align.normalize import compose

            normalized = compose(self.normalize).signature
        always: dict[str, object] = {
            "window": self._extent(self.window),
            "final": self.final,
            "marks": self.marks,
            "input": "+".join(read.forms) or "arrays",
            "refs": f"{read.references}{sizes}",
            "docs": read.documents,
        }
        sometimes: dict[str, object] = {
            "tokens": tokens,
            "near": self.near,
            "consensus": (self.consensus or majority) if has_systems else "",
            "tolerance": self._extent(self.tolerance) if has_systems or on_signal else "",
            "k": (self.k or "auto") if has_systems else "",
            **self._used({"tier": self.tier, "rate": self.rate}, read.forms),
            "force": "yes" if self.force else "",
            "normalize": normalized,
            "align": f"words/{self.axis_from or 'medoid'}" if self.align else "",
            "axis": self.axis if on_signal else "",
            "step": self._extent(self.step) if on_signal and self.step else "",
            "edges": self.edges if has_edges else "",
            "duration": self._extent(self.duration) if on_signal and self.duration else "",
            "n": self._extent(self.n) if on_signal and self.n else "",
            "lengths": stem(self.lengths) if self.lengths else "",
            "streams": self.streams,
            "by": self.by,
            "pool": "yes" if self.pool else "",
            "uem": stem(self.uem) if self.uem else "",
            "threshold": self._thresholds(),
            "scores": "" if self.scores == "probabilities" else self.scores,
            "also": "+".join(n for n, each in asked_for.items() if not each.is_implied),
        }
        for _, measure in sorted(asked_for.items()):
            sometimes |= measure.signed(self)
        return always | filled(sometimes)

    def _extent(self, value: int) -> str:
        """A window or a tolerance, in seconds or words."""
        return f"{value / 1e6:g}s" if self.axis == "time" else str(value)

    def _used(self, given: dict[str, object], forms: tuple[str, ...]) -> dict[str, object]:
        """Those of some options that a file takes."""
        chosen = {name: own for name, own in given.items() if own and not str(own).endswith("*")}
        if not chosen:
            return {}
        from caesura.formats.registry import without_effect

        unused = set(without_effect(chosen, forms))
        return {name: own for name, own in chosen.items() if name not in unused}

    def _thresholds(self) -> str:
        """A threshold that is given, or how it was chosen, and what it is for each system."""
        if not self.thresholds:
            return ""
        from caesura.io.files import stem

        rules = self.threshold.split(",")
        if all(is_number(rule) for rule in rules):
            return f"{self.thresholds[0][1]}"
        rules = [f"{FROM}{stem(r.removeprefix(FROM))}" if FROM in r else r for r in rules]
        return f"{','.join(rules)}({','.join(f'{n}={value}' for n, value in self.thresholds)})"

    @classmethod
    def parse(cls, given: OptionValues) -> OptionValues:
        """What was given, otherwise the profile's values, otherwise the defaults."""
        profile = given.pop("profile", "paper")
        if profile not in PROFILES:
            raise UnknownNameError("profile", profile, PROFILES)
        axis = given.get("axis") or "words"
        chosen = {name: value for name, value in given.items() if value is not None}
        extents = {name: extent(name, chosen[name], axis) for name in EXTENTS if name in chosen}
        if isinstance(chosen.get("normalize"), str):
            rules = map(str.strip, chosen["normalize"].split(","))
            chosen["normalize"] = tuple(filter(None, rules))
        if "costs" in chosen:
            chosen["costs"] = costs(chosen["costs"])
        for name in COUNTS:
            require_at_most(name, chosen.get(name, 0), str(chosen.get(name)))
        if "consensus" in chosen:
            chosen["consensus"] = rule = consensus_rule(chosen["consensus"])
            if isinstance(rule, int):
                require_at_most("consensus", rule, str(rule))
        if "threshold" in chosen:
            chosen["threshold"] = str(chosen["threshold"])
        if "axis_from" in chosen:
            chosen["axis_from"] = as_name(chosen["axis_from"])
        values = {**PROFILES[profile], **_of_axis(axis, chosen), **extents}
        if any("@" in name for name in values.get("also", ())):  # with parameters
            values["also"] = MEASURES.named(values["also"])
        return values


def ranked(table: CountTable) -> list[str]:
    """The measures of scores of places that were counted."""
    return [name for name, each in table.measures.items() if each.kind.has_levels]


def _of_axis(axis: str, chosen: OptionValues) -> OptionValues:
    """What was chosen, with the defaults of an axis and the measure that only a grid needs."""
    if axis == "words":
        return chosen
    also = tuple(dict.fromkeys((*chosen.get("also", ()), CELLS)))
    defaults = dict(DEFAULTS.get(axis, {}))
    for name in also:
        if name != BOUNDARY and "@" not in name and name in MEASURES:
            defaults |= MEASURES[name].defaults.get(axis, {})
    return {**defaults, **chosen, "also": also}


# --- As users write them --------------------------------------------------------------


def extent(name: str, value: str | float, axis: str) -> int:
    """A number of words or samples (`2`), or a time (`0.5s`, `200ms`) in microseconds.

    A float is in seconds where times are compared.
    """
    on_clock = axis == "time" or name in IN_SECONDS
    written = f"{value:.6f}s" if on_clock and isinstance(value, float) else str(value).strip()
    found = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*(ms|s|)", written)
    if found is not None and name in IN_SECONDS and not found[2]:
        return extent(name, f"{found[0]}s", axis)
    if found is None or (not found[2] and "." in found[1]):
        kinds = "neither a number of words (2) nor a time (0.5s, 200ms)"
        kinds = "not a time (0.25, 0.25s, 200ms)" if name in IN_SECONDS else kinds
        raise UsageError(f"{told(name, '…')}: '{value}' is {kinds}")
    if on_clock != bool(found[2]):
        item = "samples" if axis == "samples" else "words"
        wanted = "a time, such as 0.5s" if on_clock else f"a number of {item}, such as 2"
        raise UsageError(f"{told(name, '…')} on {told('axis', axis)} is {wanted}")
    size = float(found[1]) * UNITS[found[2]]
    shown_size, unit = (size / SECOND, " s") if on_clock else (size, "")
    require_at_most(name, shown_size, str(value), unit)
    if name in LEAST_ONE and round(size) < 1:
        raise UsageError(f"{told(name, '…')}: '{value}' is too small; give more than 0")
    return round(size)


def costs(value: str | Sequence[int]) -> tuple[int, int, int]:
    """The costs of an insertion, a deletion and a shift: `2,2,1`, or the three numbers.

    >>> costs("2,2,1")
    (2, 2, 1)
    """
    parts = value.split(",") if isinstance(value, str) else [str(part) for part in value]
    if len(parts) != 3 or not all(re.fullmatch(r"\s*[1-9]\d{0,8}\s*", part) for part in parts):
        raise UsageError(
            f"{told('costs', '…')}: '{','.join(parts)}' is not INS,DEL,SHIFT, three whole numbers "
            "from 1 on; multiply others by the same number"
        )
    insertion, deletion, shift = map(int, parts)
    return insertion, deletion, shift


def threshold_rules(threshold: str, systems: Sequence[str]) -> dict[str, str]:
    """For each system a number, `best` or `from=ROWS`; a name and `=` in front is of that system.

    >>> threshold_rules("0.5,b=best", ["a", "b"])
    {'a': '0.5', 'b': 'best'}
    """
    every, named = "", {}
    for part in filter(None, threshold.split(",")):
        name, sign, rule = part.partition("=")
        if part.startswith(FROM) or not sign:
            name, rule = "", part
        if rule != BEST and not rule.startswith(FROM) and not is_number(rule):
            cure = "give a number from 0 to 1, best, or from=ROWS"
            raise UsageError(
                f"{told('threshold', '…')}: '{shortened(rule)}' is not a threshold; {cure}"
            )
        if name and name not in systems:
            raise UnknownNameError("system", name, systems)
        if name:
            named[name] = rule
        else:
            every = rule
    return {name: named.get(name, every) for name in systems if named.get(name, every)}


def is_number(text: str) -> bool:
    """Whether a text is a number from 0 to 1."""
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def require_consensus(rule: int | str, references: int) -> None:
    """Raise an error if a consensus needs more references than there are."""
    if not 0 <= votes_needed(rule, references) <= references:
        raise UsageError(
            f"a consensus of {rule} needs more references than there are; choose 1 to {references}"
        )


def require_at_most(name: str, value: float, shown: str, unit: str = "") -> None:
    """Raise an error if a number is too large to count with."""
    if value > MOST:
        problem = f"{told(name, '…')}: {shortened(shown)} is too large"
        raise UsageError(f"{problem}; give at most {MOST:,}{unit}")
