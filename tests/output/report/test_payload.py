"""The data of the page: tables by id, readings that come back, charts that add up."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.core.json_values import plain
from caesura.output.report.readings import taken
from caesura.output.report.views import MOST_CASES, MOST_PATTERNS
from support.files import write
from support.report_pages import DATA, data_of
from support.report_pages import caesura as run


def page(systems, references, **options):
    """The data of the page of documents."""
    found = caesura.evaluate(systems, references, **options)
    return json.loads(DATA.search(found.html())[0], parse_constant=pytest.fail)


def reading(systems, references, **options):
    """What the page shows of one text; it comes back from JSON as it is."""
    sides = (
        {name: caesura.document(text) for name, text in side.items()}
        for side in (systems, references)
    )
    data = page(*sides, **options)
    (found,) = data["readings"]
    assert plain(taken(found)) == found
    return found


# Words


NORMAL = {"align": True, "normalize": ("fillers", "contractions")}


def test_words_are_as_they_were_written_and_steps_lead_to_positions():
    gold = "Well — “yes”, he said.\nIt rained?\nA lot"
    found = reading({"s": "well yes // he said it rained a lot"}, {"r": gold})
    assert found["words"] == "Well\xa0— “yes”, he said. It rained? A lot"
    assert (found["length"], found["marks"]) == (8, {"r": ".?"})
    assert (found["references"], found["systems"]) == ({"r": [3, 2]}, {"s": [1]})
    found = reading({"s": "a\nb c"}, {"r": "a b\nc"}, final="keep")
    assert found["references"] == {"r": [1, 1]}, "the end counts where it is kept"
    found = reading({"s": "0011"}, {"r": "0101"})
    assert (found["words"], found["length"]) == (None, 4)
    found = reading({"s": "one"}, {"r": "one"})
    assert (found["length"], found["references"], found["systems"]) == (1, {"r": []}, {"s": []})


@pytest.mark.parametrize(
    ("gold", "words"),
    [
        ("Well, we don't know.\nYes", ["Well,", "we", "don't", "", "know.", "Yes"]),
        ("Uh, Well, uh so.\nYes uh", ["Uh, Well, uh", "so.", "Yes uh"]),
        ("we don't uh know", ["we", "don't", "uh", "know"]),
    ],
)
def test_words_are_as_they_were_written_if_normalised(gold, words):
    found = reading({"s": "we know"}, {"r": gold}, **NORMAL)
    assert found["words"].replace("\xa0", "_").split(" ") == [w.replace(" ", "_") for w in words]
    assert found["length"] == len(words)


def test_words_that_were_heard_differently_are_kept():
    gold = "A very short tale.\nIt ends here."
    found = reading({"s": "So a Fairy short tale // well it ends"}, {"r": gold}, align=True)
    heard = {"at": [1, 5], "words": "Fairy ", "before": [0, 4], "inserted": "So well"}
    assert found["heard"] == {"s": heard}
    found = reading({"s": "A b, c"}, {"r": "a b\nc", "q": "a b c"}, align=True)
    assert found["heard"] == {}, "a version with the words of the axis keeps none"


SAID = st.lists(st.sampled_from(["a", "b", "uh", "don't", "c"]), min_size=1, max_size=12)
NOTHING = {"at": [], "words": "", "before": [], "inserted": ""}


@pytest.mark.slow
@given(SAID, SAID)
def test_the_axis_with_what_was_heard_is_the_version(theirs, ours):
    found = reading({"s": " ".join(ours)}, {"r": " ".join(theirs)}, align=True)
    told = [[word] for word in found["words"].split(" ")] + [[]]
    heard = found["heard"].get("s", NOTHING)
    for at, word in zip(np.cumsum(heard["at"]), heard["words"].split(" "), strict=False):
        told[at] = [word] if word else []
    more = zip(np.cumsum(heard["before"]), heard["inserted"].split(" "), strict=False)
    for at, word in reversed(list(more)):
        told[at].insert(0, word)
    assert [word for each in told for word in each] == ours


@given(SAID, SAID)
def test_what_was_heard_adds_up_to_the_word_errors(theirs, ours):
    texts = [caesura.document(" ".join([*words, "end"])) for words in (ours, theirs)]
    data = page({"s": texts[0]}, {"r": texts[1]}, **NORMAL)
    counts = data["summary"]["sources"]["s"]["alignment"]
    heard = data["readings"][0]["heard"].get("s", NOTHING)
    words = heard["words"].split(" ") if heard["at"] else []
    assert sum(map(bool, words)) == counts["substitutions"]
    assert words.count("") == counts["deletions"]
    inserted = heard["inserted"].split(" ") if heard["inserted"] else []
    assert len(heard["before"]) == counts["insertions"] == len(inserted)


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
    spoken = {"speakers": {"names": ["A"], "codes": [0, -1], "words": [3, 2]}}
    values = reading({"s": "a\nb"}, {"r": "a b"}) | spoken
    assert plain(taken(values)) == values
    with pytest.raises(ValueError, match=re.escape(problem)):
        taken(values | change)


# Charts


POSITIONS = st.lists(st.integers(0, 48), max_size=12, unique=True).map(sorted)


def charts(references, systems, documents):
    """The charts of boundaries in texts of 50 words, the same in all documents."""
    ours, theirs = (
        {
            f"{kind}{at}": {f"d{n}": caesura.positions(own, 50) for n in range(documents)}
            for at, own in enumerate(side)
        }
        for kind, side in (("s", systems), ("r", references))
    )
    return page(ours, theirs)["charts"]


@pytest.mark.slow
@given(st.lists(POSITIONS, min_size=1, max_size=3), st.lists(POSITIONS, min_size=1, max_size=2))
def test_offsets_are_those_to_the_nearest_reference(references, systems):
    drawn = charts(references, systems, 2)["offsets"]
    every, farthest = sorted({at for each in references for at in each}), drawn["farthest"]
    for at, placed in enumerate(systems):
        wanted = [0] * (2 * farthest + 1)
        for place in placed:
            near = min(every, key=lambda each: (abs(place - each), each), default=None)
            off = farthest if near is None else max(-farthest, min(farthest, place - near))
            wanted[off + farthest] += 2
        assert drawn["counts"][f"s{at}"] == wanted


@pytest.mark.slow
@given(st.lists(POSITIONS, min_size=2, max_size=3), POSITIONS)
def test_scores_by_window_are_those_of_the_measure(references, placed):
    windows = charts(references, [placed], 3)["windows"]
    drawn = {score["title"]: score["by_system"]["s0"] for score in windows["scores"]}
    panel = [caesura.positions(each, 50) for each in references]
    for at, limit in enumerate(windows["limits"]):
        wanted = caesura.wisebe(caesura.positions(placed, 50), panel, window=limit)
        wanted = wanted + wanted + wanted
        for name, value in (("WiSeBE", wanted.score), ("F1 RW", wanted.f1)):
            assert drawn[name][at] == (None if np.isnan(value) else value)


@given(POSITIONS)
def test_units_have_quantiles(placed):
    drawn = charts([placed], [placed], 1)
    spread, own = drawn["lengths"]
    masses = np.diff([-1, *placed, 49])
    assert (spread["units"], spread["mean"]) == (masses.size, pytest.approx(masses.mean()))
    assert spread["quantiles"][2] in masses
    assert (spread["is_reference"], own["is_reference"]) == (True, False)
    alone = page({}, {name: caesura.positions(placed, 50) for name in "ab"})["charts"]
    assert {*alone} & {"windows", "offsets"} == set()


# Tables


def test_tables_are_chosen_by_their_ids(pages, tmp_path):
    data = data_of(pages / "one.html")
    assert [each["id"] for each in data["sections"]] == ["all", "mean"]
    assert {(each["id"], each["is_folded"]) for each in data["tables"]} >= {
        ("each", True), ("mark", True),
    }  # fmt: skip
    assert data["limits"] == {"window": 2, "tolerance": 2}
    assert data["sections"][0]["columns"][0]["help"].startswith("F1 over windows")
    (each,) = (table for table in data["tables"] if table["id"] == "each")
    formats = {column["title"]: column["format"] for column in each["columns"]}
    assert (formats["system"], formats["TP"], formats["F1"]) == ("text", "count", "rate")
    data = data_of(pages / "text.html")
    labels = [[column["label"] for column in each["columns"]] for each in data["sections"]]
    assert labels[0][0] == "Sentences: TP", "headings that repeat are told apart"
    assert data_of(pages / "tune.html")["behind"] == "every boundary"
    place = tmp_path / "x.stm"
    place.write_text("a 1 A 0 1 so we left\na 1 B 1 2 we did\n")
    spoken = page({"s": place}, {"r": place}, streams="speaker")
    assert spoken["limits"] is None, "there is not one axis"


def test_with_one_reference_there_is_one_table():
    right, wrong = (dict.fromkeys("abcdefgh", text) for text in (["a b", "c d"], ["a", "b c d"]))
    data = page({"s": right, "t": wrong}, {"r": right}, compare=True)
    assert [(each["id"], each["title"]) for each in data["sections"]] == [("mean", "Against r")]
    table, differences = data["tables"]
    assert (table["id"], table["title"]) == ("one", "Counts and scores")
    columns = zip(table["columns"], *table["rows"], strict=True)
    apart = [n for n, (c, one, two) in enumerate(columns) if c["format"] == "rate" and one != two]
    assert table["best"] == [[0, column] for column in apart] != []
    assert differences["id"] == "differences"
    assert data["summary"]["systems"][0]["micro"]["wisebe"] is None, "undefined"


# Text and terms


def test_errors_of_text_are_grouped(pages):
    found = data_of(pages / "text.html")["readings"][0]
    names = "unit", "direction", "system", "gold", "times"
    assert [tuple(each[name] for name in names) for each in found["patterns"]] == [
        ("token", "merged", "didn't", "did ~~~ n't", 2),
        ("sentence", "merged", ".", "", 1),
        ("sentence", "split", "Mr.", "", 1),
    ]
    assert found["blocks"] == 4
    case = found["patterns"][0]["cases"][1]
    assert (case["document"], case["system_place"], case["gold_place"]) == (
        "document", "tool.txt:3", "gold.txt:2",
    )  # fmt: skip
    assert (case["before"], case["after"]) == ("Ames did n't call . He", ". We left . So did")
    assert found["patterns"][2]["cases"][0]["system"] == "Mr. ~~~ Ames didn't call ."
    assert plain(taken(found)) == found


def test_many_errors_are_counted_but_not_all_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kinds = [f"x{n}y" for n in range(MOST_PATTERNS + 5)]
    gold = "\n".join(["a b"] * (MOST_CASES + 3) + kinds)
    ours = "\n".join(["ab"] * (MOST_CASES + 3) + [f"x {kind[1:]}" for kind in kinds])
    write(tmp_path, {"gold.txt": gold, "ours.txt": ours})
    run("text", "ours.txt", "--gold", "gold.txt", "-q", "--html", "p.html")
    (found,) = data_of(tmp_path / "p.html")["readings"]
    assert found["blocks"] == MOST_CASES + 3 + len(kinds)
    assert (found["kinds"], len(found["patterns"])) == (len(kinds) + 1, MOST_PATTERNS)
    first = found["patterns"][0]
    assert (first["times"], len(first["cases"])) == (MOST_CASES + 3, MOST_CASES)


def test_clusters_tell_what_they_spell(pages):
    gold, ours, _ = data_of(pages / "terms.html")["readings"]
    assert gold["words"]["f2"] == {"on": [200], "off": [400], "words": ["ab"]}
    first = ours["clusters"][0]
    assert (first["cluster"], first["size"], first["types"]) == (1, 3, 2)
    assert first["purity"] == pytest.approx(2 / 3)
    assert first["spellings"][0] == {"phones": "a b", "word": "ab", "times": 2}
    assert ours["wrong_types"] == [{"phones": "c d", "times": 1}]
    assert ours["intervals"]["f1"] == {
        "on": [500, 700, 1500], "off": [700, 850, 1700], "cluster": [1, 1, 1], "right": [3, 1, 3],
    }  # fmt: skip
    assert [plain(taken(each)) for each in (gold, ours)] == [gold, ours]
