"""Targets: what users do with a file, most of it through the library.

Whatever else commands do with files is drawn in `lines`.
"""

import math
import re
import shutil
from contextlib import contextmanager, suppress
from functools import partial
from itertools import accumulate
from pathlib import Path
from unittest.mock import patch

import caesura
from caesura.api.conversion import Conversion
from caesura.errors import CaesuraError, FormatError, SourceError
from caesura.formats.equivalences import load
from caesura.formats.registry import PLAIN, TIMED
from caesura.formats.text_files import read_tokens
from caesura.formats.texts import TextOptions
from caesura.io.files import read_text, read_utf8
from caesura.tasks.trees.format import parse_forest
from fuzz.kinds import unchanging
from fuzz.outcome import BrokenPromiseError, checked, hold
from fuzz.values import WORDS

UNITS = ("auto", "auto", "segments", "marks")
OPTIONS = (
    *({}, {}, {"align": True}, {"axis": "time"}, {"by": "speaker"}, {"streams": "speaker"}),
    *({"streams": "channel", "pool": True}, {"tolerance": 0, "k": 3}, {"profile": "tool"}),
    *({"marks": ".,", "units": "marks"}, {"run": "every:3"}, {"reads": True, "blocks": True}),
    {"align": True, "normalize": "numbers,hyphens,contractions,fillers"},
    {"confidence": True, "resamples": 20},
)
MORE = ({}, {}, {"force": True}, {"confidence": True, "resamples": 20})
TREE_OPTIONS = (
    *({}, {}, {"labels": "full"}, {"keep_empty": True}, {"labels": "full", "keep_empty": True}),
    *({"algorithm": "jp"}, {"algorithm": "jp", "keep_empty": True}),
    *({"evalb": "collins"}, {"evalb": "new"}),
)
TARGETS = (*PLAIN, *TIMED)
evaluate = partial(caesura.evaluate, jobs=1)
RESAMPLES = ("--resamples", "50")


def command(path, *arguments):
    """Run `caesura ARGUMENTS`, which reads a file."""
    checked([str(each) for each in arguments], path)


def between(path, rng, name):
    """A file and its seed, either first, or the file twice."""
    seed = f"seed-{name}{Path(path).suffix}"
    return rng.choice(((path, seed), (seed, path), (path, path)))


def read(path, rng, name):
    """Read a transcript."""
    form = rng.choice(("auto", name if name in TARGETS else "auto"))
    caesura.read(path, input=form, units=rng.choice(UNITS))


def keeps(path, rng, name):
    """Convert into a format and read it back; our own JSON lines must keep all there is."""
    to = rng.choice(("jsonl", rng.choice(TARGETS)))
    form = name if name in TARGETS else "auto"
    conversion = Conversion(to, input=form, units=rng.choice(UNITS))
    recordings = conversion.read(path)
    text = conversion.write(recordings)
    try:
        changes = conversion.changes(recordings, text)
    except CaesuraError as problem:
        raise BrokenPromiseError(f"{to} cannot be read back: {problem}") from None
    hold(to != "jsonl" or not changes, f"{to} does not keep {changes}")


def itself(path, rng, _name):
    """Score a transcript against itself."""
    result = evaluate({"s": path}, {"r": path}, units=rng.choice(UNITS))
    if list(result.systems) == ["s"]:  # a file of several coders is several systems
        f1 = result.systems["s"].f1_mean
        hold(f1 == 1 or math.isnan(f1), f"F1 against itself is {f1}")


def against(path, rng, name):
    """Score it against a valid transcript, with some options."""
    options = rng.choice(OPTIONS)
    seed = f"seed-{name}{Path(path).suffix}"
    sides = rng.choice((({"s": path}, {"r": seed}), ({"s": seed}, {"r": path, "q": seed})))
    evaluate(*sides, **options)


def named(path, rng, name):
    """Score it under a troublesome name, in a file of such a name, in every form of output."""
    called = [re.sub("[\0/]", "", each)[:80].strip(".") or "x_x" for each in rng.sample(WORDS, 2)]
    place = Path(path).parent / "named" / f"{called[0]}{Path(path).suffix}"
    place.parent.mkdir()
    shutil.copyfile(path, place)
    one, other = between(place, rng, name)
    form = rng.choice(("table", "json", "csv", "markdown", "latex"))
    page = rng.choice(([], ["--html", place.parent / "x.html"], ["--rows", place.parent / "x"]))
    task = ("trees", "--gold") if name == "trees" else ("transcript", "--ref")
    system = rng.choice((f"{called[1]}={one}", one))
    command(path, task[0], system, task[1], other, "-f", form, "-j", "1", *page)


def tokens(path, rng, name):
    """Read text, and score it against itself."""
    options = TextOptions(
        units=rng.choice(("tokens", "words")),
        normalize=rng.choice((None, None, "NFC", "NFKC")),
        equivalences=load(rng.choice(("quotes", "english-contractions", "none"))),
    )
    text = read_tokens(path, options).text
    result = caesura.joint(text, text)
    hold(result.tokens.fp == result.tokens.fn == 0, "tokens differ from themselves")


def text(path, rng, name):
    """Score text against gold."""
    options = rng.choice((*MORE, {"algorithm": "literal"}, {"units": "words"}))
    system, gold = between(path, rng, name)
    evaluate({"s": system}, gold=gold, **options)


def forest(path, rng, _name):
    """Read trees: as evalb does, too, and in parts."""
    data = read_utf8(path)
    with suppress(CaesuraError):
        loose = parse_forest(data, path, is_loose=True)
    with naming(path):
        strict = _contents(parse_forest(data, path))
    hold("loose" in locals() and _contents(loose) == strict, "evalb would read other trees")
    with patch("caesura.tasks.trees.format.PART", rng.randrange(60)):
        hold(_contents(parse_forest(data, path)) == strict, "other trees in parts")


def _contents(forest):
    """The leaves that have words, and the brackets around such."""
    tags = [forest.names[tag] for tag in forest.tag.tolist()]
    words = [(tag, forest.word(leaf)) for leaf, tag in enumerate(tags)]
    before = [0, *accumulate(word != "" for _, word in words)]
    places = zip(forest.label.tolist(), forest.first.tolist(), forest.last.tolist(), strict=True)
    brackets = [(forest.names[label], before[a], before[b]) for label, a, b in places]
    return [each for each in words if each[1]], [each for each in brackets if each[1] < each[2]]


@contextmanager
def naming(path):
    """Expect that what is wrong with a file is said on one line, which names it."""
    try:
        yield
    except (FormatError, SourceError) as problem:
        is_plain = str(problem).startswith(path) and "\n" not in str(problem)
        hold(is_plain, f"an error of several lines or without the file: {problem}")
        raise


def tree_itself(path, rng, _name):
    """Score trees against themselves."""
    options = rng.choice(TREE_OPTIONS)
    if rng.random() < 0.5:
        same_trees(read_text(path), **options)
    with naming(path):
        same_trees(Path(path), **options)


def same_trees(trees, **options):
    """Score trees against themselves: nothing is wrong, but that jp matches equal brackets once."""
    found = caesura.trees(trees, trees, **options)
    wrong = (found.brackets, found.unlabelled, found.tags)
    hold(all(each.fp == each.fn for each in wrong), "trees have more brackets than themselves")
    if options.get("algorithm") == "jp":
        return
    hold(not any(each.fp for each in wrong), "trees differ from themselves")
    for name in ("bracket_f1", "tag_f1", "complete_share"):
        score = getattr(found, name)
        hold(score == 1 or math.isnan(score), f"{name} against itself is {score}")
    hold(found.crossing_brackets == 0, "trees cross themselves")


def tree_scores(path, rng, _name):
    """Score trees against valid ones, with some options."""
    other = f"{rng.randint(1, 4)}.mrg"
    system, gold = rng.choice(((path, other), (other, path)))
    options = rng.choice(TREE_OPTIONS) | rng.choice((*MORE, {"blocks": True}))
    evaluate({"s": system}, gold=gold, task="trees", **options)


def parameters(path, rng, _name):
    """Score trees with parameters of evalb."""
    if rng.random() < 0.5:
        with naming(path):
            same_trees(Path(f"{rng.randint(1, 4)}.mrg"), evalb=path)
    system = rng.choice(("2.mrg", "3.mrg", "4.mrg", "4.mrg"))
    command(path, "trees", system, "--gold", "1.mrg", "-j", "1", "--evalb", path, "-f", "evalb")


def morphs(path, rng, name):
    """Score morphs against valid ones, or against themselves."""
    more = rng.choice((*MORE, {"reads": True}))
    system, gold = between(path, rng, name)
    found = evaluate({"s": system}, gold={"g": gold}, profile="morphemes", **more)
    scores = found.systems["s"]
    hold(system != gold or scores.f1 == scores.accuracy == 1, "morphs differ from themselves")


def chunks(path, rng, name):
    """Score chunks on a gold, or a chunker on questions or on a gold chunking."""
    more = rng.choice(({}, {}, MORE[-1]))
    gold = {each: [[{"start": 1, "end": 6}]] for each in ("x", "y")}
    if name == "chunks" and rng.random() < 0.7:
        evaluate({"s": path}, gold=gold, task="chunks", documents="a", missing="skip", **more)
    else:
        evaluate(gold=path, profile="chunks", documents="a", run=("fixed:7:2", "sentences"), **more)


def table(path, rng, _name):
    """Score text with a table of equivalences."""
    evaluate({"s": "t.txt"}, gold="t.txt", equivalences=path)


def terms(path, rng, name):
    """Score terms, with the file as one of the three."""
    files = {"class": "found.class", "phn": "gold.phn", "wrd": "gold.wrd"}
    files |= {"phn" if name.startswith("phones") else name: path}
    ways = {}, {"profile": "paper"}, {"parts": 2}, {"within_talker": True}, {"reads": True}
    options = rng.choice(ways)
    if name == "phones.textgrid":
        files |= {"class": {"1": [("x", 0.5, 0.75), ("x", 1.0, 1.75)]}, "wrd": path}
    if name == "talkers":
        options = {"talkers": path}
    evaluate({"s": files["class"]}, phones=files["phn"], words=files["wrd"], **options)


def phones(path, rng, name):
    """Score the intervals of a file against its seed, or against itself."""
    system, gold = between(path, rng, name)
    more = rng.choice(({}, {"tier": "words"}, {"rate": 16000}, {"final": "keep"}))
    found = evaluate({"s": system}, gold={"g": gold}, profile="phones", **more)
    hold(system != gold or not found.systems["s"].f1 < 1, "intervals unlike themselves")


def speakers(path, rng, _name):
    """Score the segments of speakers of a file against themselves."""
    found = evaluate({"s": path}, gold={"g": path}, profile="speakers", tier="SPEAKER")
    own = found.systems["s"]
    hold(own.purity == 1 and own.der == own.jer == 0, "speakers unlike themselves")


def uem(path, rng, _name):
    """Score units, or segments of speakers, where a UEM says."""
    also = rng.choice(((), ("purity",)))
    evaluate({"s": "seed-rttm.rttm"}, {"r": "seed-rttm.rttm"}, uem=path, axis="time", also=also)


def compare(path, rng, _name):
    """`caesura compare` of saved rows."""
    form = rng.choice(("table", "json", "csv", "markdown", "latex"))
    more = rng.choice(([], ["--all-pairs"], ["--mean", "macro"], ["--unit", "block"]))
    command(path, "compare", path, "-f", form, *RESAMPLES, *more)


def correlate(path, rng, _name):
    """`caesura correlate` of saved rows."""
    command(path, "correlate", path, *RESAMPLES)


def report(path, rng, _name):
    """`caesura report` of saved rows."""
    more = rng.choice(([], [], ["--confidence", *RESAMPLES], ["--compare", *RESAMPLES]))
    command(path, "report", path, "-o", Path(path).parent / "report.html", *more)


def resume(path, rng, _name):
    """Resume a run whose rows are damaged: afterwards they are the same as without."""
    place = Path(path).parent / "r.jsonl"
    shutil.copyfile(path, place)
    with unchanging():
        evaluate({"s": "a"}, {"r": "b"}, rows=str(place), resume=True, with_text=True)
    hold(place.read_bytes() == Path("seed-rows.jsonl").read_bytes(), "other rows after resuming")


def held(path, rng, name):
    """Score documents of an archive or a table against others, or against itself."""
    options = rng.choice(({}, {"keep_going": True}, {"missing": "skip"}, {"align": True}))
    other = rng.choice((path, "a", f"seed-{name}{Path(path).suffix}"))
    sides = rng.choice((({"s": path}, {"r": other}), ({"s": other}, {"r": path})))
    evaluate(*sides, **options)


def held_text(path, rng, _name):
    """The same as text."""
    evaluate({"s": path}, gold=rng.choice((path, "a")), missing="skip")


def model(path, rng, _name):
    """`caesura segment` with a model."""
    more = rng.choice(([], ["--probabilities"], ["--mean-length", "3"], ["-f", "marks"]))
    command(path, "segment", path, "a/x.txt", *more)


def model_run(path, rng, _name):
    """Score what a model does."""
    evaluate((), {"r": "a"}, run={"m": path})


TRANSCRIPT = (*(read,) * 20, *(keeps,) * 20, itself, named, *(against,) * 3)
USES = {
    "tokens": (*(tokens,) * 8, text),
    "treebank": (*(tokens,) * 6, *(read,) * 6, text),
    "equivalences": (table,),
    "morphs": (morphs,),
    **dict.fromkeys(("chunks", "questions"), (chunks,)),
    "trees": (*(forest,) * 4, *(tree_itself,) * 4, *(tree_scores,) * 2, named),
    "prm": (parameters,),
    **dict.fromkeys(("class", "talkers"), (terms,)),
    **dict.fromkeys(("phn", "wrd", "phones.ctm", "phones.textgrid"), (terms, phones)),
    "speakers": (speakers,),
    "uem": (uem,),
    "rows": (compare, correlate, report),
    "unfinished": (resume,),
    **dict.fromkeys(("zip", "tar", "cells", "parquet"), (*(held,) * 4, held_text)),
    "model": (model, model, model_run),
}
"""What is done with a kind of file; whatever is not here is a transcript."""


def uses(name):
    """All that is done with a file of this kind."""
    return USES.get(name, TRANSCRIPT)


def target_of(name, rng):
    """Something to do with a file of this kind."""
    return rng.choice(uses(name))


def often(name):
    """How often a kind is tried, beside others: more often if it is quickly read."""
    return 6 if name not in USES else 3 if name in ("tokens", "treebank", "trees") else 1
