"""`caesura` and `python -m caesura`: the command line, which Ctrl-C ends at any moment.

Nothing is imported before there is somebody to notice a Ctrl-C.
"""

import os
import sys

STOPPED = 130
"""128 and the number of SIGINT."""


def main() -> None:
    """Run the command line; Ctrl-C ends it in one line, a second one without another word.

    SIGTERM and SIGHUP end it as Ctrl-C does, with exit status 143 or 129.
    """
    received: list[int] = []
    try:
        try:
            from caesura.io.signals import interrupt_by_signals

            interrupt_by_signals(received)
            from caesura.cli import main as run

            run()
        except KeyboardInterrupt:
            sys.stderr.write("error: stopped\n")
            sys.exit(STOPPED)
        finally:
            import signal

            signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:
        _leave()
    except SystemExit as end:
        if received and end.code == STOPPED:
            sys.exit(128 + received[0])
        raise


def _leave(*_: object) -> None:
    """End at once: the command has ended, and only the interpreter is still busy."""
    os._exit(STOPPED)


if __name__ == "__main__":
    main()
