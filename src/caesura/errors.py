"""The exceptions: what went wrong, where, and how to fix it.

    CaesuraError                  exit status 1: something is wrong with the input
    ├── SegmentationError         a Python value that is not a segmentation (a ValueError)
    ├── SourceError               a path that cannot be opened, found or matched
    │   └── MissingDocumentError  a document that is in one folder but not in another
    ├── FormatError               a file that is not valid in its format
    ├── WordsDifferError          two versions of a transcript with different words
    ├── LengthsDifferError        the same, where only the number of words is known
    ├── LabelsError               speakers or channels that are missing or differ
    ├── TimesError                times that are missing
    ├── WorkerError               worker processes that keep dying
    ├── LeftOutError              documents that were left out with --keep-going
    ├── StoppedError              exit status 130: the user stopped the run
    ├── InterruptError            exit status 130: the user stopped something else
    └── UsageError                exit status 2: something is wrong with the command line
        └── UnknownNameError      an unknown name; lists close matches

A message reads `FILE:LINE: what is wrong; how to fix it`. Options in it are written as the reader
writes them: `align=True` in Python, `--align` on the command line.
"""

import errno
import os
import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

QUOTED, LONGEST = 80, 600
"""The characters that are shown of a quotation, and of a problem."""
COMPARED = 10_000
"""The names among which a close one is looked for."""
_QUOTED = re.compile(r"(?<![^\s(=:])'[^']{81,}'(?![^\s,;:.)\]])|“[^”]{81,}”|\"[^\"]{81,}\"")
_OPTION = re.compile(r"`(([a-z]\w*)=(True|…|\d+|\"([^\"`]*)\"))`")
"""An option in a message: its name and its value, or that it is a flag or has any value."""


def number(count: int, noun: str) -> str:
    """A number with its noun.

    >>> number(1, "word"), number(1602, "word")
    ('1 word', '1,602 words')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


SHORT = ("k",)
"""The options that have one dash."""


def option(name: str, value: str | int | None = None) -> str:
    """An option as messages hold it, for `in_python` or `on_command_line`; a flag has no value.

    >>> option("keep_going"), option("missing", "skip")
    ('`keep_going=True`', '`missing="skip"`')
    >>> in_python(option("keep_going")), in_python(option("missing", "skip"))
    ('keep_going=True', 'missing="skip"')
    >>> on_command_line(option("keep_going")), on_command_line(option("missing", "skip"))
    ('--keep-going', '--missing skip')
    >>> in_python(option("encoding", "…")), on_command_line(option("encoding", "…"))
    ('encoding=…', '--encoding')
    """
    written = True if value is None else f'"{value}"' if isinstance(value, str) else value
    return f"`{name}={'…' if value == '…' else written}`"


def in_python(message: str) -> str:
    """A message whose options are written as Python arguments."""
    return _OPTION.sub(r"\1", message)


def on_command_line(message: str) -> str:
    """A message whose options are written as on the command line."""
    return _OPTION.sub(_as_flag, message)


def _as_flag(found: re.Match[str]) -> str:
    _, name, value, quoted = found.groups()
    flag = f"-{name}" if name in SHORT else f"--{name.replace('_', '-')}"
    return flag if value in ("True", "…") else f"{flag} {value if quoted is None else quoted}"


def shortened(text: str, most: int = 40) -> str:
    r"""A text on one line, cut after some characters.

    >>> shortened("It rained.\nWe left early, as always, because of it.")
    'It rained. We left early, as always, bec…'
    """
    line = " ".join(text[: 2 * most].split())
    return line if len(text) <= most else f"{line[:most]}…"


def reason(problem: BaseException) -> str:
    r"""What an exception says, as part of a sentence.

    >>> reason(FileNotFoundError()), reason(ValueError("Bad header\nat 3")), reason(KeyError())
    ('no such file or directory', 'Bad header', 'KeyError')
    """
    said = shortened(str(problem).strip().partition("\n")[0], 120) or type(problem).__name__
    if not isinstance(problem, OSError):
        return said
    if problem.strerror is None and isinstance(problem, FileNotFoundError):
        return os.strerror(errno.ENOENT).lower()
    return problem.strerror.lower() if problem.strerror else said


def brief(problem: str) -> str:
    """A problem that quotes no more of the input than helps to find it.

    >>> len(brief(f"'{'x' * 5000}' is not a time")), brief("'1:2' is not a time")
    (96, "'1:2' is not a time")
    """
    return _cut(_QUOTED.sub(lambda found: _cut(found[0], QUOTED + 2), problem), LONGEST)


def _cut(text: str, most: int) -> str:
    """Both ends of a text that is too long."""
    end = most // 4
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"


class CaesuraError(Exception):
    """The base of all errors that caesura raises; `message` is for either reader."""

    status: ClassVar[int] = 1

    def __init__(self, message: str) -> None:
        super().__init__(in_python(message))
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), self.args), self.__dict__


def _remade(kind: type[CaesuraError], args: tuple[object, ...]) -> CaesuraError:
    """Rebuild an error that was raised in another process."""
    return kind.__new__(kind, *args)


class SegmentationError(CaesuraError, ValueError):
    """A value that cannot be understood as a segmentation."""


class SourceError(CaesuraError):
    """A path that cannot be opened, found or matched."""

    def __init__(self, path: str, problem: str, cure: str) -> None:
        super().__init__(f"{path}: {brief(problem)}; {cure}")


def no_memory(path: str) -> SourceError:
    """The error for what does not fit in memory."""
    return SourceError(path, "does not fit in memory", "split it, or use a machine with more")


class MissingDocumentError(SourceError):
    """A document that is in one folder but not in another."""

    def __init__(
        self, path: str, document: str, present_in: str, *, may_vary: bool = False
    ) -> None:
        vary = f", or score each with what it has: {option('missing', 'vary')}" if may_vary else ""
        super().__init__(
            path,
            f"no document named '{document}', which {present_in} has",
            f"add it, or skip such documents with {option('missing', 'skip')}{vary}",
        )


class FormatError(CaesuraError):
    """A file that is not valid in its format."""

    def __init__(self, path: str, problem: str, cure: str, *, line: int | None = None) -> None:
        place = path if line is None else f"{path}:{line}"
        super().__init__(f"{place}: {brief(problem)}; {cure}")
        self.parts, self.line = (path, problem, cure), line

    def or_else(self, cure: str) -> "FormatError":
        """The same error with another way out."""
        path, problem, first = self.parts
        return FormatError(path, problem, f"{first}, or {cure}", line=self.line)


class WordsDifferError(CaesuraError):
    """Two versions of a transcript with different words."""

    def __init__(
        self, index: int, here: tuple[str, str], there: tuple[str, str], item: str = "word"
    ) -> None:
        (place, context), (other_place, other_context) = here, there
        super().__init__(
            f"{place}: the {item}s differ at {item} {index + 1}: here {brief(context)}, "
            f"in {other_place} {brief(other_context)}; "
            f"fix the text, or project the boundaries with {option('align')}"
        )


class LengthsDifferError(CaesuraError):
    """Two versions of a transcript that have different numbers of words."""

    def __init__(
        self, path: str, length: int, other_path: str, other_length: int, *, of_masses: bool = False
    ) -> None:
        cure = "give one 0 or 1 for each word of the transcript"
        if of_masses:
            cure = "the lengths of the units must have the same sum in all versions"
        if not length or not other_length:
            cure = "give all the words, as one sentence where nothing is cut"
        items = number(length, "item" if of_masses else "word") if length else "no words"
        there = f"{other_length:,}" if other_length else "no words"
        super().__init__(f"{path}: {items} where {other_path} has {there}; {cure}")


class LabelsError(CaesuraError):
    """Speakers or channels that a file lacks, or names differently."""

    def __init__(
        self,
        path: str,
        kind: str,
        names: Sequence[str] = (),
        other_path: str = "",
        others: Sequence[str] = (),
    ) -> None:
        if not other_path:
            super().__init__(f"{path}: not every word has a {kind}; give a file that has them")
            return
        here, there = (
            brief(", ".join(each[:4])) + " …" * (len(each) > 4) for each in (names, others)
        )
        super().__init__(
            f"{path}: the {kind}s are {here} where {other_path} has {there}; use the same names, "
            f"or score by the reference's own with {option('by', kind)}"
        )


class TimesError(CaesuraError):
    """Times that a file lacks."""

    def __init__(self, place: str) -> None:
        super().__init__(
            f"{place}: no time for the end of a unit; give a file with times: boundaries are "
            "compared in time here"
        )


class WorkerError(CaesuraError):
    """Worker processes that keep dying."""

    def __init__(self, document: str) -> None:
        super().__init__(
            f"{document}: its worker processes were killed, probably out of memory; "
            f"use fewer with {option('jobs', '…')}"
        )


class LeftOutError(CaesuraError):
    """Documents that were left out because they could not be scored."""

    def __init__(self, bad: int, every: int) -> None:
        super().__init__(f"{bad:,} of {number(every, 'document')} left out; fix or remove them")


class MissingPackageError(CaesuraError, ImportError):
    """A required package that is not installed."""

    def __init__(self, package: str, what: str, cure: str) -> None:
        super().__init__(f"{what} needs {package}, which is not installed; {cure}")


class StoppedError(CaesuraError):
    """A run that the user stopped."""

    status: ClassVar[int] = 130

    def __init__(self, done: int, every: int, cure: str) -> None:
        super().__init__(f"stopped after {done:,} of {number(every, 'document')}; {cure}")


class InterruptError(CaesuraError):
    """A command that the user stopped before or after its documents were counted."""

    status: ClassVar[int] = 130

    def __init__(self) -> None:
        super().__init__("stopped")


class UsageError(CaesuraError):
    """A command line or a call with invalid arguments."""

    status: ClassVar[int] = 2


class UnknownNameError(UsageError):
    """An unknown name, or one that was removed.

    `close` are those that may be meant, `more` says where others are listed.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        *,
        close: Iterable[str] | None = None,
        more: str = "",
    ) -> None:
        from difflib import get_close_matches

        from caesura.removed import removal

        if line := removal(kind, name):
            super().__init__(line)
            return
        names = sorted(known)
        meant = get_close_matches(name, names[:COMPARED], n=3) if close is None else [*close]
        listed = f"known: {', '.join(names)}" + (f"; {more}" if more else "")
        hint = f"did you mean {' or '.join(meant)}?" if meant else listed
        problem = brief(f"unknown {kind} '{name}'")
        super().__init__(f"{problem}; {brief(hint)}")
