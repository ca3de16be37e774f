"""What all measures share: options that are checked when a measure is made."""

from dataclasses import dataclass, fields
from typing import ClassVar

from caesura.core.score import Score
from caesura.errors import UsageError


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a measure are its fields.

    `least_values` holds the smallest value of some, `choices` the values that others may have.
    `scores` declares every score; `has_time` says whether it works on the axis of time,
    `of_references` whether it compares references with each other, too, `is_optional` whether
    some documents cannot have it, `asked_by` which option asks for it.
    """

    scores: ClassVar[tuple[Score, ...]] = ()
    has_time: ClassVar[bool] = False
    of_references: ClassVar[bool] = False
    is_optional: ClassVar[bool] = False
    asked_by: ClassVar[str] = ""
    least_values: ClassVar[dict[str, int]] = {}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "final": ("drop", "keep"),
        "algorithm": ("blocks", "literal"),
        "profile": ("2017", "paper"),
    }

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = self.least_values.get(field.name)
            if least is not None and value < least:
                raise UsageError(f"{field.name} cannot be {value}; choose {least} or more")
            choices = self.choices.get(field.name, (value,))
            if value not in choices:
                raise UsageError(f"{field.name} cannot be '{value}'; choose {' or '.join(choices)}")
