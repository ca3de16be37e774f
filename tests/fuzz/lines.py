"""Command lines: every command, with files that suit it and options as click declares them."""

import shlex
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import click

from caesura.cli import cli
from caesura.communities import PROFILES
from caesura.formats.registry import PLAIN, TIMED
from fuzz.options import VALUES, value
from fuzz.outcome import checked, outputs_of
from fuzz.pool import Pool
from fuzz.values import WORDS

STRANGE = 0.03
"""How often a file is of a kind that does not suit."""
FOLDERS = 0.15
"""How often files are in folders."""
HOW_MANY = (0, 1, 1, 2, 2, 2, 3, 3, 4, 6, 10)
"""Numbers of options."""
HOLDERS = ("zip", "tar", "cells", "parquet")
SPOKEN = (*PLAIN, *TIMED, *TIMED, "segeval.tsv", *HOLDERS)
TEXTS = ("tokens", "treebank")
PHONES = ("phn", "phones.ctm", "phones.textgrid")
SIDES = {
    "sighan": ("tokens",),
    "disrpt": ("disrpt",),
    "topics": ("choi", "segeval", "segeval.tsv", "masses", "lines"),
    "phones": (*PHONES, "wrd"),
    "subtitles": ("srt", "vtt", "breaks"),
    "speakers": ("speakers", "rttm"),
    "morphemes": ("morphs",),
    "chunks": ("chunks",),
    "changes": ("times", "labels"),
    "music": ("labels", "times"),
    "chapters": ("times", "labels"),
    "shots": ("labels", "times"),
    "events": ("labels", "times"),
}
"""The kinds of files of a profile."""
FILES = {
    "agreement": {"references": SPOKEN},
    "compare": {"rows": ("rows",)},
    "convert": {"input_path": SPOKEN},
    "corrections": {"systems": ("m2",), "gold": ("m2",)},
    "correlate": {"rows": ("rows",), "files": ("ratings",)},
    "demo": {},
    "list": {},
    **{name: {} for name in ("cite", "reproduce", "schema", "sets")},
    "merge": {"rows": ("rows",)},
    "report": {"rows": ("rows",)},
    "resegment": {"text": ("segments",), "reference": ("segments",)},
    **{f"score {name}": {"systems": each, "gold": each} for name, each in SIDES.items()},
    "score chunks": {"systems": ("chunks",), "gold": ("questions", "chunks")},
    "segment": {"input_path": SPOKEN, "detector": ("model",)},
    "sentences": {"systems": ("segments",), "references": ("segments",)},
    "terms": {"systems": ("class",), "phones": PHONES, "words": ("wrd", "phones.textgrid")},
    "text": {"systems": TEXTS, "gold": TEXTS},
    "train": {"data": ("lines", "marks", "tokens", "treebank")},
    "transcript": {"systems": SPOKEN, "references": SPOKEN},
    "trees": {"systems": ("trees",), "gold": ("trees",)},
}
"""The files that a command reads. The studio is left out: it does not end."""
SHARED = {
    "dictionary": ("tokens",),
    "docids": ("docids",),
    "equivalences": ("equivalences",),
    "evalb": ("prm",),
    "fail_if_worse_than": ("rows",),
    "lengths": ("talkers", "ratings"),
    "raw": ("tokens", "lines"),
    "run": ("model",),
    "talkers": ("talkers",),
    "uem": ("uem",),
}
"""Options that name files that are read, in whichever command."""
OUTPUTS = {
    "errors": ("errors.tsv",),
    "files": ("made",),
    "html": ("page.html",),
    "out": ("model", "model.npz"),
    "output": ("out.txt", "out.json", "out.srt", "made/"),
    "output_path": ("out.txt", "out.json", "out.srt", "out.x", "made/", "-"),
    "rows": ("rows.jsonl",),
}
"""Options and arguments that name what is written, and names for it."""
ELSEWHERE = ("pool", "seed-srt.srt/x.svg", "/dev/null", "")
"""Places where nothing, or nothing new, can be written."""
ALWAYS = ("demo html", "report output")
NOT_HERE = (*ALWAYS, "demo files")
"""Options without which, or without a value, something is written to the current folder."""
SEVERAL = ("agreement", "transcript", "score disrpt", "score topics", "score subtitles")
"""Commands that take several references."""
NEEDS = {
    "with_text": ("rows",),
    "resume": ("rows",),
    "dictionary": ("also",),
    "costs": ("also",),
    "axis_from": ("align",),
    "uem": ("axis",),
    **dict.fromkeys(("step", "edges", "duration", "n", "lengths"), ("axis",)),
    "run": ("raw",),
    "talkers": ("within_talker",),
    "ties": ("profile",),
    "pool": ("by",),
    "missing": ("files",),
}
"""Options that have no meaning without another."""
TAKEN = {name for profile in PROFILES.values() for name in profile.takes}


@dataclass(frozen=True)
class Line:
    """A command line: the command with what it needs, and options that could be left out."""

    needed: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]

    @property
    def words(self):
        """All of its words; a system has none with a NUL."""
        words = (*self.needed, *(word for each in self.options for word in each))
        return [word.replace("\0", "") for word in words]

    @property
    def __name__(self):
        return shlex.join(("caesura", *self.words))

    def __call__(self, path, _rng, _name):
        """Run it, with a folder for what it writes, and look at what came of it."""
        Path(outputs_of(path)).mkdir()
        try:
            checked(self.words, path)
        finally:
            shutil.rmtree(outputs_of(path))

    def shorter(self):
        """The same with one option less, for each option."""
        return [
            Line(self.needed, self.options[:at] + self.options[at + 1 :])
            for at in range(len(self.options))
        ]


def place_of(rng, commands, kinds):
    """A command, its parameter that a file is given for, if any, and the kind of this file."""
    found = [
        (name, parameter, some)
        for name in commands
        for parameter, every in files_of(name).items()
        if (some := [kind for kind in every if kind in kinds])
    ]
    names = sorted({name for name, _, _ in found} or commands)
    others = [name for name in commands if not FILES[name]]
    name = rng.choice(others if others and rng.random() < STRANGE else names)
    places = [each for each in found if each[0] == name for _ in range(4 - 3 * (each[1] in SHARED))]
    _, parameter, some = rng.choice(places or [(name, "", kinds)])
    return name, parameter, rng.choice(kinds if rng.random() < STRANGE else some)


@cache
def files_of(name):
    """The parameters of a command that name files, and the kinds of these."""
    own = {each.name for each in params_of(name) if _suits(name, each)}
    return {option: kinds for option, kinds in SHARED.items() if option in own} | FILES[name]


@cache
def params_of(name):
    """The parameters that click knows of a command; the name of a profile may follow it."""
    command = cli.commands[name.partition(" ")[0]]
    found = command.get_params(click.Context(command, help_option_names=["-h", "--help"]))
    return [each for each in found if each.name != "profile" or " " not in name]


def _suits(name, option):
    """Whether a profile has an option."""
    profile = PROFILES.get(name.removeprefix("score "))
    return not profile or option.name not in TAKEN or option.name in profile.takes


def drawn(rng, place, path, pool):
    """A command line in which a file has its place."""
    command, parameter, kind = place
    in_folders = rng.random() < FOLDERS
    own = str(Path(path).parent) if in_folders else "-" if rng.random() < STRANGE else path
    draw = _Draw(rng, command, parameter, kind, own, path, pool, in_folders)
    params = params_of(command)
    needed = [each for each in params if draw.needs(each)]
    words = [word for each in needed for some in draw.given(each) for word in some]
    usual = [each for each in params if _suits(command, each) and not each.is_eager]
    may = [each for each in params if each in usual or rng.random() < STRANGE]
    may = [each for each in may if each not in needed]
    chosen = rng.sample(may, min(len(may), rng.choice(HOW_MANY)))
    wanted = {name for each in chosen for name in NEEDS.get(each.name, ()) if rng.random() < 0.9}
    chosen += [each for each in may if each.name in wanted and each not in chosen]
    options = [some for each in chosen for some in draw.given(each)]
    return Line((*command.split(), *words), tuple(options))


@dataclass(frozen=True)
class _Draw:
    """What values are drawn from: a command, the file at hand and its parameter, other files."""

    rng: Random
    command: str
    parameter: str
    kind: str
    own: str
    """What is given for the file: its path, its folder, or standard input."""
    path: str
    pool: Pool
    in_folders: bool

    def needs(self, parameter):
        """Whether the command line cannot do without a parameter."""
        is_own = parameter.name == self.parameter or f"{self.command} {parameter.name}" in ALWAYS
        return is_own or parameter.required or isinstance(parameter, click.Argument)

    def given(self, parameter):
        """A parameter with its value as typed, as often as it is given."""
        flag = () if isinstance(parameter, click.Argument) else (self.rng.choice(parameter.opts),)
        if getattr(parameter, "is_flag", False):
            return [flag]
        return [(*flag, each) for each in self._values(parameter)]

    def _values(self, parameter):
        """Values of a parameter: one, or several if it takes several."""
        is_many = parameter.nargs < 0 or getattr(parameter, "multiple", False)
        if is_many and parameter.name in ("gold", "references"):
            is_many = self.command in SEVERAL or self.rng.random() < STRANGE
        many = self.rng.choice((1, 1, 2, 3)) if is_many else 1
        many += self.command == "agreement" and many == 1
        found = [self._value(parameter) for _ in range(many)]
        if parameter.name == self.parameter:
            found[self.rng.randrange(many)] = self._named(parameter.name, self.own)
        return list(dict.fromkeys(found))

    def _value(self, parameter):
        rng, name = self.rng, parameter.name
        kinds = files_of(self.command).get(name) or SHARED.get(name)
        if kinds and (name not in VALUES or rng.random() < 0.3):
            same = self.kind in kinds and rng.random() < 0.7
            kind = self.kind if same else rng.choice(kinds)
            return self._named(name, self.pool.path(rng, kind, self.in_folders))
        if name not in OUTPUTS:
            return value(self.command, parameter, rng)
        if f"{self.command} {name}" not in NOT_HERE and rng.random() < STRANGE:
            inputs = (self.path,) if self.parameter and self.own != "-" else ()
            return rng.choice((*inputs, *ELSEWHERE))
        return f"{outputs_of(self.path)}/{rng.choice(OUTPUTS[name])}"

    def _named(self, parameter, path):
        """A path, sometimes with the name of a recording or as a pattern, or with its own name."""
        if self.rng.random() < STRANGE:
            path = self.rng.choice((f"{path}::talk", f"{path}::x", f"{path[:-1]}*"))
        if self.rng.random() < 0.8 or parameter not in ("systems", "references", "gold", "rows"):
            return path
        return f"{self.rng.choice(('s', 't', 'x', 'a b', self.rng.choice(WORDS)))}={path}"
