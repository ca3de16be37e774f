"""Corrections on the page: wrong edits are grouped and filtered."""

import pytest

from caesura.output.report.readings import taken
from support.report_pages import caesura, data_of

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_wrong_edits_are_grouped(pages):
    data = data_of(pages / "corrections.html")
    ours, oracle = data["readings"]
    assert (ours["system"], ours["edits"], ours["kinds"]) == ("ours", 4, 3)
    assert [(each["side"], each["text"], each["correction"], each["times"])
            for each in ours["patterns"]] == [
        ("gold", "like", "likes", {"R:VERB": 2}),
        ("gold", "am", "", {"U:VERB": 1}),
        ("system", "agree", "agreed", {"R:OTHER": 1}),
    ]  # fmt: skip
    assert [each["place"] for each in ours["patterns"][0]["cases"]] == ["gold.m2:2", "gold.m2:5"]
    assert (oracle["edits"], oracle["patterns"]) == (0, [])
    assert [each["id"] for each in data["sections"]] == ["edits"]
    assert [each["id"] for each in data["tables"]] == ["by-type", "by-operation", "by-main"]
    assert taken(ours).kinds == 3
    with pytest.raises(ValueError, match="side"):
        taken({**ours, "patterns": [{**ours["patterns"][0], "side": "both"}]})


def test_saved_rows_of_one_system_may_give_it_another_name(pages, tmp_path):
    place, rows = pages / "corrections", tmp_path / "one.jsonl"
    caesura("corrections", place / "ours.m2", "--gold", place / "gold.m2", "-q", "--rows", rows,
            "--with-text")  # fmt: skip
    caesura("report", f"mine={rows}", "-o", tmp_path / "p.html")
    assert data_of(tmp_path / "p.html")["readings"][0]["system"] == "mine"


def test_wrong_edits_are_shown_with_their_places_and_filtered(opened):
    sheet = opened("corrections")
    every = [
        "like → likes only in gold",
        "am → nothing only in gold",
        "agree → agreed only in ours",
    ]
    assert sheet.texts(".pattern .what") == every
    assert sheet.texts(".cases .place") == ["gold.m2:2, R:VERB", "gold.m2:5, R:VERB"]
    assert "She like → likes <b>dogs</b> . I am" in sheet.texts(".cases .gold")[1]
    assert "How good are these corrections?" in sheet.texts("h1")
    assert "against gold, in 1 document" in sheet.texts(".lead")[0]
    sheet.choose("Type", "U:VERB", "#errors")
    assert sheet.texts(".pattern .what") == every[1:2]
    sheet.choose("Show", "system")
    assert sheet.texts(".cases") == ["No wrong edits."]
    sheet.choose("Type", "", "#errors")
    assert sheet.texts(".pattern .what") == every[2:]
    sheet.choose("Show", "")
    sheet.page.get_by_label("Search").fill("LIKES")
    assert sheet.texts(".pattern .what") == every[:1]
    sheet.page.locator("#errors select").first.select_option("oracle")
    assert sheet.texts(".cases") == ["No wrong edits."]
