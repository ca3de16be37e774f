"""Runs, and what workers see of them."""

from caesura.run.run import Running, run
from caesura.run.worker import Worker


def rows_of(cases, task, engine="", jobs=0):
    """The rows of a run, as a list."""
    return list(run(cases, task, Running(jobs, engine)).table.rows())


def seen_by(monkeypatch):
    """What engines are given from now on, chunk by chunk."""
    seen, real = [], Worker.__call__

    def spy(self, chunk):
        seen.append(list(chunk))
        return real(self, chunk)

    monkeypatch.setattr(Worker, "__call__", spy)
    return seen
