"""The direction of imports: a module imports only from those above it in this list."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields

import pytest

import caesura
from caesura.core.registry import Later
from caesura.tasks import TASKS
from support.paths import DOCS, PACKAGE, TESTS
from support.scripts import load

house = load(DOCS / "house.py")
ORDER, imported = house.ORDER, house.imported
MODULES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if path.parent != PACKAGE or path.name in ("errors.py", "profiles.py", "removed.py")
)


def rank(parts):
    return ORDER.index(parts[0])


def test_a_module_imports_only_from_above():
    wrong = []
    for path in MODULES:
        own = path.relative_to(PACKAGE).with_suffix("").parts
        for parts in imported(path):
            inside_package = parts[0] == own[0] and len(own) > 1
            if not inside_package and rank(parts) >= rank(own):
                wrong.append(f"{'.'.join(own)} imports {'.'.join(parts)}")
    assert not wrong


def test_a_task_imports_no_other_task():
    wrong = []
    for path in sorted((PACKAGE / "tasks").glob("*/*.py")):
        own, name = path.parent.name, path.relative_to(PACKAGE).as_posix()
        others = {parts[1] for parts in imported(path) if parts[0] == "tasks" and len(parts) > 1}
        if others - {own, "_aligned_text"}:
            wrong.append(f"{name} imports {', '.join(others)}")
    assert not wrong


PURE = ("core", "align", "measures")


def test_data_alignment_and_measures_know_no_files():
    pure = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] in PURE]
    imports = {path: {parts[0] for parts in imported(path)} for path in pure}
    assert not [path for path, names in imports.items() if names & {"io", "formats"}]


def dotted(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def neighbours():
    """The modules that each module imports from its own folder, anywhere in it."""
    names = {dotted(path) for path in MODULES}
    found = {}
    for path in MODULES:
        own = dotted(path)
        imports = set()
        for node in ast.walk(house.parsed(path)):
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


def test_the_page_of_modules_draws_the_house_as_it_is():
    page = (DOCS / "modules.md").read_text("utf-8")
    assert house.drawn(page) == page, "run `python docs/house.py`"


def places(value):
    """Every `Later` in a value, however deep."""
    if isinstance(value, Later):
        yield value
    elif isinstance(value, Mapping):
        yield from (each for inner in value.values() for each in places(inner))
    elif isinstance(value, tuple):
        yield from (each for inner in value for each in places(inner))


@pytest.mark.parametrize("name", TASKS)
def test_the_parts_of_a_task_are_where_it_says(name):
    task = TASKS[name]
    parts = [each for field in fields(task) for each in places(getattr(task, field.name))]
    assert [each.place for each in parts if each.it is None] == []
    assert [key for key in task.measures if task.measures[key] is None] == []


DESIGN = (DOCS / "design.md").read_text("utf-8")
NAMED = re.compile(r"([\w/]+\.py):([\w.]+)")


def defined(path):
    """The names that a module defines: functions, classes, their methods, and constants."""
    names = set()
    for node in house.parsed(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            inner = (each for each in node.body if isinstance(each, ast.FunctionDef))
            names |= {f"{node.name}.{each.name}" for each in inner}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                each.id for part in targets for each in ast.walk(part) if isinstance(each, ast.Name)
            }
    return names


def test_the_design_names_what_there_is():
    wrong = [f"{file}:{name}" for file, name in NAMED.findall(DESIGN)
             if not (PACKAGE / file).exists() or name not in defined(PACKAGE / file)]  # fmt: skip
    assert not wrong, "fix docs/design.md, which says where these are"


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("the rounding of a table", "output/tables/__init__.py"),
        ("the tie of an alignment of words", "align/ties.py"),
        ("the default of an option of transcripts", "tasks/transcript/options.py"),
    ],
)
def test_the_design_leads_to_one_file(question, file):
    (line,) = [each for each in DESIGN.splitlines() if each.startswith(f"| {question} |")]
    assert [found for found, _ in NAMED.findall(line)] == [file]


def steps():
    """The lines of the walk: a function, and the one under which it is indented, or None."""
    walk = DESIGN.partition("(walk)=")[2].partition("\n## How ")[0]
    for block in re.findall(r"```text\n(.*?)```", walk, re.DOTALL):
        above = []
        for line in block.splitlines():
            depth = len(line) - len(line.lstrip())
            above = [each for each in above if each[0] < depth]
            name = ":".join(NAMED.match(line.strip()).groups())
            yield name, above[-1][1] if above else None
            above.append((depth, name))


def test_the_walk_of_the_design_is_what_happens():
    sample = PACKAGE / "sample"
    given = [sample / "rules.txt", sample / "neural.txt"]
    given += [
        each for name in ("ann1", "ann2", "ann3") for each in ("--ref", sample / f"{name}.txt")
    ]
    command = [sys.executable, TESTS / "support" / "walk.py", "transcript", *map(str, given)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    under = {(names := json.loads(line))[-1]: names for line in ran.stdout.splitlines()}
    wrong = [f"{name} under {caller}" for name, caller in steps()
             if name not in under or (caller and caller not in under[name])]  # fmt: skip
    assert not wrong, "fix the walk in docs/design.md"
    order = [name for name, _ in steps()]
    order = [name for at, name in enumerate(order) if name not in order[:at]]
    assert order == sorted(order, key=[*under].index), "the walk is in another order"


def test_every_module_has_its_place():
    assert {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in MODULES} == set(
        ORDER
    )


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import caesura", "numpy"),
        ("import caesura.cli", "numpy"),
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
        "compute", "consensus", "count_batch", "document", "either", "evaluate", "joint", "labels",
        "marks", "masses", "merge", "pk", "positions", "probabilities", "read", "resegment",
        "segmentation_similarity", "terms", "times", "tolerant", "trees", "windowdiff",
        "wisebe", "wordseg",
    ]  # fmt: skip
    assert all(getattr(caesura, name) is not None for name in caesura.__all__)
    assert set(caesura.__all__) <= set(dir(caesura))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'wisbe'"):
        caesura.wisbe  # noqa: B018
