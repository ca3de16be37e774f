"""Look for what caesura cannot cope with: mutated files of every kind, and random command lines.

A case fails if anything but an error of caesura's own comes of it, if it takes long or much memory,
or if a promise is broken, such as that a format keeps what is written to it, or that an input is
not changed.
"""

import argparse
import math
import shlex
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from fuzz.hunt import Failure, Hunt, limit_memory
from fuzz.workers import hunted


def main():
    """Hunt, and say what was found."""
    given = _arguments()
    if given.case is not None:
        sys.exit(_one(given))
    began = time.time()
    cases = given.cases or (sys.maxsize - given.first if given.minutes else 10_000)
    given.stop = given.first + cases
    given.until = began + 60 * given.minutes if given.minutes else math.inf
    places, tried = Counter(), 0
    for found in hunted(given):
        if isinstance(found, Failure):
            places[found.place, found.problem.partition(":")[0]] += 1
            _tell(found, places, given)
        else:
            tried = found
    spent = time.time() - began
    for (place, problem), count in places.most_common():
        print(f"{count:8,}  {place}  {problem}")
    print(
        f"{tried:,} cases in {spent:.0f} s ({tried / spent:.0f} per second), seed {given.seed}: "
        f"{places.total():,} failures at {len(places):,} places"
    )
    sys.exit(bool(places))


def _arguments():
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("scripts/fuzz", description=__doc__, formatter_class=about)
    add = parser.add_argument
    add("--seed", default="1", help="what the cases are made from (default: 1)")
    add("--cases", type=int, help="the number of cases (default: 10,000)")
    add("--minutes", type=float, help="the time to spend, instead of a number of cases")
    add("--first", type=int, default=0, help="the number of the first case (default: 0)")
    add("--case", type=int, help="try one case alone, with its traceback")
    add("--kind", action="append", default=[], help="try this kind of file only; repeatable")
    add("--command", action="append", default=[], help="try lines of this command; repeatable")
    add("--jobs", type=int, default=1, help="the number of processes (default: 1)")
    add("--save", metavar="FOLDER", help="keep the first file that fails at each place there")
    return parser.parse_args()


def _tell(failure, places, given):
    """Print the first failure at a place, and how to see it again."""
    if places[failure.place, failure.problem.partition(":")[0]] > 1:
        return
    chosen = (*_pairs("--kind", given.kind), *_pairs("--command", given.command))
    again = ("--seed", given.seed, *chosen, "--case", str(failure.number))
    print(f"{failure}\n    scripts/fuzz {shlex.join(again)}", flush=True)
    if given.save and failure.data:
        folder = Path(given.save)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{failure.number}--{failure.file}").write_bytes(failure.data)
        (folder / f"{failure.number}.txt").write_text(f"{failure}\n{failure.trace}")


def _pairs(option, values):
    return [word for each in values for word in (option, each)]


def _one(given):
    """Try one case, and show what it raises; --save keeps its file and all that it may name."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        hunt = Hunt(given.seed, folder, given.kind, given.command)
        limit_memory()
        file, data, target, _ = hunt.made(given.case)
        failure = hunt.tried(given.case)
        if given.save:
            shutil.copytree(folder, given.save, dirs_exist_ok=True)
            place = Path(given.save, f"case-{given.case}")
            place.mkdir(exist_ok=True)
            (place / f"x.{file.partition('.')[2]}").write_bytes(data)
    print(f"{file}, {len(data):,} bytes: {data[:2000]!r}\n{target.__name__}")
    print(f"{failure.trace}{failure}" if failure else "nothing failed")
    return bool(failure)


if __name__ == "__main__":
    main()
