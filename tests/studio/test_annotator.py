"""What an annotator needs, in a real browser: a first screen, sound, taps, undo, what is locked."""

import pytest

from support.studio_page import CLOCK, TALE, listen, press, saved, says, shows, silence, status

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


LATE = """
    const ask = window.fetch;
    window.fetch = async (path, ...how) => {
        if (path === "/api/documents")
            while (document.querySelector(".first-screen"))
                await new Promise((done) => requestAnimationFrame(done));
        return ask(path, ...how);
    };
"""
"""The list of documents arrives when the first screen is gone."""


def test_the_first_screen_says_what_a_unit_is_and_begins_even_before_the_list_is_there(serve):
    studio = serve({"tale": TALE})
    page = studio.open("Anna", script=LATE)
    said = page.locator(".first-screen").inner_text()
    assert "A unit is what stands by itself" in said
    assert "Space sets a boundary" in said
    assert "It keeps no texts" in said
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".text-pane .g")
    studio.go(page, "/")
    assert page.locator(".first-screen").count() == 0


def test_work_goes_on_where_it_stopped_and_is_undone_after_a_reload(serve):
    studio = serve({"tale": TALE}).marked()
    page = studio.open("Anna", "/document/1")
    press(page, *["ArrowRight"] * 3, "Space", *["ArrowRight"] * 4, ".", "q", "u")
    saved(page)
    assert studio.codes("Anna") == {3: "", 7: "."}
    page.reload()
    page.wait_for_selector('.g.cursor[data-gap="7"]')
    press(page, "u")
    saved(page)
    assert studio.codes("Anna") == {3: ""}
    press(page, "u")
    saved(page)
    assert studio.codes("Anna") == {}
    press(page, "U", "U")
    saved(page)
    assert studio.codes("Anna") == {3: "", 7: "."}


def test_jumps_pauses_speakers_and_the_language_of_the_text(serve):
    starts = [at * 1_000_000 for at in range(15)]
    ends = [at + (400_000 if number == 6 else 990_000) for number, at in enumerate(starts)]
    turns = tuple(int(at > 9) for at in range(15))
    text = " ".join(TALE.split()[:15])
    studio = serve({"tale": (text, tuple(starts), tuple(ends), ("Ada", "Ben"), turns),
                    "river": "我 们 昨 天 去 了 河 边"})  # fmt: skip
    page = studio.open("Anna", "/document/1")
    places = []
    for key in ("w", "W", "]", "[", "t", "T"):
        press(page, key)
        places.append(int(page.locator(".g.cursor").get_attribute("data-gap")))
    assert places == [5, 0, 6, 6, 9, 9]
    widths = [page.locator(f'.g[data-gap="{gap}"]').bounding_box()["width"] for gap in (5, 6)]
    assert widths[1] - widths[0] == pytest.approx(0.6 * 30, abs=1.5), "pauses are to scale"
    assert page.locator(".rows").get_attribute("lang") == ""
    studio.go(page, "/document/2")
    page.wait_for_selector(".rows[lang=zh]")


def test_listen_and_tap(serve, tmp_path):
    starts = tuple(range(0, 16_000_000, 1_000_000))
    ends = tuple(at + 400_000 for at in starts)
    studio = serve({"tale": (TALE, starts, ends)})
    studio.project.audio["tale"] = silence(tmp_path)
    page = studio.open("Anna", "/document/1", script=CLOCK)
    press(page, "k")
    for at, word in enumerate(("i", "came", "to"), 1):
        listen(page, at + 0.2)
        shows(page, ".w.heard", word)
        press(page, "Space")
    saved(page)
    assert page.locator(".reaction").inner_text() == "reaction 800 ms, measured"
    assert sorted(studio.codes("Anna")) == [0, 1, 2], "at the words that ended .8 s before"
    page.evaluate("""() => {
        const key = Object.keys(localStorage).find((each) => each.startsWith("caesura-reaction"));
        localStorage.setItem(key, "1.400");
    }""")
    page.reload()
    page.wait_for_selector(".text-pane .g")
    page.locator(".seek").evaluate("bar => bar.max = 20")
    page.locator(".seek").fill("10")
    assert page.locator(".clock").inner_text() == "0:10"
    page.get_by_role("button", name="Repeat the last 3 seconds").click()
    shows(page, ".w.heard", "accident")
    listen(page, 8.5)
    shows(page, ".w.heard", "it")
    page.locator(".text-pane").focus()
    press(page, "Space")
    saved(page)
    assert max(studio.codes("Anna")) == 7, "1.4 s are taken off"
    page.locator('.g[data-gap="13"]').evaluate("gap => gap.scrollIntoView()")
    box = page.locator('.g[data-gap="13"]').bounding_box()
    page.mouse.click(box["x"] - 6, box["y"] + 12)
    shows(page, ".w.heard", "left")


def test_marks_are_an_option_of_the_project(serve):
    studio = serve({"tale": TALE})
    page = studio.open("Anna", "/document/1")
    assert page.locator(".toolbar .mark").all_inner_texts() == ["‖"]
    press(page, ".")
    says(page, "Marks are off in this project")
    press(page, "Space")
    saved(page)
    assert status(page).startswith("boundary · after")
    assert studio.codes("Anna") == {0: ""}


def test_a_finished_document_asks_before_it_opens_again(serve):
    studio = serve({"tale": TALE})
    page = studio.open("Anna", "/document/1")
    press(page, "f")
    assert "not reached the last 15 words" in page.locator("dialog").inner_text()
    press(page, "Enter")
    page.wait_for_selector(".lead:has-text('finished')")
    assert page.locator(".toolbar .mark").count() == 0
    press(page, "Space")
    says(page, "This document is finished")
    press(page, "f")
    assert "Reopen tale?" in page.locator("dialog").inner_text()
    press(page, "Escape", "Space")
    says(page, "This document is finished")
    press(page, "f", "Enter")
    page.wait_for_selector(".lead:not(:has-text('finished'))")
    press(page, "Space")
    saved(page)
    assert studio.codes("Anna") == {0: ""}


def test_who_is_withdrawn_in_mid_work_is_told_and_what_was_there_stays(serve):
    studio = serve({"tale": TALE})
    page = studio.open("Anna", "/document/1")
    press(page, "Space")
    saved(page)
    studio.is_disturbed = True
    anna = studio.person("Anna").id
    studio.manage({"kind": "withdraw", "document": 1, "person": anna, "pass": 1})
    page.wait_for_selector(".reason:has-text('not assigned to this document any more')")
    shows(page, ".g.bound", "‖")
    press(page, "ArrowRight", "Space")
    says(page, "not assigned to this document any more")
    assert page.locator(".g.bound").count() == 1
    studio.manage({"kind": "assign", "document": 1, "person": anna, "pass": 1})
    page.wait_for_selector(".reason", state="hidden")
    press(page, "Space")
    saved(page)
    assert studio.codes("Anna") == {0: "", 1: ""}


SPOKEN = """() => {
    window.spoken = [];
    const isLive = (node) => node.parentElement?.closest("[role=status], [role=alert]");
    const heard = (changes) => changes.forEach(({ target }) => {
        const live = isLive(target.nodeType === 1 ? target.firstChild ?? target : target);
        if (live) spoken.push(live.textContent);
    });
    new MutationObserver(heard).observe(document.body,
        { subtree: true, childList: true, characterData: true });
}"""
"""What live regions say from now on."""


def test_an_edit_is_spoken_once(serve):
    studio = serve({"tale": TALE})
    page = studio.open("Anna", "/document/1")
    page.evaluate(SPOKEN)
    press(page, "Space")
    studio.has("Anna", {0: ""})
    saved(page)
    assert page.evaluate("spoken") == [status(page)]
    assert status(page).startswith("boundary")


def test_unsure_next_document_and_signing_out(serve):
    studio = serve({"tale": TALE, "bridge": TALE})
    page = studio.open("Anna", "/document/1")
    press(page, "ArrowRight", "q")
    saved(page)
    says(page, "unsure boundary")
    page.reload()
    page.wait_for_selector(".g.unsure")
    page.locator(".text-pane").focus()
    press(page, "f", "Enter")
    page.get_by_role("button", name="Next document").wait_for()
    assert "Next is bridge: 16 words; 1 document to go." in page.locator("dialog").inner_text()
    press(page, "Enter")
    page.wait_for_selector("h1:has-text('bridge')")
    studio.is_disturbed = True
    page.get_by_role("button", name="Sign out").click()
    page.locator("dialog").get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Open the studio with your link").wait_for()
    kept = page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('caesura'))")
    assert [each for each in kept if each != "caesura-theme|"] == []
