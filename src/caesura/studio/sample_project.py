"""The demo: the sample in a folder of its own, with three annotators; two have finished."""

from __future__ import annotations

import tempfile
from importlib.resources import files
from pathlib import Path

from caesura.formats.plain import parse
from caesura.studio.designs import assign_all
from caesura.studio.documents import Pinned
from caesura.studio.events import Event
from caesura.studio.project import Project
from caesura.studio.rules import MANAGER
from caesura.studio.store import DATABASE, Store

PEOPLE = {"Anna": "ann1.txt", "Ben": "ann2.txt", "Chloé": "ann3.txt"}
SHARES = {"Anna": 1.0, "Ben": 1.0, "Chloé": 0.6}
"""How much of the sample each has done; who has done all has finished."""


def demo_folder() -> Path:
    """A new folder with the demo's project."""
    folder = Path(tempfile.mkdtemp(prefix="caesura-demo-"))
    project = Project.open(Store(f"sqlite:///{folder / DATABASE}"))
    sample = files("caesura") / "sample"
    texts = {name: (sample / file).read_text(encoding="utf-8") for name, file in PEOPLE.items()}
    documents = {name: parse(text, "lines") for name, text in texts.items()}
    first = next(iter(documents.values()))
    stored, _ = project.add(Pinned.from_document("ferry", first))
    manager, _ = project.invite(MANAGER, is_manager=True)
    for name, document in documents.items():
        person, _ = project.invite(name)
        assign_all(project, manager, person.id)
        places = document.segmentation.positions("drop")
        done = places[places < SHARES[name] * len(document.segmentation)].tolist()
        events = [
            Event(f"demo-{name}", at, stored.id, "set", gap, ".") for at, gap in enumerate(done)
        ]
        last = stored.length - 2
        if SHARES[name] == 1:
            events.append(Event(f"demo-{name}", len(done), stored.id, "state", last, "finished"))
        project.take(person, events)
    project.store.close()
    return folder
