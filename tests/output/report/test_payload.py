"""The data of the page: tables by id, readings that come back, charts that add up."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.core.json_values import plain
from caesura.core.results import System
from caesura.core.summary import Summary
from caesura.formats.plain import parse
from caesura.output.report.charts import FARTHEST, LIMITS, Limits, transcript_charts
from caesura.output.report.payload import page_data
from caesura.output.report.readings import readings, taken
from caesura.output.report.views.clusters import FoundIntervals, Spelling, SpokenWords, WrongType
from caesura.output.report.views.patterns import ErrorCase
from caesura.output.report.views.reading import MOST_CASES, MOST_PATTERNS
from caesura.output.report.views.transcript import (
    Heard,
    Speakers,
    TranscriptReading,
    positions,
    steps,
)
from caesura.output.tables import Column, Page, Table
from caesura.run.inputs import Source, match
from caesura.run.run import run
from caesura.tasks import TASKS
from caesura.tasks.terms.counting import TermsTask
from caesura.tasks.text.counting import TextTask
from caesura.tasks.transcript.counting import Transcript, count_documents
from caesura.tasks.transcript.report import reading_of as reading_of_versions
from support.speech_corpora import PHONES, WORDS, classes


def cases(*paths, refs):
    return match([Source.parse(p) for p in paths], [Source.parse(p) for p in refs])


def kept(task, cases):
    of = next(each for each in TASKS.values() if each.counter and each.counter_class is type(task))
    return readings(run(cases, task, reads=True).readings(), of)


def reading_of(folder, task=None, **files):
    folder(**files)
    refs = [name for name in files if name.startswith("ref")]
    ours = [name for name in files if not name.startswith("ref")]
    named = [f"{name}={name}.txt" for name in ours], [f"{name}={name}.txt" for name in refs]
    (found,) = kept(task or Transcript(), cases(*named[0], refs=named[1]))
    return found


def test_words_are_as_they_were_written_and_steps_lead_to_positions(folder):
    found = reading_of(
        folder,
        ref1="Well — “yes”, he said.\nIt rained?\nA lot",
        s1="well yes // he said it rained a lot",
    )
    assert found.words == "Well\xa0— “yes”, he said. It rained? A lot"
    assert found.length == 8
    assert found.references == {"ref1": (3, 2)}
    assert found.systems == {"s1": (1,)}
    assert found.marks == {"ref1": ".?"}


NORMAL = Transcript(align=True, normalize=("fillers", "contractions"))


@pytest.mark.parametrize(
    ("ref1", "words"),
    [
        ("Well, we don't know.\nYes", ["Well,", "we", "don't", "", "know.", "Yes"]),
        ("Uh, Well, uh so.\nYes uh", ["Uh, Well, uh", "so.", "Yes uh"]),
        ("we don't uh know", ["we", "don't", "uh", "know"]),
    ],
)
def test_words_are_as_they_were_written_if_normalised(folder, ref1, words):
    found = reading_of(folder, NORMAL, ref1=ref1, s1="we know")
    assert found.words.replace("\xa0", "_").split(" ") == [w.replace(" ", "_") for w in words]
    assert found.length == len(words)


def test_words_that_were_heard_differently_are_kept(folder):
    found = reading_of(
        folder,
        Transcript(align=True),
        ref1="A very short tale.\nIt ends here.",
        s1="So a Fairy short tale // well it ends",
    )
    assert found.heard == {
        "s1": Heard(at=(1, 5), words="Fairy ", before=(0, 4), inserted="So well")
    }
    assert taken(json.loads(json.dumps(plain(found)))) == found


def test_a_version_with_the_words_of_the_axis_keeps_none(folder):
    found = reading_of(folder, Transcript(align=True), ref1="a b\nc", ref2="a b c", s1="A b, c")
    assert found.heard == {}


SAID = st.lists(st.sampled_from(["a", "b", "uh", "don't", "c"]), min_size=1, max_size=12)


def read_of(theirs, ours, task):
    """The reading of a system and a reference that are lists of words, and its rows."""
    ref1, s1 = (parse(" ".join(words), "marks") for words in (theirs, ours))
    kept = []
    rows = count_documents("d", {"s1": s1}, {"ref1": ref1}, task, kept.append).rows()
    return reading_of_versions("d", kept[0], "drop"), list(rows)


@given(SAID, SAID)
def test_the_axis_with_what_was_heard_is_the_version(theirs, ours):
    found, _ = read_of(theirs, ours, Transcript(align=True))
    told = [[word] for word in found.words.split(" ")] + [[]]
    heard = found.heard.get("s1", Heard(at=(), words="", before=(), inserted=""))
    for at, word in zip(positions(heard.at), heard.words.split(" "), strict=False):
        told[at] = [word] if word else []
    more = zip(positions(heard.before), heard.inserted.split(" "), strict=False)
    for at, word in reversed(list(more)):
        told[at].insert(0, word)
    assert [word for each in told for word in each] == ours


@given(SAID, SAID)
def test_what_was_heard_adds_up_to_the_word_errors(theirs, ours):
    found, rows = read_of([*theirs, "end"], [*ours, "end"], NORMAL)
    (counts,) = (row.counts for row in rows if row.measure == "alignment")
    heard = found.heard.get("s1", Heard(at=(), words="", before=(), inserted=""))
    words = heard.words.split(" ") if heard.at else []
    assert sum(map(bool, words)) == counts.substitutions
    assert words.count("") == counts.deletions
    inserted = heard.inserted.split(" ") if heard.inserted else []
    assert len(heard.before) == counts.insertions == len(inserted)


def test_the_end_counts_where_it_is_kept(folder):
    found = reading_of(folder, Transcript(final="keep"), ref1="a b\nc", s1="a\nb c")
    assert found.references == {"ref1": (1, 1)}


def test_boundaries_without_words_have_a_length_only(folder):
    found = reading_of(folder, ref1="0101", s1="0011")
    assert found.words is None
    assert found.length == 4


def test_a_word_alone(folder):
    found = reading_of(folder, ref1="one", s1="one")
    assert (found.length, found.references, found.systems) == (1, {"ref1": ()}, {"s1": ()})
    assert [each.units for each in transcript_charts([found], NEAR).lengths] == [1, 1]


def test_readings_come_back(folder):
    found = reading_of(folder, ref1="a b\nc d.\ne", ref2="a\nb c d e", s1="a b c\nd e")
    assert taken(json.loads(json.dumps(plain(found)))) == found
    spoken = replace(found, speakers=Speakers(names=("A",), codes=(0, -1), words=(3, 2)))
    assert taken(plain(spoken)) == spoken


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"kind": "story"}, "it is of an unknown kind"),
        ({"length": "8"}, "length: '8' is not a valid int"),
        ({"systems": {"s": [1, None]}}, "s: None is not a valid int"),
        ({"colour": 1}, "unknown: colour"),
        ({"speakers": {"names": []}}, "speakers: no codes"),
    ],
)
def test_what_is_no_reading_is_refused(change, problem):
    values = plain(make([[1]], [[2]])) | change
    with pytest.raises(ValueError, match=re.escape(problem)):
        taken(values)


NEAR = Limits(window=2, tolerance=2)
POSITIONS = st.lists(st.integers(0, 48), max_size=12, unique=True).map(sorted)


def make(references, systems):
    ours, theirs = (
        {f"{kind}{at}": steps(np.array(each, np.int64)) for at, each in enumerate(side)}
        for kind, side in (("s", systems), ("r", references))
    )
    return TranscriptReading(document="d", length=50, words=None, references=theirs, systems=ours)


@given(st.lists(POSITIONS, min_size=1, max_size=3), st.lists(POSITIONS, min_size=1, max_size=2))
def test_offsets_are_those_to_the_nearest_reference(references, systems):
    charts = transcript_charts([make(references, systems)] * 2, NEAR)
    every = sorted({at for each in references for at in each})
    for at, placed in enumerate(systems):
        wanted = [0] * (2 * FARTHEST + 1)
        for place in placed:
            near = min(every, key=lambda each: (abs(place - each), each), default=None)
            off = FARTHEST if near is None else max(-FARTHEST, min(FARTHEST, place - near))
            wanted[off + FARTHEST] += 2
        assert list(charts.offsets.counts[f"s{at}"]) == wanted


@given(st.lists(POSITIONS, min_size=2, max_size=3), POSITIONS)
def test_scores_by_window_are_those_of_the_measure(references, placed):
    charts = transcript_charts([make(references, [placed])] * 3, NEAR)
    drawn = {score.title: score.by_system["s0"] for score in charts.windows.scores}
    panel = [caesura.positions(each, 50) for each in references]
    for at, limit in enumerate(LIMITS):
        wanted = caesura.wisebe(caesura.positions(placed, 50), panel, window=limit)
        wanted = wanted + wanted + wanted
        for name, value in (("WiSeBE", wanted.score), ("F1 RW", wanted.f1)):
            assert drawn[name][at] == pytest.approx(value, nan_ok=True, abs=0, rel=0)


@given(POSITIONS)
def test_units_have_quantiles(placed):
    charts = transcript_charts([make([placed], [])], NEAR)
    (spread,) = charts.lengths
    masses = np.diff([-1, *placed, 49])
    assert (spread.units, spread.mean) == (masses.size, pytest.approx(masses.mean()))
    assert spread.quantiles[2] in masses
    assert spread.is_reference
    assert charts.windows is charts.offsets is None


WISEBE = Column(key="wisebe", title="WiSeBE", better="high", help="F1 over windows.")
F1 = Column(key="f1_mean", title="F1", better="high", help="")
SER = Column(key="ser_mean", title="SER", better="low", help="")
SYSTEM = Column(key="", title="system", better=None, help="")
TP = Column(key="tp", title="TP", is_count=True)


def a_table(id, *columns, rows=(("s", 0.5),), **how):
    return Table(id=id, title=id.capitalize(), columns=(SYSTEM, *columns), rows=rows, **how)


def summary_of(references=("r", "q"), **options):
    nan = float("nan")
    return Summary(
        caesura="1",
        task=TASKS["transcript"],
        signature="a",
        options={"window": 3, "tolerance": 2} | options,
        references=references,
        documents=("d",),
        systems=(System(name="s", micro={"wisebe": nan, "f1_mean": 2.0}),),
    )


TABLES = (
    a_table("agreement", WISEBE),
    a_table("all", WISEBE),
    a_table("mean", F1, SER, rows=(("s", 0.5, 2.0), ("t", 0.25, 1.0))),
    a_table("each", TP, F1, rows=(("s", 3, 0.5), ("t", 4, 0.25)), groups=((0, 1),),
            daggers=frozenset({(1, 2)})),
    a_table("units", F1),
    a_table("document", F1),
)  # fmt: skip


def test_tables_are_chosen_by_their_ids():
    data = page_data(summary_of(), Page(TABLES, notes=("a note",)), [])
    assert [each.id for each in data.sections] == ["all", "mean"]
    assert [(each.id, each.is_folded) for each in data.tables] == [("each", True), ("units", False)]
    assert [column.key for column in data.agreement] == ["wisebe"]
    assert data.ceiling == ()
    assert data.notes == ("a note",)
    assert data.charts.ranks[0].key == "f1_mean"
    assert data.limits == Limits(window=3, tolerance=2)


def test_what_is_undefined_is_null_and_the_rest_as_it_is():
    values = plain(page_data(summary_of(), Page(TABLES), []))
    assert values["summary"]["systems"][0]["micro"] == {"wisebe": None, "f1_mean": 2.0}
    json.dumps(values, allow_nan=False)


def test_columns_tell_how_numbers_are_written():
    data = page_data(summary_of(), Page(TABLES), [])
    formats = {column.title: column.format for column in data.tables[0].columns}
    assert formats == {"system": "text", "TP": "count", "F1": "rate"}
    assert [column.format for column in data.sections[1].columns] == ["rate", "rate"]
    assert data.sections[0].columns[0].help == "F1 over windows."


def test_the_best_and_what_differs_are_marked():
    data = page_data(summary_of(), Page(TABLES), [])
    assert data.tables[0].best == ((0, 2),)
    assert data.tables[0].daggers == ((1, 2),)


def test_headings_that_repeat_are_told_apart():
    tables = (a_table("sentences", F1), a_table("tokens", F1, SER, rows=(("s", 0.5, 1.0),)))
    sections = page_data(summary_of(), Page(tables), []).sections
    labels = [[column.label for column in each.columns] for each in sections]
    assert labels == [["Sentences: F1"], ["Tokens: F1", "SER"]]


def test_with_one_reference_there_is_one_table():
    found = caesura.evaluate({"s": ["a b", "c"]}, {"r": ["a", "b c"]})
    data = page_data(found.summary, found.page(), [])
    assert [(each.id, each.title) for each in data.sections] == [("mean", "Against r")]
    assert [(each.id, each.title) for each in data.tables] == [("one", "Counts and scores")]


def test_without_one_axis_there_are_no_limits():
    assert page_data(summary_of(streams="speaker"), Page(TABLES), []).limits is None
    assert page_data(summary_of(axis="time"), Page(TABLES), []).behind == "every boundary"


def text_reading(folder, ours, gold):
    folder(ours=ours, gold=gold)
    (found,) = kept(TextTask(), cases("ours.txt", refs=["gold.txt"]))
    return found


def test_errors_of_text_are_grouped(folder):
    gold = "Mr. Ames did n't call .\nHe did n't .\nWe left .\nSo did they .\n"
    ours = "Mr.\nAmes didn't call .\nHe didn't .\nWe left . So did they .\n"
    found = text_reading(folder, ours, gold)
    seen = [(p.unit, p.direction, p.system, p.gold, p.times) for p in found.patterns]
    assert seen == [
        ("token", "merged", "didn't", "did ~~~ n't", 2),
        ("sentence", "merged", ".", "", 1),
        ("sentence", "split", "Mr.", "", 1),
    ]
    assert found.blocks == 4
    assert found.patterns[0].cases[1] == ErrorCase(
        document="document", system_place="ours.txt:3", gold_place="gold.txt:2",
        before="Ames did n't call . He", after=". We left . So did",
    )  # fmt: skip
    assert found.patterns[2].cases[0].system == "Mr. ~~~ Ames didn't call ."
    assert taken(plain(found)) == found


def test_many_errors_are_counted_but_not_all_kept(folder):
    kinds = [f"x{n}y" for n in range(MOST_PATTERNS + 5)]
    gold = "\n".join(["a b"] * (MOST_CASES + 3) + kinds)
    ours = "\n".join(["ab"] * (MOST_CASES + 3) + [f"x {kind[1:]}" for kind in kinds])
    found = text_reading(folder, ours, gold)
    assert found.blocks == MOST_CASES + 3 + len(kinds)
    assert (found.kinds, len(found.patterns)) == (len(kinds) + 1, MOST_PATTERNS)
    first = found.patterns[0]
    assert (first.times, len(first.cases)) == (MOST_CASES + 3, MOST_CASES)


def test_clusters_tell_what_they_spell(folder):
    found = classes("f1 .5 .7, f1 1.5 1.7, f1 .7 .85", "f2 .2 .4")
    folder(**{"p.phn": PHONES, "w.wrd": WORDS, "c.class": found})
    (case,) = [
        type(each)("corpus", each.systems, {"phones": "p.phn", "words": "w.wrd"})
        for each in cases("c.class", refs=["p.phn"])
    ]
    gold, ours = kept(TermsTask(), [case])
    assert gold.words["f2"] == SpokenWords(on=(200,), off=(400,), words=("ab",))
    first = ours.clusters[0]
    assert (first.cluster, first.size, first.types) == (1, 3, 2)
    assert first.purity == pytest.approx(2 / 3)
    assert first.spellings[0] == Spelling(phones="a b", word="ab", times=2)
    assert ours.wrong_types == (WrongType(phones="c d", times=1),)
    assert ours.intervals["f1"] == FoundIntervals(
        on=(500, 700, 1500), off=(700, 850, 1700), cluster=(1, 1, 1), right=(3, 1, 3)
    )
    assert [taken(plain(each)) for each in (gold, ours)] == [gold, ours]
