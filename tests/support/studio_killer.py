"""A studio that is killed again and again while people work: what it has acknowledged is there
afterwards, once.

    PYTHONPATH=tests python -m support.studio_killer --kills 200 --seed 1 [--postgres]
"""

import argparse
import random
import re
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from support.postgres import Postgres, free_port

PEOPLE, WORDS, LIMIT = 6, 400, 120
HEADERS = {"x-caesura": "studio"}


class LostError(Exception):
    """Something that was acknowledged is not there, is there twice, or is another."""


@dataclass
class Annotator:
    """A page that works on, whatever becomes of the server; its events are made from their
    numbers."""

    base: str
    name: str
    token: str
    seed: int
    acknowledged: int = 0
    problem: str = ""
    is_over: threading.Event = field(default_factory=threading.Event)

    def event(self, at):
        chance = random.Random(f"{self.seed} {self.name} {at}")
        value = chance.choice([None, "", ".", "?", "!"])
        return {
            "client": f"tab-{self.name}", "sequence": at, "document": 1, "kind": "set",
            "gap": chance.randrange(WORDS - 1), "value": value,
        }  # fmt: skip

    def work(self):
        chance = random.Random(f"{self.seed} {self.name}")
        with httpx.Client(base_url=self.base, headers=HEADERS, timeout=10) as page:
            self.enter(page)
            while not self.is_over.is_set() and not self.problem:
                first = max(0, self.acknowledged - chance.choice([0, 0, 0, 2]))
                last = self.acknowledged + chance.randint(1, 4)
                self.send(page, first, last)
                time.sleep(chance.uniform(0, 0.02))

    def enter(self, page):
        while not self.is_over.is_set():
            try:
                if page.post("/api/enter", json={"token": self.token}).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)

    def send(self, page, first, last):
        events = [self.event(at) for at in range(first, last)]
        try:
            found = page.post("/api/events", json={"events": events})
        except httpx.TransportError:
            time.sleep(0.02)
            return
        if found.status_code == 200:
            self.acknowledged = last
        elif found.status_code in (429, 503):
            time.sleep(0.1)
        elif found.status_code == 409 and found.json()["expected"] >= self.acknowledged:
            self.acknowledged = found.json()["expected"]
        else:
            self.problem = f"{self.name}: {found.status_code} {found.text}"


@dataclass
class StudioKiller:
    """A server that is started, killed and started again, and those who work with it."""

    folder: Path
    seed: int = 1
    database: str = ""
    kills: int = 0
    process: subprocess.Popen | None = None
    annotators: list[Annotator] = field(default_factory=list)

    def __post_init__(self):
        self.chance = random.Random(self.seed)
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        words = " ".join(f"w{at}" for at in range(WORDS))
        (self.folder / "talk.txt").write_text(words)
        self.start()
        for at in range(PEOPLE):
            asked = {"name": f"P{at}", "everything": True}
            made = self.manager.post("/api/people", json=asked).json()
            self.annotators.append(Annotator(self.base, f"P{at}", made["token"], self.seed))
        self.threads = [threading.Thread(target=each.work) for each in self.annotators]
        for each in self.threads:
            each.start()

    def spawn(self):
        command = [sys.executable, "-m", "caesura", "studio", str(self.folder)]
        options = ["--port", str(self.port), "--no-browser"]
        options += ["--database", self.database] if self.database else []
        self.process = subprocess.Popen(
            [*command, *options], stderr=subprocess.PIPE, text=True, bufsize=1
        )

    def start(self):
        """Start a server, and be its manager."""
        self.spawn()
        line = self.process.stderr.readline()
        link = re.search(r"/#(\S+)", line)
        if link is None:
            raise LostError(f"it does not start: {line}{self.process.stderr.read()}")
        self.manager = httpx.Client(base_url=self.base, headers=HEADERS, timeout=LIMIT)
        deadline = time.monotonic() + LIMIT
        while True:
            try:
                self.manager.post("/api/enter", json={"token": link[1]}).raise_for_status()
            except httpx.TransportError:
                if time.monotonic() > deadline:
                    raise LostError("it does not answer") from None
                time.sleep(0.01)
            else:
                return

    def kill(self):
        """Kill the server at some moment of its work, or, now and then, while it starts."""
        before = [each.acknowledged for each in self.annotators]
        deadline = time.monotonic() + LIMIT
        while sum(each.acknowledged for each in self.annotators) < sum(before) + PEOPLE:
            if time.monotonic() > deadline or any(each.problem for each in self.annotators):
                raise LostError(f"nobody can work: {[each.problem for each in self.annotators]}")
            time.sleep(0.005)
        time.sleep(self.chance.uniform(0, 0.3))
        self.end()
        while self.chance.random() < 0.2:
            self.spawn()
            time.sleep(self.chance.uniform(0, 1.2))
            self.end()
        self.start()
        self.require_all()

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        self.manager.close()
        self.kills += 1

    def require_all(self):
        """What was acknowledged before is in the documents of those who work on."""
        acknowledged = {each.name: each.acknowledged for each in self.annotators}
        (found,) = self.manager.get("/api/documents").json()
        for name, least in acknowledged.items():
            (acts,) = (each["acts"] for each in found["people"] if each["name"] == name)
            if acts < least:
                raise LostError(f"{name}: {acts} of {least} that were acknowledged")

    def finish(self):
        """Let everyone stop, and compare the whole log with what was sent."""
        for each in self.annotators:
            each.is_over.set()
        for each in self.threads:
            each.join()
        problems = [each.problem for each in self.annotators if each.problem]
        if problems:
            raise LostError(problems[0])
        lines = self.log()
        state = self.manager.get("/api/documents/1").json()["others"]
        for each in self.annotators:
            self.require_log(each, [line for line in lines if line["client"] == f"tab-{each.name}"])
            self.require_state(each, len(lines), state.get(each.name, {"boundaries": {}}))
        return len(lines)

    def log(self):
        import io
        import json
        import zipfile

        archive = zipfile.ZipFile(io.BytesIO(self.manager.get("/api/export").content))
        return [json.loads(line) for line in archive.read("log.jsonl").decode().splitlines()[1:]]

    def require_log(self, who, lines):
        if [each["sequence"] for each in lines] != list(range(len(lines))):
            raise LostError(f"{who.name}: {[each['sequence'] for each in lines]}")
        if len(lines) < who.acknowledged:
            raise LostError(f"{who.name}: {len(lines)} of {who.acknowledged}")
        for at, line in enumerate(lines):
            if {key: line[key] for key in who.event(at)} != who.event(at):
                raise LostError(f"{who.name}: event {at} is another")
        who.acknowledged = len(lines)

    def require_state(self, who, _, state):
        expected = {}
        for at in range(who.acknowledged):
            event = who.event(at)
            expected.pop(event["gap"], None)
            if event["value"] is not None:
                expected[event["gap"]] = event["value"]
        if {int(gap): mark for gap, mark in state["boundaries"].items()} != expected:
            raise LostError(f"{who.name}: the state is not that of the log")

    def close(self):
        for each in self.annotators:
            each.is_over.set()
        if self.process is not None and self.process.poll() is None:
            self.end()
        for each in self.threads:
            each.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--kills", type=int, default=20, help="how often to kill the server")
    parser.add_argument("--minutes", type=float, default=1e9, help="the most time to take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL, not SQLite")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="caesura-")))
        database = ""
        if asked.postgres:
            server = Postgres.begin()
            stack.callback(server.close)
            database = server.make("killed")
        killer = StudioKiller(folder, asked.seed, database)
        stack.callback(killer.close)
        start = time.monotonic()
        while killer.kills < asked.kills and time.monotonic() < start + 60 * asked.minutes:
            killer.kill()
            print(f"\r{killer.kills} of {asked.kills} kills", end="", file=sys.stderr, flush=True)
        number = killer.finish()
        print(file=sys.stderr)
        spent = time.monotonic() - start
        print(f"{killer.kills} kills, {number:,} events: none lost, none twice ({spent:.0f} s)")


if __name__ == "__main__":
    main()
