"""Seeds: small valid files of every kind, made by caesura's own writers and from its test data."""

import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np
from fuzz.mutations import tarred, zipped

import caesura
from caesura.formats import TIMED
from caesura.formats.forms import WRITERS
from caesura.formats.script import SECOND, Script, to_units
from caesura.run.journal import Journal

TESTS = Path(__file__).parents[1]
LINES = "well it rained\nwe left early didn't we\nno we stayed\n"
OTHER = "well\nit rained we left early\ndidn't we no we stayed\n"
TOKENS = "It `` rained '' .\nWe did n't leave early , did we ?\nNo .\n"
UEM = ";; scored\ntalk 1 0.5 4.0\ntalk 1 5.0 9.5\nmore 1 0 20\n"
TABLE = "# contractions\n``\t\"\nn't\tnot\nca n't\tcan not\n"
TALKERS = "s01\tann\ns02\tbob\n"
STAMP = re.compile(r'\["(\w)", "([^"]+)", \d+, \d+, \d+\]')
EXTRA = {
    "stm": (
        ";; a comment\ntalk 1 ann 0.5 2.25 <o,f0,male> well { it / he / @ } rained (uh) %hes\n"
        "talk 1 inter_segment_gap 2.25 3\ntalk 1 bob 3 4.5 we left\n",
    ),
    "ctm": (
        ";; a comment\ntalk 1 0.5 0.25 well 0.9\ntalk 1 <ALT_BEGIN>\ntalk 1 1 0.2 it\n"
        "talk 1 <ALT>\ntalk 1 1 0.2 he\ntalk 1 <ALT_END>\ntalk 1 1.5 0.5 rained\n",
    ),
    "rttm": (
        "SPEAKER talk 1 0.5 2 <NA> <NA> ann <NA>\nSPKR-INFO talk 1 <NA> <NA> <NA> unknown ann <NA>\n"
        "LEXEME talk 1 0.5 0.25 well lex ann 0.9\nLEXEME talk 1 1 0.25 it lex ann <NA>\n"
        "SU talk 1 0.5 0.75 <NA> statement ann <NA>\nNOSCORE talk 1 3 1 <NA> <NA> <NA> <NA>\n",
    ),
    "srt": (
        "1\n00:00:00,500 --> 00:00:02,250\n<i>Well</i>, it\nrained.\n\n2\n0:0:3.0 --> 0:0:4.5 X1:1\n- We left.\n- No.\n",
    ),
    "vtt": (
        "WEBVTT - a title\nKind: captions\n\nNOTE a note\n\nSTYLE\n::cue {}\n\nid\n"
        "00:00.500 --> 00:02.250 align:start\n<v Ann>Well, <00:01.000><c>it</c> rained.</v>\n",
    ),
    "whisper": (
        '{"text": " Well, it rained.", "segments": [{"id": 0, "start": 0.5, "end": 2.25, "text": " Well,'
        ' it rained.", "words": [{"word": " Well,", "start": 0.5, "end": 0.75, "probability": 0.9}, {"word":'
        ' " it", "start": 1.0, "end": 1.25}, {"word": " rained.", "start": 1.5, "end": 2.25}]}], "language": "en"}',
        '{"transcription": [{"timestamps": {"from": "00:00:00,500", "to": "00:00:02,250"}, "offsets": {"from":'
        ' 500, "to": 2250}, "text": " Well, it rained."}]}',
        '[{"start": 0.5, "end": 2.25, "text": "Well, it rained.", "speaker": "A"}]',
    ),
    "kaldi": ("talk-1 well it rained\ntalk-2 we left\n",),
    "conllu": (
        "# newdoc id = a\n# text = It rained.\n1\tIt\tit\tPRON\t_\tCase=Nom|Person=3\t2\tnsubj\t_\t_\n"
        "2-3\trained.\t_\t_\t_\t_\t_\t_\t_\t_\n2\trained\train\tVERB\t_\t_\t0\troot\t_\t_\n"
        "3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n3.1\tgap\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
    ),
}
CELLS = (
    {
        "document": "x",
        "text": "it rained\nwe left",
        "words": ["it", "rained", "we", "left"],
        "length": 4,
    },
    {"document": "y", "boundaries": [1, 3], "words": ["it", "rained", "we", "left"]},
    {"document": "z", "boundaries": [1, 3], "length": 5},
)


@dataclass(frozen=True)
class Kind:
    """Files of one kind: how they end, how they are built, and valid ones."""

    suffix: str
    shape: str
    seeds: tuple[bytes, ...]


def kinds(folder):
    """Every kind of file; some seeds are made by runs in a folder, which must be the current one."""
    return {**_transcripts(), **_texts(), **_speech(), **_saved(folder), **_holders()}


def _transcripts():
    script = _script()
    shapes = {"whisper": "json", "jsonl": "json lines", "eaf": "xml"}
    found = {
        name: Kind(
            form.suffixes[0] if form.suffixes else "",
            shapes.get(name, "lines"),
            (*_written(form, script), *(each.encode() for each in EXTRA.get(name, ()))),
        )
        for name, form in TIMED.items()
    }
    plain = {
        name: Kind(".txt", "lines", ("".join(write(script)).encode(),))
        for name, write in WRITERS.items()
    }
    return {**plain, **found}


def _written(form, script):
    words, units = "".join(form.write([script])), "".join(form.write([to_units(script)]))
    both = "".join(form.write([script, _script("more")])) if form.holds_many else units
    return tuple(dict.fromkeys(each.encode() for each in (words, units, both)))


def _script(recording="talk"):
    texts = "Well, it rained. We left early, didn't we? No, we stayed.".split()
    start = np.arange(1, len(texts) + 1) * SECOND // 2
    ends = np.array([text[-1] in ".?" for text in texts])
    types = [
        "question" if text[-1] == "?" else "statement" if text[-1] == "." else "" for text in texts
    ]
    speakers = ["ann" if at < 7 else "bob" for at in range(len(texts))]
    return Script(
        texts,
        start,
        start + SECOND // 4,
        ends,
        types,
        speakers,
        ["1"] * len(texts),
        recording=recording,
    )


def _texts():
    return {
        "tokens": Kind(".txt", "lines", (TOKENS.encode(), LINES.encode())),
        "treebank": Kind(
            ".conllu", "lines", (*_data("detectors/gold.conllu"), EXTRA["conllu"][0].encode())
        ),
        "equivalences": Kind(".tsv", "lines", (TABLE.encode(),)),
    }


def _data(*names):
    return tuple((TESTS / "docs" / name).read_bytes() for name in names)


def _speech():
    grids = "".join(TIMED["textgrid"].write([_script()]))
    ctm = "s01 1 0.5 0.25 a\ns01 1 0.75 0.25 b\ns02 1 0 0.5 a\n"
    return {
        "class": Kind(".class", "lines", _data("report/found.class")),
        "phn": Kind(".phn", "lines", _data("report/gold.phn")),
        "wrd": Kind(".wrd", "lines", _data("report/gold.wrd")),
        "phones.ctm": Kind(".ctm", "lines", (ctm.encode(),)),
        "phones.textgrid": Kind(".TextGrid", "lines", (grids.replace("ann", "phones").encode(),)),
        "talkers": Kind(".tsv", "lines", (TALKERS.encode(),)),
        "uem": Kind(".uem", "lines", (UEM.encode(),)),
    }


def _saved(folder):
    """Rows of every task, and a journal whose stamps are left open."""
    for name, text in {"a": LINES, "b": OTHER}.items():
        (folder / name).mkdir(exist_ok=True)
        for document in ("x", "y"):
            (folder / name / f"{document}.txt").write_text(text)
    for name, data in {
        "t.txt": TOKENS,
        "f.class": "report/found.class",
        "g.phn": "report/gold.phn",
        "g.wrd": "report/gold.wrd",
    }.items():
        (folder / name).write_bytes(_data(data)[0] if "/" in data else data.encode())
    runs = (
        {"systems": {"s": "a"}, "references": {"r": "b"}, "with_text": True},
        {"systems": {"s": "a", "t": "b"}, "references": {"p": "a", "r": "b"}, "blocks": True},
        {"references": {"p": "a", "r": "b"}},
        {"systems": {"s": "t.txt"}, "gold": "t.txt", "with_text": True},
        {
            "systems": {"s": "f.class"},
            "phones": "g.phn",
            "words": "g.wrd",
            "with_text": True,
            "parts": 2,
        },
    )
    with patch.object(Journal, "remove", lambda _: None):
        found = [_run(folder, each) for each in runs]
    journal = STAMP.sub(r'["\1", "\2", "@"]', found[0][1].decode())
    return {
        "rows": Kind(".jsonl", "json lines", tuple(rows for rows, _ in found)),
        "journal": Kind(".partial", "json lines", (journal.encode(),)),
    }


def _run(folder, options):
    caesura.evaluate(rows="r.jsonl", **options)
    return (folder / "r.jsonl").read_bytes(), (folder / "r.jsonl.partial").read_bytes()


def _holders():
    """Archives, tables of documents, and models."""
    files = [("x.txt", LINES.encode()), ("d/y.txt", OTHER.encode()), (".hidden", b"x")]
    names = ("cnn", "rnn", "former")
    models = tuple((TESTS / "golden" / f"detect_{name}.npz").read_bytes() for name in names)
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
