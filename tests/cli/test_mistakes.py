"""Usual mistakes on the command line: what is said, and that nothing goes wrong silently."""

import pytest

TALK = "so it rained\nall night\nand then\nit stopped\n"
OTHER = "so it\nrained all night\nand then it stopped\n"
SCORING = {
    "transcript": ("transcript", "s.txt", "--ref", "a.txt"),
    "agreement": ("agreement", "a.txt", "b.txt"),
    "text": ("text", "s.txt", "--gold", "a.txt"),
}


@pytest.fixture(autouse=True)
def _talk(folder):
    folder(a=TALK, b=OTHER, s=OTHER)


@pytest.mark.parametrize(
    ("arguments", "warning"),
    [
        ("s.txt --ref=a.txt b.txt", "b.txt is scored as a system; did you mean --ref b.txt?"),
        ("--run none --ref a.txt b.txt", "b.txt is scored as a system; did you mean --ref b.txt?"),
        (
            "s.txt --ref x=a.txt b.txt a.txt",
            "b.txt, a.txt are scored as systems; did you mean --ref b.txt --ref a.txt?",
        ),
        ("s.txt --ref a.txt --ref b.txt", ""),
        ("--ref a.txt s.txt b.txt", ""),
        ("s.txt b.txt --ref a.txt", ""),
        ("s.txt --ref a.txt --by-mark b.txt", ""),
    ],
)
def test_a_system_that_was_meant_as_a_reference(run, arguments, warning):
    status, _, err = run("transcript", *arguments.split(), "-q", "-o", "out")
    assert status == 0
    warnings = [line for line in err.splitlines() if "did you mean" in line]
    assert warnings == ([f"warning: {warning}"] if warning else [])


def test_segment_without_a_file_or_a_detector(run, monkeypatch):
    assert run("segment", "every:2", stdin=b"so it rained") == (0, "so it\nrained\n", "")
    assert run("segment", "every:2", "-", stdin=b"so it rained")[1] == "so it\nrained\n"
    status, _, err = run("segment", "a.txt", stdin=b"")
    assert status == 2
    assert err.endswith("Error: no detector; put one before the file: best a.txt\n")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    status, out, err = run("segment", "every:2")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == "Error: no transcript; give a file as INPUT, or pipe one in"


def test_quiet_silences_notes(run):
    run(*SCORING["transcript"], "--rows", "r.jsonl", "-o", "out")
    assert run("report", "r.jsonl", "-q") == (0, "", "")
    assert run("report", "r.jsonl") == (0, "", "report.html\n")
    assert run("convert", "a.txt", "b.srt", "--to", "binary", "-q") == (0, "", "")
    assert run("convert", "a.txt", "b.srt", "--to", "binary")[2]


@pytest.mark.parametrize("name", SCORING)
def test_quiet_keeps_warnings(run, folder, name):
    folder(**dict.fromkeys("bs", "so it rained all night and then it stopped"))
    if name == "text":
        folder(a="so it\nrained all\nnight\nand then\nit\nstopped")
    _, _, loud = run(*SCORING[name], "-o", "out", notes=True)
    _, _, quiet = run(*SCORING[name], "-o", "out", "-q", notes=True)
    assert "read as" in loud
    assert [line for line in loud.splitlines() if line.startswith("warning: ")]
    assert quiet.splitlines() == [line for line in loud.splitlines() if "read as" not in line]
