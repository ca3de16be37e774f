"""DISRPT: the figures of its own script, seg_eval.py, on SciDTB, and where the two differ."""

import importlib.util
import json
import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.align.versions import project
from caesura.communities.disrpt.measure import SegEval
from caesura.formats import disrpt
from caesura.formats.script import SpacedWords, to_document
from caesura.measures.units import Discourse, Starts, UnitCounts
from support.reference_units import matched, script_spans

KINDS = pytest.mark.parametrize("kind", ["tok", "conllu"])
LABEL = {"B": "Seg=B-Conn", "I": "Seg=I-Conn", "O": "_"}
UNITS = {"precision": 0.6912220309810672, "recall": 0.9427230046948357, "f1": 0.7976166832174777}
"""What seg_eval.py prints for 2,130 units of SciDTB's dev and 2,905 made up by `flipped`."""
CONNECTIVES = {
    "precision": 0.5182546749777382,
    "recall": 0.891271056661562,
    "f1": 0.6554054054054055,
}
"""What it prints for connectives made up in the same tokens."""


@pytest.fixture(scope="module")
def data(shared):
    return shared / "data" / "communities" / "disrpt"


@pytest.fixture(scope="module")
def seg_eval(data):
    spec = importlib.util.spec_from_file_location("seg_eval", data / "seg_eval.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def gold_text(data, kind):
    return (data / f"eng.dep.scidtb_dev.{kind}").read_text(encoding="utf-8")


def changed(text, label):
    """A file with other labels, given those it has, and whether a document begins there."""
    lines, is_first = text.split("\n"), True
    for number, line in enumerate(lines):
        is_first |= line.startswith("# newdoc")
        if re.match(r"\d+\t", line):
            cells = line.split("\t")
            lines[number] = "\t".join((*cells[:-1], label(cells[-1], is_first)))
            is_first = False
    return "\n".join(lines)


def flipped(text):
    """A made-up system: one label in twenty is the other one."""
    draw = random.Random(7)
    other = {"Seg=O": "Seg=B-seg", "Seg=B-seg": "Seg=O"}
    return changed(text, lambda label, _: other[label] if draw.random() < 0.05 else label)


def connectives(text, seed, wrong):
    """Made-up connectives of one to three tokens; the same for one seed, but for those wrong."""
    draw, slip, left = random.Random(seed), random.Random(wrong), 0

    def label(_, is_first):
        nonlocal left
        begins, size = draw.random() < 0.06, draw.randint(1, 3)
        if wrong and slip.random() < 0.05:
            begins, size = not begins, slip.randint(1, 3)
        left = size if begins else 0 if is_first else left - 1
        return "Conn=O" if left <= 0 else "Conn=B-conn" if begins else "Conn=I-conn"

    return changed(text, label)


def older(text):
    """The labels that the script knows."""
    text = re.sub(r"Conn=([BI])-conn", r"Seg=\1-Conn", text).replace("Conn=O", "_")
    return text.replace("Seg=B-seg", "BeginSeg=Yes").replace("Seg=O", "_")


def scored(run, *arguments):
    status, out, _ = run("score", "disrpt", *arguments, "-f", "json")
    assert status == 0
    micro = json.loads(out)["systems"][0]["micro"]
    return {name: micro[name] for name in ("precision", "recall", "f1")}


def expected(found):
    return {"precision": found["prec"], "recall": found["rec"], "f1": found["f_score"]}


@pytest.mark.slow
@KINDS
def test_units_of_scidtb(run, folder, data, seg_eval, kind):
    gold, ours = gold_text(data, kind), flipped(gold_text(data, kind))
    place = folder(**{f"gold.{kind}": gold, f"ours.{kind}": ours})
    found = scored(run, place / f"ours.{kind}", "--gold", place / f"gold.{kind}")
    theirs = seg_eval.get_scores(older(gold), older(ours), string_input=True)
    assert found == expected(theirs) == UNITS
    assert (theirs["gold_seg_count"], theirs["pred_seg_count"]) == (2130, 2905)


@pytest.mark.slow
@KINDS
def test_connectives_in_scidtb(run, folder, data, seg_eval, kind):
    gold, ours = (connectives(gold_text(data, kind), 1, wrong) for wrong in (0, 2))
    place = folder(**{f"gold.{kind}": gold, f"ours.{kind}": ours})
    found = scored(run, place / f"ours.{kind}", "--gold", place / f"gold.{kind}")
    theirs = seg_eval.get_scores(older(gold), older(ours), string_input=True)
    assert found == expected(theirs) == CONNECTIVES


@pytest.mark.slow
def test_both_forms_and_both_years_are_one(run, folder, data):
    place = folder(
        **{
            "gold.tok": older(gold_text(data, "tok")),
            "ours.conllu": flipped(gold_text(data, "conllu")),
        }
    )
    assert scored(run, place / "ours.conllu", "--gold", place / "gold.tok") == UNITS


def tok(labels):
    rows = ((str(at), "a", *"_" * 7, label) for at, label in enumerate(labels, 1))
    return "\n".join(map("\t".join, rows))


def counted(ours, gold):
    both = (disrpt.parse(each, "f")[0] for each in (ours, gold))
    return Discourse().count(*(to_document(each).segmentation for each in both))


def compared(seg_eval, ours, gold):
    """The scores of the script and ours; 0 is what the script has where a score is undefined."""
    theirs = seg_eval.get_scores(gold, ours, string_input=True)
    counts = counted(ours, gold)
    own = counts.precision, counts.recall, counts.f1
    return (theirs["prec"], theirs["rec"], theirs["f_score"]), tuple(
        0 if each != each else each for each in own
    )


@st.composite
def two(draw, labels):
    length = draw(st.integers(1, 30))
    one = st.lists(st.sampled_from(labels), min_size=length, max_size=length)
    return draw(one), draw(one)


@given(
    pair=two(["BeginSeg=Yes", "_", "_"]).filter(lambda two: all(min(each) != "_" for each in two))
)
def test_units_of_any_labels(seg_eval, pair):
    theirs, own = compared(seg_eval, *map(tok, pair))
    assert own == theirs


def sound(labels):
    """Without what the script has otherwise: an I that no B begins, one token at the very end."""
    kept = [LABEL[each] for each in "".join(labels)]
    for at, label in enumerate(kept):
        if label == LABEL["I"] and (at == 0 or kept[at - 1] == "_"):
            kept[at] = LABEL["B"]
    return ["Seg=B-Conn", *kept, "_"]


@given(pair=two("BBIO"))
def test_connectives_of_any_labels(seg_eval, pair):
    theirs, own = compared(seg_eval, *(tok(sound(each)) for each in pair))
    assert own == theirs


@pytest.mark.parametrize(
    ("ours", "gold", "theirs", "own"),
    [("OOB", "OOB", (0, 0, 0), (1, 1, 1)), ("IOBO", "OOBO", (0, 0, 0), (1, 1, 1))],
    ids=["one token at the very end is lost", "an I that no B begins moves the next end"],
)
def test_where_the_script_is_wrong(seg_eval, ours, gold, theirs, own):
    files = (tok([LABEL[each] for each in labels]) for labels in (ours, gold))
    assert compared(seg_eval, *files) == (theirs, own)


def in_documents(tags, sizes, label=LABEL.get):
    """A file of documents with some labels; ids count from 1 in each."""
    lines, left = [], iter(tags)
    for name, size in enumerate(sizes):
        lines.append(f"# newdoc id = {name}")
        lines += tok([label(next(left)) for _ in range(size)]).split("\n")
    return "\n".join(lines)


def as_the_scripts(ours, gold):
    """What is counted of a file, summed over its documents."""
    sides = ([to_document(each) for each in disrpt.parse(text, "f")] for text in (ours, gold))
    return sum(SegEval().count(*each) for each in zip(*sides, strict=True))


@st.composite
def two_files(draw, labels):
    sizes = draw(st.lists(st.integers(1, 8), min_size=1, max_size=4))
    one = st.lists(st.sampled_from(labels), min_size=sum(sizes), max_size=sum(sizes))
    return "".join(draw(one)), "".join(draw(one)), sizes


@given(files=two_files("BIIOO").filter(lambda each: "B" in each[0] and "B" in each[1]))
def test_the_script_reads_any_labels_so(seg_eval, files):
    """Each I that no B begins, one token at the very end, documents that go on."""
    *tags, sizes = files
    ours, gold = (in_documents(each, sizes) for each in tags)
    found, theirs = as_the_scripts(ours, gold), seg_eval.get_scores(gold, ours, string_input=True)
    own = found.seg_eval
    assert (own.precision, own.recall, own.f1) == (
        theirs["prec"], theirs["rec"], theirs["f_score"],
    )  # fmt: skip
    for name, keeps_last in (("seg_eval", False), ("disrpt_eval", True)):
        sides = (script_spans(each, keeps_last=keeps_last) for each in tags)
        counts = getattr(found, name)
        assert (counts.tp, counts.fp, counts.fn) == matched(*sides)


@given(files=two_files("BOO").filter(lambda each: "B" in each[0] and "B" in each[1]))
def test_units_that_start_with_a_sentence_do_not_count(files):
    """Here each document is a sentence, and an empty one makes the ids start again."""
    *tags, sizes = files
    label = {"B": "Seg=B-seg", "O": "Seg=O"}.get
    sides = [in_documents(each, sizes, label) + f"\n\n{tok(['Seg=O'])}" for each in tags]
    firsts = {sum(sizes[:at]) for at in range(len(sizes))}
    inner = (
        [at for at, tag in enumerate(each) if tag == "B" and at not in firsts] for each in tags
    )
    counts = as_the_scripts(*sides).nb
    assert (counts.tp, counts.fp, counts.fn) == matched(*inner)


def with_orphans(text):
    """The same labels with an I at one in two hundred of the tokens that follow one without."""
    draw, before = random.Random(3), ""

    def label(own, _):
        nonlocal before
        is_orphan = own == before == "Conn=O" and draw.random() < 0.005
        before = own
        return "Conn=I-conn" if is_orphan else own

    return changed(text, label)


@pytest.mark.slow
def test_orphans_in_scidtb(run, folder, data, seg_eval):
    gold = connectives(gold_text(data, "tok"), 1, 0)
    ours = with_orphans(gold)
    place = folder(**{"gold.tok": gold, "ours.tok": ours})
    paths = place / "ours.tok", "--gold", place / "gold.tok"
    micro = json.loads(run("score", "disrpt", *paths, "-f", "json")[1])["systems"][0]["micro"]
    theirs = seg_eval.get_scores(older(gold), older(ours), string_input=True)
    assert expected(theirs) == {name: micro[f"{name}_seg_eval"] for name in UNITS}
    assert (micro["f1"], round(micro["f1_seg_eval"], 3)) == (1, 0.978)


@pytest.mark.slow
def test_without_the_starts_of_sentences(run, folder, data):
    """Known in .conllu, where ids start again; ids of .tok count on."""
    for kind, known in (("conllu", True), ("tok", False)):
        gold = gold_text(data, kind)
        place = folder(**{f"gold.{kind}": gold, f"ours.{kind}": flipped(gold)})
        paths = place / f"ours.{kind}", "--gold", place / f"gold.{kind}"
        micro = json.loads(run("score", "disrpt", *paths, "-f", "json")[1])["systems"][0]["micro"]
        assert (micro["f1_nb"] is not None) == known
        assert micro["f1_seg_eval"] == micro["f1_disrpt_eval"] == UNITS["f1"]


def test_units_in_memory_are_taken_as_they_are():
    ours, gold = caesura.masses([2, 2]), caesura.masses([2, 1, 1])
    found = caesura.evaluate({"a": ours}, {"b": gold}, also="seg_eval").systems["a"]
    assert found.f1_seg_eval_mean == pytest.approx(2 / 5)


GOLD = tok(["Seg=B-seg", "Seg=O", "Seg=B-seg", "Seg=O"]).replace("2\ta", "2\tb")


def test_other_tokens_are_aligned_if_asked(run, folder):
    """The script has no figure for them."""
    fewer = "\n".join(line for line in GOLD.split("\n") if not line.startswith("2"))
    folder(**{"gold.tok": GOLD, "ours.tok": fewer})
    assert run("score", "disrpt", "ours.tok", "--gold", "gold.tok")[0] == 1
    command = ("score", "disrpt", "ours.tok", "--gold", "gold.tok", "--align", "-f", "json")
    micro = json.loads(run(*command)[1])["systems"][0]["micro"]
    assert (micro["precision"], micro["recall"], micro["f1"]) == (1, 1, 1)
    assert micro["f1_seg_eval"] is None


@pytest.mark.parametrize(
    ("gold", "ours"),
    [
        ("a:B b:O c:B d:O", "a:B c:B d:O"),
        ("a:B b:O c:B d:O", "a:B b:O d:B"),
        ("a:B b:O c:B d:O", "a:B b:O x:O c:B d:O"),
        ("a:B b:O c:B d:O", "x:O a:B b:O c:B d:O"),
        ("a:B b:O c:B d:O", "b:B c:B"),
    ],
)
def test_a_unit_that_begins_with_the_same_token_is_right_wherever_tokens_lack(gold, ours):
    axis, other = document(gold), document(ours)
    moved = project(other, axis).document.segmentation
    expected = UnitCounts(1 + ("c" in ours), "c" not in ours, "c" not in ours)
    assert Starts().count(moved, axis.segmentation) == expected


def document(labels):
    """A document from tokens with labels, `token:B` or `token:O`."""
    tokens = [each.split(":") for each in labels.split()]
    rows = (
        (str(at), form, *"_" * 7, "Seg=B-seg" if label == "B" else "Seg=O")
        for at, (form, label) in enumerate(tokens, 1)
    )
    (script,) = disrpt.parse("\n".join(map("\t".join, rows)), "f")
    return to_document(script)


def test_other_labels_are_an_error(run, folder):
    other = GOLD.replace("Seg=B-seg", "Conn=B-conn").replace("Seg=O", "Conn=O")
    folder(**{"gold.tok": GOLD, "ours.tok": other})
    status, _, error = run("score", "disrpt", "ours.tok", "--gold", "gold.tok")
    assert status == 1
    assert error == (
        "error: ours.tok: its labels are conn, those of gold.tok are seg; "
        "give files with the same labels\n"
    )


def test_a_document_that_is_missing_is_named(run, folder):
    texts = (f"# newdoc id = {name}\n{GOLD}\n" for name in "xy")
    folder(**{"gold.tok": "".join(texts), "ours.tok": f"# newdoc id = x\n{GOLD}\n"})
    status, _, error = run("score", "disrpt", "ours.tok", "--gold", "gold.tok")
    assert status == 1
    expected = "gold.tok: holds 2 documents: x, y, where ours.tok holds one; "
    assert error == f"error: {expected}give files with the same documents\n"


def test_further_measures_of_transcripts(folder):
    folder(**{"gold.tok": GOLD, "ours.tok": GOLD.replace("Seg=B-seg", "Seg=O", 1)})
    found = caesura.evaluate("ours.tok", "gold.tok", also=("starts", "spans", "rand"))
    scores = found.systems["ours"]
    assert (scores.start_f1_mean, scores.span_f1_mean) == (2 / 3, 2 / 3)
    assert scores.adjusted_rand_index_mean == 1


FORMS = "a", "né", "de l'", "new\u00a0york", "\u3000"
LABELS = "Seg=B-seg", "Seg=O|SpaceAfter=No", "_"
ROWS = st.sampled_from(
    [
        *("\t".join(("{at}", form, *"_" * 7, label)) for form in FORMS for label in LABELS),
        *("\t".join((at, "ab", *"_" * 8)) for at in ("{at}-{at}", "{at}.1")),
        *("# newdoc id = {at}", "# text = any", "", " \t"),
    ]
)
FAULTS = st.sampled_from(["1\ta", "x\ta" + "\t_" * 8, "1\ta" + "\t_" * 7 + "\tSeg=X", "# newdoc"])


def outcome(text):
    """What is read, or the error that is reported; blank forms are one only in a document."""
    try:
        scripts = disrpt.parse(text, "f")
    except caesura.CaesuraError as problem:
        return str(problem)
    return [
        (each.recording, [*each.texts], each.ends.tolist(), each.types, each.lines.tolist(),
         each.units.starts.tolist(), each.units.ends.tolist(), each.units.is_first.tolist())
        for each in scripts
    ]  # fmt: skip


@given(rows=st.lists(ROWS | ROWS | FAULTS, max_size=30), size=st.integers(0, 60))
def test_parts_change_nothing(rows, size):
    """Neither what is read nor which error is reported, wherever a file is cut."""
    text = "\n".join(row.format(at=at) for at, row in enumerate(rows, 1))
    whole = outcome(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disrpt, "PART", size)
        assert outcome(text) == whole


def test_words_that_stay_together_are_read_as_a_list_is():
    text = GOLD.replace("2\tb", "2\tné")
    (script,) = disrpt.parse(text, "f")
    apart = [line.split("\t")[1] for line in text.split("\n")]
    assert isinstance(script.texts, SpacedWords)
    assert [*script.texts] == [script.texts[at] for at in range(-4, 0)] == apart
    for part in (slice(1, 3), slice(2, None), slice(3, 1), slice(0)):
        assert [*script.texts[part]] == apart[part]
    with pytest.raises(IndexError):
        script.texts[4]
    assert to_document(script).text == " ".join(apart)


def test_blocks_add_up_to_the_document_as_the_scripts_count_it(data):
    gold, ours = (connectives(gold_text(data, "conllu"), 1, wrong) for wrong in (0, 2))
    pair = [to_document(disrpt.parse(each, "f")[0]) for each in (ours, gold)]
    length = pair[1].segmentation.length
    blocks = SegEval().count_blocks(*pair, np.array([length // 3, length // 2, length]))
    assert len(set(blocks)) == 3
    assert sum(blocks) == SegEval().count(*pair)
