"""A studio that is killed again and again while people work: what it has acknowledged is there
afterwards, once.

    PYTHONPATH=tests python -m support.studio_killer --kills 200 --seed 1
"""

import json
import random
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

import httpx

from support.killer import FaultError, hunt, wait_for
from support.studio_projects import HEADERS, unzipped
from support.waiting import free_port

PEOPLE, WORDS, LIMIT = 6, 400, 120


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
    is_over: bool = False

    def event(self, at):
        chance = random.Random(f"{self.seed} {self.name} {at}")
        value = chance.choice([None, "", ".", "?", "!"])
        return {
            "client": f"tab-{self.name}", "sequence": at, "document": 1, "kind": "set",
            "gap": chance.randrange(WORDS - 1), "value": value,
        }  # fmt: skip

    def work(self):
        """Send events, some of them again, for as long as there are no problems."""
        chance = random.Random(f"{self.seed} {self.name}")
        with httpx.Client(base_url=self.base, headers=HEADERS, timeout=10) as page:
            enter(page, self.token)
            while not self.is_over and not self.problem:
                first = max(0, self.acknowledged - chance.choice([0, 0, 0, 2]))
                self.send(page, first, self.acknowledged + chance.randint(1, 4))
                time.sleep(chance.uniform(0, 0.02))

    def send(self, page, first, last):
        events = [self.event(at) for at in range(first, last)]
        try:
            found = page.post("/api/events", json={"events": events})
        except httpx.TransportError:
            time.sleep(0.02)
            return
        if found.status_code == 200:
            self.acknowledged = last
        elif found.status_code == 503:
            time.sleep(0.1)
        elif found.status_code == 409 and found.json()["expected"] >= self.acknowledged:
            self.acknowledged = found.json()["expected"]
        else:
            self.problem = f"{self.name}: {found.status_code} {found.text}"

    def finish(self):
        with httpx.Client(base_url=self.base, headers=HEADERS, timeout=10) as page:
            enter(page, self.token)
            state = {"document": 1, "kind": "state", "gap": 0, "value": "finished"}
            event = {"client": f"end-{self.name}", "sequence": 0, **state}
            page.post("/api/events", json={"events": [event]}).raise_for_status()

    def require(self, lines, boundaries):
        """The log has each event once and in order, and the last of each gap is its boundary."""
        if len(lines) < self.acknowledged:
            raise FaultError(f"{self.name}: {len(lines)} of {self.acknowledged} acknowledged")
        last = {}
        for at, line in enumerate(lines):
            event = self.event(at)
            if {key: line[key] for key in event} != event:
                raise FaultError(f"{self.name}: event {at} is another: {line}")
            last[str(event["gap"])] = event["value"]
        if boundaries != {gap: value for gap, value in last.items() if value is not None}:
            raise FaultError(f"{self.name}: the state is not that of the log")


def enter(page, token):
    """Open a session as soon as the server answers."""

    def is_in():
        try:
            return page.post("/api/enter", json={"token": token}).raise_for_status()
        except httpx.TransportError:
            return False

    wait_for(is_in)


class StudioKiller:
    """A server that is started, killed and started again, and those who work with it."""

    def __init__(self, folder, seed=1):
        self.folder, self.chance = folder, random.Random(seed)
        self.kills, self.port = 0, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        (folder / "talk.txt").write_text(" ".join(f"w{at}" for at in range(WORDS)))
        self.annotators, self.threads = [], []
        self.start()
        for at in range(PEOPLE):
            asked = {"name": f"P{at}", "everything": True}
            token = self.manager.post("/api/people", json=asked).json()["token"]
            self.annotators.append(Annotator(self.base, f"P{at}", token, seed))
            self.threads.append(threading.Thread(target=self.annotators[-1].work))
            self.threads[-1].start()

    def spawn(self):
        command = [sys.executable, "-m", "caesura", "studio", str(self.folder)]
        options = ["--port", str(self.port), "--no-browser"]
        self.process = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True)

    def start(self):
        """Start a server, and be its manager."""
        self.spawn()
        line = self.process.stderr.readline()
        link = re.search(r"/#(\S+)", line)
        if link is None:
            raise FaultError(f"it does not start: {line}{self.process.stderr.read()}")
        self.manager = httpx.Client(base_url=self.base, headers=HEADERS, timeout=LIMIT)
        enter(self.manager, link[1])

    def kill(self):
        """Kill the server at some moment of its work, or, now and then, while it starts."""
        before = self.acknowledged()
        wait_for(lambda: self.problems() or self.acknowledged() >= before + PEOPLE)
        time.sleep(self.chance.uniform(0, 0.3))
        self.end()
        while self.chance.random() < 0.2:
            self.spawn()
            time.sleep(self.chance.uniform(0, 1.2))
            self.end()
        self.start()
        self.require_none()

    def acknowledged(self):
        return sum(each.acknowledged for each in self.annotators)

    def problems(self):
        return [each.problem for each in self.annotators if each.problem]

    def require_none(self):
        if self.problems():
            raise FaultError("; ".join(self.problems()))

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        self.manager.close()
        self.kills += 1

    def stop(self):
        for each in self.annotators:
            each.is_over = True
        for each in self.threads:
            each.join()

    def finish(self):
        """Let everyone stop and finish, and compare the whole log with what was sent."""
        self.stop()
        self.require_none()
        for each in self.annotators:
            each.finish()
        log = unzipped(self.manager.get("/api/export").content)["log.jsonl"]
        lines = [json.loads(each) for each in log.splitlines()[1:]]
        others = self.manager.get("/api/documents/1").json()["others"]
        for each in self.annotators:
            own = [line for line in lines if line["client"] == f"tab-{each.name}"]
            each.require(own, others.get(each.name, {}).get("boundaries", {}))
        return f"{len(lines):,} events, none lost, none twice"

    def close(self):
        if self.process.poll() is None:
            self.end()
        self.stop()


if __name__ == "__main__":
    hunt(StudioKiller, __doc__)
