"""What is published: the sdist has everything, the wheel its licences, the README's links work."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from caesura.published.tables import names as names_of_papers
from caesura.sets.named_sets import PACKAGED
from support.paths import ROOT

pytestmark = pytest.mark.slow

SUFFIXES = {".py", ".typed", ".toml", ".json", ".bib", ".npz", ".md", ".txt", ".js", ".css"}
"""What the wheel may have; a new kind of file is added here on purpose."""
LICENCES = {"LICENSE": "MIT License", "LICENSE-CC-BY-SA-4.0": "Attribution-ShareAlike 4.0"}
PAGE = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")


def names_of_sets():
    return list(PACKAGED.glob("*.toml"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist and the wheel."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    with tarfile.open(sdist) as source, zipfile.ZipFile(wheel) as ready:
        yield source, ready


def _tracked():
    """The files of the repository, and those that could be added to it."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {name for name in listed.split("\0") if (ROOT / name).is_file()}


def test_the_sdist_has_every_file_of_the_repository(built):
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    names = {name.partition("/")[2] for name in built[0].getnames()}
    assert names - {"PKG-INFO"} == _tracked()


def test_the_wheel_has_the_package_and_the_licences(built):
    wheel = built[1]
    names = wheel.namelist()
    (about,) = {name.partition("/")[0] for name in names} - {"caesura"}
    package = {path.relative_to(ROOT / "src").as_posix() for path in _files(ROOT / "src/caesura")}
    assert {name for name in names if name.startswith("caesura/")} == package
    kinds = {
        suffix: len([n for n in package if n.endswith(suffix) and "/sets/data/" not in n])
        for suffix in (".toml", ".json", ".bib", ".npz")
    }
    assert kinds == {".toml": len(names_of_sets()), ".json": len(names_of_papers()), ".bib": 1,
                     ".npz": 3}  # fmt: skip
    assert {Path(name).suffix for name in package} <= SUFFIXES
    assert _metadata(wheel)["Name"] == "caesura-eval"
    points = wheel.read(f"{about}/entry_points.txt").decode()
    assert "caesura = caesura.__main__:main" in points
    for name, title in LICENCES.items():
        assert title in wheel.read(f"{about}/licenses/{name}").decode()[:200]
    assert _metadata(wheel)["License-Expression"] == "MIT AND CC-BY-SA-4.0"


def _files(folder):
    return [
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]


def _metadata(wheel):
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return message_from_bytes(wheel.read(name))


def test_links_of_the_readme_lead_into_the_repository(built):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shown = _metadata(built[1]).get_payload(decode=True).decode()
    written = (ROOT / "README.md").read_text(encoding="utf-8")
    assert PAGE.sub("", shown).strip() == PAGE.sub("", written).strip()
    found = PAGE.findall(shown)
    assert len(found) == len(PAGE.findall(written)) > 20
    for image, address in found:
        home = f"{project['urls']['Repository']}/{'raw' if image else 'blob'}/main/"
        assert address.startswith(home)
        assert (ROOT / address.removeprefix(home).partition("#")[0]).is_file()
