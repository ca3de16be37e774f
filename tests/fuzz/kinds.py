"""Kinds: every kind of file, with small valid ones by caesura's own writers and test data."""

import io
import json
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np

import caesura
from caesura.formats.recognisers import RECOGNISERS
from caesura.formats.registry import PLAIN, TIMED
from caesura.formats.script import SECOND, Script, to_units
from caesura.formats.transcripts import write_scripts
from caesura.run.rows_writer import RowsWriter
from fuzz.mutations import tarred, zipped
from support.paths import GOLDEN, TESTS

SEEDS = TESTS / "fuzz" / "seeds"
LINES = "well it rained\nwe left early didn't we\nno we stayed\n"
OTHER = "well\nit rained we left early\ndidn't we no we stayed\n"
TEXT = "Well, it rained. We left early, didn't we? No, we stayed."
CUT = "Well. It rained, we left early. Didn't we? No? We stayed."
WORDS = ["it", "rained", "we", "left"]
CELLS = (
    {"document": "x", "text": "it rained\nwe left", "words": WORDS, "length": 4},
    {"document": "y", "boundaries": [1, 3], "words": WORDS},
    {"document": "z", "boundaries": [1, 3], "length": 5},
)


@dataclass(frozen=True)
class Kind:
    """Files of one kind: how they end, how they are built, and valid ones."""

    suffix: str
    shape: str
    seeds: tuple[bytes, ...]


def kinds(folder):
    """Every kind of file; saved rows are made by runs in a folder, the current one."""
    return {**transcripts(), **_texts(), **_speech(), **_saved(folder), **_holders()}


def transcripts():
    """Every format of transcripts."""
    script = _script()
    shapes = {"jsonl": "json lines", "nemo": "json lines", "eaf": "xml", "ttml": "xml"}
    shapes |= dict.fromkeys(("segeval", "whisper", "seglst"), "json")
    shapes |= {each.name: "json" for each in RECOGNISERS} | {"vosk": "lines"}
    found = {
        name: Kind(
            form.suffixes[0] if form.suffixes else "",
            shapes.get(name, "lines"),
            (*_written(form, script), *_own(name)),
        )
        for name, form in TIMED.items()
    }
    plain = {name: Kind(".txt", "lines", (*_plain(name, script), *_own(name))) for name in PLAIN}
    return {**plain, **found}


def _plain(name, script):
    """What a writer makes of one script and of another."""
    return tuple(write_scripts([each], name).encode() for each in (script, _script(text=CUT)))


def _written(form, script):
    if not form.is_written:
        return ()
    both = [script, _script("more")] if form.holds_many else [to_units(script)]
    every = [script], [_script(text=CUT)], [to_units(script)], both
    return tuple(dict.fromkeys(write_scripts(each, form.name).encode() for each in every))


def _script(recording="talk", text=TEXT):
    texts = text.split()
    kinds = {"?": "question", ".": "statement"}
    start = np.arange(1, len(texts) + 1) * SECOND // 2
    return Script(
        texts,
        start,
        start + SECOND // 4,
        ends=np.array([text[-1] in kinds for text in texts]),
        types=[kinds.get(text[-1], "") for text in texts],
        speakers=["ann" if at < 7 else "bob" for at in range(len(texts))],
        channels=["1"] * len(texts),
        recording=recording,
    )


def _texts():
    lines = {"m2": ".m2", "segments": ".txt", "docids": ".txt", "segeval.tsv": ".tsv"}
    lines |= {"equivalences": ".tsv", "morphs": ".tsv", "questions": ".csv", "ratings": ".csv"}
    return {
        "tokens": Kind(".txt", "lines", (*_own("tokens"), LINES.encode())),
        "treebank": Kind(".conllu", "lines", (*_own("conllu"), *_data("detectors/gold.conllu"))),
        "trees": Kind(".mrg", "brackets", _own("trees")),
        "prm": Kind(".prm", "parameters", _own("prm")),
        "chunks": Kind(".jsonl", "json lines", _own("chunks")),
        **{name: Kind(suffix, "lines", _own(name)) for name, suffix in lines.items()},
    }


def _own(name):
    """The seeds of a kind that are files here: what caesura reads but does not write."""
    return tuple(path.read_bytes() for path in sorted(SEEDS.glob(f"{name}-*")))


def _data(*names):
    return tuple((TESTS / "docs" / name).read_bytes() for name in names)


def _speech():
    (phones,) = _data("report/gold.phn")
    cells = [line.split() for line in phones.decode().splitlines()]
    ctm = [f"{name} 1 {on} {float(off) - float(on):.3f} {label}" for name, on, off, label in cells]
    grid = write_scripts([_script()], "textgrid")
    tiers = grid.replace('"ann"', '"phones"').replace('"bob"', '"words"')
    return {
        "class": Kind(".class", "lines", _data("report/found.class")),
        "phn": Kind(".phn", "lines", (phones,)),
        "wrd": Kind(".wrd", "lines", _data("report/gold.wrd")),
        "phones.ctm": Kind(".ctm", "lines", ("\n".join(ctm).encode(),)),
        "phones.textgrid": Kind(".TextGrid", "lines", (tiers.encode(),)),
        "talkers": Kind(".tsv", "lines", _own("talkers")),
        "speakers": Kind(".rttm", "lines", _own("speakers")),
        "uem": Kind(".uem", "lines", _own("uem")),
    }


def _saved(folder):
    """Rows of every task, to be read, and to be resumed from."""
    for name, text in {"a": LINES, "b": OTHER}.items():
        (folder / name).mkdir(exist_ok=True)
        for document in "xyzw":
            (folder / name / f"{document}.txt").write_text(text)
    (folder / "t.txt").write_bytes(_own("tokens")[0])
    for name, suffix in (("trees", ".mrg"), ("m2", ".m2"), ("morphs", ".tsv")):
        for at, data in enumerate(_own(name), 1):
            (folder / f"{at}{suffix}").write_bytes(data)
    for name in ("found.class", "gold.phn", "gold.wrd"):
        (folder / name).write_bytes(_data(f"report/{name}")[0])
    one, both, two = {"s": "a"}, {"s": "a", "t": "b"}, {"p": "a", "r": "b"}
    text, whole = {"with_text": True}, {"with_text": True, "blocks": True}
    terms = {"phones": "gold.phn", "words": "gold.wrd", "parts": 2}
    trees = {"gold": "1.mrg", "task": "trees"}
    runs = (
        {"systems": one, "references": {"r": "b"}, **text},
        {"systems": both, "references": two, "blocks": True},
        {"references": two},
        {"systems": {"s": "t.txt", "t": "a/x.txt"}, "gold": "t.txt", **text},
        {"systems": {"s": "found.class", "t": "found.class"}, **terms, **text},
        {"systems": {"s": "2.mrg"}, **trees, **text},
        {"systems": ["3.mrg", "4.mrg"], **trees, "evalb": "new", **whole},
        {"systems": both, "references": {"r": "b"}, "task": "sentences", "metrics": "none", **text},
        {"systems": {"s": "2.m2", "t": "1.m2"}, "gold": "1.m2", "task": "corrections", **whole},
        {"systems": {"s": "2.tsv"}, "gold": "1.tsv", "profile": "morphemes", **text},
    )
    found = tuple(_run(folder, each) for each in runs)
    return {
        "rows": Kind(".jsonl", "rows", found),
        "unfinished": Kind(".jsonl", "json lines", found[:1]),
    }


def unchanging():
    """Let no file look changed to a run that is resumed, so that cases can be repeated."""
    return patch.object(RowsWriter, "_is_changed", lambda *_: False)


def _run(folder, options):
    caesura.evaluate(rows="r.jsonl", **options)
    return (folder / "r.jsonl").read_bytes()


def _holders():
    """Archives, tables of documents, and models."""
    files = [("x.txt", LINES.encode()), ("d/y.txt", OTHER.encode()), (".hidden", b"x")]
    names = ("cnn", "rnn", "former")
    models = tuple((GOLDEN / f"detect_{name}.npz").read_bytes() for name in names)
    return {
        "zip": Kind(".zip", "zip", (zipped(files),)),
        "tar": Kind(".tar", "tar", (tarred(files),)),
        "cells": Kind(".jsonl", "json lines", ("\n".join(map(json.dumps, CELLS)).encode(),)),
        "parquet": Kind(".parquet", "table", _tables()),
        "model": Kind(".npz", "model", models),
    }


def _tables():
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        return ()
    words = "well it rained we left early".split()
    tables = (
        {"document": ["x", "y"], "text": [LINES, OTHER]},
        {"document": ["x", "y"], "boundaries": [[1, 3], [5]], "words": [words, words]},
        {"document": ["x", "y"], "boundaries": [[1, 3], [5]], "length": [6, 6]},
    )
    outs = [io.BytesIO() for _ in tables]
    for out, table in zip(outs, tables, strict=True):
        parquet.write_table(pa.table(table), out)
    return tuple(out.getvalue() for out in outs)
