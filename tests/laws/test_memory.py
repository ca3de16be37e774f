"""What a file takes to read is in proportion to its size, even if almost all of it is blank."""

import tracemalloc

import pytest

SIZE = 3_000_000
TIMES, BASE = 20, 3_000_000
"""The most bytes for each byte of the file, and those that anything takes."""
COMMANDS = {
    "sentences": "sentences {} --ref small.txt",
    "sentences, reference": "sentences small.txt --ref {}",
    "sentences, both": "sentences a={} --ref b={}",
    "sentences, bare": "sentences small.txt --ref {} --tokens bare",
    "resegment": "resegment {} --to small.txt",
    "resegment, reference": "resegment small.txt --to {} -o out.txt",
    "transcript": "transcript {} --ref small.txt",
    "transcript, marks": "transcript {} --ref small.txt --input marks",
    "transcript, slashes": "transcript {} --ref small.txt --input slashes",
    "transcript, breaks": "transcript {} --ref small.txt --input breaks",
    "agreement": "agreement {} small.txt",
    "convert": "convert {} out.txt --to slashes",
    "text": "text {} --gold small.txt",
    "text, gold": "text small.txt --gold {}",
    "sighan": "score sighan {} --gold small.txt",
    "topics": "score topics small.txt --gold {}",
    "segment": "segment every:2 {}",
}


@pytest.fixture
def peak(run):
    """The most bytes that a command takes; it ends well."""

    def call(*line):
        tracemalloc.start()
        try:
            status, _, error = run(*line)
            assert status == 0, error
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    return call


@pytest.mark.slow
@pytest.mark.parametrize("blank", ["\n", " "], ids=["lines", "spaces"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_blanks_take_no_more_than_their_share(run, peak, command, blank, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.txt").write_text("a b c\nd e\n")
    (tmp_path / "long.txt").write_text(f"a b c\n{blank * SIZE}d e\n")
    files = command.count("{}")
    run(*command.format(*["small.txt"] * files).split())  # what is imported does not count
    (tmp_path / "out.txt").unlink(missing_ok=True)
    assert peak(*command.format(*["long.txt"] * files).split()) < TIMES * files * SIZE + BASE


FILES = {
    "transcript": {
        "srt": "1\n00:00:01,000 --> 00:00:02,000\na b c\n",
        "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\na b c\n",
        "ctm": "f 1 0.0 1.0 a\nf 1 1.0 1.0 b\n",
        "stm": "f 1 anna 0.0 1.0 a b\nf 1 anna 1.0 2.0 c\n",
    },
    "trees": {"mrg": "(S (NP (NN a)) (VP (VB b)))\n"},
    "score speakers": {"rttm": "SPEAKER f 1 0.0 1.0 <NA> <NA> A <NA> <NA>\n"},
    "score chapters": {"times": "1.5\n2.5\n"},
    "score music": {"lab": "0 1 x\n1 2 y\n"},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "suffix", "text"),
    [(name, *each) for name, files in FILES.items() for each in files.items()],
)
def test_blank_lines_in_other_formats(run, peak, tmp_path, command, suffix, text):
    short, long = tmp_path / f"short.{suffix}", tmp_path / f"long.{suffix}"
    short.write_text(text)
    long.write_text(text + "\n" * SIZE)
    given = (*command.split(), long, "--ref" if command == "transcript" else "--gold", short)
    given = (*given, "--duration", "9s") if suffix == "times" else given
    run(*given)
    assert peak(*given) < TIMES * SIZE + BASE


@pytest.mark.slow
def test_a_million_resamples_are_drawn_system_by_system(run, peak, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.txt").write_text("a b c\nd e\nf g h\n")
    systems = [f"s{number}.txt" for number in range(8)]
    for name in systems:
        (tmp_path / name).write_text("a b\nd e e\nf g h\n")
    command = ["sentences", *systems, "--ref", "ref.txt", "--metrics", "none", "--confidence"]
    run(*command, "--resamples", 10)
    assert peak(*command, "--resamples", 1_000_000) < 200_000_000
