"""Adjudication in a real browser: disputes in the text, closing, and what annotators then see."""

import pytest

from support.studio_page import TALE, press, saved, says, shows, status

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def disputed(serve):
    """Anna, Ben and Chloé have finished; they agree on gap 6, and differ on 2, 9 and 11."""
    studio = serve({"tale": TALE}, ("Anna", "Ben", "Chloé")).marked()
    studio.act("Anna", ("set", 2, ".~"), ("set", 6, "."), ("set", 9, "."), ("comment", 2, "pause?"))
    studio.act("Ben", ("set", 6, "."), ("set", 9, "?"), ("set", 11, ";"))
    studio.act("Chloé", ("set", 6, "."), ("set", 9, "."))
    for who in ("Anna", "Ben", "Chloé"):
        studio.act(who, ("state", 0, "finished"), client=f"{who} ends")
    return studio


def decided(studio):
    found = studio.project.board.decisions.get(1, {})
    return {gap: each.value for gap, each in sorted(found.items())}


def facts(page, text):
    page.wait_for_selector(f".lead:has-text('{text}')")


def at(page):
    return int(page.locator(".g.cursor").get_attribute("data-gap"))


def test_the_text_shows_votes_and_keys_decide(disputed):
    page = disputed.open("manager", "/adjudicate/1")
    facts(page, "3 in dispute, 0 decided")
    shows(page, ".g.bound:not(.disputed)", ".")
    shows(page, ".legend bdi", "Anna", "Ben", "Chloé")
    votes = page.locator('.g.open[data-gap="9"] .vote').evaluate_all(
        "all => all.map((each) => each.dataset.vote)"
    )
    assert votes == [".", "?", "."]
    press(page, "n")
    assert at(page) == 2
    assert status(page).startswith("open · after “came”, before “to” · Anna: unsure boundary, full")
    assert "Ben: no boundary" in status(page)
    assert "Anna says: pause?" in status(page)
    press(page, "Backspace", "n", "m", "n", "d", *["Shift+Tab"] * 2, "Space")
    saved(page)
    facts(page, "4 in dispute, 3 decided, 1 to discuss")
    assert decided(disputed) == {2: None, 6: None, 9: "majority", 11: "discuss"}
    shows(page, ".g.decided", "×", "×", ".", "…")
    press(page, "u", "u", "u")
    saved(page)
    assert decided(disputed) == {2: None}
    assert page.locator(".g.open").count() == 2
    press(page, "U")
    saved(page)
    assert decided(disputed) == {2: None, 9: "majority"}


def test_decisions_are_undone_after_the_page_was_left(disputed):
    page = disputed.open("manager", "/document/1")
    press(page, "n", "x", "n", ".", "m")
    saved(page)
    page.reload()
    page.wait_for_selector(".text-pane .g")
    for left in ({2: None, 9: "."}, {2: None}, {}):
        press(page, "u")
        saved(page)
        assert decided(disputed) == left
    press(page, "u")
    says(page, "Nothing to undo.")


def test_keys_go_from_dispute_to_dispute_and_say_when_none_is_open(disputed):
    page = disputed.open("manager", "/document/1")
    press(page, "n", "n", "Space", "n")
    assert at(page) == 11
    press(page, "n")
    assert at(page) == 2, "from the beginning again"
    press(page, "p", "P")
    assert at(page) == 9, "which is decided"
    page.get_by_role("button", name="Majority for all that are open").click()
    page.get_by_role("button", name="Set to majority").click()
    saved(page)
    assert decided(disputed) == {2: "majority", 9: "", 11: "majority"}
    press(page, "n")
    says(page, "No dispute is open")
    page.locator('.g[data-gap="4"]').click()
    assert at(page) == 4
    assert decided(disputed).keys() == {2, 9, 11}, "a click only goes there"


def test_closing_names_who_has_not_finished_and_opening_again_keeps_decisions(disputed):
    disputed.project.invite("Dora")
    dora = disputed.person("Dora").id
    disputed.manage({"kind": "assign", "document": 1, "person": dora, "pass": 1})
    page = disputed.open("manager", "/document/1")
    facts(page, "Dora has not finished")
    press(page, "f")
    says(page, "3 disputes must be decided first")
    assert at(page) == 2
    press(page, ".", "n", "m", "n", "x", "f")
    assert "Not finished: Dora" in page.locator("dialog").inner_text()
    page.get_by_role("button", name="Withdraw and close").click()
    facts(page, "closed by manager with 3 boundaries in 16 words")
    assert page.locator(".toolbar .mark").count() == 0
    shows(page, ".g.bound", ".", ".", ".")
    press(page, "N", "Space")
    assert at(page) == 2
    says(page, "This document is closed")
    page.get_by_role("button", name="Open again").click()
    facts(page, "3 in dispute, 3 decided")
    assert decided(disputed) == {2: ".", 9: "majority", 11: None}


def test_what_others_decide_arrives_without_moving_the_cursor(disputed):
    page = disputed.open("manager", "/document/1")
    press(page, "n", "n")
    _, token = disputed.project.invite("Judy", "adjudicator")
    disputed.links["Judy"] = f"{disputed.base}/#{token}"
    judy = disputed.open("Judy", "/document/1")
    press(judy, "n", ".")
    facts(page, "3 in dispute, 1 decided")
    assert at(page) == 9
    press(page, "P")
    assert "decided: boundary, full stop, by Judy" in status(page)
    press(page, "m")
    facts(judy, "3 in dispute, 1 decided")
    shows(judy, ".g.decided", "×")


def test_annotators_see_others_only_when_it_is_closed_and_their_layer_is_sealed(disputed):
    page = disputed.open("Anna", "/document/1")
    press(page, "d")
    says(page, "What others do is hidden until the document is closed")
    assert page.locator(".votes").count() == 0
    judge = disputed.open("manager", "/document/1")
    press(judge, "n", ".", "n", "m", "n", "x", "f", "Enter")
    facts(judge, "closed")
    page.wait_for_selector(".reason:has-text('This document is closed')")
    shows(page, ".legend bdi", "you", "Ben", "Chloé")
    press(page, "Control+Home", "d", "d")
    assert at(page) == 9
    assert status(page).startswith("result: boundary, full stop")
    assert "you: boundary, full stop · Ben: boundary, question mark" in status(page)
    press(page, "D")
    assert "you say: pause?" in status(page)
    assert page.get_by_role("button", name="Undo").count() == 0
    press(page, "Space", "c")
    says(page, "This document is closed")
    judge.get_by_role("button", name="Open again").click()
    page.wait_for_selector(".reason:has-text('no longer changed')")
    assert page.locator(".votes").count() == 0
    press(page, "Space")
    says(page, "no longer changed")
    assert disputed.codes("Anna") == {2: ".", 6: ".", 9: "."}


def test_nobody_has_finished(serve):
    studio = serve({"tale": TALE})
    page = studio.open("manager", "/document/1")
    facts(page, "nobody has finished yet; Anna, Ben have not finished")
    press(page, "Space")
    says(page, "there is nothing to decide")
    press(page, "f")
    says(page, "there is nothing to close")
    assert decided(studio) == {}


def test_arabic_is_judged_in_its_direction(serve):
    text = "في يوم من الأيام جاء رجل إلى الجسر القديم"
    studio = serve({"tale": text})
    studio.act("Anna", ("set", 3, ""), ("state", 0, "finished"))
    studio.act("Ben", ("state", 0, "finished"))
    page = studio.open("manager", "/document/1")
    press(page, "w")
    assert at(page) == 5, "on, as the text is read"
    press(page, "ArrowRight", "ArrowRight")
    assert at(page) == 3, "arrows are of the screen"
    place = "(each) => each.getBoundingClientRect().x"
    votes = [page.locator(".votes .vote").nth(each).evaluate(place) for each in (0, 1)]
    assert votes[0] > votes[1]
    press(page, "Space")
    saved(page)
    assert decided(studio) == {3: ""}
