"""The studio's page in a real browser: keys, saving, other tabs, managers, phones, themes."""

import pytest

from caesura.studio.adjudication import close
from caesura.studio.documents import Pinned
from caesura.studio.events import EventError
from caesura.studio.store import StoreError
from support.studio_page import TALE, press, saved, shows, silence, status
from support.studio_projects import Page, assign_everyone, event

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> they said so"


# Annotating


def test_everything_works_from_the_keyboard(serve):
    studio = serve({"tale": TALE, "other": HOSTILE}).marked()
    page = studio.open("Anna")
    page.wait_for_function("() => document.activeElement.id === 'document-1'")
    press(page, "ArrowDown", "ArrowUp", "Enter")
    page.wait_for_selector(".text-pane:focus")
    assert status(page).startswith("no boundary · after “well”, before “i”")
    press(page, "End", "Home", *["ArrowRight"] * 7, ".", "ArrowRight", "ArrowRight")
    press(page, "?", "Space", "Enter", ";", "!")
    saved(page)
    assert studio.codes("Anna") == {7: ".", 9: "!"}
    assert page.locator(".row.first").count() == 3
    press(page, "Shift+Tab")
    assert status(page).startswith("boundary, full stop · after “accident”")
    press(page, "n")
    assert status(page).startswith("boundary, exclamation mark")
    press(page, "Backspace", "u", "u", "Control+z")
    saved(page)
    assert studio.codes("Anna") == {7: ".", 9: ""}
    press(page, "Control+Shift+Z", "U")
    saved(page)
    assert studio.codes("Anna") == {7: ".", 9: "!"}
    press(page, "d")
    assert status(page).startswith("What others do is hidden")


def test_comments_finding_help_and_finishing(serve):
    studio = serve({"tale": TALE}).marked()
    page = studio.open("Anna", "/document/1")
    press(page, "/")
    page.keyboard.type("accident it")
    press(page, "Enter")
    assert status(page).endswith("8 of 15")
    assert page.locator(".w.hit").all_inner_texts() == ["accident", "it"]
    press(page, "c")
    page.keyboard.type("is this <b>one</b>?")
    press(page, "Enter")
    shows(page, ".comments p", "is this <b>one</b>?")
    press(page, "h")
    assert "with a question mark" in page.locator("dialog").inner_text()
    press(page, "Escape", "b", "b", "f", "Escape")
    assert "finished" not in page.locator(".lead").inner_text()
    saved(page)
    press(page, "f", "Enter")
    page.wait_for_selector(".lead:has-text('finished')")
    press(page, "f", "Enter")
    page.wait_for_selector(".lead:not(:has-text('finished'))")
    press(page, "Space")
    saved(page)
    assert studio.codes("Anna") == {7: ""}
    press(page, "Escape")
    assert page.evaluate("document.activeElement.closest('[role=toolbar]') !== null")


def test_lines_up_and_down_keep_their_column(serve):
    studio = serve({"long": " ".join([TALE] * 40)})
    page = studio.open("Anna", "/document/1", width=1440)
    lines = [len(each) for each in page.locator(".row").all_text_contents()[1:9]]
    assert 45 <= min(lines) <= max(lines) <= 75, "what is read easily"
    press(page, *["ArrowRight"] * 5, "ArrowDown")
    below = int(page.locator(".g.cursor").get_attribute("data-gap"))
    assert below > 10
    press(page, "ArrowUp")
    assert page.locator(".g.cursor").get_attribute("data-gap") == "5"
    press(page, "PageDown", "PageDown", "Control+End")
    assert page.locator(".g.cursor").get_attribute("data-gap") == "638"
    assert page.locator(".row").count() < 60


def test_turns_have_their_speakers_and_other_scripts_their_direction(serve):
    studio = serve({"tale": TALE}).marked()
    turns = (0,) * 7 + (1,) * 9
    studio.project.add(Pinned("talk", TALE, TALE, (), (), (), ("Host", "2"), turns))
    right = "في يوم من الأيام جاء رجل إلى الجسر"
    studio.project.add(Pinned("right", right, right))
    assign_everyone(studio.project)
    page = studio.open("Anna", "/document/2")
    assert page.locator(".row.speaker").all_inner_texts() == ["Host", "speaker 2"]
    assert page.locator(".row.first").count() == 1
    press(page, *["ArrowRight"] * 6, "?")
    assert page.locator(".row").all_inner_texts()[2:] == [
        "speaker 2",
        "2\naccident it was late so we left it there‖",
    ]
    page = studio.open("Anna", "/document/3")
    press(page, "ArrowLeft", "ArrowLeft", ".")
    saved(page)
    assert studio.codes("Anna", 3) == {2: "."}


def test_a_tap_sets_a_boundary_and_buttons_set_marks(serve):
    studio = serve({"tale": TALE}).marked()
    page = studio.open("Anna", "/document/1", width=390, height=844, has_touch=True)
    page.locator('.g[data-gap="3"]').tap()
    page.wait_for_selector('.g.bound[data-gap="3"]')
    box = page.locator('.g[data-gap="5"]').bounding_box()
    page.touchscreen.tap(box["x"] - 24, box["y"] + 20)
    page.wait_for_selector('.g.cursor[data-gap="5"]')
    page.get_by_role("button", name="boundary, question mark").tap()
    page.wait_for_selector('.g.bound[data-gap="5"]')
    saved(page)
    assert studio.codes("Anna") == {3: "", 5: "?"}
    page.locator('.g[data-gap="3"]').tap()
    page.wait_for_selector('.g[data-gap="3"]:not(.bound)')
    saved(page)
    assert studio.codes("Anna") == {5: "?"}
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390


def test_words_names_and_comments_are_only_text(serve):
    studio = serve({"<b>tale": HOSTILE}, ("A &amp; B",)).marked()
    page = studio.open("A &amp; B", "/document/1")
    assert page.locator(".row").first.inner_text().split()[1] == "<script>alert(1)</script>"
    assert page.locator("main script, main img").count() == 0
    press(page, ".", "g")
    page.wait_for_selector(".documents")
    assert page.locator(".who").inner_text() == "A &amp; B"


def test_sound_is_played(serve, tmp_path):
    """By the browser itself, for as long as it takes until it moves."""
    studio = serve({"tale": (TALE, tuple(range(0, 16_000_000, 1_000_000)))})
    studio.project.audio["tale"] = silence(tmp_path)
    page = studio.open("Anna", "/document/1")
    press(page, *["ArrowRight"] * 2, "k")
    page.wait_for_function("() => document.querySelector('audio').currentTime > 2.02")
    shows(page, ".w.heard", "came")
    press(page, "-")
    assert page.locator(".rate").inner_text() == "0.8×"
    press(page, "k")
    page.wait_for_function("() => document.querySelector('audio').paused")
    page.wait_for_selector(".w.heard", state="detached")
    page.get_by_role("button", name="Play", exact=True).wait_for()


# Saving


def test_work_goes_on_offline_or_without_a_database_and_is_sent_later(serve, monkeypatch):
    studio = serve({"tale": TALE}).marked()
    page = studio.open("Anna", "/document/1")
    studio.is_disturbed = True
    page.context.set_offline(True)
    press(page, ".", "ArrowRight", "Space", "ArrowRight", "c")
    page.keyboard.type("hm")
    press(page, "Enter")
    page.wait_for_selector("text=Your changes are kept in this browser")
    assert studio.codes("Anna") == {}
    page.context.set_offline(False)
    saved(page)
    assert studio.codes("Anna") == {0: ".", 1: ""}

    def full(*_):
        raise StoreError("the database cannot be used: disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(studio.project.store, "append", full)
        press(page, "?")
        page.wait_for_selector("text=disk is full. Your changes are kept in this browser")
    saved(page)
    assert studio.codes("Anna") == {0: ".", 1: "", 2: "?"}


def test_what_a_tab_has_left_is_sent_by_the_next(serve):
    studio = serve({"tale": TALE}).marked()
    page = studio.open("Anna", "/document/1")
    context = page.context
    studio.is_disturbed = True
    context.set_offline(True)
    press(page, ".", "ArrowRight", "?")
    page.wait_for_selector("text=offline, 2 waiting")
    page.close()
    context.set_offline(False)
    page = studio.tab(context)
    page.goto(f"{studio.base}/#/document/1")
    shows(page, ".g.bound", ".", "?")
    saved(page)
    assert studio.codes("Anna") == {0: ".", 1: "?"}
    assert page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('caesura|'))") == []


def test_two_tabs_show_the_same(serve):
    studio = serve({"tale": TALE}).marked()
    one = studio.open("Anna", "/document/1")
    two = studio.tab(one.context)
    two.goto(f"{studio.base}/#/document/1")
    two.wait_for_selector(".text-pane .g")
    press(one, ".", "ArrowRight", "ArrowRight", ";")
    two.wait_for_selector('.g.bound[data-gap="2"]')
    press(two, "!", "u", "Space")
    shows(one, ".g.bound", ";")
    saved(two)
    assert studio.codes("Anna") == {2: ";"}


HELD = """(() => {
  const listen = EventSource.prototype.addEventListener;
  window.held = [];
  EventSource.prototype.addEventListener = function (name, hear) {
    listen.call(this, name, name === "events" ? (event) => held.push(() => hear(event)) : hear);
  };
})()"""
"""The page hears of events only when a test calls what is held."""


def test_what_the_server_tells_late_changes_nothing(serve):
    """The echo of an act comes when a later one has taken its place."""
    studio = serve({"tale": TALE}).marked()
    page = studio.open("Anna", "/document/1", script=HELD)
    for number in (1, 2):
        press(page, "Space")
        page.wait_for_function(f"() => held.length === {number}")
    saved(page)
    press(page, "d")
    Page(studio.base, studio.links["Anna"].partition("#")[2]).act(event(gap=4, value="?"))
    page.wait_for_function("() => held.length === 3")
    page.evaluate("() => { held[0](); held[2](); }")
    shows(page, ".g.bound", "?")
    assert status(page).startswith("What others do is hidden"), "news wipe no answer away"


def test_a_dialog_is_gone_before_the_next_key(serve):
    studio = serve({"tale": TALE})
    page = studio.open("Anna", "/document/1")
    page.get_by_role("button", name="Comment").click()
    page.locator("textarea").fill("hm")
    assert page.evaluate(
        """() => {
            document.querySelector("dialog button").click();
            return [document.querySelector("dialog"), document.activeElement.className];
        }"""
    ) == [None, "text-pane"]
    shows(page, ".comments p", "hm")


def test_a_link_that_has_ended_keeps_the_work(serve):
    """One that never worked says so."""
    studio = serve({"tale": TALE}).marked()
    page = studio.open("Anna", "/document/1")
    person = studio.person("Anna")
    studio.is_disturbed = True
    studio.project.revoke(person.id)
    press(page, ".")
    page.wait_for_selector('.saving[data-state="ended"]:has-text("1 waiting")')
    token = studio.project.invite_again(person.id)
    page.goto(f"{studio.base}/#{token}")
    page.reload()
    studio.has("Anna", {0: "."})
    saved(page)
    studio.links["nobody"] = f"{studio.base}/#wrong"
    page = studio.open("nobody")
    assert page.locator("h1").inner_text() == "This link does not work"
    assert page.url == f"{studio.base}/"


def test_an_act_that_cannot_be_taken_does_not_hold_up_others(serve, monkeypatch):
    studio = serve({"tale": TALE}).marked()
    page = studio.open("Anna", "/document/1")
    allow = studio.project._require_allowed

    def picky(person, event):
        if event.value == "!":
            raise EventError("not today")
        allow(person, event)

    studio.is_disturbed = True
    page.context.set_offline(True)
    press(page, ".", "ArrowRight", "!", "ArrowRight", "?")
    page.wait_for_selector("text=offline, 3 waiting")
    monkeypatch.setattr(studio.project, "_require_allowed", picky)
    page.context.set_offline(False)
    page.wait_for_selector("text=1 change of yours refused. Not today.")
    page.wait_for_selector('.g[data-gap="1"]:not(.bound)')
    saved(page)
    assert studio.codes("Anna") == {0: ".", 2: "?"}


# Looks


@pytest.mark.parametrize("width", [768, 390])
def test_what_ends_the_work_is_in_sight_on_small_screens(serve, width):
    studio = serve({"tale": TALE}).marked()
    studio.act("Ben", ("set", 4, "."), ("state", 0, "finished"))
    pages = {who: studio.open(who, "/document/1", width=width) for who in ("Anna", "manager")}
    for who, name in (("Anna", "Finish"), ("manager", "Majority for all"), ("manager", "Close…")):
        box = pages[who].get_by_role("button", name=name).bounding_box()
        assert 0 <= box["x"] <= width - box["width"], name
        assert box["y"] <= 800 - box["height"], name
    if width == 390:  # a phone
        panes = [page.locator(".text-pane").bounding_box() for page in pages.values()]
        assert min(box["height"] for box in panes) >= 800 * 2 / 3 * 0.95


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_axe_finds_nothing(serve, width, theme):
    from axe_playwright_python.sync_playwright import Axe

    studio = serve({"tale": TALE}).marked()
    for who, gap in (("Anna", 4), ("Ben", 7)):
        studio.act(who, ("set", gap, ".~"), ("comment", gap, "hm"), ("state", 0, "finished"))
    own = studio.open("Anna", "/document/1", width=width, theme=theme)
    page = studio.open("manager", width=width, theme=theme)
    for path in ("/", "/agreement", "/people", "/document/1", "/guidelines"):
        studio.go(page, path)
        _clean(Axe().run(page), path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    _clean(Axe().run(own), "editor")
    press(own, "h")
    _clean(Axe().run(own), "help")
    press(own, "Escape")
    studio.act("manager", ("decide", 4, "."), ("decide", 7, "majority"), ("decide", 9, "!"))
    close(studio.project, studio.person("manager"), 1)
    for seen in (own, page):
        studio.go(seen, "/")
        studio.go(seen, "/document/1")
        seen.wait_for_selector(".editor:is([data-phase=closed], [data-phase=adjudicated])")
        _clean(Axe().run(seen), "closed")
        assert seen.evaluate("document.documentElement.scrollWidth") <= width


def _clean(found, where):
    wrong = [(each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]]
    assert wrong == [], where
