"""The page as a file: small, whole, and with nothing of the input in its markup."""

import json
import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import caesura
from caesura.output.report import report
from caesura.output.report.page import asset, embedded

ROOT = Path(__file__).parents[2]
NASTY = "</script><script>alert(1)</script><!--"


def page(**names):
    systems = {names.get("system", "s"): "a b // c"}
    return report(caesura.transcript(systems, {"r": "a // b c", "q": "a b // c"}), [])


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
        found = re.search(
            r"\beval\(|Function\(|(inner|outer|Adjacent)HTML|fetch\(", path.read_text()
        )
        assert found is None, path


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
    folder = ROOT / "report"
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in (folder / "src").rglob("*")
        if path.suffix in (".ts", ".css")
    )
    digest = sha256()
    for name in sorted([*names, "build.mjs", "package.json", "package-lock.json"]):
        digest.update(f"{name}\n".encode() + (folder / name).read_bytes() + b"\n")
    stamp = f"/* sources {digest.hexdigest()[:16]} */"
    for name in ("report.js", "report.css"):
        assert asset(name).startswith(stamp), "run scripts/build-report"


def test_the_script_is_sound(tmp_path):
    if shutil.which("node") is None:
        return
    path = tmp_path / "report.js"
    path.write_text(asset("report.js"))
    subprocess.run(["node", "--check", path], check=True)
