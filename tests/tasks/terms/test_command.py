"""`caesura terms`, run as a user would, and `caesura.terms`."""

import json
import math
import re

import numpy as np
import pytest

import caesura
from caesura.errors import FormatError, UsageError
from support.speech_corpora import PAIR, PHONES, WORDS, classes

GOLD = ("--phones", "gold.phn", "--words", "gold.wrd")
MEASURES = ("boundary", "token", "type", "grouping")
TWO = classes("f1 .5 .7, f1 .7 1.0", "f1 1.5 1.7, f2 .2 .4, f1 .58 .62")


@pytest.fixture
def gold(folder):
    """The worked example of the specification and two systems."""
    return folder(**{"gold.phn": PHONES, "gold.wrd": WORDS, "one.class": PAIR, "two.class": TWO})


pytestmark = pytest.mark.usefixtures("gold")


def result(run, *arguments):
    status, out, error = run("terms", *arguments, *GOLD, "-f", "json")
    assert (status, error) == (0, "")
    return json.loads(out)


def failed(run, *arguments):
    status, out, error = run("terms", *arguments)
    assert out == ""
    return status, error


def test_numbers_by_hand(run):
    one, two = result(run, "one.class", "two.class")["systems"]
    assert one["boundary"] == {
        "precision": 1, "recall": 0.5, "f1": pytest.approx(2 / 3), "hits": 4, "found": 4, "gold": 8,
        "over_segmentation": -0.5, "r_value": pytest.approx(1 - math.sqrt(0.5) / 2),
    }  # fmt: skip
    assert (one["token"]["precision"], one["token"]["recall"]) == (1, 0.4)
    assert one["type"]["recall_ceiling"] == 1
    assert one["ned"] == {"score": 0, "pairs": 1}
    assert one["coverage"] == {"score": 0.4, "covered": 4, "phones": 10}
    assert (one["intervals"], one["dropped"]) == (2, 0)
    assert (two["intervals"], two["dropped"]) == (4, 1)
    assert two["grouping"]["recall"] == pytest.approx(2 / 3)
    assert two["micro"]["ned"] == two["ned"]["score"] == 0.5


def test_the_signature_tells_every_option(run):
    version = caesura.__version__
    summary = result(run, "one.class")
    assert summary["signature"] == f"caesura:{version}|task:terms|profile:2017"
    options = "--profile paper --parts 2 --seed 7 --within-talker --talkers (f)".split()
    assert result(run, "one.class", *options)["signature"] == (
        f"caesura:{version}|task:terms|profile:paper|ties:decimal|parts:2|seed:7|talkers:(f)"
    )
    assert "talkers:recording" in result(run, "one.class", "--within-talker")["signature"]


def test_profile_paper(run, folder):
    folder(**{"near.class": classes("f1 .529 .671", "f1 .500 .670")})
    summary = result(run, "near.class", "--profile", "paper")
    assert summary["profile"] == "paper"
    system = summary["systems"][0]
    numbers = [system[name][kind] for name in ("boundary", "token") for kind in ("hits", "found")]
    assert numbers == [2, 4, 1, 2]
    numbers = [system[name]["gold"] for name in ("boundary", "token")]
    assert numbers == [8, 5]


# --- Parts and talkers ----------------------------------------------------------------


@pytest.fixture
def four(gold, folder):
    """Four recordings of two talkers: a1 is found, a2 half, b1 not at all, b2 is silent."""
    words = {"a1": ["x", "y"], "a2": ["x", "y"], "b1": ["x", "y"], "b2": []}
    phones = [f"{file} {at} {at + 1} {'xy'[at]}" for file in words for at in range(2)]
    phones = [line if line[:2] != "b2" else line[:-1] + "SIL" for line in phones]
    spoken = [
        f"{f} {at} {at + 1} {word}" for f, said in words.items() for at, word in enumerate(said)
    ]
    found = classes("a1 0 1, a2 0 1", "a1 1 2", "b1 0 2")
    return folder(
        **{"gold.phn": "\n".join(phones), "gold.wrd": "\n".join(spoken), "one.class": found}
    )


def spread(values):
    """The mean and the standard deviation of a population, by hand."""
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


@pytest.mark.usefixtures("four")
def test_within_each_recording(run):
    system = result(run, "one.class", "--within-talker")["systems"][0]
    within = system["within_talker"]
    assert list(within["each"]) == ["a1", "a2", "b1", "b2"]
    recalls = [each["token_recall"] for each in within["each"].values()]
    assert recalls == [1, 0.5, 0, None]
    mean, deviation = spread([1, 0.5, 0])
    assert within["mean"]["token_recall"] == pytest.approx(mean)
    assert within["std"]["token_recall"] == pytest.approx(deviation)
    assert within["undefined"]["token_recall"] == 1
    assert within["undefined"]["ned"] == 4
    assert within["mean"]["ned"] is within["std"]["ned"] is None
    assert within["undefined"]["token_f1"] == 1


TALKERS = {"a pattern": {}, "a map": {"who.txt": "a1 a\na2 a\n\nb1\tb\r\nb2 b\nc9 c\n"}}


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize("files", TALKERS.values(), ids=TALKERS)
def test_within_talkers(run, folder, files):
    folder(**files)
    talkers = next(iter(files), r"^(\w)\d")
    system = result(run, "one.class", "--within-talker", "--talkers", talkers)["systems"][0]
    within = system["within_talker"]
    assert list(within["each"]) == ["a", "b"]
    assert [each["token_recall"] for each in within["each"].values()] == [0.75, 0]
    assert within["each"]["a"]["ned"] == 0
    mean, deviation = spread([0.75, 0])
    assert within["mean"]["token_recall"] == pytest.approx(mean)
    assert within["std"]["token_recall"] == pytest.approx(deviation)
    assert system["micro"]["token_recall"] == 0.5


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize("number", [2, 3, 4])
def test_parts(run, number):
    system = result(run, "one.class", "--parts", number)["systems"][0]
    parts = system["parts"]
    assert list(parts["each"]) == [str(at) for at in range(1, number + 1)]
    for name in ("boundary_f1", "token_recall", "coverage"):
        values = [each[name] for each in parts["each"].values()]
        mean, deviation = spread([value for value in values if value is not None])
        assert parts["mean"][name] == pytest.approx(mean)
        assert parts["std"][name] == pytest.approx(deviation, abs=1e-12)
        assert parts["undefined"].get(name, 0) == values.count(None)


@pytest.mark.slow
@pytest.mark.usefixtures("four")
def test_parts_are_cut_by_the_seed(run, monkeypatch):
    def parts(*options):
        return result(run, "one.class", "--parts", 4, *options)["systems"][0]["parts"]["each"]

    assert parts() == parts() == parts("--seed", 12345)
    by_seed = [parts("--seed", seed) for seed in range(8)]
    assert by_seed == [parts("--seed", seed) for seed in range(8)]
    assert any(each != by_seed[0] for each in by_seed)
    other = next(seed for seed in range(8) if by_seed[seed] != parts())
    monkeypatch.setenv("CAESURA_SEED", str(other))
    assert parts() == by_seed[other]
    assert parts("--seed", 12345) != by_seed[other]


def test_the_whole_stands_beside_its_parts_in_the_table(run):
    _, out, _ = run("terms", "one.class", *GOLD, "--parts", 2, "--within-talker")
    for text in ("whole corpus", "mean over 2 parts", "mean over 2 talkers", "standard deviation"):
        assert text in out


# --- Output ---------------------------------------------------------------------------


def test_the_table(run):
    status, out, error = run("terms", "A=one.class", "B=two.class", *GOLD)
    assert (status, error) == (0, "")
    assert "Against 5 words and 15 phones in 2 recordings, profile 2017" in out
    assert re.search(r"boundary\s+A\s+4\s+4\s+8\s+1\.000\s+\.500\s+\.667", out)
    assert re.search(r"B\s+7\s+7\s+8\s+1\.000\s+\.875", out)
    assert "B: 1 interval dropped for covering too little of any phone" in out
    assert "A: " not in out
    assert f"caesura:{caesura.__version__}|task:terms|profile:2017" in out


def test_gold_from_textgrids(run, tmp_path):
    textgrid = pytest.importorskip("praatio.textgrid")
    (tmp_path / "grids").mkdir()
    for file in ("f1", "f2"):
        grid = textgrid.Textgrid()
        for tier, text in (("phones", PHONES), ("words", WORDS)):
            rows = [line.split() for line in text.splitlines()]
            entries = [(float(on), float(off), label) for f, on, off, label in rows if f == file]
            grid.addTier(textgrid.IntervalTier(tier, entries, 0, 2))
        grid.save(str(tmp_path / "grids" / f"{file}.TextGrid"), "long_textgrid", True)
    status, out, error = run(
        "terms", "one.class", "--phones", "grids", "--words", "grids", "-f", "json"
    )
    assert (status, error) == (0, "")
    assert json.loads(out)["systems"] == result(run, "one.class")["systems"]


# --- Errors -----------------------------------------------------------------------------


def test_what_is_undefined_is_null_and_meets_no_gate(run, folder):
    folder(**{"none.class": "Class 1\n"})
    status, out, error = run("terms", "none.class", *GOLD, "-f", "json", "--fail-over", "ned=0")
    system = json.loads(out)["systems"][0]
    assert system["ned"] == {"score": None, "pairs": 0}
    assert (system["token"]["precision"], system["token"]["recall"]) == (None, 0)
    assert (status, error) == (3, "error: none: ned is undefined\n")


ONE = ["one.class", *GOLD]
WITHIN = [*ONE, "--within-talker", "--talkers"]
ERRORS = {
    "too many parts": (
        {}, [*ONE, "--parts", "3"], 2, "3 parts for 2 recordings; choose 2 or fewer",
    ),
    "a pattern that does not fit": (
        {}, [*WITHIN, "1$"], 2, "the pattern '1$' does not match the recording 'f2'",
    ),
    "a pattern that is none": (
        {}, [*WITHIN, "(f"], 2,
        "'(f' is neither a file nor a pattern (missing ), unterminated subpattern at position 0); "
        "for example '^(s\\d+)'",
    ),
    "a map without a recording": (
        {"who": "f1 a\n"}, [*WITHIN, "who.txt"], 1,
        "who.txt: no talker for 'f2'; add a line FILE TALKER",
    ),
    "a map with three columns": (
        {"who": "f1 a\n\nf2 a b\n"}, [*WITHIN, "who.txt"], 1,
        "who.txt:3: 3 columns; write FILE TALKER",
    ),
    "an unknown recording": (
        {"x.class": "Class 1\nf3 0 1\n"}, ["x.class", *GOLD], 1,
        "x.class:2: the recording 'f3' is not in the gold; use the names in the gold",
    ),
    "words of another recording": (
        {"x.wrd": "f3 0 1 a\n"}, ["one.class", "--phones", "gold.phn", "--words", "x.wrd"], 1,
        "x.wrd: 'f3' has words but no phones; add its phones",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "arguments", "status", "message"), ERRORS.values(), ids=ERRORS)
def test_errors(run, folder, files, arguments, status, message):
    folder(**files)
    got, _, error = run("terms", *arguments, stdin=PHONES.encode())
    assert (got, error) == (status, f"error: {message}\n")


def test_a_folder_of_classes_is_many_systems(run, folder):
    folder(**{"d__one.class": PAIR, "d__two.class": PAIR})
    systems = result(run, "d")["systems"]
    assert [system["name"] for system in systems] == ["one", "two"]


# --- caesura.terms --------------------------------------------------------------------


def values(text):
    rows = [line.split() for line in text.splitlines()]
    return [(file, float(on), float(off), *label) for file, on, off, *label in rows]


PLAIN = {"phones": values(PHONES), "words": values(WORDS)}
CLUSTERS = {"1": [("f1", 0.5, 0.7), ("f1", 1.5, 1.7)]}


@pytest.mark.parametrize("profile", ["2017", "paper"])
def test_paths_and_plain_values_are_scored_alike(tmp_path, profile):
    paths = {"phones": tmp_path / "gold.phn", "words": str(tmp_path / "gold.wrd")}
    by_path = caesura.terms(tmp_path / "one.class", **paths, profile=profile)
    assert by_path.counts == caesura.terms(CLUSTERS, **PLAIN, profile=profile).counts
    assert by_path.score == pytest.approx(4 / 7)
    assert f"|profile:{profile}|" in by_path.signature
    mixed = caesura.terms(CLUSTERS, phones=paths["phones"], words=PLAIN["words"], profile=profile)
    assert mixed.counts == by_path.counts


def test_results_add():
    one = caesura.terms(CLUSTERS, **PLAIN)
    assert (one + one).token_hits == 4
    assert (one + one).ned == 0
    with pytest.raises(UsageError, match="cannot be added"):
        one + caesura.terms(CLUSTERS, **PLAIN, profile="paper")


@pytest.mark.parametrize("number", [int, np.float32, np.int64])
def test_any_numbers_and_names_with_blanks(number):
    gold = [("my talk", number(0), number(1), "New York"), ("my talk", number(1), number(2), "b")]
    clusters = {1: [("my talk", number(0), number(1))], "a b": []}
    assert caesura.terms(clusters, phones=gold, words=gold).token_hits == 1


def test_plain_values_in_error():
    with pytest.raises(FormatError, match=r"ends at 0\.4; an interval must"):
        caesura.terms({"1": [("f1", 0.5, 0.4)]}, **PLAIN)
    with pytest.raises(FormatError, match="'nan' is not a time"):
        caesura.terms({"1": [("f1", math.nan, 0.4)]}, **PLAIN)
    with pytest.raises(FormatError, match="the recording 'f9' is not in the gold"):
        caesura.terms({"1": [("f9", 0.2, 0.4)]}, **PLAIN)
    with pytest.raises(FormatError, match="overlaps"):
        caesura.terms(CLUSTERS, phones=PLAIN["phones"] + [("f1", 0, 1, "x")], words=PLAIN["words"])


# --- Several systems ------------------------------------------------------------------


@pytest.mark.slow
def test_processes_count_the_same_from_gold_that_is_piped(run, tmp_path):
    given = ("terms", "A=one.class", "two.class", "B=one.class", "--phones", "gold.phn")
    for engine in ("serial", "processes"):
        rows = ("--rows", f"{engine}.jsonl", "--parts", 2, "--within-talker", "--engine", engine)
        assert run(*given, "--words", "-", *rows, "-j", 2, stdin=WORDS.encode())[0] == 0
    serial, processes = (tmp_path / f"{name}.jsonl" for name in ("serial", "processes"))
    assert serial.read_bytes() == processes.read_bytes()


def test_a_bad_system_among_several(run, folder):
    folder(**{"bad.class": "Class 1\nf9 0 1\n\n"})
    alone = failed(run, "bad.class", *GOLD)
    for how in ("serial", "processes"):
        assert failed(run, "one.class", "bad.class", *GOLD, "--engine", how) == alone
    status, error = failed(run, "one.class", "bad.class", *GOLD, "--keep-going")
    assert status == 1
    assert error.startswith("error: no document could be scored; fix them: bad.class:2:")


def test_phones_and_words_that_are_swapped(run):
    swapped = "--phones", "gold.wrd", "--words", "gold.phn"
    status, error = failed(run, "one.class", *swapped)
    assert status == 1
    assert re.match(r"error: gold\.phn: \d+ words, but only \d+ phones; give phones with", error)
    with pytest.raises(FormatError, match="may be swapped"):
        caesura.terms("one.class", phones="gold.wrd", words="gold.phn")
