import math

import numpy as np
import pytest

import caesura
from caesura.errors import SegmentationError, UsageError

OURS, THEIRS = "so it // rained all night // yes", "so it rained // all night // yes"
FORMS = {
    "text": (OURS, THEIRS),
    "lists": ([0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 1, 0]),
    "booleans": (np.array([0, 1, 0, 0, 1, 1], bool), np.array([0, 0, 1, 0, 1, 1], bool)),
    "binary strings": ("010010", "001010"),
    "masses": (caesura.masses([2, 3, 1]), caesura.masses((3, 2, 1))),
    "positions": (caesura.positions([4, 1], length=6), caesura.positions(np.array([2, 4, 5]), 6)),
    "documents": (caesura.document(OURS), caesura.document(THEIRS)),
}
PAIRWISE = [
    caesura.boundary, caesura.tolerant, caesura.pk, caesura.windowdiff, caesura.marks,
    caesura.boundary_similarity, caesura.segmentation_similarity, caesura.cohen_kappa,
]  # fmt: skip


@pytest.mark.parametrize("function", PAIRWISE)
def test_every_function_takes_every_form(function):
    wanted = str(function(*FORMS["text"]))
    assert {form: str(function(*pair)) for form, pair in FORMS.items()} == dict.fromkeys(
        FORMS, wanted
    )


def test_a_result_reads_well():
    result = caesura.wisebe(OURS, [THEIRS, OURS])
    assert str(result).startswith("wisebe .333  window_f1 1.000")
    assert result.signature.endswith("|measure:wisebe|window:2|final:drop|refs:2|docs:1")
    assert caesura.pk(OURS, THEIRS).signature.endswith("|measure:windows|k:auto|refs:1|docs:1")
    assert caesura.tolerant(OURS, THEIRS, tolerance=0).signature.count("tolerance:0") == 1


def test_results_that_do_not_add():
    one = caesura.wisebe(OURS, [THEIRS, OURS])
    with pytest.raises(UsageError, match="cannot be added"):
        one + caesura.wisebe(OURS, [THEIRS, OURS], window=3)
    with pytest.raises(UsageError, match="different numbers of references"):
        one + caesura.wisebe(OURS, [THEIRS, OURS, OURS])
    with pytest.raises(UsageError, match="cannot be added"):
        caesura.pk(OURS, THEIRS) + caesura.windowdiff(OURS, THEIRS)
    with pytest.raises(TypeError):
        one + 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: caesura.masses([2, 0]), SegmentationError, "1 or more"),
        (lambda: caesura.masses([2.5]), SegmentationError, "whole numbers"),
        (lambda: caesura.positions([7], length=7), SegmentationError, "below the length"),
        (lambda: caesura.positions([-1], length=7), SegmentationError, "below the length"),
        (lambda: caesura.consensus("a", ["a"], least=2), SegmentationError, "consensus of 2"),
        (lambda: caesura.boundary("a", "a", final="kept"), UsageError, "choose drop or keep"),
        (lambda: caesura.wisebe("a", ["a"], window=-1), UsageError, "window cannot be -1"),
        (lambda: caesura.tolerant("a", "a", tolerance=-1), UsageError, "choose 0 or more"),
        (lambda: caesura.pk("a", "a", k=-1), UsageError, "k cannot be -1; choose 0 or more"),
        (lambda: caesura.boundary_similarity("a", "a", near=0), UsageError, "choose 1 or more"),
    ],
)
def test_values_that_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_no_words_at_all():
    result = caesura.wisebe([], [[], []])
    assert math.isnan(result.score)


def test_read_takes_paths(tmp_path):
    (tmp_path / "a.txt").write_text(OURS)
    document = caesura.read(tmp_path / "a.txt")
    assert document.words == ["so", "it", "rained", "all", "night", "yes"]
    assert document.form == "slashes"
