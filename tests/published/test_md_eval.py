"""Diarization error as NIST's md-eval.pl prints it, where Debian's package sctk is installed."""

import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import caesura
from support.interval_files import speakers

PROGRAM = Path(os.environ.get("MD_EVAL", "/usr/lib/sctk/bin/md-eval.pl"))
NAMES = {
    "SCORED SPEAKER TIME": "speech",
    "MISSED SPEAKER TIME": "missed",
    "FALARM SPEAKER TIME": "false_alarm",
    "OVERALL SPEAKER DIARIZATION ERROR": "der_md_eval",
}


def recording(rng, name):
    """Up to four speakers, in milliseconds so that no two mappings are equally good."""
    found = []
    for who in "ABCD"[: rng.randint(1, 4)]:
        at = 0
        for _ in range(rng.randint(3, 6)):
            on = at + rng.randint(1, 4000)
            at = on + rng.randint(1, 5000)
            found.append((on / 1000, at / 1000, who))
    return speakers(*found, recording=name)


@pytest.mark.slow
@pytest.mark.skipif(
    not (PROGRAM.exists() and shutil.which("perl")), reason=f"{PROGRAM} of sctk is absent"
)
@pytest.mark.parametrize("options", [(), ("-c", "0.25"), ("-1",), ("-c", "0.1", "-1")])
def test_errors_by_recording(folder, options):
    rng = random.Random(1)
    names = [f"talk{at}" for at in range(60)]
    sides = ("".join(recording(rng, name) for name in names) for _ in range(2))
    regions = "".join(f"{name} 1 1.000 25.000\n" for name in names)
    folder(**dict(zip(("gold.rttm", "ours.rttm"), sides, strict=True)), **{"all.uem": regions})
    command = ["perl", PROGRAM, "-af", "-r", "gold.rttm", "-s", "ours.rttm", "-u", "all.uem"]
    printed = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    parts = re.split(r"Speaker Diarization for f=(\w+) \*", printed.stdout)[1:]
    collar = options[1] if "-c" in options else 0
    found = caesura.evaluate(
        "ours.rttm", gold="gold.rttm", profile="speakers", uem="all.uem", collar=collar,
        skip_overlap="-1" in options,
    ).to_dict()["systems"][0]["by_document"]  # fmt: skip
    assert sorted(parts[::2]) == sorted(names)
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        for key, own in NAMES.items():
            value = float(re.search(rf"{key} = +([\d.]+)", text)[1])
            assert value == pytest.approx(found[name][own], abs=0.0051), (name, key)
