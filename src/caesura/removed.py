"""What version 0.1.0 had and later versions do not: why it left, and what to use instead.

Whoever still asks for it gets this line as the error. The changelog has the same, under *Removed*.
"""

from __future__ import annotations

OPTIONS = {
    "sweep": "run once for each value and compare the scores; the HTML report has a chart of "
    "WiSeBE by the window limit",
    "plot": "every figure of the HTML report can be saved as SVG",
    "su": 'NIST\'s SU error rate is SER with `final="keep"`, and with types or marks the typed SER',
    "sample": "choose the documents before the run, by a folder or a glob",
    "power": "the width of confidence intervals says which differences a test set can show",
    "no_documents": "merge without it, or add up the rows with DuckDB or polars as docs/scale.md "
    "shows",
    "database": "the studio keeps everything in studio.sqlite in its folder; "
    "docs/studio/running.md says how it is backed up while it runs",
    "proxy": "the studio does not look at where requests come from; limits are the proxy's, as "
    "docs/studio/running.md shows",
}
"""Options, and functions of the library, by their name in Python."""

MEASURES = {
    "diff": "sighan counts insertions, deletions and substitutions itself; docs/communities/"
    "sighan.md says where the official script differs",
    "evalsub": "Sigma, BLEU_br and BLEU_nb are in the table; docs/communities/subtitles.md says "
    "where EvalSub differs",
    "ter_br": "use Sigma and the F1 of line and block breaks, which are in the table",
}
"""What `--also` took."""

_SUBTITLES = "write srt or vtt, which every player reads"
_WORDS = "write jsonl, which keeps all that is known of words, or ctm"
_UNITS = "write lines, one unit per line, or masses, the lengths of units"
WRITERS = {
    "ass": _SUBTITLES,
    "ttml": _SUBTITLES,
    "whisper": _WORDS,
    "seglst": "write stm or jsonl, which have the same segments",
    "tsv": "write srt, vtt or stm, which have the same segments",
    "chat": "write eaf or textgrid, which have utterances with speakers and times",
    "nlp": _WORDS,
    "kaldi": "write lines, or stm, which has the recordings too",
    "phn": "write textgrid, ctm or labels, which have the same intervals",
    "disrpt": _UNITS,
    "choi": _UNITS,
    "segeval": _UNITS,
    "conllu": "write lines, one unit per line",
    "nemo": "write stm or jsonl, which have the same segments",
    "scenes": "write labels or times",
}
"""What `convert --to` took; all of these formats are still read."""

PARQUET_ROWS = (
    "rows in Parquet were removed in 0.2.0",
    'save JSON lines with `rows="FILE.jsonl"` or FILE.jsonl.zst, which DuckDB, polars and pandas '
    "read, too",
)
"""What is said of rows whose path ends with .parquet: the problem, and what to do."""

KINDS = {"option": OPTIONS, "measure to add": MEASURES, "output format": WRITERS}
"""The tables by what an unknown name is called in its error."""


def removal(kind: str, name: str) -> str:
    """The line for a name that is gone, or nothing if there never was one."""
    line = KINDS.get(kind, {}).get(name.removeprefix("--").replace("-", "_"))
    what = f"writing {name}" if kind == "output format" else name
    return f"{what} was removed in 0.2.0; {line}" if line else ""
