"""The direction of imports: a module imports only from those above it in this list."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import caesura

ROOT = Path(caesura.__file__).parent
DOCS = Path(__file__).parents[1] / "docs"


def load(path):
    """A script of the docs, as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


house = load(DOCS / "house.py")
ORDER, imported = house.ORDER, house.imported
MODULES = sorted(
    path
    for path in ROOT.rglob("*.py")
    if path.parent != ROOT or path.name in ("errors.py", "profiles.py")
)
OF_TASKS = {
    "stats/sweep.py",
    "output/report/charts.py",
    "output/report/edits.py",
    "output/report/morphs.py",
    "output/report/patterns.py",
    "output/report/payload.py",
    "output/report/saved.py",
    "output/report/sentences.py",
    "output/report/trees.py",
    "output/tables/boundaries.py",
    "output/tables/corrections.py",
    "output/tables/evalb.py",
    "output/tables/morphemes.py",
    "output/tables/sentences.py",
    "output/tables/text.py",
    "output/tables/trees.py",
}
"""Parts of a task, or what knows one, that are not in its folder yet: they may import tasks."""


def rank(parts):
    return ORDER.index(parts[0])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_from_above(path):
    own = path.relative_to(ROOT).with_suffix("").parts
    for parts in imported(path):
        if parts[0] == "tasks" and path.relative_to(ROOT).as_posix() in OF_TASKS:
            continue
        inside_package = parts[0] == own[0] and len(own) > 1
        assert inside_package or rank(parts) < rank(own), f"{'.'.join(own)} imports {parts}"


def test_no_module_is_excused_that_need_not_be():
    for name in OF_TASKS:
        assert "tasks" in {parts[0] for parts in imported(ROOT / name)}, name


PURE = ("core", "align", "measures")


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path.relative_to(ROOT).parts[0] in PURE],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_data_alignment_and_measures_know_no_files(path):
    assert not {parts[0] for parts in imported(path)} & {"io", "formats"}


def dotted(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def neighbours():
    """The modules that each module imports from its own folder, anywhere in it."""
    names = {dotted(path) for path in MODULES}
    found = {}
    for path in MODULES:
        own = dotted(path)
        imports = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("caesura."):
                place = node.module.removeprefix("caesura.")
                inner = {f"{place}.{alias.name}" for alias in node.names}
                imports |= inner & names or {place}
        found[own] = {name for name in imports if name.split(".")[0] == own.split(".")[0]} - {own}
    return found


def test_no_folder_has_an_import_cycle():
    left = neighbours()
    while free := {name for name, imports in left.items() if not imports & left.keys()}:
        left = {name: imports for name, imports in left.items() if name not in free}
    assert not left, f"modules in a cycle, or that import one: {sorted(left)}"


def test_the_design_draws_the_house_as_it_is():
    page = (DOCS / "design.md").read_text("utf-8")
    assert house.drawn(page) == page, "run `python docs/house.py`"


def test_every_module_has_its_place():
    assert {path.relative_to(ROOT).parts[0].removesuffix(".py") for path in MODULES} == set(ORDER)


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import caesura", "numpy"),
        ("import caesura.cli", "numpy"),
        ("import caesura.cli", "rich"),
        ("import caesura; caesura.wisebe", "rich"),
        ("import caesura; caesura.read", "fsspec"),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_used(statement, absent):
    code = f"import sys; {statement}; sys.exit({absent!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_exported_names():
    assert sorted(caesura.__all__) == [
        "CaesuraError", "Comparison", "Document", "Evaluation", "FORMATS", "MEASURES", "Result",
        "Segmentation", "agreement", "boundary", "boundary_similarity", "cohen_kappa", "compare",
        "consensus", "document", "either", "evaluate", "joint", "marks", "masses", "pk",
        "positions", "read", "resegment", "segmentation_similarity", "sweep", "terms", "tolerant",
        "trees", "windowdiff", "wisebe", "wordseg",
    ]  # fmt: skip
    assert all(getattr(caesura, name) is not None for name in caesura.__all__)
    assert set(caesura.__all__) <= set(dir(caesura))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'wisbe'"):
        caesura.wisbe  # noqa: B018
