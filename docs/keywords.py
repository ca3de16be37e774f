"""Write src/caesura/api/keywords.py: the options of tasks and profiles as keywords of `evaluate`.

Run it after an option was added or changed: `python docs/keywords.py`.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from caesura.communities import PROFILES
from caesura.core.option import Declared, declared
from caesura.core.profile import Profile
from caesura.core.task import Task
from caesura.tasks import TASKS

PAGE = Path(__file__).parents[1] / "src" / "caesura" / "api" / "keywords.py"
HEAD = '''"""The options of tasks and profiles as keywords; written by docs/keywords.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, Unpack, overload

from caesura.api.common import CommonKeywords
from caesura.run.given import Given
from caesura.steps.evaluation import Evaluation

'''
CLASS = '''
class {title}Keywords(CommonKeywords, total=False):
    """The options of {name}."""

{lines}

'''
PROTOCOL = '''
class Evaluate(Protocol):
    """evaluate(), for each task and each profile."""

'''
CALL = """    @overload
    def __call__(
        self,
        systems: Given{default},
{sides}
        **options: Unpack[{title}Keywords],
    ) -> Evaluation: ...
"""
SIDES = {
    "references": "references: Given{default}",
    "gold": "gold: object",
    "phones": "phones: object",
    "words": "words: object",
}


def keywords() -> str:
    """The module as it should be."""
    tasks = [task for task in TASKS.values() if task.options and task.has_systems]
    classes = [_task_class(task) for task in tasks] + list(map(_profile_class, PROFILES.values()))
    calls = [_task_call(task, tasks) for task in tasks] + list(
        map(_profile_call, PROFILES.values())
    )
    return "".join((HEAD, *classes, PROTOCOL, *calls, "\n\nevaluate: Evaluate\n"))


def _task_class(task: Task) -> str:
    every = declared(task.options_class).values()
    own = (each for each in every if each.about.on != "rows")
    return CLASS.format(title=_title(task.name), name=task.name, lines="\n".join(_lines(own)))


def _profile_class(profile: Profile) -> str:
    every = declared(TASKS[profile.task].options_class)
    own = (every[name] for name in profile.takes)
    title = _title(f"{profile.name}_profile")
    return CLASS.format(
        title=title, name=f"the profile {profile.name}", lines="\n".join(_lines(own))
    )


def _lines(options: Iterable[Declared]) -> Iterator[str]:
    """A keyword with its type; an option that is decided later may be None."""
    for each in options:
        kind = each.about.written or _choice(each) or each.type.replace("'", '"')
        is_open = each.about.unset or each.default in ("", 0)
        kind = kind if "None" in kind or not is_open or each.type == "bool" else f"{kind} | None"
        yield f"    {each.name}: {kind}"


def _choice(each: Declared) -> str:
    """The type of an option whose choices its field cannot say."""
    names = ", ".join(f'"{name}"' for name in each.about.choices)
    return f"Literal[{names}]" if names else ""


def _task_call(task: Task, tasks: list[Task]) -> str:
    """A call of a task; the first that is scored against something need not be named."""
    is_first = next(each for each in tasks if each.against == task.against) is task
    named = f'task: Literal["{task.name}"]' + (" | None = ..." if is_first else "")
    is_alone = task.name == "transcript"
    sides = [SIDES[name].format(default=" = ..." if is_alone else "") for name in task.against]
    sides = [*sides, "*"] if "references" in task.against else ["*", *sides]
    sides += [named, *(["docids: object = ..."] if task.name == "sentences" else [])]
    default = " = ..." if is_alone else ""
    return CALL.format(sides=_parameters(sides), title=_title(task.name), default=default)


def _profile_call(profile: Profile) -> str:
    title = _title(f"{profile.name}_profile")
    sides = ["*", "gold: object", f'profile: Literal["{profile.name}"]']
    return CALL.format(sides=_parameters(sides), title=title, default="")


def _parameters(names: list[str]) -> str:
    return "\n".join(f"        {name}," for name in names)


def _title(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


if __name__ == "__main__":
    PAGE.write_text(keywords(), encoding="utf-8")
