"""The trees of the page: label errors are counted, sentences are kept, saved rows come back."""

import json
from dataclasses import replace

import pytest

from caesura.core.json_values import plain
from caesura.output.report.readings import readings, taken
from caesura.output.report.trees import (
    LONGEST,
    MOST_EXAMPLES,
    MOST_LABELS,
    MOST_SENTENCES,
    LabelError,
)
from caesura.run.inputs import Source, match
from caesura.run.run import run as run_task
from caesura.tasks import TASKS
from caesura.tasks.trees.counting import TreesTask
from support.report_pages import data_of

GOLD = "(S (NP (NN a)) (VP (VB b)))\n(S (NP (NN c)))\n(S (NP (NN d)))\n"
OURS = "(S (VP (NN a)) (VP (VB b)))\n(S (NP (NN c)) (NP (NN d)))\n"


def trees(folder, gold, ours, task=None):
    folder(**{"gold.mrg": gold, "ours.mrg": ours})
    cases = match([Source.parse("ours.mrg")], [Source.parse("gold.mrg")])
    (found,) = readings(run_task(cases, task or TreesTask(), reads=True).readings(), TASKS["trees"])
    return found


def test_label_errors_are_counted_and_sentences_kept(folder):
    found = trees(folder, GOLD, OURS)
    assert (found.system, found.sentences, found.long) == ("ours", 2, 0)
    pairs = [(each.system, each.gold, each.times) for each in found.labels]
    assert pairs == [("–", "S", 2), ("S", "–", 1), ("VP", "NP", 1)]
    assert found.kinds == 3
    second = found.cases[1]
    assert [side.words for side in (second.system, second.gold)] == [("c", "d")] * 2
    assert (second.system.ends, second.gold.ends) == ((2,), (1, 2))
    assert (second.system.place, second.gold.place) == ("ours.mrg:2", "gold.mrg:2")
    assert taken(json.loads(json.dumps(plain(found)))) == found


def test_edges_of_tokens_have_numbers_that_both_sides_share(folder):
    found = trees(folder, "(S (NN ab) (NN c) (NN de))", "(VP (NN a) (NN b) (NN c) (NN dx))")
    (case,) = found.cases
    assert case.gold.points[:3] == (0, 2, 3)
    assert case.system.points[:4] == (0, 1, 2, 3)
    assert case.gold.points[-1] == case.system.points[-1]


def test_what_evalb_prints_is_not_for_the_page(folder):
    found = trees(folder, GOLD, "(S (VP (NN a)) (VP (VB b)))\n\n(S (NP (NN d)))\n(S (NP (NN c)))")
    assert found == trees(
        folder, GOLD, "(S (VP (NN a)) (VP (VB b)))\n\n(S (NP (NN d)))\n(S (NP (NN c)))",
        TreesTask(evalb="new"),
    )  # fmt: skip


def test_of_many_sentences_the_first_are_kept_and_one_for_each_rarer_label(folder):
    plain_ones = [("(S (NP (NN a)))", "(S (VP (NN a)))")] * (MOST_SENTENCES + 30)
    rare = [("(S (NP (NN a)))", f"(S (X{n} (NN a)))") for n in range(MOST_EXAMPLES + 9)]
    pairs = [*plain_ones, *rare, *rare]
    found = trees(folder, *("\n".join(each[side] for each in pairs) for side in (0, 1)))
    assert found.sentences == len(pairs)
    assert len(found.cases) == MOST_SENTENCES + MOST_EXAMPLES
    assert [case.labels for case in found.cases[MOST_SENTENCES:]] == [
        ((f"X{n}", "NP"),) for n in range(MOST_EXAMPLES)
    ]
    assert found.labels[0] == LabelError(system="VP", gold="NP", times=len(plain_ones))


def test_not_all_labels_and_no_huge_trees_are_kept(folder):
    kinds = "\n".join(f"(S (X{n} (NN a)) (NN b))" for n in range(MOST_LABELS + 7))
    huge = f"(S (NP {'(NN a)' * LONGEST}) (NN b))"
    gold = "(S (NP (NN a)) (NN b))\n" * (MOST_LABELS + 7)
    found = trees(folder, gold + huge, f"{kinds}\n{huge.replace('NP', 'VP')}")
    assert (found.kinds, len(found.labels)) == (MOST_LABELS + 8, MOST_LABELS)
    assert (found.long, found.sentences) == (1, MOST_LABELS + 8)


@pytest.mark.parametrize(
    "change",
    [
        {"first": (0, 5, 1), "last": (2, 6, 2)},
        {"last": (2, 0, 2)},
        {"first": (1, 0, 0)},
        {"label": ("S",)},
        {"tags": ("NN",)},
        {"wrong": (9,)},
        {"tags_wrong": (-1,)},
        {"ends": (3,)},
        {"points": (1,)},
    ],
)
def test_a_damaged_tree_is_refused(folder, change):
    found = trees(folder, "(S (NP (NN a)) (VP (VB b)))", "(S (PP (NN a)) (VP (VB b)))")
    (case,) = found.cases
    assert case.system.first == (0, 0, 1)
    broken = replace(found, cases=(replace(case, system=replace(case.system, **change)),))
    with pytest.raises(ValueError, match="brackets that do not lie over its words"):
        taken(plain(broken))


def test_documents_from_two_rows_are_put_together_and_renamed(run, folder):
    made = folder()
    for name in ("a", "b"):
        for side, text in (("gold", GOLD), ("ours", OURS)):
            for place in (side, f"{side}-{name}"):
                (made / place).mkdir(exist_ok=True)
                (made / place / f"{name}.mrg").write_text(text)
        command = ("trees", f"s=ours-{name}", "--gold", f"gold=gold-{name}", "-q")
        assert run(*command, "--rows", f"{name}.jsonl", "--with-text")[0] == 0
    assert run("report", "new=a.jsonl", "new=b.jsonl", "-o", "p.html")[0] == 0
    assert run("trees", "new=ours", "--gold", "gold", "-q", "--html", "both.html")[0] == 0
    one, two = (data_of(made / name)["readings"] for name in ("p.html", "both.html"))
    assert one == two
    assert (len(one), one[0]["system"], one[0]["sentences"]) == (1, "new", 4)


def test_labels_and_lengths_are_there_without_being_asked_for(run, folder):
    made = folder(**{"gold.mrg": GOLD, "ours.mrg": OURS})
    command = ("trees", "ours.mrg", "--gold", "gold.mrg", "-q", "--html")
    assert run(*command, "one.html")[0] == 0
    assert run(*command, "two.html", "--by", "length")[0] == 0
    for name in ("one", "two"):
        tables = {
            each["id"]: each["is_folded"] for each in data_of(made / f"{name}.html")["tables"]
        }
        assert tables == {"units": False, "other": False, "by-label": True, "by-length": True}
