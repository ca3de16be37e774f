"""One reference: a single table that repeats nothing, and the words on which it was scored."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.errors import UsageError
from caesura.output.render import as_csv, as_latex, as_markdown, as_text
from caesura.scores.catalog import catalog
from caesura.tasks import TASKS
from caesura.tasks.transcript.tables import NOTICEABLE
from support.results import result

MEANS = [column.key for column in catalog(TASKS["transcript"]).columns("mean", {"tolerance": 2})]


@st.composite
def corpora(draw):
    """A system and a reference of some documents."""
    sizes = draw(st.lists(st.integers(2, 12), min_size=1, max_size=3))
    ends = [st.lists(st.integers(0, 1), min_size=size, max_size=size) for size in sizes]
    return [{f"d{at}": draw(each) for at, each in enumerate(ends)} for _ in range(2)]


def macro_is_shown(system):
    """The rule, word by word: some score of the table is at least .01 from its micro score."""
    pairs = [(system.micro[key], system.macro[key]) for key in MEANS]
    return any(abs(micro - macro) >= NOTICEABLE for micro, macro in pairs)


@given(corpora())
def test_there_is_one_table_and_one_of_macro_scores_if_they_differ(sides):
    ours, theirs = sides
    found = caesura.evaluate({"s": ours}, {"r": theirs})
    (system,), tables = found.summary.systems, found.page().tables
    shows_macro = len(ours) > 1 and macro_is_shown(system)
    assert [table.id for table in tables] == ["one", *(["macro"] if shows_macro else [])]
    titles = [column.title for column in tables[0].columns]
    assert len(set(titles)) == len(titles) > len(MEANS)
    scores = system.by_reference["r"].scores
    shown = [scores[column.key] for column in tables[0].columns[1:]]
    assert repr(list(tables[0].rows[0])) == repr(["s", *shown])
    if shows_macro:
        macro = [system.macro[key] for key in MEANS]
        assert repr(tables[1].rows) == repr((("s", *macro),))
    ids = [table.id for table in found.page(by_document=True).tables]
    assert ids == ["one", *(["macro"] if len(ours) > 1 else []), "document"]


@pytest.fixture
def found():
    ours = {"a": ["it rained all day", "we left"], "b": ["it was late"]}
    gold = {"a": ["it rained", "all day", "we left"], "b": ["it", "was late"]}
    return caesura.evaluate({"ours": ours}, {"gold": gold})


def test_the_title_says_what_was_scored(found):
    title = "1 reference, gold: 2 documents, 9 words, 5 units"
    assert str(found).startswith(title + "\nsystem")
    assert title in as_markdown(found.page())
    assert rf"\caption{{{title}}}" in as_latex(found.page())
    alone = caesura.evaluate({"ours": ["it rained", "we left"]}, {"gold": ["it rained", "we left"]})
    assert str(alone).startswith("1 reference, gold: 4 words, 2 units\n")


def test_scores_of_several_references_are_in_no_table(found):
    for render in (as_text, as_markdown, as_latex):
        text = render(found.page(by_mark=True))
        for absent in ("WiSeBE", "Fleiss", "Against all", "Mean over the refer", "RGAR", " RW"):
            assert absent not in text


def test_with_several_references_there_are_no_short_names(run, folder):
    folder(r="a b\nc\nd e\n", q="a\nb c\nd e\n", s="a b\nc d\ne\n")
    both = ("transcript", "s.txt", "--ref", "r.txt", "--ref", "q.txt")
    micro = result(run, *both)["systems"][0]["micro"]
    assert not {"f1", "precision", "pk"} & micro.keys()
    assert "f1" not in run(*both, "-f", "csv")[1].splitlines()[0].split(",")
    status, _, error = run(*both, "--fail-under", "precision=0.9")
    assert (status, "s: precision_mean" in error) == (3, True)


def test_short_names_are_attributes_columns_and_measures(found, run, folder):
    ours = found.systems["ours"]
    assert (ours.f1, ours.windowdiff, ours["pk"]) == (
        ours.f1_mean, ours.windowdiff_mean, ours.pk_mean
    )  # fmt: skip
    assert ours.by_document["a"]["f1"] == ours.by_document["a"]["f1_mean"]
    assert "f1" in dir(ours)
    head, first, *_ = csv.reader(io.StringIO(as_csv(found.page())))
    assert first[head.index("recall")] == first[head.index("recall_mean")]
    folder(r="a b\nc\nd e\n", s="a b\nc d\ne\n", t="a\nb\nc d e\n")
    run("transcript", "s.txt", "t.txt", "--ref", "r.txt", "--rows", "rows.jsonl")
    status, out, _ = run("compare", "rows.jsonl", "--measure", "windowdiff", "--measure", "f1")
    assert status == 0
    assert out.splitlines()[1].split() == ["system", "WD", "F1"]


def test_intervals_leave_out_what_the_table_does():
    texts = {f"d{at}": ["a b", "c d e", "f g"] for at in range(3)}
    found = caesura.evaluate({"s": texts}, {"r": texts}, confidence=True, resamples=20)
    (table,) = [each for each in found.page().tables if each.id == "intervals-micro"]
    assert "F1 RW" not in [row[0] for row in table.rows]
    (head, *_) = csv.reader(io.StringIO(as_csv(found.page())))
    assert "f1_mean_low" in head
    assert "window_f1_low" not in head


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("f1=0.9", "error: s: f1_mean .500 is under 0.9\n"),
        ("wisebe=0.3", "error: s: wisebe is undefined with one reference\n"),
    ],
)
def test_gates(run, folder, limit, message):
    folder(r="a b\nc\nd e\n", s="a b\nc d\ne\n")
    status, out, error = run("transcript", "s.txt", "--ref", "r.txt", "--fail-under", limit)
    assert (status, error) == (3, message)
    assert out


def test_agreement_needs_two(run, folder):
    folder(r="a b\nc\n")
    status, out, error = run("agreement", "r.txt")
    assert (status, out) == (2, "")
    assert "agreement needs at least two references; give another" in error
    with pytest.raises(UsageError, match="at least two references"):
        caesura.evaluate(references={"r": ["a b", "c"]})


WORDS = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=3).map(" ".join),
                 min_size=1, max_size=5)  # fmt: skip


@pytest.mark.slow
@given(
    st.lists(st.fixed_dictionaries(dict.fromkeys("pqrs", WORDS)), min_size=1, max_size=3),
    st.sampled_from(["medoid", "first", "q", None]),
    st.booleans(),
)
def test_the_words_are_those_of_the_axis(documents, axis, has_system):
    """Of each document, the words of the reference onto which the others are projected."""
    sides = {name: {f"d{at}": each[name] for at, each in enumerate(documents)} for name in "pqrs"}
    systems = {"s": sides.pop("s")} if has_system else {}
    found = caesura.evaluate(systems, sides, align=True, axis_from=axis)
    counted = [
        len(" ".join(sides[reference][name]).split())
        for name, reference in found.summary.axes.items()
    ]
    assert len(counted) == len(documents)
    assert found.summary.words == found.to_dict()["words"] == sum(counted)
    (title,) = [table.title for table in found.page().tables if table.id == "agreement"]
    assert title.startswith(f"{len(sides)} references on {sum(counted)} word")
