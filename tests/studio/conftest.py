from contextlib import ExitStack

import pytest

from caesura.studio import store
from caesura.studio.documents import Pinned
from caesura.studio.events import MANAGER
from support.studio_page import Served
from support.studio_projects import Page, assign_everyone, opened, served, team


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project without documents and people; it waits for no disk."""
    monkeypatch.setattr(store, "SETUP", (*store.SETUP, "PRAGMA synchronous=OFF"))
    found = opened(tmp_path / "studio.sqlite")
    yield found
    found.store.close()


@pytest.fixture
def studio(project):
    """A server of a project with a manager and three annotators: a function that opens a page."""
    people = team(project)
    with served(project) as (base, running):

        def page(name=None):
            return Page(base, people[name][1] if name else None)

        page.project, page.people, page.base, page.studio = project, people, base, running
        yield page


@pytest.fixture
def serve(browser, project):
    """Serve a project with some documents and people; nothing may go wrong on its pages."""
    with ExitStack() as stack:
        found = []

        def start(texts, people=("Anna", "Ben")):
            for name, given in texts.items():
                text, *rest = (given,) if isinstance(given, str) else given
                start, end, *speakers = [*rest, *rest] if len(rest) == 1 else rest or ((), ())
                project.add(Pinned(name, text, text, start, end, (), *speakers))
            tokens = {name: project.invite(name)[1] for name in people}
            tokens[MANAGER] = project.invite(MANAGER, is_manager=True)[1]
            assign_everyone(project)
            base, _ = stack.enter_context(served(project))
            links = {name: f"{base}/#{token}" for name, token in tokens.items()}
            studio = Served(project, base, links, browser)
            stack.callback(studio.close)
            found.append(studio)
            return studio

        yield start
    assert [text for studio in found for text in studio.said] == []
