"""The detector `auto`: by what it is given."""

import pytest

from caesura.detect import ADAPTERS
from caesura.detect import sentences as auto
from caesura.errors import CaesuraError

PROSE = "It rained. Did Mr. Brown go out? No, he stayed."
BARE = "it rained did mr brown go out no he stayed"
CHINESE = "今天下雨了。我们没有出门。后来雨停了。"


@pytest.fixture
def _installed(monkeypatch):
    monkeypatch.setattr("caesura.detect.find_spec", lambda _: True)


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("spec", "text", "taken"),
    [
        ("auto", PROSE, "nupunkt"),
        ("auto", BARE, "best"),
        ("auto", f"{BARE} 3.5 " * 9 + "etc.", "best"),
        ("auto", CHINESE, "sentencex"),
        ("auto:de", PROSE, "sentencex:de"),
        ("auto", "", "best"),
        ("s1", PROSE, "s1"),
    ],
)
def test_what_is_taken(spec, text, taken):
    assert auto.for_text(spec, text, len(text.split())) == taken


def test_the_next_best_where_one_is_not_installed(monkeypatch):
    monkeypatch.setattr("caesura.detect.find_spec", lambda name: name == "pysbd" or None)
    assert auto.for_text("auto", PROSE, 10) == "pysbd"
    monkeypatch.setattr("caesura.detect.find_spec", lambda _: None)
    with pytest.raises(CaesuraError, match=r"caesura-eval\[segmenters\]"):
        auto.for_text("auto", PROSE, 10)
    assert {*auto.ASCII_MARKS, *auto.OTHER_MARKS} <= set(ADAPTERS)


def test_every_command_says_what_it_took(run, folder):
    pytest.importorskip("nupunkt")
    folder(prose=PROSE, bare=BARE, gold=PROSE.replace("? ", "?\n").replace("d. ", "d.\n"))
    status, out, err = run("segment", "auto", "prose.txt", notes=True)
    assert (status, out) == (0, "It rained.\nDid Mr. Brown go out?\nNo, he stayed.\n")
    assert err == "read as punctuated text, segmented by nupunkt: prose.txt\n"
    _, out, err = run("segment", "auto", "bare.txt", notes=True)
    assert out.startswith("it rained\n")
    assert err == "read as bare words, segmented by best: bare.txt\n"
    _, _, err = run("transcript", "--run", "auto", "--ref", "gold.txt", notes=True)
    assert "read as punctuated text, segmented by nupunkt: auto\n" in err
    _, _, err = run("text", "--run", "auto", "--raw", "prose.txt", "--gold", "gold.txt", notes=True)
    assert "read as punctuated text, segmented by nupunkt: prose.txt\n" in err


def test_text_without_spaces_stays_as_written(run, folder):
    pytest.importorskip("sentencex")
    folder(talk=CHINESE)
    assert run("segment", "auto", "talk.txt")[1] == CHINESE.replace("。", "。\n")
