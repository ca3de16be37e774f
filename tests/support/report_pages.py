"""Pages of the report for tests: a command in this process, and random transcripts."""

import random

from caesura.cli import cli

WORDS = "so we went down to the old harbour and it had rained all night".split()


def caesura(*arguments):
    """Run a command; what goes wrong is raised."""
    cli.main([str(each) for each in arguments], standalone_mode=False)


def transcript(seed, size, share):
    """A random transcript, a unit per line."""
    draw = random.Random(seed)
    words = random.Random(size).choices(WORDS, k=size)
    return "".join(
        word + ("\n" if draw.random() < share or at == size - 1 else " ")
        for at, word in enumerate(words)
    )
