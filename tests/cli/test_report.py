"""`--html`, `--rows --with-text` and `caesura report`."""

import pytest

from support.report_pages import data_of

REFS = ("--ref", "r1.txt", "--ref", "r2.txt")


def without_paths(path):
    """The data of a page but for its notes: these name files, which saved rows do not know."""
    data = data_of(path)
    del data["summary"]["notes"]
    return data


@pytest.fixture
def files(folder):
    return folder(
        r1="a b.\nc d e.\nf g",
        r2="a b c d e?\nf g",
        s1="a b\nc d e f g",
        s2="a b c\nd e\nf g",
    )


def test_saved_rows_make_the_same_page_with_intervals_and_comparison(run, files):
    command = ("transcript", "s1.txt", "s2.txt", *REFS, "--rows", "r.jsonl", "--with-text")
    more = ("--confidence", "--compare", "--resamples", "50")
    assert run(*command, *more, "--html", "one.html")[0] == 0
    assert run("report", "r.jsonl", "-o", "two.html", *more)[0] == 0
    one, two = without_paths(files / "one.html"), without_paths(files / "two.html")
    assert one == two
    assert one["readings"]
    assert "wisebe" in one["summary"]["systems"][0]["confidence"]["micro"]
    assert "differences" in [table["id"] for table in one["tables"]]
    assert any("bootstrap over" in note for note in one["notes"])


def test_what_the_readings_show(run, files, folder):
    """Moments on a timeline, standard input, words aligned to those of the reference."""
    folder(**dict.fromkeys(["r.ctm", "s.ctm"], "f 1 0 1 a.\nf 1 1 1 b."), s="a b x d\ne e f g")

    def reading(*command, **how):
        assert run("transcript", *command, "--html", "p.html", **how)[0] == 0
        (found,) = data_of(files / "p.html")["readings"]
        return found

    assert reading("s.ctm", "--ref", "r.ctm", "--axis", "time")["kind"] == "clock"
    text = (files / "s1.txt").read_bytes()
    assert reading("x=-", *REFS, stdin=text)["systems"] == {"x": [1]}
    found = reading("s.txt", "--ref", "r1.txt", "--align")
    assert (found["words"], found["systems"]) == ("a b. c d e. f g", {"s": [3]})


def test_rows_without_text_hold_no_words(run, files):
    run("transcript", "s1.txt", *REFS, "--rows", "r.jsonl")
    assert "reading" not in (files / "r.jsonl").read_text()
    assert run("report", "r.jsonl", "-o", "p.html")[0] == 0
    assert data_of(files / "p.html")["readings"] == []


def test_files_are_put_together(run, files):
    run("transcript", "s1.txt", *REFS, "--rows", "1.jsonl", "--with-text")
    run("transcript", "s2.txt", *REFS, "--rows", "2.jsonl", "--with-text")
    both = "--html", "both.html", "--rows", "both.jsonl"
    run("transcript", "s1.txt", "new=s2.txt", *REFS, *both)
    assert run("report", "1.jsonl", "new=2.jsonl", "-o", "p.html")[0] == 0
    one, two = without_paths(files / "p.html"), without_paths(files / "both.html")
    assert one == two


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
