"""Write docs/modules.md: the folders, who imports whom, and every module in a line.

Run it after a module was added, moved or described anew: `python docs/house.py`.
"""

import ast
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent / "src" / "caesura"
PAGE = HERE / "modules.md"
ORDER = (
    "removed",
    "errors",
    "core",
    "io",
    "sets",
    "formats",
    "align",
    "matching",
    "measures",
    "detect",
    "run",
    "scores",
    "stats",
    "output",
    "steps",
    "tasks",
    "communities",
    "api",
    "published",
    "testing",
    "studio",
    "cli",
)
"""The folders and modules; each imports only from those before it."""
MARKS = "<!-- drawn by docs/house.py: {name} -->", "<!-- end of {name} -->"


@cache
def parsed(path: Path) -> ast.Module:
    """A module, parsed once for all that is asked of it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> tuple[list[str], ...]:
    """The modules of caesura that a file imports, anywhere in it, as lists of parts."""
    names: list[str] = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return tuple(name.split(".")[1:] for name in names if name.startswith("caesura."))


def modules(name: str) -> list[Path]:
    """The modules of a folder, those of its folders too."""
    folder = ROOT / name
    return sorted(folder.rglob("*.py")) or [ROOT / f"{name}.py"]


def matrix() -> str:
    """A row for each folder, with a dot under each folder that it imports from."""
    width = max(map(len, ORDER))
    lines = [" " * width + "  " + "  ".join(ORDER)]
    for name in ORDER:
        used = {parts[0] for path in modules(name) for parts in imported(path)} - {name}
        cells = [("•" if other in used else "").center(len(other)) for other in ORDER]
        lines.append(f"{name:<{width}}  {'  '.join(cells)}".rstrip())
    return "\n".join(("```text", *lines, "```"))


def listing() -> str:
    """Every module with the first line of its docstring."""
    blocks = []
    for name in ORDER:
        rows = [f"| `{_title(path)}` | {_about(path)} |" for path in modules(name)]
        if len(rows) > 1:
            rows = [f"| **`{name}/`** | {_about(ROOT / name / '__init__.py')} |", *rows[1:]]
        blocks += rows
    return "\n".join(("| module | what it is |", "|---|---|", *blocks))


def _title(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return "/".join(part for part in parts if part != "__init__")


def _about(path: Path) -> str:
    text = ast.get_docstring(parsed(path)) or ""
    first = " ".join(text.split("\n\n")[0].split())
    return first.replace("|", "\\|")


def drawn(page: str) -> str:
    """The page with its drawings as they are now."""
    for name, text in {"imports": matrix(), "modules": listing()}.items():
        begin, end = (mark.format(name=name) for mark in MARKS)
        before, _, rest = page.partition(begin)
        after = rest.partition(end)[2]
        page = f"{before}{begin}\n\n{text}\n\n{end}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(drawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
