"""Four documents from the folder to the figures: Arabic, Chinese, subtitles, speech with sound."""

import json
import zipfile
from pathlib import Path

import pytest

from caesura.output.tables import shown
from caesura.studio.files import add_folder
from support.studio_page import CLOCK, listen, press, saved, says, shows, silence

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning"), pytest.mark.slow]

ARABIC = "في يوم من الأيام جاء رجل إلى الجسر القديم كان الوقت متأخرا والمطر يهطل فعاد إلى بيته ونام"
CHINESE = "我们昨天下午去了河边天气很好水也很清我们坐在石头上吃了午饭然后慢慢走回家"
SPOKEN = "well we came to the bridge by accident it was late and so we left it there"
SUBTITLES = """WEBVTT

00:00.000 --> 00:07.000
Yes, I did. They look fine to me. Are you sure about it? I think so.

00:09.000 --> 00:12.000
Well, let us go then.
"""


@pytest.fixture
def texts(tmp_path):
    """A folder of four documents, one of them with sound."""
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "arabic.txt").write_text(ARABIC, encoding="utf-8")
    (folder / "chinese.txt").write_text(CHINESE, encoding="utf-8")
    (folder / "subtitles.vtt").write_text(SUBTITLES)
    heard = [{"word": word, "start": float(at), "end": at + (0.4 if at == 7 else 0.9)}
             for at, word in enumerate(SPOKEN.split())]  # fmt: skip
    whole = {"text": SPOKEN, "segments": [{"start": 0, "end": 16, "text": SPOKEN, "words": heard}]}
    (folder / "tale.json").write_text(json.dumps(whole))
    silence(folder)
    return folder


def annotate(page, forward, gaps):
    """Set boundaries after some words, and finish."""
    press(page, "Control+Home")
    for before, gap in zip((0, *gaps), gaps, strict=False):
        press(page, *[forward] * (gap - before), ".")
    saved(page)
    press(page, "f", "Enter")


def work(studio, who, gaps):
    """Do the four documents one after the other, the last by ear."""
    page = studio.open(who, script=CLOCK)
    page.get_by_role("button", name="Begin").click()
    keys = {"arabic": "ArrowLeft", "chinese": "ArrowRight", "subtitles": "ArrowRight"}
    for name, forward in keys.items():
        page.wait_for_selector(f"h1:has-text('{name}')")
        page.wait_for_selector(".text-pane:focus")
        press(page, "]")
        says(page, "No pause further on")
        annotate(page, forward, gaps[name])
        page.get_by_role("button", name="Next document").wait_for()
        studio.go(page, page.evaluate("location.hash.slice(1)"))
        press(page, "Enter")
    page.wait_for_selector("h1:has-text('tale')")
    page.wait_for_selector(".text-pane:focus")
    press(page, "k")
    for gap in gaps["tale"]:
        listen(page, gap + 1.2)
        shows(page, ".w.heard", SPOKEN.split()[gap + 1])
        press(page, "Space")
    press(page, "k")
    saved(page)
    press(page, "f", "Enter")
    page.wait_for_selector(".lead:has-text('finished')")
    return page


def adjudicate(studio, page, document):
    studio.go(page, f"/adjudicate/{document}")
    is_right_to_left = page.locator(".text-pane").get_attribute("dir") == "rtl"
    assert is_right_to_left == (document == 1), "Arabic goes on to the left"
    while page.locator(".g.open").count():
        press(page, "n", ".")
    saved(page)
    press(page, "f", "Enter")
    page.wait_for_selector("text=closed by manager")


def exported(page, folder):
    page.get_by_role("button", name="Export…").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        archive.extractall(folder)
    return folder


ANNA = {"arabic": [8, 11], "chinese": [8, 12], "subtitles": [2, 7, 12], "tale": [7, 10]}
BEN = {"arabic": [8, 13], "chinese": [8, 16], "subtitles": [2, 12, 15], "tale": [7]}


def test_four_documents_from_the_folder_to_the_figures(serve, project, run, texts, tmp_path):
    problems = add_folder(project, texts)
    assert [each for each in problems if "a script without spaces" in each]
    studio = serve({}).marked()
    ids = {each.name: each.id for each in project.documents.values()}
    assert list(ids) == ["arabic", "chinese", "subtitles", "tale"]
    for who, gaps in (("Anna", ANNA), ("Ben", BEN)):
        page = work(studio, who, gaps)
        assert {name: sorted(studio.codes(who, at)) for name, at in ids.items()} == gaps
        page.context.close()
    page = studio.open("manager")
    for document in ids.values():
        adjudicate(studio, page, document)
    studio.go(page, "/agreement")
    page.wait_for_selector(".figures dd")
    read = page.locator(".figures dd:not(.span)").all_inner_texts()[:2]
    studio.go(page, "/")
    out = exported(page, tmp_path / "out")
    people = [out / "Anna", out / "Ben"]
    _, text, _ = run("agreement", *people, "--missing", "vary", "-f", "json")
    found = json.loads(text)["agreement"]
    assert read == [shown(found[key]) for key in ("rgar", "fleiss_kappa")]
    status, text, error = run(
        "transcript", out / "adjudicated", *(f"--ref={each}" for each in people), "-f", "json"
    )
    assert status == 0, error
    assert json.loads(text)["systems"][0]["micro"]["candidates"] == 12
    assert {each.stem for each in Path(out / "adjudicated").iterdir()} >= set(ids)
