"""Each task beside the programs that do some of the same, in one table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import terms
import text
import transcript
from common import Clock, milliseconds, times
from text_samples import load
from transcript_peers import COMPARISONS, Transcript

Row = tuple[str, ...]
HEADER = ("task", "beside", "on", "theirs, ms", "ours, ms", "faster")


def beside_text(folder: Path, clock: Clock, words: int, budget: float) -> Iterator[Row]:
    """UD's script and `wc -w`; ours in this process, and as a command with its start-up."""
    sizes = text.Plan((words,), words, 0, budget, markdown=False)
    bench = text.Bench(load(), folder, clock, sizes)
    ud = text.time_ud(bench)
    pair = bench.conllu(ud.words)
    on = f"{ud.words:,} words"
    yield _row("text, CoNLL-U", "UD's script", on, ud.seconds, clock.best(pair.count))
    pair = bench.tokens(words)
    wc, on = clock.best(lambda: text.count_words(pair)), f"{pair.words:,} words"
    yield _row("text, tokens", "LC_ALL=C wc -w", on, wc, clock.best(pair.count))
    yield _row("  the command", "LC_ALL=C wc -w", on, wc, text.time_command(pair, clock))


def beside_transcript(clock: Clock, words: int, budget: float) -> Iterator[Row]:
    """Measures of transcripts; ours from arrays of 0 and 1."""
    plan = transcript.Plan(words, budget, 0, (), markdown=False)
    tasks: dict[int, Transcript] = {}
    for comparison in COMPARISONS:
        if comparison.peer != "obvious NumPy":
            cells = transcript.compare(comparison, tasks, plan, clock)
            measure, peer, given, number, _, theirs, _, _, ours, ratio, _ = cells
            yield f"transcript, {measure}", peer, f"{number} words, {given}", theirs, ours, ratio


def beside_terms(share: Path, classes: str, language: str) -> Iterator[Row]:
    """zerospeech-tde, from the files to all scores, in CPU time."""
    corpus, watch = terms.Corpus.of(share, classes, language), terms.Watch()
    scores = terms.theirs(corpus, watch, grouping=True)
    terms.require_equal(corpus.count(), scores)
    ours = terms.count_ours(corpus, 3, grouping=True)
    on = f"{classes} on {language}"
    yield _row("terms, all scores", "zerospeech-tde", on, watch.total.cpu, ours.cpu)


def _row(task: str, peer: str, on: str, theirs: float, ours: float) -> Row:
    return task, peer, on, milliseconds(theirs), milliseconds(ours), times(theirs / ours)
