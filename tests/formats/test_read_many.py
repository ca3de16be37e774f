"""Many files read together are those read one by one; their formats are told by a short look."""

import re
from pathlib import PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from caesura.formats.detection import by_content
from caesura.formats.registry import TIMED
from caesura.formats.transcripts import read, read_many
from caesura.io.files import suffix_of
from support.compared_documents import outcome, same
from support.hypothesis_settings import MANY

CONTENTS = {
    "lines": b"so it rained.\na lot\n",
    "marks": b"So it rained. A lot",
    "slashes": b"so it // rained",
    "binary": b"0 1 0 1\n",
    "latin": "déjà".encode("latin-1"),
    "utf16": "déjà vu. Oui".encode("utf-16"),
    "bom": "\ufeffdéjà vu".encode(),
    "nothing": b" . \n",
    "nul": b"a\0b",
    "ctm": b";; a comment\nf 1 0.0 0.5 so\nf 1 0.5 0.5 it\n",
    "rttm": b"LEXEME f 1 0.0 0.5 so lex a 0.5\nSU f 1 0.0 0.5 <NA> statement a <NA>\n",
    "srt": b"1\n00:00:00,000 --> 00:00:01,000\nso it\n",
    "conllu": b"1\tso\tso\tADV\t_\t_\t0\troot\t_\t_\n",
    "wrong": b"f 1 0.0 0.5 so\nf 1\n",
}
SUFFIXES = (".txt", "", ".ctm", ".gz")
CELLS = ["a", "1", "0.5", ".5", "-1", "+", ".", "<NA>", "LEXEME", "SU", ";", "#", "٣", "x" * 50]
GAPS = [" ", " ", "\t", "\n", "\r\n", "  "]
SIGNS = ["-->", "WEBVTT", "{", "[", '"text": " ', "token|", "<ANNOTATION_DOCUMENT", "1" + "\ta" * 9]
HEADS = st.lists(st.sampled_from([*CELLS, *CELLS, *GAPS, *GAPS, *GAPS, *SIGNS]), max_size=40)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    place = tmp_path_factory.mktemp("many")
    paths = [place / f"{name}{suffix}" for name in CONTENTS for suffix in SUFFIXES]
    for path in paths:
        path.write_bytes(CONTENTS[path.stem])
    return [*map(str, paths), str(place / "missing"), str(place), f"{paths[0]}::part"]


def one_by_one(paths, **options):
    return [read(path, **options) for path in paths]


@MANY
@given(
    st.lists(st.integers(0, 200), max_size=6),
    st.sampled_from([{}, {}, {"input": "marks"}, {"input": "ctm"}, {"input": "line"}]),
    st.sampled_from([{}, {}, {"encoding": "latin-1"}, {"marks": ","}, {"marks": "a"}]),
)
@example([0, 4, 8], {}, {})
@example([0, 28, 999], {}, {})
def test_many_files_are_those_read_one_by_one(files, which, input, more):
    paths = [files[at % len(files)] for at in which]
    wanted = outcome(one_by_one, paths, **input, **more)
    found = outcome(read_many, paths, **input, **more)
    if isinstance(wanted, list):
        assert len(found) == len(wanted)
        assert all(map(alike, found, wanted))
    else:
        assert found == wanted


def alike(found, wanted):
    return same(found, wanted) if wanted.form in {"lines", "marks"} else found.text == wanted.text


def test_a_guess_is_told_only_of_the_file_that_was_guessed(folder):
    folder(**dict.fromkeys(("a", "b"), "WEBVTT\n\n00:01.000 --> 00:02.000\n你好\n"))
    assert read("a.txt").signs["guessed"] == 1 == read("a.txt").signs["by_script"]
    assert "guessed" not in read("b.txt", input="vtt").signs


@MANY
@given(HEADS.map("".join))
@example(CONTENTS["ctm"].decode())
@example(CONTENTS["rttm"].decode())
@example("٣ a 1 .5 b c 1 2 3")
def test_a_short_look_finds_what_the_formats_themselves_find(text):
    head = text.lstrip()
    looks = {
        name: bool(each.functions.is_like(head)) if each.functions.is_like else each.is_like(head)
        for name, each in TIMED.items()
        if name != "kaldi"
    }
    assert by_content(text) == next((name for name, is_like in looks.items() if is_like), "")


@given(st.text("ab./", max_size=8))
@example("a/b.tar.gz")
def test_the_suffix_is_that_of_a_path(path):
    name = PurePosixPath(path).name.removesuffix(".gz")
    found = re.fullmatch(r".+(\.[^.]+)", name)
    assert suffix_of(path) == (found[1] if found else "")
