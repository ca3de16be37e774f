"""Pages of several kinds, and a browser that has no network to look at them."""

from contextlib import ExitStack, chdir

import pytest

from support.files import write
from support.paths import SAMPLE
from support.report_pages import caesura, open_page, transcript
from support.speech_corpora import PHONES, WORDS, classes

SAID = "A very short tale. We don't know it, uh, at all. It ends here."
SHARP = "a fairy short tale. we do not know it at all. it ends here."
DULL = "Well a very tale. we don't it at all uh so it ends"
SPOKEN = "Good morning, everyone.\nIt is fast, and it does not stop.\nThank you!"
GOLD_LINES = "Mr. Ames did n't call .\nHe did n't .\nWe left .\nSo did they .\n"
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
"""Trees of a system that attaches, joins and labels otherwise."""
END = "REQUIRED|||-NONE-|||0"
GOLD_EDITS = (
    f"S He like cats .\nA 1 2|||R:VERB|||likes|||{END}\n\n"
    f"S She like <b>dogs</b> .\nA 1 2|||R:VERB|||likes|||{END}\n\n"
    f"S I am agree\nA 1 2|||U:VERB||||||{END}\nA 3 3|||M:PUNCT|||.|||{END}\n"
)
EDITS = (
    "S He like cats . She like <b>dogs</b> .\n\n"
    f"S I am agree\nA 2 3|||R:OTHER|||agreed|||{END}\nA 3 3|||M:PUNCT|||.|||{END}\n"
)
PAGES = {
    "heard": (
        {
            "said/tale1.txt": SAID, "said/tale2.txt": "So it ends.",
            "sharp/tale1.txt": SHARP, "sharp/tale2.txt": "so it ends.",
            "dull/tale1.txt": DULL, "dull/tale2.txt": "so ends",
        },
        "transcript sharp dull --ref said --align --normalize contractions,fillers"
        " --rows heard.jsonl --with-text",
    ),
    "text": (
        {
            "gold.txt": GOLD_LINES, "other.txt": GOLD_LINES,
            "tool.txt": "Mr.\nAmes didn't call .\nHe didn't .\nWe left . So did they .\n",
        },
        "text tool.txt other.txt --gold gold.txt",
    ),
    "terms": (
        {
            "p.phn": PHONES, "w.wrd": WORDS, "d.class": classes("f1 .5 .7, f2 .2 .4"),
            "c.class": classes("f1 .5 .7, f1 1.5 1.7, f1 .7 .85", "f2 .2 .4"),
        },
        "terms c.class d.class --phones p.phn --words w.wrd",
    ),
    "trees": (
        {"gold.mrg": GOLD_TREES, "parser.mrg": TREES, "oracle.mrg": GOLD_TREES},
        "trees parser.mrg oracle.mrg --gold gold.mrg",
    ),
    "sentences": (
        {
            "spoken/a.txt": SPOKEN,
            "spoken/b.txt": "We left early.\nSo did they.",
            "asr/a.txt": "good morning everyone it is so fast and it doesn't stop thank",
            "asr/b.txt": "we left early so did they all",
            "heard/a.txt": SPOKEN.replace("not ", ""),
            "heard/b.txt": "We left early. So did they.",
        },
        "sentences asr other=heard --ref spoken --metrics none",
    ),
    "corrections": (
        {"gold.m2": GOLD_EDITS, "ours.m2": EDITS, "oracle.m2": GOLD_EDITS},
        "corrections ours.m2 oracle.m2 --gold gold.m2",
    ),
    "tune": (
        {
            f"{who}/{document}": text
            for document in ("air.lab", "jig.lab")
            for who, text in {
                "anna": "0 10 Intro\n10 30 Verse\n30 60 Chorus\n",
                "ben": "0 10.2 Intro\n10.2 45 Verse\n45 60 Verse\n",
                "ours": "0 10.1 A\n10.1 20 B\n20 30.3 A\n30.3 60 C\n",
            }.items()
        },
        "transcript ours --ref anna --ref ben --axis time --rows tune.jsonl --with-text",
    ),
}  # fmt: skip
"""The files and the command of each page, by its name."""


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """A folder with a page of each kind."""
    place = tmp_path_factory.mktemp("pages")
    ours = [SAMPLE / f"{name}.txt" for name in ("rules", "neural")]
    refs = [part for n in (1, 2, 3) for part in ("--ref", SAMPLE / f"ann{n}.txt")]
    many = {
        f"{name}/talk{document}.txt": transcript(100 * at + document, 80 + document, 0.1 + at / 50)
        for at, name in enumerate(("anna", "ben", "carla", "one", "two", "three"))
        for document in range(1, 13)
    }
    command = "transcript one two three --ref anna --ref ben --ref carla"
    for name, (files, line) in {**PAGES, "many": (many, command)}.items():
        write(place / name, files)
        with chdir(place / name):
            caesura(*line.split(), "-q", "--html", place / f"{name}.html")
    with chdir(place):
        caesura("transcript", *ours, *refs, "-q", "--html", "one.html", "--rows", "rows.jsonl")
        caesura("agreement", *refs[1::2], "-q", "--html", "people.html")
        caesura("report", "rows.jsonl", "-o", "bare.html")
    return place


@pytest.fixture
def opened(browser, pages):
    """Open a page by its name or path; nothing may go wrong on it."""
    with ExitStack() as stack:

        def open_one(name, **how):
            path = pages / f"{name}.html" if isinstance(name, str) else name
            return stack.enter_context(open_page(browser, path, **how))

        yield open_one


@pytest.fixture
def made(opened, tmp_path):
    """Open the page of a command on files that are written for it."""

    def make(files, command, **how):
        write(tmp_path, files)
        with chdir(tmp_path):
            caesura(*command.split(), "-q", "--html", "p.html")
        return opened(tmp_path / "p.html", **how)

    return make
