"""Every name that people rely on: keys of JSON, headers of CSV, options, fields of rows.

`PYTHONPATH=tests python -m support.public_names` writes those of today to golden/stability.json;
names are only ever added to it.
"""

import contextlib
import io
import json
import shutil
import sys
import tempfile
from pathlib import Path
from unittest import mock

import click

import caesura
from caesura.cli import cli, main
from support.paths import GOLDEN, ROOT

PINNED = GOLDEN / "stability.json"
SAMPLES = ("src/caesura/sample", "tests/docs/report", "tests/docs/detectors")
BY_USERS = {
    "annotators": 1, "axes": 1, "boundaries": 1, "by_document": 1, "by_label": 1, "by_length": 1,
    "by_mark": 1, "by_main": 1, "by_operation": 1, "by_reference": 1, "by_stream": 2, "by_type": 1,
    "by_category": 1, "each": 1, "macro_undefined": 1, "sizes": 1, "sources": 1,
}  # fmt: skip
"""Objects whose keys depend on the input, and how many levels of them there are."""
FILES = {
    "a.tok": "1\tIt\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n2\train\t_\t_\t_\t_\t_\t_\t_\tSeg=O\n\n",
    "a.masses": "2 3 6\n",
    "a.times": "2\n5\n",
    "a.lab": "0 2 a\n2 5 b\n",
    "a.scenes": "0 2\n3 5\n",
    "a.phn": "0 0.1 a\n0.1 0.2 b\n0.2 0.4 c\n",
    "a.srt": "1\n00:00:00,000 --> 00:00:02,000\nit rained\nall night\n\n",
    "a.rttm": "SPEAKER f 1 0 1 <NA> <NA> a <NA> <NA>\nSPEAKER f 1 1 1 <NA> <NA> b <NA> <NA>\n",
    "a.morphs": "reader\tread @@er\n",
    "a.txt": "it rained all night",
    "a.jsonl": '{"document": "a", "start": 0, "end": 9}\n',
    "talk.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>it rained.\n\n"
    "00:02.000 --> 00:03.000\n<v Ben>we left.\n",
}
PROFILES = {
    "sighan": "gold.txt", "disrpt": "a.tok", "topics": "a.masses", "phones": "a.phn",
    "subtitles": "a.srt", "speakers": "a.rttm", "morphemes": "a.morphs",
    "chunks": "a.jsonl", "changes": "a.times", "chapters": "a.times", "music": "a.lab",
    "shots": "a.scenes", "events": "a.lab",
}  # fmt: skip
ALSO_GIVEN = {"chunks": {"documents": "a.txt"}, "changes": {"n": 9}}
"""What profiles need besides systems and gold."""


def score(profile):
    """The command that scores an example by a profile."""
    path = PROFILES[profile]
    also = [f"--{name} {value}" for name, value in ALSO_GIVEN.get(profile, {}).items()]
    return " ".join([f"score {profile} s={path} --gold r={path}", *also])


PEOPLE = "ann1.txt --ref ann2.txt --ref ann3.txt"
DRAWN = "--confidence --compare --resamples 10"
COMMANDS = {
    "transcript, one reference": f"transcript rules.txt neural.txt --ref ann1.txt {DRAWN}",
    "transcript": f"transcript rules.txt neural.txt --ref {PEOPLE} {DRAWN} --unit document "
    "--rows rows.jsonl",
    "transcript --align": f"transcript rules.txt --ref {PEOPLE} --align",
    "transcript --by": "transcript s=talk.vtt --ref r=talk.vtt --by speaker",
    "agreement": "agreement ann1.txt ann2.txt ann3.txt --confidence",
    "text": f"text ours.txt s=ours.txt --gold gold.txt {DRAWN}",
    "text, CoNLL-U": "text s=gold.conllu --gold gold.conllu",
    "trees": "trees parser.mrg --gold gold.mrg",
    "corrections": "corrections ours.m2 --gold gold.m2",
    "sentences": "sentences asr.txt --ref ref.txt --metrics none",
    "terms": "terms found.class --phones gold.phn --words gold.wrd --parts 2",
    "compare": "compare rows.jsonl --resamples 10",
    **{f"score {profile}": score(profile) for profile in PROFILES},
}
"""Commands that together print all that there is, each by what is pinned of it."""


def objects(value, place=""):
    """The keys of each object, at any depth, by its place; names of users are `*` there."""
    every = value if isinstance(value, list) else [value]
    for each in every:
        if not isinstance(each, dict):
            continue
        yield place, each.keys()
        for key, inner in each.items():
            yield from _below(inner, f"{place}.{key}".lstrip("."), _levels(key, place))


def _levels(key, place):
    is_by_score = "comparisons" in place.split(".") and key in ("micro", "macro")
    return 1 if is_by_score else BY_USERS.get(key, 0)


def _below(value, place, levels):
    if not levels:
        yield from objects(value, place)
    for each in value.values() if levels and isinstance(value, dict) else ():
        yield from _below(each, f"{place}.*", levels - 1)


def keys(text):
    """For each place of some JSON the keys that it may have."""
    found = {}
    for place, names in objects(json.loads(text)):
        found.setdefault(place, set()).update(names)
    return found


def written(places):
    """The places that have the same keys together: the keys, then the places."""
    found = {}
    for place, names in places.items():
        found.setdefault(" ".join(sorted(names)), []).append(place)
    return found


def read(pinned):
    """For each place the keys, of what was written."""
    return {place: {*names.split()} for names, places in pinned.items() for place in places}


def options():
    """The names of the options of every command, those that the help does not show included."""
    return {
        name: " ".join(
            flag
            for each in command.params
            if isinstance(each, click.Option)
            for flag in (*each.opts, *each.aliases)
        )
        for name, command in sorted(cli.commands.items())
    }


def _printed(line):
    """What a command prints."""
    with (
        mock.patch.object(sys, "argv", ["caesura", *line.split()]),
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code
    assert not status, err.getvalue()
    return out.getvalue()


def found(folder):
    """All names of today; commands run in a folder that is filled with samples."""
    for sample in SAMPLES:
        shutil.copytree(ROOT / sample, folder, dirs_exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    shown = {
        form: {name: _printed(f"{each} -q -f {form}") for name, each in COMMANDS.items()}
        for form in ("json", "csv")
    }
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    return {
        "json": {name: written(keys(out)) for name, out in shown["json"].items()},
        "csv": {name: out.partition("\n")[0] for name, out in shown["csv"].items()},
        "options": options(),
        "rows": " ".join(sorted({key for row in rows for key in (*row, *row.get("end", ()))})),
        "python": " ".join(caesura.__all__),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        names = found(Path(place))
    PINNED.write_text(json.dumps(names, indent=1) + "\n")
