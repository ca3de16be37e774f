"""The page in a real browser: its numbers, its keys, its filters; on a phone, in print, hostile."""

import json
import os
import re
from base64 import b64encode
from statistics import correlation

import pytest

from caesura.output.tables import shown
from support.paths import GOLDEN
from support.report_pages import WORDS, caesura, transcript

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def data_of(pages, name):
    text = (pages / f"{name}.html").read_text(encoding="utf-8")
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])


def table_at(sheet, title):
    """A table as lists of texts, with its head."""
    region = sheet.page.get_by_role("region", name=title, exact=True)
    cells = "row => [...row.querySelectorAll('th, td')].map((cell) => cell.innerText)"
    rows = region.locator("tr").evaluate_all(f"rows => rows.map({cells})")
    return [[cell.strip() for cell in row] for row in rows]


def written(scores, columns):
    return [cell(scores[column["key"]], column["format"]) for column in columns]


def cell(value, format="rate"):
    """A number as the command prints it."""
    return shown(value if value is None or format == "count" else float(value))


# Numbers


@pytest.mark.parametrize("name", ["one", "many", "text", "sentences", "terms", "bare"])
def test_scores_are_those_of_the_json(opened, pages, name):
    sheet, data = opened(name), data_of(pages, name)
    for section in data["sections"]:
        head, *rows = table_at(sheet, section["title"])
        assert head == ["system", *(column["title"] for column in section["columns"])]
        for row, system in zip(rows, data["summary"]["systems"], strict=True):
            wanted = written(system["micro"], section["columns"])
            assert row == [system["name"], *wanted]


@pytest.mark.parametrize("name", ["one", "people"])
def test_the_agreement_and_the_ceiling_are_those_of_the_json(opened, pages, name):
    sheet, data = opened(name), data_of(pages, name)
    summary = data["summary"]
    assert sheet.texts(".figures dd") == written(summary["agreement"]["micro"], data["agreement"])
    assert sheet.texts(".figures dt") == [column["title"] for column in data["agreement"]]
    rows = {row[0]: row[1:] for row in table_at(sheet, "Human ceiling")}
    assert rows["human average"] == written(summary["ceiling"]["human"], data["ceiling"])
    for person, scores in summary["ceiling"]["annotators"].items():
        assert rows[f"{person} annotator"] == written(scores, data["ceiling"])


def test_folded_tables_are_those_of_the_json(opened, pages):
    sheet, data = opened("one"), data_of(pages, "one")
    for fold in sheet.page.locator("summary").all():
        fold.click()
    assert {"each", "mark"} <= {table["id"] for table in data["tables"]}
    for table in data["tables"]:
        head, *rows = table_at(sheet, table["title"])
        assert head == [column["title"] for column in table["columns"]]
        for row, values in zip(rows, table["rows"], strict=True):
            wanted = [
                value if column["format"] == "text" else cell(value, column["format"])
                for value, column in zip(values, table["columns"], strict=True)
            ]
            assert row == wanted


def test_headings_tell_what_they_mean(opened, pages):
    sheet, data = opened("one"), data_of(pages, "one")
    column = data["sections"][0]["columns"][0]
    region = sheet.page.get_by_role("region", name=data["sections"][0]["title"], exact=True)
    head = region.get_by_role("button", name=column["title"], exact=True)
    tip = sheet.page.get_by_role("tooltip")
    for show in (head.focus, head.hover):
        show()
        assert tip.inner_text() == column["help"] != ""
        assert head.get_attribute("aria-describedby") == tip.get_attribute("id")
        sheet.press("Escape")
        assert not tip.is_visible()
        sheet.page.locator("h1").hover()
    sheet.page.get_by_text("What the scores mean").click()
    assert column["help"] in sheet.texts(".definitions dd")


def test_a_heading_that_has_to_be_scrolled_to_is_explained(opened, pages):
    sheet, data = opened("many", height=400), data_of(pages, "many")
    column = data["sections"][-1]["columns"][0]
    region = sheet.page.get_by_role("region", name=data["sections"][-1]["title"], exact=True)
    region.get_by_role("button", name=column["title"], exact=True).focus()
    sheet.settle()
    assert sheet.page.get_by_role("tooltip").inner_text() == column["help"]


def changed(pages, name, path, change):
    """A page with other data."""
    text, data = (pages / f"{name}.html").read_text(encoding="utf-8"), data_of(pages, name)
    change(data)
    path.write_text(
        re.sub(
            r'(id="data">).*?(</script>)',
            lambda found: found[1] + json.dumps(data) + found[2],
            text,
            flags=re.DOTALL,
        ),
        encoding="utf-8",
    )
    return path


def test_a_rate_is_a_rate_even_if_it_is_whole(opened, pages, tmp_path):
    def change(data):
        scores = data["summary"]["systems"][0]["micro"]
        keys = [column["key"] for column in data["sections"][0]["columns"]]
        scores.update(zip(keys, (2, 1, 0, -0.0222, None, 1602), strict=True))
        data["sections"][0]["columns"][5]["format"] = "count"

    sheet = opened(changed(pages, "one", tmp_path / "p.html", change))
    row = table_at(sheet, "Against all references together")[1]
    assert row == ["rules", "2.000", "1.000", ".000", "−.022", "–", "1,602"]


def test_the_best_is_bold(opened, pages):
    sheet, data = opened("one"), data_of(pages, "one")
    region = sheet.page.get_by_role("region", name="Against all references together", exact=True)
    bold = region.locator(".best").all_inner_texts()
    systems = [system["micro"] for system in data["summary"]["systems"]]
    best = {"high": max, "low": min}
    wanted = {
        shown(best[column["better"]](each[column["key"]] for each in systems))
        for column in data["sections"][0]["columns"]
    }
    assert {text.strip() for text in bold} == wanted


def test_intervals_are_drawn_where_they_are(opened, pages, tmp_path):
    sheet = opened("one")
    assert sheet.page.locator(".interval").count() == 0

    def change(data):
        data["summary"]["systems"][0]["confidence"] = {"micro": {"wisebe": [0.25, 0.5]}}
        data["summary"]["agreement"]["confidence"] = {"micro": {"rgar": [0.4, 0.7]}}

    sheet = opened(changed(pages, "one", tmp_path / "sure.html", change))
    box = sheet.page.locator(".interval").bounding_box()
    bar = sheet.page.locator(".bar:has(.interval)").bounding_box()
    assert (box["x"] - bar["x"]) / bar["width"] == pytest.approx(0.25, abs=0.02)
    assert box["width"] / bar["width"] == pytest.approx(0.25, abs=0.03)
    assert ".400 to .700" in sheet.texts(".figures dd")[0]


def test_the_signature_is_copied(opened, pages):
    sheet = opened("one", permissions=["clipboard-read", "clipboard-write"])
    sheet.page.get_by_role("button", name="Copy signature").click()
    sheet.page.get_by_text("copied").wait_for()
    copied = sheet.page.evaluate("navigator.clipboard.readText()")
    assert copied == data_of(pages, "one")["summary"]["signature"]


# Tables


def test_columns_sort(opened):
    sheet = opened("many")
    title = "Mean over the references"
    region = sheet.page.get_by_role("region", name=title, exact=True)
    for click, order in enumerate(("descending", "ascending")):
        region.get_by_role("button").nth(1).click()
        assert region.locator("th[aria-sort]").get_attribute("aria-sort") == order
        values = [float(row[1]) for row in table_at(sheet, title)[1:]]
        assert values == sorted(values, reverse=click == 0)


def test_documents_filter_the_scores(opened, pages):
    sheet, data = opened("many"), data_of(pages, "many")
    scope = sheet.page.locator("#summary select")
    section = data["sections"][0]
    for option, pick in (
        ("=talk7", lambda system: system["by_document"]["talk7"]),
        ("macro", lambda system: system["macro"]),
    ):
        scope.select_option(option)
        rows = table_at(sheet, section["title"])[1:]
        for row, system in zip(rows, data["summary"]["systems"], strict=True):
            assert row[1:] == written(pick(system), section["columns"])


def test_documents_are_listed_searched_and_opened(opened, pages):
    sheet, data = opened("many"), data_of(pages, "many")
    part = sheet.page.locator("#documents")
    assert part.locator("tbody tr").count() == 12
    part.get_by_role("searchbox").fill("zebra")
    assert part.locator(".found-count").inner_text() == "nothing found"
    part.get_by_role("searchbox").fill("talk1")
    assert part.locator(".found-count").inner_text() == "4 of 12"
    assert part.locator("tbody th").all_inner_texts() == ["talk1", "talk10", "talk11", "talk12"]
    row = part.locator("tbody tr").nth(1).locator("td").all_inner_texts()
    systems = data["summary"]["systems"]
    scores = [shown(system["by_document"]["talk10"]["wisebe"]) for system in systems]
    assert [cell.strip() for cell in row[:3]] == scores
    part.get_by_role("link", name="talk10").click()
    assert sheet.page.get_by_role("combobox", name="Document", exact=True).input_value() == "talk10"


# Reading


def gaps(sheet):
    places = sheet.page.locator(".gap").evaluate_all("all => all.map((g) => +g.dataset.at)")
    return sorted(places)


def positions(steps):
    total, found = 0, []
    for step in steps:
        total += step
        found.append(total)
    return found


def reading_of(pages, name="one"):
    reading = data_of(pages, name)["readings"][0]
    sides = {
        side: {who: positions(steps) for who, steps in reading[side].items()}
        for side in ("references", "systems")
    }
    return reading["words"].split(" "), sides["references"], sides["systems"]


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


def test_every_boundary_is_there_and_worth_what_it_is(opened, pages):
    words, references, systems = reading_of(pages)
    sheet = opened("one", height=8000)
    sheet.page.locator(".pane").evaluate("(pane) => { pane.style.maxHeight = '7000px' }")
    sheet.settle()
    kinds = {name: kinds_by_hand(references, placed) for name, placed in systems.items()}
    every = {at for each in references.values() for at in each}
    assert gaps(sheet) == sorted(every.union(*kinds.values()))
    for name, own in kinds.items():
        counts = sheet.page.locator(".lane", has_text=name).locator(".item").all_inner_texts()
        told = [sum(kind == each for kind in own.values()) for each in
                ("right", "near", "wrong", "missed")]  # fmt: skip
        assert [int(count) for count in counts] == told
    labels = sheet.page.locator(".gap").evaluate_all(
        "all => Object.fromEntries(all.map((g) => [g.dataset.at, g.ariaLabel]))"
    )
    for at, label in labels.items():
        who = [name for name, own in references.items() if int(at) in own]
        people = f"{len(who)} of 3 references ({', '.join(who)})" if who else "no reference"
        told = [f"{name} {own[int(at)]}" for name, own in kinds.items() if int(at) in own]
        head = f"after “{words[int(at)]}”, word {int(at) + 1}: {people}"
        assert label == "; ".join([head, *told])
    shown_words = " ".join(sheet.page.locator(".words").all_inner_texts())
    assert "".join(shown_words.split()) == "".join("".join(words).split())


def test_inside_and_outside_add_up_to_the_candidates(opened, pages):
    data = data_of(pages, "one")
    _, references, systems = reading_of(pages)
    for system in data["summary"]["systems"]:
        kinds = kinds_by_hand(references, systems[system["name"]]).values()
        placed = sum(kind != "missed" for kind in kinds)
        assert placed == system["micro"]["candidates"]


def test_tones_are_as_deep_as_references_are_many(opened, pages):
    _, references, _ = reading_of(pages)
    sheet = opened("one")
    found = sheet.page.locator(".gap:has(.tone)").evaluate_all(
        """all => all.map((gap) => {
            const tone = gap.querySelector(".tone");
            return [Number(gap.dataset.at), Number(tone.style.getPropertyValue("--depth"))];
        })"""
    )
    assert found
    for at, depth in found:
        votes = sum(at in own for own in references.values())
        assert depth == pytest.approx(votes / 3)


def test_pointing_tells_who_placed_what(opened, pages):
    _, references, systems = reading_of(pages)
    sheet = opened("one")
    at = gaps(sheet)[3]
    card = sheet.page.get_by_role("tooltip")
    assert not card.is_visible()
    sheet.page.locator(f".gap[data-at='{at}']").hover()
    told = card.inner_text()
    for name, own in references.items():
        assert re.search(rf"{name}\s+{'boundary' if at in own else 'no boundary'}", told)
    kinds = {
        name: kinds_by_hand(references, own).get(at, "no boundary") for name, own in systems.items()
    }
    for name, kind in kinds.items():
        assert re.search(rf"{name}\s+{kind}", told)
    sheet.page.mouse.move(5, 5)
    assert not card.is_visible()


def current(sheet):
    return int(sheet.page.locator(".gap.current").get_attribute("data-at"))


def test_keys_go_to_disagreements_errors_and_differences(opened, pages):
    words, references, systems = reading_of(pages)
    votes = {at: sum(at in own for own in references.values()) for at in range(len(words))}
    kinds = {name: kinds_by_hand(references, own) for name, own in systems.items()}
    disagree = [at for at, count in votes.items() if 0 < count < 3]
    errors = sorted(
        {at for own in kinds.values() for at, k in own.items() if k in ("wrong", "missed")}
    )
    differ = sorted(set(systems["rules"]) ^ set(systems["neural"]))
    sheet = opened("one")
    sheet.page.locator(".pane").focus()
    for at in disagree[:12]:
        sheet.press("n")
        assert current(sheet) == at
    sheet.press("p")
    assert current(sheet) == disagree[10]
    at = disagree[10]
    sheet.press("e")
    assert current(sheet) == next(each for each in errors if each > at)
    assert sheet.page.evaluate("document.activeElement.dataset.at") == str(current(sheet))
    assert sheet.page.get_by_role("tooltip").is_visible()
    at = current(sheet)
    sheet.press("d")
    assert current(sheet) == next(each for each in differ if each > at)
    sheet.press("Shift+D")
    assert current(sheet) == [each for each in differ if each < differ[-1] and each <= at][-1]


def test_errors_of_one_system_alone(opened, pages):
    _, references, systems = reading_of(pages)
    own = kinds_by_hand(references, systems["neural"])
    errors = sorted(at for at, kind in own.items() if kind in ("wrong", "missed"))
    sheet = opened("one")
    sheet.page.get_by_label("Errors of").select_option("neural")
    sheet.page.locator(".pane").focus()
    for at in errors[:5]:
        sheet.press("e")
        assert current(sheet) == at


def test_letters_typed_into_the_search_do_not_jump(opened):
    sheet = opened("one")
    sheet.page.get_by_label("Search").first.press_sequentially("end")
    assert sheet.page.locator(".gap.current").count() == 0


KEPT = {
    "wrong": lambda votes, kinds, _: "wrong" in kinds,
    "missed": lambda votes, kinds, _: "missed" in kinds,
    "agree": lambda votes, kinds, _: votes == 3,
    "disagree": lambda votes, kinds, _: 0 < votes < 3,
    "question": lambda votes, kinds, question: question,
}


def test_filters_keep_what_they_say(opened, pages):
    words, references, systems = reading_of(pages)
    kinds = [kinds_by_hand(references, own) for own in systems.values()]
    marks = data_of(pages, "one")["readings"][0]["marks"]
    asked = {
        at for name, own in references.items() for at, mark in zip(own, marks[name], strict=True)
        if mark == "?"
    }  # fmt: skip
    sheet = opened("one", height=8000)
    sheet.page.locator(".pane").evaluate("(pane) => { pane.style.maxHeight = '7000px' }")
    for key, keeps in KEPT.items():
        wanted = [
            at for at in range(len(words))
            if keeps(sum(at in own for own in references.values()), [own.get(at) for own in kinds],
                     at in asked)
        ]  # fmt: skip
        sheet.page.get_by_role("combobox", name="Show", exact=True).select_option(key)
        sheet.settle()
        kept = sheet.page.locator(".gap:not(.dim)").evaluate_all(
            "all => all.map((g) => +g.dataset.at)"
        )
        assert sorted(kept) == wanted, key
        assert sheet.texts(".told")[0].startswith(f"{len(wanted)} place"), key


def test_search_finds_words(opened, pages):
    words, _, _ = reading_of(pages)
    found = [word for word in words if "the" in word.lower()]
    sheet = opened("one")
    box = sheet.page.get_by_label("Search").first
    count = sheet.page.locator("#reading .found-count")
    assert not count.is_visible()
    box.fill("the")
    assert count.inner_text() == f"1 of {len(found)}"
    box.press("Enter")
    assert count.inner_text() == f"2 of {len(found)}"
    box.press("Shift+Enter")
    assert count.inner_text() == f"1 of {len(found)}"
    assert sheet.page.locator(".hit").count() > 0
    box.fill("zebra")
    assert count.inner_text() == "nothing found"
    box.fill("")
    assert not count.is_visible()


def test_lanes_can_be_hidden(opened):
    sheet = opened("one")
    assert set(sheet.texts(".part")) == {"rules", "neural"}
    sheet.page.locator(".lane input").first.uncheck()
    sheet.settle()
    assert set(sheet.texts(".part")) == {"neural"}


def test_the_map_leads_there(opened):
    sheet = opened("one")
    box = sheet.page.locator(".map").bounding_box()
    sheet.page.locator(".map").scroll_into_view_if_needed()
    sheet.page.locator(".map").click(position={"x": 20, "y": box["height"] - 5})
    assert sheet.page.locator(".pane").evaluate("(pane) => pane.scrollTop") > 500


def test_references_alone_can_be_read(opened):
    sheet = opened("people")
    assert sheet.page.locator(".gap .tone").count() > 5
    assert sheet.page.locator(".lane").count() == 0
    assert (
        sheet.page.get_by_role("combobox", name="Show", exact=True).locator("option").count() == 4
    )


# What was heard


@pytest.mark.parametrize("name", ["heard", "heard_again"])
def test_words_are_as_written_and_what_was_heard_shows_on_hover(opened, pages, name):
    sheet = opened(name)
    words = " ".join(" ".join(sheet.texts(".words")).replace("\xa0", " ").split())
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
        assert card.locator("li").all_inner_texts() == [
            f"{who}\n{what}" for who, what in zip(("sharp", "dull"), told, strict=True)
        ]
        both = [f"{who} {what}" for who, what in zip(("sharp", "dull"), told, strict=True)]
        label = place.get_attribute("aria-label")
        assert label.endswith(": " + "; ".join(each for each in both if "heard" in each))
    kinds = {"lacking": {"short"}, "extra": {"A"}}
    for kind, wanted in kinds.items():
        assert wanted <= set(sheet.texts(f".words .word.{kind}"))


def test_a_key_goes_to_what_was_heard_differently(opened):
    sheet = opened("heard")
    sheet.page.locator(".pane").focus()
    for word in ("A", "very", "short"):
        sheet.press("w")
        assert sheet.page.evaluate("document.activeElement.textContent") == word
    assert "heard nothing" in sheet.page.get_by_role("tooltip").inner_text()
    sheet.press("Shift+W")
    assert sheet.page.evaluate("document.activeElement.textContent") == "very"


def test_hidden_systems_mark_no_words(opened):
    sheet = opened("heard")
    sheet.page.locator(".lane input").nth(1).uncheck()
    sheet.settle()
    assert sheet.texts(".words .word") == ["very"]


def test_word_error_rate_and_coverage_are_those_of_the_rows(opened, pages):
    sheet, data = opened("heard"), data_of(pages, "heard")
    sources = data["summary"]["sources"]
    title, rates = data["alignment"]["title"], ("word_error_rate", "coverage")
    for row in table_at(sheet, title)[1:]:
        assert row[3:5] == [cell(sources[row[0]]["alignment"][key]) for key in rates]
    sheet.page.locator("#summary select").select_option("=tale2")
    head, *rows = table_at(sheet, title)
    assert head == ["version", "WER", "coverage"]
    assert {row[0]: row[1:] for row in rows} == {
        "sharp": [".000", "1.000"],
        "dull": [".333", ".667"],
    }
    for row in rows:
        own = sources[row[0]]["by_document"]["tale2"]
        assert row[1:] == [cell(own[key]) for key in rates]
    lane = sheet.page.locator(".lane-row", has_text="dull").inner_text()
    own = sources["dull"]["by_document"]["tale1"]
    assert f"WER {cell(own['word_error_rate'])}" in lane
    sheet.page.locator("#documents select").select_option("word_error_rate")
    table = table_at(sheet, "WER, 2 documents")
    assert table[2] == ["tale2", ".000", ".333"]


def test_search_goes_over_words_that_were_normalised(opened):
    sheet = opened("heard")
    sheet.page.get_by_label("Search").first.fill("don't know")
    assert sheet.page.locator("#reading .found-count").inner_text() == "1 of 1"


def test_warnings_stand_on_top(opened, pages, tmp_path):
    assert opened("one").page.locator(".warnings").count() == 0

    def change(data):
        data["summary"]["warnings"] = ["ours has no boundary <b>at all</b>", "gold: second"]

    sheet = opened(changed(pages, "one", tmp_path / "warned.html", change))
    box = sheet.page.get_by_role("complementary", name="Warnings")
    assert box.locator("li").all_inner_texts() == [
        "ours has no boundary <b>at all</b>",
        "gold: second",
    ]
    assert box.bounding_box()["y"] < sheet.page.locator("#summary").bounding_box()["y"]


def test_rows_alone_tell_how_to_see_the_words(opened):
    sheet = opened("bare")
    assert "--with-text" in sheet.texts(".how")[0]
    assert sheet.page.locator("#reading").count() == 0


# Charts


def test_charts_have_tables_and_downloads(opened, pages):
    sheet, data = opened("many"), data_of(pages, "many")
    figures = sheet.page.locator("figure")
    names = ["windows", "ranks", "offsets", "lengths", "documents", "agreement"]
    assert figures.evaluate_all("all => all.map((f) => f.id)") == [f"chart-{n}" for n in names]
    for name in names:
        figure = sheet.page.locator(f"#chart-{name}")
        figure.locator("svg").wait_for()
        contents = {}
        for kind in (
            ("CSV",) if name in ("ranks", "lengths", "agreement") else ("CSV", "SVG", "PNG")
        ):
            with sheet.page.expect_download() as download:
                figure.get_by_role("button", name=kind).click()
            assert download.value.suggested_filename == f"{name}.{kind.lower()}"
            contents[kind] = download.value.path().read_bytes()
        assert contents.get("SVG", b"<svg").startswith(b"<svg")
        assert contents.get("PNG", b"\x89PNG").startswith(b"\x89PNG")
        figure.get_by_role("button", name="Table").click()
        rows = figure.locator("tbody tr").count()
        assert contents["CSV"].decode().count("\n") == rows + 1
        assert not figure.locator("svg").is_visible()
    lines = contents["CSV"].decode().splitlines()
    first = data["summary"]["agreement"]["by_document"]["talk1"]
    assert lines[1] == f"talk1,{first['fleiss_kappa']},{first['rgar']}"


def test_a_chart_can_show_another_score(opened):
    sheet = opened("many")
    figure = sheet.page.locator("#chart-documents")
    figure.get_by_role("combobox", name="Score", exact=True).select_option("f1_mean")
    assert "F1" in figure.locator("svg").text_content()


# Text and terms


def test_patterns_lead_to_their_cases(opened):
    sheet = opened("text")
    assert sheet.page.get_by_label("System").input_value() == "tool"
    patterns = sheet.texts(".pattern")
    assert [" ".join(text.split()) for text in patterns] == [
        "2 didn't for did ~~~ n't", "1 sentence not split after .", "1 sentence split after Mr.",
    ]  # fmt: skip
    assert sheet.page.locator(".cases li").count() == 2
    sheet.page.locator(".pattern").nth(2).click()
    assert "Mr. ~~~ Ames didn't call ." in " ".join(sheet.texts(".cases .ours")[0].split())
    assert "gold.txt:1" in sheet.texts(".cases .place")[0]
    sheet.page.get_by_label("Units").select_option("sentence")
    assert sheet.page.locator(".pattern").count() == 2
    sheet.page.get_by_label("System").select_option("other")
    assert sheet.texts(".cases") == ["No errors."]


def test_clusters_and_the_timeline(opened):
    sheet = opened("terms")
    rows = sheet.page.locator(".clusters-table tbody tr").all_inner_texts()
    assert [" ".join(row.split()) for row in rows] == [
        "1 3 2 .667 a b “ab” ×2 c d ×1",
        "2 1 1 1.000 a b “ab” ×1",
    ]
    assert sheet.texts(".narrow tbody tr")[0].split() == ["c", "d", "1"]
    assert sheet.texts(".spoken") == ["ab", "cde", "ab", "c"]
    assert sheet.page.locator(".found").count() == 3
    assert sheet.page.locator(".found.opens.closes").count() == 2
    sheet.page.get_by_role("combobox", name="Recording").select_option("f2")
    assert sheet.texts(".spoken") == ["ab"]
    sheet.page.locator("#clusters").get_by_label("System").select_option("d")
    assert sheet.page.locator(".clusters-table tbody tr").count() == 1


# Hostile and foreign input


NASTY = [
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "javascript:alert(3)",
    "\u202egnp.exe", "${7*7}", "<!--", "&lt;b&gt;", "\u2066x", "constructor",
    "'\"><svg/onload=alert(4)>",
]  # fmt: skip


def test_hostile_words_and_names_are_text(opened, tmp_path):
    words = [word.replace(" ", "_") for word in NASTY]
    for name, cut in (("a", 3), ("b", 5), ("c", 7)):
        text = "\n".join((" ".join(words[:cut]), " ".join(words[cut:])))
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    ours = f"{NASTY[0]}={tmp_path / 'a.txt'}".replace("=", "=", 1)
    caesura("transcript", ours, f"__proto__={tmp_path / 'b.txt'}", "--ref",
            f"<img src onerror>={tmp_path / 'b.txt'}", "--ref", f"toString={tmp_path / 'c.txt'}",
            "--html", tmp_path / "p.html", "-q", "-o", tmp_path / "out")  # fmt: skip
    sheet = opened(tmp_path / "p.html")
    page = sheet.page
    assert page.locator("img, iframe, object, main script, svg[onload], [onerror]").count() == 0
    assert page.locator("script").count() == 2
    shown_words = "".join(page.locator(".words").all_inner_texts())
    assert "<script>alert(1)</script>" in shown_words
    names = page.locator("#summary tbody th").all_inner_texts()
    assert NASTY[0] in names
    page.locator(".gap").first.hover()
    assert "<img src onerror>" in page.get_by_role("tooltip").inner_text()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.words bdi')).unicodeBidi")
        == "isolate"
    )


PROPERTIES = ("constructor", "__proto__", "toString", "hasOwnProperty", "valueOf")


def test_names_of_properties_are_names(opened, tmp_path):
    """As systems, references, documents and marks; numbers keep their order, too."""
    for at, name in enumerate((*PROPERTIES, "20", "3")):
        (tmp_path / name).mkdir()
        for document in ("valueOf", "__proto__"):
            text = transcript(at, 40, 0.3)
            (tmp_path / name / f"{document}.txt").write_text(text)
    ours = [f"{name}={tmp_path / name}" for name in (*PROPERTIES[:2], "20", "3")]
    refs = [part for name in PROPERTIES[2:] for part in ("--ref", f"{name}={tmp_path / name}")]
    caesura("transcript", *ours, *refs, "-q", "-o", tmp_path / "out", "--html",
            tmp_path / "p.html")  # fmt: skip
    sheet = opened(tmp_path / "p.html")
    names = [*PROPERTIES[:2], "20", "3"]
    table = table_at(sheet, "Against all references together")
    assert [row[0] for row in table[1:]] == names
    assert all(re.fullmatch(r"[.\d]+", cell) for row in table[1:] for cell in row[1:])
    assert sheet.texts(".lane b") == names
    sheet.page.locator("#summary select").select_option("=__proto__")
    assert all("–" not in row for row in table_at(sheet, "Against all references together"))
    sheet.page.get_by_role("combobox", name="Document", exact=True).select_option("__proto__")
    assert sheet.page.locator(".gap").count() > 5
    assert sheet.page.locator("figure svg").count() == sheet.page.locator("figure").count()


def test_hostile_tokens_are_text(opened, tmp_path):
    (tmp_path / "g.txt").write_text("a </script><b>x y\n<img/src=x/onerror=alert(1)> z\n")
    (tmp_path / "s.txt").write_text("a </script><b> x y <img/src=x/onerror=alert(1)> z\n")
    caesura("text", tmp_path / "s.txt", "--gold", tmp_path / "g.txt", "-q", "-o", tmp_path / "out",
            "--html", tmp_path / "p.html")  # fmt: skip
    sheet = opened(tmp_path / "p.html")
    assert sheet.page.locator("main img").count() == 0
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
def test_other_scripts_run_their_own_way(opened, tmp_path, text, direction):
    units = text.split(" / ")
    (tmp_path / "a.txt").write_text("\n".join(units), encoding="utf-8")
    (tmp_path / "b.txt").write_text(f"{units[0]} {units[1]}\n{units[2]}", encoding="utf-8")
    caesura("transcript", tmp_path / "b.txt", "--ref", tmp_path / "a.txt", "-q", "-o",
            tmp_path / "out", "--html", tmp_path / "p.html")  # fmt: skip
    sheet = opened(tmp_path / "p.html")
    assert sheet.page.locator(".sheet").get_attribute("dir") == direction
    first, last = (sheet.page.locator(".gap").nth(at).bounding_box()["x"] for at in (0, 1))
    assert (first > last) == (direction == "rtl")


def test_long_words_and_one_word_and_no_boundaries(opened, tmp_path):
    for name, text in (("a", "x" * 900 + " y\nz"), ("b", "x" * 900 + " y z")):
        (tmp_path / f"{name}.txt").write_text(text)
    caesura("transcript", tmp_path / "b.txt", "--input", "lines", "--ref", tmp_path / "a.txt",
            "-q", "-o", tmp_path / "out", "--html", tmp_path / "p.html")  # fmt: skip
    sheet = opened(tmp_path / "p.html", width=390)
    assert sheet.page.evaluate("document.documentElement.scrollWidth") <= 390
    (tmp_path / "c.txt").write_text("one")
    caesura("transcript", "x=" + str(tmp_path / "c.txt"), "--ref", tmp_path / "c.txt", "-q", "-o",
            tmp_path / "out", "--html", tmp_path / "q.html")  # fmt: skip
    sheet = opened(tmp_path / "q.html")
    assert sheet.texts(".words") == ["one"]
    assert sheet.page.locator(".gap").count() == 0


# Looks


LOOKS = GOLDEN / "report_looks.json"
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


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("one", "#summary"),
        ("one", "#reading"),
        ("many", "#charts"),
        ("text", "#errors"),
        ("trees", "#trees"),
        ("sentences", "#segments"),
    ],
)
def test_it_looks_as_it_did_from_afar(opened, name, part):
    """Compared at the size of a thumbnail, so that fonts may differ but not what is where.

    CAESURA_LOOKS=write keeps the looks of today.
    """
    sheet = opened(name)
    known = json.loads(LOOKS.read_text()) if LOOKS.exists() else {}
    for theme in ("light", "dark"):
        sheet.page.emulate_media(color_scheme=theme)
        sheet.settle()
        png = b64encode(sheet.page.locator(part).screenshot()).decode()
        seen = sheet.page.evaluate(TINY, png)
        key = f"{name} {part} {theme}"
        if os.environ.get("CAESURA_LOOKS") == "write":
            known[key] = seen
            LOOKS.write_text(json.dumps(known))
        assert correlation(seen, known[key]) > 0.5
        assert abs(sum(seen) - sum(known[key])) / len(seen) < 12


# Size, width, theme, paper, ear


def test_a_hundred_thousand_words_load_and_scroll(opened, tmp_path):
    for at in range(15):
        (tmp_path / f"v{at:02}.txt").write_text(transcript(at, 100_000, 0.07))
    paths = sorted(tmp_path.glob("v*.txt"))
    refs = [part for path in paths[:5] for part in ("--ref", path)]
    caesura("transcript", *paths[5:], *refs, "-q", "-o", tmp_path / "out", "--html",
            tmp_path / "p.html")  # fmt: skip
    sheet = opened(tmp_path / "p.html")
    assert sheet.page.locator(".line").count() < 60
    pane = sheet.page.locator(".pane")
    pane.evaluate("(pane) => { pane.scrollTop = pane.scrollHeight }")
    sheet.settle()
    assert sheet.page.locator(".words").last.inner_text().split()[-1].strip(".") in WORDS
    sheet.page.get_by_role("combobox", name="Show", exact=True).select_option("agree")
    assert "place" in sheet.texts(".told")[0]
    timing = "performance.timing.loadEventEnd - performance.timing.navigationStart"
    print(f"loaded in {sheet.page.evaluate(timing)} ms")


@pytest.mark.parametrize("name", ["one", "many", "heard", "text", "trees", "sentences", "terms"])
def test_nothing_is_wider_than_the_window(opened, name):
    sheet = opened(name, width=768)
    for width in (768, 390):
        sheet.page.set_viewport_size({"width": width, "height": 800})
        sheet.settle()
        assert sheet.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_theme_is_that_of_the_system_and_can_be_chosen(opened):
    sheet = opened("one", theme="dark")
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


@pytest.mark.parametrize(
    ("name", "theme"),
    [("one", "dark"), ("many", "light"), ("people", "light"), ("heard", "light"), ("text", "dark"),
     ("trees", "light"), ("trees", "dark"), ("sentences", "light"), ("sentences", "dark"),
     ("terms", "light")],
)  # fmt: skip
def test_axe_finds_nothing_serious(opened, name, theme):
    from axe_playwright_python.sync_playwright import Axe

    sheet = opened(name, theme=theme)
    if name == "one":
        sheet.page.locator(".pane").focus()
        sheet.press("e")
    found = Axe().run(sheet.page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in serious] == []
