"""The guidelines: drafts that are kept, Markdown that is safe, and what is new."""

import pytest

from caesura.studio.events import Event
from support.studio_page import TALE, shows

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

TEXT = """# Units

A unit is *what stands* by **itself**; see [the manual](https://example.org/a_(b)) or
<mailto:lab@example.org>, not [here](javascript:alert(1)).

1. Set one after `every` clause.
   - nested <img src=x onerror=alert(1)>
2. Not before `and`.

| words | boundary |
|---|--:|
| so \\| it | yes |

> Ask.

```
a  b
```
"""


def save(studio, text):
    studio.project.do(studio.project.manager, Event.of_project("guidelines", text=text))


def test_markdown_is_rendered_and_nothing_else(serve):
    studio = serve({"tale": TALE})
    save(studio, TEXT)
    page = studio.open("Anna", "/guidelines")
    text = page.locator(".guidelines")
    shows(page, ".guidelines h2", "Units")
    shows(page, ".guidelines a", "the manual", "lab@example.org")
    link = text.locator("a").first
    assert [link.get_attribute(name) for name in ("href", "target", "rel")] == [
        "https://example.org/a_(b)", "_blank", "noopener",
    ]  # fmt: skip
    assert "[here](javascript:alert(1))" in text.inner_text()
    shows(page, ".guidelines > ol > li > ul > li", "nested <img src=x onerror=alert(1)>")
    shows(page, ".guidelines :is(em, strong)", "what stands", "itself")
    shows(page, ".guidelines :is(th, td)", "words", "boundary", "so | it", "yes")
    shows(page, ".guidelines :is(blockquote, pre)", "Ask.", "a  b")
    assert text.locator("img, script").count() == 0


def test_whatever_is_written_is_shown_at_once(serve):
    studio = serve({"tale": TALE})
    page = studio.open("manager", "/guidelines")
    page.get_by_role("button", name="Write them").click()
    box = page.get_by_label("Guidelines in Markdown")
    hostile = (
        "> " * 5000 + "deep",
        "- many\n" * 500,
        "[" * 99_000,
        "*" * 99_000 + "a" + "*" * 99_000,
    )
    for at, text in enumerate((*hostile, "في يوم")):
        box.fill(f"{text}\n\n{at}")
        page.locator(".guidelines > p").get_by_text(str(at), exact=True).wait_for()
    assert page.locator(".guidelines").get_attribute("dir") == "rtl"


def test_a_draft_is_kept_until_it_is_saved(serve):
    studio = serve({"tale": TALE})
    page = studio.open("manager", "/guidelines")
    page.get_by_role("button", name="Write them").click()
    page.get_by_label("Guidelines in Markdown").fill("# Draft\n\nso far")
    shows(page, ".guidelines h2", "Draft")
    save(studio, "from elsewhere")
    studio.go(page, "/people")
    studio.go(page, "/guidelines")
    shows(page, ".guidelines p", "so far")
    page.reload()
    page.wait_for_selector("text=Version 1 was saved meanwhile")
    page.get_by_role("button", name="Save as a new version").click()
    page.wait_for_selector("text=Version 2")
    assert studio.project.board.guidelines[-1][1] == "# Draft\n\nso far"
    page.reload()
    page.wait_for_selector("text=Version 2")
    assert page.evaluate("Object.keys(localStorage).filter(k => k.includes('guidelines'))") == []


def test_what_is_new_is_marked_until_there_is_a_newer_version(serve):
    studio = serve({"tale": TALE})
    save(studio, "one\n\ntwo")
    page = studio.open("Anna")
    with page.expect_response("**/api/acts"):
        studio.go(page, "/guidelines")
    page.wait_for_selector("text=Version 1")
    assert page.locator("mark").count() == 0
    save(studio, "one\n\n- two\n- three")
    page.reload()
    shows(page, "mark", "three")
    page.evaluate("dispatchEvent(new Event('storage'))")
    shows(page, "mark", "three")
    page.reload()
    page.wait_for_selector("text=Version 2")
    assert page.locator("mark").count() == 0
