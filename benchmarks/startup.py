"""How long a small run takes, beside `import numpy`: `python benchmarks/startup.py [--quick]`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import caesura
from common import print_table

SAMPLE = Path(caesura.__file__).parent / "sample"
REFERENCES = ["--ref", "ann1.txt", "--ref", "ann2.txt", "--ref", "ann3.txt"]
COMMANDS = {
    "transcript": ["transcript", "neural.txt", *REFERENCES],
    "transcript -f json": ["transcript", "neural.txt", *REFERENCES, "-f", "json"],
    "agreement": ["agreement", "ann1.txt", "ann2.txt", "ann3.txt"],
    "text": ["text", "neural.txt", "--gold", "ann1.txt"],
    "text -f json": ["text", "neural.txt", "--gold", "ann1.txt", "-f", "json"],
    "--help": ["--help"],
}
ROUNDS = 20
LIMIT = 3.0


def seconds(arguments: list[str], environment: dict[str, str]) -> float:
    """The time of one process, from its start to its end."""
    start = time.perf_counter()
    subprocess.run(
        arguments,
        cwd=SAMPLE,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start


def compiled(folder: str) -> dict[str, str]:
    """An environment in which every module is compiled once, as in an installed package."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def best_times(programs: dict[str, list[str]], rounds: int) -> dict[str, float]:
    """The best of some rounds, by turns; the first round compiles and does not count."""
    best = dict.fromkeys(programs, float("inf"))
    with TemporaryDirectory() as folder:
        environment = compiled(folder)
        for at in range(rounds + 1):
            for name, program in programs.items():
                taken = seconds(program, environment)
                best[name] = min(best[name], taken) if at else best[name]
    return best


def main() -> None:
    """Run everything by turns and print the best times, and their ratios to `import numpy`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds")
    parser.add_argument("--markdown", action="store_true", help="print a table for the docs")
    given = parser.parse_args()
    run = [sys.executable, "-c", "from caesura.cli import main; main()"]
    programs = {"import numpy": [sys.executable, "-c", "import numpy"]}
    programs |= {f"caesura {name}": [*run, *arguments] for name, arguments in COMMANDS.items()}
    best = best_times(programs, 2 if given.quick else ROUNDS)
    ratios = {name: taken / best["import numpy"] for name, taken in best.items()}
    rows = [
        (
            f"`{name}`",
            f"{1000 * taken:.0f}",
            f"{ratios[name]:.2f}",
            "no" if ratios[name] > LIMIT else "yes",
        )
        for name, taken in best.items()
    ]
    print_table(
        ("command", "ms", "× `import numpy`", f"≤ {LIMIT:.0f}"), rows, markdown=given.markdown
    )


if __name__ == "__main__":
    main()
