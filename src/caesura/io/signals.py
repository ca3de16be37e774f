"""Signals: which ones interrupt the command line, and letting them wait."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""The signals that end a process, besides Ctrl-C."""


def interrupt_by_signals(received: list[int]) -> None:
    """Let SIGTERM and SIGHUP interrupt this process as Ctrl-C does; the first one is `received`.

    A signal that is ignored, as nohup lets SIGHUP be, stays ignored.
    """

    def interrupt(number: int, _: object) -> None:
        for ending in ENDING:
            signal.signal(ending, signal.SIG_IGN)
        received.append(number)
        raise KeyboardInterrupt

    for ending in ENDING:
        if signal.getsignal(ending) is signal.SIG_DFL:
            signal.signal(ending, interrupt)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let Ctrl-C, and other signals whose handlers may raise an exception, wait.

    Without it, a process could be started, or a folder made, that nobody knows of.
    """
    waiting: list[int] = []
    is_main = current_thread() is main_thread()
    handlers = {
        number: handler
        for number in ((signal.SIGINT, *ENDING) if is_main else ())
        if callable(handler := signal.getsignal(number))
    }
    for number in handlers:
        signal.signal(number, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if waiting:
        handlers[waiting[0]](waiting[0], None)
