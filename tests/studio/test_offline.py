"""`caesura studio import`, `export` and `status`: a project without a server."""

import json
from pathlib import Path

import pytest

from caesura.studio.adjudication import close, disputes
from caesura.studio.offline import opened
from support.published import v6
from support.studio_projects import event

V6 = v6()
WORDS = [f"w{at}" for at in range(V6["words"])]


@pytest.fixture
def files(tmp_path):
    """The three references of v6 as files of their own, one unit on each line."""
    for name, places in V6["references"].items():
        ends = set(places)
        text = "".join(f"{word}{chr(10) if at in ends else ' '}" for at, word in enumerate(WORDS))
        (tmp_path / f"{name}.txt").write_text(f"{text.rstrip()}\n")
    return [f"{name}={tmp_path / name}.txt" for name in V6["references"]]


def status_of(run, folder):
    status, out, error = run("studio", "status", folder, "-f", "json")
    assert status == 0, error
    return json.loads(out)


@pytest.mark.slow
def test_the_papers_references_are_imported_adjudicated_and_exported(run, files, tmp_path):
    """v6 of the WiSeBE paper: three files become layers, a further reference, and files again."""
    folder, out = tmp_path / "v6", tmp_path / "out"
    assert run("studio", "import", folder, *files, "--blind")[0] == 0
    found = status_of(run, folder)
    rounded = [round(found["agreement"][key], 3) for key in ("rgar", "fleiss_kappa")]
    assert (rounded, found["agreement"]["documents"]) == ([0.541, 0.63], 1)
    assert [each["next"] for each in found["documents"]] == ["adjudicate"]
    _, told, _ = run("studio", "status", folder)
    assert ("0.541" in told, "adjudicate" in told) == (True, True)
    with opened(folder) as project:
        manager = project.manager
        for at, gap in enumerate(disputes(project, 1)):
            project.take(manager, [event("m", at, 1, "decide", gap, "majority")])
        close(project, manager, 1)
    assert run("studio", "export", folder, out)[0] == 0
    folders = [out / name for name in V6["references"]]
    status, text, _ = run("agreement", *folders, "--missing", "vary", "--confidence", "-f", "json")
    exported = json.loads(text)["agreement"]
    figures = status_of(run, folder)["agreement"]
    for key in ("rgar", "krippendorff_alpha"):
        assert figures[key] == exported[key]
    assert figures["confidence"]["rgar"] == exported["confidence"]["micro"]["rgar"]
    references = [f"--ref={each}" for each in folders]
    status, text, error = run("transcript", f"S={out / 'adjudicated'}", *references, "-f", "json")
    assert status == 0, error
    assert json.loads(text)["systems"][0]["micro"]["consensus_f1"] == 1


@pytest.mark.slow
def test_what_is_not_stated_to_be_blind_does_not_count(run, files, tmp_path):
    folder = tmp_path / "v6"
    status, _, error = run("studio", "import", folder, *files)
    assert (status, "--blind states" in error) == (0, True)
    found = status_of(run, folder)
    assert found["agreement"]["rgar"] is None
    assert found["left_out"] == {"imported without a statement": 3}
    assert {each["state"] for each in found["documents"][0]["people"]} == {"finished"}
    assert run("studio", "import", folder, files[0], "--blind")[0] == 0
    (document,) = status_of(run, folder)["documents"]
    assert [each["pass"] for each in document["people"] if each["name"] == "ref1"] == [1, 2]
    assert run("studio", "export", folder, tmp_path / "out")[0] == 0
    assert (tmp_path / "out" / "ref1" / "v6.jsonl").is_file()
    assert (tmp_path / "out" / "aside" / "not blind" / "ref2" / "v6.jsonl").is_file()


def test_folders_are_matched_by_document(run, tmp_path):
    for name, documents in {"anna": "ab", "ben": "bc"}.items():
        (tmp_path / name).mkdir()
        for each in documents:
            (tmp_path / name / f"{each}.txt").write_text("it rained\nwe left\n")
    folder = tmp_path / "talks"
    named = [f"Anna={tmp_path / 'anna'}", f"Ben={tmp_path / 'ben'}"]
    assert run("studio", "import", folder, *named, "--blind")[0] == 0
    found = status_of(run, folder)
    assert [(each["name"], len(each["people"])) for each in found["documents"]] == [
        ("a", 1), ("b", 2), ("c", 1),
    ]  # fmt: skip
    assert found["agreement"]["documents"] == 1


def test_what_cannot_be_imported_changes_nothing(run, tmp_path):
    (tmp_path / "a.txt").write_text("it rained\nwe left\n")
    (tmp_path / "b.txt").write_text("it snowed\nwe left\n")
    folder, a, b = tmp_path / "talks", tmp_path / "a.txt", tmp_path / "b.txt"
    for layers, problem in (
        ([a], "whose is"),
        ([f"Anna={a}", f"Ben={b}"], "rained"),
        ([f"manager={a}"], "no annotator"),
        ([f"adjudicated={a}"], "export calls"),
        ([f"Anna={tmp_path / 'no.txt'}"], "no.txt"),
    ):
        status, _, error = run("studio", "import", folder, *layers, "--blind")
        assert status in (1, 2)
        assert error.startswith("error: ")
        assert problem in error
        assert len(error.splitlines()) == 1
    if folder.exists():
        assert status_of(run, folder)["documents"] == []


def test_a_folder_without_a_project_is_left_alone(run, tmp_path):
    for command in (("status", tmp_path), ("export", tmp_path, tmp_path / "out")):
        status, _, error = run("studio", *command)
        assert (status, "there is no project" in error) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_named_like_a_command_is_written_with_its_place(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("status").mkdir()
    (tmp_path / "status" / "a.txt").write_text("it rained\n")
    seen = []
    monkeypatch.setattr("caesura.studio.launch.serve", lambda project, *_: seen.append(project))
    assert run("studio", "./status", "--no-browser")[0] == 0
    assert len(seen[0].documents) == 1
