"""`caesura` and `python -m caesura`: the command line, which Ctrl-C ends at any moment."""

import os
import signal
import sys
from typing import NoReturn

STOPPED = 130


def main() -> None:
    """Run the command line; Ctrl-C ends it in one line, also while it is being imported."""
    try:
        from caesura.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("error: stopped\n")
        sys.exit(STOPPED)
    finally:
        signal.signal(signal.SIGINT, _leave)


def _leave(*_: object) -> NoReturn:
    """End at once: the command has ended, and only the interpreter is still busy."""
    os._exit(STOPPED)


if __name__ == "__main__":
    main()
