"""The page in a real browser: its numbers, its keys, its filters; on a phone, in print, hostile."""

import json
import os
import re
from base64 import b64encode
from itertools import accumulate
from statistics import correlation

import pytest

from caesura.output.tables import shown
from support.paths import GOLDEN
from support.report_pages import WORDS, changed, data_of, open_page, transcript

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

EVERY = ["one", "many", "people", "bare", "heard", "text", "terms", "trees", "sentences",
         "corrections", "tune"]  # fmt: skip


def cell(value, format="rate"):
    """A value as the command prints it."""
    if format == "text":
        return value
    return shown(value if value is None or format == "count" else float(value))


def written(scores, columns):
    return [cell(scores[column["key"]], column["format"]) for column in columns]


# Every page


@pytest.fixture(scope="module", params=EVERY)
def sheet(request, browser, pages):
    """Each page, opened once for the tests that only look at it."""
    with open_page(browser, pages / f"{request.param}.html") as found:
        yield found


def test_scores_are_those_of_the_json(sheet):
    data = sheet.data
    for section in data["sections"]:
        head, *rows = sheet.table(section["title"])
        assert head == ["system", *(column["title"] for column in section["columns"])]
        assert rows == [
            [system["name"], *written(system["micro"], section["columns"])]
            for system in data["summary"]["systems"]
        ]


LOOKS = GOLDEN / "report_looks.json"
PARTS = {
    "one": ["#summary", "#reading"], "many": ["#charts"], "text": ["#errors"],
    "trees": ["#trees"], "sentences": ["#segments"],
}  # fmt: skip
TINY = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [32, 24];
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, 32, 24);
  const { data } = pen.getImageData(0, 0, 32, 24);
  return Array.from({ length: 32 * 24 }, (_, at) =>
    Math.round((data[4 * at] + data[4 * at + 1] + data[4 * at + 2]) / 3));
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_looks_as_it_did_from_afar_and_axe_finds_nothing_serious(sheet, theme):
    """Compared at the size of a thumbnail, so that fonts may differ but not what is where.

    CAESURA_LOOKS=write keeps the looks of today.
    """
    from axe_playwright_python.sync_playwright import Axe

    known, name = json.loads(LOOKS.read_text()), sheet.path.stem
    sheet.page.emulate_media(color_scheme=theme)
    sheet.settle()
    for part in PARTS.get(name, ()):
        png = b64encode(sheet.page.locator(part).screenshot()).decode()
        seen, key = sheet.page.evaluate(TINY, png), f"{name} {part} {theme}"
        if os.environ.get("CAESURA_LOOKS") == "write":
            known[key] = seen
            LOOKS.write_text(json.dumps(known))
        assert correlation(seen, known[key]) > 0.5
        assert abs(sum(seen) - sum(known[key])) / len(seen) < 12
    if name == "one":
        sheet.page.locator(".pane").focus()
        sheet.press("e")
    found = Axe().run(sheet.page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in serious] == []


def test_nothing_is_wider_than_the_window(sheet):
    for width in (768, 390):
        sheet.page.set_viewport_size({"width": width, "height": 800})
        sheet.settle()
        assert sheet.width() <= width


# Tables


@pytest.mark.parametrize("name", ["one", "people"])
def test_agreement_ceiling_and_folded_tables_are_those_of_the_json(opened, name):
    sheet = opened(name)
    data, summary = sheet.data, sheet.data["summary"]
    assert sheet.texts(".figures dd") == written(summary["agreement"]["micro"], data["agreement"])
    assert sheet.texts(".figures dt") == [column["title"] for column in data["agreement"]]
    rows = {row[0]: row[1:] for row in sheet.table("Human ceiling")}
    assert rows["human average"] == written(summary["ceiling"]["human"], data["ceiling"])
    for person, scores in summary["ceiling"]["annotators"].items():
        assert rows[f"{person} annotator"] == written(scores, data["ceiling"])
    for fold in sheet.page.locator("summary").all():
        fold.click()
    for table in data["tables"]:
        head, *rows = sheet.table(table["title"])
        assert head == [column["title"] for column in table["columns"]]
        formats = [column["format"] for column in table["columns"]]
        for row, values in zip(rows, table["rows"], strict=True):
            assert row == [cell(*each) for each in zip(values, formats, strict=True)]


def test_headings_tell_what_they_mean(opened):
    """Also one that has to be scrolled to."""
    sheet = opened("many", height=400)
    section = sheet.data["sections"][-1]
    column = section["columns"][0]
    region = sheet.page.get_by_role("region", name=section["title"], exact=True)
    head = region.get_by_role("button", name=column["title"], exact=True)
    tip = sheet.page.get_by_role("tooltip")
    for show in (head.focus, head.hover):
        show()
        sheet.settle()
        assert tip.inner_text() == column["help"] != ""
        assert head.get_attribute("aria-describedby") == tip.get_attribute("id")
        sheet.press("Escape")
        assert not tip.is_visible()
        sheet.page.locator("h1").hover()
    sheet.page.get_by_text("What the scores mean").click()
    assert column["help"] in sheet.texts(".definitions dd")


def test_the_best_is_bold_and_the_signature_is_copied(opened):
    sheet = opened("one", permissions=["clipboard-read", "clipboard-write"])
    summary, section = sheet.data["summary"], sheet.data["sections"][0]
    region = sheet.page.get_by_role("region", name=section["title"], exact=True)
    best = {"high": max, "low": min}
    wanted = {
        shown(best[column["better"]](each["micro"][column["key"]] for each in summary["systems"]))
        for column in section["columns"]
    }
    assert {text.strip() for text in region.locator(".best").all_inner_texts()} == wanted
    assert sheet.page.locator(".interval, .warnings").count() == 0
    sheet.page.get_by_role("button", name="Copy signature").click()
    sheet.page.get_by_text("copied").wait_for()
    assert sheet.page.evaluate("navigator.clipboard.readText()") == summary["signature"]


def test_rates_intervals_and_warnings(opened, pages, tmp_path):
    """A rate is a rate even if it is whole; intervals lie on bars, here of a length of 2."""

    def change(data):
        summary, columns = data["summary"], data["sections"][0]["columns"]
        keys = [column["key"] for column in columns]
        values = (2, 1, 0, -0.0222, None, 1602)
        summary["systems"][0]["micro"].update(zip(keys, values, strict=True))
        columns[5]["format"] = "count"
        summary["systems"][1]["confidence"] = {"micro": {"wisebe": [0.25, 0.5]}}
        summary["agreement"]["confidence"] = {"micro": {"rgar": [0.4, 0.7]}}
        summary["warnings"] = ["ours has no boundary <b>at all</b>", "gold: second"]

    sheet = opened(changed(pages / "one.html", tmp_path / "p.html", change))
    row = sheet.table("Against all references together")[1]
    assert row == ["rules", "2.000", "1.000", ".000", "−.022", "–", "1,602"]
    box = sheet.page.locator(".interval").bounding_box()
    bar = sheet.page.locator(".bar:has(.interval)").bounding_box()
    assert (box["x"] - bar["x"]) / bar["width"] == pytest.approx(0.25 / 2, abs=0.02)
    assert box["width"] / bar["width"] == pytest.approx(0.25 / 2, abs=0.02)
    assert ".400 to .700" in sheet.texts(".figures dd")[0]
    warnings = sheet.page.get_by_role("complementary", name="Warnings")
    assert warnings.locator("li").all_inner_texts() == [
        "ours has no boundary <b>at all</b>", "gold: second",
    ]  # fmt: skip
    top = sheet.page.locator("#summary").bounding_box()["y"]
    assert warnings.bounding_box()["y"] < top


def test_scores_are_sorted_and_filtered_and_documents_are_found(opened):
    sheet = opened("many")
    systems, title = sheet.data["summary"]["systems"], "Mean over the references"
    region = sheet.page.get_by_role("region", name=title, exact=True)
    for order in ("descending", "ascending"):
        region.get_by_role("button").nth(1).click()
        assert region.locator("th[aria-sort]").get_attribute("aria-sort") == order
        values = [float(row[1]) for row in sheet.table(title)[1:]]
        assert values == sorted(values, reverse=order == "descending")
    section = sheet.data["sections"][0]
    own = {"=talk7": [each["by_document"]["talk7"] for each in systems],
           "macro": [each["macro"] for each in systems]}  # fmt: skip
    for option, scores in own.items():
        sheet.page.locator("#summary select").select_option(option)
        rows = sheet.table(section["title"])[1:]
        assert [row[1:] for row in rows] == [written(s, section["columns"]) for s in scores]
    part = sheet.page.locator("#documents")
    assert part.locator("tbody tr").count() == 12
    for text, told in (("zebra", "nothing found"), ("talk1", "4 of 12")):
        part.get_by_role("searchbox").fill(text)
        assert part.locator(".found-count").inner_text() == told
    assert part.locator("tbody th").all_inner_texts() == ["talk1", "talk10", "talk11", "talk12"]
    row = part.locator("tbody tr").nth(1).locator("td").all_inner_texts()
    scores = [shown(system["by_document"]["talk10"]["wisebe"]) for system in systems]
    assert [text.strip() for text in row[:3]] == scores
    part.get_by_role("link", name="talk10").click()
    assert sheet.page.get_by_role("combobox", name="Document", exact=True).input_value() == "talk10"


# Reading


def kinds_by_hand(references, placed, *, window=2, tolerance=2):
    """What each boundary of a system is, told slowly."""
    every = sorted({at for each in references.values() for at in each})
    kinds = {
        at: "right" if at in every
        else "near" if any(abs(at - each) <= tolerance for each in every)
        else "wrong"
        for at in placed
    }  # fmt: skip
    windows = []
    for at in every:
        if windows and at - windows[-1][-1] <= window:
            windows[-1].append(at)
        else:
            windows.append([at])
    for own in windows:
        if not any(own[0] - tolerance <= at <= own[-1] + tolerance for at in placed):
            votes = [sum(at in each for each in references.values()) for at in own]
            kinds[own[votes.index(max(votes))]] = "missed"
    return kinds


class Read:
    """The document of the page `one`, and what each of its boundaries is."""

    def __init__(self, pages):
        data = data_of(pages / "one.html")
        reading = data["readings"][0]
        self.words = reading["words"].split(" ")
        self.references, self.systems = (
            {who: [*accumulate(steps)] for who, steps in reading[side].items()}
            for side in ("references", "systems")
        )
        self.kinds = {n: kinds_by_hand(self.references, own) for n, own in self.systems.items()}
        places = range(len(self.words))
        self.votes = [sum(at in own for own in self.references.values()) for at in places]
        self.asked = {
            at
            for name, own in self.references.items()
            for at, mark in zip(own, reading["marks"][name], strict=True)
            if mark == "?"
        }
        for system in data["summary"]["systems"]:
            placed = [kind for kind in self.kinds[system["name"]].values() if kind != "missed"]
            assert len(placed) == system["micro"]["candidates"]

    def errors(self, *names):
        """Where one of the systems is wrong or misses something."""
        return sorted(
            {at for name in names for at, kind in self.kinds[name].items()
             if kind in ("wrong", "missed")}
        )  # fmt: skip

    def kept(self, key):
        """The places that a filter keeps."""
        keeps = {
            "wrong": lambda at: "wrong" in [own.get(at) for own in self.kinds.values()],
            "missed": lambda at: "missed" in [own.get(at) for own in self.kinds.values()],
            "agree": lambda at: self.votes[at] == 3,
            "disagree": lambda at: 0 < self.votes[at] < 3,
            "question": lambda at: at in self.asked,
        }
        return [*filter(keeps[key], range(len(self.words)))]


@pytest.fixture(scope="module")
def read(pages):
    return Read(pages)


GAPS = """all => Object.fromEntries(all.map((gap) => [gap.dataset.at, [gap.ariaLabel,
  Number(gap.querySelector(".tone")?.style.getPropertyValue("--depth") ?? 0)]]))"""
FILTERS = ["wrong", "missed", "agree", "disagree", "question"]


def test_every_boundary_is_there_and_worth_what_it_is(opened, read):
    """Its label, how deep its tone is, the counts of the lanes, and what each filter keeps."""
    sheet = opened("one", height=8000)
    sheet.page.locator(".pane").evaluate("(pane) => { pane.style.maxHeight = '7000px' }")
    sheet.settle()
    gaps = {int(at): each for at, each in sheet.page.locator(".gap").evaluate_all(GAPS).items()}
    every = {at for own in (read.references | read.kinds).values() for at in own}
    assert sorted(gaps) == sorted(every)
    for name, own in read.kinds.items():
        counts = sheet.page.locator(".lane", has_text=name).locator(".item").all_inner_texts()
        kinds = [*own.values()]
        told = [str(kinds.count(each)) for each in ("right", "near", "wrong", "missed")]
        assert counts == told
    for at, (label, depth) in gaps.items():
        who = [name for name, own in read.references.items() if at in own]
        people = f"{len(who)} of 3 references ({', '.join(who)})" if who else "no reference"
        told = [f"{name} {own[at]}" for name, own in read.kinds.items() if at in own]
        head = f"after “{read.words[at]}”, word {at + 1}: {people}"
        assert label == "; ".join([head, *told])
        assert depth == pytest.approx(len(who) / 3)
    shown_words = " ".join(sheet.page.locator(".words").all_inner_texts())
    assert "".join(shown_words.split()) == "".join("".join(read.words).split())
    for key in FILTERS:
        sheet.page.get_by_role("combobox", name="Show", exact=True).select_option(key)
        sheet.settle()
        kept = sheet.page.locator(".gap:not(.dim)").evaluate_all(GAPS)
        assert sorted(map(int, kept)) == read.kept(key), key
        assert sheet.texts(".told")[0].startswith(f"{len(kept)} place"), key


def test_pointing_tells_who_placed_what(opened, read):
    sheet = opened("one")
    at = min(map(int, sheet.page.locator(".gap").nth(3).evaluate_all(GAPS)))
    card = sheet.page.get_by_role("tooltip")
    assert not card.is_visible()
    sheet.page.locator(f".gap[data-at='{at}']").hover()
    told = card.inner_text()
    for name, own in read.references.items():
        assert re.search(rf"{name}\s+{'boundary' if at in own else 'no boundary'}", told)
    for name, kinds in read.kinds.items():
        assert re.search(rf"{name}\s+{kinds.get(at, 'no boundary')}", told)
    sheet.page.mouse.move(5, 5)
    assert not card.is_visible()


def current(sheet):
    return int(sheet.page.locator(".gap.current").get_attribute("data-at"))


def test_keys_go_to_disagreements_errors_and_differences(opened, read):
    disagree, errors = read.kept("disagree"), read.errors("rules", "neural")
    differ = sorted({*read.systems["rules"]} ^ {*read.systems["neural"]})
    sheet = opened("one")
    sheet.page.get_by_label("Search").first.press_sequentially("end")
    assert sheet.page.locator(".gap.current").count() == 0
    sheet.page.locator(".pane").focus()
    for at in disagree[:12]:
        sheet.press("n")
        assert current(sheet) == at
    sheet.press("p")
    assert current(sheet) == disagree[10]
    sheet.press("e")
    at = current(sheet)
    assert at == next(each for each in errors if each > disagree[10])
    assert sheet.page.evaluate("document.activeElement.dataset.at") == str(at)
    assert sheet.page.get_by_role("tooltip").is_visible()
    sheet.press("d")
    assert current(sheet) == next(each for each in differ if each > at)
    sheet.press("Shift+D")
    assert current(sheet) == [each for each in differ if each < differ[-1] and each <= at][-1]
    sheet.press("Home")
    sheet.page.get_by_label("Errors of").select_option("neural")
    sheet.page.locator(".pane").focus()
    own = [at for at in read.errors("neural") if at > current(sheet)]
    for at in own[:5]:
        sheet.press("e")
        assert current(sheet) == at


def test_words_are_found_lanes_hidden_and_the_map_leads_there(opened, read):
    found = [word for word in read.words if "the" in word.lower()]
    sheet = opened("one")
    box = sheet.page.get_by_label("Search").first
    count = sheet.page.locator("#reading .found-count")
    assert not count.is_visible()
    box.fill("the")
    assert count.inner_text() == f"1 of {len(found)}"
    for key, at in (("Enter", 2), ("Shift+Enter", 1)):
        box.press(key)
        assert count.inner_text() == f"{at} of {len(found)}"
    assert sheet.page.locator(".hit").count() > 0
    box.fill("zebra")
    assert count.inner_text() == "nothing found"
    box.fill("")
    assert not count.is_visible()
    plan = sheet.page.locator(".map")
    plan.scroll_into_view_if_needed()
    plan.click(position={"x": 20, "y": plan.bounding_box()["height"] - 5})
    assert sheet.page.locator(".pane").evaluate("(pane) => pane.scrollTop") > 500
    assert set(sheet.texts(".part")) == {"rules", "neural"}
    sheet.page.locator(".lane input").first.uncheck()
    sheet.settle()
    assert set(sheet.texts(".part")) == {"neural"}


def test_references_alone_and_rows_alone_can_be_read(opened):
    sheet = opened("people")
    assert sheet.page.locator(".gap .tone").count() > 5
    assert sheet.page.locator(".lane").count() == 0
    show = sheet.page.get_by_role("combobox", name="Show", exact=True)
    assert show.locator("option").count() == 4
    sheet = opened("bare")
    assert "--with-text" in sheet.texts(".how")[0]
    assert sheet.page.locator("#reading").count() == 0


# What was heard


def test_what_was_heard_shows_on_hover_and_by_key(opened):
    """Words are as they were written, also those that were normalised."""
    sheet = opened("heard")
    words = " ".join(sheet.texts(".words"))
    assert words == "A very short tale. We don't know it, uh, at all. It ends here."
    card = sheet.page.get_by_role("tooltip")
    cases = {
        "very": ["heard “fairy”", "as written"],
        "short": ["as written", "heard nothing"],
        "A": ["as written", "heard “Well” before it"],
    }
    for word, told in cases.items():
        place = sheet.page.locator(".words .word", has_text=re.compile(f"^{word}$"))
        place.hover()
        both = [f"{who} {what}" for who, what in zip(("sharp", "dull"), told, strict=True)]
        assert [" ".join(text.split()) for text in card.locator("li").all_inner_texts()] == both
        label = place.get_attribute("aria-label")
        assert label.endswith(": " + "; ".join(each for each in both if "heard" in each))
    assert "short" in sheet.texts(".words .word.lacking")
    assert "A" in sheet.texts(".words .word.extra")
    sheet.page.get_by_label("Search").first.fill("don't know")
    assert sheet.page.locator("#reading .found-count").inner_text() == "1 of 1"
    sheet.page.get_by_label("Search").first.fill("")
    sheet.page.locator(".pane").focus()
    for key, word in (("w", "A"), ("w", "very"), ("w", "short"), ("Shift+W", "very")):
        sheet.press(key)
        assert sheet.page.evaluate("document.activeElement.textContent") == word
    sheet.page.locator(".lane input").nth(1).uncheck()
    sheet.settle()
    assert sheet.texts(".words .word") == ["very"], "hidden systems mark no words"


def test_word_error_rate_and_coverage_are_those_of_the_rows(opened):
    sheet = opened("heard")
    sources, title = sheet.data["summary"]["sources"], sheet.data["alignment"]["title"]
    rates = "word_error_rate", "coverage"
    for row in sheet.table(title)[1:]:
        assert row[3:5] == [cell(sources[row[0]]["alignment"][key]) for key in rates]
    sheet.page.locator("#summary select").select_option("=tale2")
    rows = [["sharp", ".000", "1.000"], ["dull", ".333", ".667"]]
    assert sheet.table(title) == [["version", "WER", "coverage"], *rows]
    for name, *told in rows:
        own = sources[name]["by_document"]["tale2"]
        assert told == [cell(own[key]) for key in rates]
    rate = sources["dull"]["by_document"]["tale1"]["word_error_rate"]
    lane = sheet.page.locator(".lane-row", has_text="dull").inner_text()
    assert f"WER {cell(rate)}" in lane
    sheet.page.locator("#documents select").select_option("word_error_rate")
    assert sheet.table("WER, 2 documents")[2] == ["tale2", ".000", ".333"]


# Charts


def test_charts_have_tables_downloads_and_other_scores(opened):
    sheet = opened("many")
    figures = sheet.page.locator("figure")
    names = ["windows", "ranks", "offsets", "lengths", "documents", "agreement"]
    assert figures.evaluate_all("all => all.map((f) => f.id)") == [f"chart-{n}" for n in names]
    figure = sheet.page.locator("#chart-documents")
    figure.get_by_role("combobox", name="Score", exact=True).select_option("f1_mean")
    assert "F1" in figure.locator("svg").text_content()
    starts = {"CSV": b"", "SVG": b"<svg", "PNG": b"\x89PNG"}
    for name in names:
        figure = sheet.page.locator(f"#chart-{name}")
        figure.locator("svg").wait_for()
        for kind in ("CSV",) if name in ("ranks", "lengths", "agreement") else starts:
            with sheet.page.expect_download() as download:
                figure.get_by_role("button", name=kind).click()
            assert download.value.suggested_filename == f"{name}.{kind.lower()}"
            content = download.value.path().read_bytes()
            assert content.startswith(starts[kind])
            if kind == "CSV":
                lines = content.decode().splitlines()
        figure.get_by_role("button", name="Table").click()
        assert figure.locator("tbody tr").count() == len(lines) - 1
        assert not figure.locator("svg").is_visible()
    first = sheet.data["summary"]["agreement"]["by_document"]["talk1"]
    assert lines[1] == f"talk1,{first['fleiss_kappa']},{first['rgar']}"


# Text and terms


def test_patterns_lead_to_their_cases(opened):
    sheet = opened("text")
    assert sheet.page.get_by_label("System").input_value() == "tool"
    assert sheet.texts(".pattern") == [
        "2 didn't for did ~~~ n't", "1 sentence not split after .", "1 sentence split after Mr.",
    ]  # fmt: skip
    assert sheet.page.locator(".cases li").count() == 2
    sheet.page.locator(".pattern").nth(2).click()
    assert "Mr. ~~~ Ames didn't call ." in sheet.texts(".cases .ours")[0]
    assert "gold.txt:1" in sheet.texts(".cases .place")[0]
    sheet.choose("Units", "sentence")
    assert sheet.page.locator(".pattern").count() == 2
    sheet.choose("System", "other")
    assert sheet.texts(".cases") == ["No errors."]


def test_clusters_and_the_timeline(opened):
    sheet = opened("terms")
    assert sheet.texts(".clusters-table tbody tr") == [
        "1 3 2 .667 a b “ab” ×2 c d ×1",
        "2 1 1 1.000 a b “ab” ×1",
    ]
    assert sheet.texts(".narrow tbody tr")[0] == "c d 1"
    assert sheet.texts(".spoken") == ["ab", "cde", "ab", "c"]
    assert sheet.page.locator(".found").count() == 3
    assert sheet.page.locator(".found.opens.closes").count() == 2
    sheet.page.get_by_role("combobox", name="Recording").select_option("f2")
    assert sheet.texts(".spoken") == ["ab"]
    sheet.choose("System", "d", "#clusters")
    assert sheet.page.locator(".clusters-table tbody tr").count() == 1


# Hostile and foreign input


NASTY = [
    "<script>alert(1)</script>", "</script><img_src=x_onerror=alert(2)>", "javascript:alert(3)",
    "\u202egnp.exe", "${7*7}", "<!--", "&lt;b&gt;", "\u2066x", "constructor",
    "'\"><svg/onload=alert(4)>",
]  # fmt: skip
NAMES = ["constructor", "__proto__", "<img/src/onerror>", "20", "3"]
REFERENCES = ["toString", "hasOwnProperty", "valueOf"]


def test_hostile_words_and_names_are_text(made):
    """Of systems, references and documents, also properties; numbers keep their order."""
    files = {
        f"{at}/{document}.txt": f"{' '.join(NASTY[:at])}\n{' '.join(NASTY[at:])}"
        for at in range(1, 9)
        for document in ("valueOf", "__proto__")
    }
    ours = " ".join(f"{name}={at}" for at, name in enumerate(NAMES, 1))
    refs = " ".join(f"--ref {name}={at}" for at, name in enumerate(REFERENCES, 6))
    sheet = made(files, f"transcript {ours} {refs}")
    sheet.require_text_only()
    table = sheet.table("Against all references together")
    assert [row[0] for row in table[1:]] == sheet.texts(".lane b") == NAMES
    assert all(re.fullmatch(r"[.\d]+", text) for row in table[1:] for text in row[1:])
    sheet.page.locator("#summary select").select_option("=__proto__")
    assert all("–" not in row for row in sheet.table("Against all references together"))
    sheet.page.get_by_role("combobox", name="Document", exact=True).select_option("__proto__")
    assert sheet.page.locator(".gap").count() == 8
    assert sheet.page.locator("figure svg").count() == sheet.page.locator("figure").count()
    assert NASTY[0] in " ".join(sheet.texts(".words"))
    sheet.page.locator(".gap").first.hover()
    assert "<img/src/onerror>" in sheet.page.get_by_role("tooltip").inner_text()
    look = "getComputedStyle(document.querySelector('.words bdi')).unicodeBidi"
    assert sheet.page.evaluate(look) == "isolate"


def test_hostile_tokens_are_text(made):
    gold = "a </script><b>x y\n<img/src=x/onerror=alert(1)> z\n"
    ours = "a </script><b> x y <img/src=x/onerror=alert(1)> z\n"
    sheet = made({"g.txt": gold, "s.txt": ours}, "text s.txt --gold g.txt")
    sheet.require_text_only()
    assert "</script><b>" in sheet.texts(".patterns")[0]


def test_the_policy_stops_what_is_put_in_later(opened):
    sheet = opened("one")
    sheet.page.evaluate(
        """() => { const s = document.createElement("script"); s.textContent = "window.hurt = 1";
        document.body.append(s); const i = new Image(); i.src = "https://example.org/x.png"; }"""
    )
    assert sheet.page.evaluate("window.hurt") is None
    sheet.until(lambda: len(sheet.said) >= 2 and sheet.failed)
    assert all("Content Security Policy" in each for each in sheet.said)
    assert sheet.failed == {"https://example.org/x.png": "csp"}
    del sheet.said[:], sheet.asked[1:]


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("ذهبنا إلى الميناء القديم / كان المطر / يهطل طوال الليل", "rtl"),
        ("הלכנו אל הנמל הישן / ירד גשם / כל הלילה", "rtl"),
        ("我们 去了 老 港口 / 下 了 一 整夜 雨 / 然后 停 了", "ltr"),
    ],
)
def test_other_scripts_run_their_own_way(made, text, direction):
    one, two, three = text.split(" / ")
    files = {"a.txt": f"{one}\n{two}\n{three}", "b.txt": f"{one} {two}\n{three}"}
    sheet = made(files, "transcript b.txt --ref a.txt")
    assert sheet.page.locator(".sheet").get_attribute("dir") == direction
    first, last = (sheet.page.locator(".gap").nth(at).bounding_box()["x"] for at in (0, 1))
    assert (first > last) == (direction == "rtl")


def test_long_words_and_one_word_and_no_boundaries(made):
    long = "x" * 900
    files = {"a.txt": f"{long} y\nz", "b.txt": f"{long} y z", "c.txt": "one"}
    sheet = made(files, "transcript b.txt --input lines --ref a.txt", width=390)
    assert sheet.width() <= 390
    sheet = made(files, "transcript x=c.txt --ref c.txt")
    assert sheet.texts(".words") == ["one"]
    assert sheet.page.locator(".gap").count() == 0


# Size, theme, paper


def test_a_hundred_thousand_words_load_and_scroll(made):
    files = {f"v{at}.txt": transcript(at, 100_000, 0.07) for at in range(4)}
    sheet = made(files, "transcript v2.txt v3.txt --ref v0.txt --ref v1.txt")
    assert sheet.page.locator(".line").count() < 60
    pane = sheet.page.locator(".pane")
    pane.evaluate("(pane) => { pane.scrollTop = pane.scrollHeight }")
    sheet.settle()
    assert sheet.page.locator(".words").last.inner_text().split()[-1].strip(".") in WORDS
    sheet.page.get_by_role("combobox", name="Show", exact=True).select_option("agree")
    assert "place" in sheet.texts(".told")[0]


def test_the_theme_is_that_of_the_system_and_can_be_chosen(opened):
    sheet = opened("one", color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert sheet.page.evaluate(ground) == "rgb(26, 24, 22)"
    sheet.page.get_by_role("button", name="theme").click()
    assert sheet.page.evaluate(ground) == "rgb(251, 248, 242)"


def test_paper_shows_all_lines_and_no_tools(opened):
    sheet = opened("one")
    sheet.page.emulate_media(media="print")
    sheet.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    words = " ".join(sheet.page.locator(".words").all_text_contents()).split()
    assert len(words) == 426
    assert not sheet.page.locator(".tools").first.is_visible()
    assert len(sheet.page.pdf(print_background=False)) > 10_000
    sheet.page.evaluate("dispatchEvent(new Event('afterprint'))")
