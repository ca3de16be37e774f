"""Write a gallery of report pages: one for each task and profile, and a page that links to them.

`scripts/gallery FOLDER` runs it. The samples are small and made up; what they show is the page.
"""

import sys
from html import escape
from pathlib import Path
from typing import Any

from caesura.api.evaluate import evaluate
from caesura.communities import PROFILES
from caesura.tasks import TASKS

FILES = {
    "near.txt": "Mr. Ames did n't call .\nWe left at noon .\nIt rained .\n",
    "far.txt": "Mr.\nAmes did not call .\nWe left at noon . It rained .\n",
    "near.mrg": "(S (NP (D the) (N dog)) (VP (V barks)))\n(S (NP (N rain)) (VP (V falls)))\n",
    "far.mrg": "(S (NP (D the)) (N dog) (VP (V barks)))\n(S (N rain) (VP (V falls)))\n",
    "near.m2": "S He go home now\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n",
    "far.m2": "S He go home now\nA 1 2|||R:VERB|||went|||REQUIRED|||-NONE-|||0\n",
    "gold.phn": "f1 0 .5 SIL\nf1 .5 .6 a\nf1 .6 .7 b\nf1 .7 .9 c\nf1 1 1.1 a\nf1 1.1 1.2 b\n",
    "gold.wrd": "f1 .5 .7 ab\nf1 .7 .9 c\nf1 1 1.2 ab\n",
    "found.class": "Class 0\nf1 .5 .7\nf1 1 1.2\n\nClass 1\nf1 .6 .9\n",
    "near.zh": "我们 在 北京大学 读 书\n他 来 了\n",
    "far.zh": "我们 在 北京 大学 读书\n他 来 了\n",
    "near.masses": "2 3 6\n4 4\n",
    "far.masses": "2 2 7\n5 3\n",
    "near.breaks": "we left <eol> at noon <eob>\nit rained <eob>\n",
    "far.breaks": "we left at <eol> noon <eob>\nit rained <eob>\n",
    "near.tsv": "dogs\tdog @@s\nwalked\twalk @@ed\n",
    "far.tsv": "dogs\tdogs\nwalked\twalk @@ed\n",
}
GOLD = {
    "text": "txt", "trees": "mrg", "corrections": "m2", "sentences": "txt", "sighan": "zh",
    "topics": "masses", "subtitles": "breaks", "morphemes": "tsv",
}  # fmt: skip
"""The suffix of the sample of each task and profile that is scored against one gold."""
ANNOTATORS = ["@demo/ann1", "@demo/ann2", "@demo/ann3"]


def calls(folder: Path) -> dict[str, dict[str, Any]]:
    """What `evaluate` is given, by task and profile."""
    made: dict[str, dict[str, Any]] = {
        "transcript": {"systems": ["@demo/rules", "@demo/neural"], "references": ANNOTATORS},
        "agreement": {"references": ANNOTATORS},
        "terms": {"systems": [str(folder / "found.class")], "phones": str(folder / "gold.phn"),
                  "words": str(folder / "gold.wrd")},
    }  # fmt: skip
    for name, suffix in GOLD.items():
        side = "references" if name == "sentences" else "gold"
        kind = "profile" if name in PROFILES else "task"
        ours, gold = (str(folder / f"{each}.{suffix}") for each in ("far", "near"))
        made[name] = {"systems": [f"ours={ours}"], kind: name, side: f"gold={gold}"}
    return made


def gallery(folder: Path) -> list[str]:
    """Write the pages, and return the names of those that there are."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = folder / "samples"
    samples.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (samples / name).write_text(text, encoding="utf-8")
    done = []
    for name, how in calls(samples).items():
        evaluate(reads=True, **how).html(str(folder / f"{name}.html"))
        done.append(name)
    links = "\n".join(
        f'<li><a href="{name}.html">{escape(name)}</a>: {escape(_about(name))}</li>'
        for name in done
    )
    head = "<!doctype html>\n<meta charset=utf-8>\n<title>caesura: reports</title>\n"
    page = f"{head}<ul>\n{links}\n</ul>\n"
    (folder / "index.html").write_text(page, encoding="utf-8")
    return done


def _about(name: str) -> str:
    return PROFILES[name].about if name in PROFILES else TASKS[name].help


if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "gallery")
    print(f"{len(gallery(place))} reports in {place / 'index.html'}")
