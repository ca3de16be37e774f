"""What a manager adds and arranges: files, sound, layers made elsewhere, orders and passes."""

import base64
import json

import pytest

from caesura.core import word_finders
from caesura.errors import FormatError, UsageError
from caesura.studio import views
from caesura.studio.agreement import LiveAgreement, self_agreement
from caesura.studio.events import MANAGER
from caesura.studio.export import exported
from caesura.studio.files import add_folder, find_sounds, upload
from caesura.studio.imports import import_sent
from support.files import write
from support.studio_projects import WORDS, act, assign, event, finish, persons, sets, team, words

CHINESE = "今天天气很好。我们去公园吧。"
THAI = "วันนี้อากาศดีมาก เราไปสวนสาธารณะกันเถอะ"
CTM = "a 1 0 1 so\na 1 1 1 it\nb 1 0 1 other\nb 1 1 1 words\n"


def names(project):
    return [each.name for each in project.documents.values()]


def files(**layers):
    """Files of people as a page sends them."""
    return [
        {"name": name, "file": file, "data": base64.b64encode(text.encode()).decode()}
        for name, own in layers.items()
        for file, text in own.items()
    ]


def lines(*ends, text=WORDS):
    """A file with a unit on each line, which ends after some words."""
    own = enumerate(text.split(" "))
    return "".join(f"{word}{chr(10) if at in ends else ' '}" for at, word in own)


class TestWords:
    @pytest.mark.slow
    def test_words_without_spaces_are_found(self, project, tmp_path):
        pytest.importorskip("icu")
        for name, text in {"zh": CHINESE, "th": THAI, "en": "so it rained"}.items():
            (tmp_path / f"{name}.txt").write_text(text)
        (tmp_path / "apart.txt").write_text("今天 天气 很 好 。\n我们 去 公园 吧")
        project.tokens = "words"
        problems = add_folder(project, tmp_path)
        found = {each.name: project.pinned(each.id).words for each in project.documents.values()}
        assert found["zh"] == "今天 天气 很好 我们 去 公园 吧"
        assert found["apart"] == "今天 天气 很 好 我们 去 公园 吧"
        assert found["th"].split()[-2:] == ["กัน", "เถอะ"]
        assert found["en"] == "so it rained"
        assert [each.partition(":")[0] for each in problems] == ["apart.txt", "th.txt", "zh.txt"]
        assert "its 7 words" in problems[2]

    @pytest.mark.slow
    def test_chinese_words_are_found_by_jieba_alone(self, project, tmp_path, monkeypatch):
        pytest.importorskip("jieba")
        found = word_finders._module
        monkeypatch.setattr(
            word_finders, "_module", lambda name: found(name) if name != "icu" else None
        )
        (tmp_path / "zh.txt").write_text(CHINESE)
        (tmp_path / "th.txt").write_text(THAI)
        project.tokens = "words"
        problems = add_folder(project, tmp_path)
        assert names(project) == ["zh"]
        assert "pip install pyicu-wheels, or give" in problems[0]
        assert "公园" in project.pinned(1).words.split(" ")

    def test_without_a_dictionary_it_is_an_error_with_a_cure(self, project, monkeypatch):
        monkeypatch.setattr(word_finders, "_module", lambda name: None)
        project.tokens = "words"
        with pytest.raises(UsageError, match="pip install pyicu-wheels"):
            upload(project, "zh.txt", CHINESE.encode())
        assert not project.documents
        upload(project, "apart.txt", "今天 天气 很 好".encode())
        assert project.documents[1].length == 4

    @pytest.mark.slow
    def test_layers_and_exports_of_words(self, project, run, tmp_path):
        """Files without spaces fit the words of a document, and the export gives its numbers."""
        people = team(project, (), {"en": "a b"})
        project.add(words("今天 天气 很好 我们 去 公园 吧", "zh"))
        given = files(Anna={"zh.txt": CHINESE}, Ben={"zh.txt": "今天天气\n很好我们去公园吧"})
        by = people[MANAGER][0]
        import_sent(project, by, {"layers": given, "blind": True, "add": True})
        found = {name: [*each.boundaries()] for name, each in project.counted(2).items()}
        assert found == {"Anna": [2], "Ben": [1]}
        inside = files(Anna={"zh.txt": "今天天\n气很好我们去公园吧"})
        with pytest.raises(FormatError, match=r"zh\.txt: a boundary inside of '天气'"):
            import_sent(project, by, {"layers": inside, "blind": True, "add": True})
        live = views.agreement(project, LiveAgreement(project))["summary"]["agreement"]
        folder = tmp_path / "out"
        write(folder, dict(exported(project)))
        asked = ("--tokens", "words", "--missing", "vary", "--confidence", "-f", "json")
        _, out, _ = run("agreement", folder / "Anna", folder / "Ben", *asked)
        assert json.loads(out)["agreement"]["fleiss_kappa"] == live["fleiss_kappa"]


class TestUploads:
    def test_documents_of_a_file_are_added_together_or_not_at_all(self, project):
        team(project, (), {"b": "not the same"})
        with pytest.raises(UsageError, match="a document 'b' with other words; rename"):
            upload(project, "talks.ctm", CTM.encode())
        assert names(project) == ["b"]
        found = upload(project, "talks.ctm", CTM.replace("b 1", "c 1").encode())
        assert ([each.name for each in found.documents], found.added) == (["a", "c"], 2)
        assert upload(project, "a.txt", b"so it").added == 0

    @pytest.mark.slow
    def test_sound_is_kept_by_the_number_of_its_document(self, studio, tmp_path):
        project, manager = studio.project, studio("manager")
        find_sounds(project, tmp_path)

        def send(name, data=b"RIFF" + bytes(300)):
            return manager.post("/api/upload", params={"name": name}, content=data)

        assert send("talk.wav").json() == {
            "documents": [], "added": 0, "sound": True, "notes": [],
        }  # fmt: skip
        assert studio("Anna").get("/audio/1").content[:4] == b"RIFF"
        assert send("talk.ogg", b"OggS").status_code == 201
        for name, said in {
            "other.mp3": "add its transcript first", "../../talk.exe.mp3": "there is no document",
        }.items():  # fmt: skip
            found = send(name)
            assert (found.status_code, said in found.json()["error"]) == (400, True)
        assert "no sound in it" in send("talk.mp3", b"<html>").json()["error"]
        assert [path.name for path in (tmp_path / "studio.audio").iterdir()] == ["1.ogg"]
        project.audio.clear()
        find_sounds(project, tmp_path)
        assert project.audio == {"talk": tmp_path / "studio.audio" / "1.ogg"}

    def test_too_much_sound_leaves_nothing(self, studio, tmp_path, monkeypatch):
        monkeypatch.setattr("caesura.studio.app.LARGEST_SOUND", 1 << 16)
        find_sounds(studio.project, tmp_path)
        page = studio("manager")
        for data in (b"RIFF" + bytes(1 << 17), (bytes(1 << 12) for _ in range(40))):
            found = page.post("/api/upload", params={"name": "talk.wav"}, content=data)
            assert found.status_code == 413
        assert list((tmp_path / "studio.audio").iterdir()) == []
        assert studio.project.audio == {}


class TestLayers:
    def test_one_file_of_each_is_a_document_of_the_same_words(self, project):
        """The WiSeBE case: three files with names of their own, and a document that is new."""
        by = team(project, (), {"talk": WORDS})[MANAGER][0]
        three = files(A={"ann1.txt": lines(2)}, B={"ann2.txt": lines(4)}, C={"x.txt": lines(2)})
        import_sent(project, by, {"layers": three, "blind": True, "add": True})
        assert names(project) == ["talk"]
        assert len(project.counted(1)) == 3
        other = files(A={"ann1.txt": "a b\nc"}, B={"ann2.txt": "a\nb c"})
        import_sent(project, by, {"layers": other, "blind": False, "add": True})
        assert names(project) == ["talk", "project"]
        assert project.counted(2) == {}

    @pytest.mark.parametrize(
        ("layers", "said"),
        [
            (files(Anna={"talk.txt": "other words"}), "differ"),
            (files(manager={"talk.txt": WORDS}), "manager is no annotator"),
            (files(Dora={"new.txt": "a b", "talk.txt": "a b"}), "words"),
            (files(**{"../x": {"talk.txt": WORDS}}), "cannot be a name"),
            (files(Dora={"a/talk.txt": WORDS, "b/talk.txt": WORDS}), "a second version"),
            ([{"name": "Anna", "file": "talk.txt", "data": "%"}], "base64"),
            ([{"name": "Anna"}], "name, file and data"),
            ([], "give a list"),
        ],
    )
    @pytest.mark.slow
    def test_nothing_is_added_of_what_is_refused(self, studio, layers, said):
        page, before = studio("manager"), len(list(studio.project.store.log()))
        found = page.post("/api/layers", json={"layers": layers, "blind": True, "add": True})
        assert (found.status_code, said in found.json()["error"]) == (400, True), found.text
        assert len(list(studio.project.store.log())) == before
        assert (len(studio.project.documents), len(studio.project.people)) == (1, 4)

    def test_what_is_undone_in_an_imported_layer_is_as_it_was(self, project):
        people = team(project, ("Anna",), assigned=False)
        anna = people["Anna"][0]
        project.do(people[MANAGER][0], act("marks", is_on=True))
        given = {"layers": files(Anna={"talk.txt": lines(2, 7)}), "blind": True}
        import_sent(project, people[MANAGER][0], given)
        project.take(anna, [event("a", 0, gap=2, value=None), event("a", 1, gap=3, value="?")])
        assert views.past(project, anna, 1)["steps"] == [
            {"kind": "set", "gap": 2, "value": None, "before": ""},
            {"kind": "set", "gap": 3, "value": "?", "before": None},
        ]


class TestOrder:
    def test_documents_come_as_the_manager_says(self, project):
        texts = {f"d{at}": "a b c d" for at in range(8)}
        people = persons(project, ("Anna", "Ben"), texts)

        def queue(name):
            return [each["id"] for each in views.documents(project, people[name])]

        def arrange(how):
            project.do(people[MANAGER], act("arrange", how=how))

        project.do(people[MANAGER], act("order", documents=[3, 1]))
        assert queue("Anna") == [3, 1, 2, 4, 5, 6, 7, 8]
        arrange("random")
        drawn = queue("Anna")
        assert (sorted(drawn), queue("Anna")) == (sorted(queue("Ben")), drawn)
        assert drawn != queue("Ben")
        arrange("listed")
        assert queue("Anna") == [3, 1, 2, 4, 5, 6, 7, 8]

    def test_another_pass_gives_agreement_with_oneself(self, project):
        people = team(project, ("Anna", "Ben"))
        anna, manager = people["Anna"][0], people[MANAGER][0]
        project.take(anna, sets("a", [2, 4, 7]))
        finish(project, anna)
        assert self_agreement(project) == []
        project.do(manager, assign(anna.id, number=2))
        (listed,) = views.documents(project, anna)
        assert (listed["pass"], listed["boundaries"], listed["state"]) == (2, 0, "assigned")
        project.take(anna, sets("a2", [2, 7]))
        finish(project, anna, tab="second")
        (found,) = self_agreement(project)
        assert (found["name"], found["documents"], found["f1"]) == ("Anna", 1, 0.8)
        assert project.counted(1)["Anna"].boundaries().keys() == {2, 4, 7}
