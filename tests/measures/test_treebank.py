"""Words, tags and trees against UD's own evaluation, which is used in tests only."""

import io
import random
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.formats.equivalences import TABLES
from caesura.formats.text_files import read_tokens
from caesura.formats.texts import TextOptions
from caesura.measures.joint import AlignedTexts, Joint
from caesura.measures.treebank import METRICS, OF_CONTENT, Treebank, TreebankCounts, aligned_words
from support.hypothesis_settings import MANY
from support.random_texts import conllu, line, treebank
from support.rates import scores

udeval = pytest.importorskip("udtools.udeval")

OPTIONS = TextOptions(equivalences=TABLES["none"])
NAMES = {"words": "Words", "upos": "UPOS", "xpos": "XPOS", "ufeats": "UFeats",
         "alltags": "AllTags", "lemmas": "Lemmas", "uas": "UAS", "las": "LAS",
         "clas": "CLAS", "mlas": "MLAS", "blex": "BLEX"}  # fmt: skip


@pytest.fixture(scope="session")
def aligned(tmp_path_factory):
    """Two treebanks as files are read, and the runs of characters that both have."""
    folder = tmp_path_factory.mktemp("treebanks")

    def call(system, gold):
        files = []
        for name, content in (("system", system), ("gold", gold)):
            path = folder / f"{name}.conllu"
            path.write_bytes(content.encode())
            files.append(read_tokens(path, OPTIONS))
        return *files, AlignedTexts.from_texts(*(each.text for each in files)).runs

    return call


@pytest.fixture(scope="session")
def count(aligned):
    """Count one treebank against another: jointly, and words with tags and heads."""

    def call(*contents):
        ours, theirs, runs = aligned(*contents)
        joint = Joint().count(ours.text, theirs.text)
        return joint, Treebank().count(ours.treebank, theirs.treebank, runs)

    return call


def agreed(counts):
    """The counts but for those of empty columns and flat trees."""
    return astuple(counts)[:16]


def peer(system, gold):
    """What UD's evaluation says of the same: right, of the system, of the gold, and aligned."""
    loaded = [
        udeval.load_conllu(io.StringIO(each), "f", {"multiple_roots_okay": True})
        for each in (gold, system)
    ]
    found = udeval.evaluate(*loaded)
    return {
        name: (s.correct, s.system_total, s.gold_total, s.aligned_total)
        for name, s in found.items()
    }


def assert_as_the_peer(count, system, gold):
    joint, trees = count(system, gold)
    wanted = peer(system, gold)
    both = f"system:\n{system}gold:\n{gold}"
    ours = {
        "Tokens": (joint.token_tp, joint.token_system, joint.token_gold, None),
        "Sentences": (joint.sentence_tp, joint.sentence_system, joint.sentence_gold, None),
    }
    words = trees.system, trees.gold, trees.words
    content = trees.content_system, trees.content_gold, trees.content
    ours |= {
        NAMES[name]: (getattr(trees, name), *(content if name in OF_CONTENT else words))
        for name in METRICS
    }
    ours["Words"] = (*ours["Words"][:3], None)
    assert ours == {name: wanted[name] for name in ours}, both


ALPHABET = "abcdefghijklmnopqrstuvéàñ日本😀"


STREAMS = st.sampled_from(["a", "ab", "abAB", ALPHABET]).flatmap(
    lambda letters: st.text(letters, min_size=1, max_size=25)
)
CHANCES = st.randoms(use_true_random=False)


@pytest.mark.slow
@MANY
@given(CHANCES, STREAMS)
def test_random_treebanks(count, chance, stream):
    """Of other tokens, and of the same with other tags, heads and lemmas here and there."""
    gold = treebank(chance, stream)
    assert_as_the_peer(count, treebank(chance, stream), gold)
    assert_as_the_peer(count, corrupted(chance, gold), gold)


RELATIONS = ["obj", "obj:x", "root", "det", "case:x"]


def corrupted(chance, content, rate=0.2):
    """Other tags, lemmas, relations and heads here and there; heads stay a tree."""
    rows = [row.split("\t") for row in content.split("\n")]
    for row in rows:
        if len(row) == 10 and row[0].isdigit():
            for column, values in ((2, "ab_"), (3, "XY"), (4, "XY"), (7, RELATIONS)):
                if chance.random() < rate:
                    row[column] = chance.choice(values)
            if chance.random() < rate:
                row[5] = chance.choice(["_", "Case=Acc", "Foo=Bar", "Number=Sing|Case=Nom"])
            if chance.random() < rate:
                row[6] = "0"
    return "\n".join("\t".join(row) for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["partut", "pronouns", "ewt"])
def test_real_treebanks(count, shared, name):
    gold = (shared / "data" / "text" / f"{name}.gold.conllu").read_text(encoding="utf-8")
    gold = "\n\n".join(gold.split("\n\n")[:400]).rstrip("\n") + "\n\n"
    chance = random.Random(name)
    assert_as_the_peer(count, gold, gold)
    assert_as_the_peer(count, corrupted(chance, gold), gold)


DU = line("1-2", "du") + conllu(["de", "le"])


@pytest.mark.parametrize(
    ("system", "gold"),
    [
        (conllu(["du"]), DU),
        (conllu(["d", "u"]), DU),
        (conllu(["de", "le"]).replace("de", "d").replace("le", "u"), DU),
        (conllu(["1000", "x"]), conllu(["1 000", "x"])),
        (line("1-2", "1000x") + conllu(["1000", "x"]), conllu(["1 000", "x"])),
        (line("1-1", "1 000") + conllu(["1000"]), conllu(["1 000"])),
    ],
)  # fmt: skip
def test_treebanks_by_hand(count, system, gold):
    assert_as_the_peer(count, system, gold)
    assert_as_the_peer(count, gold, system)


def word(number, form, head, deprel="dep", lemma="x", upos="X", xpos="Y", feats="_"):
    return line(number, form, lemma, upos, xpos, feats, head, deprel)


def test_numbers_by_hand(count):
    gold = word(1, "a", 2, "nsubj:pass", feats="Case=Nom|Typo=Yes") + word(2, "b", 0, lemma="_")
    system = word(1, "a", 2, "nsubj", feats="Case=Nom") + word(2, "b", 1, lemma="q", xpos="Z")
    _, found = count(system + "\n", gold + "\n")
    assert found == TreebankCounts(
        system=2, gold=2, words=2, upos=2, xpos=1, ufeats=2, alltags=1, lemmas=2, uas=1, las=1,
        content_system=2, content_gold=2, content=2, clas=1, mlas=1, blex=1,
    )  # fmt: skip
    assert found.of("uas").f1 == found.accuracy("uas") == 0.5
    assert scores(found)["xpos_f1"] == 0.5


CAT = word(1, "the", 2, "det:x") + word(2, "cat", 3, "nsubj") + word(3, "sat", 0, "root") + "\n"


@pytest.mark.parametrize(
    ("system", "content", "right"),
    [
        (CAT, 2, (2, 2, 2)),
        # Without its article, with another one or with a tag of its own that is wrong, a noun has
        # not the right morphology; the lemma of its article does not matter.
        (CAT.replace("2\tdet", "3\tdet"), 2, (2, 0, 2)),
        (CAT.replace("det:x", "case"), 2, (2, 1, 2)),
        (CAT.replace("the\tx\tX", "the\ty\tZ"), 2, (2, 1, 2)),
        (CAT.replace("the\tx\tX", "the\ty\tX"), 2, (2, 2, 2)),
        (CAT.replace("cat\tx\tX\tY\t_", "cat\ty\tX\tZ\tCase=Nom"), 2, (2, 1, 1)),
        # A functional word is no content word, and a content word no functional child.
        (CAT.replace("nsubj", "aux"), 1, (1, 0, 1)),
        (CAT.replace("det:x", "amod"), 3, (2, 1, 2)),
        (CAT.replace("det:x", "_").replace("nsubj", "punct"), 1, (1, 1, 1)),
        (word(1, "thecat", 2, "nsubj") + word(2, "sat", 0, "root") + "\n", 2, (1, 1, 1)),
    ],
)
def test_content_words_by_hand(count, system, content, right):
    _, found = count(system, CAT)
    assert (found.content_system, found.content_gold) == (content, 2)
    assert (found.clas, found.mlas, found.blex) == right
    assert_as_the_peer(count, system, CAT)
    assert_as_the_peer(count, CAT, system)


def test_content_words_and_what_depends_on_the_root(count):
    """An article without a noun is nobody's child, and relations without a tree count."""
    system = CAT.replace("2\tdet", "0\tdet").replace("3\tnsubj", "0\tnsubj")
    _, found = count(system, system)
    assert (found.content, found.clas, found.mlas, found.blex) == (2, 2, 2, 2)
    _, found = count(system.replace("0\t", "_\t"), system)
    assert (found.content, found.content_system, found.uas, found.mlas) == (2, 2, 0, 0)


def test_heads_that_are_none_are_never_right(count):
    same = word(1, "a", "_") + word(2, "b", 9) + word(3, "c", 0) + "\n"
    assert count(same, same)[1].uas == 1


# Where characters differ UD's evaluation gives up; what has to hold then.


def distinct(number):
    """Sentences of words that no other sentence has."""
    names = [f"{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(number)]
    return [conllu([f"{name}one", f"{name}two", f"{name}three", "."]) for name in names]


@pytest.mark.parametrize("dropped", [0, 1, 5, 9])
def test_a_dropped_sentence_leaves_the_others_aligned(count, dropped):
    gold = distinct(10)
    system = [*gold[:dropped], *gold[dropped + 1 :]]
    _, found = count("".join(system), "".join(gold))
    assert agreed(found) == (36, 40, *[36] * 8, *[0] * 6)
    _, found = count("".join(gold), "".join(system))
    assert agreed(found) == (40, 36, *[36] * 8, *[0] * 6)


def test_an_added_word_leaves_the_others_aligned(count):
    gold = conllu(["the", "cat", "sat"], ["it", "ran"])
    system = conllu(["the", "big", "cat", "sat"], ["it", "ran"])
    _, found = count(system, gold)
    assert (found.system, found.gold, found.words) == (6, 5, 5)
    assert found.upos == found.lemmas == found.uas == 5


def test_a_word_spelled_otherwise_is_not_aligned(count):
    """The characters of a word that is right are those of the gold."""
    _, found = count(conllu(["I", "can", "not", "go"]), conllu(["I", "ca", "n't", "go"]))
    assert (found.system, found.gold, found.words) == (4, 4, 2)


@given(CHANCES, STREAMS, STREAMS)
def test_words_of_texts_that_differ(aligned, chance, one, other):
    """Each word is aligned once, in order, and nothing is right that is not aligned."""
    *files, runs = aligned(treebank(chance, one), treebank(chance, other))
    sides = [each.treebank for each in files]
    for side in aligned_words(*sides, runs):
        assert side.tolist() == sorted({*side.tolist()})
    found = Treebank().count(*sides, runs)
    assert found.words <= min(found.system, found.gold)
    for name in METRICS:
        assert 0 <= getattr(found, name) <= found.words
    assert found.las <= found.uas
    assert max(found.mlas, found.blex) <= found.clas <= min(found.content, found.las)
    assert found.clas <= found.content_system <= found.system
    assert found.content <= found.content_gold <= found.gold
    assert found.alltags <= min(found.upos, found.xpos, found.ufeats)


def test_no_multiword_token_and_nothing_in_common(count):
    _, found = count(conllu(["a"]), conllu(["b"]))
    assert agreed(found) == (1, 1, *[0] * 14)


def test_multiword_tokens_and_nothing_in_common(count):
    gold = line("1-2", "xy") + conllu(["p", "q"])
    assert agreed(count(conllu(["a"]), gold)[1]) == (1, 2, *[0] * 14)


def test_words_that_do_not_overlap_are_aligned_as_the_peer_does(count):
    """Its script looks for the words of a multiword token from some words before it."""
    gold = line(1, "aaaaa", *"____", 0) + line("2-2", "A") + line(2, "a", *"____", 1) + "\n"
    system = conllu(["a"] * 4 + ["aA"])
    assert peer(system, gold)["Words"][:3] == (1, 5, 2)
    assert_as_the_peer(count, system, gold)
