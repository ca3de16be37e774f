"""Breaks of subtitles: the ends of lines and of blocks, as they stand in a text as written.

`<eol>` is a break between two lines of one block, `<eob>` the end of a block, which is what is on
the screen at a time.
"""

from __future__ import annotations

EOL, EOB = "<eol>", "<eob>"
LINE_END, BLOCK_END = "\x1f", "\x1e"
"""What stands for them in the text of a document; white space, so that they are not words."""
LINE, BLOCK = "line", "block"
"""The types of the boundaries."""
BREAKS = "breaks"
"""The form of texts with breaks, in which each line is a segment of its own."""
