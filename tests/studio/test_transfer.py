"""What is exported gives the commands the same numbers, and gives the same project elsewhere."""

import json
from dataclasses import replace

import pytest

from caesura.errors import FormatError, UsageError
from caesura.formats.transcripts import read
from caesura.studio import views
from caesura.studio.adjudication import close, open_disputes, result
from caesura.studio.agreement import LiveAgreement
from caesura.studio.documents import Pinned
from caesura.studio.events import MANAGER
from caesura.studio.export import archive
from caesura.studio.files import add_folder
from caesura.studio.log import log_lines, parse_log, restore_log
from caesura.studio.project import Project
from caesura.studio.store import Store
from support.files import write
from support.studio_projects import (
    WORDS,
    act,
    assign_everyone,
    event,
    finish,
    opened,
    persons,
    require_same,
    sets,
    snapshot,
    team,
    unzipped,
    words,
)

NAMES = ("Anna", "Ben", "Chloé")
TEXTS = {"talk": WORDS, "more": "well I do not know what to say about it now"}


def worked(project):
    """Three people, two documents, decisions, comments, and one who was revoked."""
    people = persons(project, texts=TEXTS)
    project.do(people[MANAGER], act("guidelines", text="# One unit\n\n- a thought"))
    project.take(people["Anna"], [*sets("a", [2, 4, 7]), *sets("a", [3, 5], 2, "?", 3)])
    project.take(people["Ben"], [*sets("b", [2, 7], value="?"), *sets("b", [5, 8], 2, "", 2)])
    project.take(people["Chloé"], [*sets("c", [4, 7], value=""), *sets("c", [5], 2, start=2)])
    project.take(people["Anna"], [event("a", 5, kind="comment", gap=2, value="so?\nno")])
    finish(project, *(people[name] for name in NAMES))
    finish(project, *(people[name] for name in NAMES), document=2)
    project.take(people[MANAGER], [event("m", 0, kind="decide", gap=4, value=".")])
    project.take(people[MANAGER], [event("m", 1, kind="decide", gap=2, value="discuss")])
    project.revoke(people["Chloé"].id)
    return people


def decide(project, by, document=1):
    """Decide every gap that is open, against a boundary, and close the document."""
    for at, gap in enumerate(open_disputes(project, document)):
        project.take(by, [event(f"decide{document}-{at}", 0, document, "decide", gap, None)])
    close(project, by, document)


def unpacked(data, folder):
    write(folder, unzipped(data))
    return folder


def test_the_export_gives_agreement_the_same_numbers(project, run, tmp_path):
    """Also where people have different documents, and what does not count is not there."""
    people = worked(project)
    for name, text in (("new", "a b c d"), ("solo", "a b c d e")):
        project.add(words(text, name))
    assign_everyone(project)
    for at, (name, document) in enumerate([("Anna", 3), ("Ben", 3), ("Ben", 4)]):
        project.take(people[name], sets(f"new{at}", [at], document))
        finish(project, people[name], document=document)
    folder = unpacked(archive(project), tmp_path / "export")
    folders = [folder / name for name in NAMES]
    given = ("--missing", "vary", "--confidence", "-f", "json")
    status, out, error = run("agreement", *folders, *given)
    assert status == 0, error
    found = json.loads(out)
    live = json.loads(json.dumps(views.agreement(project, LiveAgreement(project))["summary"]))
    assert live["agreement"] == found["agreement"]
    assert live.get("ceiling") == found.get("ceiling")
    text = (folder / "statement.md").read_text()
    assert f"{found['agreement']['rgar']:.3f}" in text
    assert "| Anna | 4 | " in text
    assert "| 3 finished blind, 1 not finished |" in text


def test_the_export_is_a_reference_as_it_is(project, run, tmp_path):
    people = worked(project)
    folder = unpacked(archive(project), tmp_path / "before")
    assert not (folder / "adjudicated").exists()
    part = (folder / "aside" / "partial" / "talk.jsonl").read_text()
    assert json.loads(part.partition("\n")[0])["partial"]
    decide(project, people[MANAGER])
    files = unzipped(archive(project))
    assert files.keys() == {
        *(f"{name}/{document}.jsonl" for name in NAMES for document in TEXTS),
        "adjudicated/talk.jsonl",
        "guidelines.md", "statement.md", "log.jsonl",
    }  # fmt: skip
    folder = unpacked(archive(project), tmp_path / "export")
    assert read(str(folder / "adjudicated" / "talk.jsonl")).segmentation.boundaries.tolist() == [
        4, 7, 11,
    ]  # fmt: skip
    for name in NAMES:
        found = read(str(folder / name / "talk.jsonl"))
        assert found.segmentation == project.counted(1)[name].segmentation()
        assert found.text == project.pinned(1).words
    line = (folder / "Anna" / "talk.jsonl").read_text().splitlines()[3]
    assert json.loads(line)["comment"] == "so?\nno"
    references = (f"--ref={folder / name}" for name in NAMES)
    status, out, error = run("transcript", "--run", "every:4", *references, "-q")
    assert status == 0, error
    assert "every:4" in out


def test_an_import_is_the_same_project(tmp_path):
    project = opened(tmp_path / "first.sqlite")
    people = worked(project)
    decide(project, people[MANAGER])
    project.erase_person(people[MANAGER], people["Chloé"].id)
    before = unzipped(archive(project))
    copy = opened(tmp_path / "studio.sqlite")
    copy.invite(MANAGER, is_manager=True)
    restore_log(copy, parse_log(before["log.jsonl"]))
    assert snapshot(project.board) == snapshot(copy.board)
    assert project.people == copy.people
    assert unzipped(archive(copy)) == before
    copy.store.close()
    again = opened(tmp_path / "studio.sqlite")
    require_same(copy.board, again.board)
    with pytest.raises(UsageError, match="new project"):
        restore_log(again, parse_log(before["log.jsonl"]))
    again.store.close()
    project.store.close()


def test_times_and_speakers_are_kept(project, tmp_path):
    pinned = Pinned("t", "A b", "a b", (0, 10), (5, 20), (), ("X",), (0, -1))
    project.add(pinned)
    people = team(project, ("Anna",))
    project.take(people["Anna"][0], sets("a", [0]))
    finish(project, people["Anna"][0])
    folder = unpacked(archive(project), tmp_path / "export")
    track = read(str(folder / "Anna" / "t.jsonl")).track
    assert (track.start.tolist(), track.end.tolist()) == ([0, 10], [5, 20])
    text = "".join(log_lines(project))
    assert parse_log(text).documents[1] == pinned


def changed(lines, at, where, value):
    """A log with one value of one line changed; `where` is the path to it."""
    values = json.loads(lines[at])
    place, *rest = where.split(".")
    inside = values
    for key in rest:
        inside, place = inside[int(place) if place.isdecimal() else place], key
    inside[place] = value
    return "\n".join([*lines[:at], json.dumps(values), *lines[at + 1 :]])


HEADERS = {
    "documents": [None, 7],
    "documents.2.content.words": ["a b", "a \ud800 c", "a\x00 b c", 7],
    "documents.2.content.shown": [7],
    "documents.2.content.start": [[1], [0, 1, 10**30], [0.5, 1, 2]],
    "documents.2.content.turns": [["x"] * 3],
    "documents.2.content.cues": [[[0, 9]], [[1, 0]], [7]],
    "edition": [2, None],
    "documents.1.content.name": ["talk"],
    "documents.1.id": [1, 1e999, "x", None],
    "people": [7, None, [[]], [{"id": 1}]],
    "people.1.name": ["../../x", "manager", "An\u200bna", "BEN", "", "adjudicated", "log.jsonl"],
    "people.2.id": [1, -1e999],
}
"""What a header may not have, by its place."""
LINES = [
    (0, "more", 1), (1, "person", 99), (1, "person", [1]), (1, "at", "x"), (1, "at", float("nan")),
    (2, "gap", 99), (2, "document", 99), (2, "document", "1"), (2, "kind", "drop"),
    (2, "kind", "decide"),
]  # fmt: skip
"""What an event may not have."""


def damaged(text):
    """Logs that are none, with the line that is at fault, if it is one."""
    head, *events = lines = text.splitlines()
    for bad in ("", "\n", "{}", "[]", "hello", text[: len(head) // 2]):
        yield bad, ":1"
    for where, values in HEADERS.items():
        yield from ((changed(lines, 0, where, value), ":1") for value in values)
    for at, where, value in LINES:
        yield changed(lines, at + 1, where, value), f":{at + 2}"
    yield text + "\n\n", f":{len(lines) + 1}"
    yield text[:-20], f":{len(lines)}"
    yield "\n".join([head, *events[4:]]), ":5"
    yield "\n".join([head, events[0], events[0]]), ":3"
    for bad in ("[]", "7", "[" * 100_000):
        yield f"{head}\n{bad}", ":2"


def test_a_damaged_log_is_an_error_of_its_line_and_nothing_is_read(project, run, tmp_path):
    worked(project)
    project.add(Pinned("times", "a b c", "a b c", (0, 1, 2), (1, 2, 3)))
    text = "".join(log_lines(project))
    copy = Project.open(Store())
    copy.invite(MANAGER, is_manager=True)
    for bad, line in damaged(text):
        with pytest.raises(FormatError, match=f"a.jsonl{line}: "):
            parse_log(bad, "a.jsonl")
    record = parse_log(text)
    broken = replace(record, events=[(1, 0.0, event(sequence=2**70))])
    with pytest.raises(FormatError, match="cannot be restored"):
        restore_log(copy, broken)
    assert (copy.documents, copy.annotators, [*copy.store.log()]) == ({}, [], [])
    restore_log(copy, record)
    require_same(project.board, copy.board)
    copy.store.close()
    new, path = tmp_path / "new", tmp_path / "log.jsonl"
    new.mkdir()
    path.write_text('{"schema": "studio", "edition": 3, "documents": 7}\n')
    status, _, errors = run("studio", new, "--import", path, "--no-browser")
    assert (status, "log.jsonl:1: a bad header" in errors) == (1, True)
    assert list(new.iterdir()) == [], "a bad log makes no database"


def test_names_of_documents_are_safe_as_files(project):
    people = team(project, ("Anna",), {"first": "a b"})
    names = ["../../evil", "a/b", "a_b", "A_B", "..", "x" * 256, "C:\\x", "log"]
    for at, name in enumerate(names):
        project.add(words("a b c", name))
        assign_everyone(project)
        finish(project, people["Anna"][0], document=at + 2)
    found = [name for name in unzipped(archive(project)) if name.startswith("Anna/")]
    assert len({name.casefold() for name in found}) == len(names)
    for name in found:
        assert name.count("/") == 1
        assert ".." not in name.split("/")
        assert not set(name.partition("/")[2]) & set('\\:*?"<>|')


def test_a_file_that_has_changed_is_said(project, tmp_path):
    folder = tmp_path / "talks"
    folder.mkdir()
    (folder / "b.bin").write_bytes(bytes(100))
    (folder / "c.wav").write_bytes(b"RIFF")
    for text, notes in (
        ("One two three.", []),
        ("one two, three", []),
        ("One two four.", ["a.txt"]),
    ):
        project.sources.clear()
        (folder / "a.txt").write_text(f"{text}\n")
        first, *changed = reversed(add_folder(project, folder))
        assert "b.bin" in (changed or [first])[0]
        assert [note.partition(" ")[0] for note in ([first] if changed else [])] == notes
    assert project.pinned(1).words == "one two three"


def test_decisions_fill_in_what_all_agree_on(project):
    worked(project)
    assert result(project, 1) == {4: ".", 7: ""}


def test_files_of_one_name_are_said(tmp_path, project):
    (tmp_path / "talk.txt").write_text("it rained // we left")
    (tmp_path / "talk.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nit rained\n")
    (tmp_path / "studio.txt").write_text("a studio is a document, too")
    notes = add_folder(project, tmp_path)
    names = {each.name for each in project.documents.values()}
    assert {"talk", "studio"} <= names
    assert notes == ["talk.txt: a second document named 'talk' (the first is talk.srt); rename one"]
