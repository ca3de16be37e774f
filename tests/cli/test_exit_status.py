"""How commands end: one line, an exit status, never a traceback unless it is asked for."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ESCAPE = "x\x1b]0;pwn\x07y"
SHOWN = r"x\x1b]0;pwn\x07y"


@pytest.fixture
def talk(folder):
    return folder(a="so it\nrained\n", b="so it\nrained\n", c="so\nit rained\n")


def printed(run, *arguments):
    status, out, error = run(*arguments, notes=True)
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*out, *error}
    return status, out, error


@pytest.mark.usefixtures("talk")
class TestHostileNames:
    def test_of_systems_and_files(self, run, folder):
        status, out, _ = printed(run, "transcript", f"{ESCAPE}=a.txt", "--ref", "b.txt")
        assert status == 0
        assert SHOWN in out
        folder(**{f"{ESCAPE}.txt": "so it\nrained\n"})
        _, _, error = printed(run, "transcript", f"{ESCAPE}.txt", "--ref", "b.txt")
        assert f"read as lines: b.txt, {SHOWN}.txt" in error
        _, _, error = printed(run, "transcript", f"no{ESCAPE}.txt", "--ref", "b.txt")
        assert error == f"error: no{SHOWN}.txt: no such file or directory; check the path\n"

    def test_of_options(self, run):
        status, _, error = printed(run, "transcript", f"--{ESCAPE}")
        assert status == 2
        assert re.search(rf"No such option:? '?--{re.escape(SHOWN)}\b", error)

    def test_words_in_errors_and_tables(self, run, folder):
        folder(x=f"so it{ESCAPE} rained\n", g=f"so it {ESCAPE} rained\nall night\n")
        status, _, error = printed(run, "transcript", "x.txt", "--ref", "b.txt")
        assert status == 1
        assert SHOWN in error
        shared = ("text", f"a\n{ESCAPE}=x.txt", "--gold", "g.txt", "--show-errors", "5")
        for form in ("markdown", "latex", "csv"):
            assert printed(run, *shared, "-f", form)[0] == 0
        assert rf"a\n{SHOWN}" in printed(run, *shared)[1]
        assert run(*shared, "--errors", "e.tsv", "-o", "out")[0] == 0
        lines = Path("e.tsv").read_text(encoding="utf-8").split("\n")[:-1]
        assert all(line.count("\t") == 6 for line in lines)


def broken(monkeypatch, problem):
    def fail(*_, **__):
        raise problem

    monkeypatch.setattr("caesura.api.conversion.parse", fail)


@pytest.mark.usefixtures("talk")
class TestUnexpected:
    def test_is_one_line_with_a_way_to_report_it(self, run, monkeypatch):
        broken(monkeypatch, IndexError("oh\n\x1b[31m"))
        status, out, error = printed(run, "convert", "a.txt", "b.srt")
        assert (status, out, error.count("\n")) == (1, "", 1)
        assert error.startswith(r"error: IndexError: oh \x1b[31m (conversion.py:")
        assert "this is a bug in caesura: run again with --debug and report what it shows" in error

    def test_shows_its_traceback_with_debug(self, run, monkeypatch):
        broken(monkeypatch, IndexError("oh"))
        command = ["convert", "a.txt", "b.srt"]
        for arguments in (["--debug", *command], [*command, "--debug"]):
            status, _, error = run(*arguments)
            assert status == 1
            assert error.startswith("Traceback (most recent call last):\n")
            assert "error: IndexError: oh" in error.splitlines()[-1]
        error = run("convert", "no.txt", "b.srt", "--debug")[2]
        assert error.startswith("Traceback")
        assert error.endswith("\nerror: no.txt: no such file or directory; check the path\n")

    @pytest.mark.parametrize(
        ("problem", "line"),
        [
            (MemoryError(), "out of memory; "),
            (OSError(28, "No space left on device", "x"), "x: no space left on device; "),
            (EOFError("early"), "EOFError: early ("),
            (RecursionError(), "RecursionError ("),
            (ValueError("a" * 5000), "ValueError: aaaaa"),
        ],
    )
    def test_of_any_kind(self, run, monkeypatch, problem, line):
        broken(monkeypatch, problem)
        status, _, error = run("convert", "a.txt", "b.srt")
        assert status == 1
        assert error.lstrip().startswith(f"error: {line}")
        assert len(error) < 500


@pytest.mark.usefixtures("talk")
class TestInterrupt:
    def test_in_a_command(self, run, monkeypatch):
        broken(monkeypatch, KeyboardInterrupt())
        assert run("convert", "a.txt", "b.srt") == (130, "", "error: stopped\n")

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform == "win32", reason="signals")
    @pytest.mark.parametrize("module", ["click", "numpy"])
    def test_while_modules_are_imported(self, module):
        """A module that takes its time to be imported, and is interrupted meanwhile."""
        code = (
            "import signal, sys, time\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "class Slow:\n"
            "    def find_spec(self, name, path=None, target=None):\n"
            f"        if name == {module!r}:\n"
            "            print('now', flush=True)\n"
            "            time.sleep(60)\n"
            "sys.meta_path.insert(0, Slow())\n"
            "from caesura.__main__ import main\n"
            "main()\n"
        )
        arguments = ["transcript", "a.txt", "--ref", "b.txt"]
        with subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            assert process.stdout.readline() == "now\n"
            process.send_signal(signal.SIGINT)
            _, error = process.communicate()
        assert (process.returncode, error) == (130, "error: stopped\n")


def ended(arguments, closed):
    """Run a command with standard streams closed: exit status, standard output and error."""
    program = ["sh", sys.executable, "-m", "caesura"]
    command = ["sh", "-c", f'exec "$@" {closed}', *program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize(
    ("arguments", "closed", "status", "error"),
    [
        (["segment", "every:2"], "<&-", 1, "standard input: bad file descriptor; pipe a file in"),
        (["convert", "a.txt", "-", "--to", "lines", "-q"], ">&-", 1, "standard output: bad file"),
        (["convert", "a.txt", "x.txt"], "2>&-", 0, ""),
        (["convert", "no.txt", "x.txt"], "<&- >&- 2>&-", 1, ""),
    ],
)
def test_closed_streams(arguments, closed, status, error):
    got, out, told = ended(arguments, closed)
    assert (got, out) == (status, "")
    assert told.startswith(f"error: {error}") if error else not told
