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
}


@pytest.mark.parametrize("blank", ["\n", " "], ids=["lines", "spaces"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_blanks_take_no_more_than_their_share(run, command, blank, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.txt").write_text("a b c\nd e\n")
    (tmp_path / "long.txt").write_text(f"a b c\n{blank * SIZE}d e\n")
    files = command.count("{}")
    run(*command.format(*["small.txt"] * files).split())  # what is imported does not count
    (tmp_path / "out.txt").unlink(missing_ok=True)
    tracemalloc.start()
    try:
        status, _, error = run(*command.format(*["long.txt"] * files).split())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert status == 0, error
    assert peak < TIMES * files * SIZE + BASE


@pytest.mark.slow
def test_a_million_resamples_are_drawn_system_by_system(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.txt").write_text("a b c\nd e\nf g h\n")
    systems = [f"s{number}.txt" for number in range(8)]
    for name in systems:
        (tmp_path / name).write_text("a b\nd e e\nf g h\n")
    command = ["sentences", *systems, "--ref", "ref.txt", "--metrics", "none", "--confidence"]
    run(*command, "--resamples", 10)
    tracemalloc.start()
    try:
        status, _, error = run(*command, "--resamples", 1_000_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert status == 0, error
    assert peak < 200_000_000
