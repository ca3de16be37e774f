"""Segments in a real browser: columns, marks, order, filters; scripts, hostile words."""

import json
import re

import pytest

from support.report_pages import caesura

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def data_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])


def page_of(tmp_path, ref, *ours, options=()):
    """A page of segments."""
    texts = {"ref": ref, **{f"s{at}": text for at, text in enumerate(ours)}}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    systems = [tmp_path / f"s{at}.txt" for at in range(len(ours))]
    caesura("sentences", *systems, "--ref", tmp_path / "ref.txt", "--metrics", "none", "-q", "-o",
            tmp_path / "out", *options, "--html", tmp_path / "p.html")  # fmt: skip
    return tmp_path / "p.html"


ROWS = """(item) => [...item.querySelectorAll(".column:not(.names)")].map(
  (column) => [...column.children].map((cell) => [cell.textContent, cell.className]))"""


def columns(sheet, at=0):
    """The cells of each column of a segment, as text and class."""
    return sheet.page.locator(".segments > li").nth(at).evaluate(ROWS)


def words(sheet, at=0, row=0):
    return [column[row][0] for column in columns(sheet, at) if column[row][0]]


def numbers(sheet):
    return sheet.texts(".segments .case-head b")


def choose(sheet, label, value):
    sheet.page.locator("#segments").get_by_label(label).select_option(value)


def test_every_word_is_in_its_column(opened, pages):
    sheet, data = opened("sentences"), data_of(pages / "sentences.html")
    choose(sheet, "System", "=asr")
    choose(sheet, "Order", "text")
    (reading,) = (each for each in data["readings"] if each["system"] == "asr")
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


def test_words_of_a_column_stand_in_line(opened):
    sheet = opened("sentences")
    place = """(all) => all.slice(0, 20).map((column) => [...column.children].map((cell) => {
      const { x, y } = cell.getBoundingClientRect();
      return { x, y };
    }))"""
    for boxes in sheet.page.locator(".column.apart").evaluate_all(place):
        assert max(box["x"] for box in boxes) - min(box["x"] for box in boxes) < 4
        tops = [box["y"] for box in boxes]
        assert tops == sorted(tops)
        assert tops[-1] - tops[0] > 12


def test_what_differs_does_not_depend_on_colour(opened):
    sheet = opened("sentences")
    choose(sheet, "System", "=asr")

    def look(selector, name):
        place = sheet.page.locator(f".aligned {selector}").first
        return place.evaluate(f"(each) => getComputedStyle(each).{name}")

    assert look(".ours.other", "textDecorationLine") == "underline"
    assert look(".gold.other", "textDecorationLine") == "underline"
    assert look(".ours.same", "textDecorationLine") == "none"
    for boxed in (".gold.lacking", ".ours.extra"):
        assert look(boxed, "outlineStyle") == "solid"
        assert look(boxed, "textDecorationLine") == "none"
    assert look(".no-word", "borderBottomStyle") == "dotted"


def test_systems_stand_together(opened):
    sheet = opened("sentences")
    assert sheet.texts(".column.names")[0].split() == ["reference", "asr", "other"]
    choose(sheet, "Order", "text")
    assert words(sheet, 1) == "It is fast, and it does not stop.".split()
    assert words(sheet, 1, 1) == "it is so fast and it doesn't stop".split()
    assert words(sheet, 1, 2) == "It is fast, and it does stop.".split()
    head = " ".join(sheet.texts(".case-head")[1].split())
    assert head == "2 document a 8 words asr: 5 edits, WER .625 other: 1 edit, WER .125"
    assert sheet.page.locator(".aligned .gold.other, .aligned .gold.lacking").count() == 0


def test_segments_are_sorted(opened):
    sheet = opened("sentences")
    assert numbers(sheet) == ["2", "1", "2", "3", "1"]
    choose(sheet, "Order", "rate")
    assert numbers(sheet) == ["1", "2", "2", "3", "1"]
    choose(sheet, "Order", "apart")
    assert numbers(sheet)[0] == "2"
    choose(sheet, "Order", "text")
    assert numbers(sheet) == ["1", "2", "3", "1", "2"]
    choose(sheet, "Order", "apart")
    choose(sheet, "System", "=other")
    assert sheet.page.locator("#segments").get_by_label("Order").input_value() == "edits"
    assert numbers(sheet)[0] == "2"


def test_documents_and_words_are_found(opened):
    sheet = opened("sentences")
    choose(sheet, "Document", "=b")
    assert len(numbers(sheet)) == 2
    choose(sheet, "Document", "")
    box = sheet.page.locator("#segments").get_by_role("searchbox")
    box.fill("Doesn't Stop")
    assert numbers(sheet) == ["2"]
    assert sheet.texts("#segments .found-count") == ["1 of 5"]
    assert sheet.texts(".aligned .hit") == ["doesn't", "stop"]
    box.fill("zebra")
    assert sheet.texts("#segments .found-count") == ["nothing found"]
    assert numbers(sheet) == []


def test_documents_lead_to_their_segments(opened):
    sheet = opened("sentences")
    sheet.page.locator("#documents").get_by_role("link", name="b", exact=True).click()
    assert sheet.page.locator("#segments").get_by_label("Document").input_value() == "=b"
    assert numbers(sheet) == ["1", "2"]
    assert sheet.page.url.endswith("#segments")


def test_controls_keep_the_focus(opened):
    sheet = opened("sentences")
    for label in ("System", "Document", "Order"):
        box = sheet.page.locator("#segments").get_by_label(label)
        box.focus()
        sheet.press("ArrowDown")
        assert box.evaluate("(each) => each === document.activeElement && each.value !== ''")


def test_segments_that_one_file_lacks_are_shown_of_the_other(opened, tmp_path):
    ref = "".join(f"a b c{at}\n" for at in range(700))
    lines = ref.splitlines(keepends=True)
    for name, wrong in (("one", "x y z\n"), ("two", "a b z\n")):
        (tmp_path / "ref.txt").write_text(ref)
        worst = range(310, 611) if name == "one" else range(500, 700)
        text = "".join(wrong if at in worst else line for at, line in enumerate(lines))
        (tmp_path / f"{name}.txt").write_text(text)
        caesura("sentences", tmp_path / f"{name}.txt", "--ref", tmp_path / "ref.txt", "--metrics",
                "none", "-q", "-o", tmp_path / "out", "--rows", tmp_path / f"{name}.jsonl",
                "--with-text")  # fmt: skip
    caesura("report", tmp_path / "one.jsonl", tmp_path / "two.jsonl", "-o", tmp_path / "p.html")
    sheet = opened(tmp_path / "p.html")
    assert numbers(sheet)[0] == "311"
    assert sheet.texts(".case-head")[0].endswith("one: 3 edits, WER 1.000\ntwo: not on this page")
    assert sheet.texts(".column.names")[0].split() == ["reference", "one"]
    choose(sheet, "System", "=two")
    assert numbers(sheet)[0] == "501"
    assert "700 segments, 200 with edits. 500 are on this page" in sheet.texts("#segments .told")[0]


def test_sides_can_be_read_as_texts(opened):
    sheet = opened("sentences")
    choose(sheet, "System", "=asr")
    choose(sheet, "Order", "text")
    told = sheet.page.locator(".sides").nth(1)
    texts = ["It is fast, and it does not stop.", "it is so fast and it doesn't stop"]
    assert told.locator(".said").all_inner_texts() == texts
    assert told.bounding_box()["width"] <= 1
    assert sheet.page.locator(".aligned").first.get_attribute("aria-hidden") == "true"
    sheet.page.get_by_label("Align words").uncheck()
    assert sheet.page.locator(".aligned").count() == 0
    sides = [each.bounding_box() for each in told.locator("p").all()]
    assert sides[0]["y"] == sides[1]["y"]
    assert sides[0]["x"] < sides[1]["x"]
    assert told.locator("del").all_inner_texts() == ["not"]
    assert told.locator("ins").all_inner_texts() == ["so"]
    sheet.page.set_viewport_size({"width": 390, "height": 800})
    sides = [each.bounding_box() for each in told.locator("p").all()]
    assert sides[0]["y"] < sides[1]["y"]


def test_bars_of_translation_scores_end_at_a_hundred(opened, pages, tmp_path):
    path = pages / "sentences.html"
    data = data_of(path)
    column = {"key": "bleu", "title": "BLEU", "label": "BLEU", "better": "high", "help": "",
              "format": "rate", "scale": 100}  # fmt: skip
    data["sections"][0]["columns"].append(column)
    for system, score in zip(data["summary"]["systems"], (25.0, 50.0), strict=True):
        system["micro"]["bleu"] = score
        for own in system["by_document"].values():
            own["bleu"] = score
    text = re.sub(r'(id="data">).*?(</script>)', lambda m: m[1] + json.dumps(data) + m[2],
                  path.read_text(encoding="utf-8"), flags=re.DOTALL)  # fmt: skip
    (tmp_path / "p.html").write_text(text, encoding="utf-8")
    sheet = opened(tmp_path / "p.html")
    width = "(all) => all.map((each) => each.style.width)"
    bars = sheet.page.locator("#summary td:last-child .fill").evaluate_all(width)
    assert bars == ["25%", "50%"]
    assert sheet.texts("#summary td:last-child .value") == ["25.000", "50.000"]
    assert sheet.page.locator("#summary td:last-child.best").inner_text().strip() == "50.000"
    sheet.page.locator("#documents select").select_option("bleu")
    bars = sheet.page.locator("#documents tbody .fill").evaluate_all(width)
    assert set(bars) == {"25%", "50%"}


def test_lower_error_rates_are_better(opened, pages):
    sheet, data = opened("sentences"), data_of(pages / "sentences.html")
    assert sheet.page.locator("#documents select").input_value() == "wer"
    best = sheet.page.locator("#summary tr:has(.best)").locator("th").all_inner_texts()
    rates = {each["name"]: each["micro"]["wer"] for each in data["summary"]["systems"]}
    assert best == [min(rates, key=rates.get)] == ["other"]
    assert sheet.page.locator("#summary .bar.low").count() == 4


def test_segments_are_shown_some_at_a_time(opened, tmp_path):
    sheet = opened(page_of(tmp_path, "a b\n" * 45, "a c\n" * 45))
    for size, left in ((20, 25), (40, 5)):
        assert len(numbers(sheet)) == size
        sheet.page.get_by_role("button", name=f"more of {left}").click()
    assert len(numbers(sheet)) == 45
    focused = sheet.page.evaluate("document.activeElement.querySelector('b').textContent")
    assert focused == "41"


def test_a_long_segment_says_what_is_left_out(opened, tmp_path):
    text = " ".join(["word"] * 450)
    sheet = opened(page_of(tmp_path, f"{text}\nend", f"{text}\nend"))
    assert sheet.texts(".segments .note") == ["… and 50 more words"]


def test_a_side_without_words_says_so(opened, tmp_path):
    sheet = opened(page_of(tmp_path, "one two\nthree\n", "one two\n\n"))
    sheet.page.get_by_label("Align words").uncheck()
    assert sheet.texts(".sides .said")[1] == "no words"


NASTY = ["<script>alert`1`</script>", "</script><img/src/onerror=alert`2`>", "__proto__",
         "constructor", "\u202egnp.exe", "e\u0301\u0302\u0303x", "x" * 400, "toString"]  # fmt: skip


def test_hostile_words_and_names_are_text(opened, tmp_path):
    for place, each in (("ref", NASTY), ("__proto__", NASTY[::-1]), ("<b>x", NASTY[1:])):
        (tmp_path / place).mkdir()
        for name in ("toString", "<i>"):
            (tmp_path / place / f"{name}.txt").write_text(" ".join(each), encoding="utf-8")
    caesura("sentences", tmp_path / "__proto__", tmp_path / "<b>x", "--ref", tmp_path / "ref",
            "--metrics", "none", "-q", "-o", tmp_path / "out", "--html",
            tmp_path / "p.html")  # fmt: skip
    sheet = opened(tmp_path / "p.html", width=390)
    page = sheet.page
    assert page.locator("img, iframe, object, main script, main i i, [onerror]").count() == 0
    assert page.locator("script").count() == 2
    assert words(sheet) == NASTY
    assert page.locator(".column.names .who").first.inner_text() == "reference"
    choose(sheet, "Document", "=<i>")
    choose(sheet, "System", "=__proto__")
    page.locator("#segments").get_by_role("searchbox").fill("<script>")
    assert NASTY[0] in sheet.texts(".hit")
    for is_aligned in (True, False):
        page.get_by_label("Align words").set_checked(is_aligned)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(
    ("ref", "ours", "is_backwards"),
    [
        ("ذهبنا إلى الميناء القديم\nكان المطر", "ذهبت إلى الميناء كان المطر", True),
        ("הלכנו אל הנמל הישן\nירד גשם", "הלכנו אל נמל הישן ירד גשם", True),
        ("我们去了老港口。\n下了雨。", "我去了旧港口下了大雨", False),
    ],
)
def test_words_stand_in_reading_order(opened, tmp_path, ref, ours, is_backwards):
    sheet = opened(page_of(tmp_path, ref, ours))
    choose(sheet, "Order", "text")
    places = sheet.page.locator(".aligned").first.locator(".column").all()
    lefts = [each.bounding_box()["x"] for each in places]
    assert lefts == sorted(lefts, reverse=is_backwards)
    said = sheet.texts(".sides .said")[0]
    assert said == ref.split("\n", maxsplit=1)[0]
    if not is_backwards:
        assert words(sheet) == list(said)
        assert "8 characters" in sheet.texts(".case-head")[0]
