"""Communities, trees, corrections and sentences for the baseline: their inputs and commands.

Each kind has folders `KIND/a` and `KIND/b` of annotators and `KIND/s1` and `KIND/s2` of systems,
with the same five documents; `a` is the gold where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

DOCUMENTS = 5
ERRORS = {"a": 0.0, "b": 0.1, "s1": 0.15, "s2": 0.35}
"""How often each version departs from what the document says."""
WORDS = ("it", "rained", "all", "night", "so", "we", "left", "early", "They", "said", "no", "了")
LABELS = ("A", "B", "C")

Cuts = list[int]


def make_communities(folder: Path, seed: int) -> None:
    """Write the inputs of all kinds; they are the same every time."""
    for kind, (suffix, written) in KINDS.items():
        for number in range(1, DOCUMENTS + 1):
            for name, error in ERRORS.items():
                document = Random(f"{seed} {kind} {number}")
                text = written(document, Random(f"{seed} {kind} {number} {name}"), error)
                path = folder / kind / name / f"d{number}.{suffix}"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="")
    questions = ["question,references,corpus_id"]
    for number in range(1, DOCUMENTS + 1):
        excerpt = f'{{""start_index"": {4 * number}, ""end_index"": {60 + number}}}'
        questions.append(f'who {number},"[{excerpt}]",d{number}')
    (folder / "questions.csv").write_text("\n".join(questions) + "\n", encoding="utf-8")


def _cuts(document: Random, version: Random, error: float, length: int, share: float) -> Cuts:
    """Where a version cuts a document: the document's cuts, but for errors; never at an end."""
    true = [document.random() < share for _ in range(length)]
    return [at for at in range(1, length) if true[at] != (version.random() < error * share * 2)]


def _parts(words: list[str], cuts: Cuts) -> Iterable[list[str]]:
    for start, end in zip([0, *cuts], [*cuts, len(words)], strict=True):
        yield words[start:end]


def _lines(document: Random, version: Random, error: float) -> str:
    words = document.choices(WORDS, k=60)
    cuts = _cuts(document, version, error, len(words), 0.2)
    return "".join(" ".join(part) + "\n" for part in _parts(words, cuts))


def _segments(document: Random, version: Random, error: float) -> str:
    """Sentences of a translation, with other words here and there."""
    words = document.choices(WORDS, k=60)
    cuts = _cuts(document, version, error, len(words), 0.15)
    words = [version.choice(WORDS) if version.random() < error / 2 else word for word in words]
    return "".join(" ".join(part) + ".\n" for part in _parts(words, cuts))


def _characters(document: Random, version: Random, error: float) -> str:
    """Chinese words, one sentence a line."""
    lines = []
    for _ in range(4):
        text = document.choices("我们昨天下午去了河边气很好", k=20)
        words = map("".join, _parts(text, _cuts(document, version, error, len(text), 0.6)))
        lines.append(" ".join(words) + "\n")
    return "".join(lines)


def _discourse(document: Random, version: Random, error: float) -> str:
    words = document.choices(WORDS, k=40)
    begins = {0, *_cuts(document, version, error, len(words), 0.2)}
    lines = ["# newdoc_id = d"]
    for at, word in enumerate(words):
        label = "BeginSeg=Yes" if at in begins else "_"
        lines.append("\t".join((str(at + 1), word, *"_______", label)))
    return "\n".join(lines) + "\n\n"


def _phones(document: Random, version: Random, error: float) -> str:
    ends = [1600 * at + document.randrange(-300, 300) for at in range(1, 16)]
    ends = [end + round(version.gauss(0, 1600 * error)) for end in ends]
    ends = [end for end in sorted(ends) if version.random() >= error / 2]
    edges = zip([0, *ends], [*ends, 30_000], strict=True)
    phones = (document.choice(("h#", "aa", "t", "iy", "k")) for _ in range(99))
    return "".join(f"{on} {off} {phone}\n" for (on, off), phone in zip(edges, phones, strict=False))


def _subtitles(document: Random, version: Random, error: float) -> str:
    words = document.choices(WORDS, k=40)
    parts = _parts(words, _cuts(document, version, error, len(words), 0.2))
    marks = ("<eol>", "<eob>")
    return " ".join(" ".join((*part, version.choice(marks))) for part in parts) + "\n"


def _turns(document: Random, version: Random, error: float) -> str:
    lines, time = [], 0.0
    for _ in range(12):
        length, who = document.uniform(0.5, 4), document.choice(LABELS)
        if version.random() >= error / 2:
            on = max(0, time + version.gauss(0, error))
            name = version.choice(LABELS) if version.random() < error else who
            lines.append(f"SPEAKER d 1 {on:.3f} {length:.3f} <NA> <NA> {name} <NA> <NA>\n")
        time += length + document.uniform(-0.4, 0.6)
    return "".join(lines)


def _sections(document: Random, version: Random, error: float) -> str:
    ends = [10.0 * at + document.uniform(-3, 3) for at in range(1, 9)]
    labels = document.choices(LABELS, k=9)
    ends = [end + version.gauss(0, 4 * error) for end in ends]
    labels = [version.choice(LABELS) if version.random() < error else name for name in labels]
    edges = zip([0.0, *ends], [*ends, 90.0], labels, strict=True)
    return "".join(f"{on:.3f}\t{off:.3f}\t{name}\n" for on, off, name in edges)


def _points(document: Random, version: Random, error: float) -> str:
    points = {20 * at + document.randrange(-8, 8) for at in range(1, 9)}
    moved = {point + round(version.gauss(0, 12 * error)) for point in points}
    return "".join(f"{point}\n" for point in sorted(moved) if version.random() >= error / 2)


def _chapters(document: Random, version: Random, error: float) -> str:
    starts = [0] + [60 * at + document.randrange(-25, 25) for at in range(1, 8)]
    starts = [start + abs(round(version.gauss(0, 60 * error))) * (start > 0) for start in starts]
    return "".join(f"{at // 60}:{at % 60:02} Chapter\n" for at in sorted(set(starts)))


def _shots(document: Random, version: Random, error: float) -> str:
    lines, start = [], 0
    for _ in range(8):
        end = start + document.randrange(30, 80)
        cut = end + round(version.gauss(0, 10 * error))
        lines.append(f"{start} {cut}\n")
        start = cut + 1 + document.choice((0, 0, 6))
    return "".join(lines)


def _morphs(document: Random, version: Random, error: float) -> str:
    lines = []
    for _ in range(20):
        stem, ending = (
            document.choice(("walk", "talk", "house")),
            document.choice(("s", "ing", "er")),
        )
        morphs = f"{stem} @@{ending}" if version.random() >= error else f"{stem}{ending}"
        lines.append(f"{stem}{ending}\t{morphs}\t010\n")
    return "".join(lines)


def _tree(document: Random, version: Random, error: float) -> str:
    lines = []
    for _ in range(10):
        words = [
            f"({document.choice(('NN', 'VB', 'DT'))} {word})"
            for word in document.choices(WORDS, k=7)
        ]
        parts = _parts(words, _cuts(document, version, error, len(words), 0.4))
        label = ("NP", "VP", "PP")
        phrases = (
            f"({version.choice(label) if version.random() < error else 'NP'} {' '.join(part)})"
            for part in parts
        )
        lines.append(f"(TOP (S {' '.join(phrases)}))\n")
    return "".join(lines)


def _edits(document: Random, version: Random, error: float) -> str:
    blocks = []
    for _ in range(10):
        words = document.choices(WORDS, k=9)
        at, right = document.randrange(8), document.choice(WORDS)
        word = version.choice(WORDS) if version.random() < error else right
        edit = f"A {at} {at + 1}|||R:VERB|||{word}|||REQUIRED|||-NONE-|||0\n"
        blocks.append(f"S {' '.join(words)}\n{edit if version.random() >= error else ''}\n")
    return "".join(blocks)


KINDS: dict[str, tuple[str, Callable[[Random, Random, float], str]]] = {
    "units": ("txt", _lines),
    "translations": ("txt", _segments),
    "sighan": ("txt", _characters),
    "disrpt": ("tok", _discourse),
    "phones": ("phn", _phones),
    "subtitles": ("txt", _subtitles),
    "speakers": ("rttm", _turns),
    "sections": ("lab", _sections),
    "changes": ("txt", _points),
    "chapters": ("txt", _chapters),
    "shots": ("txt", _shots),
    "morphemes": ("tsv", _morphs),
    "trees": ("mrg", _tree),
    "edits": ("m2", _edits),
}
"""The suffix and the maker of each kind of file."""

STATISTICS = "--confidence --compare --resamples 500"


def _score(profile: str, kind: str = "", more: str = "", *, several: bool = True) -> dict[str, str]:
    """A community with one annotator, with its statistics, and with two annotators."""
    kind = kind or profile
    line = f"score {profile} {kind}/s1 {kind}/s2 --gold {kind}/a {more}"
    lines = {
        f"score-{profile}": f"{line} --by-document",
        f"score-{profile}-also": f"{line} --also boundary {STATISTICS}",
    }
    return lines | ({f"score-{profile}-two": f"{line} --gold {kind}/b"} if several else {})


ALSO = (
    "ghd", "rand", "coders", "coder_pairs", "conventions", "starts", "spans", "choi", "discourse",
    "seg_eval", "breaks",
)  # fmt: skip
ALSO_BY_TIME = ("unsupseg", "strgar", "tokens", "kamper", "deviation", "purity", "music")
UNITS = "transcript units/s1 units/s2 --ref units/a"
TIMES = "transcript sections/s1 sections/s2 --ref sections/a --axis time"
CHUNKS = "score chunks --run sentences --run fixed:9 --gold questions.csv --documents units/a"
TREES = "trees trees/s1 trees/s2 --gold trees/a"
SENTENCES = "sentences translations/s1 translations/s2 --ref translations/a"
COMMUNITIES: dict[str, str] = {
    **_score("sighan", more="--also classic", several=False),
    **_score("disrpt"),
    **_score("topics", "units"),
    **_score("phones", more="--rate 16000 --also tokens --also kamper", several=False),
    **_score("subtitles"),
    **_score("speakers", several=False),
    **_score("changes", more="--n 200"),
    **_score("music", "sections", several=False),
    **_score("shots", several=False),
    **_score("events", "sections", several=False),
    **_score("chapters", more="--duration 520s", several=False),
    **_score("morphemes", several=False),
    "score-chunks": f"{CHUNKS} --by-document",
    "score-chunks-also": f"{CHUNKS} --also boundary {STATISTICS}",
    **{f"also-{name}": f"{UNITS} --also {name} {STATISTICS}" for name in ALSO},
    **{f"also-{name}-two": f"{UNITS} --ref units/b --also {name}" for name in ALSO},
    **{f"also-time-{name}": f"{TIMES} --also {name}" for name in ALSO_BY_TIME},
    **{f"agreement-also-{name}": f"agreement units/a units/b --also {name}" for name in ALSO[:4]},
    "text-also": "text units/s1 units/s2 --gold units/a --also classic --also words",
    "trees": f"{TREES} --by-document --by label",
    "trees-evalb": f"{TREES} --evalb collins {STATISTICS}",
    "trees-jp": f"{TREES} --algorithm jp",
    "corrections": f"corrections edits/s1 edits/s2 --gold edits/a {STATISTICS}",
    "corrections-by": "corrections edits/s1 --gold edits/a --by type",
    "sentences": f"{SENTENCES} {STATISTICS}",
    "sentences-by-document": f"{SENTENCES} --by-document --show-errors 3",
}
