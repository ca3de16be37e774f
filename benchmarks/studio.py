"""How long the studio takes to acknowledge an event.

    python benchmarks/studio.py [--annotators 50] [--rate 100] [--seconds 20]

A server runs in a process of its own. Annotators send one event a request, at even intervals, and
each listens to what happens; the clock of an event begins when it was due, so that nobody who
waits hides how long others do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from common import milliseconds, print_table

HOST, WORDS, SINGLE = "127.0.0.1", 50_000, 200
HEADER = ("load", "events", "p50 ms", "p99 ms", "max ms")


@dataclass
class Wire:
    """A connection that speaks as little HTTP as there is."""

    port: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    cookie: str = ""

    @classmethod
    async def connect(cls, port: int, cookie: str = "") -> Wire:
        return cls(port, *await asyncio.open_connection(HOST, port), cookie)

    @classmethod
    async def enter(cls, port: int, token: str) -> Wire:
        """Begin a session."""
        wire = await cls.connect(port)
        head, _ = await wire.ask("POST", "/api/enter", {"token": token})
        wire.cookie = _found(r"caesura_session\w*=[^;]+", head)[0]
        return wire

    async def ask(self, method: str, path: str, values: object = None) -> tuple[str, bytes]:
        """The head and the body of an answer."""
        self._send(method, path, b"" if values is None else json.dumps(values).encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        return head, await self.reader.readexactly(int(_found(r"content-length: (\d+)", head)[1]))

    def _send(self, method: str, path: str, body: bytes = b"") -> None:
        self.writer.write(
            f"{method} {path} HTTP/1.1\r\nhost: {HOST}:{self.port}\r\nx-caesura: studio\r\n"
            f"cookie: {self.cookie}\r\ncontent-length: {len(body)}\r\n\r\n".encode()
            + body
        )

    async def act(self, client: str, sequence: int) -> None:
        """Send one event, and wait until it is on disk."""
        event = {
            "client": client, "sequence": sequence, "document": 1, "kind": "set",
            "gap": sequence * 7919 % (WORDS - 1), "value": "",
        }  # fmt: skip
        head, body = await self.ask("POST", "/api/events", {"events": [event]})
        if not head.startswith("HTTP/1.1 200"):
            raise SystemExit(f"{head}{body.decode()}")

    async def listen(self) -> None:
        """Hear what happens, and forget it."""
        self._send("GET", "/api/live")
        while await self.reader.read(1 << 16):
            pass


def _found(pattern: str, text: str) -> re.Match[str]:
    found = re.search(pattern, text, re.IGNORECASE)
    if found is None:
        raise SystemExit(text)
    return found


@contextmanager
def server() -> Iterator[tuple[int, str]]:
    """A studio with one long document; its port, and the manager's token."""
    with TemporaryDirectory(prefix="caesura-") as folder:
        text = " ".join(f"word{at % 997}" for at in range(WORDS))
        (Path(folder) / "talk.txt").write_text(text, encoding="utf-8")
        port = _free_port()
        options = ["--port", str(port), "--no-browser"]
        process = subprocess.Popen(
            [sys.executable, "-m", "caesura", "studio", folder, *options],
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stderr is not None
            yield port, _found(r"/#(\S+)", process.stderr.readline())[1]
        finally:
            process.terminate()
            process.communicate()


def _free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
        return port


async def measured(port: int, token: str, asked: argparse.Namespace) -> list[list[float]]:
    """Seconds of single events, one after the other, and of all events under load."""
    manager = await Wire.enter(port, token)
    tokens = [await _invited(manager, f"P{at}") for at in range(asked.annotators)]
    wires = [await Wire.enter(port, each) for each in tokens]
    single = [await _timed(wires[0], "single", at, time.perf_counter()) for at in range(SINGLE)]
    listening = [
        asyncio.create_task((await Wire.connect(port, each.cookie)).listen())
        for each in (manager, *wires)
    ]
    every = asked.annotators / asked.rate
    begin = time.perf_counter() + 0.5
    taken = await asyncio.gather(
        *(
            _annotate(each, at, begin + at * every / len(wires), (every, asked.seconds))
            for at, each in enumerate(wires)
        )
    )
    for each in listening:
        each.cancel()
    return [single, [seconds for own in taken for seconds in own]]


async def _invited(manager: Wire, name: str) -> str:
    _, body = await manager.ask("POST", "/api/people", {"name": name, "everything": True})
    return str(json.loads(body)["token"])


async def _annotate(wire: Wire, at: int, due: float, pace: tuple[float, float]) -> list[float]:
    """An event every so often, for some seconds, however long the last one took."""
    every, seconds = pace
    found = []
    for sequence in range(int(seconds / every)):
        moment = due + sequence * every
        await asyncio.sleep(max(0.0, moment - time.perf_counter()))
        found.append(await _timed(wire, f"tab{at}", sequence, moment))
    return found


async def _timed(wire: Wire, client: str, sequence: int, due: float) -> float:
    await wire.act(client, sequence)
    return time.perf_counter() - due


def row(load: str, taken: Sequence[float]) -> list[str]:
    """A line of the table."""
    centiles = statistics.quantiles(taken, n=100, method="inclusive")
    figures = (centiles[49], centiles[98], max(taken))
    return [load, f"{len(taken):,}", *map(milliseconds, figures)]


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--annotators", type=int, default=50)
    parser.add_argument("--rate", type=float, default=100, help="events a second, of all together")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--markdown", action="store_true", help="print a table for the docs")
    asked = parser.parse_args()
    with server() as (port, token):
        single, load = asyncio.run(measured(port, token, asked))
    rows = [
        row("one event at a time", single),
        row(f"{asked.annotators} annotators, {asked.rate:g} events a second", load),
    ]
    print_table(HEADER, rows, left=1, markdown=asked.markdown)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
