"""The documentation in a browser: no formula is cut off."""

import re
import subprocess
import sys

import pytest

from support.paths import ROOT

pytestmark = pytest.mark.docs

MEASURED = """() => {
  const right = document.querySelector("article").getBoundingClientRect().right;
  const cut = (each) => each.getBoundingClientRect().right > right + 1 ||
    each.scrollWidth > each.clientWidth + 1;
  return [...document.querySelectorAll("div.math")].filter(cut).map((each) => each.textContent);
}"""


BUILT = ROOT / "docs" / "_build" / "html"


def is_fresh():
    """Whether `scripts/test` has built the pages since anything they are made of was changed."""
    last = BUILT / "searchindex.js"
    docs = (path for path in (ROOT / "docs").rglob("*") if BUILT.parent not in path.parents)
    sources = [*ROOT.glob("*.md"), *docs, *(ROOT / "src").rglob("*.py"), *ROOT.glob("src/**/*.md")]
    newest = max(path.stat().st_mtime for path in sources if path != BUILT.parent)
    return last.exists() and last.stat().st_mtime > newest


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """All pages, as `scripts/test` builds them."""
    pytest.importorskip("furo")
    if is_fresh():
        return BUILT
    place = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "-q", "-E", "-b", "html", ROOT / "docs", place]
    subprocess.run(build, check=True, cwd=ROOT)
    return place


@pytest.fixture
def sheet(browser):
    page = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True).new_page()
    yield page
    page.context.close()


ARTICLE = re.compile("(?<=<article).*?>(.*)(?=</article>)", re.DOTALL)
SHOWN = """async ([article, place]) => {
  document.head.querySelector("base")?.remove();
  document.head.prepend(Object.assign(document.createElement("base"), { href: place }));
  MathJax.typesetClear();
  document.querySelector("article").innerHTML = article;
  await MathJax.typesetPromise();
}"""
"""Shows the text of another page in this one, which need not load MathJax again."""


def test_no_formula_is_cut_off(sheet, site):
    texts = {path: path.read_text() for path in site.rglob("*.html")}
    pages = [path for path, text in texts.items() if '<div class="math' in text]
    assert len(pages) > 10
    sheet.goto(pages[0].as_uri())
    sheet.wait_for_selector("div.math mjx-container")
    for path in pages:
        sheet.evaluate(SHOWN, [ARTICLE.search(texts[path])[1], path.as_uri()])
        formulas = sheet.locator("div.math")
        assert formulas.count() == formulas.locator("mjx-container").count() > 0
        assert sheet.evaluate(MEASURED) == [], path.name
        assert sheet.evaluate("document.documentElement.scrollWidth") <= 1440
