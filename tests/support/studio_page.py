"""The studio's page in a real browser, for tests.

What a key does is there when it returns, unless the server has a part in it: for that, a test waits
with `saved`, `shows`, `says` or `Served.has`, and never for time.
"""

import time
import wave
from dataclasses import dataclass, field

from caesura.studio.events import MANAGER, Event
from caesura.studio.project import Project
from support.patience import PATIENCE
from support.studio_projects import Page

TALE = "well i came to the bridge by accident it was late so we left it there"


@dataclass
class Served:
    """A studio that runs, the links of its people, and all that its pages complained of."""

    project: Project
    base: str
    links: dict
    browser: object
    said: list = field(default_factory=list)
    contexts: list = field(default_factory=list)
    is_disturbed: bool = False
    """Whether requests fail on purpose, of which the browser complains."""

    def open(self, who, path="/", *, width=1280, height=800, theme="light", script="", **how):
        """A page of somebody, in a browser of their own, in which a script runs first."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, **how
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script(script)
        self.contexts.append(context)
        page = self.tab(context)
        page.goto(self.links[who])
        page.wait_for_selector("h1")
        if path != "/":
            self.go(page, path)
        elif who == MANAGER:  # whose buttons are about what the list has
            page.wait_for_selector("tbody tr, :text('There are no documents yet.')")
        return page

    def close(self):
        for context in self.contexts:
            context.close()

    def tab(self, context):
        """A further tab of the same browser."""
        page = context.new_page()
        page.on("console", lambda message: self.complain(message.text))
        page.on("pageerror", lambda problem: self.said.append(str(problem)))
        page.on("dialog", lambda dialog: self.said.append(dialog.message))
        return page

    def complain(self, text):
        if not (self.is_disturbed and text.startswith("Failed to load resource")):
            self.said.append(text)

    def go(self, page, path):
        """Open another screen, and wait until it is there."""
        page.evaluate(
            """path => {
                if (location.hash === `#${path}`) return;
                document.querySelector("main").firstElementChild?.setAttribute("data-left", "");
                location.hash = path;
            }""",
            path,
        )
        page.wait_for_selector("main > :not([data-left])")
        page.wait_for_selector(READY[path.split("/")[1]])

    def person(self, who):
        return next(each for each in self.project.people.values() if each.name == who)

    def act(self, who, *acts, document=1, client=""):
        """Do something as somebody, without a page."""
        events = [Event(client or who, at, document, *each) for at, each in enumerate(acts)]
        self.project.take(self.person(who), events)

    def manage(self, *acts):
        """Acts of the project, in the name of its manager; open pages are told."""
        token = self.links["manager"].partition("#")[2]
        told = Page(self.base, token).post("/api/acts", json={"acts": list(acts)})
        assert told.status_code == 200, told.text

    def marked(self):
        """Boundaries have marks from now on."""
        self.manage({"kind": "marks", "is_on": True})
        return self

    def codes(self, who, document=1):
        """What the server has of somebody: the gaps and their marks."""
        person = self.person(who)
        layer = self.project.board.current(document, person.id)
        return layer.boundaries() if layer else {}

    def has(self, who, codes, document=1):
        """Wait until the server has these boundaries of somebody, and fail if it never has."""
        ends = time.monotonic() + PATIENCE / 1000
        while self.codes(who, document) != codes and time.monotonic() < ends:
            time.sleep(0.02)
        assert self.codes(who, document) == codes


READY = {
    "": ".documents a",
    "document": ".text-pane .g",
    "agreement": "#agreement-title",
    "people": "form",
    "adjudicate": ".text-pane .g",
    "guidelines": "#guidelines-title",
}


CLOCK = """(() => {
  const times = new WeakMap(), playing = new WeakSet();
  const tell = (sound, ...names) => names.forEach((name) => sound.dispatchEvent(new Event(name)));
  Object.defineProperties(HTMLMediaElement.prototype, {
    duration: { get: () => 20 },
    paused: { get() { return !playing.has(this); } },
    currentTime: {
      get() { return times.get(this) ?? 0; },
      set(seconds) { times.set(this, seconds); tell(this, "seeked", "timeupdate"); },
    },
  });
  HTMLMediaElement.prototype.play = async function () { playing.add(this); tell(this, "play"); };
  HTMLMediaElement.prototype.pause = function () { playing.delete(this); tell(this, "pause"); };
})()"""
"""Sound that plays, but whose time stands still until a test moves it: `listen`."""


def listen(page, seconds):
    """Hear the sound up to a time, with `CLOCK`."""
    page.locator("audio").evaluate("(sound, at) => { sound.currentTime = at }", seconds)


def silence(folder, seconds=20):
    """A file of sound in which nothing is heard."""
    path = folder / "tale.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 1, 8000, 0, "NONE", ""))
        sound.writeframes(bytes([128]) * 8000 * seconds)
    return path


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def saved(page):
    page.wait_for_selector('.saving[data-state="saved"]')


def shows(page, selector, *texts):
    """Wait until these are the texts of what a selector finds."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_text(list(texts), timeout=PATIENCE)


def says(page, text):
    """Wait until the status contains a text."""
    from playwright.sync_api import expect

    expect(page.locator(".status")).to_contain_text(text, timeout=PATIENCE)


def status(page):
    return page.locator(".status").inner_text()
