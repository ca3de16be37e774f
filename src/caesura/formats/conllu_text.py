"""CoNLL-U as text: its tokens or words, and the treebank that they are of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from caesura.core.arrays import steps
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.core.treebank_table import AnnotatedText, TreebankTable
from caesura.errors import FormatError
from caesura.formats._shared.casing import with_case_of_tokens
from caesura.formats._shared.surface import surface_text
from caesura.formats.conllu import parse_conllu
from caesura.formats.text_file import TextFile, TextOptions
from caesura.formats.tokenized import parse_filled


def parse(data: bytes, source: str, options: TextOptions) -> TextFile:
    """Read CoNLL-U from UTF-8 bytes, in surface tokens or syntactic words."""
    table = parse_conllu(data, source)
    surface = _text_of(table, table.tokens, options)
    text = surface if options.units == "tokens" else _text_of(table, table.words, options)
    return TextFile(text, AnnotatedText(table, surface))


def _text_of(table: TreebankTable, lines: IntArray, options: TextOptions) -> Text:
    is_surface = lines is table.tokens
    data = table.surface if is_surface else with_case_of_tokens(table, table.plain(lines))
    how = options.equivalences, options.normalize
    first = np.flatnonzero(steps(table.sentence_of(lines), -1))
    ends = np.append(first[1:], lines.size)
    text = None if how[1] else surface_text(data, table.form_widths(lines), ends, how[0])
    if text is None:
        text = parse_filled(data, equivalences=how[0], normalize=how[1], source=table.source)
    if text.token_ends.size != lines.size:
        raise _blank_form(table, lines)
    begins = table.line[lines[first]].astype(np.int64) + 1
    signs = {"text_differs": table.unlike.size} if table.unlike.size else {}
    return replace(text, lines=begins, form="conllu", source=table.source, signs=signs)


def _blank_form(table: TreebankTable, lines: IntArray) -> FormatError:
    forms = table.plain(lines).replace(b"\n", b" ").split(b" ")
    blank = next(at for at, form in enumerate(forms) if not form.decode().replace("\0", "").strip())
    line = int(table.line[lines[blank]]) + 1
    return FormatError(table.source, "a blank form", "give the token a form", line=line)
