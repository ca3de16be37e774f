"""The examples of a page, run as its reader would run them: one shell, one Python session.

The shell is a real one, so pipes, loops and redirections work. There `caesura` is a function that
hands its arguments and its input over to this process, where the command runs; what Python prints
is compared as doctest does.
"""

import contextlib
import doctest
import io
import os
import re
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from caesura.cli import main

FENCE = re.compile(
    r"(?:^ *(?:%|<!--) (?P<mark>[^\n]+?)(?: -->)?\n+)?"
    r"^(?P<indent> *)```(?P<language>\w+)\n(?P<code>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)
SESSION = "the Python session"
PATIENCE = 60  # seconds that a shell may run without a call of caesura
PRELUDE = """
call_in_test() (
    job=$(mktemp -d "$EXAMPLES/XXXXXX")
    cat > "$job/in"
    printf '%s\\0' "$PWD" "$@" > "$job/call"
    mkfifo "$job/status"
    printf '%s\\n' "$job" > "$EXAMPLES/calls"
    read -r status < "$job/status"
    cat "$job/out"
    cat "$job/err" >&2
    exit "$status"
)
caesura() { call_in_test caesura "$@"; }
begin() {
    set -- "$1" "$?"
    exec > "$EXAMPLES/$1.out" 2>&1
    return "$2"
}
end() {
    set -- "$1" "$?"
    printf '%s' "$2" > "$EXAMPLES/$1.status"
    return "$2"
}
"""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: where its code begins, and the mark above it, if any."""

    page: Path
    line: int
    language: str
    code: str
    mark: str
    indent: str = ""

    def __str__(self):
        return f"{self.page.name}:{self.line}"

    def marked(self, kind):
        """What the mark says after `KIND: `, or None."""
        return self.mark.removeprefix(kind + ": ") if self.mark.startswith(kind + ": ") else None


@dataclass(frozen=True)
class Command:
    """A command of a console block, and the output that the page shows for it."""

    line: int
    source: str
    shown: str


def blocks(page):
    """The fenced blocks of a page; a comment above a block, in MyST or HTML, is its mark."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start("code")) + 1
        code = re.sub(rf"^{found['indent']}", "", found["code"], flags=re.MULTILINE)
        yield Block(page, line, found["language"], code, found["mark"] or "", found["indent"])


def prose(page):
    """The text of a page without its fenced blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def commands(block):
    """The commands of a console block: `$ ` begins one, `> ` goes on with it."""
    found = []
    for number, line in enumerate(block.code.splitlines(), block.line):
        if line.startswith("$ "):
            found.append([number, [line[2:]], []])
        elif re.match(">( |$)", line) and found and not found[-1][2]:
            found[-1][1].append(line[2:])
        elif found:
            found[-1][2].append(line)
        else:
            raise AssertionError(f"{block}: a console block begins with `$ `")
    return [Command(at, "\n".join(code), "\n".join(out)) for at, code, out in found]


@dataclass(frozen=True)
class Change:
    """An example that no longer prints what its page shows; `source` as the page has it."""

    block: Block
    source: str
    shown: str
    printed: str

    def write(self):
        """Put what is printed into the page; whether that could be done."""
        new = rewritten(self.shown, self.printed)
        text = self.block.page.read_text(encoding="utf-8")
        if not agrees(new, self.printed):
            return False
        old, new = (indent(f"{self.source}\n{x}", self.block.indent) for x in (self.shown, new))
        if old not in text:
            return False
        self.block.page.write_text(text.replace(old, new, 1), encoding="utf-8")
        return True


WIDTH, FOLDS = 100, 6
"""The width at which lines of a page are folded, and the most lines of a fold."""
CUT = "..."


def rewritten(shown, printed):
    """What a page should show: lines that are as they were stay folded, a cut stays cut.

    >>> rewritten("a\\n...\\nd", "a b\\nc\\nd e\\n")
    'a b\\n...\\nd e'
    """
    old, new = shown.split("\n"), printed.strip("\n").split("\n")
    if not shown.startswith(NOTE):
        new = [line for line in new if not line.startswith(NOTE)]
    if CUT in old:
        head, tail = old.index(CUT), len(old) - old.index(CUT) - 1
        new = [*new[:head], CUT, *new[len(new) - tail :]]
    is_narrow = max(map(len, old)) <= WIDTH
    end = [""] * (len(shown) - len(shown.rstrip("\n")))
    lines = (
        each for line in new for each in _as_before(line, old) or _folded(line, is_narrow=is_narrow)
    )
    return "\n".join([*lines, *end])


def _as_before(line, old):
    """The lines into which a page has folded a line, if it has."""
    groups = (old[at : at + size] for size in range(2, FOLDS) for at in range(len(old)))
    whole = (each for each in groups if all(each) and CUT not in each)
    return next((each for each in whole if agrees("\n".join(each), line)), None)


def _folded(line, *, is_narrow):
    """A line in pieces that fit, if all others do."""
    if not is_narrow or len(line) <= WIDTH:
        return [line]
    return [each.rstrip(" ") for each in re.findall(rf".{{1,{WIDTH}}}(?:(?<=[ |])|$)", line)]


NOTE = "read as "


def agrees(shown, printed):
    """Whether a program printed what is shown, but for its version and where lines are folded.

    The notes on how inputs were read go to standard error; a page may leave them out.

    `...` stands for anything; a line may be folded anywhere.
    """
    parts = re.split(r"(\.\.\.|\n|\s+)", re.sub(r"caesura:\d\S*?\|", "caesura:|", shown.strip()))
    stands_for = {"...": ".*?", "\n": r"\s*"}
    pattern = "".join(
        stands_for.get(part, r"\s+" if part.isspace() else re.escape(part)) for part in parts
    )
    if not shown.startswith(NOTE):
        printed = "".join(x for x in printed.splitlines(keepends=True) if not x.startswith(NOTE))
    printed = re.sub(r"caesura:\d\S*?\|", "caesura:|", printed.strip())
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


class Checker(doctest.OutputChecker):
    """Compares what Python prints as `agrees` does."""

    def check_output(self, want, got, optionflags):
        return agrees(want, got)


class Runner(doctest.DocTestRunner):
    """Runs the examples of a block and keeps those that print something else."""

    def __init__(self, block):
        super().__init__(Checker(), verbose=False, optionflags=doctest.REPORT_ONLY_FIRST_FAILURE)
        self.block, self.changes = block, []

    def report_failure(self, out, test, example, got):
        super().report_failure(out, test, example, got)
        code = self.block.code.splitlines()[example.lineno :]
        source = "\n".join(code[: example.source.count("\n")])
        shown, got = example.want.removesuffix("\n"), got.removesuffix("\n")
        self.changes.append(Change(self.block, source, shown, got))


class Examples:
    """Runs blocks of one page in a folder and collects what went wrong, and what has changed."""

    def __init__(self, chosen, scratch):
        self.chosen, self.scratch = chosen, scratch
        self.names = {}
        self.problems, self.changes = [], []

    def run(self, folder):
        """Run all in one shell that starts in the folder; give the problems."""
        os.mkfifo(self.scratch / "calls")
        script, steps = self._script()
        environment = {
            **os.environ,
            "EXAMPLES": str(self.scratch),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        shell = subprocess.Popen(
            ["sh", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL
        )
        try:
            self._serve(shell)
        finally:
            shell.kill()
            shell.wait()
        for number, (block, command, silent) in enumerate(steps):
            self._check(number, block, command, silent)
        return self.problems

    def _script(self):
        lines, steps = [PRELUDE], []
        for at, block in enumerate(self.chosen):
            if block.language != "console":
                lines.append(f"call_in_test '{SESSION}' {at}")
                continue
            found = commands(block)
            for command in found:
                lines += [f"begin {len(steps)}", command.source, f"end {len(steps)}"]
                steps.append((block, command, not any(each.shown for each in found)))
        lines.append('printf "end\\n" > "$EXAMPLES/calls"')
        return "\n".join(lines) + "\n", steps

    def _check(self, number, block, command, silent):
        where = f"{block.page.name}:{command.line}: $ {command.source}"
        ended = self.scratch / f"{number}.status"
        if not ended.exists():
            self.problems.append(f"{where}\nthe shell stopped before the end of this command")
            return
        printed = (self.scratch / f"{number}.out").read_text(encoding="utf-8", errors="replace")
        if silent and ended.read_text() != "0":
            self.problems.append(f"{where}\nexit status {ended.read_text()}:\n{printed}")
        if not silent and not agrees(command.shown, printed):
            self.problems.append(f"{where}\nshown:\n{command.shown}\nprinted:\n{printed}")
            source = "$ " + command.source.replace("\n", "\n> ")
            self.changes.append(Change(block, source, command.shown, printed))

    def _serve(self, shell):
        with (self.scratch / "calls").open("r+b", buffering=0) as calls:
            last = time.monotonic()
            while shell.poll() is None and time.monotonic() < last + PATIENCE:
                if not select.select([calls], [], [], 0.2)[0]:
                    continue
                job = calls.readline().decode().strip()
                if job == "end":
                    return
                self._answer(Path(job))
                last = time.monotonic()

    def _answer(self, job):
        cwd, name, *arguments = (job / "call").read_bytes().decode().split("\0")[:-1]
        with contextlib.chdir(cwd), streams(job):
            if name == SESSION:
                status = self._python(self.chosen[int(arguments[0])])
            else:
                status = caesura(arguments)
        (job / "status").write_text(f"{status}\n")

    def _python(self, block):
        if block.language == "python":
            exec(compile(block.code, str(block), "exec"), self.names)
            return 0
        examples = doctest.DocTestParser().get_examples(block.code, str(block))
        test = doctest.DocTest(examples, {}, str(block), str(block.page), block.line - 1, None)
        test.globs = self.names
        report = io.StringIO()
        runner = Runner(block)
        failed = runner.run(test, out=report.write, clear_globs=False).failed
        self.changes += runner.changes
        if failed:
            self.problems.append(report.getvalue())
        return int(failed > 0)


@contextlib.contextmanager
def streams(job):
    """The files of a job as the standard streams."""
    before = sys.stdin
    with (
        (job / "in").open(encoding="utf-8") as given,
        (job / "out").open("w", encoding="utf-8") as out,
        (job / "err").open("w", encoding="utf-8") as err,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        sys.stdin = given
        try:
            yield
        finally:
            sys.stdin = before


def caesura(arguments):
    """Run `caesura ARGUMENTS` in this process; give its exit status."""
    before, sys.argv = sys.argv, ["caesura", *arguments]
    try:
        main()
    except SystemExit as end:
        return end.code or 0
    finally:
        sys.argv = before
    return 0
