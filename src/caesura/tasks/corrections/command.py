"""`caesura corrections`: edits in M2 files, however sentences and tokens are cut."""

from __future__ import annotations

from caesura.core.command import Command, OutputLayout, gold_side
from caesura.core.registry import Later

COMMAND = Command(
    about="""HYP and GOLD are PATH or NAME=PATH: a file, a folder or a glob of M2 files (matched by
    file name), - or a URL. The sentences that are corrected may be cut differently on both sides,
    and so may their tokens.

    \b
    Examples:
      caesura corrections ours.m2 --gold gold.m2 --by type
      caesura corrections a.m2 b.m2 --gold gold.m2 --compare --confidence
      caesura corrections ours.m2 --gold gold.m2 --match span --show-errors 10
      caesura corrections ours.m2 --gold gold.m2 --annotators errant -f errant
    """,
    systems="HYP...",
    sides=(gold_side("The gold corrections."),),
    groups=("type", "operation", "main"),
    by="Add a table of edits by type (R:NOUN), by operation (M missing, U unnecessary, R replaced) "
    "or by main type (NOUN): ERRANT's -cat 3, 1 and 2. Repeatable.",
    layouts={"errant": OutputLayout(make=Later("caesura.tasks.corrections.tables:errant_text"))},
)
