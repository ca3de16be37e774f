"""XML as a tree, read defensively: entities of its own and deep nesting are refused.

Nothing is ever fetched. Names of elements and attributes are those without their namespaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from caesura.errors import FormatError

SIZE = 1 << 30
"""The most bytes of XML that are read."""


@dataclass(slots=True)
class Element:
    """An element: its name, its attributes, its line, and the texts and elements in it."""

    name: str
    attributes: dict[str, str]
    source: str
    line: int
    content: list[Element | str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        """The element and all those inside it, in the order in which they begin."""
        yield self
        for part in self.content:
            if isinstance(part, Element):
                yield from part.walk()

    @property
    def text(self) -> str:
        """The text that stands in the element itself."""
        return "".join(part for part in self.content if isinstance(part, str))

    def error(self, problem: str, cure: str) -> FormatError:
        """An error in its line."""
        return FormatError(self.source, problem, cure, line=self.line)

    def required(self, name: str) -> str:
        """An attribute that must be there."""
        if not self.attributes.get(name):
            raise self.error(f"<{self.name}> without {name}", f"add {name}")
        return self.attributes[name]


def parse_xml(
    text: str,
    source: str,
    root: tuple[str, str],
    cure: str,
    refused: tuple[str, str],
    *,
    depth: int,
    has_doctype: bool = True,
) -> Element:
    """Read a document; `root` is the name of its root, and the cure where it is another.

    `refused` are problem and cure where it has entities; `depth` is how deep elements may be
    nested; `has_doctype` says whether it may have a document type, without entities.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > SIZE:
        raise FormatError(source, f"more than {SIZE:,} bytes of XML", "split the file")
    parser = expat.ParserCreate("utf-8", "}")
    parser.buffer_text = True
    opened: list[Element] = [Element("", {}, source, 0)]

    def fail(problem: str, cure: str = cure) -> NoReturn:
        raise FormatError(source, problem, cure, line=parser.CurrentLineNumber)

    def start(name: str, given: dict[str, str]) -> None:
        name = name.rpartition("}")[2]
        if len(opened) == 1 and name != root[0]:
            fail(f"<{name[:40]}> instead of <{root[0]}>", root[1])
        if len(opened) > depth:
            fail(f"elements nested deeper than {depth}")
        attributes = {each.rpartition("}")[2]: value for each, value in given.items()}
        element = Element(name, attributes, source, parser.CurrentLineNumber)
        opened[-1].content.append(element)
        opened.append(element)

    def characters(part: str) -> None:
        opened[-1].content.append(part)

    def refuse(*_: object) -> NoReturn:
        fail(*refused)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: opened.pop()
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    if not has_doctype:
        parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003
    except expat.ExpatError as problem:
        reason = expat.errors.messages.get(problem.code, str(problem))
        raise FormatError(source, f"broken XML ({reason})", cure, line=problem.lineno) from None
    (tree,) = opened[0].content
    assert isinstance(tree, Element)
    return tree
