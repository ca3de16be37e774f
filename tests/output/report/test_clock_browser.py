"""The timeline in a real browser: lanes and labels, keys, the pointer, a million boundaries."""

import json
import re

import numpy as np
import pytest

from caesura.output.report.views.clock import packed_places
from caesura.output.report.views.packed import packed
from support.report_pages import caesura

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

TUNE = {
    "anna.txt": "0\tIntro\n10\tVerse\n30\tChorus\n60\tEnd\n",
    "ben.txt": "0\tIntro\n10.2\tVerse\n45\tVerse\n60\tEnd\n",
    "ours.lab": "0 10.1 A\n10.1 20 B\n20 30.3 A\n30.3 60 C\n",
}
COUNTED = """() => {
  const pen = CanvasRenderingContext2D.prototype, fill = pen.fillRect;
  window.drawn = 0;
  pen.fillRect = function (...all) { window.drawn++; return fill.apply(this, all); };
}"""


@pytest.fixture
def tune(tmp_path):
    """A page with labels in time: two annotators and a system, in two documents."""
    for name, text in TUNE.items():
        who, suffix = name.split(".")
        for document in ("air", "jig"):
            (tmp_path / who).mkdir(exist_ok=True)
            (tmp_path / who / f"{document}.{suffix}").write_text(text)
    refs = [part for who in ("anna", "ben") for part in ("--ref", tmp_path / who)]
    page = tmp_path / "tune.html"
    out = "-q", "-o", tmp_path / "out", "--rows", tmp_path / "rows.jsonl", "--with-text"
    caesura("transcript", tmp_path / "ours", *refs, "--axis", "time", *out, "--html", page)
    caesura("report", tmp_path / "rows.jsonl", "-o", tmp_path / "again.html")
    again = tmp_path / "again.html"
    assert data_of(again)["readings"] == data_of(page)["readings"]
    return page


def data_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])


def pane_of(sheet):
    pane = sheet.page.locator("#timeline .clock[data-to]")
    pane.wait_for()
    return pane


def shows(sheet, start, stop):
    """Wait until this part of the axis is drawn, in seconds."""
    part = f'[data-from="{start * 1_000_000:.0f}"][data-to="{stop * 1_000_000:.0f}"]'
    sheet.page.locator(f".clock{part}").wait_for()


def told(sheet, part):
    sheet.page.locator("#timeline .told", has_text=part).wait_for()


def test_every_version_has_a_lane_with_its_labels(opened, tune):
    sheet = opened(tune)
    pane = pane_of(sheet)
    assert sheet.texts("#timeline .kinds")[0].split() == ["Verse", "Chorus", "C", "A", "Intro", "B"]
    assert [text.split() for text in sheet.texts("#timeline .lane")] == [
        ["anna", "2"],
        ["ben", "2"],
        ["ours", "2", "1", "1"],
    ]
    tall = pane.bounding_box()["height"]
    sheet.page.get_by_role("checkbox", name="ben").uncheck()
    sheet.settle()
    assert pane.bounding_box()["height"] < tall
    sheet.page.locator("#timeline").get_by_label("Against").select_option("anna")
    assert sheet.texts("#timeline .lane")[-1].split() == ["ours", "2", "1", "0"]
    sheet.page.locator("#timeline").get_by_label("Document").select_option("jig")
    told(sheet, "1:00.00, 2 annotators, 1 system.")
    assert pane.get_attribute("aria-label").startswith("jig: 1:00.00, 2 annotators, 1 system.")


def test_what_is_counted_on_the_page_is_what_the_table_counts(opened, tmp_path):
    """Boundaries so dense that one is near several others: whom each is matched with matters."""
    chance = np.random.default_rng(5)
    for name in ("ours", "gold"):
        times = np.sort(chance.choice(60_000, 90, replace=False)) / 1000
        (tmp_path / f"{name}.times").write_text("".join(f"{time}\n" for time in times))
    page, scores = tmp_path / "dense.html", tmp_path / "scores.json"
    what = tmp_path / "ours.times", "--ref", tmp_path / "gold.times", "--axis", "time"
    caesura("transcript", *what, "-f", "json", "-o", scores, "-q", "--html", page)
    (counts,) = json.loads(scores.read_text())["systems"][0]["by_reference"].values()
    sheet = opened(page)
    pane_of(sheet)
    wanted = ["ours", *(str(counts[key]) for key in ("tp", "fp", "fn"))]
    assert sheet.texts("#timeline .lane")[-1].split() == wanted


def test_keys_zoom_and_tell_what_is_there(opened, tune):
    sheet = opened(tune, width=700)
    pane = pane_of(sheet)
    pane.focus()
    shows(sheet, 0, 60)
    sheet.press("Home")
    told(sheet, "0.00 s; anna: “Intro”; ben: “Intro”; ours: “A”")
    sheet.press("+")
    shows(sheet, 0, 37.5)
    sheet.press("n")
    told(sheet, "1 of 2: 30.00 s; anna: “Chorus”, boundary; ben: “Verse”; ours: “A”, right")
    sheet.press("e")
    told(sheet, "45.00 s; anna: “Chorus”; ben: “Verse”, boundary; ours: “C”, missed boundary")
    sheet.press("p")
    told(sheet, "1 of 2: 30.00 s")
    sheet.press("ArrowRight")
    told(sheet, "30.94 s")
    sheet.press("End")
    shows(sheet, 22.5, 60)
    sheet.press("0")
    shows(sheet, 0, 60)
    box = pane.bounding_box()
    sheet.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
    told(sheet, "; anna: ")


SIZE = 350_000


def million(data):
    """The same page with a million boundaries and spans in its three lanes."""
    moments = np.cumsum(np.random.default_rng(1).integers(1, 100, SIZE)) * 10_000
    (reading, *_) = data["readings"]
    steps = packed_places(moments)
    for side in (reading["references"], reading["systems"]):
        side.update(dict.fromkeys(side, steps))
    lengths = packed(np.diff(moments, append=moments[-1]))
    codes = packed(np.arange(SIZE) % 3)
    spans = {"starts": steps, "lengths": lengths, "codes": codes, "names": ["a", "b"]}
    reading["spans"] = dict.fromkeys(reading["spans"], spans)
    reading["length"] = int(moments[-1])
    data["readings"] = [reading]


@pytest.mark.slow
def test_a_million_boundaries_are_as_many_marks_as_pixels(opened, tune, tmp_path):
    text, data = tune.read_text(encoding="utf-8"), data_of(tune)
    million(data)
    page = tmp_path / "million.html"
    embedded = json.dumps(data).replace("\\", "\\\\")
    page.write_text(re.sub(r'(id="data">).*?(</script>)', rf"\g<1>{embedded}\2", text, flags=re.S))
    sheet = opened(page, width=1000, patience=120_000)
    pane = pane_of(sheet)
    assert sheet.page.evaluate("document.querySelectorAll('*').length") < 1000
    whole = data["readings"][0]["length"] / 1e6
    pane.focus()
    sheet.press("Home")
    sheet.page.evaluate(COUNTED)
    sheet.press("+")
    shows(sheet, 0, whole / 1.6)
    assert 1000 < sheet.page.evaluate("drawn") < 3 * 6 * 1000
