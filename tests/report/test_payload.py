"""The data of the page: the summary as it is, readings that come back, charts that add up."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.output.report import payload, readings
from caesura.output.report.charts import FARTHEST, LIMITS, transcript_charts
from caesura.output.report.patterns import MOST_CASES, MOST_PATTERNS
from caesura.output.report.readings import Reading
from caesura.run.cases import Source, match
from caesura.tasks.terms import TermsTask
from caesura.tasks.text import TextTask
from caesura.tasks.transcript import Transcript
from speech import PHONES, WORDS, classes


def cases(*paths, refs):
    return match([Source.parse(p) for p in paths], [Source.parse(p) for p in refs])


def reading_of(folder, task=None, **files):
    folder(**files)
    refs = [name for name in files if name.startswith("ref")]
    ours = [name for name in files if not name.startswith("ref")]
    named = [f"{name}={name}.txt" for name in ours], [f"{name}={name}.txt" for name in refs]
    (found,) = readings(task or Transcript(), cases(*named[0], refs=named[1]))
    return found


def test_words_are_as_they_were_written_and_steps_lead_to_positions(folder):
    found = reading_of(
        folder,
        ref1="Well — “yes”, he said.\nIt rained?\nA lot",
        s1="well yes // he said it rained a lot",
    )
    assert found["words"] == "Well\xa0— “yes”, he said. It rained? A lot"
    assert found["length"] == 8
    assert found["references"] == {"ref1": [3, 2]}
    assert found["systems"] == {"s1": [1]}
    assert found["marks"] == {"ref1": ".?"}


def test_the_end_counts_where_it_is_kept(folder):
    found = reading_of(folder, Transcript(final="keep"), ref1="a b\nc", s1="a\nb c")
    assert found["references"] == {"ref1": [1, 1]}


def test_boundaries_without_words_have_a_length_only(folder):
    found = reading_of(folder, ref1="0101", s1="0011")
    assert "words" not in found
    assert found["length"] == 4


def test_a_word_alone(folder):
    found = reading_of(folder, ref1="one", s1="one")
    assert (found["length"], found["references"], found["systems"]) == (1, {"ref1": []}, {"s1": []})
    assert transcript_charts([Reading.from_dict(found)])["lengths"]["s1"]["units"] == 1


def test_readings_come_back(folder):
    found = reading_of(folder, ref1="a b\nc d.\ne", ref2="a\nb c d e", s1="a b c\nd e")
    assert Reading.from_dict(json.loads(json.dumps(found))).to_dict() == found


POSITIONS = st.lists(st.integers(0, 48), max_size=12, unique=True).map(sorted)


def make(references, systems):
    sides = [
        {f"{kind}{at}": np.array(each, np.int64) for at, each in enumerate(side)}
        for kind, side in (("r", references), ("s", systems))
    ]
    return Reading("d", 50, None, *sides)


@given(st.lists(POSITIONS, min_size=1, max_size=3), st.lists(POSITIONS, min_size=1, max_size=2))
def test_offsets_are_those_to_the_nearest_reference(references, systems):
    charts = transcript_charts([make(references, systems)] * 2)
    every = sorted({at for each in references for at in each})
    for at, placed in enumerate(systems):
        wanted = [0] * (2 * FARTHEST + 1)
        for place in placed:
            near = min(every, key=lambda each: (abs(place - each), each), default=None)
            off = FARTHEST if near is None else max(-FARTHEST, min(FARTHEST, place - near))
            wanted[off + FARTHEST] += 2
        assert charts["offsets"]["counts"][f"s{at}"] == wanted


@given(st.lists(POSITIONS, min_size=2, max_size=3), POSITIONS)
def test_scores_by_window_are_those_of_the_measure(references, placed):
    charts = transcript_charts([make(references, [placed])] * 3)
    panel = [caesura.positions(each, 50) for each in references]
    for at, limit in enumerate(LIMITS):
        wanted = caesura.wisebe(caesura.positions(placed, 50), panel, window=limit)
        wanted = wanted + wanted + wanted
        for name, value in (("wisebe", wanted.score), ("window_f1", wanted.f1)):
            drawn = charts["windows"][name]["s0"][at]
            assert drawn == value or (math.isnan(drawn) and math.isnan(value))


@given(POSITIONS)
def test_units_have_quantiles(placed):
    spread = transcript_charts([make([placed], [])])["lengths"]["r0"]
    masses = np.diff([-1, *placed, 49])
    assert (spread["units"], spread["mean"]) == (masses.size, pytest.approx(masses.mean()))
    assert spread["quantiles"][2] in masses


def test_the_summary_is_in_it_as_it_is():
    summary = caesura.transcript({"s": "a b // c"}, {"r": "a // b c", "q": "a b // c"})
    data = payload(summary, [])
    assert (
        data["summary"]["systems"][0]["micro"]["wisebe"] == summary["systems"][0]["micro"]["wisebe"]
    )
    assert data["readings"] == []
    json.dumps(data, allow_nan=False)


def test_what_needs_several_references_is_left_out_with_one():
    summary = caesura.transcript({"s": "a b // c"}, {"r": "a // b c"})
    assert [section["title"] for section in payload(summary, [])["sections"]] == [
        "Mean over the references"
    ]


def text_reading(folder, ours, gold):
    folder(ours=ours, gold=gold)
    (found,) = readings(TextTask(), cases("ours.txt", refs=["gold.txt"]))
    return found


def test_errors_of_text_are_grouped(folder):
    gold = "Mr. Ames did n't call .\nHe did n't .\nWe left .\nSo did they .\n"
    ours = "Mr.\nAmes didn't call .\nHe didn't .\nWe left . So did they .\n"
    found = text_reading(folder, ours, gold)
    seen = [(p["unit"], p["kind"], p["system"], p["gold"], p["times"]) for p in found["patterns"]]
    assert seen == [
        ("token", "merged", "didn't", "did ~~~ n't", 2),
        ("sentence", "merged", ".", "", 1),
        ("sentence", "split", "Mr.", "", 1),
    ]
    assert found["blocks"] == 4
    assert found["patterns"][0]["cases"][1] == {
        "document": "document", "system_place": "ours.txt:3", "gold_place": "gold.txt:2",
        "before": "Ames did n't call . He", "after": ". We left . So did",
    }  # fmt: skip
    assert found["patterns"][2]["cases"][0]["system"] == "Mr. ~~~ Ames didn't call ."


def test_many_errors_are_counted_but_not_all_kept(folder):
    kinds = [f"x{n}y" for n in range(MOST_PATTERNS + 5)]
    gold = "\n".join(["a b"] * (MOST_CASES + 3) + kinds)
    ours = "\n".join(["ab"] * (MOST_CASES + 3) + [f"x {kind[1:]}" for kind in kinds])
    found = text_reading(folder, ours, gold)
    assert found["blocks"] == MOST_CASES + 3 + len(kinds)
    assert (found["kinds"], len(found["patterns"])) == (len(kinds) + 1, MOST_PATTERNS)
    first = found["patterns"][0]
    assert (first["times"], len(first["cases"])) == (MOST_CASES + 3, MOST_CASES)


def test_clusters_tell_what_they_spell(folder):
    found = classes("f1 .5 .7, f1 1.5 1.7, f1 .7 .85", "f2 .2 .4")
    folder(**{"p.phn": PHONES, "w.wrd": WORDS, "c.class": found})
    (case,) = [
        type(each)("corpus", each.systems, {"phones": "p.phn", "words": "w.wrd"})
        for each in cases("c.class", refs=["p.phn"])
    ]
    gold, ours = readings(TermsTask(), [case])
    assert gold["words"]["f2"] == {"on": [200], "off": [400], "words": ["ab"]}
    first = ours["clusters"][0]
    assert (first["cluster"], first["size"], first["types"]) == (1, 3, 2)
    assert first["purity"] == pytest.approx(2 / 3)
    assert first["spellings"][0] == {"phones": "a b", "word": "ab", "times": 2}
    assert ours["wrong_types"] == [{"phones": "c d", "times": 1}]
    assert ours["intervals"]["f1"] == {
        "on": [500, 700, 1500], "off": [700, 850, 1700], "cluster": [1, 1, 1], "right": [3, 1, 3],
    }  # fmt: skip
