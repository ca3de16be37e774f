"""Notes and warnings: how inputs were read if that was guessed, and what looks misread.

They are made only from the source rows, so that they are the same for a run in one process, on a
cluster, or resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from caesura.core.line_breaks import BREAKS
from caesura.core.marks import MARK_EVERY
from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.core.segmentation import Document
from caesura.core.table import CountTable
from caesura.core.task import Task
from caesura.errors import number, option
from caesura.scores.read_forms import NAMED, OF_FORMATS, UNIT, Place, Problems, ReadTable

SEGMENT = "segment"
"""What is counted in texts that are put into segments."""
MOST = 5
"""How many lines warn of the same thing."""
LISTED = 20
"""How many documents that are left out a line names; the JSON has all."""
CLEAR = 5
"""The units of some version from which on it is odd that another has one only."""
SEGMENTS = 2
"""How many times as many segments as units a file has if its marks look incomplete."""
UNKNOWN = 0.5
"""The share of words unknown to a detector from which on its boundaries are unreliable."""
WITH_SACREBLEU = {
    "no_sacrebleu": "Sigma and BLEU with breaks",
    "no_translation": "BLEU, chrF and TER",
}
"""What is left out without sacrebleu, by sign."""
COUNTED = {
    "text_differs": (
        "sentence",
        "in {} `# text` differs from the tokens; the tokens are scored",
    ),
    "empty_trees": ("empty tree", "{}; each is scored as a sentence without tokens"),
    "evalb_errors": (
        "line",
        "{} whose words, without those that the parameters delete, are not the gold's; evalb does "
        "not count them (it stops after some errors; caesura goes on)",
    ),
    "more_lines": ("line", "{} more than the gold, which evalb does not read"),
    "fewer_lines": ("line", "{} fewer than the gold; evalb does not read the rest of the gold"),
    "long_segments": (
        "segment",
        "segments of more than 150 words, for which TER takes minutes; it is left out; to wait for "
        f"it, use {option('metrics', 'bleu,chrf,ter')}",
    ),
    "open_lines": ("line", "{} without <eob> or <eol> at the end, where no break is counted"),
}
"""What is said of a sign: what it counts, and a problem in which {} stands for how many."""
NO_BREAKS = "breaks are written <eol> and <eob>"
LIKE = "like_"
"""How the signs begin of files that may be in a format that was not detected."""
AUTO = "auto_"
"""How the signs begin of detectors that `auto` took."""
SLIPS = {"late": "early", "early": "late"}
OF_TREEBANKS = ("empty_lemma", "empty_upos", "empty_xpos", "empty_feats", "flat")
"""How the signs begin of treebanks without values in a column, and without a parse."""
FLAT = "its trees are flat, all words on the first; UAS and LAS are scored all the same"


@dataclass(frozen=True, slots=True)
class Notes:
    """How inputs were read if that was guessed, and warnings; each is one line.

    Warnings are for either reader: see `caesura.errors.option`.
    """

    read: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def notes(
    documents: CountTable,
    references: Sequence[str],
    place: Place | None,
    task: Task,
    problems: Problems | None = None,
    *,
    keeps_end: bool = False,
) -> Notes:
    """The notes on the sources of a table whose units are documents.

    `problems` are signs of the task, with what they count, and what the warning says; `keeps_end`
    says that the ends of documents count as boundaries.
    """
    if SOURCE not in documents.measures:
        return Notes()
    names = place or partial(_named, is_one=len(documents) == 1)
    table = ReadTable.from_table(
        documents, references, names, task.unit, problems, keeps_end=keeps_end
    )
    signs = {item[1] for item in table.items if item[0] == "sign"}
    asked = [warn for need, warn in WARNINGS if not need or not signs.isdisjoint(need.split())]
    return Notes(tuple(_read(table)), tuple(line for warn in asked for line in warn(table)))


def _counted(sign: str, table: ReadTable) -> Iterator[str]:
    """The warning of a sign that `COUNTED` explains."""
    sizes = table.sign(sign)
    if sizes.any():
        noun, problem = COUNTED[sign]
        problem = problem.format(number(int(sizes.sum()), noun))
        yield f"{table.named(sizes > 0)}: {problem}"


def _count(sign: str) -> tuple[str, Warn]:
    return sign, partial(_counted, sign)


def left_out(skipped: Mapping[str, str], scored: int) -> Iterator[str]:
    """Warnings of documents that are left out: one for each reason, with the first of them."""
    reasons: dict[str, list[str]] = {}
    for document, reason in skipped.items():
        reasons.setdefault(reason, []).append(document)
    every = number(len(skipped) + scored, "document")
    for reason, documents in [*reasons.items()][:MOST]:
        shown, more = ", ".join(documents[:LISTED]), len(documents) - LISTED
        rest = f" and {more:,} more" if more > 0 else ""
        yield f"{len(documents):,} of {every} left out, {reason}: {shown}{rest}"
    if len(reasons) > MOST:
        others = sum(map(len, [*reasons.values()][MOST:]))
        of = number(len(reasons) - MOST, "other combination")
        yield f"the same for {of} of sources, {number(others, 'document')}"


def notes_of(documents: Sequence[Document], name: str) -> Notes:
    """The notes on the documents of one file."""
    rows = [
        Row(name, str(at), SOURCE, None, SourceCounts.from_document(each))
        for at, each in enumerate(documents)
    ]
    table = ReadTable.from_table(CountTable.from_rows(rows), (), lambda *_: name)
    checks = (_marks_in_lines, _doubts, _segments, _odd_lines)
    return Notes(tuple(_read(table)), tuple(line for warn in checks for line in warn(table)))


def _named(document: str, version: str, *, is_one: bool) -> str:
    """The name of a version of a document whose file is not known."""
    return version if is_one else f"{version}/{document}"


def _read(table: ReadTable) -> Iterator[str]:
    """One line for each form that was guessed."""
    guessed = table.sign("guessed") > 0
    for form, has_form in table.forms():
        which = guessed & has_form
        if which.any():
            low, high = int(table.units[which].min()), int(table.units[which].max())
            units = number(high, table.unit)
            yield f"{form}: {table.named(which)}, {units if low == high else f'{low:,}–{units}'}"
    which = table.sign("rolled") > 0
    if which.any():
        lines = number(int(table.sign("rolled").sum()), "repeated line")
        yield f"rolling captions, unrolled: {table.named(which)}, {lines} left out"
    which = table.sign("by_script") > 0
    if which.any():
        words = option("tokens", "words")
        yield f"characters, in scripts without spaces: {table.named(which)} ({words}: only spaces)"
    signs = [item[1] for item in table.items if isinstance(item, tuple) and item[0] == "sign"]
    for kind in [each for each in signs if each.startswith(AUTO)]:
        yield taken(kind.removeprefix(AUTO), table.named(table.sign(kind) > 0))
    which = table.sign("unsorted") > 0
    if which.any():
        yield f"points sorted by position, which are out of order in the file: {table.named(which)}"
    which = table.sign("no_length") > 0
    if which.any():
        size = number(int(which.any(axis=0).sum()), "document")
        yield f"ending at the last end of any version, since no length is given: {size}"
    which = table.sign("in_segments") > 0
    if which.any():
        yield f"sentences of the reference (for Sigma): {table.named(which)}"


def taken(detector: str, where: str) -> str:
    """What the detector `auto` took a text for, and what it ran."""
    kind = "bare words" if detector == "best" else "punctuated text"
    return f"{kind}, segmented by {detector}: {where}"


def _no_boundary(table: ReadTable) -> Iterator[str]:
    """Versions without a boundary, if others have some; texts to be resegmented may have none."""
    if table.unit == SEGMENT:
        return
    bare = (table.units == 1) & (table.words > 1)
    inside = table.units.sum(axis=1) > table.items["documents"].sum(axis=1)
    if not inside.any():
        if bare.any() and table.unit == UNIT:
            yield f"no boundary inside any document: {_then(table)}"
        return
    for at, name in enumerate(table.versions):
        if not inside[at] and bare[at].any():
            if table.unit == UNIT or table.units.max() >= CLEAR:
                yield _all_bare(table, at)
        elif inside[at]:
            is_odd = bare[at] & (table.units.max(axis=0) >= CLEAR)
            names = [table.documents[each] for each in np.flatnonzero(is_odd).tolist()]
            if names:
                told = ", ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")
                every = number(len(table.documents), "document")
                yield f"{name}: no boundary in {len(names):,} of {every}: {told}"


def _then(table: ReadTable) -> str:
    """What a warning says of the scores if no document has a boundary inside."""
    if any(form.endswith(BREAKS) for form, _ in table.forms()):
        nothing = "precision, recall and F1 are undefined, and Sigma says nothing of breaks"
        return f"{nothing}; {NO_BREAKS}"
    if table.keeps_end:
        return "only the ends of the documents are scored"
    return "precision, recall and F1 are undefined"


def _all_bare(table: ReadTable, at: int) -> str:
    which = np.zeros(table.units.shape, np.bool_)
    which[at] = True
    files = table.files(which, 1)
    forms = {form for form, has_form in table.forms() if has_form[at].any()}
    what = files[0] if len(table.documents) == 1 else table.versions[at]
    where = "" if len(table.documents) == 1 else " in any document"
    cures = {"marks": "; a text on one line needs marks that end its units",
             BREAKS: f"; {NO_BREAKS}"}  # fmt: skip
    cure = "".join(cures.get(form, "") for form in forms) if len(forms) == 1 else ""
    return f"{what}: no boundary{where}{cure}"


def _marks_in_lines(table: ReadTable) -> Iterator[str]:
    """Lines with several sentences, in files that were read as one unit per line."""
    inner = table.sign("inner_marks")
    which = (table.sign("guessed") > 0) & (inner > 0) & (inner >= table.units)
    if which.any():
        lines = int(table.units[which].sum())
        marks = int(inner[which].sum()) + lines
        yield (
            f"{table.named(which)}: read as one unit per line, but {number(lines, 'line')} "
            f"contain about {marks:,} sentence marks; if marks end units, use "
            f"{option('input', 'marks')}"
        )


def _doubts(table: ReadTable) -> Iterator[str]:
    """Files that were read as plain text, but may be in a format that was not detected."""
    for item, values in table.items.items():
        if item[0] == "sign" and (values > 0).any():
            yield from doubts({item[1]: 1}, table.named(values > 0))


def doubts(signs: Mapping[str, int], name: str) -> Iterator[str]:
    """The warnings of files that were read as plain text, but may be in another format."""
    for sign in signs:
        if sign.startswith(LIKE):
            form = sign.removeprefix(LIKE)
            use = option("input", form)
            yield f"{name}: read as words, but this may be {form}; if it is, use {use}"
        elif sign == "odd_suffix":
            use = option("input", "…")
            yield f"{name}: unknown suffix, read as plain text; set the format with {use}"


def _segments(table: ReadTable) -> Iterator[str]:
    """Timed files that have many more segments than marks that end a unit."""
    segments = table.sign("segments")
    which = segments >= SEGMENTS * np.maximum(table.units, 1)
    which &= segments > 0
    if which.any():
        units, many = int(table.units[which].sum()), int(segments[which].sum())
        yield (
            f"{table.named(which)}: {number(units, 'unit')} by marks, but {number(many, 'segment')}"
            f"; if each segment is a unit, use {option('units', 'segments')}"
        )


def _unknown(table: ReadTable) -> Iterator[str]:
    """Detectors that do not know most of the words."""
    words = table.words.sum(axis=1).tolist()
    for sign, is_own in (("unknown", False), ("unknown_own", True)):
        unknown = table.sign(sign).sum(axis=1).tolist()
        for name, some, every in zip(table.versions, unknown, words, strict=True):
            yield from unknown_words(name, some, every, is_own=is_own)


def unknown_words(name: str, unknown: int, words: int, *, is_own: bool = False) -> Iterator[str]:
    """The warning of a detector to which most words are unknown; a user may have trained it."""
    if unknown > UNKNOWN * words:
        why = "it was trained on other words" if is_own else "s1, s2 and best are for English"
        yield (
            f"{name}: {unknown / words:.0%} of the words are unknown to this detector; its "
            f"boundaries are unreliable ({why})"
        )


def unread_marks(
    path: str, detector: str, marks: int, words: int, readers: Sequence[str]
) -> Iterator[str]:
    """The warning of punctuated text, given to a detector that reads words only."""
    if marks and marks * MARK_EVERY >= words:
        yield (
            f"{path}: {marks:,} of {number(words, 'word')} carry sentence marks, which {detector} "
            f"does not read; detectors of punctuated text do, such as {', '.join(readers)}; to "
            f"split at the marks, use `caesura convert` with {option('input', 'marks')}"
        )


def _unlike(table: ReadTable) -> Iterator[str]:
    """Versions that are probably of another recording: few of their aligned words are equal."""
    which = table.sign("unlike") > 0
    for version, document in np.argwhere(which)[:MOST].tolist():
        share = int(table.sign("alike")[version, document])
        yield (
            f"{table.at(version, document)}: of the words that are aligned with the reference's, "
            f"only {share}% are equal; check that it is a transcript of the same speech"
        )
    yield from _more(int(np.count_nonzero(which)))


def _partial(table: ReadTable) -> Iterator[str]:
    """Versions that lack a long stretch of the axis, or have one that it lacks."""
    ends = {
        "lacks": "nothing for words {} to {} of the reference, where all boundaries count as "
        "missed; check that it is complete",
        "adds": "the reference has nothing for its words {} to {}, whose boundaries are not "
        "scored; check that the reference is complete",
    }
    for kind, problem in ends.items():
        start, end = table.sign(f"{kind}_from"), table.sign(f"{kind}_to")
        for place in map(tuple, np.argwhere(start > 0)[:MOST].tolist()):
            yield f"{table.at(*place)}: {problem.format(f'{start[place]:,}', f'{end[place]:,}')}"
        yield from _more(int(np.count_nonzero(start)))


def _more(warned: int) -> Iterator[str]:
    """One line in place of further equal warnings."""
    if warned > MOST:
        yield f"the same warning for {number(warned - MOST, 'more document')}"


def _strangers(table: ReadTable) -> Iterator[str]:
    """Documents with many more word errors than the others, which may be others."""
    edits, words = table.sign("word_edits"), table.sign("word_total")
    if not edits.any():
        return
    from caesura.align.resegmentation import looks_strange

    for at in range(table.references, len(table.versions)):
        rates = edits[at] / np.maximum(words[at], 1)
        usual = float(np.median(rates)) if rates.size > 2 else 0.0
        strange = [document for document, rate in enumerate(rates) if looks_strange(rate, usual)]
        for document in strange[:MOST]:
            name = table.at(at, document)
            beside = f", {usual:.0%} in the median" if usual else ""
            yield (
                f"{name}: {rates[document]:.0%} word errors{beside}; check that it is the text of "
                "its reference"
            )


def _no_sacrebleu(table: ReadTable) -> Iterator[str]:
    """Measures of subtitles and sentences that are left out."""
    for sign, measures in WITH_SACREBLEU.items():
        if (table.sign(sign) > 0).any():
            yield (
                f"{measures} need sacrebleu, and are left out; install it with pip install "
                "'caesura-eval[translation]'"
            )


def _odd_lines(table: ReadTable) -> Iterator[str]:
    """Lines that are odd, as the task says."""
    for sign, (noun, problem) in table.problems.items():
        sizes, which = table.sign(sign), table.sign(sign) > 0
        places = [tuple(place) for place in np.argwhere(which).tolist()]
        if len(places) > NAMED:
            size = number(int(sizes.sum()), noun)
            yield f"{table.named(which)}: {size} {problem}"
        for version, document in places if len(places) <= NAMED else ():
            name = table.at(version, document)
            line = int(table.sign(f"{sign}_at")[version, document])
            size = number(int(sizes[version, document]), noun)
            yield f"{name}:{line}: {size} {problem}"


def odd_lines(signs: Mapping[str, int], name: str) -> Iterator[str]:
    """The warnings of the odd lines of one file."""
    for sign, (noun, problem) in OF_FORMATS.items():
        if sign in signs:
            yield f"{name}:{signs[f'{sign}_at']}: {number(signs[sign], noun)} {problem}"


def _slips(table: ReadTable) -> Iterator[str]:
    """Long stretches that fit much better one word earlier or later."""
    lines = [line for side in SLIPS for line in _slipped(table, side)]
    yield from lines[:MOST]
    yield from _more(len(lines))


def _slipped(table: ReadTable, side: str) -> Iterator[str]:
    start, end = table.sign(f"{side}_from"), table.sign(f"{side}_to")
    for at in np.flatnonzero((start > 0).any(axis=0)).tolist():
        who = np.flatnonzero(start[:, at] > 0).tolist()
        systems = range(table.references, len(table.versions))
        is_reference = table.references == 1 and len(systems) > 1 and who == list(systems)
        if is_reference:
            first, last = int(start[who, at].min()), int(end[who, at].max())
            yield _slip_line(table, (0, at), SLIPS[side], (first, last))
        else:
            for version in who:
                span = int(start[version, at]), int(end[version, at])
                yield _slip_line(table, (version, at), side, span)


def _slip_line(table: ReadTable, where: tuple[int, int], side: str, span: tuple[int, int]) -> str:
    """The warning of a slip, which may as well be one of what the version is compared with."""
    version, document = where
    others = "reference" if table.references == 1 else "references"
    if version < table.references:
        others = "systems" if table.references == 1 else f"other {others}"
    name = table.at(version, document)
    words = int(table.words[:, document].max())
    to_end = span[1] >= 0.9 * words
    stretch = f"from word {span[0]:,} on" if to_end else f"from word {span[0]:,} to {span[1]:,}"
    return f"{name}: {stretch}, boundaries look one word {side} relative to the {others}"


def _treebanks(table: ReadTable) -> Iterator[str]:
    """Columns of CoNLL-U that are empty on one side alone, and trees that no parser made."""
    lines: dict[str, None] = {}
    for at in range(table.references, len(table.versions)):
        for version, side, other in ((at, "system", "gold"), (0, "gold", "system")):
            name = table.at(version, 0) if len(table.documents) == 1 else table.versions[version]
            signs = [
                sign
                for sign in OF_TREEBANKS
                if table.sign(f"{sign}_{side}")[at].all() > table.sign(f"{sign}_{other}")[at].all()
            ]
            if columns := ", ".join(sign[6:].upper() for sign in signs if sign != "flat"):
                problem = f"every word has _ in {columns}; scores that rest on that are undefined"
                lines[f"{name}: {problem}"] = None
            if "flat" in signs:
                lines[f"{name}: {FLAT}"] = None
    yield from lines


Warn = Callable[[ReadTable], Iterator[str]]
WARNINGS: tuple[tuple[str, Warn], ...] = (
    ("", _no_boundary),
    ("inner_marks", _marks_in_lines),
    ("", _doubts),
    ("segments", _segments),
    ("late_from early_from", _slips),
    ("unknown unknown_own", _unknown),
    ("unlike", _unlike),
    ("lacks_from adds_from", _partial),
    (
        " ".join(f"{sign}_{side}" for sign in OF_TREEBANKS for side in ("system", "gold")),
        _treebanks,
    ),
    *map(_count, ("text_differs", "empty_trees", "evalb_errors", "more_lines", "fewer_lines")),
    ("", _odd_lines),
    ("word_edits", _strangers),
    *map(_count, ("long_segments", "open_lines")),
    (" ".join(WITH_SACREBLEU), _no_sacrebleu),
)
"""What is warned of, in this order, after the signs without which there is nothing to warn of."""
