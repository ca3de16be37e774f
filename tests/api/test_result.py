"""What a call and an evaluation show: attributes, short lines, tables for a notebook, frames."""

import math

import numpy as np
import pytest

import caesura
from caesura.api.lists import MEASURES
from caesura.formats.text_files import read_tokens

OURS, THEIRS = "so it // rained all night? yes // no", "so it rained // all night? yes // no"
PHONES = [("f", 0, 0.2, "a"), ("f", 0.2, 0.4, "b")]
CALLS = {
    "boundary": lambda: caesura.boundary(OURS, THEIRS),
    "marks": lambda: caesura.marks("a. b? c", "a. b? c"),
    "tolerant": lambda: caesura.tolerant(OURS, THEIRS),
    "pk": lambda: caesura.pk(OURS, THEIRS),
    "windowdiff": lambda: caesura.windowdiff(OURS, THEIRS),
    "boundary_similarity": lambda: caesura.boundary_similarity(OURS, THEIRS),
    "segmentation_similarity": lambda: caesura.segmentation_similarity(OURS, THEIRS),
    "cohen_kappa": lambda: caesura.cohen_kappa(OURS, THEIRS),
    "wisebe": lambda: caesura.wisebe(OURS, [THEIRS, OURS]),
    "consensus": lambda: caesura.consensus(OURS, [THEIRS, OURS]),
    "either": lambda: caesura.either(OURS, [THEIRS, OURS]),
    "agreement": lambda: caesura.agreement([OURS, THEIRS]),
    "joint": lambda: caesura.joint("a b .", "a b c ."),
    "wordseg": lambda: caesura.wordseg("a b", "ab"),
    "terms": lambda: caesura.terms(
        {"1": [("f", 0, 0.4)]}, phones=PHONES, words=[("f", 0, 0.4, "ab")]
    ),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


@every_call
def test_attributes_are_the_keys_of_json(call):
    result = call()
    declared = MEASURES[result.measure.name].scores
    methods = {"score", "scores", "to_dict", "to_frame", "signature"}
    assert {score.key for score in declared} <= set(result.to_dict()) <= set(dir(result)) - methods
    assert all(hasattr(result, name) for name in dir(result))
    for score in declared:
        assert same(getattr(result, score.key), score.value(result.counts))
    for key, value in result.to_dict().items():
        assert same(getattr(result, key), value) if isinstance(value, float) else True
    assert same(result.score, getattr(result, result.headline))
    assert next(iter(result.scores)) == result.headline


@every_call
def test_results_add_and_are_the_same_twice(call):
    one = call()
    two = one + call()
    assert two.documents == 2
    assert same(two.score, one.score)
    assert sum([call(), call()]) == two
    assert two._repr_html_().startswith('<div class="caesura">')


@every_call
def test_a_result_is_a_short_line_a_frame_of_one_row_and_tables_of_every_score(call):
    result = call()
    line, frame, page = repr(result), result.to_frame(), result._repr_html_()
    assert line.startswith(f"<{result.measure.name}: {result.headline} ")
    assert len(line) < 200
    assert line.isprintable()
    assert len(frame) == 1
    assert list(frame.columns) == ["measure", *result.to_dict()]
    assert same(frame[result.headline][0], result.score)
    counts = [score for score in result.measure.scores if score.is_count]
    main = [score for score in result.measure.scores if score.views and not score.is_count]
    main = [score for score in main if score.key in result.scores]
    assert page.count("<td") >= len(main) + len(counts)
    assert result.signature in page.replace("<wbr>", "")
    assert 'title="' in page


def test_short_lines():
    first = caesura.boundary([0, 1, 0, 1, 0], [0, 1, 1, 0, 0])
    assert repr(first).startswith("<boundary: f1 .500, precision .500, recall .500, ser 1.000, ")
    assert repr(first).endswith("; tp 1, fp 1, fn 1>")
    assert repr(first + first).endswith("; tp 2, fp 2, fn 2; 2 documents>")
    joint = caesura.joint([["a", "b", "."]], [["a", "b", "c", "."]])
    assert repr(joint) == (
        "<joint: token_f1 .857, sentence_f1 1.000, aligned .857; "
        "token_tp 3, token_fp 0, token_fn 1>"
    )
    assert "rgar .333" in repr(caesura.wisebe(OURS, [THEIRS, OURS]))
    assert repr(caesura.pk([0], [0])) == "<windows: pk –, windowdiff –; pk_errors 0, " + (
        "windowdiff_errors 0, windows 0>"
    )


def test_a_wrong_name_is_told_from_a_right_one():
    with pytest.raises(AttributeError, match="boundary has no score 'f_1'; did you mean f1"):
        caesura.boundary(OURS, THEIRS).f_1  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean window_f1 or"):
        caesura.wisebe(OURS, [THEIRS, OURS]).window_f  # noqa: B018


def test_documents_do_not_print_their_text(tmp_path):
    path = tmp_path / "talk.txt"
    path.write_text("it rained all night long and then we left for the sea\nyes\n" * 100)
    line = repr(caesura.read(path))
    assert line == (
        f"<Document {path}: 1,300 words, 200 units, lines: "
        "it rained all night long and then we lef…>"
    )
    assert repr(caesura.document([0, 1, 0])) == "<Document: 3 words, 2 units>"
    assert repr(caesura.document(["it rained"])) == "<Document: 2 words, 1 unit, lines: it rained>"
    text = repr(read_tokens(path).text)
    assert text.startswith(f"<Text {path}: 1,300 tokens, 200 sentences, tokens: it rained all")
    assert len(text) < len(str(path)) + 100


def test_segmentations_are_short():
    assert repr(caesura.masses([2, 3, 2])) == "<Segmentation: 7 items, 3 units of 2, 3, 2>"
    assert repr(caesura.masses([])) == "<Segmentation: 0 items, 0 units>"
    long = repr(caesura.masses(np.ones(1000, int)))
    assert long.startswith("<Segmentation: 1,000 items, 1,000 units of 1, 1,")
    assert (long.endswith("1 …>"), len(long) < 100) == (True, True)


@pytest.fixture(scope="module")
def found():
    systems = {"one": ["it rained", "we left"], "two": ["it rained we", "left"]}
    return caesura.evaluate(systems, {"a": ["it rained", "we left"], "b": ["it rained we", "left"]})


def test_an_evaluation_shows_its_main_scores(found):
    assert repr(found) == (
        "<Evaluation of transcript: one: wisebe .000, f1_mean .500; two: wisebe .000, "
        "f1_mean .500; 2 references, 1 document>"
    )
    assert repr(found.systems["one"]) == "<one: wisebe .000, f1_mean .500>"
    assert repr(found.agreement).startswith("<agreement: rgar .000, fleiss_kappa −")
    alone = caesura.evaluate(references={"a": ["a", "b"], "b": ["a b"]})
    assert repr(alone).startswith("<Evaluation of agreement: agreement: rgar ")
    many = caesura.evaluate({f"s{at}": ["a", "b"] for at in range(9)}, {"r": ["a", "b"]})
    assert "s3: f1 1.000; 5 more; 1 reference, 1 document>" in repr(many)
    text = caesura.evaluate({"s": [["a", "b"]]}, gold=[["a", "b"]])
    assert "token_f1 1.000" in repr(text)
