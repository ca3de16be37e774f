"""`caesura reproduce`: every published figure that is at hand, and what it says if one is off."""

import json
from pathlib import Path

import pytest

from caesura.published import tables
from caesura.published.tables import Paper, names
from caesura.sets.named_sets import checksum
from support.paths import ROOT
from support.published import ABOUT

pytestmark = pytest.mark.usefixtures("home")


def test_all_that_is_embedded(run):
    status, out, err = run("reproduce", "-q")
    assert (status, err) == (0, "")
    assert out.endswith("1,243 figures recomputed; every difference from print is explained.\n")
    assert "Table 4, from integers: 240 figures, 233 as published, 7 explained" in out


def test_both_figures_are_printed(run):
    out = run("reproduce", "wisebe")[1]
    assert ["v6/S1", "WiSeBE", "0.298", "0.298"] in map(str.split, out.splitlines())


def test_a_figure_that_is_off_is_an_error(run, home, monkeypatch):
    about = json.loads((tables.FOLDERS[0] / "wisebe.json").read_text())
    about["data"]["table5"]["WiSeBE"]["S1"][5] = 0.299
    about["tables"][2]["explained"]["v5/S1 ref3 F1"]["computed"] = "0.558"
    (home / "wisebe.json").write_text(json.dumps(about))
    monkeypatch.setattr(tables, "FOLDERS", (home,))
    status, out, err = run("reproduce", "-q")
    assert (status, err) == (1, "error: 3 figures of 509 not reproduced; see above\n")
    assert out.count("NOT EXPLAINED") == 3


def test_unknown_publications(run):
    assert run("reproduce", "wisbe")[2] == (
        "error: unknown published table 'wisbe'; did you mean wisebe?\n"
    )


@pytest.mark.parametrize("name", names())
def test_a_publication_says_where_its_figures_come_from(name):
    about = Paper(name).about
    assert about["source"]
    assert (ROOT / "docs" / f"{about['page']}.md").exists()
    for table in about["tables"]:
        assert "function" in table or set(table) >= {"evaluate", "columns", "rows", "sets"}


def described(name, files):
    """A set of one's own: files that are somewhere on this machine."""
    text = ABOUT
    for key, path in files.items():
        role = "reference" if key == "gold" else "system"
        text += f'\n[[files]]\nname = "{key}"\nrole = "{role}"\n'
        text += f'path = "{path}"\nsha256 = "{checksum(path)}"\n'
    Path("sets", f"{name}.toml").write_text(text)


def reproduced(run, name, figures):
    status, out, err = run("reproduce", name, "-q")
    assert status == 0, out + err
    assert f"{figures} figures recomputed" in out
    assert "left out" not in out


@pytest.mark.slow
def test_the_jp_paper(run, shared):
    folder = shared / "data" / "text"
    for name in ("partut", "ewt", "pronouns"):
        files = {"gold": folder / f"{name}.gold.conllu", "nltk": folder / f"{name}.nltk.txt"}
        described(f"ud-2.10-en-{name}", files)
    reproduced(run, "jp", 54)


@pytest.mark.slow
def test_sigmorphon(run, shared):
    folder = shared / "data" / "communities" / "sigmorphon"
    for kind in ("word", "sentence"):
        files = {"gold": folder / f"ces.{kind}.test.gold.tsv"}
        files |= {
            name: folder / f"ces.{kind}.{name}.tsv" for name in ("AUUH_A", "AUUH_B", "AUUH_E")
        }
        described(f"sigmorphon2022-ces-{kind}", files)
    reproduced(run, "sigmorphon2022", 24)


@pytest.mark.slow
def test_evalsub(shared):
    pytest.importorskip("sacrebleu")
    folder = shared / "data" / "communities" / "evalsub"
    names = {"gold": "amara", "cascade": "cascade", "nmt": "nmt"}
    described("evalsub-amara-fr", {key: folder / f"{name}.fr" for key, name in names.items()})
    cells = list(Paper("evalsub").tables[0].cells())
    assert [cell for cell in cells if not cell.is_right] == []
    assert len(cells) == 10
