"""A million small documents: by eight shards, by Dask, resumed and merged; time, memory, growth.

    python benchmarks/shards.py --folder PATH [--documents N …] [--only STAGE …]
                                [--markdown] [--into docs/scale.md]

The documents have 60 words, in three versions: a system and two references, columns of one table
in Parquet. Shards run two at a time, each in one process; Dask
has two workers. What was measured is kept in PATH/measured.json, so that stages can be run one by
one; PATH is left to be deleted. *Resumed* is the first shard, finished, which is run again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import made_text
from caesura.io.packed import decompressor
from caesura.run.rows_file import ROW
from common import Tee, print_table, put, require_place
from watch import CAESURA, Watched, watched

MB = 10**6
SHARDS, AT_A_TIME, WORDS, GROUP = 8, 2, 60, 1000
VERSIONS = ("system", "anna", "ben")
BEGIN, END = "<!-- a million documents -->", "<!-- end of a million documents -->"
STAGES = ("shards", "resumed", "dask", "merge")
LITTLE, TERABYTE, PRICE = 60 * MB, 1e12, 0.04
"""Smaller processes are helpers of Dask; and what a core hour costs, in dollars."""
DIFFERENT = 50_000
"""How many different documents there are; later ones have the same words under other names."""


def make(path: Path, documents: int) -> None:
    """Write the table."""
    made_text.PARAGRAPH = WORDS
    words = made_text.Words.of(WORDS * min(documents, DIFFERENT), np.random.default_rng(1))
    texts = {name: [each.decode() for each in words.version()] for name in VERSIONS}
    schema = pa.schema([(name, pa.string()) for name in ("document", *VERSIONS)])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, documents, GROUP):
            rows = range(start, min(documents, start + GROUP))
            columns = {n: [own[at % len(own)] for at in rows] for n, own in texts.items()}
            names = [f"d{at:08}" for at in rows]
            writer.write_table(pa.table({"document": names, **columns}, schema), GROUP)


def command(table: Path, rows: str, *how: str) -> list[str]:
    """Score the table, and save the rows."""
    system, *references = (f"{name}={table}" for name in VERSIONS)
    against = [each for name in references for each in ("--ref", name)]
    printed = os.devnull if "{shard}" in rows else str(table.with_name(f"{rows}.txt"))
    saved = ["--rows", str(table.with_name(rows)), "-q", "-o", printed]
    return [CAESURA, "transcript", system, *against, *how, *saved]


def by_shards(table: Path) -> list[Watched]:
    """Count every shard, two at a time."""
    lines = [
        command(table, "rows-{shard}.jsonl.zst", "--shard", f"{at}/{SHARDS}", "-j", "1")
        for at in range(1, SHARDS + 1)
    ]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        return list(pool.map(watched, lines))


def resumed(table: Path) -> list[Watched]:
    """Resume the first shard, which is finished: its rows are read, and nothing is counted."""
    shard = "--shard", f"1/{SHARDS}", "-j", "1", "--resume"
    return [watched(command(table, "rows-{shard}.jsonl.zst", *shard))]


def by_dask(table: Path) -> list[Watched]:
    """Count all documents on a cluster of two workers."""
    return [watched(command(table, "dask.jsonl.zst", "--engine", "dask", "-j", str(AT_A_TIME)))]


def merged(table: Path) -> list[Watched]:
    """Merge the shards."""
    files = map(str, sorted(table.parent.glob("rows-*.zst")))
    return [watched([CAESURA, "merge", *files, "-q", "-o", str(table.with_name("merged.txt"))])]


def hash_of_rows(paths: list[Path]) -> tuple[int, int]:
    """The number of rows, and the sum of their hashes, which is the same in any order."""
    number, total = 0, 0
    for path in paths:
        with decompressor(path.suffix)(path.open("rb")) as file:
            for line in file:
                if line.startswith(ROW):
                    number, total = number + 1, total + hash(line)
    return number, total


def measure(folder: Path, documents: int, stages: list[str]) -> dict[str, Any]:
    """Run the stages on a number of documents; return what each stage took."""
    place, found = folder / str(documents), dict[str, Any]()
    table = place / "documents.parquet"
    if not table.exists():
        place.mkdir(parents=True)
        make(table, documents)
    runs: dict[str, Callable[[Path], list[Watched]]] = {
        "shards": by_shards,
        "resumed": resumed,
        "dask": by_dask,
        "merge": merged,
    }
    for stage in stages:
        start = time.perf_counter()
        each = [asdict(one) for one in runs[stage](table)]
        found[stage] = {"wall": time.perf_counter() - start, "processes": each}
    texts = sum(pc.sum(pc.binary_length(column)).as_py() for column in pq.read_table(table).columns)
    saved = sum(each.stat().st_size for each in place.glob("rows-*.zst"))
    sizes = {"texts": texts, "saved": saved, "load": os.getloadavg()[0]}
    return {**sizes, **found, **_equal(place)}


def _equal(place: Path) -> dict[str, int]:
    """How many rows there are; those of Dask and of shards must be the same, and the tables."""
    dask, shards = place / "dask.jsonl.zst", sorted(place.glob("rows-*.zst"))
    if not dask.exists() or len(shards) < SHARDS:
        return {}
    (rows, one), (_, many) = hash_of_rows([dask]), hash_of_rows(shards)
    expected, printed = _tables(place / "dask.jsonl.zst.txt"), _tables(place / "merged.txt")
    if one != many or (printed and not printed.startswith(expected)):
        sys.exit(f"{place}: the results of Dask and of shards differ")
    return {"rows": rows}


def _tables(path: Path) -> str:
    """What was printed, without notes and the signature."""
    return _text(path).rpartition("\n\n")[0]


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


SHOWN = {
    "shards": "8 shards, two at a time",
    "resumed": "one shard, resumed",
    "dask": "Dask, two workers",
    "merge": "`merge`",
}
"""What stages are called."""


def show(measured: dict[str, dict[str, Any]], *, markdown: bool) -> None:
    """Print what was measured, and how it grows."""
    rows = [
        (f"{int(documents):,}", SHOWN[stage], *_figures(found[stage]))
        for documents, found in measured.items()
        for stage in STAGES
        if stage in found
    ]
    header = ("documents", "what", "wall, s", "CPU s", "peak MB of each process")
    print_table(header, rows, left=2, markdown=markdown)
    print(
        "\nTime and memory grow as these powers of the number of documents, from the second-largest"
    )
    print("number to the largest:\n")
    grown = [(SHOWN[stage], *_growth(measured, stage)) for stage in STAGES]
    print_table(("what", "CPU", "largest process"), grown, left=1, markdown=markdown)
    _show_cost(*list(measured.items())[-1])


def _figures(stage: dict[str, Any]) -> tuple[str, str, str]:
    peaks = _peaks(stage)
    is_one = len(peaks) == 1
    shown = f"{peaks[0]:,.0f}" if is_one else " + ".join(f"{each:,.0f}" for each in peaks)
    return f"{stage['wall']:,.0f}", f"{_cpu(stage):,.0f}", shown


def _cpu(stage: dict[str, Any]) -> float:
    return float(sum(each["cpu"] for each in stage["processes"]))


def _peaks(stage: dict[str, Any]) -> list[float]:
    """The megabytes at most of each process that has more than some."""
    found = [
        [each["first_peak"]] if len(each["each"]) < 2 else each["each"]
        for each in stage["processes"]
    ]
    return [peak / MB for own in found for peak in own if peak > LITTLE]


def _growth(measured: dict[str, dict[str, Any]], stage: str) -> tuple[str, str]:
    """The powers by which CPU time and the largest process grow."""
    points = [(int(n), own[stage]) for n, own in measured.items() if stage in own][-2:]
    if len(points) < 2:
        return "–", "–"
    (few, less), (many, more) = points
    ratios = _cpu(more) / _cpu(less), max(_peaks(more)) / max(_peaks(less))
    cpu, peak = (np.log(each) / np.log(many / few) for each in ratios)
    return f"{cpu:.2f}", f"{peak:.2f}"


def _show_cost(documents: str, found: dict[str, Any]) -> None:
    cpu = _cpu(found["shards"]) + _cpu(found.get("merge", {"processes": []}))
    texts, number = found["texts"] / MB, int(documents)
    times = TERABYTE / found["texts"]
    hours = times * cpu / 3600
    print(f"\n{number:,} documents are {texts:,.0f} MB of text in three versions, and their rows,")
    print(f"{found.get('rows', 0):,} of them, {found['saved'] / MB:,.0f} MB as .zst. A CPU second")
    print(f"counts {texts / cpu:.1f} MB, with the merge. So a terabyte of such documents,")
    print(f"{times * number / 1e9:.1f} billion of them, takes {hours:,.0f} core hours, which are")
    print(
        f"{hours / 100:,.1f} hours on 100 cores, or {hours * PRICE:,.0f} dollars at {PRICE} each."
    )


def main() -> None:
    """Run the stages that were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True, metavar="PATH")
    parser.add_argument("--documents", type=int, nargs="+", default=[10**4, 10**5, 10**6])
    parser.add_argument("--only", nargs="*", choices=STAGES, default=list(STAGES))
    parser.add_argument("--markdown", action="store_true", help="print tables for the docs")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="put them into a page, too")
    given = parser.parse_args()
    if given.into:
        require_place(given.into, BEGIN, END)
    given.folder.mkdir(parents=True, exist_ok=True)
    saved = given.folder / "measured.json"
    measured: dict[str, dict[str, Any]] = json.loads(_text(saved) or "{}")
    for documents in given.documents if given.only else ():
        new = measure(given.folder, documents, given.only)
        measured[str(documents)] = measured.get(str(documents), {}) | new
        saved.write_text(json.dumps(measured, indent=1))
    with redirect_stdout(Tee()) as printed:
        show(measured, markdown=given.markdown or given.into is not None)
    if given.into:
        put(given.into, printed.getvalue(), BEGIN, END)


if __name__ == "__main__":
    main()
