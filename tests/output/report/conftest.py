"""Pages of several kinds, and a browser that has no network to look at them."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from support.paths import SAMPLE
from support.patience import PATIENCE
from support.report_pages import caesura, transcript
from support.speech_corpora import PHONES, WORDS, classes

FRAMES = """async () => {
  for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
}"""


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """A page of each kind, by name."""
    place = tmp_path_factory.mktemp("pages")
    ours = [SAMPLE / f"{name}.txt" for name in ("rules", "neural")]
    refs = [part for n in (1, 2, 3) for part in ("--ref", SAMPLE / f"ann{n}.txt")]
    quiet = "-q", "-o", place / "out"
    caesura("transcript", *ours, *refs, *quiet, "--html", place / "one.html",
            "--rows", place / "rows.jsonl")  # fmt: skip
    caesura("report", place / "rows.jsonl", "-o", place / "bare.html")
    caesura("agreement", *refs[1::2], *quiet, "--html", place / "people.html")
    for at, name in enumerate(("anna", "ben", "carla", "one", "two", "three")):
        (place / name).mkdir()
        for document in range(1, 13):
            text = transcript(100 * at + document, 80 + document, 0.1 + at / 50)
            (place / name / f"talk{document}.txt").write_text(text)
    sides = [place / name for name in ("one", "two", "three")]
    people = [part for name in ("anna", "ben", "carla") for part in ("--ref", place / name)]
    caesura("transcript", *sides, *people, *quiet, "--html", place / "many.html")
    _heard(place, quiet)
    gold = "Mr. Ames did n't call .\nHe did n't .\nWe left .\nSo did they .\n"
    ours = "Mr.\nAmes didn't call .\nHe didn't .\nWe left . So did they .\n"
    for name, text in (("gold", gold), ("tool", ours), ("other", gold)):
        (place / f"{name}.txt").write_text(text)
    caesura("text", place / "tool.txt", place / "other.txt", "--gold", place / "gold.txt", *quiet,
            "--html", place / "text.html")  # fmt: skip
    _terms(place, quiet)
    _trees(place, quiet)
    _sentences(place, quiet)
    return place


HEARD = {
    "said": ("A very short tale. We don't know it, uh, at all. It ends here.", "So it ends."),
    "sharp": ("a fairy short tale. we do not know it at all. it ends here.", "so it ends."),
    "dull": ("Well a very tale. we don't it at all uh so it ends", "so ends"),
}
"""What was said in two documents, and what two recognisers heard."""


def _heard(place, quiet):
    for name, texts in HEARD.items():
        (place / name).mkdir()
        for at, text in enumerate(texts):
            (place / name / f"tale{at + 1}.txt").write_text(text)
    caesura("transcript", place / "sharp", place / "dull", "--ref", place / "said", "--align",
            "--normalize", "contractions,fillers", *quiet, "--html", place / "heard.html",
            "--rows", place / "heard.jsonl", "--with-text")  # fmt: skip
    caesura("report", place / "heard.jsonl", "-o", place / "heard_again.html")


def _terms(place, quiet):
    found = classes("f1 .5 .7, f1 1.5 1.7, f1 .7 .85", "f2 .2 .4")
    for name, text in (("p.phn", PHONES), ("w.wrd", WORDS), ("c.class", found)):
        (place / name).write_text(text)
    (place / "d.class").write_text(classes("f1 .5 .7, f2 .2 .4"))
    gold = "--phones", place / "p.phn", "--words", place / "w.wrd"
    caesura("terms", place / "c.class", place / "d.class", *gold, *quiet, "--html",
            place / "terms.html")  # fmt: skip


GOLD_TREES = """\
(TOP (S (NP (DT The) (JJ old) (NN harbour)) (VP (VBD slept) (PP (IN in) (NP (NN rain)))) (. .)))
(TOP (S (NP (PRP We)) (VP (VBD left)) (. .)))
(TOP (S (NP (PRP They)) (VP (VBD did) (RB n't)) (. .)))
(TOP (S (NP (PRP It)) (VP (VBD rained)) (. .)))
"""
TREES = """\
(TOP (S (NP (DT The) (JJ old) (NN harbour)) (VP (NN slept)) (PP (IN in) (NP (NN rain))) (. .)))
(TOP (S (S (NP (PRP We)) (VP (VBD left)) (. .)) (NP (PRP They)) (VP (VBD didn't)) (. .)))
(TOP (S (ADVP (PRP It)) (VP (VBD rained)) (. .)))
"""
"""Trees, and those of a system that attaches, joins and labels otherwise."""


def _trees(place, quiet):
    for name, text in (("gold", GOLD_TREES), ("parser", TREES), ("oracle", GOLD_TREES)):
        (place / f"{name}.mrg").write_text(text)
    caesura("trees", place / "parser.mrg", place / "oracle.mrg", "--gold", place / "gold.mrg",
            *quiet, "--html", place / "trees.html")  # fmt: skip


SEGMENTS = {
    "spoken": (
        "Good morning, everyone.\nIt is fast, and it does not stop.\nThank you!",
        "We left early.\nSo did they.",
    ),
    "asr": (
        "good morning everyone it is so fast and it doesn't stop thank",
        "we left early so did they all",
    ),
    "other": ("Good morning, everyone.\nIt is fast, and it does stop.\nThank you!",
              "We left early. So did they."),
}  # fmt: skip
"""Segments of two documents, and what two systems have there."""


def _sentences(place, quiet):
    for name, texts in SEGMENTS.items():
        (place / "segments" / name).mkdir(parents=True)
        for document, text in zip("ab", texts, strict=True):
            (place / "segments" / name / f"{document}.txt").write_text(text)
    ours = [place / "segments" / name for name in ("asr", "other")]
    caesura("sentences", *ours, "--ref", place / "segments" / "spoken", "--metrics", "none", *quiet,
            "--html", place / "sentences.html")  # fmt: skip


@dataclass
class Sheet:
    """A page that is open, and all it asked for or complained of."""

    page: object
    asked: list
    said: list
    failed: dict

    def texts(self, selector):
        return self.page.locator(selector).all_inner_texts()

    def press(self, key):
        self.page.keyboard.press(key)

    def until(self, is_so):
        """Wait for what the browser tells whenever it likes."""
        for _ in range(PATIENCE // 20):
            if is_so():
                return
            self.page.wait_for_timeout(20)

    def settle(self):
        """Wait until what was asked for is drawn: a few frames."""
        self.page.evaluate(FRAMES)


@pytest.fixture
def opened(browser, pages):
    """Open a page by its name or path, at a width, in a theme; nothing may go wrong on it."""
    sheets = []

    def open_page(name, *, width=1280, height=900, theme="light", patience=PATIENCE, **how):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, offline=True, **how
        )
        context.set_default_timeout(patience)
        page = context.new_page()
        sheet = Sheet(page, [], [], {})
        page.on("request", lambda request: sheet.asked.append(request.url))
        page.on("requestfailed", lambda each: sheet.failed.update({each.url: each.failure}))
        page.on("console", lambda message: sheet.said.append(message.text))
        page.on("pageerror", lambda problem: sheet.said.append(str(problem)))
        page.on("dialog", lambda dialog: sheet.said.append(dialog.message))
        path = name if isinstance(name, Path) else pages / f"{name}.html"
        page.goto(path.as_uri())
        page.wait_for_selector("main section")
        sheets.append((context, sheet))
        return sheet

    yield open_page
    for context, sheet in sheets:
        complaints, asked = list(sheet.said), [u for u in sheet.asked if not u.startswith("blob:")]
        context.close()
        assert complaints == []
        assert len(asked) == 1, asked
