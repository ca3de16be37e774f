"""A small corpus, commands on it, and faults to run them with."""

import gc
import os
import random
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from caesura.errors import CaesuraError
from caesura.io.files import read_bytes
from caesura.run.rows_file import END

WORDS = "so it rained a lot and then we went home to eat and sleep".split()
ROWS = Path("made.jsonl")
SCORE = ("transcript", "S1=s1", "S2=s2", "--ref", "anna", "--ref", "ben", "-q")
SAVE = (*SCORE, "--rows", str(ROWS))
HAS_DASK = os.environ.get("CI") == "true" or find_spec("distributed") is not None
COMMAND = [sys.executable, "-m", "caesura"]


def make_corpus(folder, documents=16, seed=7):
    """Documents in four versions, each a folder."""
    chance = random.Random(seed)
    for at in range(documents):
        words = chance.choices(WORDS, k=chance.randrange(20, 200))
        for who in ("s1", "s2", "anna", "ben"):
            (folder / who).mkdir(exist_ok=True)
            text = "".join(word + chance.choice("    \n") for word in words)
            (folder / who / f"d{at}.txt").write_text(text.strip() + "\n")
    return folder


@contextmanager
def files_no_larger_than(size):
    """Let the system refuse to write beyond some bytes of any file."""
    import resource

    gc.collect()  # what earlier tests left may write to its temporary files when it is collected
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def is_finished(path=ROWS):
    """Whether there are rows, and all of them."""
    try:
        return END in read_bytes(str(path))
    except CaesuraError:
        return False


def left_behind(folder="."):
    """Temporary files that nobody removed."""
    return [path.name for path in Path(folder).rglob(".caesura-*")]
