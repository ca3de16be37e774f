"""Inputs for the baseline: transcripts, texts and speech, made up from a seed without caesura."""

from __future__ import annotations

import gzip
import json
import lzma
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from random import Random

from baselines.communities import make_communities
from baselines.talk_formats import NAME, PLAIN, TIMED, ctm, rttm, stm
from baselines.talks import ANNOTATORS, Talk, altered, made_talk, merged_speakers, version

SEED = 20261107
DOCUMENTS = 12
TAGS = ("NOUN", "VERB", "PRON", "ADP", "DET", "ADJ", "AUX", "ADV")
RELATIONS = ("nsubj", "obj", "nmod:poss", "obl", "advmod", "case", "det")
FEATURES = ("_", "Number=Sing", "Case=Nom|Number=Sing", "Person=3")
TOKENS = (
    "the", "cat", "sat", "on", "mat", "dog's", "ran", "into", "bed", "up", "we", "can't", "go",
    "He", "'s", "3.5", "Mr.", "naïve", "don't", "said", "``", "''", '"', "well-known", "U.S.",
    ",", ":", "(", ")", "it", "they're", "oil", "water", "people", "number", "time", "way",
)  # fmt: skip
PHONES = (
    "a", "b", "d", "e", "f", "g", "i", "k", "l", "m", "n", "o", "p", "s", "t", "u",
)  # fmt: skip

Sentence = list[tuple[str, ...]]
"""The words of each token; a token of several is a multiword one."""


def make(folder: Path) -> None:
    """Write all inputs into a folder; they are the same every time."""
    rng = Random(SEED)
    _one_talk(folder, rng)
    _many_talks(folder, rng)
    _timed(folder, rng)
    _texts(folder, rng)
    _speech(folder, rng)
    make_communities(folder, SEED)
    _bad(folder)


def write(path: Path, text: str) -> None:
    """Write a text, with the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


# --- Transcripts -----------------------------------------------------------------------


def _one_talk(folder: Path, rng: Random) -> None:
    """Three references and two systems of one talk, in every plain form."""
    talk = made_talk(rng, 600)
    for name, likeness in ANNOTATORS.items():
        own = version(talk, rng, *likeness)
        write(folder / f"{name}.txt", PLAIN["lines"](own))
        for form, written in PLAIN.items():
            write(folder / form / f"{name}.txt", written(own))
    data = (folder / "s1.txt").read_bytes()
    (folder / "packed.txt.gz").write_bytes(gzip.compress(data, mtime=0))
    (folder / "packed.txt.xz").write_bytes(lzma.compress(data))
    write(folder / "commas.txt", PLAIN["marks"](own).replace(";", ","))
    (folder / "latin.txt").write_bytes("le caf\xe9\nest ouvert\nce soir\n".encode("latin-1"))
    write(folder / "french.txt", "le café est\nouvert\nce soir\n")


def _many_talks(folder: Path, rng: Random) -> None:
    """The same of twelve talks, as folders, archives and tables; with other words, too."""
    talks = {f"d{at}": made_talk(rng, rng.randrange(80, 320)) for at in range(1, DOCUMENTS + 1)}
    for name, likeness in ANNOTATORS.items():
        own = {document: version(talk, rng, *likeness) for document, talk in talks.items()}
        plain = {document: PLAIN["lines"](each) for document, each in own.items()}
        _write_all(folder / "many" / name, plain)
        words = {document: altered(each, rng) for document, each in own.items()}
        _write_all(folder / "other" / name, {d: PLAIN["marks"](v) for d, v in words.items()})
        _archives(folder, name, plain)
        few = [document for document in plain if document != "d7"]
        _write_all(folder / "few" / name, {d: plain[d] for d in (few if name == "s2" else plain)})
        spoilt = plain | ({"d3": "other words\nthan these\n"} if name == "s1" else {})
        _write_all(folder / "spoilt" / name, spoilt)


def _write_all(folder: Path, texts: Mapping[str, str]) -> None:
    for document, text in texts.items():
        write(folder / f"{document}.txt", text)


def _archives(folder: Path, name: str, texts: Mapping[str, str]) -> None:
    source, packed = folder / "many" / name, folder / "packed"
    packed.mkdir(exist_ok=True)
    with (
        tarfile.open(packed / f"{name}.tar", "w") as tar,
        zipfile.ZipFile(packed / f"{name}.zip", "w") as archive,
    ):
        for path in sorted(source.iterdir()):
            tar.add(path, path.name)
            archive.write(path, path.name)
    records = [{"document": document, "text": text} for document, text in texts.items()]
    write(packed / f"{name}.jsonl", "".join(json.dumps(each) + "\n" for each in records))
    if find_spec("pyarrow"):
        from pyarrow import Table, parquet

        parquet.write_table(Table.from_pylist(records), packed / f"{name}.parquet")


# --- Timed formats ---------------------------------------------------------------------


def _timed(folder: Path, rng: Random) -> None:
    """One talk of three speakers in every timed format, and two recordings in one file."""
    talks = [made_talk(rng, 400, speakers=("A", "B", "C")) for _ in range(2)]
    first = {name: version(talks[0], rng, *each) for name, each in ANNOTATORS.items()}
    second = {name: version(talks[1], rng, *each) for name, each in ANNOTATORS.items()}
    for name in ANNOTATORS:
        for suffix, written in TIMED.items():
            write(folder / "timed" / f"{name}.{suffix}", written(first[name]))
        heard = altered(first[name], rng)
        for suffix in ("nlp", "ctm", "json"):
            write(folder / "heard" / f"{name}.{suffix}", TIMED[suffix](heard))
        both = {NAME: first[name], "panel": second[name]}
        for suffix, of in {"ctm": ctm, "stm": stm, "rttm": rttm}.items():
            text = "".join(of(each, recording) for recording, each in both.items())
            write(folder / "recordings" / f"{name}.{suffix}", text)
    write(folder / "timed" / "part.uem", f"{NAME} 1 5.0 60.0\n{NAME} 1 80.0 110.0\n")
    _overlapping(folder, rng, talks)


def _overlapping(folder: Path, rng: Random, talks: list[Talk]) -> None:
    """Two speakers at the same time, whose words only streams can keep apart."""
    for name, likeness in ANNOTATORS.items():
        own = [version(talk, rng, *likeness) for talk in talks]
        write(folder / "overlapping" / f"{name}.nlp", TIMED["nlp"](merged_speakers(own)))


# --- Texts -----------------------------------------------------------------------------


def _texts(folder: Path, rng: Random) -> None:
    """Tokenized text and treebanks: gold and two systems, one text and twelve."""
    sizes = {"one": 120, **{f"d{at}": rng.randrange(8, 30) for at in range(1, DOCUMENTS + 1)}}
    for name, size in sizes.items():
        gold = [_sentence(rng) for _ in range(size)]
        sides = {"gold": gold, "near": _respelt(gold, rng, 40), "far": _respelt(gold, rng, 8)}
        for side, sentences in sides.items():
            where = folder / "text"
            tokens, bank = (
                (where / f"{side}.txt", where / f"{side}.conllu")
                if name == "one"
                else (where / side / f"{name}.txt", where / "banks" / side / f"{name}.conllu")
            )
            write(tokens, tokenized(sentences))
            write(bank, treebank(sentences, Random(SEED), 1 if side == "gold" else 9))
    raw = tokenized([_sentence(rng) for _ in range(60)])
    write(folder / "text" / "raw.gold.txt", raw)
    write(folder / "text" / "raw.txt", raw.replace("\n", " "))
    write(folder / "text" / "pairs.tsv", "naïve\tnaive\nca n't\tcan not\n")
    write(folder / "text" / "decomposed.txt", tokenized(gold).replace("ï", "i\u0308"))
    write(folder / "text" / "composed.txt", tokenized(gold))


def _sentence(rng: Random) -> Sentence:
    words = [rng.choice(TOKENS) for _ in range(rng.randrange(2, 22))]
    tokens = [(word[:-3], "n't") if word.endswith("n't") else (word,) for word in words]
    return [*tokens, (rng.choice(".....?!"),)]


def _respelt(sentences: list[Sentence], rng: Random, one_in: int) -> list[Sentence]:
    """The same text with tokens split, joined, changed and dropped, sentences joined and cut."""
    result: list[Sentence] = [[]]
    for sentence in sentences:
        for token in sentence:
            chance = rng.randrange(one_in * 4)
            spelt = "".join(token)
            if chance == 0 and len(spelt) > 1:
                result[-1] += [(spelt[:1],), (spelt[1:],)]
            elif chance == 1 and result[-1]:
                result[-1][-1] = ("".join(result[-1][-1]) + spelt,)
            elif chance == 2:
                result[-1].append((spelt + "x",))
            elif chance == 3:
                result += [[token], []]
            else:
                result[-1].append(token)
        result += [[]] if rng.randrange(one_in) else []
    return [sentence for sentence in result if sentence]


def tokenized(sentences: Iterable[Sentence]) -> str:
    """One sentence a line, tokens separated by blanks."""
    return "".join(" ".join(map("".join, sentence)) + "\n" for sentence in sentences)


def treebank(sentences: Iterable[Sentence], rng: Random, one_wrong_in: int) -> str:
    """CoNLL-U; tags and heads depend on the words alone, but for a few of them."""
    lines: list[str] = []
    for sentence in sentences:
        number = 0
        for token in sentence:
            if len(token) > 1:
                span = f"{number + 1}-{number + len(token)}"
                lines.append("\t".join((span, "".join(token), *"________")))
            for word in token:
                number += 1
                lines.append(_word(word, number, rng, one_wrong_in))
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def _word(word: str, number: int, rng: Random, one_wrong_in: int) -> str:
    code = sum(map(ord, word)) + (one_wrong_in > 1 and rng.randrange(one_wrong_in) == 0)
    tag, relation = TAGS[code % len(TAGS)], RELATIONS[code % len(RELATIONS)]
    features = FEATURES[code % len(FEATURES)]
    head = max(0, number - 1 - code % 2) if number > 1 else 0
    edge = str(head), relation if head else "root"
    return "\t".join((str(number), word, word.lower(), tag, tag[:2], features, *edge, "_", "_"))


# --- Speech ----------------------------------------------------------------------------


def _speech(folder: Path, rng: Random) -> None:
    """Phones and words of four recordings by two talkers, and what two systems found."""
    lexicon = {f"w{at}": rng.choices(PHONES, k=rng.randrange(2, 6)) for at in range(25)}
    phones: list[str] = []
    words: list[str] = []
    found: list[tuple[str, str, float, float]] = []
    for recording in ("s01a", "s01b", "s02a", "s02b"):
        time = 0.0
        for word in rng.choices(list(lexicon), k=90):
            on = time
            for phone in lexicon[word]:
                off = time + rng.randrange(30, 160) / 1000
                phones.append(f"{recording} {time:.3f} {off:.3f} {phone}\n")
                time = off
            words.append(f"{recording} {on:.3f} {time:.3f} {word}\n")
            found.append((word, recording, on, time))
            if rng.random() < 0.2:
                phones.append(f"{recording} {time:.3f} {time + 0.2:.3f} SIL\n")
                time += 0.2
    speech = folder / "speech"
    write(speech / "gold.phn", "".join(phones))
    write(speech / "gold.wrd", "".join(words))
    talkers = {"s01a": "kim", "s01b": "kim", "s02a": "lee", "s02b": "lee"}
    write(speech / "talkers.txt", "".join(f"{file} {who}\n" for file, who in talkers.items()))
    for name, share in {"good": 0.9, "poor": 0.5}.items():
        write(speech / f"{name}.class", _classes(found, rng, share))


def _classes(found: list[tuple[str, str, float, float]], rng: Random, share: float) -> str:
    clusters: dict[str, list[str]] = {}
    for word, recording, on, off in found:
        if rng.random() < share:
            name = word if rng.random() < share else f"w{rng.randrange(25)}"
            moved = max(0.0, on + rng.uniform(-0.05, 0.05)), off + rng.uniform(-0.02, 0.08)
            clusters.setdefault(name, []).append(f"{recording} {moved[0]:.3f} {moved[1]:.3f}\n")
    numbered = enumerate(clusters.values())
    return "".join(f"Class {number}\n{''.join(each)}\n" for number, each in numbered)


# --- Bad input -------------------------------------------------------------------------


def _bad(folder: Path) -> None:
    """Files that end a run with an error."""
    bad = folder / "bad"
    words = (folder / "s1.txt").read_text(encoding="utf-8")
    write(bad / "typo.txt", words.replace("people", "person"))
    write(bad / "short.txt", words[: len(words) // 2])
    write(bad / "empty.txt", "")
    write(bad / "digits.txt", "0101")
    write(bad / "back.srt", "1\n00:00:02,000 --> 00:00:01,000\nhi\n")
    write(bad / "rows.jsonl", '{"caesura": "0", "task": "transcript"}\n{"system": 1}\n')
    write(bad / "no.jsonl", "nothing\n")
    write(bad / "columns.conllu", "1\tone\ttwo\n\n")
    write(bad / "text.txt", "quite another text than that of gold\n" * 30)
    write(bad / "back.phn", "f1 0.5 0.2 a\n")
    write(bad / "no.class", "f1 0.0 1.0\n")
    (bad / "latin.txt").write_bytes(b"caf\xe9\nis open\n")
    (bad / "broken.txt.gz").write_bytes(b"no gzip")
    (bad / "none").mkdir()
