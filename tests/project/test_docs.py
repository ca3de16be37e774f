"""Docs cannot rot: what there is, they tell; that their examples run is tested in test_examples."""

import importlib.util
import inspect
import re

import pytest

import caesura
from caesura.api.lists import FORMATS, MEASURES
from caesura.cli import cli
from caesura.detect import DETECTORS
from support.paths import ROOT

DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
EVERYTHING = "\n".join(page.read_text() for page in PAGES)
HINT = "run `python docs/generate.py`"


def generator():
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_line_reference_is_what_the_commands_say():
    assert (DOCS / "cli.md").read_text() == generator().reference(), HINT


def test_the_tables_of_scores_are_what_the_measures_declare():
    assert (DOCS / "measures" / "index.md").read_text() == generator().index(), HINT


def test_the_page_of_publications_is_what_their_files_say():
    assert (DOCS / "published.md").read_text() == generator().published(), HINT


def test_the_picture_is_of_what_the_demo_prints():
    assert (DOCS / "demo.svg").read_text() == generator().picture(), HINT


def test_every_command_is_told():
    assert [name for name in cli.commands if f"caesura {name}" not in EVERYTHING] == []


def test_every_measure_is_told():
    index = (DOCS / "measures" / "index.md").read_text()
    assert [name for name in MEASURES if f"`{name}`" not in index] == []
    told = set(generator().measure_pages())
    assert told == set(MEASURES), "a page says `<!-- measures: NAME -->`"


def test_every_format_is_told():
    page = (DOCS / "inputs.md").read_text()
    assert [name for name in FORMATS if f"`{name}`" not in page] == []


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_detector_is_told():
    page = (DOCS / "detectors.md").read_text()
    assert [name for name in DETECTORS if f"`{name}" not in page] == []


CALLS = re.findall(
    r"^\| \[`(\w+)`\]\(\S+\) \| `(.*?)` \|", (DOCS / "python.md").read_text(), re.MULTILINE
)


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_the_arguments_of_a_call_are_those_it_takes(name, arguments):
    found = inspect.signature(getattr(caesura, name)).parameters.values()
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in found]
    assert str(inspect.Signature(plain)).replace("'", '"') == f"({arguments})"


@pytest.mark.slow
def test_the_gallery_has_a_report_for_each_sample(tmp_path):
    spec = importlib.util.spec_from_file_location("gallery", DOCS / "gallery.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = module.gallery(tmp_path)
    page = (tmp_path / "index.html").read_text()
    assert len(names) == 11
    for name in names:
        assert f'href="{name}.html"' in page
        assert "<script" in (tmp_path / f"{name}.html").read_text()
