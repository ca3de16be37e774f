"""All benchmarks of the docs, in one run: `docs/benchmarks.md` is made anew.

    python benchmarks/all.py [--quick] [--only SECTION …] [--kinds KIND …] [--markdown PAGE]

First comes one table: work for which there is a peer or a limit, beside it (see `limits.py`); then
what the other scripts print. Run it on a machine that does nothing else. It takes about ten
minutes on two cores, with `--quick` about one. With `--markdown`, the figures take the place of
those in the page.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from common import Tee, print_table, put, require_place
from limit_bench import FULL, HEADER, QUICK, Bench, Figure
from limits import KINDS
from watch import keep_bytecode

HERE = Path(__file__).parent
SCRIPTS = {
    "transcript": ["transcript.py"],
    "text": ["text.py", "--only", "hard", "--quick"],
    "terms": ["terms.py", "--only", "peer", "--quick"],
    "stats": ["stats.py"],
    "startup": ["startup.py"],
}
"""What each section runs besides the first."""


def markers(section: str) -> tuple[str, str]:
    """What stands before and after the figures of a section in the page."""
    return f"<!-- figures: {section} -->", f"<!-- end of {section} -->"


def limits(kinds: Sequence[str], *, quick: bool, markdown: bool) -> None:
    """Print the table of work with a limit."""
    start, loads = time.monotonic(), [os.getloadavg()[0]]
    figures: list[Figure] = []
    with TemporaryDirectory() as folder:
        keep_bytecode(Path(folder) / "bytecode")
        bench = Bench(Path(folder), QUICK if quick else FULL)
        print(f"start-up: {bench.start.wall:.2f} s", file=sys.stderr)
        for kind in kinds:
            for figure in KINDS[kind](bench):
                figures.append(figure)
                print(*figure.cells, sep=" · ", file=sys.stderr, flush=True)
            shutil.rmtree(bench.folder, ignore_errors=True)
            loads.append(os.getloadavg()[0])
            print(f"{kind}: done after {time.monotonic() - start:.0f} s", file=sys.stderr)
    print_table(HEADER, [figure.cells for figure in figures], left=2, markdown=markdown)
    version = f"Python {sys.version.split()[0]}, NumPy {np.__version__}, {os.cpu_count()} cores"
    busy = f"load average {min(loads):.1f} to {max(loads):.1f}"
    print(f"\n{version}; {busy}; {(time.monotonic() - start) / 60:.1f} minutes.")


def script(section: str, *, quick: bool) -> None:
    """Print what a script prints."""
    name, *options = SCRIPTS[section]
    more = ["--quick"] if quick and "--quick" not in options else []
    command = [sys.executable, str(HERE / name), *options, *more, "--markdown"]
    print(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    sections = ["limits", *SCRIPTS]
    parser.add_argument("--quick", action="store_true", help="small sizes, about a minute")
    parser.add_argument("--only", nargs="+", choices=sections, default=sections, metavar="SECTION",
                        help=f"run these sections only: {', '.join(sections)}")  # fmt: skip
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND",
                        help=f"of limits, these kinds only: {', '.join(KINDS)}")  # fmt: skip
    parser.add_argument("--markdown", type=Path, metavar="PAGE", help="put the figures into a page")
    return parser.parse_args()


def main() -> None:
    """Run the sections that were asked for."""
    given = _arguments()
    page = given.markdown
    for section in given.only if page else ():
        require_place(page, *markers(section))
    for section in given.only:
        with redirect_stdout(Tee()) as printed:
            if section == "limits":
                limits(given.kinds, quick=given.quick, markdown=page is not None)
            else:
                script(section, quick=given.quick)
        if page:
            put(page, printed.getvalue(), *markers(section))


if __name__ == "__main__":
    main()
