"""Trees in a real browser: what is drawn, filtered and folded; keys, scripts, hostile labels."""

import pytest

from caesura.core.json_values import typed
from caesura.output.report.trees import TreesReading
from caesura.tasks.trees.output import bracketed

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

TEXTS = """(all) => all.map((each) => ({
  text: each.textContent, x: Number(each.getAttribute("x")), y: Number(each.getAttribute("y")),
}))"""


@pytest.fixture
def drawn(made):
    """Open a page of trees."""

    def make(gold, ours, **how):
        files = {"gold.mrg": gold, "ours.mrg": ours}
        return made(files, "trees ours.mrg --gold gold.mrg", **how)

    return make


def tree(sheet, case, side):
    return sheet.page.locator(".canvas").nth(case).locator(f".tree.{side}")


def texts(holder, selector):
    """Texts of a drawing, from left to right."""
    found = holder.locator(selector).evaluate_all(TEXTS)
    return sorted(found, key=lambda each: each["x"])


def strings(holder, selector):
    return [each["text"] for each in texts(holder, selector)]


def test_every_bracket_tag_and_word_is_drawn_and_words_line_up(opened):
    """What agrees is folded at first; the text is that of the command."""
    sheet = opened("trees")
    reading = typed(TreesReading, sheet.data["readings"][0])
    gold = tree(sheet, 0, "gold")
    folded = gold.locator(".name").count()
    assert "The old harbour" in gold.locator(".leaf").all_text_contents()
    assert gold.locator(".roof").count() == 2
    sheet.page.get_by_label("Hide what agrees").uncheck()
    assert folded < gold.locator(".name").count()
    assert gold.locator(".roof").count() == 0
    for case, error in enumerate(reading.cases):
        placed = []
        for kind, side in (("gold", error.gold), ("ours", error.system)):
            own = tree(sheet, case, kind)
            assert strings(own, ".leaf") == list(side.words)
            assert strings(own, ".tag") == list(side.tags)
            assert strings(own, ".tag.wrong") == [side.tags[at] for at in side.tags_wrong]
            names = own.locator(".name")
            assert names.all_text_contents() == list(side.label)
            wrong = own.locator(".name.wrong").all_text_contents()
            assert wrong == [side.label[at] for at in side.wrong]
            spans = zip(side.points, side.points[1:], texts(own, ".leaf"), strict=False)
            placed.append({(start, stop): word["x"] for start, stop, word in spans})
        gold, ours = placed
        shared = gold.keys() & ours.keys()
        assert len(shared) >= len(ours) - 1
        assert {gold[span] - ours[span] for span in shared} == {0}
    wanted = [bracketed(side) for case in reading.cases for side in (case.gold, case.system)]
    assert sheet.page.locator(".bracketed").all_text_contents() == wanted
    assert any("[" in each for each in wanted)
    assert [tree(sheet, 1, kind).locator(".end").count() for kind in ("gold", "ours")] == [1, 0]
    assert "2 gold sentences as 1" in sheet.texts(".case-head")[1]


def test_what_differs_does_not_depend_on_colour(opened):
    drawn = tree(opened("trees"), 0, "ours")
    dashes = "(each) => getComputedStyle(each).strokeDasharray"
    assert drawn.locator(".line.wrong").first.evaluate(dashes) != "none"
    assert drawn.locator(".line:not(.wrong)").first.evaluate(dashes) == "none"
    weight = "(each) => getComputedStyle(each).fontWeight"
    assert drawn.locator(".name.wrong text").first.evaluate(weight) == "700"
    assert drawn.locator(".tag.wrong").first.evaluate(weight) == "700"


def test_label_errors_lead_to_their_sentences(opened):
    sheet = opened("trees")
    reading = typed(TreesReading, sheet.data["readings"][0])
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
    sheet.choose("System", "oracle")
    assert sheet.texts("#trees .told") == ["No brackets of oracle differ from gold."]


def test_keys_and_the_pointer_go_to_what_differs(opened):
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
    sheet.press("Shift+Tab", "Tab")
    assert sheet.page.evaluate(active) == labels[-1]
    assert canvas.locator(".sight").is_visible()
    assert sheet.page.get_by_role("tooltip").inner_text() == labels[-1]
    tree(sheet, 0, "gold").locator(".name", has_text="PP").hover()
    box = sheet.page.locator(".sight:visible").bounding_box()
    inside = [
        each.text_content()
        for each in tree(sheet, 0, "ours").locator(".leaf").all()
        if box["x"] <= each.bounding_box()["x"] < box["x"] + box["width"]
    ]
    assert inside == ["in rain"]


@pytest.mark.parametrize("width", [390, 1440])
def test_a_long_sentence_scrolls_in_its_box(drawn, width):
    words = [f"(NN word{at})" for at in range(60)]
    sheet = drawn(
        f"(S {' '.join(words)})", f"(S (NP {' '.join(words[:-1])}) {words[-1]})", width=width
    )
    assert sheet.width() <= width
    canvas = sheet.page.locator(".canvas")
    wide, room = canvas.evaluate("(each) => [each.scrollWidth, each.clientWidth]")
    assert wide > 2 * room
    canvas.evaluate("(each) => { each.scrollLeft = each.scrollWidth / 2 }")
    sheet.settle()
    box, root = canvas.bounding_box(), canvas.locator(".tree.gold .name").first.bounding_box()
    assert box["x"] < root["x"] < root["x"] + root["width"] < box["x"] + box["width"]


NASTY = ["<script>alert`1`</script>", "</script><img/src/onerror=alert`2`>", "__proto__",
         "constructor", "\u202egnp.exe", "e\u0301\u0302\u0303x", "x" * 300, "toString"]  # fmt: skip


def test_hostile_labels_and_words_are_text(drawn):
    def side(labels):
        leaves = [f"({label} {word})" for label, word in zip(labels, NASTY, strict=True)]
        return f"(S ({labels[0]} {' '.join(leaves[:3])}) ({labels[1]} {' '.join(leaves[3:])}))"

    sheet = drawn(side(NASTY), side(NASTY[::-1]), width=390)
    sheet.require_text_only()
    assert sheet.width() <= 390
    assert NASTY[0] in sheet.page.locator(".leaf").all_text_contents()
    assert sheet.page.locator(".name.wrong").count() == 4
    assert sheet.page.get_by_role("button", name=f"where gold has {NASTY[0]}").count() == 1


def test_a_sentence_that_one_side_lacks_says_so(drawn):
    gold = "(S (NP (NN alpha)) (VP (VB beta)))\n" * 3
    sheet = drawn(gold, f"{gold}(S (NP (NN quite)) (VP (VB other)))\n")
    assert "1 sentence not in gold" in sheet.texts(".case-head")[0]
    assert sheet.texts(".canvas .empty") == ["no sentence"]
    assert sheet.page.locator(".tree").count() == 1


@pytest.mark.parametrize(
    ("words", "is_backwards"),
    [("ذهبنا إلى الميناء القديم", True), ("הלכנו אל הנמל הישן", True), ("我们 去 老 港口", False)],
)
def test_words_stand_in_reading_order(drawn, words, is_backwards):
    a, b, c, d = (f"(NN {word})" for word in words.split())
    sheet = drawn(f"(S (NP {a} {b}) {c} {d})", f"(S {a} (NP {b} {c}) {d})")
    found = strings(tree(sheet, 0, "gold"), ".leaf")
    assert found == (words.split()[::-1] if is_backwards else words.split())


def test_sentences_are_drawn_a_few_at_a_time_however_deep(drawn):
    sheet = drawn("(S (NP (NN a)) (NN b))\n" * 23, "(S (VP (NN a)) (NN b))\n" * 23)
    for size, left in ((10, 13), (20, 3)):
        assert sheet.page.locator(".canvas").count() == size
        sheet.page.get_by_role("button", name=f"more of {left}").click()
    assert sheet.page.locator(".canvas").count() == 23
    focused = sheet.page.evaluate("document.activeElement.ariaLabel")
    assert focused == "Trees of sentence 21"
    sheet = drawn(f"{'(S ' * 300}(NN a){')' * 300}\n(NN b)", "(NN a)\n(NP (NN b))")
    assert sheet.page.locator(".canvas").count() == 2
    assert sheet.page.locator(".canvas").first.bounding_box()["height"] < 1600
