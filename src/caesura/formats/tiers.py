"""Tiers: labels in time, of speakers, words or units; their names say which.

Every interval tier is a speaker, named as the tier, and each of its intervals a unit; an empty
interval is silence. But a name may say what a tier contains, alone or beside a speaker, as in
`Ann - words`, `Ann: words`, `words@Ann`, and in capitals or not:

- `words`, `word`: the words of the speaker, with their times;
- `sentences`, `utterances`, `units`, `segments`, `phrases` (or one of these), `su`, `boundaries`:
  the speaker's units, and if there are no words, what is said in them. A word belongs to the unit
  that contains its midpoint; words that lie in none, up to the next unit, are one of their own. A
  tier named as the speaker is as good as this;
- the same as a tier of points: a unit ends with the piece that ends at the point, else with the
  last one whose middle is before it, and the point's label is the unit's type;
- `phones`, `phone`, `points`, and any other tier of points: not read.

Units without a speaker are those of every speaker who has words and no units of their own. Words
without a speaker are all the words: other tiers are then asked for units only, and of tiers with
names of their own only one that is alone. Units are sorted by the times at which they begin.

One tier can be chosen by its name instead (`chosen`); whatever it is called, each of its intervals
is a unit then, the empty ones, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError, number, option
from caesura.formats.script import UNKNOWN, Script, seconds

Role = Literal["words", "units", "points", "other", ""]
_NAMES: dict[Role, str] = {
    "words": "words?",
    "units": "sentences?|utterances?|units?|segments?|phrases?",
    "points": "sus?|boundaries|boundary",
    "other": "phones?|points?",
}
_SHOWN = 20
"""How many tiers an error lists."""
_APART = r"[-:@_/]\s*"


@dataclass(frozen=True, slots=True)
class Layer:
    """The labels of a speaker that play one role; a role of no name: a tier that is a speaker."""

    speaker: str
    role: Role
    labels: list[str]
    start: IntArray
    end: IntArray
    lines: IntArray

    def some(self, which: IntArray) -> Layer:
        """Some of the labels."""
        labels = [self.labels[index] for index in which.tolist()]
        start, end, lines = (values[which] for values in (self.start, self.end, self.lines))
        return replace(self, labels=labels, start=start, end=end, lines=lines)

    def filled(self) -> Layer:
        """Those that hold more than white space."""
        return self.some(np.flatnonzero([bool(label.strip()) for label in self.labels]))

    @property
    def middle(self) -> IntArray:
        """Twice the midpoints, which are whole numbers."""
        return self.start + self.end


def told_by(name: str) -> tuple[str, Role]:
    """The speaker and the role that the name of a tier implies.

    >>> told_by("Ann - words"), told_by("Sentences"), told_by("su@Bob"), told_by("Ann")
    (('Ann', 'words'), ('', 'units'), ('Bob', 'points'), ('Ann', ''))
    """
    name = name.strip()
    for role, names in _NAMES.items():
        found = re.fullmatch(f"(?:(.+){_APART})?(?:{names})", name, re.IGNORECASE | re.DOTALL)
        if found:
            return (found[1] or "").strip(), role
    for role, names in _NAMES.items():
        found = re.fullmatch(rf"(?:{names})\s*{_APART}(.+)", name, re.IGNORECASE | re.DOTALL)
        if found:
            return found[1].strip(), role
    return name, ""


def name_of(speaker: str) -> str:
    """The name of a tier of the speaker without a role."""
    if told_by(speaker) == (speaker, "") and speaker:
        return speaker
    return f"{speaker} - segments" if speaker else "segments"


def require_apart(layer: Layer, name: str, source: str) -> None:
    """Raise an error for the first interval that ends before it begins, or overlaps the last."""
    wrong = np.flatnonzero(layer.end < layer.start)
    clash = np.flatnonzero(layer.start[1:] < layer.end[:-1]) + 1
    if not wrong.size and not clash.size:
        return
    at = int(np.concatenate((wrong, clash)).min())
    shown = f"{seconds(int(layer.start[at]))}–{seconds(int(layer.end[at]))}"
    if at in wrong:
        problem, cure = "ends before it begins", "fix its times"
    else:
        before = f"{seconds(int(layer.start[at - 1]))}–{seconds(int(layer.end[at - 1]))}"
        problem = f"begins before the end of {before}"
        cure = "intervals of a tier must not overlap: give each speaker a tier"
    problem = f"the interval {shown} of the tier '{name}' {problem}"
    raise FormatError(source, problem, cure, line=int(layer.lines[at]))


def chosen(names: Sequence[str], wanted: str, source: str) -> int:
    """The number of the tier of a name.

    `NAME?` is the tier of that name if there is one, else the only tier.

    >>> chosen(["words", "phones"], "phones?", "a.eaf"), chosen(["kaldi"], "phones?", "a.eaf")
    (1, 0)
    """
    name = wanted if wanted in names else wanted.removesuffix("?")
    found = [at for at, each in enumerate(names) if each == name]
    if not found and wanted.endswith("?") and len(names) == 1:
        return 0
    if not found:
        problem = f"no tier '{name}' among {_listed(names) or 'its points'}"
        raise FormatError(source, problem, f"choose one with {option('tier', '…')}")
    if len(found) > 1:
        problem = f"{len(found)} tiers '{name}'"
        raise FormatError(source, problem, "give them different names")
    return found[0]


def _listed(names: Sequence[str]) -> str:
    shown = [f"'{name}'" for name in names[:_SHOWN]]
    return ", ".join([*shown, "…"] if len(names) > _SHOWN else shown)


def tier_script(layer: Layer, form: str, source: str) -> Script:
    """One tier as it is: each of its intervals a piece that is a unit."""
    if not layer.labels:
        cure = f"choose another with {option('tier', '…')}"
        raise FormatError(source, "a tier without intervals", cure)
    return Script(
        texts=layer.labels,
        start=layer.start,
        end=layer.end,
        ends=np.ones(len(layer.labels), dtype=np.bool_),
        lines=layer.lines,
        form=form,
        source=source,
        is_tier=True,
    )


def to_script(layers: Iterable[Layer], form: str, source: str, names: Sequence[str]) -> Script:
    """Put the layers of all speakers together, as the docstring of this module describes.

    `names` are those of all tiers, also of those that are not read.
    """
    merged = _merged(layers)
    parts: list[Layer] = []
    ends: list[BoolArray] = []
    begins: list[IntArray] = []  # for each piece, when its unit begins
    types: list[str] = []
    are_ends_told = False
    for speaker in _speakers(merged):
        pieces, unit_ends, unit_types = _units(merged, speaker)
        parts.append(pieces)
        size = len(pieces.labels)
        first = np.ones(size, dtype=np.bool_)
        if unit_ends is not None:
            are_ends_told = True
            first[1:] = unit_ends[:-1]
        begins.append(pieces.start[first][np.cumsum(first) - 1])
        ends.append(np.zeros(size, dtype=np.bool_) if unit_ends is None else unit_ends)
        types += unit_types or [""] * size
    texts = [label for part in parts for label in part.labels]
    if not texts:
        listed = f", or choose one of {_listed(names)} with {option('tier', '…')}"
        cure = "give an interval tier that contains the words" + listed
        raise FormatError(source, "no words in any tier", cure)
    speakers = [part.speaker for part in parts for _ in part.labels]
    script = Script(
        texts=texts,
        start=np.concatenate([part.start for part in parts]),
        end=np.concatenate([part.end for part in parts]),
        ends=np.concatenate(ends) if are_ends_told else None,
        types=types if any(types) else None,
        speakers=speakers if any(speakers) else None,
        lines=np.concatenate([part.lines for part in parts]),
        form=form,
        source=source,
    )
    return script.some(np.argsort(np.concatenate(begins), kind="stable"))


def only_timed(scripts: Sequence[Script], what: str) -> tuple[Script, IntArray, IntArray]:
    """The only recording there is, and when its pieces begin and end, if that is known of all."""
    if len(scripts) != 1:
        source = scripts[0].source if scripts else "<string>"
        cure = f"{what} holds one: write each to its own file"
        raise FormatError(source, number(len(scripts), "recording"), cure)
    (script,) = scripts
    start, end = script.start, script.end
    if start is None or end is None or ((start == UNKNOWN) | (end == UNKNOWN)).any():
        problem = f"a piece without times, which {what} cannot represent"
        raise FormatError(script.source, problem, "choose another format, such as jsonl")
    return script, start, end


def rows_of_speakers(script: Script, start: IntArray, end: IntArray) -> dict[str, list[IntArray]]:
    """The pieces of each speaker that have a text, in rows, in order of time, without overlaps."""
    speakers = script.speakers or [""] * len(script)
    full = np.array([bool(text.strip()) for text in script.texts], dtype=np.bool_)
    rows: dict[str, list[list[int]]] = {speakers[at]: [] for at in np.flatnonzero(full).tolist()}
    order = np.lexsort((end, start))
    for index in order[full[order]].tolist():
        speaker_rows = rows[speakers[index]]
        row = next((each for each in speaker_rows if end[each[-1]] <= start[index]), [])
        if not row:
            speaker_rows.append(row)
        row.append(index)
    return {speaker: [np.array(row) for row in each] for speaker, each in rows.items()}


def tells_ends(script: Script) -> bool:
    """Whether a script knows more of its units than that each piece is one."""
    return bool(any(script.types or ())) or (script.ends is not None and not script.ends.all())


def _merged(layers: Iterable[Layer]) -> dict[tuple[str, Role], Layer]:
    """One layer for each speaker and role, sorted by time."""
    groups: dict[tuple[str, Role], list[Layer]] = {}
    for layer in layers:
        if layer.role != "words" or layer.filled().labels:
            groups.setdefault((layer.speaker, layer.role), []).append(layer)
    merged: dict[tuple[str, Role], Layer] = {}
    for (speaker, role), group in groups.items():
        start, end, lines = (
            np.concatenate([getattr(layer, name) for layer in group])
            for name in ("start", "end", "lines")
        )
        labels = [label for layer in group for label in layer.labels]
        whole = Layer(speaker, role, labels, start, end, lines)
        merged[speaker, role] = whole.some(np.lexsort((end, start)))
    if ("", "words") in merged:
        own = [layer for (_, role), layer in merged.items() if not role]
        if len(own) == 1:
            merged.setdefault(("", "units"), own[0])
    return merged


def _speakers(merged: dict[tuple[str, Role], Layer]) -> list[str]:
    """Whose pieces are read: everybody's, except for layers that only give the units of others."""
    worded = [speaker for speaker, role in merged if role == "words"]
    if "" in worded:
        return worded
    speakers = dict.fromkeys(speaker for speaker, role in merged if role != "points")
    if worded and ("", "") not in merged:
        speakers.pop("", None)
    return list(speakers)


def _units(
    merged: dict[tuple[str, Role], Layer], speaker: str
) -> tuple[Layer, BoolArray | None, list[str]]:
    """The pieces of a speaker; after which of them units end, and their types, if that is told."""
    words, units, own, points = (
        merged.get((speaker, role)) for role in ("words", "units", "", "points")
    )
    layers = [each.filled() for each in (words, units, own) if each is not None]
    pieces = next((each for each in layers if each.labels), layers[0])
    points = points or merged.get(("", "points"))
    if points:
        return pieces, *_ends_at(pieces, points)
    if words:
        units = units or own or merged.get(("", "units"))
    if not units or pieces.role == "units":
        return pieces, None if words else np.ones(len(pieces.labels), dtype=np.bool_), []
    # A unit ends where the next piece lies in another unit, or in another gap between units.
    after = np.searchsorted(2 * units.start, pieces.middle, side="right")
    stops = np.concatenate(([UNKNOWN], 2 * units.end))
    place = 2 * after + (pieces.middle < stops[after])
    return pieces, np.asarray(np.diff(place, append=UNKNOWN) != 0), []


def _ends_at(pieces: Layer, points: Layer) -> tuple[BoolArray, list[str]]:
    """After which pieces the points stand, and their labels."""
    ends = np.zeros(len(pieces.labels), dtype=np.bool_)
    types = [""] * len(pieces.labels)
    if not ends.size:
        return ends, types
    labels = {
        time: label.strip()
        for time, label in zip(points.start[::-1].tolist(), points.labels[::-1], strict=True)
    }
    order = np.argsort(pieces.middle, kind="stable")
    loose = np.array(sorted(labels.keys() - set(pieces.end.tolist())), dtype=np.int64)
    before = np.searchsorted(pieces.middle[order], 2 * loose) - 1
    loose, before = loose[before >= 0], before[before >= 0]
    told = [*zip(order[before].tolist(), loose.tolist(), strict=True)]
    exact = np.flatnonzero(np.isin(pieces.end, list(labels)))
    told += zip(exact.tolist(), pieces.end[exact].tolist(), strict=True)
    for piece, time in told:
        ends[piece] = True
        types[piece] = labels[time] or types[piece]
    ends[-1] = True
    return ends, types
