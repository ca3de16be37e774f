"""Pages of the report for tests: a command in this process, and its page in a browser."""

import json
import random
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from caesura.cli import cli
from support.patience import PATIENCE

WORDS = "so we went down to the old harbour and it had rained all night".split()
FRAMES = """async () => {
  for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
}"""
TEXTS = "(selector) => [...document.querySelectorAll(selector)].map((each) => each.innerText)"
CELLS = """rows => rows.map((row) =>
  [...row.querySelectorAll('th, td')].map((cell) => cell.innerText.trim()))"""


def caesura(*arguments):
    """Run a command; what goes wrong is raised."""
    cli.main([str(each) for each in arguments], standalone_mode=False)


def transcript(seed, size, share):
    """A random transcript, a unit per line."""
    draw = random.Random(seed)
    words = random.Random(size).choices(WORDS, k=size)
    return "".join(
        word + ("\n" if draw.random() < share or at == size - 1 else " ")
        for at, word in enumerate(words)
    )


DATA = re.compile(r'(?<=id="data">).*?(?=</script>)', re.DOTALL)


def data_of(path):
    """The data in a page."""
    return json.loads(DATA.search(path.read_text(encoding="utf-8"))[0])


def changed(path, place, change):
    """A copy of a page whose data a function has changed."""
    data = data_of(path)
    change(data)
    text = path.read_text(encoding="utf-8")
    place.write_text(DATA.sub(lambda _: json.dumps(data), text), encoding="utf-8")
    return place


@dataclass
class Sheet:
    """A page that is open, and all it asked for or complained of."""

    page: object
    path: Path
    asked: list = field(default_factory=list)
    said: list = field(default_factory=list)
    failed: dict = field(default_factory=dict)

    @property
    def data(self):
        return data_of(self.path)

    def texts(self, selector):
        """The texts of what a selector finds, with single spaces.

        It is found and read in one step: what a redraw takes away between two has its hidden text.
        """
        return [" ".join(text.split()) for text in self.page.evaluate(TEXTS, selector)]

    def table(self, title):
        """A table as lists of texts, with its head."""
        region = self.page.get_by_role("region", name=title, exact=True)
        return region.locator("tr").evaluate_all(CELLS)

    def choose(self, label, value, part="main"):
        self.page.locator(part).get_by_label(label).select_option(value)

    def width(self):
        """How wide all of the page is."""
        return self.page.evaluate("document.documentElement.scrollWidth")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def until(self, is_so):
        """Wait for what the browser tells whenever it likes."""
        for _ in range(PATIENCE // 20):
            if is_so():
                return
            self.page.wait_for_timeout(20)

    def settle(self):
        """Wait until what was asked for is drawn: a few frames."""
        self.page.evaluate(FRAMES)

    def require_text_only(self):
        """Nothing of the input has become markup."""
        markup = "main img, iframe, object, main script, main i i, svg[onload], [onerror]"
        assert self.page.locator(markup).count() == 0
        assert self.page.locator("script").count() == 2


IDLE = []
"""Pages that no test looks at; to show another document in one costs a fifth of a new page."""


@contextmanager
def open_page(browser, path, *, width=1280, height=900, patience=PATIENCE, **how):
    """Open a page; nothing may go wrong on it, and it asks for nothing.

    What is said `how` needs a page of its own, which is closed; others are used again.
    """
    page = IDLE.pop() if IDLE and not how else new_page(browser, **how)
    page.set_viewport_size({"width": width, "height": height})
    page.set_default_timeout(patience)
    sheet = Sheet(page, path)
    hear = {
        "request": lambda request: sheet.asked.append(request.url),
        "requestfailed": lambda each: sheet.failed.update({each.url: each.failure}),
        "console": lambda message: sheet.said.append(message.text),
        "pageerror": lambda problem: sheet.said.append(str(problem)),
        "dialog": lambda dialog: sheet.said.append(dialog.message),
    }
    for event, listener in hear.items():
        page.on(event, listener)
    page.goto(path.as_uri())
    page.wait_for_selector("main section")
    try:
        yield sheet
    finally:
        page.context.close() if how else forget(page)
        for event, listener in hear.items():
            page.remove_listener(event, listener)
        if not how:
            IDLE.append(page)
    assert sheet.said == []
    assert [url for url in sheet.asked if not url.startswith("blob:")] == [path.as_uri()]


def new_page(browser, **how):
    return browser.new_context(offline=True, **how).new_page()


def forget(page):
    """Leave nothing of what was done on a page."""
    page.emulate_media(media="null", color_scheme="null")
    page.mouse.move(0, 0)
    page.goto("about:blank")
