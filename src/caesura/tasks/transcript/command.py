"""`caesura agreement`: inter-annotator agreement."""

from __future__ import annotations

from caesura.core.command import Command

AGREEMENT = Command(
    about="""REF is PATH or NAME=PATH: a file, a folder or a glob of transcripts, - or a URL.

    \b
    Examples:
      caesura agreement a.txt b.txt c.txt
      caesura agreement anna=ann/anna ben=ann/ben --by-document -f csv
    """,
    systems="REF...",
    sides=(),
    has_errors=False,
)
