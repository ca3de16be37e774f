"""The timeline in a real browser: lanes and labels, keys, the pointer, a million boundaries."""

import json

import numpy as np
import pytest

from caesura.output.report.views import packed, packed_places
from support.report_pages import caesura, changed, data_of

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

COUNTED = """() => {
  const pen = CanvasRenderingContext2D.prototype, fill = pen.fillRect;
  window.drawn = 0;
  pen.fillRect = function (...all) { window.drawn++; return fill.apply(this, all); };
}"""


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


@pytest.mark.parametrize("name", ["heard", "tune"])
def test_saved_rows_give_the_readings_of_the_run(pages, tmp_path, name):
    caesura("report", pages / name / f"{name}.jsonl", "-o", tmp_path / "p.html")
    assert data_of(tmp_path / "p.html")["readings"] == data_of(pages / f"{name}.html")["readings"]


def test_every_version_has_a_lane_with_its_labels(opened):
    sheet = opened("tune")
    pane = pane_of(sheet)
    assert sheet.texts("#timeline .kinds")[0].split() == ["Verse", "Chorus", "C", "A", "Intro", "B"]
    assert sheet.texts("#timeline .lane") == ["anna 2", "ben 2", "ours 2 1 1"]
    tall = pane.bounding_box()["height"]
    sheet.page.get_by_role("checkbox", name="ben").uncheck()
    sheet.settle()
    assert pane.bounding_box()["height"] < tall
    sheet.choose("Against", "anna", "#timeline")
    assert sheet.texts("#timeline .lane")[-1] == "ours 2 1 0"
    sheet.choose("Document", "jig", "#timeline")
    told(sheet, "1:00.00, 2 annotators, 1 system.")
    assert pane.get_attribute("aria-label").startswith("jig: 1:00.00, 2 annotators, 1 system.")


def test_what_is_counted_on_the_page_is_what_the_table_counts(made, tmp_path):
    """Boundaries so dense that one is near several others: whom each is matched with matters."""
    chance = np.random.default_rng(5)
    files = {
        f"{name}.times": "".join(
            f"{time}\n" for time in np.sort(chance.choice(60_000, 90, replace=False)) / 1000
        )
        for name in ("ours", "gold")
    }
    command = "transcript ours.times --ref gold.times --axis time -f json -o scores.json"
    sheet = made(files, command)
    pane_of(sheet)
    scores = json.loads((tmp_path / "scores.json").read_text())
    (counts,) = scores["systems"][0]["by_reference"].values()
    told = " ".join(str(counts[key]) for key in ("tp", "fp", "fn"))
    assert sheet.texts("#timeline .lane")[-1] == f"ours {told}"


def test_keys_zoom_and_tell_what_is_there(opened):
    sheet = opened("tune", width=700)
    pane = pane_of(sheet)
    pane.focus()
    shows(sheet, 0, 60)
    sheet.press("Home")
    told(sheet, "0.00 s; anna: “Intro”; ben: “Intro”; ours: “A”")
    sheet.press("+")
    shows(sheet, 0, 37.5)
    for key, text in {
        "n": "1 of 2: 30.00 s; anna: “Chorus”, boundary; ben: “Verse”; ours: “A”, right",
        "e": "45.00 s; anna: “Chorus”; ben: “Verse”, boundary; ours: “C”, missed boundary",
        "p": "1 of 2: 30.00 s",
        "ArrowRight": "30.94 s",
    }.items():
        sheet.press(key)
        told(sheet, text)
    sheet.press("End")
    shows(sheet, 22.5, 60)
    sheet.press("0")
    shows(sheet, 0, 60)
    box = pane.bounding_box()
    sheet.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
    told(sheet, "; anna: ")


SIZE = 350_000


def million(data):
    """Give the page a million boundaries and spans in its three lanes."""
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
def test_a_million_boundaries_are_as_many_marks_as_pixels(opened, pages, tmp_path):
    page = changed(pages / "tune.html", tmp_path / "million.html", million)
    sheet = opened(page, width=1000, patience=120_000)
    pane = pane_of(sheet)
    assert sheet.page.evaluate("document.querySelectorAll('*').length") < 1000
    pane.focus()
    sheet.press("Home")
    sheet.page.evaluate(COUNTED)
    sheet.press("+")
    shows(sheet, 0, sheet.data["readings"][0]["length"] / 1e6 / 1.6)
    assert 1000 < sheet.page.evaluate("drawn") < 3 * 6 * 1000
