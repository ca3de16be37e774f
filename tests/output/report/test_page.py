"""The page as a file: small, whole, and with nothing of the input in its markup."""

import json
import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256

import pytest

import caesura
from caesura.output.report.page import asset, embedded
from support.paths import ROOT

FRONT = ROOT / "report"
NASTY = "</script><script>alert(1)</script><!--"


def page(system="s"):
    return caesura.evaluate({system: ["a b", "c"]}, {"r": ["a", "b c"], "q": ["a b", "c"]}).html()


def test_it_is_small():
    assert len(page().encode()) < 500_000


def test_the_policy_allows_its_own_script_and_style_and_nothing_else():
    text = page()
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', text)[1].replace("&#x27;", "'")
    for name, directive in (("report.js", "script-src"), ("report.css", "style-src")):
        digest = b64encode(sha256(asset(name).encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert f"<script>{asset('report.js')}</script>" in text


def test_it_asks_for_nothing_from_elsewhere():
    markup = re.sub(r"<script.*?</script>|<style>.*?</style>", "", page(), flags=re.DOTALL)
    assert not re.search(r'(src|href)="(?!data:,)', markup)
    assert not re.search(r"url\((?!data:)|@import", asset("report.css"))
    assert "XMLHttpRequest" not in asset("report.js")


def test_our_sources_make_no_markup_of_the_input():
    for path in (ROOT / "report" / "src").rglob("*.ts"):
        text = path.read_text()
        assert not re.search(r"\beval\(|Function\(|(inner|outer|Adjacent)HTML", text), path
        assert "fetch(" not in text or path.parent.name == "studio", path


def test_names_of_the_input_cannot_break_out():
    text = page(system=NASTY)
    assert "<script>alert" not in text
    assert text.count("<script") == 2
    assert text.count("</script") == 2
    data = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]
    assert json.loads(data)["summary"]["systems"][0]["name"] == NASTY


def test_a_lone_surrogate_does_not_stop_it():
    assert json.loads(embedded({"a": "\ud800 \u2028"})) == {"a": "\ud800 \u2028"}


def test_the_assets_are_those_of_the_sources():
    """What is committed was built by `scripts/build-report` from what is committed."""
    names = sorted(
        path.relative_to(FRONT).as_posix()
        for path in (FRONT / "src").rglob("*")
        if path.suffix in (".ts", ".css")
    )
    digest = sha256()
    for name in sorted([*names, "build.mjs", "package.json", "package-lock.json"]):
        digest.update(f"{name}\n".encode() + (FRONT / name).read_bytes() + b"\n")
    stamp = f"/* sources {digest.hexdigest()[:16]} */"
    for name in ("report.js", "report.css"):
        assert asset(name).startswith(stamp), "run scripts/build-report"
    for name in ("studio.js", "studio.css"):
        text = (ROOT / "src" / "caesura" / "studio" / "assets" / name).read_text("utf-8")
        assert text.startswith(stamp), "run scripts/build-report"


@pytest.mark.slow
def test_the_types_are_those_of_the_dataclasses():
    """What is committed was written by `report/generate.py` from what is committed."""
    command = [sys.executable, FRONT / "generate.py", "--print"]
    made = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    assert (FRONT / "src" / "types.ts").read_text(encoding="utf-8") == made, (
        "run scripts/build-report"
    )


def test_our_sources_are_typed_throughout():
    settings = json.loads((FRONT / "tsconfig.json").read_text())["compilerOptions"]
    assert settings["strict"]
    assert settings["noUncheckedIndexedAccess"]
    for path in (FRONT / "src").rglob("*.ts"):
        assert not re.search(r"[:<(|] *any\b|\bas any\b|@ts-", path.read_text()), path


def need(is_there, what):
    """Skip where something is absent; CI insists on it."""
    if not is_there:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{what} is absent")


def test_the_script_is_sound(tmp_path):
    need(shutil.which("node"), "node")
    path = tmp_path / "report.js"
    path.write_text(asset("report.js"))
    subprocess.run(["node", "--check", path], check=True)


@pytest.mark.slow
def test_the_sources_pass_the_type_checker():
    need(shutil.which("node"), "node")
    compiler = FRONT / "node_modules" / ".bin" / "tsc"
    if os.environ.get("CI") == "true" and not compiler.exists():
        install = ["npm", "ci", "--no-audit", "--no-fund"]
        subprocess.run(install, cwd=FRONT, check=True, capture_output=True)
    need(compiler.exists(), "report/node_modules")
    command = [compiler, "--noEmit"]
    found = subprocess.run(command, check=False, cwd=FRONT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
