"""Corrections on the page: wrong edits are grouped and filtered, and come back from saved rows."""

import json
import re

import pytest

from caesura.output.report.readings import taken
from support.report_pages import caesura

END = "REQUIRED|||-NONE-|||0"
GOLD = (
    f"S He like cats .\nA 1 2|||R:VERB|||likes|||{END}\n\n"
    f"S She like <b>dogs</b> .\nA 1 2|||R:VERB|||likes|||{END}\n\n"
    f"S I am agree\nA 1 2|||U:VERB||||||{END}\nA 3 3|||M:PUNCT|||.|||{END}\n"
)
OURS = (
    "S He like cats . She like <b>dogs</b> .\n\n"
    f"S I am agree\nA 2 3|||R:OTHER|||agreed|||{END}\nA 3 3|||M:PUNCT|||.|||{END}\n"
)


@pytest.fixture
def page(tmp_path):
    """A page of two systems, of which one is right, and its rows."""
    for name, text in (("gold", GOLD), ("ours", OURS), ("oracle", GOLD)):
        (tmp_path / f"{name}.m2").write_text(text, encoding="utf-8")
    caesura("corrections", tmp_path / "ours.m2", tmp_path / "oracle.m2", "--gold",
            tmp_path / "gold.m2", "-q", "-o", tmp_path / "out", "--html", tmp_path / "p.html",
            "--rows", tmp_path / "rows.jsonl", "--with-text")  # fmt: skip
    return tmp_path / "p.html"


def data_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])


def test_wrong_edits_are_grouped(page):
    data = data_of(page)
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


def test_saved_rows_give_the_same_page(page):
    again = page.parent / "again.html"
    caesura("report", page.parent / "rows.jsonl", "-o", again)
    assert data_of(again)["readings"] == data_of(page)["readings"]
    caesura("corrections", page.parent / "ours.m2", "--gold", page.parent / "gold.m2", "-q", "-o",
            page.parent / "out", "--rows", page.parent / "one.jsonl", "--with-text")  # fmt: skip
    caesura("report", f"mine={page.parent / 'one.jsonl'}", "-o", again)
    assert data_of(again)["readings"][0]["system"] == "mine"


def test_a_reading_is_checked(page):
    reading = data_of(page)["readings"][0]
    assert taken(reading).kinds == 3
    with pytest.raises(ValueError, match="side"):
        taken({**reading, "patterns": [{**reading["patterns"][0], "side": "both"}]})


def words(texts):
    return [" ".join(text.split()) for text in texts]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
class TestBrowser:
    def test_wrong_edits_with_their_places(self, opened, page):
        sheet = opened(page)
        assert words(sheet.texts(".pattern .what")) == [
            "like → likes only in gold",
            "am → nothing only in gold",
            "agree → agreed only in ours",
        ]
        assert words(sheet.texts(".cases .place")) == ["gold.m2:2, R:VERB", "gold.m2:5, R:VERB"]
        assert "She like → likes <b>dogs</b> . I am" in words(sheet.texts(".cases .gold"))[1]
        assert "How good are these corrections?" in sheet.texts("h1")
        assert "against gold, in 1 document" in sheet.texts(".lead")[0]

    def test_filters(self, opened, page):
        sheet = opened(page)
        sheet.page.locator("#errors").get_by_label("Type").select_option("U:VERB")
        assert words(sheet.texts(".pattern .what")) == ["am → nothing only in gold"]
        sheet.page.get_by_label("Show").select_option("system")
        assert sheet.texts(".cases") == ["No wrong edits."]
        sheet.page.locator("#errors").get_by_label("Type").select_option("")
        assert words(sheet.texts(".pattern .what")) == ["agree → agreed only in ours"]
        sheet.page.get_by_label("Show").select_option("")
        sheet.page.get_by_label("Search").fill("LIKES")
        assert words(sheet.texts(".pattern .what")) == ["like → likes only in gold"]
        sheet.page.locator("#errors select").first.select_option("oracle")
        assert sheet.texts(".cases") == ["No wrong edits."]

    def test_tables(self, opened, page):
        sheet = opened(page)
        rows = words(sheet.page.locator("table").first.locator("tbody tr").all_inner_texts())
        assert [row.split()[0] for row in rows] == ["ours", "oracle"]

    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_axe_finds_nothing_serious(self, opened, page, theme):
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(opened(page, theme=theme).page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
