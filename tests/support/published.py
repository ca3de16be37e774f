"""Published figures, from their one home in the package, and transcript v6 of the WiSeBE paper."""

from caesura.published.tables import Paper
from caesura.sets.named_sets import test_set

ABOUT = """title = "A talk"
version = "2"
kind = "transcript"
language = "en"
size = "small"
licence = "MIT"
source = "https://example.org"
"""
"""What the description of a test set has to say."""


def figures(name):
    """The figures of a publication as printed."""
    return Paper(name).about["data"]


def v6():
    """The boundaries of transcript v6: words, references and systems, the last word included."""
    chosen = test_set("wisebe-v6")
    sides = {"reference": {}, "system": {}}
    for file in chosen.files:
        bits = chosen.place(file).read_text().strip()
        sides[file.role][file.name] = [at for at, bit in enumerate(bits) if bit == "1"]
    return {"words": len(bits), "references": sides["reference"], "systems": sides["system"]}
