"""Trees in a real browser: what is drawn, filtered and folded; keys, scripts, hostile labels."""

import json
import random
import re

import pytest

from caesura.core.json_values import typed
from caesura.output.report.views.trees import TreesReading
from caesura.tasks.trees.tree_errors import bracketed
from support.report_pages import caesura

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

TEXTS = """(all) => all.map((each) => ({
  text: each.textContent, x: Number(each.getAttribute("x")), y: Number(each.getAttribute("y")),
}))"""


def reading_of(path):
    text = path.read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    return typed(TreesReading, data["readings"][0])


def page_of(tmp_path, gold, ours):
    """A page of trees."""
    for name, text in (("gold", gold), ("ours", ours)):
        (tmp_path / f"{name}.mrg").write_text(text, encoding="utf-8")
    caesura("trees", tmp_path / "ours.mrg", "--gold", tmp_path / "gold.mrg", "-q", "-o",
            tmp_path / "out", "--html", tmp_path / "p.html")  # fmt: skip
    return tmp_path / "p.html"


def show_all(sheet):
    sheet.page.get_by_label("Hide what agrees").uncheck()


def tree(sheet, case, side):
    return sheet.page.locator(".canvas").nth(case).locator(f".tree.{side}")


def texts(holder, selector):
    """Texts of a drawing, from left to right."""
    found = holder.locator(selector).evaluate_all(TEXTS)
    return sorted(found, key=lambda each: each["x"])


def test_every_bracket_tag_and_word_is_drawn(opened, pages):
    sheet, reading = opened("trees"), reading_of(pages / "trees.html")
    show_all(sheet)
    for case, error in enumerate(reading.cases):
        for kind, side in (("gold", error.gold), ("ours", error.system)):
            drawn = tree(sheet, case, kind)
            assert [each["text"] for each in texts(drawn, ".leaf")] == list(side.words)
            assert [each["text"] for each in texts(drawn, ".tag")] == list(side.tags)
            names = drawn.locator(".name").all_text_contents()
            assert names == list(side.label)
            wrong = drawn.locator(".name.wrong").all_text_contents()
            assert wrong == [side.label[at] for at in side.wrong]
            tags = [each["text"] for each in texts(drawn, ".tag.wrong")]
            assert tags == [side.tags[at] for at in side.tags_wrong]


def test_what_differs_does_not_depend_on_colour(opened):
    drawn = tree(opened("trees"), 0, "ours")
    dashes = "(each) => getComputedStyle(each).strokeDasharray"
    assert drawn.locator(".line.wrong").first.evaluate(dashes) != "none"
    assert drawn.locator(".line:not(.wrong)").first.evaluate(dashes) == "none"
    weight = "(each) => getComputedStyle(each).fontWeight"
    assert drawn.locator(".name.wrong text").first.evaluate(weight) == "700"
    assert drawn.locator(".tag.wrong").first.evaluate(weight) == "700"


def test_words_of_both_trees_line_up(opened, pages):
    sheet, reading = opened("trees"), reading_of(pages / "trees.html")
    show_all(sheet)
    for case, error in enumerate(reading.cases):
        placed = []
        for kind, side in (("gold", error.gold), ("ours", error.system)):
            words = texts(tree(sheet, case, kind), ".leaf")
            spans = zip(side.points, side.points[1:], words, strict=False)
            placed.append({(start, stop): word["x"] for start, stop, word in spans})
        gold, ours = placed
        shared = gold.keys() & ours.keys()
        assert len(shared) >= len(ours) - 1
        assert {gold[span] - ours[span] for span in shared} == {0}


def test_what_agrees_is_folded(opened):
    sheet = opened("trees")
    drawn = tree(sheet, 0, "gold")
    folded = drawn.locator(".name").count()
    assert "The old harbour" in drawn.locator(".leaf").all_text_contents()
    assert drawn.locator(".roof").count() == 2
    show_all(sheet)
    assert folded < drawn.locator(".name").count()
    assert drawn.locator(".roof").count() == 0


def test_sentences_are_set_apart(opened):
    sheet = opened("trees")
    assert [tree(sheet, 1, kind).locator(".end").count() for kind in ("gold", "ours")] == [1, 0]
    assert "2 gold sentences as 1" in sheet.texts(".case-head")[1]


def test_the_text_is_that_of_the_command(opened, pages):
    sheet, reading = opened("trees"), reading_of(pages / "trees.html")
    wanted = [bracketed(side) for case in reading.cases for side in (case.gold, case.system)]
    assert sheet.page.locator(".bracketed").all_text_contents() == wanted
    assert any("[" in each for each in wanted)


def test_label_errors_lead_to_their_sentences(opened, pages):
    sheet, reading = opened("trees"), reading_of(pages / "trees.html")
    rows = sheet.page.get_by_role("group", name="Label errors").get_by_role("button")
    seen = [tuple(row.locator("span").all_text_contents()[:3]) for row in rows.all()]
    assert seen == [(str(each.times), each.system, each.gold) for each in reading.labels]
    assert sheet.page.locator(".canvas").count() == len(reading.cases) == 3
    row = sheet.page.get_by_role("button", name="ADVP where gold has NP")
    row.click()
    assert row.get_attribute("aria-pressed") == "true"
    assert sheet.texts(".case-head b") == ["3"]
    assert sheet.page.locator(".name.chosen").all_text_contents() == ["NP", "ADVP"]
    row.click()
    assert row.get_attribute("aria-pressed") == "false"
    assert sheet.page.locator(".canvas").count() == 3
    sheet.page.get_by_role("searchbox").fill("harbour slept")
    assert sheet.texts(".case-head b") == ["1"]
    sheet.page.get_by_label("System").select_option("oracle")
    assert sheet.texts("#trees .told") == ["No brackets of oracle differ from gold."]


def test_keys_go_to_what_differs(opened):
    sheet = opened("trees")
    canvas = sheet.page.locator(".canvas").first
    wrong = canvas.locator(".name.wrong")
    labels = wrong.evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    assert labels[0] == "VP over “slept in rain” in gold; not in parser"
    canvas.focus()
    active = "document.activeElement.ariaLabel"
    for key, at in (("n", 0), ("n", 1), ("ArrowLeft", 0), ("p", len(labels) - 1)):
        sheet.press(key)
        assert sheet.page.evaluate(active) == labels[at]
    sheet.page.keyboard.press("Shift+Tab")
    sheet.page.keyboard.press("Tab")
    assert sheet.page.evaluate(active) == labels[-1]
    assert canvas.locator(".sight").is_visible()
    assert sheet.page.get_by_role("tooltip").inner_text() == labels[-1]


def test_pointing_shows_over_which_words_a_bracket_lies(opened):
    sheet = opened("trees")
    tree(sheet, 0, "gold").locator(".name", has_text="PP").hover()
    box = sheet.page.locator(".sight:visible").bounding_box()
    inside = [
        each.text_content()
        for each in tree(sheet, 0, "ours").locator(".leaf").all()
        if box["x"] <= each.bounding_box()["x"] < box["x"] + box["width"]
    ]
    assert inside == ["in rain"]


def branching(words, draw):
    """A random tree."""
    if len(words) == 1:
        return f"(NN {words[0]})"
    cut = draw.randint(1, len(words) - 1)
    label = draw.choice(("NP", "VP", "PP", "S"))
    return f"({label} {branching(words[:cut], draw)} {branching(words[cut:], draw)})"


@pytest.mark.parametrize("width", [390, 1440])
def test_a_long_sentence_scrolls_in_its_box(opened, tmp_path, width):
    words = [f"word{at}" for at in range(60)]
    sides = [branching(words, random.Random(seed)) for seed in (1, 2)]
    sheet = opened(page_of(tmp_path, *sides), width=width)
    assert sheet.page.evaluate("document.documentElement.scrollWidth") <= width
    canvas = sheet.page.locator(".canvas")
    wide, room = canvas.evaluate("(each) => [each.scrollWidth, each.clientWidth]")
    assert wide > 2 * room
    canvas.evaluate("(each) => { each.scrollLeft = each.scrollWidth / 2 }")
    sheet.settle()
    box, root = canvas.bounding_box(), canvas.locator(".tree.gold .name").first.bounding_box()
    assert box["x"] < root["x"] < root["x"] + root["width"] < box["x"] + box["width"]


NASTY = ["<script>alert`1`</script>", "</script><img/src/onerror=alert`2`>", "__proto__",
         "constructor", "\u202egnp.exe", "e\u0301\u0302\u0303x", "x" * 300, "toString"]  # fmt: skip


def test_hostile_labels_and_words_are_text(opened, tmp_path):
    def side(labels):
        leaves = [f"({label} {word})" for label, word in zip(labels, NASTY, strict=True)]
        return f"(S ({labels[0]} {' '.join(leaves[:3])}) ({labels[1]} {' '.join(leaves[3:])}))"

    sheet = opened(page_of(tmp_path, side(NASTY), side(NASTY[::-1])), width=390)
    page = sheet.page
    assert page.locator("img, iframe, object, main script, [onerror]").count() == 0
    assert page.locator("script").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert NASTY[0] in page.locator(".leaf").all_text_contents()
    assert page.locator(".name.wrong").count() == 4
    assert page.get_by_role("button", name=f"where gold has {NASTY[0]}").count() == 1


def test_a_sentence_that_one_side_lacks_says_so(opened, tmp_path):
    gold = "(S (NP (NN alpha)) (VP (VB beta)))\n" * 3
    more = "(S (NP (NN quite)) (VP (VB other)))\n"
    sheet = opened(page_of(tmp_path, gold, gold + more))
    assert "1 sentence not in gold" in sheet.texts(".case-head")[0]
    assert sheet.texts(".canvas .empty") == ["no sentence"]
    assert sheet.page.locator(".tree").count() == 1


@pytest.mark.parametrize(
    ("words", "is_backwards"),
    [("ذهبنا إلى الميناء القديم", True), ("הלכנו אל הנמל הישן", True), ("我们 去 老 港口", False)],
)
def test_words_stand_in_reading_order(opened, tmp_path, words, is_backwards):
    a, b, c, d = (f"(NN {word})" for word in words.split())
    sheet = opened(page_of(tmp_path, f"(S (NP {a} {b}) {c} {d})", f"(S {a} (NP {b} {c}) {d})"))
    found = [each["text"] for each in texts(tree(sheet, 0, "gold"), ".leaf")]
    assert found == (words.split()[::-1] if is_backwards else words.split())


def test_sentences_are_drawn_a_few_at_a_time(opened, tmp_path):
    gold, ours = "(S (NP (NN a)) (NN b))\n" * 23, "(S (VP (NN a)) (NN b))\n" * 23
    sheet = opened(page_of(tmp_path, gold, ours))
    for size, left in ((10, 13), (20, 3)):
        assert sheet.page.locator(".canvas").count() == size
        sheet.page.get_by_role("button", name=f"more of {left}").click()
    assert sheet.page.locator(".canvas").count() == 23
    focused = sheet.page.evaluate("document.activeElement.ariaLabel")
    assert focused == "Trees of sentence 21"


def test_very_deep_trees_and_one_word_are_drawn(opened, tmp_path):
    gold = "(S " * 300 + "(NN a)" + ")" * 300 + "\n(NN b)"
    sheet = opened(page_of(tmp_path, gold, "(NN a)\n(NP (NN b))"))
    assert sheet.page.locator(".canvas").count() == 2
    height = sheet.page.locator(".canvas").first.bounding_box()["height"]
    assert height < 1600
