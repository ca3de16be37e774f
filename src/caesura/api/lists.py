"""What there is: measures and formats, those of all tasks together."""

from caesura.core.registry import Registry
from caesura.formats import FORMATS as SHARED
from caesura.measures.base import Measure
from caesura.tasks import TASKS

MEASURES: Registry[type[Measure]] = Registry.from_registries(
    task.measures for task in TASKS.values()
)
"""Every measure by name."""
_ABOUT = (SHARED, *(task.formats for task in TASKS.values()))
FORMATS: dict[str, str] = {
    name: "; ".join(each[name] for each in _ABOUT if name in each)
    for name in dict.fromkeys(name for each in _ABOUT for name in each)
}
"""Every format by name, with a line about each."""
