"""Every example of the docs runs and prints what is shown; what cannot run says why."""

import os
import re
import shutil
import sys
import tomllib
from importlib.util import find_spec

import pytest

from support.doc_examples import Examples, blocks, prose
from support.paths import ROOT

pytestmark = pytest.mark.docs

FILES = ROOT / "tests" / "docs"
CARDS = sorted((ROOT / "src/caesura/detect/models").glob("*.md"))  # docs/models includes them
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *CARDS]
GENERATED = {"cli.md"}  # compared as a whole in test_docs
BLOCKS = {page: list(blocks(page)) for page in PAGES if page.name not in GENERATED}
RUN = {"console", "pycon", "python"}
# What a block that does not run may say above it: `% not run: REASON`, or the same between
# `<!--` and `-->`.
REASONS = {
    "needs a GPU",
    "needs packages that are not installed",
    "needs segmenters that are not installed",
    "needs torch",
    "is stopped by hand",
    "takes more than ten seconds",
}
UPDATE = "CAESURA_UPDATE_EXAMPLES"
"""Set by scripts/update-examples: write what is printed into the pages."""
OTHER_MARKS = ("data: ", "drawn by ")


def v6(folder):
    """Write the boundaries of the paper's transcript v6, as docs/reproducing.md does."""
    shutil.copytree(ROOT / "src/caesura/sets/data/wisebe-v6", folder, dirs_exist_ok=True)


def copy(name):
    return lambda folder: shutil.copytree(FILES / name, folder, dirs_exist_ok=True)


# What the readers of a page are supposed to have, besides the sample and the project's sources.
GIVEN = {
    "detectors.md": [copy("detectors")],
    "python.md": [copy("report"), copy("talks")],
    "report.md": [copy("report"), copy("talks")],
    "salami.md": [copy("salami")],
    "scale.md": [copy("talks")],
    "significance.md": [copy("talks"), v6],
}


def is_installed(package):
    """Whether a package can be imported; one that an example has imported may have no spec."""
    return package in sys.modules or find_spec(package) is not None


def chosen(page, *, data):
    """The blocks of a page that run: those that need data from beside the project, or the rest."""
    found = [block for block in BLOCKS[page] if block.language in RUN]
    found = [block for block in found if block.marked("not run") is None]
    return [block for block in found if (block.marked("data") is not None) == data]


def pages(*, data):
    named = {page.relative_to(ROOT).as_posix(): page for page in BLOCKS}
    return [pytest.param(page, id=name) for name, page in named.items() if chosen(page, data=data)]


@pytest.fixture
def folder(tmp_path):
    """A folder as the docs suppose it: the sample, and the project's sources and tests."""
    path = tmp_path / "folder"
    shutil.copytree(ROOT / "src" / "caesura" / "sample", path)
    for name in ("src", "tests"):
        (path / name).symlink_to(ROOT / name)
    return path


def peers():
    """The packages of others that the docs may compare with, as they are imported and called."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = [re.match(r"[\w-]+", each)[0] for each in extras["peers"] + extras["segmenters"]]
    return {"udeval": "udtools"} | {name: name for name in named}


def require_peers(found):
    """Skip a page that uses a package which is not installed; only CI insists on all."""
    code = "\n".join(block.code for block in found)
    for name, package in peers().items():
        is_used = re.search(rf"(?:import|from|--run|segment|\$) {name}\b", code)
        if is_used and not is_installed(package) and os.environ.get("CI") != "true":
            pytest.skip(f"needs {package}")


def run(found, folder, tmp_path):
    require_peers(found)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    examples = Examples(found, scratch)
    problems = examples.run(folder)
    if os.environ.get(UPDATE):
        left = [each for each in examples.changes if not each.write()]
        problems = problems if left or not examples.changes else []
    assert not problems, "\n\n".join(problems)


@pytest.mark.parametrize("page", pages(data=False))
def test_examples_of(page, folder, tmp_path):
    for give in GIVEN.get(page.name, []):
        give(folder)
    run(chosen(page, data=False), folder, tmp_path)


@pytest.mark.parametrize("page", pages(data=True))
def test_examples_with_real_data_of(page, folder, tmp_path, shared):
    found = chosen(page, data=True)
    for name in {block.marked("data") for block in found}:
        for path in (shared / "data" / name).iterdir():
            (folder / path.name).symlink_to(path)
    run(found, folder, tmp_path)


def test_blocks_that_do_not_run_say_why():
    marks = {str(block): block.mark for found in BLOCKS.values() for block in found if block.mark}
    allowed = {f"not run: {reason}" for reason in REASONS}
    others = {at: mark for at, mark in marks.items() if not mark.startswith(OTHER_MARKS)}
    assert {at: mark for at, mark in others.items() if mark not in allowed} == {}
    assert allowed == set(others.values()), "a reason that no block needs"


def test_no_example_hides():
    for page, found in BLOCKS.items():
        others = [block.code for block in found if block.language not in RUN]
        text = "\n".join([*others, prose(page)])
        assert re.findall(r"^ *(?:\$|>>>) .*", text, re.MULTILINE) == [], page
