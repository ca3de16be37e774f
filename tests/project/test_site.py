"""The documentation in a browser: no formula is cut off."""

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


def test_no_formula_is_cut_off(sheet, site):
    pages = [path for path in site.rglob("*.html") if '<div class="math' in path.read_text()]
    assert len(pages) > 10
    for path in pages:
        sheet.goto(path.as_uri())
        sheet.wait_for_selector("div.math mjx-container")
        assert sheet.evaluate(MEASURED) == [], path.name
        assert sheet.evaluate("document.documentElement.scrollWidth") <= 1440
