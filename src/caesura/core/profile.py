"""Profile: how one community scores. The kernel is passed one, and never looks one up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple


class Named(NamedTuple):
    """A score under the name that a community has for it: the key of the task, and a label.

    Tables have it if it `is_column`; JSON and CSV always have it.
    """

    key: str
    label: str
    is_column: bool = True


def as_in_task(*names: str) -> dict[str, str]:
    """Options that a profile takes, with the help that they have in its task."""
    return dict.fromkeys(names, "")


OWN_TABLES = "Add boundary (caesura's own tables, below)"
"""What `--also` does in every profile."""
ALSO_AND_ENCODING = {"also": f"{OWN_TABLES}.", "encoding": ""}
"""The last options of profiles without measures to add, with their help."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profile:
    """How one community scores: over which task, with which options, under which names.

    `options` are those of the task that it sets, `takes` those that users may give, each with
    its help where that of the task does not fit; `scores` its scores by name, in the order of its
    table, and `main` the main one. `item` is what it calls the words on which boundaries lie, or
    the tokens, and `unit` what lies between boundaries; `scored` is what is scored, as in “How
    good are these words?”; `beside` says what caesura's own table of boundaries counts. `mean` is
    the mean over documents that the community prints, and of which comparisons and gates are.
    `measures` are those that it brings to its task, by name, each at `module:attribute`; they are
    counted where `also` names them. `examples` is what follows its name on lines of the help.
    """

    name: str = ""
    about: str
    task: str
    item: str
    unit: str
    scores: Mapping[str, Named]
    main: str = "f1"
    mean: Literal["micro", "macro"] = "micro"
    scored: str = "boundaries"
    beside: str = "Boundaries"
    options: Mapping[str, Any] = field(default_factory=dict)
    takes: Mapping[str, str] = field(default_factory=dict)
    measures: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[str, ...] = ()

    def __plain__(self) -> str:
        return self.name


def with_parameter(limits: Iterable[str], profile: Profile | None) -> list[str]:
    """The scores with a parameter, `F1@2`, of gates; a profile may have names of this form."""
    names = [
        text.partition("=")[0].removeprefix("micro:").removeprefix("macro:") for text in limits
    ]
    scores = profile.scores if profile else {}
    own = {*scores, *(each.label for each in scores.values())}
    return [name for name in names if "@" in name and name not in own]
