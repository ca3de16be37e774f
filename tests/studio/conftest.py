import itertools

import pytest

from caesura.studio.store import SETUP
from postgres import Postgres
from studios import Page, opened, served, team

NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def postgres():
    """A server of PostgreSQL; only CI insists on it."""
    server = Postgres.for_tests()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The address of an empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'studio.sqlite'}"
    return request.getfixturevalue("postgres").make(f"test{next(NUMBERS)}")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project on SQLite without documents and people; it waits for no disk."""
    monkeypatch.setitem(SETUP, "sqlite", (*SETUP["sqlite"], "PRAGMA synchronous=OFF"))
    found = opened(f"sqlite:///{tmp_path / 'studio.sqlite'}")
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
