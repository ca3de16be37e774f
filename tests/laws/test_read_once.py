"""A file is read once, aligned once, and a detector runs once, whatever is asked for."""

from pathlib import Path

import pytest

from caesura.align.versions import Versions
from caesura.io import files
from caesura.tasks.transcript.counting import Transcript

EVERYTHING = ("--rows", "made.jsonl", "--with-text", "--html", "made.html")


@pytest.fixture
def talk(folder):
    """Two systems and two references of one talk, of which one system has other words."""
    folder(
        s1="so it rained // a lot // we went home",
        s2="so it rains // a lot we // went home",
        anna="so it rained a lot // we went home",
        ben="so it rained // a lot we // went home",
    )
    return "transcript", "s1.txt", "s2.txt", "--ref", "anna.txt", "--ref", "ben.txt"


def counted(monkeypatch, owner, name):
    """The calls of a function from now on."""
    calls, real = [], getattr(owner, name)

    def spy(*arguments, **options):
        calls.append(arguments)
        return real(*arguments, **options)

    monkeypatch.setattr(owner, name, spy)
    return calls


def test_everything_at_once(run, talk, monkeypatch):
    Path("mark.sh").write_text('#!/bin/sh\necho x >> calls\ncat "$1"\n')
    Path("mark.sh").chmod(0o755)
    read = counted(monkeypatch, files, "_raw")
    aligned = counted(monkeypatch, Versions, "on_words")
    detector = ("--run", "mark=cmd:./mark.sh {input}")
    status, _, errors = run(*talk, "--align", *detector, *EVERYTHING)
    assert (status, errors) == (0, "warning: mark: no boundary\n")
    assert sorted(path for (path,) in read) == ["anna.txt", "ben.txt", "s1.txt", "s2.txt"]
    assert len(aligned) == 1
    assert Path("calls").read_text() == "x\n"


def test_what_is_shown_is_what_was_scored(run, talk):
    """A program that never says the same twice: page and rows have the boundaries of one run."""
    Path("drawn.sh").write_text(
        "#!/bin/sh\nn=$(cat n 2>/dev/null || echo 0)\necho $((n + 1)) > n\n"
        'if [ "$n" = 0 ]; then cat | tr " " "\\n"; else cat; fi\n'
    )
    Path("drawn.sh").chmod(0o755)
    command = (*talk, "--align", "--run", "drawn=cmd:./drawn.sh", *EVERYTHING)
    assert run(*command)[0] == 0
    assert Path("n").read_text() == "1\n"


def test_errors_of_text(run, folder, monkeypatch):
    folder(ours="Mr.\nAmes left .\n", gold="Mr. Ames left .\n")
    read = counted(monkeypatch, files, "read_bytes")
    command = ("text", "ours.txt", "--gold", "gold.txt", *EVERYTHING)
    status, shown, _ = run(*command, "--errors", "errors.tsv", "--show-errors", "3")
    assert status == 0
    assert len(read) == 2
    assert "Sentence errors: the first 1 of 1" in shown
    assert Path("errors.tsv").read_text().count("\n") == 2


NAMES = [f"d{at}" for at in range(6)]


@pytest.fixture
def corpus(folder):
    place = folder(
        **{f"{who}__{name}": "a b // c d // e" for who in ("s", "r", "q") for name in NAMES}
    )
    return place, ("transcript", "s", "--ref", "r", "--ref", "q")


@pytest.mark.slow
@pytest.mark.parametrize("options", [EVERYTHING, EVERYTHING[:3], EVERYTHING[:2] + EVERYTHING[3:]])
def test_a_resumed_run_needs_nothing_again(run, corpus, monkeypatch, options):
    """If the report needs text that the rows do not have, every document is counted again."""
    place, command = corpus
    assert run(*command, *options)[0] == 0
    outputs = [Path(name) for name in options if name.startswith("made")]
    expected = [path.read_bytes() for path in outputs]
    Path("made.jsonl").unlink()
    good = (place / "s/d4.txt").read_text()
    (place / "s/d4.txt").write_text("other words")
    assert run(*command, *options)[0] == 1
    (place / "s/d4.txt").write_text(good)
    calls = counted(monkeypatch, Transcript, "count_and_read")
    assert run(*command, *options, "--resume")[0] == 0
    is_saved = "--with-text" in options
    assert [case.document for _, case in calls] == (NAMES[4:] if is_saved else NAMES)
    assert [path.read_bytes() for path in outputs] == expected


def test_a_report_can_be_asked_for_later(folder):
    import caesura

    found = caesura.evaluate({"s": ["a b", "c"]}, {"r": ["a", "b c"]})
    page = found.html()
    kept = caesura.evaluate({"s": ["a b", "c"]}, {"r": ["a", "b c"]}, reads=True)
    assert kept.html() == page


def test_a_report_of_rows_that_were_saved_without_text(corpus, tmp_path):
    """The files are read again then."""
    import caesura

    sources = {"s": "s"}, {"r": "r", "q": "q"}
    found = caesura.evaluate(*sources, rows=str(tmp_path / "made.jsonl"))
    assert [each["document"] for each in found.readings()] == NAMES
    assert found.html() == caesura.evaluate(*sources).html()
