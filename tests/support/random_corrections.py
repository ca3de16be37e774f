"""Random corrections in M2, and ERRANT's comparison of them as a peer."""

import io
import sys
from contextlib import redirect_stdout
from importlib import util
from pathlib import Path

import pytest
from hypothesis import strategies as st

KINDS = ["R:NOUN", "R:NOUN", "M:DET", "U:DET", "UNK"]
CORRECTIONS = ["", "x", "x", "x y"]
FLAGS = {"correction": "-cs", "type": "-cse", "span": "-ds", "token": "-dt"}
SEVERAL = st.integers(1, 3)
NOOP = (-1, -1, "noop", "-NONE-")


def errant():
    """ERRANT's compare_m2, read by itself: the package imports spaCy and needs a model."""
    package = util.find_spec("errant")
    if package is None or not package.submodule_search_locations:
        pytest.skip("ERRANT is not installed")
    place = Path(package.submodule_search_locations[0]) / "commands" / "compare_m2.py"
    spec = util.spec_from_file_location("compare_m2", place)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compared(module, system, gold, *options):
    """What it prints of two files."""
    texts = {"hyp": system, "ref": gold}
    module.open = lambda name: io.StringIO(texts[name])
    out, before = io.StringIO(), sys.argv
    sys.argv = ["compare_m2", "-hyp", "hyp", "-ref", "ref", *options]
    try:
        with redirect_stdout(out):
            module.main()
    finally:
        sys.argv = before
    return out.getvalue()


def written(sentences):
    """M2 of sentences: tokens, and edits (start, end, type, correction, annotator)."""
    blocks = []
    for tokens, edits in sentences:
        lines = [
            f"A {start} {end}|||{kind}|||{correction}|||REQUIRED|||-NONE-|||{who}"
            for start, end, kind, correction, who in edits
        ]
        blocks.append("\n".join([f"S {' '.join(tokens)}", *lines]))
    return "\n\n".join(blocks) + "\n"


@st.composite
def edits_of(draw, size, annotators, *, is_plain):
    """The edits of a sentence; plain ones are all of one kind and not doubled."""
    found = []
    for who in range(annotators):
        own = draw(st.lists(st.tuples(st.integers(0, size), st.integers(0, 2)), max_size=3))
        own = list(dict.fromkeys(own)) if is_plain else own
        for start, length in own:
            kind = "R:NOUN" if is_plain else draw(st.sampled_from(KINDS))
            end = min(start + length, size)
            found.append((start, end, kind, draw(st.sampled_from(CORRECTIONS)), who))
        if not own and (who == 0 or draw(st.booleans())):
            found.append((*NOOP, who))
    if not is_plain and draw(st.booleans()):
        found = [] if all(edit[2] == "noop" for edit in found) else found[::-1]
    return once(found) if is_plain else found


def once(edits):
    """Edits of which no two of an annotator have the same span."""
    return list({(*edit[:2], edit[4]): edit for edit in edits}.values())


def cut(tokens, ends):
    return [tokens[a:b] for a, b in zip([0, *ends], [*ends, len(tokens)], strict=True)]


@st.composite
def cuts(draw, size):
    """Where a sequence of some size is cut inside."""
    return sorted(draw(st.sets(st.integers(1, size - 1)))) if size > 1 else []


@st.composite
def sides(draw, text, annotators, *, is_plain):
    """A text cut into tokens and sentences, with edits."""
    tokens = cut(text, draw(cuts(len(text))))
    return [
        (own, draw(edits_of(len(own), draw(annotators), is_plain=is_plain)))
        for own in cut(tokens, draw(cuts(len(tokens))))
    ]


@st.composite
def same_texts(draw, annotators=SEVERAL, *, is_plain=False):
    """Two files with the same sentences and tokens."""
    text = draw(st.text("abc", min_size=1, max_size=12))
    tokens = cut(text, draw(cuts(len(text))))
    sentences = cut(tokens, draw(cuts(len(tokens))))
    return tuple(
        [(own, draw(edits_of(len(own), draw(annotators), is_plain=is_plain))) for own in sentences]
        for _ in range(2)
    )


@st.composite
def other_cuts(draw, annotators=SEVERAL, *, is_plain=False):
    """Two files of the same text, cut differently."""
    text = draw(st.text("abc", min_size=1, max_size=12))
    return tuple(draw(sides(text, annotators, is_plain=is_plain)) for _ in range(2))
