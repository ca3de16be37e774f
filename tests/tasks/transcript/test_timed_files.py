"""Tiers, phones, speakers and regions on the command line, read and scored as users would."""

import pytest

from support.interval_files import grid, speakers
from support.results import result

GOLD = grid(
    words=[(0, 0.3, ""), (0.3, 0.9, "so"), (0.9, 1.2, "")],
    phones=[(0, 0.3, ""), (0.3, 0.52, "s"), (0.52, 0.9, "ow"), (0.9, 1.2, "")],
)
TIMED = ["--axis", "time", "--tolerance", "20ms"]
TURNS = (0, 4, "A"), (4, 9, "B"), (10, 12, "A")


@pytest.fixture
def phones(folder):
    folder(
        **{
            "gold.TextGrid": GOLD,
            "gold.ctm": "t 1 0.3 0.22 s\nt 1 0.52 0.38 ow\n",
            "gold.phn": "0 4800 h#\n4800 8320 s\n8320 14400 ow\n14400 19200 h#\n",
        }
    )


def test_samples_and_intervals_of_ctm(run, phones):
    def scored(name, *how):
        line = ("transcript", name, "--ref", "gold.TextGrid", *TIMED, "--tier", "phones", *how)
        own = result(run, *line, "--units", "intervals")["systems"][0]["by_reference"]
        return [own["gold.TextGrid"][key] for key in ("tp", "fn", "f1", "r_value")]

    assert scored("gold.phn", "--rate", "16000") == [3, 0, 1, 1]
    assert scored("gold.ctm")[:2] == [1, 2]
    assert scored("gold.ctm", "--final", "keep")[:2] == [3, 2]


def test_samples_without_a_rate(run, phones):
    status, _, error = run("transcript", "gold.phn", "--ref", "gold.TextGrid", *TIMED)
    assert status == 1
    assert error.endswith("give --rate 16000 for TIMIT, or --rate 1 if they are seconds\n")


def test_a_tier_is_converted_as_it_is(run, phones):
    status, out, _ = run("convert", "gold.TextGrid", "-", "--to", "labels", "--tier", "phones")
    assert (status, out) == (0, "0.30\t0.52\ts\n0.52\t0.90\tow\n")
    status, out, _ = run("segment", "every:1", "gold.TextGrid", "--tier", "words")
    assert (status, out) == (0, "so\n")


def test_segments_without_words_have_times_only(run, folder):
    folder(**{"a.rttm": speakers(*TURNS), "b.rttm": speakers(*TURNS)})
    status, out, error = run("convert", "a.rttm", "-", "--to", "rttm")
    assert (status, error) == (0, "")
    assert out.startswith("SPEAKER talk 1 0.00 4.00 <NA> <NA> A <NA> <NA>\n")
    cases = {
        ("transcript", "a.rttm", "--ref", "b.rttm"): (
            "b.rttm: segments without words; compare the times, with --axis time"
        ),
        ("convert", "a.rttm", "-", "--to", "ctm"): "convert it to rttm\n",
        ("segment", "best", "a.rttm"): "no words",
    }
    for command, message in cases.items():
        status, _, error = run(*command)
        assert (status, message in error) == (1, True)


@pytest.fixture
def uem(folder):
    """The command that scores speakers in regions."""
    folder(
        **{
            "r.rttm": speakers(*TURNS),
            "h.rttm": speakers((0, 4.1, "x"), (4.1, 7, "y"), (7, 8.8, "z"), (9, 12, "x")),
        }
    )

    def command(text):
        folder(**{"r.uem": text})
        return "transcript", "h.rttm", "--ref", "r.rttm", "--uem", "r.uem", "--axis", "time"

    return command


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("talk 1 0 100\n", [2, 1, 0]),
        ("talk 1 0 4.1\n", [1, 0, 0]),
        ("talk 1 0 4.05\n", [0, 0, 1]),
        ("talk 1 0 5\ntalk 1 8 9\n", [2, 0, 0]),
        ("talk 1 5 8\ntalk 2 5 8\n", [0, 1, 0]),
    ],
)
def test_boundaries_outside_the_regions_do_not_count(run, uem, text, counts):
    own = result(run, *uem(text))["systems"][0]["by_reference"]["r"]
    assert [own[name] for name in ("tp", "fp", "fn")] == counts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("talk 1 100 200\n", "r.uem: its regions hold nothing of 'talk' in r.rttm; check"),
        ("other 1 0 100\n", "r.uem: no regions of 'talk'; add a line FILE CHANNEL START END"),
        ("talk 1 0 5\ntalk 2 0 6\n", "r.uem: 'talk' has other regions on channel 2 than on"),
        ("", "r.uem: nothing to score; "),
    ],
)
def test_bad_regions(run, uem, text, message):
    status, out, error = run(*uem(text))
    assert (status, out) == (1, "")
    assert error.startswith(f"error: {message}")


def test_regions_of_touching_stretches_are_one(run, uem):
    whole = result(run, *uem("talk 1 0 9\n"))
    assert result(run, *uem("talk 1 0 5\ntalk 1 5 9\n")) == whole
