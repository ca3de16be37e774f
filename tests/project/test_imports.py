"""Imports go one way, and heavy modules are imported when they are used."""

import ast
import json
import re
import subprocess
import sys

import pytest

import caesura
from support.paths import DOCS, PACKAGE, TESTS
from support.scripts import load

house = load(DOCS / "house.py")
MODULES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if path.name not in ("__main__.py",) and path.parent != PACKAGE
)
MODULES += [PACKAGE / f"{name}.py" for name in house.ORDER if (PACKAGE / f"{name}.py").exists()]


def test_a_module_imports_only_from_rooms_before_its_own():
    wrong = []
    for path in MODULES:
        own = path.relative_to(PACKAGE).with_suffix("").parts
        for parts in house.imported(path):
            if parts[0] == own[0] and len(own) > 1:
                shared = {own[1], "_aligned_text", "against_gold"}
                if own[0] == "tasks" and not {*parts[1:2]} <= shared:
                    wrong.append(f"{'.'.join(own)} imports another task: {'.'.join(parts)}")
            elif house.ORDER.index(parts[0]) >= house.ORDER.index(own[0]):
                wrong.append(f"{'.'.join(own)} imports {'.'.join(parts)}")
            elif own[0] in ("core", "align", "measures") and parts[0] in ("io", "formats"):
                wrong.append(f"{'.'.join(own)} knows files: {'.'.join(parts)}")
    assert not wrong
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in MODULES}
    assert rooms == {*house.ORDER}


@pytest.mark.slow
def test_only_the_registry_names_a_community():
    """Nothing else has one in an import or a string, nor has another community."""
    home = PACKAGE / "communities"
    wrong = [
        (path, name)
        for path in {*PACKAGE.rglob("*.py")} - {home / "__init__.py", PACKAGE / "tasks/__init__.py"}
        for name in re.findall(r"caesura\.communities\.(\w+)", path.read_text("utf-8"))
        if home not in path.parents or name not in (path.parent.name, path.stem)
    ]
    assert not wrong, "let the community bring it: see Profile"


def test_no_room_has_an_import_cycle():
    def dotted(path):
        return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")

    names, left = {dotted(path) for path in MODULES}, {}
    for path in MODULES:
        imports = set()
        for node in ast.walk(house.parsed(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("caesura."):
                place = node.module.removeprefix("caesura.")
                imports |= {f"{place}.{each.name}" for each in node.names} & names or {place}
        room = dotted(path).split(".")[0]
        left[dotted(path)] = {each for each in imports if each.split(".")[0] == room} - {
            dotted(path)
        }
    while free := {name for name, imports in left.items() if not imports & left.keys()}:
        left = {name: imports for name, imports in left.items() if name not in free}
    assert not left, f"modules in a cycle, or that import one: {sorted(left)}"


def test_the_page_of_modules_draws_the_house_as_it_is():
    page = (DOCS / "modules.md").read_text("utf-8")
    assert house.drawn(page) == page, "run `python docs/house.py`"


def test_the_walk_of_the_design_is_what_happens():
    """Every function that docs/design.md lists is called, in that order, under the one above it."""
    sample, steps = PACKAGE / "sample", []
    design = (DOCS / "design.md").read_text("utf-8")
    walk = design.partition("(walk)=")[2].partition("\n## How ")[0]
    for block in re.findall(r"```text\n(.*?)```", walk, re.DOTALL):
        above = []
        for line in block.splitlines():
            depth, name = (
                len(line) - len(line.lstrip()),
                re.match(r"[\w/]+\.py:[\w.]+", line.strip())[0],
            )
            above = [each for each in above if each[0] < depth]
            steps.append((name, above[-1][1] if above else None))
            above.append((depth, name))
    refs = [each for at in "123" for each in ("--ref", sample / f"ann{at}.txt")]
    given = ["transcript", sample / "rules.txt", sample / "neural.txt", *refs]
    command = [sys.executable, TESTS / "support" / "walk.py", *map(str, given)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    under = {(names := json.loads(line))[-1]: names for line in ran.stdout.splitlines()}
    wrong = [f"{name} under {caller}" for name, caller in steps
             if name not in under or (caller and caller not in under[name])]  # fmt: skip
    assert not wrong, "fix the walk in docs/design.md"
    order = [*dict.fromkeys(name for name, _ in steps)]
    assert order == sorted(order, key=[*under].index), "the walk is in another order"


@pytest.mark.parametrize(
    ("statement", "absent"),
    [("import caesura", "numpy"), ("import caesura.cli", "numpy"),
     ("import caesura; caesura.read", "fsspec")],
)  # fmt: skip
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
    with pytest.raises(AttributeError, match="no attribute 'wisbe'"):
        caesura.wisbe  # noqa: B018
