"""Made-up talks: words with times and speakers, and versions that differ in where units end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

WORDS = (
    "the", "and", "to", "of", "a", "in", "that", "it", "is", "was", "for", "on", "you", "he",
    "with", "as", "at", "be", "this", "have", "from", "or", "one", "had", "by", "not", "but",
    "what", "all", "were", "we", "when", "your", "can", "said", "there", "each", "which", "she",
    "do", "how", "their", "if", "will", "up", "other", "about", "out", "many", "then", "them",
    "these", "so", "some", "would", "make", "like", "him", "into", "time", "has", "look", "two",
    "more", "write", "go", "see", "number", "no", "way", "could", "people", "my", "than",
    "first", "water", "been", "call", "who", "oil", "its", "now", "find", "long", "down", "day",
    "did", "get", "come", "made", "may", "part", "we're", "don't", "uh", "um", "21", "gonna",
    "long-term", "naïve", "o'clock", "3.5",
)  # fmt: skip
MARKS = "......??!;;"
SENTENCE = 9
ANNOTATORS = {
    "anna": (0.92, 0.01),
    "ben": (0.85, 0.02),
    "cy": (0.8, 0.03),
    "s1": (0.75, 0.04),
    "s2": (0.6, 0.07),
}
"""How often each version ends a unit where a sentence ends, and where none does."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word, its times in milliseconds, and who says it."""

    text: str
    start: int
    end: int
    speaker: str


@dataclass(frozen=True, slots=True)
class Talk:
    """The words, and the numbers of those that end a sentence."""

    words: tuple[Word, ...]
    ends: frozenset[int]


@dataclass(frozen=True, slots=True)
class Version:
    """The words, and the mark after each of them that ends a unit; the last one does."""

    words: tuple[Word, ...]
    ends: Mapping[int, str]

    def units(self) -> list[list[Word]]:
        """The words of each unit, the mark at the end of the last one."""
        units: list[list[Word]] = [[]]
        for at, word in enumerate(self.words):
            units[-1].append(replace(word, text=word.text + self.ends.get(at, "")))
            units += [[]] if at in self.ends else []
        return [unit for unit in units if unit]


def made_talk(rng: Random, size: int, speakers: Sequence[str] = ("A",)) -> Talk:
    """A talk of this many words; speakers change only where a sentence ends, after a pause."""
    words, ends, time, speaker = [], set(), 0, speakers[0]
    for at in range(size):
        end = time + rng.randrange(60, 480, 10)
        words.append(Word(rng.choice(WORDS), time, end, speaker))
        time = end + rng.choice([0, 0, 0, 10, 50, 200])
        if rng.randrange(SENTENCE) == 0:
            ends.add(at)
            time += rng.randrange(0, 1500, 10)
            speaker = rng.choice(speakers)
    return Talk(tuple(words), frozenset(ends))


def version(talk: Talk, rng: Random, kept: float, added: float) -> Version:
    """Where somebody ends units: at this share of the sentences' ends, and of other words."""
    size = len(talk.words)
    chosen = (at for at in range(size) if rng.random() < (kept if at in talk.ends else added))
    ends = {at: MARKS[at % len(MARKS)] if rng.random() < 0.9 else "." for at in chosen}
    return Version(talk.words, {**ends, size - 1: "."})


def altered(version: Version, rng: Random, one_in: int = 15) -> Version:
    """The same with a few words dropped, doubled or replaced."""
    words: list[Word] = []
    ends: dict[int, str] = {}
    for at, word in enumerate(version.words):
        chance = rng.randrange(one_in * 3)
        new = [word] if chance > 2 else [[], [word, word], [replace(word, text="well")]][chance]
        words += new
        if at in version.ends and new:
            ends[len(words) - 1] = version.ends[at]
    return Version(tuple(words), {**ends, len(words) - 1: "."})


def merged_speakers(versions: Sequence[Version]) -> Version:
    """Several talks at the same time, each by one speaker, in the order in which words begin."""
    said = sorted(
        (word.start, number, at)
        for number, each in enumerate(versions)
        for at, word in enumerate(each.words)
    )
    words, ends = [], {}
    for _, number, at in said:
        own = versions[number]
        words.append(replace(own.words[at], speaker=f"P{number + 1}"))
        if at in own.ends:
            ends[len(words) - 1] = own.ends[at]
    return Version(tuple(words), ends)
