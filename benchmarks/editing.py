"""Editing: a long document in the studio's page, in Chromium, with the frames between keys.

`python benchmarks/editing.py` makes a folder with a document of 50,000 words, serves it, and prints
for each kind of act how long the page needs for a key, and how long its frames take. A screen with
60 frames a second has 16.7 ms for one.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

KEYS = {
    "move by word": ["ArrowRight"] * 150,
    "move by line": ["ArrowDown"] * 100,
    "set or remove": ["Space", "ArrowRight", "ArrowRight"] * 50,
    "move by page": ["PageDown"] * 50,
}
WATCH = """() => {
  window.frames_ = []; window.isOn = true; let last = performance.now();
  const step = now => {
    frames_.push(now - last); last = now;
    if (isOn) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}"""
HANDLE = """([key, times]) => {
  const pane = document.querySelector(".text-pane");
  const begin = performance.now();
  for (let at = 0; at < times; at++) {
    pane.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    pane.offsetHeight;
  }
  return (performance.now() - begin) / times;
}"""
SCROLL = """async () => {
  const pane = document.querySelector(".text-pane"), found = [];
  pane.scrollTop = 0;
  let last = performance.now();
  for (let at = 0; at < 300; at++) {
    pane.scrollTop += 60;
    last = await new Promise(requestAnimationFrame).then(now => (found.push(now - last), now));
  }
  return found.slice(1);
}"""


@contextmanager
def served(words: int, port: int) -> Iterator[str]:
    """The manager's link to a studio with one long document."""
    letters = random.Random(1)
    vocabulary = [
        "".join(letters.choices("abcdefghijklmnop", k=letters.randint(1, 9))) for _ in range(5000)
    ]
    with tempfile.TemporaryDirectory() as folder:
        text = " ".join(letters.choices(vocabulary, k=words))
        (Path(folder) / "long.txt").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "caesura", "studio", folder, "--no-browser"]
        server = subprocess.Popen(
            [*command, "--port", str(port)], stderr=subprocess.PIPE, encoding="utf-8"
        )
        try:
            assert server.stderr is not None
            for line in server.stderr:
                if found := re.search(r"http://\S+", line):
                    yield found[0]
                    break
        finally:
            server.terminate()
            server.wait()


def told(name: str, frames: list[float], more: str = "") -> str:
    """The frames of an act in one line."""
    frames = sorted(frames)
    median, late = frames[len(frames) // 2], frames[int(len(frames) * 0.95)]
    return f"{name:15} {median:8.1f} {late:8.1f} {frames[-1]:8.1f} {more}"


def measure(page: Any, link: str) -> None:
    """Open the document, press keys, and print what frames took."""
    page.goto(link)
    page.wait_for_selector(".documents a")
    page.keyboard.press("Enter")
    page.wait_for_selector(".text-pane .g")
    print(f"{'ms':15} {'median':>8} {'95%':>8} {'longest':>8}   the page's own work for a key")
    for name, keys in KEYS.items():
        page.evaluate(WATCH)
        for key in keys:
            page.keyboard.press(key)
        frames = page.evaluate("() => { isOn = false; return frames_.slice(1) }")
        own = page.evaluate(HANDLE, [" " if keys[0] == "Space" else keys[0], 50])
        print(told(name, frames, f"{own:8.1f}"))
    print(told("scroll", page.evaluate(SCROLL)))


def main() -> None:
    """Measure, with a document of some length."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--port", type=int, default=8799)
    given = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with served(given.words, given.port) as link, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        measure(browser.new_page(viewport={"width": 1440, "height": 900}), link)
        browser.close()


if __name__ == "__main__":
    main()
