"""What a format makes of a text, piece by piece; every format is read and written by its name."""

import pytest

from caesura.errors import CaesuraError
from caesura.formats.registry import TIMED
from caesura.formats.script import UNKNOWN, to_document
from caesura.formats.transcripts import parse_scripts

SOURCE = "x"
"""The name of every text in errors."""


def scripts(form, text, **options):
    """Every recording of a text."""
    return parse_scripts(text, SOURCE, form, options)


def script(form, text, **options):
    """The only recording of a text."""
    [found] = scripts(form, text, **options)
    return found


def told(script, fields):
    """Some fields of each piece, such as `texts start`: times in seconds, None where unknown."""
    columns = [_column(script, name) for name in fields.split()]
    return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))


def pieces(form, text, fields, **options):
    """Some fields of each piece of the only recording of a text."""
    return told(script(form, text, **options), fields)


def document(form, text, units="", **options):
    """The only recording of a text, in the units of its format unless others are given."""
    return to_document(script(form, text, **options), units=units or TIMED[form].units)


def message(form, text, **options):
    """The error that reading a text ends with."""
    with pytest.raises(CaesuraError) as error:
        [to_document(each) for each in scripts(form, text, **options)]
    return str(error.value)


def _column(script, name):
    values = getattr(script, name)
    if values is None:
        return [None] * len(script)
    if name in ("start", "end"):
        return [None if time == UNKNOWN else time / 1e6 for time in values.tolist()]
    return values.tolist() if name in ("ends", "lines") else list(values)
