"""Evaluation: what `caesura.evaluate` returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from caesura.core.row import Row
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.errors import in_python, number
from caesura.io.writing import replacing
from caesura.output.pages import page_of
from caesura.output.tables import Page, shown
from caesura.output.terminal import as_text
from caesura.run.inputs import Case, FileNames
from caesura.run.run import Failure, Finished, run
from caesura.scores.catalog import catalog
from caesura.stats.resampling import Resampling

if TYPE_CHECKING:
    from pandas import DataFrame

    from caesura.core.json_values import JsonObject
    from caesura.run.rows_file import Header
    from caesura.stats.external_scores import Missing
    from caesura.steps.shown import ScoreCorrelations, SystemComparisons

MOST = 4
"""The most systems whose scores a short line shows."""


@dataclass(frozen=True, slots=True, repr=False)
class Scored:
    """The scores of one system, or of the references; every key of its JSON is an attribute.

    `main` are the keys that stand for the others.
    """

    name: str
    values: JsonObject
    main: tuple[str, ...] = ()

    def __getattr__(self, key: str) -> Any:
        """The value of a key: `system.f1`, `system.by_document`."""
        if key.startswith("_"):
            raise AttributeError(key)
        if key not in self.values:
            from caesura.steps.notebook import unknown

            raise unknown(self.name, key, self.values)
        return self.values[key]

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __dir__(self) -> list[str]:
        return ["name", *self.values]

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        scores = [f"{key} {shown(self.values[key])}" for key in self.main if key in self.values]
        return f"{self.name}: {', '.join(scores) or number(len(self.values), 'value')}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of systems against references: numbers, tables, an HTML report, rows."""

    summary: Summary
    task: Any
    found: Finished
    resampling: Resampling
    header: Header

    @property
    def table(self) -> CountTable:
        """The counts that all scores are made of."""
        return self.found.table

    @property
    def rows(self) -> list[Row]:
        """The counts row by row: of one measure, for one system, on one document."""
        return list(self.table.rows())

    @property
    def cases(self) -> list[Case]:
        """The documents that were counted."""
        return self.found.cases

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The documents that could not be scored, and why."""
        return self.found.failures

    @property
    def skipped(self) -> dict[str, str]:
        """The documents that were left out, with the reason."""
        return {document: in_python(why) for document, why in self.summary.skipped.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """How inputs were read if that was guessed, one line per form."""
        return self.summary.notes

    @property
    def warnings(self) -> tuple[str, ...]:
        """What looks misread, such as a side without boundaries, or boundaries one word off."""
        return tuple(map(in_python, self.summary.warnings))

    @property
    def systems(self) -> dict[str, Scored]:
        """The systems by name; their scores are attributes."""
        from caesura.output.json import system_json

        scores, several = catalog(*self.summary.kind), len(self.summary.references)
        mean = self.summary.kind.mean
        short = scores.short_names if several == 1 else {}
        main = tuple(short.get(key, key) for key in scores.shown("headline", references=several))
        return {
            each.name: Scored(
                each.name,
                scores.with_short_names(each.micro, several)
                | system_json(each, scores, several)
                | each.micro
                | {key: getattr(each, mean).get(key) for key in scores.names if key in each.micro},
                main,
            )
            for each in self.summary.systems
        }

    @property
    def agreement(self) -> Scored | None:
        """The agreement of the references; None if there are none to compare."""
        from caesura.output.json import agreement_json

        found = self.summary.agreement
        shown = catalog(*self.summary.task_kind).shown("agreement").items()
        main = tuple(key for key, entry in shown if "headline" in entry.score.views)
        return None if found is None else Scored("agreement", agreement_json(found), main)

    @property
    def signature(self) -> str:
        """Every option that can change a score."""
        return self.summary.signature

    def page(self, **details: object) -> Page:
        """The tables, as the command prints them; details are options such as `by_document`."""
        return page_of(self.summary, **details)

    def to_dict(self) -> JsonObject:
        """The JSON of the command, as plain values."""
        from caesura.output.json import summary_json

        return summary_json(self.summary)

    def to_json(self) -> str:
        """The JSON of the command."""
        from caesura.output.json import as_json

        return as_json(self.summary)

    def to_frame(self, library: str = "pandas") -> DataFrame:
        """One row for each system and document, as a DataFrame of pandas or polars."""
        from caesura.steps.notebook import frame

        return frame(self.page().records, library)

    def compare(self, baseline: str | None = None, **resampling: Any) -> SystemComparisons:
        """Compare the systems with a baseline, by default the first."""
        from caesura.stats.saved_runs import Contest
        from caesura.stats.significance import compare
        from caesura.steps.shown import SystemComparisons

        contest = Contest.from_summary(self.summary, self.table)
        how, base = Resampling(**resampling), baseline or contest.systems[0]
        return SystemComparisons.showing(compare(contest, how, base))

    def correlate(
        self,
        *measures: str,
        outside: str | Sequence[str] = (),
        missing: Missing = "error",
        **resampling: Any,
    ) -> ScoreCorrelations:
        """Correlate scores over documents and systems, or with those of files from outside."""
        from caesura.stats.correlation import correlate
        from caesura.stats.saved_runs import Contest
        from caesura.steps.shown import ScoreCorrelations

        contest = Contest.from_summary(self.summary, self.table)
        how = Resampling(**{"resamples": 1000} | resampling)
        files = [outside] if isinstance(outside, str) else outside
        return ScoreCorrelations.showing(
            correlate(contest, how, measures, [str(each) for each in files], missing)
        )

    def readings(self) -> Iterator[JsonObject]:
        """What the run kept for the page, as plain values; files are read again if it did not."""
        if self.found.spool is not None:
            return self.found.readings()
        return run(self.cases, self.task, reads=True).readings()

    def html(self, path: str | None = None) -> str:
        """The HTML report, also written to `path` if given."""
        from caesura.output.report.page import report
        from caesura.output.report.readings import readings

        text = report(self.summary, self.page(), readings(self.readings(), self.summary.task))
        if path is not None:
            self._require_apart(path)
            with replacing(path) as file:
                file.write(text)
        return text

    def save(self, path: str | PathLike[str], *, with_text: bool = False) -> None:
        """Save the rows for `caesura compare` and `caesura report`, with the text if requested."""
        from caesura.run.rows_file import ENCODE
        from caesura.run.rows_writer import RowsWriter

        path = fspath(path)
        self._require_apart(path)
        readings: dict[str, list[str]] = {}
        if with_text:
            spool = self.found.spool or run(self.cases, self.task, reads=True).spool
            assert spool is not None
            names = [case.document for case in self.cases]
            readings = {name: [ENCODE(each) for each in spool.readings(name)] for name in names}
        header = replace(self.full_header, with_text=with_text)
        with RowsWriter.open(path, header) as writer:
            writer.add_table(self.table, readings)
            writer.finish(header)

    @property
    def full_header(self) -> Header:
        """The header of the rows, with what is known only after the run.

        That of a shard also has the names of files, which messages of merged runs show.
        """
        files: dict[str, dict[str, str]] = {}
        if self.header.shard:
            from caesura.run.shards import SavedNames

            names = (*self.header.references, *self.header.systems)
            saved = SavedNames.from_place(FileNames(self.cases), names, self.summary.documents)
            files = {name: dict(own) for name, own in saved.versions.items()}
        return replace(
            self.header,
            signature=self.summary.signature,
            skipped=dict(self.summary.skipped),
            failed=tuple(each.document for each in self.failures),
            files=files,
        )

    def _require_apart(self, path: str) -> None:
        """Raise an error if a file to write is one that was scored."""
        from caesura.io.outputs import require_apart

        require_apart({"the path": [path]}, [file for case in self.cases for file in case.files])

    def __str__(self) -> str:
        return as_text(self.page())

    def __repr__(self) -> str:
        scored = [str(each) for each in list(self.systems.values())[:MOST]]
        scored += [f"{len(self.summary.systems) - MOST:,} more"] * (
            len(self.summary.systems) > MOST
        )
        scored += [] if scored or self.agreement is None else [str(self.agreement)]
        read = [
            (len(self.summary.references), "reference"),
            (len(self.summary.documents), "document"),
        ]
        read += [(len(self.warnings), "warning")] if self.warnings else []
        numbers = ", ".join(number(*each) for each in read)
        return f"<Evaluation of {self.summary.kind}: {'; '.join([*scored, numbers])}>"

    def _repr_html_(self) -> str:
        """Tables for a notebook."""
        from caesura.steps.notebook import html

        return html(self.page(), self.warnings)
