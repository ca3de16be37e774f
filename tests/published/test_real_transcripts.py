"""Real transcripts on the command line: words that differ, times, speakers, normalisation."""

import json
from dataclasses import replace

import pytest

from caesura.align.words import edits
from support.paths import GOLDEN

MD_EVAL = json.loads((GOLDEN / "mdeval.json").read_text())
"""By case: units of the reference, deletions, insertions and substitutions, as md-eval counts."""
HEAD = "token|speaker|ts|endTs|punctuation|case|tags\n"


def nlp(*words):
    """Words as `token[mark]/speaker@start`, each half a second long."""
    lines = []
    for word in words:
        token, _, rest = word.partition("/")
        speaker, _, start = rest.partition("@")
        mark = token[-1] if token[-1] in ".?!;," else ""
        end = f"{float(start) + 0.5}" if start else ""
        lines.append(f"{token.removesuffix(mark)}|{speaker}|{start}|{end}|{mark}||[]\n")
    return HEAD + "".join(lines)


def result(run, *arguments):
    status, out, err = run(*arguments, "-f", "json")
    found = json.loads(out)
    assert (status, err) == (0, "".join(f"warning: {each}\n" for each in found["warnings"]))
    return found


REF = nlp("so/A@0", "it/A@1", "rained./A@2", "yes./B@3", "all/A@4", "night./A@5")
SYS = nlp("so/A@0", "it/A@1", "rained./A@2.3", "yes/B@3", "all/A@4", "day/A@4.6", "night./A@5")


@pytest.fixture
def talk(folder):
    return folder(**{"ref.nlp": REF, "sys.nlp": SYS})


@pytest.mark.usefixtures("talk")
def test_the_same_table_with_the_word_error_rate(run):
    summary = result(run, "transcript", "sys.nlp", "--ref", "ref.nlp", "--align")
    assert "input:nlp-marks" in summary["signature"]
    system = summary["systems"][0]
    assert system["word_error_rate"] == pytest.approx(1 / 6)
    assert (system["coverage"], system["insertions"]) == (1, 1)
    against = system["by_reference"]["ref"]
    assert (against["tp"], against["fp"], against["fn"]) == (1, 0, 1)
    assert summary["axes"] == {"document": "ref"}


@pytest.mark.usefixtures("talk")
def test_words_that_differ_name_the_line(run):
    _, _, err = run("transcript", "sys.nlp", "--ref", "ref.nlp")
    assert err.startswith("error: sys.nlp:7: the words differ at word 6: ")
    assert "--align" in err


@pytest.mark.usefixtures("talk")
def test_by_time(run):
    options = ["--axis", "time", "--tolerance"]
    near = result(run, "transcript", "sys.nlp", "--ref", "ref.nlp", *options, "0.5s")
    far = result(run, "transcript", "sys.nlp", "--ref", "ref.nlp", *options, "200ms")
    counts = [each["systems"][0]["by_reference"]["ref"] for each in (near, far)]
    assert [(each["tp"], each["fp"], each["fn"]) for each in counts] == [(1, 0, 1), (0, 1, 2)]
    assert "window:1s" in near["signature"]
    assert "tolerance:0.5s" in near["signature"]
    assert "axis:time" in near["signature"]
    both = result(run, "agreement", "sys.nlp", "ref.nlp", "--axis", "time")["agreement"]
    assert both["rgar"] is not None
    kappas = [both[name] for name in ("fleiss_kappa", "cohen_kappa_mean")]
    assert kappas == pytest.approx([-0.028037, -0.024845], abs=1e-6)
    _, out, _ = run("transcript", "sys.nlp", "--ref", "ref.nlp", *options, "0.5s")
    assert "Pk" in out
    assert "CER" not in out
    assert "step:0.1s" in near["signature"]
    assert "Sentence units" not in out


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--axis", "time", "--tolerance", "2"], "--tolerance on --axis time is a time, such as"),
        (["--tolerance", "0.5s"], "--tolerance on --axis words is a number of words"),
        (["--window", "1.5"], "'1.5' is neither a number of words (2) nor a time (0.5s, 200ms)"),
        (["--align", "--axis-from", "rf"], "unknown reference 'rf'; did you mean ref?"),
        (["--normalize", "filers"], "did you mean fillers?"),
    ],
)
def test_what_is_asked_has_to_make_sense(run, options, message):
    status, _, err = run("transcript", "sys.nlp", "--ref", "ref.nlp", *options)
    assert status == 2
    assert message in err


NOTE = "sys: 1 word alignment too long to verify as a whole; the word error rate may be slightly"


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("is_certain", [True, False])
def test_an_alignment_that_is_not_certain_is_told(run, monkeypatch, is_certain):
    def less_certain(*words, **times):
        return replace(edits(*words, **times), is_certain=is_certain)

    monkeypatch.setattr("caesura.align.words.edits", less_certain)
    command = "transcript", "sys.nlp", "--ref", "ref.nlp", "--align"
    sources = result(run, *command)["sources"]
    assert sources["sys"]["uncertain"] == (not is_certain)
    _, out, _ = run(*command)
    assert (NOTE in " ".join(out.split())) is not is_certain


@pytest.mark.usefixtures("talk")
def test_by_speaker(run):
    options = ["--align", "--by", "speaker"]
    summary = result(run, "transcript", "sys.nlp", "--ref", "ref.nlp", *options)
    streams = summary["streams"]
    assert (streams["kind"], list(streams["by_stream"])) == ("speaker", ["A", "B"])
    assert streams["by_stream"]["A"]["sys"]["f1_mean"] == 1
    assert summary["systems"][0]["by_reference"]["ref"]["fn"] == 1
    _, out, _ = run("transcript", "sys.nlp", "--ref", "ref.nlp", *options)
    assert "Speaker by speaker" in out


@pytest.mark.usefixtures("talk")
def test_streams_apart(run, tmp_path):
    options = ["--align", "--streams", "speaker", "--rows", "rows.jsonl"]
    summary = result(run, "transcript", "sys.nlp", "--ref", "ref.nlp", *options)
    against = summary["systems"][0]["by_reference"]["ref"]
    assert (against["tp"], against["fp"], against["fn"]) == (1, 0, 0)
    assert list(summary["streams"]["by_stream"]) == ["A", "B"]
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()[1:]]
    assert {row.get("stream") for row in rows} == {None, "A", "B"}
    tokens = [row["counts"] for row in rows if row.get("measure") == "boundary"]
    assert tokens[0]["slots"] == tokens[1]["slots"] + tokens[2]["slots"]


def test_normalisation_makes_words_equal(run, folder):
    folder(a="So uh 25 people came\nlong-term", b="so twenty five people came\nlong term")
    status, _, _ = run("agreement", "a.txt", "b.txt")
    assert status == 1
    rules = "numbers,fillers,hyphens"
    summary = result(run, "agreement", "a.txt", "b.txt", "--normalize", rules)
    assert summary["agreement"]["rgar"] == 1
    assert "normalize:" in summary["signature"]
    assert all(rule in summary["signature"] for rule in rules.split(","))


def test_references_whose_words_differ(run, folder):
    folder(
        a="it rained all night\nthen it stopped\nwe went",
        b="it rained all day\nthen it stopped\nwe went",
        c="it rained all day\nthen it\nstopped we went out",
    )
    summary = result(run, "agreement", "a.txt", "b.txt", "c.txt", "--align")
    assert summary["axes"] == {"document": "b"}
    assert set(summary["sources"]["a"]) >= {"word_error_rate", "coverage", "merged", "lost"}
    assert "word_error_rate" not in summary["sources"]["b"]
    named = result(run, "agreement", "a.txt", "b.txt", "c.txt", "--align", "--axis-from", "c")
    assert named["axes"] == {"document": "c"}
    assert "align:words/c" in named["signature"]


def test_types_of_units_against_marks(run, folder):
    words = enumerate("is it yes so there".split())
    rttm = "".join(f"LEXEME t 1 {at} 1 {word} lex A <NA>\n" for at, word in words)
    for start, length, kind in [(0, 2, "question"), (2, 1, "backchannel"), (3, 2, "statement")]:
        rttm += f"SU t 1 {start} {length} <NA> {kind} A <NA>\n"
    folder(**{"ref.rttm": rttm, "sys": "is it? yes. so there."})
    summary = result(run, "transcript", "sys.txt", "--ref", "ref.rttm", "--final", "keep")
    against = summary["systems"][0]["by_reference"]["ref"]
    assert set(against["typed"]["by_mark"]) == {"question", "backchannel", "statement"}
    assert (against["typed"]["correct"], against["typed"]["substitutions"]) == (2, 1)


SAME = "1 5 12 18 19 30".split()
"""Cases of md-eval's test suite in which its exact counts are those of typed SER."""
OUTSIDE = {"20": 1, "22a": 2, "26": 1, "28": 1}
"""Cases without errors, and how many units of each a UEM or NOSCORE leaves out."""
UNLIKE = {"2": [5, 0, 0, 1], "7": [18, 11, 11, 0]}
"""In 2, the UEM ends between the ends of two units; in 7, all words are the same word."""


@pytest.mark.parametrize("case", [*SAME, *OUTSIDE, *UNLIKE])
def test_nists_su_error_rate(run, shared, case):
    """Typed SER with the last unit is what md-eval calls exact ends; SER is that without types."""
    sides = [f"{shared}/data/mdeval/md_test{case}.{side}.rttm" for side in ("sys", "ref")]
    command = ("transcript", f"s={sides[0]}", "--ref", f"r={sides[1]}", "--final", "keep")
    against = result(run, *command, "--align")["systems"][0]["by_reference"]["r"]
    typed = against["typed"]
    errors = [typed["deletions"], typed["insertions"], typed["substitutions"]]
    counts = [typed["correct"] + errors[0] + errors[2], *errors]
    wanted = MD_EVAL[f"md_test{case}"]
    outside = OUTSIDE.get(case, 0)
    assert counts == UNLIKE.get(case, [wanted[0] + outside, *wanted[1:]])
    assert [against["fn"], against["fp"]] == errors[:2]
    if case in SAME:
        assert against["ser"] == sum(wanted[1:3]) / wanted[0]
        assert against["typed_ser"] == sum(wanted[1:]) / wanted[0]
