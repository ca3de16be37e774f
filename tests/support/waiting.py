"""Wait for something to happen, such as the end of a process."""

import socket
import time
from pathlib import Path


def until(seen, limit=30, pause=0.02):
    """Wait for something to be so; returns it, or what is seen when the seconds are over."""
    deadline = time.monotonic() + limit
    while not (result := seen()) and time.monotonic() < deadline:
        time.sleep(pause)
    return result


def is_running(pid):
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
