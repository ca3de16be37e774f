"""ELAN's files."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import FormatError
from caesura.formats import xml_tree
from caesura.formats.script import Script
from caesura.formats.transcripts import write_scripts
from support.pieces import document as to_document
from support.pieces import message as refused
from support.pieces import pieces, script
from support.random_scripts import PLAIN, recordings

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def slots(*times):
    return "\n".join(
        f'<TIME_SLOT TIME_SLOT_ID="ts{at}"' + ("/>" if time is None else f' TIME_VALUE="{time}"/>')
        for at, time in enumerate(times)
    )


def timed(name, first, last, value):
    return (
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{name}" TIME_SLOT_REF1="ts{first}" '
        f'TIME_SLOT_REF2="ts{last}"><ANNOTATION_VALUE>{value}</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION></ANNOTATION>"
    )


def of(name, other, value, after=None):
    previous = f' PREVIOUS_ANNOTATION="{after}"' if after else ""
    return (
        f'<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="{name}" ANNOTATION_REF="{other}"{previous}>'
        f"<ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>"
    )


def tier(name, *annotations, parent=None, participant=None, kind="default"):
    told = f' PARENT_REF="{parent}"' if parent else ""
    told += f' PARTICIPANT="{participant}"' if participant else ""
    body = "\n".join(annotations)
    return f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="{kind}"{told}>\n{body}\n</TIER>'


def document(times, *tiers, head=HEAD):
    body = "\n".join(tiers)
    return (
        f'{head}<ANNOTATION_DOCUMENT AUTHOR="" VERSION="3.0">\n'
        '<HEADER TIME_UNITS="milliseconds"/>\n'
        f"<TIME_ORDER>\n{times}\n</TIME_ORDER>\n{body}\n</ANNOTATION_DOCUMENT>\n"
    )


TIMES = slots(0, 1000, 1500, 2000, 3000)
ANN = tier("A", timed("a1", 0, 2, "so you know"), timed("a2", 3, 4, "it &lt;rained&gt;"))
TALK = document(TIMES, ANN, tier("Bob", timed("b1", 1, 3, "yes"), timed("b2", 3, 4, " ")))


def read(text, fields="start end texts"):
    return pieces("eaf", text, fields)


def message(text):
    return refused("eaf", text)


SPOKEN = [
    ("A", 0, 1.5, "so you know", True),
    ("Bob", 1, 2, "yes", True),
    ("A", 2, 3, "it <rained>", True),
]


def spoken(text):
    return read(text, "speakers start end texts ends")


def test_tiers_are_speakers():
    assert spoken(TALK) == SPOKEN
    assert script("eaf", TALK).lines.tolist() == [12, 16, 13]
    found = to_document("eaf", TALK)
    assert found.words == ["so", "you", "know", "yes", "it", "<rained>"]
    assert found.segmentation.boundaries.tolist() == [2, 3, 5]


def test_the_participant_is_the_speaker():
    text = document(TIMES, tier("x", timed("a", 0, 1, "one"), participant="Ann"),
                    tier("y", timed("b", 3, 4, "two"), participant="Ann"))  # fmt: skip
    assert read(text, "speakers texts") == [("Ann", "one"), ("Ann", "two")]


WORDS = [of("w2", "a1", "you", "w1"), of("w1", "a1", "so"), of("w3", "a1", "know", "w2"),
         of("w4", "a2", "it")]  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), [("A-words", "x"), ("tx@A", "word"), ("words", "x")])
def test_words_that_refer_to_units(name, kind):
    text = document(TIMES, tier(name, *WORDS, parent="A", kind=kind), ANN)
    assert spoken(text) == [
        ("A", 0, 0.5, "so", False), ("A", 0.5, 1, "you", False),
        ("A", 1, 1.5, "know", True), ("A", 2, 3, "it", True),
    ]  # fmt: skip


def test_words_with_times_of_their_own():
    times = slots(0, None, 600, None, None, 1500)
    ann = tier("A", timed("a1", 0, 5, "a b c d e"))
    edges = enumerate("abcde")
    words = tier("words@A", *(timed(f"w{at}", at, at + 1, word) for at, word in edges), parent="A")
    assert read(document(times, ann, words)) == [
        (0, 0.3, "a"), (0.3, 0.6, "b"), (0.6, 0.9, "c"), (0.9, 1.2, "d"), (1.2, 1.5, "e"),
    ]  # fmt: skip


def test_times_are_laid_out_on_the_tier_itself():
    """The times of other tiers that stand between do not count."""
    times = slots(0, None, 100, 200, None, 900)
    ann = tier("A", timed("a1", 0, 5, "a b c"))
    words = [timed("w1", 0, 1, "a"), timed("w2", 1, 4, "b"), timed("w3", 4, 5, "c")]
    text = document(
        times, ann, tier("words@A", *words, parent="A"), tier("B", timed("b1", 2, 3, "x"))
    )
    assert sorted(read(text)) == [
        (0, 0.3, "a"), (0.1, 0.2, "x"), (0.3, 0.6, "b"), (0.6, 0.9, "c"),
    ]  # fmt: skip


def test_times_that_are_not_told_at_the_edges():
    text = document(slots(None, 100, None, 300, None), tier("A", timed("a", 0, 2, "x"),
                    timed("b", 3, 4, "y")))  # fmt: skip
    assert read(text) == [(0.1, 0.2, "x"), (0.3, 0.3, "y")]


def test_sentences_below_turns():
    sentences = [of("s1", "a1", "so."), of("s2", "a1", "you know.", "s1")]
    text = document(TIMES, ANN, tier("sentences@A", *sentences, parent="A"))
    assert read(text) == [(0, 0.75, "so."), (0.75, 1.5, "you know.")]


def test_types():
    text = document(TIMES, ANN, tier("su@A", of("t1", "a2", "statement"), parent="A"))
    assert read(text, "texts ends types") == [
        ("so you know", False, ""), ("it <rained>", True, "statement"),
    ]  # fmt: skip


def test_other_tiers_below_are_not_read():
    below = tier("translation", of("t1", "a1", "also"), parent="A")
    deeper = tier("notes", of("n1", "t1", "hm"), parent="translation")
    phones = tier("phones", timed("p1", 0, 1, "s"))
    text = document(TIMES, deeper, below, ANN, phones)
    assert read(text, "texts") == ["so you know", "it <rained>"]


def test_annotations_in_any_order():
    text = document(TIMES, tier("A", timed("b", 3, 4, "two"), timed("a", 0, 1, "one")))
    assert read(text, "texts") == ["one", "two"]


KIND = {
    "another declaration": lambda text: text.replace("UTF-8", "UTF-16"),
    "no declaration": lambda text: text.removeprefix(HEAD),
    "a namespace": lambda text: text.replace("AUTHOR", 'xmlns="urn:x" AUTHOR'),
    "a prefix": lambda text: text.replace("</", "<|")
    .replace("<|", "</e:").replace("<A", "<e:A").replace("<T", "<e:T").replace("<H", "<e:H")
    .replace("AUTHOR", 'xmlns:e="urn:x" AUTHOR'),
    "CDATA": lambda text: text.replace(">yes<", "><![CDATA[yes]]><"),
    "characters by number": lambda text: text.replace(">yes<", ">y&#101;s<"),
    "comments": lambda text: text.replace("<TIER", "<!-- x --><?y z?><TIER"),
    "no header": lambda text: text.replace('<HEADER TIME_UNITS="milliseconds"/>', ""),
    "other elements": lambda text: text.replace("<TIME_ORDER>", "<X><TIER2/></X><TIME_ORDER>"),
}  # fmt: skip


@pytest.mark.parametrize("change", KIND.values(), ids=KIND)
def test_kind_to_what_people_have(change):
    assert spoken(change(TALK)) == SPOKEN


# --- What is broken ---------------------------------------------------------------------

ENTITIES = "a document type or its own entities; remove the DOCTYPE; EAF has none"
LAUGHS = "".join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10}">' for at in range(1, 10))
BOMBS = {
    "billion laughs": (f'<!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]>', "&l9;"),
    "quadratic blowup": (f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]>', "&a;" * 50_000),
    "an external entity": ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>', "&a;"),
    "an external document type": ('<!DOCTYPE x SYSTEM "http://localhost/x.dtd">', "x"),
    "a parameter entity": ('<!DOCTYPE x [<!ENTITY % a SYSTEM "file:///x"> %a;]>', "x"),
    "a bare document type": ("<!DOCTYPE ANNOTATION_DOCUMENT>", "x"),
}


@pytest.mark.parametrize(("doctype", "value"), BOMBS.values(), ids=BOMBS)
def test_bombs(doctype, value):
    text = document(TIMES, tier("A", timed("a", 0, 1, value)), head=f"{HEAD}{doctype}\n")
    assert message(text) == f"x:2: {ENTITIES}"


def test_an_entity_that_is_not_declared():
    text = document(TIMES, tier("A", timed("a", 0, 1, "&nbsp;")))
    assert message(text) == "x:12: broken XML (undefined entity); save it from ELAN again"


def test_deep_nesting():
    text = TALK.replace("<TIME_ORDER>", "<x>" * 10_000)
    assert message(text) == "x:4: elements nested deeper than 64; save it from ELAN again"


def test_more_than_is_read(monkeypatch):
    monkeypatch.setattr(xml_tree, "SIZE", 100)
    assert message(TALK) == "x: more than 100 bytes of XML; split the file"


BROKEN = {
    "HTML": (
        "<html></html>",
        "1: <html> instead of <ANNOTATION_DOCUMENT>; give a file that ELAN saved",
    ),
    "broken XML": (
        TALK.replace("</TIME_ORDER>", ""),
        "19: broken XML (mismatched tag); save it from ELAN again",
    ),
    "no tiers": (document(TIMES), "1: no tiers; add a tier for each speaker"),
    "no time slot": (
        document(TIMES, tier("A", timed("a", 0, 1, "x"), timed("b", 0, 9, "x"))),
        "13: no time slot 'ts9'; add it to the TIME_ORDER, before the tiers",
    ),
    "a time slot twice": (
        document(TIMES + TIMES, ANN),
        "9: the time slot 'ts0' appears twice; give each its own id",
    ),
    "no time": (
        TALK.replace('"1500"', '"1.5"'),
        "7: '1.5' is not a time; write whole milliseconds, such as 1500",
    ),
    "a large time": (
        TALK.replace('"1500"', '"9999999999999999"'),
        "7: '9999999999999999' is not a time; write whole milliseconds, such as 1500",
    ),
    "no times at all": (
        document(slots(None, None), tier("A", timed("a", 0, 1, "x"))),
        "8: no time slot has a time; add TIME_VALUE to the time slots",
    ),
    "frames": (
        TALK.replace("milliseconds", "PAL-frames"),
        "3: times in PAL-frames; save it from ELAN with times in milliseconds",
    ),
    "no id": (
        TALK.replace('TIER_ID="Bob"', ""),
        "15: <TIER> without TIER_ID; add TIER_ID",
    ),
    "a tier twice": (
        document(TIMES, ANN, ANN),
        "15: the tier 'A' appears twice; give each its own name",
    ),
    "no parent": (
        document(TIMES, ANN, tier("words", parent="x")),
        "15: no tier 'x', the parent of 'words'; add it, or remove PARENT_REF",
    ),
    "below itself": (
        document(TIMES, ANN, tier("x", parent="y"), tier("y", parent="x")),
        "15: the parents of the tier 'x' form a cycle; fix its PARENT_REF",
    ),
    "no annotation to refer to": (
        document(TIMES, ANN, tier("words", of("w", "a7", "x"), parent="A")),
        "16: no annotation 'a7' in the tiers above 'words'; fix the ANNOTATION_REF",
    ),
    "annotations in a ring": (
        document(TIMES, ANN, tier("words", of("v", "a1", "x", "w"), of("w", "a1", "x", "v"),
                 parent="A")),
        "16: annotations of 'a1' that do not follow each other; fix their PREVIOUS_ANNOTATION",
    ),
    "an annotation outside": (
        document(TIMES, timed("a", 0, 1, "x"), ANN),
        "11: an annotation outside a tier; save it from ELAN again",
    ),
    "backwards": (
        document(TIMES, tier("A", timed("a", 3, 1, "x"))),
        "12: the interval 2.00–1.00 of the tier 'A' ends before it begins; fix its times",
    ),
    "overlapping": (
        document(TIMES, tier("A", timed("a", 0, 2, "x"), timed("b", 1, 3, "x"))),
        "13: the interval 1.00–2.00 of the tier 'A' begins before the end of 0.00–1.50; "
        "intervals of a tier must not overlap: give each speaker a tier",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_errors(text, expected):
    assert message(text) == f"x:{expected}"


@pytest.mark.parametrize("tiers", [[tier("A")], [tier("A", timed("a", 0, 1, " "))]])
def test_nothing_is_said(tiers):
    expected = "x: no words in any tier; give an interval tier that contains the words"
    assert message(document(TIMES, *tiers)) == f"{expected}, or choose one of 'A' with tier=…"


# --- What is written --------------------------------------------------------------------


def written(script):
    return write_scripts([script], "eaf")


def test_times_are_rounded_to_milliseconds():
    script = Script(texts=["a"], start=np.array([1_499]), end=np.array([2_500]))
    assert read(written(script)) == [(0.001, 0.003, "a")]


def test_what_xml_cannot_hold_is_left_out():
    script = Script(texts=["a\x00\x08\ud800b\ufffe"], start=np.array([0]), end=np.array([1000]))
    assert read(written(script), "texts") == ["ab"]


def test_what_cannot_be_written():
    with pytest.raises(FormatError, match="a piece without times, which an EAF cannot represent"):
        written(Script(texts=["a"]))
    with pytest.raises(FormatError, match="0 recordings; an EAF holds one"):
        write_scripts([], "eaf")


# --- pympi ------------------------------------------------------------------------------

plain = recordings(PLAIN, st.sampled_from(["Ann", "Bob"]), st.sampled_from(["", "a"]), step=1000)


@given(plain)
def test_pympi_reads_what_we_write(tmp_path_factory, script):
    peer = pytest.importorskip("pympi")
    path = tmp_path_factory.mktemp("eaf") / "x"
    path.write_text(written(script), encoding="utf-8", newline="\n")
    found = peer.Elan.Eaf(str(path))
    rows = [
        (found.tiers[name][2]["PARTICIPANT"], start * 1000, end * 1000, value)
        for name in found.get_tier_names()
        if not name.endswith("su")
        for start, end, value, *_ in found.get_annotation_data_for_tier(name)
    ]
    columns = (script.speakers, script.start.tolist(), script.end.tolist(), script.texts)
    assert sorted(rows) == sorted(zip(*columns, strict=True))


@pytest.mark.parametrize("with_words", [False, True])
@given(script=plain)
def test_we_read_what_pympi_writes(tmp_path_factory, script, with_words):
    peer = pytest.importorskip("pympi")
    path = tmp_path_factory.mktemp("eaf") / "x"
    made = peer.Elan.Eaf()
    made.remove_tier("default")
    columns = (script.speakers, script.start.tolist(), script.end.tolist(), script.texts)
    expected, free = [], {}
    for speaker, start, end, text in zip(*columns, strict=True):
        if start <= free.get(speaker, -1):
            continue
        free[speaker] = end
        if speaker not in made.get_tier_names():
            made.add_tier(speaker, part=speaker)
            made.add_linguistic_type(f"sub {speaker}", "Symbolic_Association")
            made.add_tier(f"{speaker} - words", f"sub {speaker}", speaker)
        made.add_annotation(speaker, start // 1000, end // 1000, "x" if with_words else text)
        if with_words:
            made.add_ref_annotation(f"{speaker} - words", speaker, start // 1000, text)
        expected.append((speaker, start / 1e6, end / 1e6, text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.to_file(str(path))
    found = read(path.read_text(encoding="utf-8"), "speakers start end texts")
    assert sorted(found) == sorted(expected)
