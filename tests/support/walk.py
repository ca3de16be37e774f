"""Run `caesura ARGUMENTS` and print the functions of ours that it calls, as lines of JSON.

Each is printed when it is first called, as `FILE:NAME`, after those that are under way.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

import caesura
from caesura.__main__ import main

ROOT = f"{Path(caesura.__file__).parent}/"


def under_way(frame):
    """The functions of ours that have begun and not ended, the first first."""
    names = []
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(ROOT):
            names.append(f"{code.co_filename.removeprefix(ROOT)}:{code.co_qualname}")
        frame = frame.f_back
    return names[::-1]


def walk(arguments):
    """What `caesura ARGUMENTS` calls, each function once: its name comes last in its list."""
    calls = {}

    def called(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(ROOT):
            names = under_way(frame)
            calls.setdefault(names[-1], names)

    sys.argv = ["caesura", *arguments]
    sys.setprofile(called)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()
    sys.setprofile(None)
    return list(calls.values())


if __name__ == "__main__":
    for names in walk(sys.argv[1:]):
        print(json.dumps(names))
