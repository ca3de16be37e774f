"""The five promises that an earlier studio broke, in a real browser."""

import zipfile

import pytest

from support.studio_page import TALE, press, saved, says, shows
from support.studio_projects import act

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

FIGURES = ".figures dd:not(.span)"


def figures(page):
    """RGAR and κ, as the manager reads them."""
    page.wait_for_selector(FIGURES)
    return page.locator(FIGURES).all_inner_texts()[:2]


def test_finishing_an_untouched_document_shows_nothing_of_others(serve):
    studio = serve({"tale": TALE})
    studio.act("Ben", ("set", 2, "."), ("comment", 2, "mine"), ("state", 14, "finished"))
    page = studio.open("Anna", "/document/1")
    press(page, "f")
    assert "not reached the last 15 words" in page.locator("dialog").inner_text()
    press(page, "Enter")
    page.get_by_role("button", name="Show the others").wait_for()
    assert page.locator(".ticks, .comments p").count() == 0
    press(page, "d")
    says(page, "What others do is hidden")
    assert not studio.project.board.shown
    press(page, "f", "Space")
    saved(page)
    assert not studio.project.board.current(1, studio.person("Anna").id).is_revised


def test_a_look_or_a_stray_key_of_the_manager_makes_no_layer(serve):
    studio = serve({"tale": TALE})
    for who in ("Anna", "Ben"):
        studio.act(who, ("set", 2, "."), ("set", 7, "."), ("state", 14, "finished"))
    layers = set(studio.project.board.layers)
    page = studio.open("manager", "/agreement")
    assert figures(page) == ["1.000", "1.000"]
    studio.go(page, "/document/1")
    press(page, "Space", ".", "c")
    says(page, "You look on")
    studio.act("manager", ("comment", 3, "from an old tab"))
    studio.go(page, "/")
    shows(page, ".workers .aside", "1 act of manager kept aside")
    studio.go(page, "/agreement")
    assert figures(page) == ["1.000", "1.000"]
    assert set(studio.project.board.layers) == layers


def test_documents_of_two_of_three_have_agreement(serve):
    names = ("Anna", "Ben", "Chloé")
    studio = serve(dict.fromkeys(("one", "two", "three"), TALE), names)
    for document, absent in enumerate(names, 1):
        away = {"person": studio.person(absent).id, "pass": 1}
        studio.project.do(studio.project.manager, act("withdraw", document, **away))
        for who in sorted({*names} - {absent}):
            acts = [("set", 2, "."), ("set", 7, "."), ("state", 14, "finished")]
            studio.act(who, *acts, document=document, client=f"{who}{document}")
    page = studio.open("manager", "/agreement")
    assert figures(page) == ["1.000", "1.000"]
    studio.go(page, "/score")
    page.get_by_label("Detectors").fill("every:4")
    with page.expect_popup() as popup:
        press(page, "Enter")
    popup.value.wait_for_selector("main section")
    assert "every:4" in popup.value.locator("main").inner_text()


def test_what_is_not_decided_is_not_exported(serve):
    studio = serve({"tale": TALE})
    for who, gap in (("Anna", 2), ("Ben", 3)):
        studio.act(who, ("set", gap, "."), ("set", gap + 5, "?"), ("state", 14, "finished"))
    page = studio.open("manager", "/adjudicate/1")
    press(page, ".", "x", "d")
    saved(page)
    shows(page, ".lead", "4 gaps in dispute, 2 decided, 1 to discuss")
    assert page.get_by_role("button", name="Close").is_disabled()
    studio.go(page, "/score")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the export").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert not [name for name in archive.namelist() if name.startswith("adjudicated")]


def test_chinese_is_not_one_word(serve):
    studio = serve({"tale": TALE})
    page = studio.open("manager")
    text = {"name": "river.txt", "mimeType": "text/plain", "buffer": "我们去了河边。很好".encode()}
    page.locator("input[type=file]").first.set_input_files([text])
    page.wait_for_selector("#document-2:has-text('river')")
    assert studio.project.pinned(2).length > 6
    studio.go(page, "/document/2")
    page.wait_for_selector(".rows[lang=zh]")
    assert page.locator(".g").count() > 5
