"""Plug-ins: the template works; a broken one is named and left out; others do not pay for it."""

import subprocess
import sys
from textwrap import dedent

import pytest

from support.paths import ROOT

TEMPLATE = ROOT / "examples" / "plugin"
POINTS = """
[caesura.profiles]
broken = bad:MISSING
stops = stopping:X
odd = good:NUMBER
sighan = good:PROFILE
fine = good:PROFILE
field = good:FIELD

[caesura.measures]
transcript.broken = nowhere:X

[caesura.formats]
lost = good:LOST
other = good:OTHER
"""
GOOD = """
from caesura.core.profile import Named, Profile
from caesura.core.format import Format
NUMBER = 3
LOST = Format(name="lost", about="in a module that is not there", module="nowhere")
OTHER = Format(name="other", about="of which its module knows nothing", module="bad")
PROFILE = Profile(about="fine", task="transcript", item="word", unit="unit",
                  scores={"f1": Named("f1_mean", "F")})
FIELD = Profile(about="field", task="transcript", item="word", unit="unit",
                options={"also": ("apart",)}, takes={"also": ""}, main="apart",
                measures={"apart": "measure:Apart"}, scores={"apart": Named("apart_mean", "A")})
"""
MEASURE = """
from caesura.core.score import Score
from caesura.measures.boundary import Boundary

class Apart(Boundary):
    name = "apart"
    scores = (Score("apart", "apart", "Boundaries of the reference alone.", "low", take="fn"),)
"""


@pytest.fixture
def site(tmp_path):
    """A folder of packages, with the entry points of one that is broken."""
    about = tmp_path / "site" / "bad-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(dedent(POINTS))
    modules = {"bad": "", "stopping": "raise SystemExit(3)", "good": GOOD, "measure": MEASURE}
    for name, text in modules.items():
        (tmp_path / "site" / f"{name}.py").write_text(text)
    (tmp_path / "g.txt").write_text("a b\nc d\ne f\n")
    (tmp_path / "x.pipes").write_text("a b | c d e | f\n")
    return tmp_path


def ran(site, *arguments):
    command = [sys.executable, "-m", "caesura", *arguments]
    environment = {"PYTHONPATH": str(site / "site"), "PATH": "", "SYSTEMROOT": ""}
    return subprocess.run(
        command, cwd=site, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_broken_plugins_are_named_and_left_out(site):
    found = ran(site, "list", "profiles")
    assert found.returncode == 0
    assert "fine" in found.stdout
    lines = found.stderr.splitlines()
    assert [line.split("'")[1] for line in lines] == ["broken", "stops", "odd", "sighan"]
    assert all(line.startswith("warning: plug-in '") for line in lines)
    assert "caesura has something of that name" in found.stderr
    assert ran(site, "score", "fine", "ours=g.txt", "--gold", "g.txt").returncode == 0
    found = ran(site, "list", "formats")
    lines = found.stderr.splitlines()
    assert (found.returncode, [line.split("'")[1] for line in lines]) == (0, ["lost", "other"])
    found = ran(site, "transcript", "x=g.txt", "--ref", "g.txt", "--also", "broken", "-q")
    assert found.returncode == 2
    assert "error: unknown measure to add 'broken'" in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.slow
def test_a_community_of_another_package_brings_a_measure(site):
    (site / "s.txt").write_text("a b\nc d e f\n")
    line = ("score", "field", "ours=s.txt", "--gold", "g.txt", "-q")
    found = ran(site, *line, "--rows", "rows.jsonl", "--fail-over", "apart=0.5", "-f", "json")
    assert (found.returncode, '"apart": 1.0' in found.stdout) == (3, True), found.stderr
    assert "error: ours: apart" in found.stderr
    found = ran(site, "compare", "a=rows.jsonl", "b=rows.jsonl", "-q")
    assert found.returncode == 0, found.stderr
    assert "caesura score field\n" in ran(site, "list", "measures").stdout
    found = ran(site, "transcript", "ours=s.txt", "--ref", "g.txt", "--also", "apart", "-f", "csv")
    assert "apart_mean" in found.stdout, found.stderr


@pytest.mark.slow
def test_the_template_from_its_wheel(site):
    pytest.importorskip("hatchling")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(site)]
    subprocess.run(build, cwd=TEMPLATE, check=True, capture_output=True)
    (wheel,) = site.glob("*.whl")
    install = [sys.executable, "-m", "zipfile", "-e", str(wheel), str(site / "site")]
    subprocess.run(install, check=True)
    (site / "site" / "bad-1.0.dist-info" / "entry_points.txt").unlink()
    for what, name in {"measures": "excess", "formats": "pipes", "profiles": "stanzas",
                       "detectors": "halves"}.items():  # fmt: skip
        found = ran(site, "list", what)
        assert name in found.stdout
        assert found.stderr == ""
    scored = ran(site, "transcript", "x.pipes", "--ref", "g.txt", "--also", "excess", "-f", "json")
    assert '"excess_mean": 1.0' in scored.stdout, scored.stderr
    assert "pipes" in scored.stdout
    assert "F" in ran(site, "score", "stanzas", "ours=g.txt", "--gold", "g.txt").stdout
    assert ran(site, "segment", "halves", "g.txt").stdout == "a b c\nd e f\n"
