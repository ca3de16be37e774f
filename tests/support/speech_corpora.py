"""Small corpora of speech for tests: the worked example and random ones."""

from collections import defaultdict
from dataclasses import dataclass, replace
from decimal import Decimal

from caesura.tasks.terms.measures import Terms
from caesura.tasks.terms.speech import Discovered, Gold, parse_clusters, parse_intervals

# The worked example of spec/terms.md: 8 gold boundaries, 5 tokens, 3 types, 10 phones.
PHONES = """\
f1 0 .5 SIL
f1 .5 .6 a
f1 .6 .7 b
f1 .7 .8 c
f1 .8 .85 d
f1 .85 1.0 e
f1 1.0 1.5 SIL
f1 1.5 1.6 a
f1 1.6 1.7 b
f1 1.7 1.8 c
f1 1.8 2.0 SIL
f2 0 .2 SIL
f2 .2 .3 a
f2 .3 .4 b
f2 .4 .6 SIL
"""
WORDS = """\
f1 .5 .7 ab
f1 .7 1.0 cde
f1 1.5 1.7 ab
f1 1.7 1.8 c
f2 .2 .4 ab
"""
PAIR = "Class 0\nf1 .5 .7\nf1 1.5 1.7\n\n"


def classes(*clusters):
    """A class file from clusters written as `f1 .5 .7, f1 1.5 1.7`."""
    blocks = (f"Class {n}\n{each.replace(', ', chr(10))}\n" for n, each in enumerate(clusters))
    return "\n".join(blocks) + "\n"


def discovered(text, phones=PHONES, words=WORDS):
    """Classes on gold, all as the text of files."""
    sounds, spoken = (parse_intervals(each.encode(), "gold") for each in (phones, words))
    return Discovered.from_clusters(
        parse_clusters(text.encode()), Gold.from_intervals(sounds, spoken, source="gold")
    )


def counted(text, phones=PHONES, words=WORDS, *, profile="2017", ties="decimal"):
    return Terms(profile, ties).count(discovered(text, phones, words))


def numbers(counts, measure):
    """Hits, found and gold of a measure."""
    return tuple(getattr(counts, f"{measure}_{kind}") for kind in ("hits", "found", "gold"))


@dataclass(frozen=True)
class Corpus:
    """Gold and clusters as plain values, with exact times."""

    phones: list
    words: list
    clusters: dict

    @property
    def text(self):
        """The classes, phones and words as files."""
        found = (
            f"Class {name}\n" + "".join(f"{file} {on:f} {off:f}\n" for file, on, off in members)
            for name, members in self.clusters.items()
        )
        lines = (
            "".join(f"{file} {on:f} {off:f} {label}\n" for file, on, off, label in side)
            for side in (self.phones, self.words)
        )
        return "\n".join(found) + "\n", *lines

    def counted(self, profile="2017"):
        return counted(*self.text, profile=profile)

    def only(self, is_kept):
        """The same with those intervals only that a function likes."""
        kept = {name: [*filter(is_kept, some)] for name, some in self.clusters.items()}
        return replace(self, clusters=kept)

    def of(self, file):
        """One recording."""
        here = [[each for each in side if each[0] == file] for side in (self.phones, self.words)]
        return Corpus(*here, self.clusters).only(lambda each: each[0] == file)

    @property
    def files(self):
        return sorted({phone[0] for phone in self.phones})

    def within_recordings(self):
        """The same with each cluster cut by recording."""
        cut = defaultdict(list)
        for name, members in self.clusters.items():
            for each in members:
                cut[f"{name}.{each[0]}"].append(each)
        return replace(self, clusters=dict(cut))


class Maker:
    """Makes random corpora; times are whole numbers of milliseconds / `fine`."""

    def __init__(self, chance, *, fine=1, halves=True):
        self.chance, self.fine, self.halves = chance, fine, halves

    def corpus(self):
        files = [f"f{number}" for number in range(self.chance.randint(1, 3))]
        phones = {file: self.phones() for file in files}
        words = {file: self.words(phones[file]) for file in files}
        found = [self.interval(file, phones[file]) for file in self.many(files, 14)]
        found += self.many(found, 3)
        clusters = defaultdict(list)
        for each in found:
            clusters[str(self.chance.randint(0, max(1, len(found) // 3)))].append(each)
        return Corpus(
            [(f, *self.timed(p)) for f in files for p in phones[f]],
            [(f, *self.timed(w)) for f in files for w in words[f]],
            {name: [(f, *self.timed(e)) for f, *e in some] for name, some in clusters.items()},
        )

    def many(self, values, most):
        return self.chance.choices(values, k=self.chance.randint(0, most)) if values else []

    def timed(self, interval):
        on, off, *label = interval
        unit = Decimal("0.001") / self.fine
        return on * unit, off * unit, *label

    def ms(self, low, high):
        return self.chance.randint(low * self.fine, high * self.fine)

    def duration(self):
        """A short phone, one of about 60 ms or a long one; the short have no half on the grid."""
        low, high = self.chance.choice([(25, 59), (58, 62), (60, 61), (60, 150)])
        duration = self.ms(low, high)
        is_short = duration < 60 * self.fine
        return duration | 1 if is_short and not self.halves else duration

    def phones(self):
        time, result = self.chance.choice([0, self.ms(0, 300)]), []
        for number in range(self.chance.randint(1, 12)):
            time += self.ms(1, 80) if self.chance.random() < 0.1 else 0
            off = time + self.duration()
            label = self.chance.choices(["a", "b", "SIL", "SPN"], [5, 3, 2, 1])[0]
            result.append((time, off, label if number else "a"))
            time = off
        return result

    def words(self, phones):
        """Runs of phones; the first phone, which is no silence, always lies in a word."""
        result, at = [], 0
        while at < len(phones):
            stop = min(len(phones), at + self.chance.randint(1, 3))
            on, off = phones[at][0], phones[stop - 1][1]
            if self.chance.random() < 0.1:
                on += self.ms(1, 10)
            if at == 0 or self.chance.random() < 0.8:
                spelled = "".join(label for *_, label in phones[at:stop]) + "w"
                other = self.chance.choice(["x", "y", "SIL" if at else "x"])
                result.append((on, off, spelled if self.chance.random() < 0.7 else other))
            at = stop
        return result

    def interval(self, file, phones):
        """A run of phones with its edges moved, by 30 ms or half a phone or anything to 60 ms."""
        first = self.chance.randrange(len(phones))
        last = min(len(phones) - 1, first + self.chance.randint(0, 3))
        on = max(0, phones[first][0] + self.jitter(phones[first]))
        off = phones[last][1] + self.jitter(phones[last])
        return file, on, max(on + 1, off)

    def jitter(self, phone):
        size = self.chance.choice(
            [0, 0, 30 * self.fine, (phone[1] - phone[0]) // 2, self.ms(0, 60), self.ms(28, 32)]
        )
        return self.chance.choice([-1, 1]) * size
