"""Keys by what they type and by their place, and the words that are searched for."""

import pytest

from caesura.studio.events import Event
from support.studio_page import TALE, press, saved, shows, status

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

ARABIC = "في يوم من الأيام جاء رجل إلى الجسر"


def typed(page, key, code, **held):
    """What a layout sends when a key is pressed: what it types, and where it is."""
    page.locator(".text-pane").dispatch_event("keydown", {"key": key, "code": code, **held})


def cursor(page):
    return int(page.locator(".g.cursor").get_attribute("data-gap"))


def test_marks_are_what_is_typed(serve):
    studio = serve({"tale": TALE})
    studio.project.do(studio.project.manager, Event.of_project("marks", is_on=True))
    page = studio.open("Anna", "/document/1")
    for key, code, mark in (
        ("؟", "Slash", "?"),  # Arabic
        ("؛", "KeyP", ";"),
        (";", "KeyQ", "?"),  # Greek
        ("\u037e", "KeyQ", "?"),
        ("·", "KeyQ", ";"),
        (".", "Slash", "."),  # Russian
        ("。", "Period", "."),
        ("．", "Period", "."),
        ("！", "Digit1", "!"),
        ("？", "Slash", "?"),
        ("；", "Semicolon", ";"),
        ("।", "Period", "."),
    ):
        typed(page, "Backspace", "Backspace")
        typed(page, key, code)
        assert page.locator(".g.cursor").inner_text() == mark, key


def test_letters_are_what_is_typed_or_the_key_in_its_place(serve):
    studio = serve({"tale": TALE})
    studio.act("Anna", ("set", 3, ""), ("set", 8, ""), ("comment", 0, "here it begins"))
    page = studio.open("Anna", "/document/1")
    for key in ("n", "N", "т", "ى", "ν", "מ"):  # N with Caps Lock
        typed(page, "Home", "Home", ctrlKey=True)
        typed(page, key, "KeyN", modifierCapsLock=key == "N")
        assert cursor(page) == 3, key
    typed(page, "n", "KeyL")  # Dvorak
    assert cursor(page) == 8
    typed(page, "Ц", "KeyW", shiftKey=True)
    assert cursor(page) == 3
    typed(page, "'", "KeyW")  # Hebrew
    assert cursor(page) == 8
    for key, code in (("a", "KeyQ"), ("'", "KeyQ"), ("ь", "KeyM")):
        typed(page, key, code)
    assert page.locator(".g.unsure").count() == 0
    typed(page, "[", "Digit8", modifierAltGraph=True, altKey=True)  # German
    assert status(page) == "No pause before this."
    for key in "[]":  # Arabic
        typed(page, key, "KeyD", shiftKey=True)
        assert status(page).startswith("What others do is hidden")
        typed(page, "Home", "Home")
    typed(page, "я", "KeyZ", ctrlKey=True)
    shows(page, ".comments p")
    typed(page, "‘", "KeyU", shiftKey=True)  # Arabic
    shows(page, ".comments p", "here it begins")


def test_on_is_the_way_the_text_is_read(serve):
    studio = serve({"right": ARABIC})
    page = studio.open("Anna", "/document/1")
    press(page, "w")
    assert cursor(page) == 5
    press(page, "ArrowRight")
    assert cursor(page) == 4
    press(page, "W")
    assert cursor(page) == 0


def test_the_keys_are_those_of_annotators_or_of_judges(serve):
    studio = serve({"tale": TALE})
    for who, path, own, others in (
        ("Anna", "/document/1", "comment on the gap", "as the majority has it"),
        ("manager", "/document/1", "as the majority has it", "comment on the gap"),
    ):
        page = studio.open(who, path)
        press(page, "h")
        told = page.locator("dialog").inner_text()
        assert own in told
        assert others not in told
        assert "question mark" not in told, "marks are off"
        assert "slower" not in told, "there is no sound"


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        (" ".join("我们在学校里学习学校"), "学校", ["学", "校", "学", "校"]),
        ("我们 在 学校 里 学习", "在学", ["在", "学校"]),
        ("we saw New York and York", "new YORK", ["New", "York"]),
        ("we saw New York and York", "york", ["York", "York"]),
        ("die STRASSE am cafe\u0301", "straße am café", ["STRASSE", "am", "cafe\u0301"]),
        (ARABIC, "جاء رج", ["جاء", "رجل"]),
        ("the cat", "thecat", []),
    ],
)
def test_search_finds_runs_of_words(serve, text, phrase, found):
    studio = serve({"tale": text})
    page = studio.open("Anna", "/document/1")
    press(page, "/")
    page.get_by_label("Search").fill(phrase)
    assert page.locator(".w.hit").all_inner_texts() == found


def test_search_is_left_with_enter_at_what_was_found(serve):
    studio = serve({"tale": "so " + " ".join("我们在学校里")})
    page = studio.open("Anna", "/document/1")
    press(page, "/")
    page.keyboard.type("学校")
    press(page, "Enter", "Space")
    saved(page)
    assert studio.codes("Anna") == {4: ""}
