"""What there is: measures and formats, those of all tasks together."""

from caesura.core.measure import Measure
from caesura.core.registry import Registry
from caesura.formats.registry import FORMATS as SHARED
from caesura.tasks import TASKS

MEASURES: Registry[type[Measure]] = Registry.from_registries(
    task.measures for task in TASKS.values()
)
"""Every measure by name."""
_FORMATS = (*SHARED, *(each for task in TASKS.values() for each in task.formats))
FORMATS: dict[str, str] = {
    name: "; ".join(each.line for each in _FORMATS if each.name == name)
    for name in dict.fromkeys(each.name for each in _FORMATS)
}
"""Every format by name, with a line about each."""
