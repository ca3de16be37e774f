"""A baseline: what caesura prints and saves, to show that a rebuild changes no number.

    python benchmarks/baseline.py save FOLDER            run all commands, save what comes out
    python benchmarks/baseline.py compare OLD NEW        print every difference; exit with 1 if any

`save` runs the caesura that Python imports: with PYTHONPATH=CHECKOUT/src, that of any checkout.
`commands` has the commands, `inputs` makes their input, `changes` tells what may differ, `shown`
and `tabular` take pages and tables apart.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ABOUT, TIMES = "about.json", "times.json"


def save(folder: Path, only: str) -> None:
    """Make the inputs in a temporary folder, run the commands there, and save the results."""
    from baselines.commands import commands
    from baselines.record import Recorder, environment, package

    folder.mkdir(parents=True, exist_ok=True)
    if not only:
        _remove_saved(folder)
    chosen = commands(has_data=DATA.is_dir())
    needed = [command for command in chosen if only in command.name]
    times: dict[str, float] = {}
    crashed: list[str] = []
    print(f"saving what {package()} gives", flush=True)
    with TemporaryDirectory() as work, chdir(work):
        _make_inputs(Path(work))
        recorder = Recorder(folder)
        for number, command in enumerate(needed, 1):
            start = time.perf_counter()
            crashed += [command.name] if recorder.record(command) else []
            times[command.name] = round(time.perf_counter() - start, 2)
            print(f"{number}/{len(needed)} {command.name} {times[command.name]:.1f} s", flush=True)
    (folder / ABOUT).write_text(json.dumps(environment(), indent=1) + "\n")
    (folder / TIMES).write_text(json.dumps(times, indent=1) + "\n")
    print(f"{len(needed)} commands in {sum(times.values()):.0f} s: {folder}")
    if crashed:
        sys.exit(f"{len(crashed)} of them ended in a traceback: {', '.join(crashed)}")


def _remove_saved(folder: Path) -> None:
    """Remove what an earlier run has saved, whose commands may be others."""
    for runs in folder.glob("*/runs.json"):
        shutil.rmtree(runs.parent)


def _make_inputs(work: Path) -> None:
    from baselines.inputs import make

    make(work)
    if DATA.is_dir():
        (work / "data").symlink_to(DATA)


def compare(old: Path, new: Path, most: int) -> int:
    """Print every difference between two saved folders, and say how many there are."""
    from baselines.differences import differences

    number = 0
    for output, found in differences(old, new):
        number += len(found)
        print(f"\n{output}")
        for each in found[: most or None]:
            print(each)
        if most and len(found) > most:
            print(f"  … and {len(found) - most} more; see all with --most 0")
    commands = sum(path.is_dir() for path in new.iterdir())
    print(f"{number} differences in {commands} commands")
    return min(number, 1)


def main() -> None:
    """Save or compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    actions = parser.add_subparsers(dest="action", required=True)
    saving = actions.add_parser("save", help="run all commands and save what comes out")
    saving.add_argument("folder", type=Path)
    saving.add_argument(
        "--only",
        default="",
        help="only commands with this in their name; those on saved rows need others first",
    )
    comparing = actions.add_parser("compare", help="print every difference")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--most", type=int, default=10, help="differences shown of one output")
    given = parser.parse_args()
    if given.action == "compare":
        sys.exit(compare(given.old, given.new, given.most))
    os.environ |= {"NO_COLOR": "1", "COLUMNS": "200"}
    os.environ.pop("CAESURA_SEED", None)
    save(given.folder.resolve(), given.only)


if __name__ == "__main__":
    main()
