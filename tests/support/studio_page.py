"""The studio's page in a real browser, for tests."""

from dataclasses import dataclass, field

from caesura.studio.events import Event
from caesura.studio.project import Project

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

    def open(self, who, path="/", *, width=1280, height=800, theme="light", **how):
        """A page of somebody, in a browser of their own."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, **how
        )
        context.set_default_timeout(8000)
        self.contexts.append(context)
        page = self.tab(context)
        page.goto(self.links[who])
        page.wait_for_selector("h1")
        if path != "/":
            self.go(page, path)
        return page

    def close(self):
        for context in self.contexts:
            context.close()

    def tab(self, context):
        """A further tab of the same browser."""
        page = context.new_page()
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda problem: self.said.append(str(problem)))
        page.on("dialog", lambda dialog: self.said.append(dialog.message))
        return page

    def go(self, page, path):
        page.evaluate("path => { location.hash = path }", path)
        page.wait_for_selector(READY[path.split("/")[1]])

    def person(self, who):
        return next(each for each in self.project.people.values() if each.name == who)

    def act(self, who, *acts, document=1):
        """Do something as somebody, without a page."""
        events = [Event(who, at, document, *each) for at, each in enumerate(acts)]
        self.project.take(self.person(who), events)

    def codes(self, who, document=1):
        """What the server has of somebody: the gaps and their marks."""
        person = self.person(who)
        layer = self.project.board.current(document, person.id)
        return layer.boundaries() if layer else {}


READY = {
    "": ".documents a",
    "document": ".text-pane .g",
    "agreement": "#agreement-title",
    "people": "form",
    "score": "form",
    "adjudicate": ".disputes li",
    "guidelines": "#guidelines-title",
}


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def saved(page):
    page.wait_for_selector('.saving[data-state="saved"]')


def status(page):
    return page.locator(".status").inner_text()
