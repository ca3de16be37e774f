"""Resegmentation of published texts: the figures of the definition, and mweralign's lines."""

import json
import random
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

import caesura
from caesura.align.resegmentation import Resegmented

pytestmark = pytest.mark.slow

CASES = ("basic", "cj", "docids", "empty_ref", "wmt24_ende_merge_none")
SCORED = ("score", "wmt24_ende_score")
# It configures logging and warns when it is imported: not in this process.
MWERALIGN = """
import json, sys
from mweralign import align_texts
json.dump([align_texts(*pair) for pair in json.load(sys.stdin)], sys.stdout)
"""


@pytest.fixture
def acl(shared):
    return shared / "data" / "resegment" / "acl"


@pytest.fixture
def mweralign(shared):
    return shared / "data" / "resegment" / "mweralign"


def options(folder):
    """The options of a case, as ours are called."""
    docids = folder / "docids.txt"
    return ["--docids", docids] if docids.exists() else []


@pytest.mark.parametrize("case", CASES)
def test_cases_of_mweralign(mweralign, run, case):
    """Their optimum is unique, and so are the lines."""
    folder = mweralign / case
    wanted = [
        line.rstrip() for line in (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
    ]
    paths = folder / "hyp.txt", "--to", folder / "ref.txt", *options(folder)
    status, out, error = run("resegment", *paths)
    assert (status, error) == (0, "")
    assert out.splitlines() == wanted
    told = json.loads(run("resegment", *paths, "-f", "json")[1])
    segments = [each for one in told["documents"].values() for each in one["segments"]]
    assert {tuple(each["slack"]) for each in segments} == {(0, 0)}
    theirs = Resegmented.as_they_are(
        wanted, (folder / "ref.txt").read_text(encoding="utf-8").splitlines(), "lower", "auto"
    )
    assert told["edits"] == theirs.edits.sum()
    assert [each["edits"] for each in segments] == theirs.edits.tolist()


@pytest.mark.parametrize("case", SCORED)
def test_scores_of_mweralign(mweralign, run, tmp_path, case):
    """The word error rate of each line, and of all."""
    folder, path = mweralign / case, tmp_path / "errors.tsv"
    status, out, _ = run(
        "sentences", folder / "hyp.txt", "--ref", folder / "ref.txt", "--resegment", "never",
        "--errors", path, "--metrics", "none", "-f", "json",
    )  # fmt: skip
    assert status == 0
    *lines, total = (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    found = [
        f"WER={100 * int(edits) / int(words):.2f} N={words}" for _, _, _, edits, words, *_ in rows
    ]
    assert found == [re.sub(r".*(WER=\S+).*(N=\d+).*", r"\1 \2", line) for line in lines]
    (system,) = json.loads(out)["systems"]
    told = f"WER={100 * system['wer']:.2f} (errors={system['edits']} ref_words={system['words']})"
    assert total == f"TOTAL: {told}"


def mweralign_lines(pairs):
    """What mweralign makes of pairs of references and texts."""
    if not find_spec("mweralign"):
        pytest.skip("mweralign is not installed")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", MWERALIGN],
        input=json.dumps(pairs), capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return [[line.strip() for line in each.split("\n")] for each in json.loads(done.stdout)]


def noisy(chance, size, vocabulary):
    """A reference in segments and a text with errors."""
    words = [chance.choice(vocabulary) for _ in range(size)]
    own = [chance.choice(vocabulary) if chance.random() < 0.2 else word for word in words]
    own = [word for word in own if chance.random() < 0.9]
    ends = sorted(chance.sample(range(1, size), size // 8))
    return [words[a:b] for a, b in zip([0, *ends], [*ends, size], strict=True)], own


def test_mweralign_has_as_many_edits():
    """And the same lines where no cut could move."""
    chance, pairs = random.Random(3), []
    for vocabulary in ("ab", "abcdefgh", [f"w{at}" for at in range(200)]):
        for size in (12, 40, 150):
            segments, own = noisy(chance, size, vocabulary)
            pairs.append(("\n".join(" ".join(each) for each in segments), " ".join(own)))
    same = 0
    for (reference, text), theirs in zip(pairs, mweralign_lines(pairs), strict=True):
        found = caesura.resegment(text, reference)
        other = Resegmented.as_they_are(theirs, reference.split("\n"), "lower", "auto")
        assert found.edits.sum() == other.edits.sum()
        assert " ".join(theirs).split() == text.split()
        if set(found.slack()) == {(0, 0)}:
            same += 1
            assert found.lines == theirs
    assert same


def test_mweralign_on_talks(acl):
    """Five talks: as many edits, 5,244, in other places."""
    ours = (acl / "hypotheses.txt").read_text(encoding="utf-8").splitlines()
    segments = (acl / "references.txt").read_text(encoding="utf-8").splitlines()
    docids = [
        line.partition(",")[0]
        for line in (acl / "text_segmentation.txt").read_text(encoding="utf-8").splitlines()
    ]
    documents = {
        name: [line for line, key in zip(segments, docids, strict=True) if key == name]
        for name in docids
    }
    pairs = [("\n".join(each), text) for each, text in zip(documents.values(), ours, strict=True)]
    total = 0
    for (reference, text), theirs in zip(pairs, mweralign_lines(pairs), strict=True):
        found = caesura.resegment(text, reference)
        other = Resegmented.as_they_are(theirs, reference.split("\n"), "lower", "words")
        assert found.edits.sum() == found.fit.errors == other.edits.sum()
        total += found.fit.errors
    assert total == 5244


@pytest.fixture
def talks(acl, run):
    """The scores of five talks, whose text has a line for each."""

    def scores(*more):
        status, out, error = run(
            "sentences", acl / "hypotheses.txt", "--ref", acl / "references.txt",
            "--docids", acl / "text_segmentation.txt", "-f", "json", *more,
        )  # fmt: skip
        assert (status, error) == (0, "")
        told = json.loads(out)
        assert told["documents"] == list("01234")
        assert told["sources"]["hypotheses"] == {"words": 7699, "units": 5}
        assert told["sources"]["references"] == {"words": 7705, "units": 468}
        return told["systems"][0]

    return scores


@pytest.mark.parametrize(("tokens", "edits"), [("lower", 5244), ("exact", 5361), ("bare", 5006)])
def test_edits_of_talks(talks, tokens, edits):
    found = talks("--tokens", tokens, "--metrics", "none")
    assert (found["edits"], found["segments"]) == (edits, 468)
    assert found["wer"] == edits / found["words"]


def test_translation_scores_of_talks(talks):
    """As they should be at least: BLEU 22.59, chrF 52.24; mweralign's lines have 22.54, 52.03."""
    pytest.importorskip("sacrebleu")
    found = talks("--metrics", "bleu,chrf")
    assert found["bleu"] == pytest.approx(22.6002810517746, abs=1e-6)
    assert found["chrf"] == pytest.approx(52.25552160132902, abs=1e-6)
    assert found["chrf_plus"] == pytest.approx(48.922612990538354, abs=1e-6)
    assert (found["bleu"] >= 22.59, found["chrf"] >= 52.24) == (True, True)
