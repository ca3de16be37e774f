"""Documents counted part by part, the plain way."""

from caesura.run.run import Running, run
from caesura.run.worker import Worker


def merged(parts, count, replan, merge):
    """The rows, or whatever `merge` gives, of parts that are counted and put together."""
    parts, known = list(parts), {}
    while True:
        known |= {id(part): (part, count(part)) for part in parts if id(part) not in known}
        counted = [known[id(part)][1] for part in parts]
        better = list(replan(parts, counted))
        if list(map(id, better)) == list(map(id, parts)):
            return merge(parts, counted)
        parts = better


def in_parts(task, parts):
    """The rows of a task's parts."""
    return merged(parts, task.count_part, task.replan, task.merge)


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
