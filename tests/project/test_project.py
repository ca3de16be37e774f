"""What a project has beside its code, and that it is in step with it."""

import json
import re
import tomllib

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from caesura import __version__
from support.paths import PACKAGE, ROOT, TESTS

yaml = pytest.importorskip("yaml")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSIONS = [
    found[1]
    for each in PROJECT["classifiers"]
    if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each))
]
LOCKED = [
    line
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def load(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def workflow():
    return load(".github/workflows/tests.yml")


def test_every_version_and_system_is_tested(workflow):
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == VERSIONS
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"
    assert [each.partition("-")[0] for each in matrix["os"]] == ["ubuntu", "macos", "windows"]


def test_the_workflow_builds_the_package_the_report_and_the_docs(workflow):
    steps = {
        name: [step.get("run", step.get("uses")) for step in job["steps"]]
        for name, job in workflow["jobs"].items()
    }
    assert "scripts/test" in steps["check"]
    assert "scripts/build-report" in steps["report"]
    assert "python -m build" in steps["package"]
    assert any("twine check" in step for step in steps["package"])
    assert any("deploy-pages" in step for step in steps["site"])
    every = "\n".join(step for own in steps.values() for step in own)
    for name in re.findall(r"scripts/[\w-]+", every):
        assert (ROOT / name).is_file()


def test_the_oldest_and_the_newest_core_dependencies_are_tested(workflow):
    job = workflow["jobs"]["versions"]
    tried = [(each["versions"], each["python"]) for each in job["strategy"]["matrix"]["include"]]
    assert tried == [("oldest", VERSIONS[0]), ("newest", VERSIONS[-1])]
    assert job["steps"][-1]["run"] == "scripts/test-versions ${{ matrix.versions }}"


def test_extras_that_the_workflow_installs_exist(workflow):
    text = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    named = {name for found in re.findall(r"\.\[([\w,]+)\]", text) for name in found.split(",")}
    assert named <= set(PROJECT["optional-dependencies"])


def test_the_citation_is_of_this_version():
    citation = load("CITATION.cff")
    assert citation["version"] == __version__
    assert citation["repository-code"] == PROJECT["urls"]["Repository"]


@pytest.mark.parametrize("path", ["codemeta.json", ".zenodo.json"])
def test_the_metadata_is_of_this_version(path):
    about = json.loads((ROOT / path).read_text(encoding="utf-8"))
    assert about["version"] == __version__
    assert (
        about.get("codeRepository", PROJECT["urls"]["Repository"]) == PROJECT["urls"]["Repository"]
    )
    assert about.get("identifier", PROJECT["name"]) == PROJECT["name"]


def test_the_bibliography_of_the_paper_has_what_it_cites():
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    known = re.findall(r"^@\w+\{([^,]+),", (ROOT / "paper" / "paper.bib").read_text(), re.MULTILINE)
    cited = re.findall(r"@([\w-]+)", text.partition("bibliography:")[2])
    assert set(cited) == set(known)
    assert len(known) == len(set(known))


def test_releases_are_tried_on_every_python():
    jobs = load(".github/workflows/release.yml")["jobs"]
    assert jobs["try"]["strategy"]["matrix"]["python"] == VERSIONS
    assert [jobs[name].get("needs") for name in ("build", "try", "publish")] == [
        None, "build", "try",
    ]  # fmt: skip


def test_the_action_takes_what_the_docs_say():
    action = load("action.yml")
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([\w-]+)` \|", page.partition("## GitHub Actions")[2], re.MULTILINE)
    assert told == [*action["inputs"]]
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text(encoding="utf-8")))
    assert used == set(action["inputs"])


def test_the_image_does_not_run_as_root():
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users == ["caesura"]
    assert lines.index("USER caesura") < lines.index('ENTRYPOINT ["caesura"]')


def test_the_papers_that_are_cited_are_those_of_the_docs():
    pages = [*(ROOT / "docs" / "measures").glob("*.md")]
    text = " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in pages)
    for paper in load("CITATION.cff")["references"]:
        assert f"*{paper['title']}*" in text
        assert paper["authors"][0]["family-names"] in text
        address = (
            paper.get("doi")
            or paper.get("url")
            or "".join(each["value"] for each in paper.get("identifiers", ()))
        )
        assert address in text


def test_the_checks_before_a_commit_are_those_of_the_tests():
    repos = load(".pre-commit-config.yaml")["repos"]
    hooks = {hook["id"]: repo for repo in repos for hook in repo["hooks"]}
    assert {"ruff-check", "ruff-format", "mypy"} <= set(hooks)
    assert f"ruff=={hooks['ruff-check']['rev'].removeprefix('v')}" in LOCKED


@pytest.mark.parametrize("python", VERSIONS)
def test_one_version_of_each_dependency_is_locked_for_each_python(python):
    everywhere = {**default_environment(), "extra": "dev", "sys_platform": "linux"}
    here = everywhere | {"python_version": python, "python_full_version": f"{python}.9"}
    locked = {}
    for each in map(Requirement, LOCKED):
        assert not each.extras  # pip takes no extras in constraints
        if each.marker is None or each.marker.evaluate(here):
            (exact,) = each.specifier
            assert exact.operator == "=="
            assert locked.setdefault(canonicalize_name(each.name), exact.version) == exact.version
    for each in wanted("dev"):
        if each.marker is None or each.marker.evaluate(here):
            assert locked[canonicalize_name(each.name)] in each.specifier


def wanted(extra):
    """What an extra needs, with the core and the extras that it names."""
    extras = PROJECT["optional-dependencies"]
    found, names = list(map(Requirement, PROJECT["dependencies"])), [extra]
    for name in names:
        for each in map(Requirement, extras[name]):
            if each.name == PROJECT["name"]:
                names += sorted(each.extras)
            else:
                found.append(each)
    return found


def test_the_readme_lists_all_extras_that_users_have():
    extras = PROJECT["optional-dependencies"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| extra |")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(listed) == sorted(extras.keys() - {"peers", "docs", "test", "dev"})
    assert listed[-1] == "all"
    (every,) = map(Requirement, extras["all"])
    assert every.extras == set(listed[:-1])


def test_what_is_installed_is_called_by_its_name():
    """On PyPI, `caesura` is another project: every hint names `caesura-eval`, and real extras."""
    folders = ["src", "docs", ".github", "scripts", "examples", "paper"]
    files = [path for name in folders for path in (ROOT / name).rglob("*") if path.is_file()]
    suffixes = {".md", ".py", ".yml", ".toml", ""}
    files = [ROOT / "README.md", *(path for path in files if path.suffix in suffixes)]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert re.findall(r"pip\s+install[^\n`]*?\bcaesura\b(?!-eval)(?![-./\w])", text) == []
    assert re.findall(r"\bcaesura\[[a-z]+\]", text) == []
    extras = set(PROJECT["optional-dependencies"])
    named = {name for found in re.findall(r"caesura-eval\[([\w,]+)\]", text)
             for name in found.split(",")}  # fmt: skip
    assert named <= extras


@pytest.mark.parametrize("name", ["bug", "score", "feature"])
def test_issue_forms_ask_for_what_is_needed(name):
    form = load(f".github/ISSUE_TEMPLATE/{name}.yml")
    assert form["name"]
    assert form["description"]
    assert any(each.get("validations", {}).get("required") for each in form["body"])


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md", "LICENSE", "CHANGELOG.md"])
def test_what_contributors_look_for_is_there_and_leads_somewhere(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (ROOT / target).exists(), target
    for path in re.findall(r"`((?:src|docs|scripts|report|\.github)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path


def test_addresses_can_be_read_with_the_extra_that_says_so():
    (fsspec,) = (
        each for each in PROJECT["optional-dependencies"]["formats"] if each.startswith("fsspec")
    )
    assert fsspec.startswith("fsspec[http]")


def test_tests_mirror_the_source():
    """Folders that the package does not have are told of in CONTRIBUTING.md."""
    table = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("| folder of `tests` |")[1]
    others = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\|(.*?)\|", table, re.MULTILINE))))
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    lost = [f for f in folders if not (PACKAGE / f).is_dir() and f.parts[0] not in others]
    assert not lost, "put them in the folder of what they test"
