"""The pool: valid files of every kind, alone and in folders, that command lines name."""

from pathlib import Path

POOL = "pool"
"""The folder of the pool, in the current one."""
USUAL = 0.9
"""How often one of the first two files of a kind is taken, which belong together."""


class Pool:
    """The files of the pool, and its folders, by kind."""

    def __init__(self, kinds):
        self.data, self.files, self.folders = {}, {}, {}
        for name, kind in kinds.items():
            paths = [f"{POOL}/{name}-{at}{kind.suffix}" for at in range(1, len(kind.seeds) + 1)]
            self.files[name] = paths
            self.data |= dict(zip(paths, kind.seeds, strict=True))
            self.folders[name] = [f"{POOL}/{name}-in-{at}" for at in (1, 2)]
            for folder, data in zip(self.folders[name], kind.seeds * 2, strict=False):
                self.data[f"{folder}/x{kind.suffix}"] = data
        self.put()

    def put(self):
        """Write all files, also those that something has changed."""
        for path, data in self.data.items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_bytes(data)

    def path(self, rng, kind, is_folder):
        """The path of a file of a kind, or of a folder with one of the same name as all others."""
        return rng.choice(self.folders[kind]) if is_folder else usual(self.files[kind], rng)


def usual(every, rng):
    """One of several, most often one of the first two."""
    return rng.choice(every[:2] if rng.random() < USUAL else every)
