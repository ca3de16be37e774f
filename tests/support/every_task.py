"""Every command that scores, on small made-up files: what laws over all of them are tried on."""

from contextlib import suppress
from dataclasses import dataclass

DOCUMENTS = [f"d{at}" for at in (1, 2, 10, 11)]
VERSIONS = ("a", "b", "c", "s1", "s2")
"""Three annotators, of whom the first is the gold where there is one, and two systems."""


def units(at, who):
    """The words of a document, in units that depend on who cut it."""
    words = [f"w{at}", "it", "rained", "all", "night", "and", "we", "left", "so", "they", "said"]
    lines, line = [], []
    for place, word in enumerate(words):
        line.append(word)
        if (place * (who + 2) + at) % 4 == 0 or place == len(words) - 1:
            lines.append(line)
            line = []
    return lines


def plain(at, who):
    return "".join(" ".join(line) + "\n" for line in units(at, who))


def tree(at, who):
    inside = "".join(f"(NN x{at})" for _ in range(3))
    noun = inside if who else f"(NP {inside})"
    return f"(TOP (S {noun} (VP (VBD ran))))\n" * (2 + at % 2)


def edits(at, who):
    edit = "A 1 2|||V|||{}|||REQUIRED|||-NONE-|||0\n\n".format
    first = edit("rains" if who else "rained")
    return f"S it rain all night {at}\n{first}S we leaves\n{edit('left')}"


def morphs(at, who):
    cut = f"walked{at}" if who else f"walk @@ed{at}"
    return f"walked{at}\t{cut}\t010\ntalks{at}\ttalk @@s{at}\t010\n"


def subtitle(at, who):
    place = "all <eol> night" if who else "<eol> all night"
    return f"it rained{at} {place} <eob> and we <eol> left <eob>\n"


def phones(at, who):
    end = 1600 + (160 if not who else 400 if at % 2 else 0)
    return f"0 {end} h#\n{end} {3200 + at} aa\n{3200 + at} 4800 h#\n"


def discourse(at, who):
    label = ["BeginSeg=Yes", "_"][bool(who) and at % 2]
    first = f"# newdoc_id = x{at}\n1\tit\t_\t_\t_\t_\t_\t_\t_\tBeginSeg=Yes\n"
    return f"{first}2\trained\t_\t_\t_\t_\t_\t_\t_\t{label}\n\n"


def points(at, who):
    return f"3\n{7 + (not who) + at}\n"


def chapters(at, who):
    return f"0:00 One\n1:{20 + (0 if who else 5) + at} Two\n2:40 Three\n"


def sections(at, who):
    end = 5 if who else 4
    return f"0 {end} A\n{end} {12 + at} B\n"


def shots(at, who):
    return f"0 {40 if who else 43}\n{45 + at} 99\n"


def turns(at, who):
    spoken = (0, 2 + (not who) + at % 2, "A"), (5, 2, "B")
    return "".join(f"SPEAKER d 1 {a} {b} <NA> <NA> {name} <NA> <NA>\n" for a, b, name in spoken)


@dataclass(frozen=True)
class Example:
    """A command over folders that are called as `VERSIONS`, and what one of their files holds.

    `score` is one that it prints for the systems, with - if lower is better; `several` says
    whether it takes several annotators.
    """

    line: tuple[str, ...]
    written: object
    suffix: str = "txt"
    score: str = ""
    several: bool = False

    def write(self, folder, documents=DOCUMENTS, encode=str.encode, suffix=""):
        """Write the files of all versions."""
        for who, name in enumerate(VERSIONS):
            (folder / name).mkdir(exist_ok=True)
            for at, document in enumerate(documents):
                path = folder / name / f"{document}.{self.suffix}{suffix}"
                path.write_bytes(encode(self.written(at, who)))
        if "q.csv" in self.line:
            rows = [f'{at},"[{{""start_index"": {at}, ""end_index"": 20}}]",{name}\n'
                    for at, name in enumerate(documents)]  # fmt: skip
            (folder / "q.csv").write_text("question,references,corpus_id\n" + "".join(rows))

    def on(self, place):
        """The command on other places than folders: `place` is called with each version's name."""
        return [place(word) if word in VERSIONS else word for word in self.line]

    def on_files(self, suffix=""):
        """The command on one file of each version, which keeps its name."""
        return self.on(lambda name: f"{name}={name}/d1.{self.suffix}{suffix}")


class Corpus(Example):
    """Terms of one corpus, which two systems found in three files each."""

    def write(self, folder, documents=DOCUMENTS, encode=str.encode, suffix=""):
        phones = "".join(f"{name} {at} {at + 1} p{at}\n" for name in documents for at in range(4))
        words = "".join(f"{name} 0 2 w\n{name} 2 4 v\n" for name in documents)
        found = "Class 1\n" + "".join(f"{name} 0 2\n" for name in documents[:3]) + "\n"
        more = found + "Class 2\n" + "".join(f"{name} 1 4\n" for name in documents[2:]) + "\n"
        texts = {"phn": phones, "wrd": words, "s1.class": found, "s2.class": more}
        for name, text in texts.items():
            (folder / f"{name}{suffix}").write_bytes(encode(text))


def _score(profile, written, *more, suffix="txt", score, several=False):
    line = ("score", profile, "s1", "s2", "--gold", "a", *more)
    return Example(line, written, suffix, score, several)


EXAMPLES = {
    "transcript": Example(
        ("transcript", "s1", "s2", "--ref", "a", "--ref", "b"), plain, score="wisebe", several=True
    ),
    "agreement": Example(("agreement", "a", "b", "c"), plain, score="rgar", several=True),
    "text": Example(("text", "s1", "s2", "--gold", "a"), plain, score="token_f1"),
    "sentences": Example(("sentences", "s1", "s2", "--ref", "a"), plain, score="chrf"),
    "terms": Corpus(
        ("terms", "s1.class", "s2.class", "--phones", "phn", "--words", "wrd"), plain,
        score="token_f1",
    ),
    "trees": Example(("trees", "s1", "s2", "--gold", "a"), tree, "mrg", "bracket_f1"),
    "corrections": Example(("corrections", "s1", "s2", "--gold", "a"), edits, "m2", "edit_f05"),
    "morphemes": _score("morphemes", morphs, suffix="tsv", score="f1"),
    "sighan": _score("sighan", plain, score="f1"),
    "topics": _score("topics", plain, score="-pk", several=True),
    "subtitles": _score("subtitles", subtitle, score="sigma"),
    "phones": _score("phones", phones, "--rate", "16000", suffix="phn", score="f1_mean"),
    "disrpt": _score("disrpt", discourse, suffix="tok", score="f1", several=True),
    "changes": _score("changes", points, "--n", "20", score="f1", several=True),
    "chapters": _score("chapters", chapters, "--duration", "200s", score="f1"),
    "music": _score("music", sections, suffix="lab", score="F-measure@0.5"),
    "shots": _score("shots", shots, score="f1"),
    "events": _score("events", sections, suffix="lab", score="event_f1"),
    "speakers": _score("speakers", turns, suffix="rttm", score="-der"),
    "chunks": Example(
        ("score", "chunks", "--run", "sentences", "--run", "fixed:9", "--gold", "q.csv",
         "--documents", "a"), plain, score="precision_omega",
    ),
}  # fmt: skip
"""All but utterances, which have no command."""


def as_arguments(line):
    """The arguments of `caesura.evaluate` that are those of a command."""
    task, *words = line
    found = {"profile": words.pop(0)} if task == "score" else {"task": task}
    names = {"ref": "references", "j": "jobs"}
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            name, value = "references" if task == "agreement" else "systems", word
        else:
            name = word.lstrip("-").replace("-", "_")
            name = names.get(name, name)
            has_value = words and not words[0].startswith("-")
            value = number(words.pop(0)) if has_value else True
        if name in ("systems", "references", "run"):
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return found


def number(word):
    """A number where a word is one."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(word)
    return word
