"""Segments in a real browser: columns, marks, order, filters; scripts, hostile words."""

import pytest

from support.files import write
from support.report_pages import caesura, changed

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

ROWS = """(item) => [...item.querySelectorAll(".column:not(.names)")].map(
  (column) => [...column.children].map((cell) => [cell.textContent, cell.className]))"""
PLACES = """(all) => all.slice(0, 20).map((column) => [...column.children].map((cell) => {
  const { x, y } = cell.getBoundingClientRect();
  return { x, y };
}))"""


@pytest.fixture
def segments(made):
    """Open a page of segments of one system."""

    def make(ref, ours, **how):
        files = {"ref.txt": ref, "ours.txt": ours}
        return made(files, "sentences ours.txt --ref ref.txt --metrics none", **how)

    return make


def columns(sheet, at=0):
    """The cells of each column of a segment, as text and class."""
    return sheet.page.locator(".segments > li").nth(at).evaluate(ROWS)


def words(sheet, at=0, row=0):
    return [column[row][0] for column in columns(sheet, at) if column[row][0]]


def numbers(sheet):
    return sheet.texts(".segments .case-head b")


def choose(sheet, **options):
    for label, value in options.items():
        sheet.choose(label, value, "#segments")


def test_every_word_is_in_its_column(opened):
    sheet = opened("sentences")
    choose(sheet, System="=asr", Order="text")
    (reading,) = (each for each in sheet.data["readings"] if each["system"] == "asr")
    signs = {"=": ["same", "same"], "s": ["other", "other"], "d": ["lacking", "no-word"],
             "i": [None, "extra"]}  # fmt: skip
    for at, case in enumerate(reading["cases"]):
        found = columns(sheet, at)
        every = zip(case["operations"], case["reference"], case["system"], found, strict=True)
        for sign, theirs, ours, cells in every:
            same = ours or (theirs if sign == "=" else "")
            assert [text for text, _ in cells] == [theirs.strip(), same.strip()]
            for kind, (_, classes) in zip(signs[sign], cells, strict=True):
                assert kind is None or kind in classes.split()
    for boxes in sheet.page.locator(".column.apart").evaluate_all(PLACES):
        assert max(box["x"] for box in boxes) - min(box["x"] for box in boxes) < 4
        tops = [box["y"] for box in boxes]
        assert tops == sorted(tops)
        assert tops[-1] - tops[0] > 12


def test_what_differs_does_not_depend_on_colour(opened):
    sheet = opened("sentences")
    choose(sheet, System="=asr")
    look = "(each) => [getComputedStyle(each).textDecorationLine, getComputedStyle(each).%s]"
    for selector, name, wanted in (
        (".ours.other", "outlineStyle", ["underline", "none"]),
        (".gold.other", "outlineStyle", ["underline", "none"]),
        (".ours.same", "outlineStyle", ["none", "none"]),
        (".gold.lacking", "outlineStyle", ["none", "solid"]),
        (".ours.extra", "outlineStyle", ["none", "solid"]),
        (".no-word", "borderBottomStyle", ["none", "dotted"]),
    ):
        assert sheet.page.locator(f".aligned {selector}").first.evaluate(look % name) == wanted


def test_systems_stand_together_sorted_and_found(opened):
    sheet = opened("sentences")
    assert sheet.texts(".column.names")[0] == "reference asr other"
    assert sheet.page.locator("#documents select").input_value() == "wer"
    assert sheet.texts("#summary tr:has(.best) th") == ["other"], "lower rates are better"
    assert sheet.page.locator("#summary .bar.low").count() == 4
    assert numbers(sheet) == ["2", "1", "2", "3", "1"]
    choose(sheet, Order="rate")
    assert numbers(sheet) == ["1", "2", "2", "3", "1"]
    choose(sheet, Order="apart")
    assert numbers(sheet)[0] == "2"
    choose(sheet, Order="text")
    assert numbers(sheet) == ["1", "2", "3", "1", "2"]
    assert words(sheet, 1) == "It is fast, and it does not stop.".split()
    assert words(sheet, 1, 1) == "it is so fast and it doesn't stop".split()
    assert words(sheet, 1, 2) == "It is fast, and it does stop.".split()
    assert sheet.texts(".case-head")[1] == (
        "2 document a 8 words asr: 5 edits, WER .625 other: 1 edit, WER .125"
    )
    assert sheet.page.locator(".aligned .gold.other, .aligned .gold.lacking").count() == 0
    choose(sheet, Order="apart", System="=other")
    assert sheet.page.locator("#segments").get_by_label("Order").input_value() == "edits"
    assert numbers(sheet)[0] == "2"
    choose(sheet, System="")
    sheet.page.locator("#documents").get_by_role("link", name="b", exact=True).click()
    assert sheet.page.locator("#segments").get_by_label("Document").input_value() == "=b"
    assert (len(numbers(sheet)), sheet.page.url.endswith("#segments")) == (2, True)
    choose(sheet, Document="")
    box = sheet.page.locator("#segments").get_by_role("searchbox")
    box.fill("Doesn't Stop")
    assert numbers(sheet) == ["2"]
    assert sheet.texts("#segments .found-count") == ["1 of 5"]
    assert sheet.texts(".aligned .hit") == ["doesn't", "stop"]
    box.fill("zebra")
    assert sheet.texts("#segments .found-count") == ["nothing found"]
    assert numbers(sheet) == []
    for label in ("System", "Document", "Order"):
        box = sheet.page.locator("#segments").get_by_label(label)
        box.focus()
        sheet.press("ArrowDown")
        assert box.evaluate("(each) => each === document.activeElement && each.value !== ''")


def test_segments_that_one_file_lacks_are_shown_of_the_other(opened, tmp_path):
    lines = [f"a b c{at}\n" for at in range(700)]
    rows = []
    for name, wrong, worst in (
        ("one", "x y z\n", range(310, 611)), ("two", "a b z\n", range(500, 700)),
    ):  # fmt: skip
        text = "".join(wrong if at in worst else line for at, line in enumerate(lines))
        write(tmp_path, {"ref.txt": "".join(lines), f"{name}.txt": text})
        rows.append(tmp_path / f"{name}.jsonl")
        caesura("sentences", tmp_path / f"{name}.txt", "--ref", tmp_path / "ref.txt", "--metrics",
                "none", "-q", "--rows", rows[-1], "--with-text")  # fmt: skip
    caesura("report", *rows, "-o", tmp_path / "p.html")
    sheet = opened(tmp_path / "p.html")
    assert numbers(sheet)[0] == "311"
    assert sheet.texts(".case-head")[0].endswith("one: 3 edits, WER 1.000 two: not on this page")
    assert sheet.texts(".column.names")[0] == "reference one"
    choose(sheet, System="=two")
    assert numbers(sheet)[0] == "501"
    assert "700 segments, 200 with edits. 500 are on this page" in sheet.texts("#segments .told")[0]


def test_sides_can_be_read_as_texts(opened):
    sheet = opened("sentences")
    choose(sheet, System="=asr", Order="text")
    told = sheet.page.locator(".sides").nth(1)
    texts = ["It is fast, and it does not stop.", "it is so fast and it doesn't stop"]
    assert told.locator(".said").all_inner_texts() == texts
    assert told.bounding_box()["width"] <= 1
    assert sheet.page.locator(".aligned").first.get_attribute("aria-hidden") == "true"
    sheet.page.get_by_label("Align words").uncheck()
    assert sheet.page.locator(".aligned").count() == 0
    one, two = (each.bounding_box() for each in told.locator("p").all())
    assert (one["y"], one["x"] < two["x"]) == (two["y"], True)
    assert told.locator("del").all_inner_texts() == ["not"]
    assert told.locator("ins").all_inner_texts() == ["so"]
    sheet.page.set_viewport_size({"width": 390, "height": 800})
    one, two = (each.bounding_box() for each in told.locator("p").all())
    assert one["y"] < two["y"]


def test_bars_of_translation_scores_end_at_a_hundred(opened, pages, tmp_path):
    def with_bleu(data):
        column = {"key": "bleu", "title": "BLEU", "label": "BLEU", "better": "high", "help": "",
                  "format": "rate", "scale": 100}  # fmt: skip
        data["sections"][0]["columns"].append(column)
        for system, score in zip(data["summary"]["systems"], (25.0, 50.0), strict=True):
            for own in (system["micro"], *system["by_document"].values()):
                own["bleu"] = score

    sheet = opened(changed(pages / "sentences.html", tmp_path / "p.html", with_bleu))
    width = "(all) => all.map((each) => each.style.width)"
    bars = sheet.page.locator("#summary td:last-child .fill").evaluate_all(width)
    assert bars == ["25%", "50%"]
    assert sheet.texts("#summary td:last-child .value") == ["25.000", "50.000"]
    assert sheet.texts("#summary td:last-child.best") == ["50.000"]
    sheet.page.locator("#documents select").select_option("bleu")
    bars = sheet.page.locator("#documents tbody .fill").evaluate_all(width)
    assert set(bars) == {"25%", "50%"}


def test_segments_are_shown_some_at_a_time_and_say_what_is_left_out(segments):
    sheet = segments("a b\n" * 45, "a c\n" * 45)
    for size, left in ((20, 25), (40, 5)):
        assert len(numbers(sheet)) == size
        sheet.page.get_by_role("button", name=f"more of {left}").click()
    assert len(numbers(sheet)) == 45
    focused = sheet.page.evaluate("document.activeElement.querySelector('b').textContent")
    assert focused == "41"
    long = " ".join(["word"] * 450)
    sheet = segments(f"{long}\nend\nthree", f"{long}\nend\n\n")
    assert sheet.texts(".segments .note") == ["… and 50 more words"]
    sheet.page.get_by_label("Align words").uncheck()
    assert "no words" in sheet.texts(".sides .said")


NASTY = ["<script>alert`1`</script>", "</script><img/src/onerror=alert`2`>", "__proto__",
         "constructor", "\u202egnp.exe", "e\u0301\u0302\u0303x", "x" * 400, "toString"]  # fmt: skip


def test_hostile_words_and_names_are_text(made):
    texts = {"ref": NASTY, "__proto__": NASTY[::-1], "<b>x": NASTY[1:]}
    files = {
        f"{folder}/{name}.txt": " ".join(own)
        for folder, own in texts.items()
        for name in ("toString", "<i>")
    }
    sheet = made(files, "sentences __proto__ <b>x --ref ref --metrics none", width=390)
    sheet.require_text_only()
    assert words(sheet) == NASTY
    assert sheet.page.locator(".column.names .who").first.inner_text() == "reference"
    choose(sheet, Document="=<i>", System="=__proto__")
    sheet.page.locator("#segments").get_by_role("searchbox").fill("<script>")
    assert NASTY[0] in sheet.texts(".hit")
    for is_aligned in (True, False):
        sheet.page.get_by_label("Align words").set_checked(is_aligned)
        assert sheet.width() <= 390


@pytest.mark.parametrize(
    ("ref", "ours", "is_backwards"),
    [
        ("ذهبنا إلى الميناء القديم\nكان المطر", "ذهبت إلى الميناء كان المطر", True),
        ("הלכנו אל הנמל הישן\nירד גשם", "הלכנו אל נמל הישן ירד גשם", True),
        ("我们去了老港口。\n下了雨。", "我去了旧港口下了大雨", False),
    ],
)
def test_words_stand_in_reading_order(segments, ref, ours, is_backwards):
    sheet = segments(ref, ours)
    choose(sheet, Order="text")
    places = sheet.page.locator(".aligned").first.locator(".column").all()
    lefts = [each.bounding_box()["x"] for each in places]
    assert lefts == sorted(lefts, reverse=is_backwards)
    said = sheet.texts(".sides .said")[0]
    assert said == ref.split("\n", maxsplit=1)[0]
    if not is_backwards:
        assert words(sheet) == list(said)
        assert "8 characters" in sheet.texts(".case-head")[0]
