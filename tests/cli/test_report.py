"""`--html`, `--rows --with-text` and `caesura report`."""

import json
import re

import pytest

from support.speech_corpora import PAIR, PHONES, WORDS

REFS = ("--ref", "r1.txt", "--ref", "r2.txt")


def data_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])


def without_paths(path):
    """The data of a page but for its notes: these name files, which saved rows do not know."""
    data = data_of(path)
    del data["summary"]["notes"]
    return data


@pytest.fixture
def files(folder):
    return folder(
        r1="a b.\nc d e.\nf g", r2="a b c d e?\nf g", s1="a b\nc d e f g", s2="a b c\nd e\nf g"
    )


def test_the_page_holds_the_scores_of_the_json(run, files):
    status, out, _ = run("transcript", "s1.txt", "s2.txt", *REFS, "-f", "json", "--html", "p.html")
    assert status == 0
    ours, told = data_of(files / "p.html")["summary"], json.loads(out)
    assert [ours[name] for name in ("task", "signature", "documents")] == [
        told[name] for name in ("task", "signature", "documents")
    ]
    for one, other in zip(ours["systems"], told["systems"], strict=True):
        for mean in ("micro", "macro", "by_document"):
            assert one[mean] == other[mean]


@pytest.mark.parametrize(
    ("command", "count"),
    [
        (("transcript", "s1.txt", "s2.txt", *REFS), 1),
        (("transcript", "s1.txt", "--ref", "r1.txt"), 1),
        (("agreement", "r1.txt", "r2.txt"), 1),
        (("text", "s1.txt", "s2.txt", "--gold", "r1.txt", "--force"), 2),
    ],
)
def test_saved_rows_make_the_same_page(run, files, command, count):
    status, _, err = run(*command, "--html", "one.html", "--rows", "r.jsonl", "--with-text")
    assert (status, err) == (0, "")
    assert run("report", "r.jsonl", "-o", "two.html")[0] == 0
    one, two = without_paths(files / "one.html"), without_paths(files / "two.html")
    assert one == two
    assert len(one["readings"]) == count


def test_terms_too(run, folder):
    made = folder(**{"p.phn": PHONES, "w.wrd": WORDS, "c.class": PAIR})
    gold = ("--phones", "p.phn", "--words", "w.wrd")
    run("terms", "c.class", *gold, "--html", "one.html", "--rows", "r.jsonl", "--with-text")
    assert run("report", "r.jsonl", "-o", "two.html")[0] == 0
    assert data_of(made / "one.html") == data_of(made / "two.html")


def test_intervals_come_with_rows_too(run, files):
    command = ("transcript", "s1.txt", "s2.txt", *REFS, "--confidence", "--compare")
    drawn = ("--resamples", "50")
    run(*command, *drawn, "--html", "one.html", "--rows", "r.jsonl", "--with-text")
    assert run("report", "r.jsonl", "-o", "two.html", "--confidence", "--compare", *drawn)[0] == 0
    one, two = data_of(files / "one.html"), data_of(files / "two.html")
    assert one == two
    assert "wisebe" in one["summary"]["systems"][0]["confidence"]["micro"]
    assert "differences" in [table["id"] for table in one["tables"]]
    assert any("bootstrap over" in note for note in one["notes"])


def test_moments_are_shown_on_a_timeline(run, folder):
    made = folder(**{"r.ctm": "f 1 0 1 a.\nf 1 1 1 b.", "s.ctm": "f 1 0 1 a.\nf 1 1 1 b."})
    status, _, err = run(
        "transcript", "s.ctm", "--ref", "r.ctm", "--axis", "time", "--html", "p.html"
    )
    assert (status, err) == (0, "")
    readings = data_of(made / "p.html")["readings"]
    assert [each["kind"] for each in readings] == ["clock"]


def test_rows_without_text_hold_no_words(run, files):
    run("transcript", "s1.txt", *REFS, "--rows", "r.jsonl")
    assert "reading" not in (files / "r.jsonl").read_text()
    assert run("report", "r.jsonl", "-o", "p.html")[0] == 0
    assert data_of(files / "p.html")["readings"] == []


def test_text_without_rows_is_a_mistake(run, files):
    status, _, err = run("transcript", "s1.txt", *REFS, "--with-text")
    assert status == 2
    assert "--with-text needs --rows FILE" in err


def test_files_are_put_together(run, files):
    run("transcript", "s1.txt", *REFS, "--rows", "1.jsonl", "--with-text")
    run("transcript", "s2.txt", *REFS, "--rows", "2.jsonl", "--with-text")
    both = "--html", "both.html", "--rows", "both.jsonl"
    run("transcript", "s1.txt", "new=s2.txt", *REFS, *both)
    assert run("report", "1.jsonl", "new=2.jsonl", "-o", "p.html")[0] == 0
    one, two = without_paths(files / "p.html"), without_paths(files / "both.html")
    assert one == two


def test_rows_of_an_older_caesura_cannot_be_a_page(run, files):
    run("transcript", "s1.txt", *REFS, "--rows", "r.jsonl")
    head, *rows = (files / "r.jsonl").read_text().splitlines()
    header = json.loads(head)
    del header["options"]
    (files / "r.jsonl").write_text("\n".join([json.dumps(header), *rows]) + "\n")
    status, _, err = run("report", "r.jsonl", "-o", "p.html")
    assert status == 1
    assert err.startswith("error: r.jsonl:1: a bad header (no options); make the rows")


def test_a_broken_reading_is_an_error_with_its_line(run, files):
    run("transcript", "s1.txt", *REFS, "--rows", "r.jsonl", "--with-text")
    text = (files / "r.jsonl").read_text()
    (files / "r.jsonl").write_text(text[:-5] + "\n")
    status, _, err = run("report", "r.jsonl", "-o", "p.html")
    assert status == 1
    assert err.startswith(f"error: r.jsonl:{text.count(chr(10))}: not a valid row (")
    assert not (files / "p.html").exists()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"kind": "transcript"', '"kind": "novel"', "it is of an unknown kind"),
        ('"length": 7', '"length": "seven"', "length: 'seven' is not a valid int"),
        ('"systems": {"s1": [1]}', '"systems": [1]', "systems: [1] is not a valid dict"),
    ],
)
def test_a_wrong_reading_is_an_error_with_its_line(run, files, old, new, problem):
    run("transcript", "s1.txt", *REFS, "--rows", "r.jsonl", "--with-text")
    text = (files / "r.jsonl").read_text()
    assert old in text
    (files / "r.jsonl").write_text(text.replace(old, new))
    status, _, err = run("report", "r.jsonl", "-o", "p.html")
    cure = "remove the line or make the rows again"
    assert (status, err) == (
        1,
        f"error: r.jsonl:{text.count(chr(10)) - 2}: not a reading ({problem}); {cure}\n",
    )


def test_compare_reads_rows_with_text(run, files):
    run("transcript", "s1.txt", "s2.txt", *REFS, "--rows", "r.jsonl", "--with-text")
    assert run("compare", "r.jsonl")[0] == 0


def test_a_page_cannot_be_written_to_a_folder(run, files):
    status, _, err = run("transcript", "s1.txt", *REFS, "--html", ".")
    assert (status, err) == (1, "error: .: is a folder; give a file name\n")


def test_standard_input_is_shown_too(run, files):
    text = (files / "s1.txt").read_bytes()
    status, *_ = run("transcript", "x=-", *REFS, "--html", "p.html", stdin=text)
    assert status == 0
    assert data_of(files / "p.html")["readings"][0]["systems"] == {"x": [1]}


def test_aligned_words_are_those_of_the_reference(run, folder):
    made = folder(r="a b c\nd e f", s="a x c\nd d e f")
    status, *_ = run("transcript", "s.txt", "--ref", "r.txt", "--align", "--html", "p.html")
    assert status == 0
    (reading,) = data_of(made / "p.html")["readings"]
    assert (reading["words"], reading["systems"]) == ("a b c d e f", {"s": [2]})


def test_the_demo_writes_a_page(run, folder, monkeypatch):
    made = folder()
    status, out, _ = run("demo")
    assert status == 0
    assert str(made / "caesura-demo.html") in out
    assert data_of(made / "caesura-demo.html")["readings"][0]["length"] == 426
    monkeypatch.setattr("os.access", lambda *_: False)
    (made / "caesura-demo.html").unlink()
    assert "Open in" not in run("demo")[1]
    assert not (made / "caesura-demo.html").exists()
    assert run("demo", "--html", "here.html")[0] == 0
    assert (made / "here.html").exists()
