"""The commands of the baseline: every task and option, on made-up and on real input.

They run one after the other in a folder of the files that `inputs` makes, `WORK`; `data/` is the
folder of real data. What a command writes into `out/` is kept. `rows/NAME.jsonl` are the rows that
an earlier command has saved.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from baselines.communities import COMMUNITIES

FORMATS = ("json", "table", "markdown", "csv", "latex")
ROWS = ("--rows", "out/rows.jsonl")
PAGE = ("--html", "out/page.html")


@dataclass(frozen=True, slots=True)
class Command:
    """What is run, in which formats, and what the first of these runs saves beside its output.

    With no formats it is run once as it is. `apart` is in a process of its own.
    """

    name: str
    arguments: tuple[str, ...]
    formats: tuple[str, ...] = ()
    saves: tuple[str, ...] = ()
    apart: bool = False


REFS = "--ref anna.txt --ref ben.txt --ref cy.txt"
MANY = "--ref many/anna --ref many/ben --ref many/cy"
OTHER = "--ref other/anna --ref other/ben --ref other/cy"
GOLD = "--phones speech/gold.phn --words speech/gold.wrd"
TEXT = "text text/near.txt text/far.txt --gold text/gold.txt"
BANK = "text text/near.conllu text/far.conllu --gold text/gold.conllu"
TERMS = f"terms speech/good.class speech/poor.class {GOLD}"
QUICK = "--resamples 500"


def _timed(suffix: str) -> str:
    return (
        f"transcript timed/s1.{suffix} timed/s2.{suffix} --ref timed/anna.{suffix} "
        f"--ref timed/ben.{suffix} --by-mark"
    )


SCORED: dict[str, str] = {
    "demo": "demo",
    # Transcripts: references, input forms, options.
    "transcript-one": "transcript s1.txt --ref anna.txt",
    "transcript-two": "transcript A=s1.txt s2.txt --ref anna.txt --ref ben.txt --by-mark",
    "transcript-three": f"transcript s1.txt s2.txt {REFS} --by-document",
    "transcript-tool": f"transcript s1.txt {REFS} --profile tool",
    "transcript-options": f"transcript s1.txt s2.txt {REFS} --window 4 --final keep --near 3 "
    "--consensus 3 --tolerance 1 -k 5",
    "transcript-forms": "transcript slashes/s1.txt binary/s2.txt --ref lines/anna.txt "
    "--ref marks/ben.txt --ref binary/cy.txt",
    "transcript-marks": "transcript marks/s1.txt --ref marks/anna.txt --input marks --marks .?! "
    "--by-mark",
    "transcript-packed": "transcript gz=packed.txt.gz xz=packed.txt.xz --ref anna.txt",
    "transcript-url": "transcript s1.txt --ref file://WORK/anna.txt",
    "transcript-latin": "transcript latin.txt --ref ref=latin.txt --encoding latin-1",
    "transcript-many": f"transcript many/s1 many/s2 {MANY} --by-document",
    "transcript-glob": "transcript A='many/s1/*.txt' --ref 'B=many/ben/d1*.txt' --missing skip",
    "transcript-missing": "transcript few/s1 few/s2 --ref few/anna --ref few/ben --missing skip",
    "transcript-keep-going": "transcript spoilt/s1 spoilt/s2 --ref spoilt/anna --keep-going",
    "transcript-archives": "transcript tar=packed/s1.tar zip=packed/s2.zip "
    "--ref table=packed/anna.jsonl --ref many/ben",
    "transcript-parquet": "transcript packed/s1.parquet --ref packed/anna.parquet --ref many/ben",
    # Timed formats.
    **{f"timed-{s.lower()}": _timed(s) for s in ("srt", "vtt", "ctm", "stm", "rttm", "nlp")},
    **{f"timed-{s.lower()}": _timed(s) for s in ("json", "TextGrid", "eaf", "jsonl")},
    "timed-kaldi": _timed("kaldi") + " --input kaldi",
    "timed-segments": _timed("srt") + " --align --units segments",
    "timed-mixed": "transcript timed/s1.json timed/s2.ctm --ref timed/anna.TextGrid "
    "--ref timed/ben.eaf --ref timed/cy.vtt",
    "recordings": "transcript recordings/s1.ctm recordings/s2.stm --ref recordings/anna.rttm "
    "--ref recordings/ben.stm --by-document",
    "recordings-one": "transcript recordings/s1.ctm::panel --ref recordings/anna.stm::panel",
    # Words that differ, times, speakers.
    "align": f"transcript other/s1 other/s2 {OTHER} --align",
    "align-normalize": f"transcript other/s1 other/s2 {OTHER} --align --axis-from first "
    "--normalize fillers,hyphens,contractions,numbers",
    "align-named": "transcript heard/s1.json heard/s2.ctm --ref heard/anna.nlp --ref heard/ben.nlp "
    "--align --axis-from ben --by speaker",
    "normalize": f"transcript s1.txt {REFS} --normalize fillers,fragments,accents,digits",
    "time": "transcript heard/s1.nlp heard/s2.json --ref heard/anna.ctm --ref heard/ben.nlp "
    "--ref heard/cy.nlp --axis time",
    "time-options": "transcript heard/s1.nlp --ref heard/anna.nlp --ref heard/ben.nlp --axis time "
    "--tolerance 200ms --window 1.5s --final keep",
    "streams": "transcript overlapping/s1.nlp overlapping/s2.nlp --ref overlapping/anna.nlp "
    "--ref overlapping/ben.nlp --streams speaker",
    "streams-time": "transcript overlapping/s1.nlp --ref overlapping/anna.nlp --streams speaker "
    "--axis time",
    "by-speaker": "transcript timed/s1.nlp timed/s2.nlp --ref timed/anna.nlp --ref timed/ben.nlp "
    "--by speaker",
    "by-channel": "transcript timed/s1.rttm --ref timed/anna.rttm --by channel",
    "typed-rttm": "transcript timed/s1.rttm timed/s2.rttm --ref timed/anna.rttm --final keep",
    "uem": "transcript timed/s1.rttm --ref timed/anna.rttm --axis time --uem timed/part.uem",
    # Statistics, detectors, gates.
    "confidence-documents": f"transcript many/s1 many/s2 {MANY} --confidence --compare",
    "confidence-blocks": f"transcript s1.txt s2.txt {REFS} --confidence --compare --level 0.9 "
    f"{QUICK}",
    "confidence-unit": f"transcript many/s1 many/s2 {MANY} --confidence --compare --unit block "
    f"--method percentile --seed 7 {QUICK}",
    "confidence-time": "transcript heard/s1.nlp heard/s2.nlp --ref heard/anna.nlp "
    f"--axis time --confidence --unit document {QUICK}",
    "run": f"transcript s1.txt --run nine=every:9 --run all --run none --run random:3 {REFS}",
    "run-networks": f"transcript --run cnn=s1 --run rnn=s2 --run best {REFS}",
    "run-pauses": "transcript --run pauses:0.3 --run pauses --ref timed/anna.ctm",
    "run-program": f"transcript --run 'own=cmd:fold -s -w 40 {{input}}' {REFS}",
    "gate-met": f"transcript s1.txt {REFS} --fail-under wisebe=0.01 --fail-over pk_mean=0.99",
    "gate-missed": f"transcript s1.txt {REFS} --fail-under wisebe=0.99",
    "gate-worse": f"transcript s1=many/s2 {MANY} --fail-if-worse-than rows/transcript-many.jsonl",
    # Agreement.
    "agreement": "agreement anna.txt ben.txt cy.txt",
    "agreement-many": "agreement many/anna many/ben many/cy --by-document --confidence",
    "agreement-align": "agreement other/anna other/ben other/cy --align "
    "--normalize fillers,contractions",
    "agreement-time": "agreement heard/anna.nlp heard/ben.ctm heard/cy.json --axis time",
    "agreement-options": "agreement anna.txt ben.txt --window 5 --final keep --near 4 "
    "--tolerance 0",
    # Text.
    "text": TEXT,
    "text-errors": f"{TEXT} --show-errors 5 --errors out/errors.tsv",
    "text-literal": f"{TEXT} --algorithm literal",
    "text-equivalences": f"{TEXT} --equivalences english-contractions",
    "text-own-equivalences": f"{TEXT} --equivalences text/pairs.tsv",
    "text-normalize": "text text/decomposed.txt --gold text/composed.txt --normalize nfc",
    "text-many": f"text text/near text/far --gold text/gold --by-document --confidence --compare "
    f"{QUICK}",
    "text-blocks": f"{TEXT} --confidence --compare --unit block {QUICK}",
    "text-run": "text --run syntok --run pysbd --raw text/raw.txt --gold text/raw.gold.txt",
    "text-force": "text bad/text.txt --gold text/gold.txt --force",
    "treebank": BANK,
    "treebank-words": f"{BANK} --units words --show-errors 3",
    "treebank-many": "text text/banks/near text/banks/far --gold text/banks/gold --units words "
    f"--by-document --confidence {QUICK}",
    "treebank-mixed": "text text/near.txt text/far.conllu --gold text/gold.conllu",
    # Terms.
    "terms": TERMS,
    "terms-paper": f"{TERMS} --profile paper",
    "terms-parts": f"{TERMS} --parts 3 --within-talker --talkers speech/talkers.txt",
    "terms-talkers": rf"{TERMS} --within-talker --talkers '^(s\d\d)' --seed 3",
    "terms-confidence": f"{TERMS} --confidence --compare {QUICK}",
}
WITH_TEXT: dict[str, str] = {
    "with-text": f"transcript s1.txt s2.txt {REFS}",
    "with-text-speakers": "transcript timed/s1.nlp --ref timed/anna.nlp --ref timed/ben.nlp",
    "with-text-agreement": "agreement many/anna many/ben",
    "with-text-text": TEXT,
    "with-text-terms": TERMS,
}
TABLES: dict[str, str] = {
    "text-conll": f"{BANK} --conll",
    "compare": f"compare rows/transcript-many.jsonl {QUICK}",
    "compare-pairs": f"compare rows/transcript-many.jsonl --all-pairs --mean macro {QUICK}",
    "compare-measure": "compare rows/transcript-many.jsonl --measure wisebe --measure f1_mean "
    f"--baseline s2 --unit document --method percentile {QUICK}",
    "compare-blocks": f"compare rows/confidence-blocks.jsonl {QUICK}",
    "compare-text": f"compare rows/text-many.jsonl {QUICK}",
    "compare-treebank": f"compare rows/treebank-many.jsonl {QUICK}",
    "compare-terms": f"compare rows/terms-confidence.jsonl {QUICK}",
    "correlate": "correlate rows/transcript-many.jsonl",
    "correlate-measure": "correlate rows/transcript-many.jsonl --measure wisebe --measure f1_mean "
    "--measure pk_mean --resamples 200 --method percentile",
    "correlate-agreement": "correlate rows/agreement-many.jsonl",
    "correlate-text": "correlate rows/text-many.jsonl",
}
PLAIN: dict[str, str] = {
    "report": "report rows/transcript-many.jsonl -o out/page.html",
    "report-with-text": "report rows/with-text.jsonl -o out/page.html --confidence "
    f"--compare {QUICK}",
    "report-text": "report rows/with-text-text.jsonl -o out/page.html",
    "report-terms": "report rows/with-text-terms.jsonl -o out/page.html",
    "segment-s1": "segment s1 marks/anna.txt",
    "segment-s2": "segment s2 timed/anna.nlp -o out/talk.srt",
    "segment-best": "segment best marks/anna.txt --probabilities",
    "segment-threshold": "segment s1 marks/anna.txt --threshold 0.3 -f slashes",
    "segment-length": "segment best marks/anna.txt --mean-length 8",
    "segment-pauses": "segment pauses:0.4 timed/anna.ctm -f marks",
    **{
        f"convert-{name}": f"convert timed/anna.{suffix} - --to {name}"
        for name, suffix in {
            "srt": "json",
            "vtt": "stm",
            "ctm": "TextGrid",
            "stm": "rttm",
            "rttm": "nlp",
            "textgrid": "jsonl",
            "eaf": "nlp",
            "jsonl": "vtt",
            "masses": "eaf",
            "labels": "ctm",
            "lines": "json",
            "slashes": "srt",
            "binary": "rttm",
        }.items()
    },
    "convert-units": "convert timed/anna.srt out/talk.vtt --units marks",
    "convert-recordings": "convert recordings/anna.stm out/ --to lines",
    "convert-strict": "convert timed/anna.nlp out/talk.txt --strict",
    "list-measures": "list measures",
    "list-formats": "list formats",
    "list-detectors": "list detectors",
    "version": "--version",
    # What is at fault is told in a line, with its status.
    "bad-words": "transcript bad/typo.txt --ref anna.txt",
    "bad-end": "transcript bad/short.txt --ref anna.txt",
    "bad-empty": "transcript bad/empty.txt --ref anna.txt",
    "bad-digits": "transcript bad/digits.txt --ref anna.txt",
    "bad-subtitles": "transcript bad/back.srt --ref anna.txt",
    "bad-bytes": "transcript bad/latin.txt --ref anna.txt",
    "bad-archive": "transcript bad/broken.txt.gz --ref anna.txt",
    "bad-path": "transcript nowhere.txt --ref anna.txt",
    "bad-mixture": "transcript s1.txt --ref many/anna",
    "bad-folder": "transcript bad/none --ref many/anna",
    "bad-missing": "transcript few/s2 --ref few/anna",
    "bad-document": "transcript spoilt/s1 --ref spoilt/anna",
    "bad-times": "transcript s1.txt --ref anna.txt --axis time",
    "bad-name": "transcript s1.txt --ref s1.txt",
    "bad-form": "transcript s1.txt --ref anna.txt --input line",
    "bad-rule": "transcript s1.txt --ref anna.txt --normalize filler",
    "bad-consensus": "transcript s1.txt --ref anna.txt --consensus 2",
    "bad-sweep": "transcript s1.txt --ref anna.txt --sweep windows=1..3",
    "bad-gate": "transcript s1.txt --ref anna.txt --fail-under wiseb=0.3",
    "bad-detector": "transcript --run s3 --ref anna.txt",
    "bad-option": "transcript s1.txt --ref anna.txt --windows 3",
    "bad-usage": "transcript s1.txt",
    "bad-text": "text bad/text.txt --gold text/gold.txt",
    "bad-treebank": "text bad/columns.conllu --gold text/gold.conllu",
    "bad-conll": "text text/near.txt --gold text/gold.txt --units syllables",
    "bad-class": f"terms bad/no.class {GOLD}",
    "bad-phones": "terms speech/good.class --phones bad/back.phn --words speech/gold.wrd",
    "bad-rows": "compare bad/rows.jsonl",
    "no-rows": "report bad/no.jsonl -o out/page.html",
    "bad-measure": "compare rows/transcript-many.jsonl --measure wisebee",
    "bad-list": "list measure",
}
APART: dict[str, str] = {
    "processes": f"transcript many/s1 many/s2 {MANY} --engine processes -j 2",
    "processes-text": "text text/near text/far --gold text/gold --engine processes -j 2",
    "processes-terms": f"{TERMS} --engine processes -j 2",
    "dask": f"transcript many/s1 many/s2 {MANY} --engine dask -j 2",
}
CORAAL = "data/asr/coraal"
CALLS = "data/asr/earnings21"
REAL: dict[str, str] = {
    "real-wisebe": "transcript data/wisebe/text/S1.txt data/wisebe/text/S2.txt "
    + " ".join(f"--ref data/wisebe/text/ref{at}.txt" for at in (1, 2, 3))
    + " --by-mark --confidence --compare",
    "real-coraal": f"transcript {CORAAL}/rev_aa --ref {CORAAL}/rev --ref {CORAAL}/coraal "
    f"--ref {CORAAL}/amberscript --align --by-document",
    "real-coraal-agreement": f"agreement {CORAAL}/rev {CORAAL}/coraal {CORAAL}/amberscript --align "
    "--normalize fillers,fragments,hyphens,contractions,numbers",
    "real-calls": f"transcript {CALLS}/amazon {CALLS}/google {CALLS}/microsoft "
    f"--ref {CALLS}/reference --align --normalize numbers,hyphens --by-mark",
    "real-calls-time": f"transcript {CALLS}/amazon/4330115.nlp --ref "
    f"speechmatics={CALLS}/speechmatics/4330115.nlp --axis time",
    "real-typed": "transcript data/mdeval/md_test18.sys.rttm "
    "--ref data/mdeval/md_test18.ref.rttm --final keep",
    "real-text": "text data/text/ewt.nltk.txt --gold data/text/ewt.gold.txt --show-errors 10",
    "real-text-literal": "text data/text/pronouns.nltk.txt --gold data/text/pronouns.gold.txt "
    "--algorithm literal",
    "real-treebank": "text data/text/partut.stanza.conllu data/text/partut.nltk.txt "
    "--gold data/text/partut.gold.conllu --units words",
    "real-treebank-other": "text data/text/pronouns.stanza.conllu "
    "--gold data/text/pronouns.gold.conllu --units words --confidence",
    "real-treebank-bad": "text data/text/ewt.stanza.conllu --gold data/text/ewt.gold.conllu",
}


def commands(*, has_data: bool) -> Iterator[Command]:
    """All commands; those on real data where there are any."""
    yield from _made(SCORED, FORMATS, (*ROWS, *PAGE))
    yield from _made(COMMUNITIES, FORMATS, (*ROWS, *PAGE))
    yield from _made(WITH_TEXT, ("json",), (*ROWS, "--with-text", *PAGE))
    yield from _made(TABLES, FORMATS)
    yield from _made(PLAIN)
    yield from _made(APART, ("json",), ROWS, apart=True)
    if has_data:
        yield from _made(REAL, ("json", "table"), (*ROWS, *PAGE))


def _made(
    lines: Mapping[str, str],
    formats: tuple[str, ...] = (),
    saves: tuple[str, ...] = (),
    *,
    apart: bool = False,
) -> Iterator[Command]:
    for name, line in lines.items():
        yield Command(name, tuple(shlex.split(line)), formats, saves, apart)
