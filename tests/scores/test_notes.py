"""Notes and warnings: how inputs were read, and what looks misread."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.scores.notes import unknown_words
from caesura.tasks.transcript import counting as sources

PROSE = "It rained. We left. All was well.\n\nThen it stopped. We went home.\n"
LINES = "It rained.\nWe left.\nAll was well.\nThen it stopped.\nWe went home.\n"
SRT = "".join(
    f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{text}\n\n"
    for n, text in enumerate(["it rained all", "night and then", "it stopped. so", "we left"], 1)
)


def units(masses):
    """Lines with these numbers of words."""
    words = iter(range(sum(masses)))
    return "".join(" ".join(f"w{next(words)}" for _ in range(m)) + "\n" for m in masses)


GOLD, LATE = units([5] * 60), units([*[5] * 29, 6, *[5] * 29, 4])
SPEECH = " ".join(f"w{number}" for number in range(200))
OTHER = " ".join(f"w{7 * number}" if number % 4 == 0 else f"v{number}" for number in range(200))
HEARD = " ".join(f"x{n}" if n % 3 == 0 else f"w{n}" for n in range(200) if n % 7)
FILES = {
    "para": PROSE, "ref": LINES, "one": "it rained we left", "two": "it rained\nwe left",
    "a": "it rained", "b": "it rained", "ours": "a b\nc d\n" * 3, "flat": "a b c d " * 3,
    "late": LATE, "gold": GOLD, "other": GOLD, "heard": HEARD, "speech": SPEECH,
    **{f"{side}__d{n}": "a b\n" * 6 for side in ("sys", "all") for n in range(4)},
    "sys__d2": "a b " * 6,
    **{f"{side}__d{n}": "a b\nc d\n" * (n + 1) for side in "xy" for n in range(4)},
    "x__e": "a // b // c", "y__e": "a // b // c",
}  # fmt: skip
SLIP = "from word 151 on, boundaries look one word late"
UNDEFINED = "no boundary inside any document: precision, recall and F1 are undefined"
PARAGRAPHS = (
    "para.txt: read as one unit per line, but 2 lines contain about 5 sentence marks; "
    "if marks end units, use --input marks"
)
LATER = "transcript late.txt --ref gold.txt --ref other.txt"
WARNINGS = {
    "transcript para.txt --ref ref.txt": [PARAGRAPHS],
    "transcript para.txt --ref ref.txt --input marks": [],
    "transcript one.txt --ref two.txt": [
        "one.txt: no boundary; a text on one line needs marks that end its units"
    ],
    "transcript a.txt --ref b.txt": [UNDEFINED],
    "transcript a.txt --ref b.txt --final keep": [
        "no boundary inside any document: only the ends of the documents are scored"
    ],
    "transcript sys --ref all": ["sys: no boundary in 1 of 4 documents: d2"],
    "transcript x --ref y": [],
    "transcript heard.txt --ref speech.txt --align": [UNDEFINED],
    "text ours.txt --gold flat.txt": ["flat.txt: no boundary"],
    LATER: [f"late.txt: {SLIP} relative to the references"],
    f"{LATER} --confidence --resamples 9": [f"late.txt: {SLIP} relative to the references"],
    f"{LATER} --align": [f"late.txt: {SLIP} relative to the references"],
    "transcript gold.txt other.txt --ref late.txt": [
        f"late.txt: {SLIP.replace('151', '150')} relative to the systems"
    ],
}
NOTES = {
    "transcript para.txt --ref ref.txt": ["read as lines: ref.txt, para.txt, 2–5 units"],
    "transcript para.txt --ref ref.txt --input marks": [],
    "transcript one.txt --ref two.txt": [
        "read as lines: two.txt, 2 units",
        "read as marks: one.txt, 1 unit",
    ],
    "transcript x --ref y": [
        "read as lines: 8 files, 2–8 units",
        "read as slashes: y/e.txt, x/e.txt, 3 units",
    ],
    "text ours.txt --gold flat.txt": ["read as tokens: flat.txt, ours.txt, 1–6 sentences"],
}


def told(run, *arguments):
    """The notes and the warnings of a run, which the JSON has, too."""
    status, out, error = run(*arguments, "-f", "json", notes=True)
    assert status == 0
    lines = error.splitlines()
    warnings = [line.removeprefix("warning: ") for line in lines if line.startswith("warning: ")]
    assert json.loads(out)["warnings"] == warnings
    return [line for line in lines if not line.startswith("warning: ")], warnings


@pytest.mark.parametrize("line", WARNINGS)
def test_notes_and_warnings(run, folder, line):
    folder(**FILES)
    notes, warnings = told(run, *line.split())
    assert warnings == WARNINGS[line]
    assert notes == NOTES.get(line, notes)


GERMAN = "das ist ein haus\nwir waren gestern dort und haben gegessen\n"
UNRELIABLE = (
    "100% of the words are unknown to this detector; its boundaries are unreliable "
    "(s1, s2 and best are for English)"
)


def test_words_that_a_detector_does_not_know(run, folder):
    folder(german=GERMAN, english="it rained\nand we left\n", chinese="今天下雨\n我们走了\n")
    for spec in ("s1", "best"):
        _, warnings = told(run, "transcript", "--run", f"x={spec}", "--ref", "german.txt")
        assert [each for each in warnings if "unknown" in each] == [f"x: {UNRELIABLE}"]
    for arguments in (
        ["--run", "s1", "--ref", "english.txt"],
        ["--run", "all", "--ref", "german.txt"],
    ):
        _, warnings = told(run, "transcript", *arguments)
        assert not [each for each in warnings if "unknown" in each]
    assert run("segment", "s1", "german.txt", notes=True)[2] == f"warning: s1: {UNRELIABLE}\n"
    ways = ("--probabilities",), ("-f", "marks"), ("--mean-length", "3")
    for way in ways:
        assert run("segment", "s1", "german.txt", *way, notes=True)[2].endswith(f"{UNRELIABLE}\n")
    assert run("segment", "s1", "english.txt", notes=True)[2] == ""
    assert "s1: 100% of the words are" in run("segment", "s1", "chinese.txt", notes=True)[2]
    status, _, errors = run(
        "text", "--run", "s1", "--raw", "german.txt", "--gold", "german.txt", notes=True
    )
    assert (status, f"warning: s1: {UNRELIABLE}\n" in errors) == (0, True)


def test_text_that_differs_from_its_tokens(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{n}\t{word}" + "\t_" * 8 + "\n" for n, word in enumerate(["it", "rained"], 1))
    like, unlike = (f"# text = {text}\n{rows}\n" for text in ("it rained", "it poured"))
    (tmp_path / "a.conllu").write_text(unlike + like + unlike)
    (tmp_path / "b.conllu").write_text(like * 3)
    wanted = ["a.conllu: in 2 sentences `# text` differs from the tokens; the tokens are scored"]
    assert told(run, "text", "a.conllu", "--gold", "b.conllu") == ([], wanted)
    assert told(run, "transcript", "a.conllu", "--ref", "b.conllu") == ([], wanted)
    (tmp_path / "c.conllu").write_text("# newdoc id = x\n" + like + "# newdoc id = y\n" + unlike)
    (tmp_path / "d.conllu").write_text("# newdoc id = x\n" + like + "# newdoc id = y\n" + like)
    warnings = told(run, "transcript", "c.conllu", "--ref", "d.conllu")[1]
    assert next(each for each in warnings if "# text" in each).startswith("c.conllu::y: ")


def test_more_subtitles_than_marks(run, folder):
    ref = "it rained all night\nand then it stopped\nso we left"
    folder(ref=ref, guessed=SRT, **{"talk.srt": SRT})
    notes, warnings = told(run, "transcript", "talk.srt", "--ref", "ref.txt")
    assert "read as srt-marks: talk.srt, 2 units" in notes
    assert warnings == [
        "talk.srt: 2 units by marks, but 4 segments; if each segment is a unit, use "
        "--units segments"
    ]
    notes, warnings = told(run, "transcript", "talk.srt", "--ref", "ref.txt", "--units", "segments")
    assert (notes, warnings) == (["read as lines: ref.txt, 3 units"], [])
    segments = ("--ref", "ref.txt", "--units", "segments")
    assert (
        "read as srt-segments: guessed.txt, 4 units"
        in told(run, "transcript", "guessed.txt", *segments)[0]
    )


@pytest.mark.slow
def test_many_documents_and_processes(run, folder):
    files = {f"ref__d{n}": GOLD for n in range(6)}
    folder(**files, **{f"sys__d{n}": LATE if n == 3 else GOLD for n in range(6)})
    for more in ((), ("-j", "2", "--engine", "processes")):
        _, warnings = told(run, "transcript", "sys", "--ref", "ref", *more)
        assert warnings == [f"sys/d3.txt: {SLIP} relative to the reference"]


def test_resumed_rows_tell_the_same(run, folder):
    """Documents that were counted before a bad one stopped the run are noticed after it."""
    files = {f"sys__d{n}": PROSE for n in range(3)} | {f"ref__d{n}": LINES for n in range(3)}
    folder(**files)
    command = ("transcript", "sys", "--ref", "ref", "-j", "1")
    fresh = told(run, *command)
    assert len(fresh[1]) == 1
    folder(sys__d2="...")
    assert run(*command, "--rows", "rows.jsonl")[0] == 1
    assert Path("rows.jsonl").exists()
    folder(sys__d2=PROSE)
    assert told(run, *command, "--rows", "rows.jsonl", "--resume") == fresh


def test_in_python():
    late, gold = (caesura.document(each.splitlines()) for each in (LATE, GOLD))
    found = caesura.evaluate({"ours": late}, {"gold": gold, "other": gold})
    assert found.warnings == (f"ours: {SLIP} relative to the references",)
    assert found.notes == ()


@pytest.mark.slow
def test_the_public_reference_that_slips(run, shared, monkeypatch):
    monkeypatch.chdir(shared / "data" / "asr" / "earnings21")
    systems = ("amazon", "google", "microsoft", "speechmatics")
    _, warnings = told(run, "transcript", *systems, "--ref", "reference", "--align")
    slip = SLIP.replace("151", "10,881")
    assert warnings == [f"reference/4341191.nlp: {slip} relative to the systems"]


def test_a_conversion_says_how_it_read(run, folder):
    folder(para=PROSE)
    _, _, error = run("convert", "para.txt", "out.jsonl", notes=True)
    assert error.startswith(f"read as lines: para.txt, 2 units\nwarning: {PARAGRAPHS}\n")


def test_words_of_another_speech_are_told(run, folder):
    folder(**{"ours": OTHER, "ref": SPEECH})
    _, warnings = told(run, "transcript", "ours.txt", "--ref", "ref.txt", "--align")
    assert warnings[1].startswith("ours.txt: of the words that are aligned with the reference's, ")
    assert warnings[1].endswith("% are equal; check that it is a transcript of the same speech")


@pytest.mark.parametrize(("start", "end"), [(0, 100), (120, 200)])
def test_a_part_that_is_missing_is_told(run, folder, start, end):
    words = SPEECH.split(" ")
    part = " ".join([*words[:start], *words[end:]])
    folder(part=part, whole=SPEECH)
    _, warnings = told(run, "transcript", "part.txt", "--ref", "whole.txt", "--align")
    assert warnings[1] == (
        f"part.txt: nothing for words {start + 1} to {end} of the reference, where all boundaries "
        "count as missed; check that it is complete"
    )
    _, warnings = told(run, "transcript", "whole.txt", "--ref", "part.txt", "--align")
    assert warnings[1] == (
        f"whole.txt: the reference has nothing for its words {start + 1} to {end}, whose "
        "boundaries are not scored; check that the reference is complete"
    )


def test_the_same_alignment_warning_is_given_five_times(run, folder):
    texts = {f"s__d{number}": OTHER for number in range(7)}
    folder(**texts, **{key.replace("s__", "g__"): SPEECH for key in texts})
    _, warnings = told(run, "transcript", "s", "--ref", "g", "--align")
    assert len(warnings) == 7
    assert warnings[-1] == "the same warning for 2 more documents"


@given(st.lists(st.booleans(), max_size=60))
def test_the_longest_stretch(which):
    found = sources._longest(np.array(which, np.bool_))
    sums = {
        sum(1 if each else -sources.STRAY for each in which[start:end]): (start + 1, end)
        for start in range(len(which))
        for end in range(len(which), start, -1)
    }
    best = max(sums, default=0)
    if best < max(sources.SHORTEST, sources.STRETCH * len(which)):
        assert found == ()
    else:
        first, last = found
        stretch = which[first - 1 : last]
        assert sum(1 if each else -sources.STRAY for each in stretch) == best
        assert (stretch[0], stretch[-1]) == (True, True)


def test_a_users_own_model_is_not_said_to_be_for_english():
    (line,) = unknown_words("mine.npz", 9, 10, is_own=True)
    assert line == (
        "mine.npz: 90% of the words are unknown to this detector; its boundaries are unreliable "
        "(it was trained on other words)"
    )
