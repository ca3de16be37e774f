"""Sound where words have the times of their cues only, and sound around a gap in dispute."""

import pytest

from caesura.studio.documents import Pinned
from support.studio_page import CLOCK, TALE, listen, press, shows, silence, status
from support.studio_projects import assign_everyone

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

CUES = ((4, 7), (8, 11))


def times(ends=0):
    """Of a word a second, and of cues those of all their words."""
    cue = {word: cue[ends] for cue in CUES for word in range(cue[0], cue[1] + 1)}
    return tuple((cue.get(word, word) + ends) * 1_000_000 for word in range(len(TALE.split())))


@pytest.fixture
def heard(serve, tmp_path):
    """A document with two cues among words that have times, and its sound."""
    studio = serve({"late": "so it was"})
    studio.project.add(Pinned("tale", TALE, TALE, times(), times(1), CUES))
    studio.project.audio["tale"] = silence(tmp_path)
    assign_everyone(studio.project)
    return studio


def time(page):
    return page.locator("audio").evaluate("sound => sound.currentTime")


def test_a_cue_is_played_and_marked_as_a_whole(heard):
    page = heard.open("Anna", "/document/2", script=CLOCK)
    press(page, *["ArrowRight"] * 6, "k")
    assert time(page) == 4, "where the cue begins"
    shows(page, ".w.heard", *TALE.split()[4:8])
    listen(page, 8.2)
    shows(page, ".w.heard", *TALE.split()[8:12])
    listen(page, 12.2)
    shows(page, ".w.heard", TALE.split()[12])


def test_a_tap_in_a_cue_sets_nothing_and_says_why(heard):
    page = heard.open("Anna", "/document/2", script=CLOCK)
    press(page, "k")
    listen(page, 6.5)
    press(page, "Space")
    assert "no times of their own" in status(page)
    assert page.locator(".g.bound").count() == 0
    listen(page, 13.5)
    press(page, "Space")
    assert page.locator(".g.bound").get_attribute("data-gap") == "13"


def test_words_of_a_cue_draw_no_pauses(heard):
    page = heard.open("Anna", "/document/2", script=CLOCK)
    assert page.locator(".g.paused").count() == 0
    press(page, "]")
    assert status(page) == "No pause further on."


@pytest.mark.parametrize(
    ("gap", "start", "stop"), [(1, 0, 3.5), (14, 12.5, 16.5), (5, 4, 8), (3, 1.5, 8)]
)
def test_what_is_around_a_gap_is_played(heard, gap, start, stop):
    page = heard.open("manager", "/document/2", script=CLOCK)
    press(page, *["ArrowRight"] * gap, "k")
    assert time(page) == start
    listen(page, stop - 0.1)
    page.wait_for_selector(".w.heard")
    listen(page, stop)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    press(page, "k")
    assert time(page) == start
