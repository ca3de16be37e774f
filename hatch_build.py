"""Build hook: the README for package indexes, which have none of the files that it links to."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?P<image>!?)(?P<text>\[[^\]]*\])\((?![a-z]+:|#)(?P<path>[^)\s]+)\)")


def absolute(readme: str, repository: str) -> str:
    """Make the relative links and images of a README lead into its repository."""

    def link(found: re.Match[str]) -> str:
        view = "raw" if found["image"] else "blob"
        return f"{found['image']}{found['text']}({repository}/{view}/main/{found['path']})"

    return LINK.sub(link, readme)


class Readme(MetadataHookInterface):
    """Describe the package by its README, with absolute links."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the field `readme` of the metadata."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(text, metadata["urls"]["Repository"]),
        }
