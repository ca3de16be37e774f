"""What is published and how: versions, dependencies, the wheel and the sdist."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from caesura import __version__
from support.paths import PACKAGE, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
PYTHONS = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
SUFFIXES = {*".py .typed .toml .json .bib .npz .md .txt .js .css .html".split()}
"""What the wheel may have; a new kind of file is added here on purpose."""


def test_every_version_is_tested_and_the_metadata_are_of_this_one():
    jobs = {}
    for name in ("tests", "release"):
        yaml = pytest.importorskip("yaml")
        jobs |= yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text("utf-8"))["jobs"]
    assert jobs["test"]["strategy"]["matrix"]["python"] == PYTHONS
    assert jobs["try"]["strategy"]["matrix"]["python"] == PYTHONS
    steps = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
    assert {"scripts/test", "scripts/test random", "scripts/build-report"} <= {*steps}
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["version"] == __version__
    for path in ("codemeta.json", ".zenodo.json"):
        assert json.loads((ROOT / path).read_text("utf-8"))["version"] == __version__


@pytest.mark.parametrize("python", PYTHONS)
def test_one_version_of_each_dependency_is_locked_for_each_python(python):
    here = {**default_environment(), "extra": "dev", "sys_platform": "linux"}
    here |= {"python_version": python, "python_full_version": f"{python}.9"}
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    locked = {}
    for each in (Requirement(line) for line in lines if not line.startswith("#")):
        if each.marker is None or each.marker.evaluate(here):
            (exact,) = each.specifier
            assert locked.setdefault(canonicalize_name(each.name), exact.version) == exact.version
    wanted, names = [*map(Requirement, PROJECT["dependencies"])], ["dev"]
    for name in names:
        for each in map(Requirement, EXTRAS[name]):
            names += sorted(each.extras) if each.name == PROJECT["name"] else []
            wanted += [each] if each.name != PROJECT["name"] else []
    for each in wanted:
        if each.marker is None or each.marker.evaluate(here):
            assert locked[canonicalize_name(each.name)] in each.specifier


def test_what_is_installed_is_called_by_its_name():
    """On PyPI, `caesura` is another project: every hint names `caesura-eval`, and real extras."""
    folders = ["src", "docs", ".github", "scripts", "examples", "paper"]
    files = [path for name in folders for path in (ROOT / name).rglob("*") if path.is_file()]
    files = [path for path in files if path.suffix in {".md", ".py", ".yml", ".toml", ""}]
    text = "\n".join(path.read_text("utf-8") for path in [ROOT / "README.md", *files])
    assert re.findall(r"pip\s+install[^\n`]*?\bcaesura\b(?!-eval)(?![-./\w])", text) == []
    assert re.findall(r"\bcaesura\[[a-z]+\]", text) == []
    named = {name for each in re.findall(r"caesura-eval\[([\w,]+)\]", text)
             for name in each.split(",")}  # fmt: skip
    assert named <= {*EXTRAS}
    (everything,) = map(Requirement, EXTRAS["all"])
    assert everything.extras == {*EXTRAS} - {"peers", "docs", "test", "dev", "all"}


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


@pytest.mark.slow
def test_the_sdist_has_every_file_of_the_repository(built):
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = {name for name in listed.split("\0") if (ROOT / name).is_file()}
    assert {name.partition("/")[2] for name in built[0].getnames()} - {"PKG-INFO"} == files


@pytest.mark.slow
def test_the_wheel_has_the_package_its_licences_and_a_readme_whose_links_work(built):
    names = built[1].namelist()
    (about,) = {name.partition("/")[0] for name in names} - {"caesura"}
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    package = {path.relative_to(ROOT / "src").as_posix() for path in files
               if "__pycache__" not in path.parts}  # fmt: skip
    assert {name for name in names if name.startswith("caesura/")} == package
    assert {Path(name).suffix for name in package} <= SUFFIXES
    assert b"caesura = caesura.__main__:main" in built[1].read(f"{about}/entry_points.txt")
    for name, title in {"LICENSE": b"MIT", "LICENSE-CC-BY-SA-4.0": b"ShareAlike 4.0"}.items():
        assert title in built[1].read(f"{about}/licenses/{name}")[:200]
    metadata = message_from_bytes(built[1].read(f"{about}/METADATA"))
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", metadata.get_payload(decode=True).decode())
    for image, address in links:
        home = f"{PROJECT['urls']['Repository']}/{'raw' if image else 'blob'}/main/"
        assert address.startswith(home)
        assert (ROOT / address.removeprefix(home).partition("#")[0]).is_file()
