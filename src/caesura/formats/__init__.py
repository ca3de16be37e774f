"""FORMATS and read(): bytes into documents. One module for each format."""

from os import PathLike

from caesura.errors import UnknownNameError
from caesura.files import read_text
from caesura.formats import plain
from caesura.formats.plain import MARKS
from caesura.segmentation import Document

FORMATS: dict[str, str] = dict(plain.FORMS)


def read(
    path: str | PathLike[str],
    *,
    input: str = "auto",
    marks: str = MARKS,
    encoding: str | None = None,
) -> Document:
    """Read one transcript from a file, standard input (`-`) or a URL."""
    if input != "auto" and input not in FORMATS:
        raise UnknownNameError("input form", input, FORMATS)
    return plain.parse(read_text(str(path), encoding), input, marks=marks, source=str(path))


__all__ = ["FORMATS", "MARKS", "read"]
