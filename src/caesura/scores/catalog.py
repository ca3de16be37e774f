"""Catalogs: the scores of a task, as its measures declare them, by key, label and view."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from caesura.core.measure import Measure
from caesura.core.profile import Profile
from caesura.core.score import ALSO, Column, Score, Scores, View
from caesura.core.task import Kind, Task
from caesura.errors import UnknownNameError, UsageError
from caesura.measures.marks import MarkConsensus, Marks

T = TypeVar("T")
OWN_TABLE: tuple[View, ...] = ("all", "each", "one", "mean", "pair", "mark", "unit", "other")
OF_PROFILE: tuple[View, ...] = ("profile", "compare", "correlate")
"""Where the scores of a profile are shown, and only they."""
EVERY = "`caesura list measures` lists all"
OF_REFERENCES: tuple[View, ...] = ("agreement", "pair")
PAIR_KEYS: tuple[View, ...] = ("each", "one", "pair", "mark")
MADE_OF: dict[View, tuple[View, ...]] = {"one": ("each", "mean")}


@dataclass(frozen=True, slots=True)
class Entry:
    """A score under the key that it has in a view."""

    key: str
    label: str
    score: Score
    measure: type[Measure]

    @property
    def is_of_several(self) -> bool:
        """Whether it is a score against several references together, and says nothing of one."""
        return getattr(self.measure, "is_of_several", False)


@dataclass(frozen=True)
class Catalog:
    """The scores of one task: scores of systems, and scores of the references themselves.

    `names` are those that a profile has for scores, each with the key of the task.
    """

    kind: Kind
    measures: tuple[type[Measure], ...]
    systems: Mapping[str, Entry]
    references: Mapping[str, Entry]
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def task(self) -> Task:
        """The task whose scores they are."""
        return self.kind.task

    @cached_property
    def every(self) -> dict[str, Entry]:
        """All scores, under their own keys."""
        return {
            score.key: Entry(score.key, score.label, score, measure)
            for measure in self.measures
            for score in measure.scores
        }

    @cached_property
    def short_names(self) -> dict[str, str]:
        """The keys of means over references, each with the name that it also has with one: `f1`."""
        return {
            key: entry.score.key
            for key, entry in self.systems.items()
            if entry.measure.kind == "pair"
            and key == entry.score.key_in("mean")
            and entry.score.key not in self.systems
        }

    def with_short_names(self, scores: Mapping[str, T], references: int) -> dict[str, T]:
        """Scores by key; with one reference, also under their short names, `f1` with `f1_mean`."""
        if references != 1:
            return dict(scores)
        short = self.short_names
        return {
            name: value
            for key, value in scores.items()
            for name in ((short[key], key) if key in short else (key,))
        }

    @cached_property
    def has_groups(self) -> bool:
        """Whether JSON has scores directly under a system, grouped by kind of unit."""
        has_means = any(measure.kind in ("pair", "panel") for measure in self.measures)
        return not (has_means or self.names)

    @cached_property
    def has_ceiling(self) -> bool:
        """Whether annotators are scored against each other, to compare systems with."""
        return self.task.has_systems and bool(self.shown("ceiling"))

    def named(self, scores: Scores) -> Scores:
        """Add the scores of the profile, under its names, in front of the task's."""
        own = {name: scores[key] for name, key in self.names.items() if key in scores}
        return own | scores

    def shown(self, view: View, *, references: int = 2, on_time: bool = False) -> dict[str, Entry]:
        """The applicable scores of a view, by their keys in that view."""
        return {
            entry.key: entry
            for entry in self._entries(view)
            if not {*MADE_OF.get(view, (view,))}.isdisjoint(entry.score.views)
            and (references > 1 or not entry.is_of_several)
            and (not on_time or (entry.measure.has_time and entry.score.has_time))
        }

    def labels(self, view: View, references: int = 2) -> dict[str, str]:
        """The scores of a view by key, with their labels."""
        return {key: entry.label for key, entry in self.shown(view, references=references).items()}

    def columns(
        self, view: View, options: Mapping[str, Any] | None = None, references: int = 2
    ) -> list[Column]:
        """The columns of a view; `options` are the task's options."""
        options = options or {}
        shown = self.shown(
            view, references=references, on_time=options.get("axis", "words") != "words"
        )
        if view in OF_REFERENCES:
            also = options.get(ALSO, ())
            shown = {
                key: each
                for key, each in shown.items()
                if each.measure.asked_by != ALSO or each.measure.name in also
            }
        columns = []
        for entry in shown.values():
            score, title = entry.score, entry.label
            if score.heading and view in OWN_TABLE:
                title = score.heading.format(**options)
            is_main = "headline" in score.views and view not in OF_REFERENCES
            told = score.better, score.help, score.is_count, score.scale
            columns.append(Column(title, entry.key, *told, is_main=is_main))
        return columns

    def is_lower_better(self, key: str) -> bool:
        """Whether lower is better, as for error rates."""
        entry = self.systems.get(key) or self.references.get(key)
        return entry is not None and entry.score.better == "low"

    def find(self, text: str, known: Mapping[str, object] | None = None) -> str:
        """The key that a user means, given a key, a label or a heading, ignoring case."""
        entries = {**self.references, **self.systems}
        keys = [key for key in entries if known is None or key in known]
        if text in keys or (known is not None and text in known):
            return text
        folded = self._parameter(text).casefold()
        found = [key for key in keys if self.short_names.get(key) == folded]
        found = found or [
            key for key in keys if folded in (key.casefold(), entries[key].label.casefold())
        ]
        found = [key for key in found if key in self.names] or found
        found = found or [key for key in keys if _is_heading(folded, entries[key].score.heading)]
        if len(found) > 1:
            raise UsageError(f"'{text}' is ambiguous; choose {' or '.join(found)}")
        if not found:
            raise self._unknown(text, [*known] if known is not None else keys)
        return found[0]

    def _parameter(self, text: str) -> str:
        """A score with a parameter as its label has it: `hit@3s` is F1@3s."""
        if "@" not in text or not self.task.measures.parameters:
            return text
        from caesura.core.variants import ALIASES

        name, _, value = text.partition("@")
        folded = name.casefold().replace(" ", "_").replace("hit_", "")
        return f"{ALIASES.get(folded, folded)}@{value}"

    def _unknown(self, text: str, keys: Sequence[str]) -> UnknownNameError:
        """The error for a score that there is not: it names the nearest, or the main ones."""
        from difflib import get_close_matches

        folded, short = text.casefold(), self.short_names
        names = [*keys, *(short[key] for key in keys if key in short)]
        close = [key for key in self.shown("headline") if folded in key]
        close = close or get_close_matches(folded, names)
        close = close or get_close_matches(folded, names, n=1, cutoff=0.5)
        main = [key for key in self.shown("compare") if key in keys] or keys
        return UnknownNameError("score", text, main, close=close, more=EVERY)

    def _entries(self, view: View) -> list[Entry]:
        """Every score that could be in a view, under its key there."""
        if view == "agreement":
            return list(self.references.values())
        if view == "mark":
            return [Entry(each.key, each.label, each, Marks) for each in Marks.by_mark]
        if view == "consensus":
            by_mark = MarkConsensus.by_mark
            return [Entry(each.key, each.label, each, MarkConsensus) for each in by_mark]
        if view in PAIR_KEYS:
            return [
                Entry(score.key, score.label, score, measure)
                for measure in self.measures
                if measure.kind == "pair"
                for score in measure.scores
            ]
        entries = list(self.systems.values())
        if view == "correlate":
            entries += [entry for key, entry in self.references.items() if key not in self.systems]
        return entries


@lru_cache
def catalog(
    task: Task, profile: Profile | None = None, also: tuple[str, ...] | None = None
) -> Catalog:
    """The scores of a kind, of measures that are always counted or that `also` names, or of all."""
    asked = also
    if also is None and profile is not None:
        asked = (*task.measures.asked_for, *profile.measures)
    measures = task.measures.counted(asked)
    systems = [entry for measure in measures for entry in _of_systems(measure)]
    alone = [each for each in measures if each.kind == "references"]
    pairs = [each for each in measures if each.of_references]
    references = [entry for measure in (*alone, *pairs) for entry in _of_references(measure)]
    own = Catalog(
        Kind(task, None, also),
        measures,
        {entry.key: entry for entry in systems},
        {entry.key: entry for entry in references},
    )
    return own if profile is None else _of_profile(own, profile)


def _of_profile(task: Catalog, profile: Profile) -> Catalog:
    names = {name: own.key for name, own in profile.scores.items() if own.key in task.systems}
    own = {name: _renamed(task, name, profile) for name in names}
    others = {
        key: replace(entry, score=replace(entry.score, views=_without(entry.score.views)))
        for key, entry in task.systems.items()
        if key not in own
    }
    kind = task.kind._replace(profile=profile)
    return replace(task, kind=kind, systems=own | others, names=names)


def _renamed(task: Catalog, name: str, profile: Profile) -> Entry:
    """A score under the name that a profile has for it."""
    key, label, is_column = profile.scores[name]
    entry = task.systems[key]
    views: tuple[View, ...] = ("profile",) if entry.score.is_count else OF_PROFILE
    views = views if is_column else ()
    views += ("headline",) if name == profile.main else ()
    score = replace(
        entry.score, key=name, label=label, views=views, heading="", group="", short="",
        take=entry.score.take or entry.score.key,
    )  # fmt: skip
    return replace(entry, key=name, label=label, score=score)


def _without(views: tuple[View, ...]) -> tuple[View, ...]:
    """The views that are left to a task's scores where a profile has its own."""
    return tuple(view for view in views if view not in (*OF_PROFILE, "headline"))


def entries_of(measure: type[Measure]) -> list[Entry]:
    """The scores of one measure, of systems and of references, whoever else has their keys."""
    has_references = measure.kind == "references" or measure.of_references
    return [*_of_systems(measure), *(_of_references(measure) if has_references else ())]


def _of_systems(measure: type[Measure]) -> Iterator[Entry]:
    """The scores of systems: means over the references where there is one for each."""
    for score in measure.scores:
        if measure.kind == "references" or score.of == "references":
            continue
        if measure.kind != "pair":
            yield Entry(score.key, score.label, score, measure)
        elif score.has_mean:
            yield Entry(score.key_in("mean"), score.label, score, measure)


def _of_references(measure: type[Measure]) -> Iterator[Entry]:
    """The scores of the references: of all together, or means over their pairs."""
    for score in measure.scores:
        if measure.kind == "references":
            yield Entry(score.key, score.label, score, measure)
        elif score.of != "systems":
            key = score.key_in("agreement")
            label = f"pairwise {score.label}" if score.of == "both" else score.label
            yield Entry(key, label, score, measure)


def _is_heading(text: str, heading: str) -> bool:
    """Whether a text is a heading, which may contain the value of an option."""
    parts = re.split(r"\{\w+\}", heading.casefold())
    return bool(heading) and re.fullmatch(r"\S+".join(map(re.escape, parts)), text) is not None
