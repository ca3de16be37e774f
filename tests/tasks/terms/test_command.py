"""`caesura terms`, run as a user would, and `caesura.terms`."""

import csv
import gzip
import io
import json
import math
import re

import numpy as np
import pytest

import caesura
from caesura.api.saved import KNOWN
from caesura.cli.options import OUTPUT_FORMATS
from caesura.core.row import SourceCounts
from caesura.core.score import values as scores
from caesura.core.table import CountTable
from caesura.errors import FormatError, UsageError
from caesura.run.inputs import Case
from caesura.run.rows_file import read_rows
from caesura.tasks.terms.counting import TermsTask
from caesura.tasks.terms.interval_lines import read_intervals
from caesura.tasks.terms.measures import Terms
from support.counted_runs import rows_of, seen_by
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


def test_the_json_is_the_contract(run):
    summary = result(run, "A=one.class", "two.class")
    assert (summary["task"], summary["profile"]) == ("terms", "2017")
    assert [system["name"] for system in summary["systems"]] == ["A", "two"]
    for system in summary["systems"]:
        for measure in MEASURES:
            assert {"precision", "recall", "f1", "hits", "found", "gold"} <= set(system[measure])
        assert set(system["ned"]) == {"score", "pairs"}
        assert set(system["coverage"]) == {"score", "covered", "phones"}
        assert isinstance(system["dropped"], int)
        assert set(system["micro"]) == {score.key for score in Terms.scores}
        assert not {"parts", "within_talker"} & set(system)


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


def test_what_the_summary_says_of_the_gold(run):
    summary = result(run, "one.class")
    assert summary["gold"] == {"recordings": 2, "words": 5, "phones": 15}


def test_undefined_is_null(run, folder):
    folder(**{"none.class": "Class 1\n"})
    system = result(run, "none.class")["systems"][0]
    assert system["ned"] == {"score": None, "pairs": 0}
    assert system["token"]["precision"] is None
    assert system["token"]["recall"] == 0


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


TALKERS = {
    "a pattern": {},
    "a map": {"who.txt": "a1 a\na2 a\n\nb1\tb\r\nb2 b\nc9 c\n"},
}


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
def test_a_pattern_without_a_group_is_taken_whole(run):
    system = result(run, "one.class", "--within-talker", "--talkers", "^.")["systems"][0]
    assert list(system["within_talker"]["each"]) == ["a", "b"]


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


@pytest.mark.usefixtures("four")
def test_as_many_parts_as_recordings_are_the_recordings(run):
    options = ("--parts", 4, "--within-talker")
    system = result(run, "one.class", *options)["systems"][0]
    parts, talkers = (list(system[name]["each"].values()) for name in ("parts", "within_talker"))
    assert sorted(map(str, parts)) == sorted(map(str, talkers))


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


def test_one_part_is_the_whole(run):
    assert "parts" not in result(run, "one.class", "--parts", 1)["systems"][0]


def test_the_whole_stands_beside_its_parts_in_the_table(run):
    _, out, _ = run("terms", "one.class", *GOLD, "--parts", 2, "--within-talker")
    for text in ("whole corpus", "mean over 2 parts", "mean over 2 talkers", "standard deviation"):
        assert text in out


# --- Output ---------------------------------------------------------------------------


@pytest.mark.parametrize("format", OUTPUT_FORMATS)
@pytest.mark.parametrize("options", [(), ("--parts", "2", "--within-talker")])
def test_output_to_a_file_is_what_is_printed(run, format, options, tmp_path):
    arguments = ("terms", "one.class", "two.class", *GOLD, *options, "-f", format)
    _, printed, error = run(*arguments)
    assert printed.endswith("\n")
    assert error == ""
    assert run(*arguments, "-o", "out")[:2] == (0, "")
    assert (tmp_path / "out").read_text() == printed


def test_the_table(run):
    status, out, error = run("terms", "A=one.class", "B=two.class", *GOLD)
    assert (status, error) == (0, "")
    assert "Against 5 words and 15 phones in 2 recordings, profile 2017" in out
    assert re.search(r"boundary\s+A\s+4\s+4\s+8\s+1\.000\s+\.500\s+\.667", out)
    assert re.search(r"B\s+7\s+7\s+8\s+1\.000\s+\.875", out)
    assert "B: 1 interval dropped for covering too little of any phone" in out
    assert "A: " not in out
    assert f"caesura:{caesura.__version__}|task:terms|profile:2017" in out


def test_csv(run):
    _, out, _ = run("terms", "A=one.class", "B=two.class", *GOLD, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["system"] for row in rows] == ["A", "B"]
    assert float(rows[0]["boundary_recall"]) == 0.5
    assert float(rows[1]["ned"]) == 0.5


def test_rows_hold_all_counts(run):
    summary = result(run, "A=one.class", "two.class", "--parts", 2, "--rows", "rows.jsonl")
    saved = read_rows("rows.jsonl", KNOWN)
    rows = sorted(saved.table.rows(), key=lambda row: row.system or "")
    rows.sort(key=lambda row: row.measure != "source")
    assert saved.header.task == "terms"
    assert saved.header.signature == summary["signature"]
    assert isinstance(rows[0].counts, SourceCounts)
    scopes = [(row.system, row.scope, row.document) for row in rows[1:]]
    parts = [
        (None, "corpus"),
        ("part", "1"),
        ("part", "2"),
        *(("recording", f) for f in ("f1", "f2")),
    ]
    assert scopes == [(system, *part) for system in ("A", "two") for part in parts]
    for system in summary["systems"]:
        whole = next(r for r in rows[1:] if (r.system, r.document) == (system["name"], "corpus"))
        expected = {name: math.nan if v is None else v for name, v in system["micro"].items()}
        assert scores(Terms.scores, whole.counts) == pytest.approx(expected, nan_ok=True)


def test_a_system_named_gold(run, folder):
    folder(**{"gold.class": PAIR})
    assert result(run, "gold.class")["systems"][0]["token"]["hits"] == 2


def test_standard_input(run):
    status, out, _ = run("terms", "A=-", *GOLD, "-f", "json", stdin=PAIR.encode())
    assert status == 0
    assert json.loads(out)["systems"][0]["token"]["hits"] == 2


def test_compressed_files_and_other_encodings(run, folder):
    phones = PHONES.replace("a\n", "é\n").encode("latin-1")
    folder(**{"z.class.gz": gzip.compress(PAIR.encode()), "l.phn": phones})
    status, out, error = run(
        "terms", "z.class.gz", "--phones", "l.phn", "--words", "gold.wrd", "--encoding", "latin-1",
        "-f", "json",
    )  # fmt: skip
    assert (status, error) == (0, "")
    system = json.loads(out)["systems"][0]
    assert (system["name"], system["token"]["hits"]) == ("z", 2)


def test_gold_from_ctm(run, folder):
    def ctm(text):
        rows = (line.split() for line in text.splitlines())
        return "".join(f"{f} 1 {on} {float(off) - float(on):.3f} {x}\n" for f, on, off, x in rows)

    folder(**{"gold_p.ctm": ctm(PHONES), "gold_w.ctm": ctm(WORDS)})
    _, out, _ = run(
        "terms", "one.class", "--phones", "gold_p.ctm", "--words", "gold_w.ctm", "-f", "json"
    )
    assert json.loads(out)["systems"] == result(run, "one.class")["systems"]


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


# --- Gates and errors -----------------------------------------------------------------


def test_gates_that_are_met(run):
    options = "--fail-under token_recall=.4 --fail-over ned=0 --fail-under coverage=.3".split()
    assert run("terms", "one.class", *GOLD, *options)[0] == 0


GATES = {
    "under": (["--fail-under", "token_f1=.6"], 3, "one: token_f1 .571 is under 0.6"),
    "over": (["--fail-over", "ned=.4"], 3, "two: ned .500 is over 0.4"),
    "of several": (
        ["--fail-under", "token_f1=.6", "--fail-over", "ned=.4"],
        3,
        "one: token_f1 .571 is under 0.6; two: ned .500 is over 0.4",
    ),
    "an unknown score": (
        ["--fail-under", "token_f=.6"], 2, "unknown score 'token_f'; did you mean token_f1",
    ),
    "no value": (
        ["--fail-under", "ned"], 2, "'ned' is not MEASURE=VALUE; for example ned=0.35",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("options", "status", "message"), GATES.values(), ids=GATES)
def test_gates(run, options, status, message):
    got, out, error = run("terms", "one.class", "two.class", *GOLD, *options, "-f", "json")
    assert got == status
    assert error.startswith(f"error: {message}")
    assert bool(out) == (status == 3)


def test_a_gate_on_what_is_undefined(run, folder):
    folder(**{"none.class": "Class 1\n"})
    status, _, error = run("terms", "none.class", *GOLD, "--fail-over", "ned=0")
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
    "a class file that is not there": (
        {}, ["x.class", *GOLD], 1, "x.class: no such file or directory; check the path",
    ),
    "phones that are not there": (
        {}, ["one.class", "--phones", "x.phn", "--words", "gold.wrd"], 1,
        "x.phn: no such file or directory; check the path",
    ),
    "words that are not there": (
        {}, ["one.class", "--phones", "gold.phn", "--words", "x.wrd"], 1,
        "x.wrd: no such file or directory; check the path",
    ),
    "a name used twice": (
        {}, ["A=one.class", "A=two.class", *GOLD], 2,
        "the name 'A' is used twice; give different names with NAME=PATH",
    ),
    "a file given twice": (
        {}, ["one.class", "./one.class", *GOLD], 2,
        "one.class is given twice; drop one, or name them with NAME=PATH",
    ),
    "an unknown recording": (
        {"x.class": "Class 1\nf3 0 1\n"}, ["x.class", *GOLD], 1,
        "x.class:2: the recording 'f3' is not in the gold; use the names in the gold",
    ),
    "words of another recording": (
        {"x.wrd": "f3 0 1 a\n"}, ["one.class", "--phones", "gold.phn", "--words", "x.wrd"], 1,
        "x.wrd: 'f3' has words but no phones; add its phones",
    ),
    "a broken class file": (
        {"x.class": "Class 1\nf1 .5 .4\n"}, ["x.class", *GOLD], 1,
        "x.class:2: an interval that begins at 0.5 and ends at 0.4; "
        "an interval must end after it begins",
    ),
    "undecodable bytes": (
        {"x.class": b"Class 1\nf\xef 0 1\n"}, ["x.class", *GOLD], 1,
        "x.class:2: byte 0xef is not UTF-8; "
        "save the file as UTF-8, or name its encoding with --encoding",
    ),
    "standard input twice": (
        {}, ["A=-", "--phones", "-", "--words", "gold.wrd"], 2,
        "standard input ('-') can be read only once; save one to a file",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "arguments", "status", "message"), ERRORS.values(), ids=ERRORS)
def test_errors(run, folder, files, arguments, status, message):
    folder(**files)
    got, _, error = run("terms", *arguments, stdin=PHONES.encode())
    assert (got, error) == (status, f"error: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one.class", "--words", "gold.wrd"], "Missing option '--phones'"),
        (["one.class", "--phones", "gold.phn"], "Missing option '--words'"),
        ([*GOLD], "Missing argument 'SYSTEM...'"),
        ([*ONE, "--profile", "2015"], "'2015' is not one of"),
        ([*ONE, "--parts", "0"], "0 is not in the range"),
        ([*ONE, "--seed", "x"], "'x' is not a valid integer"),
    ],
)
def test_a_command_line_at_fault(run, arguments, message):
    status, error = failed(run, *arguments)
    assert status == 2
    assert message in error


def test_a_seed_in_the_environment_that_is_none(run, monkeypatch):
    monkeypatch.setenv("CAESURA_SEED", "x")
    status, error = failed(run, *ONE)
    assert status == 2
    assert "--seed" in error


def test_a_folder_or_glob_of_classes_is_many_systems(run, folder):
    folder(**{"d__one.class": PAIR, "d__two.class": PAIR})
    for path in ("d", "d/*.class"):
        status, out, _ = run("terms", path, *GOLD, "-f", "json")
        assert status == 0
        assert [system["name"] for system in json.loads(out)["systems"]] == ["one", "two"]


def test_a_negative_seed(run):
    """Whatever becomes of it, it is no traceback."""
    status, _, error = run("terms", *ONE, "--parts", "2", "--seed", "-1")
    assert status in (0, 2)
    assert "Traceback" not in error


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


def test_a_cluster_may_be_empty():
    assert caesura.terms(CLUSTERS | {"2": []}, **PLAIN).counts == (
        caesura.terms(CLUSTERS, **PLAIN).counts
    )


def test_classes_may_have_numbers_for_names():
    assert caesura.terms({1: CLUSTERS["1"], 2: []}, **PLAIN).token_hits == 2


def test_plain_values_in_error():
    with pytest.raises(FormatError, match=r"ends at 0\.4; an interval must"):
        caesura.terms({"1": [("f1", 0.5, 0.4)]}, **PLAIN)
    with pytest.raises(FormatError, match="'nan' is not a time"):
        caesura.terms({"1": [("f1", math.nan, 0.4)]}, **PLAIN)
    with pytest.raises(FormatError, match="the recording 'f9' is not in the gold"):
        caesura.terms({"1": [("f9", 0.2, 0.4)]}, **PLAIN)
    with pytest.raises(FormatError, match="overlaps"):
        caesura.terms(CLUSTERS, phones=PLAIN["phones"] + [("f1", 0, 1, "x")], words=PLAIN["words"])


@pytest.mark.parametrize("number", [np.float64, np.float32, np.int64])
def test_numbers_of_numpy(number):
    gold = [("f", number(0), number(1), "a"), ("f", number(1), number(2), "b")]
    assert caesura.terms({"1": [("f", number(0), number(1))]}, phones=gold, words=gold).score == (
        pytest.approx(2 / 3)
    )


def test_classes_whose_names_have_blanks():
    assert caesura.terms({"a b": CLUSTERS["1"], "a c": []}, **PLAIN).token_hits == 2


def test_recordings_and_labels_with_blanks():
    gold = [("my talk", 0, 1, "New York")]
    assert caesura.terms({"1": [("my talk", 0, 1)]}, phones=gold, words=gold).token_hits == 1


def test_an_unknown_profile():
    with pytest.raises(UsageError):
        caesura.terms(CLUSTERS, **PLAIN, profile="2015")


# --- Several systems ------------------------------------------------------------------

THREE = ("A=one.class", "two.class", "B=one.class")


@pytest.fixture
def read(monkeypatch):
    """The files that are read as gold."""
    seen = []
    monkeypatch.setattr(
        "caesura.tasks.terms.counting.read_intervals",
        lambda path, **options: seen.append(path) or read_intervals(path, **options),
    )
    return seen


def test_systems_are_counted_one_by_one_with_the_same_rows(run):
    task = TermsTask(parts=2, within_talker=True, recordings=True)
    paths = {"A": "one.class", "two": "two.class", "B": "one.class"}
    whole = task.count(Case("corpus", paths, {"phones": "gold.phn", "words": "gold.wrd"}))
    for how in (("--engine", "serial"), ("--engine", "processes", "-j", "2")):
        result(run, *THREE, "--parts", "2", "--within-talker", "--rows", "rows.jsonl", *how)
        assert read_rows("rows.jsonl", KNOWN).table == CountTable.from_rows(whole)


def test_gold_is_read_once(run, read):
    result(run, *THREE)
    assert read == ["gold.phn", "gold.wrd"]


def test_gold_that_has_changed_is_read_again(run, read, folder):
    first = result(run, "one.class")["gold"]
    folder(**{"gold.wrd": WORDS.splitlines()[0] + "\n"})
    assert result(run, "one.class")["gold"] == first | {"words": 1}
    assert read == ["gold.phn", "gold.wrd"] * 2


def test_gold_from_standard_input_is_read_by_this_process(run, read):
    given = (*THREE, "--phones", "gold.phn", "--words", "-", "-f", "json")
    for _ in range(2):
        status, out, error = run("terms", *given, "-j", "2", stdin=WORDS.encode())
        assert (status, error) == (0, "")
    assert json.loads(out)["systems"] == result(run, *THREE)["systems"]
    assert read[:4] == ["gold.phn", "-"] * 2


def test_a_bad_system_among_several(run, folder):
    folder(**{"bad.class": "Class 1\nf9 0 1\n\n"})
    alone = failed(run, "bad.class", *GOLD)
    for how in ("serial", "processes"):
        assert failed(run, "one.class", "bad.class", *GOLD, "--engine", how) == alone
    status, error = failed(run, "one.class", "bad.class", *GOLD, "--keep-going")
    assert status == 1
    assert error.startswith("error: no document could be scored; fix them: bad.class:2:")


@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_each_system_is_a_case_of_its_own(run, monkeypatch, engine):
    """Workers get one system each, and the rows are those of all systems counted together."""
    gold = {"phones": "gold.phn", "words": "gold.wrd"}
    case = Case("corpus", {"A": "one.class", "B": "two.class", "C": "one.class"}, gold)
    task, seen = TermsTask(recordings=True), seen_by(monkeypatch)
    together = CountTable.from_rows(task.count(case))
    assert rows_of([case], task, engine, 2) == list(together.rows())
    if engine == "serial":
        systems = ["".join(each.case.systems) for chunk in seen for each in chunk]
        assert systems == ["A", "B", "C"]
    with_page = run("terms", *GOLD, "one.class", "B=two.class", "--html", "page.html", "-f", "json")
    assert with_page == run("terms", *GOLD, "one.class", "B=two.class", "-f", "json")


def test_systems_in_memory_are_counted_together():
    tiers = {"phones": "gold.phn", "words": "gold.wrd"}
    gold = {tier: read_intervals(path, tier=tier) for tier, path in tiers.items()}
    case = Case("corpus", {"A": "one.class", "B": "two.class"}, gold)
    assert TermsTask().apart(case) == [case]


def test_phones_and_words_that_are_swapped(run):
    swapped = "--phones", "gold.wrd", "--words", "gold.phn"
    status, error = failed(run, "one.class", *swapped)
    assert status == 1
    assert re.match(r"error: gold\.phn: \d+ words, but only \d+ phones; give phones with", error)
    with pytest.raises(FormatError, match="may be swapped"):
        caesura.terms("one.class", phones="gold.wrd", words="gold.phn")
