"""PROFILES: how other communities score, in their own words. The only list of them.

A community is a folder: its profile, and the measures, figures and citations that only it has. It
is a plug-in that comes along.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from caesura.core.profile import Profile
from caesura.core.registry import Extensible, required


def _named(name: str, profile: object) -> Profile:
    return replace(required(Profile, profile), name=name)


PROFILES = Extensible(
    {
        "sighan": "caesura.communities.sighan:PROFILE",
        "disrpt": "caesura.communities.disrpt:PROFILE",
        "topics": "caesura.communities.topics:PROFILE",
        "phones": "caesura.communities.phones:PROFILE",
        "subtitles": "caesura.communities.subtitles:PROFILE",
        "speakers": "caesura.communities.speakers:PROFILE",
        "changes": "caesura.communities.changes:PROFILE",
        "music": "caesura.communities.music:PROFILE",
        "chapters": "caesura.communities.chapters:PROFILE",
        "shots": "caesura.communities.shots:PROFILE",
        "events": "caesura.communities.events:PROFILE",
        "morphemes": "caesura.communities.morphemes:PROFILE",
        "chunks": "caesura.communities.chunks:PROFILE",
    },
    "profiles",
    _named,
    ("paper", "tool", "2017"),
)
"""The profiles by name, in the order of the help, and those of plug-ins."""
FOLDERS = tuple(path for name in PROFILES if (path := Path(__file__).with_name(name)).is_dir())
"""Where published figures (JSON) and citations (BibTeX) of communities are, in their order."""
