"""Options of commands, made from those that tasks declare."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import click

from caesura.cli.commands import GroupedOption, OptionGroup, Real
from caesura.core.option import Declared, Option, declared
from caesura.core.profile import Profile
from caesura.core.task import Task

F = TypeVar("F", bound=Callable[..., object])
EMPTY = ("", 0, (), None, False)
"""Defaults of options that are decided later, or that do nothing."""


def task_options(
    task: Task, only: Collection[str] = (), more: Mapping[str, str] | None = None
) -> Callable[[F], F]:
    """The options of a task as its command has them, or some of them for another command.

    `more` are further names that options have there.
    """
    kind = task.options_class
    types = get_type_hints(kind)
    where = ("commands", "systems") if task.has_systems else ("commands",)
    return _together(
        OptionGroup(each.about.group).option(
            each.flag,
            *filter(None, [(more or {}).get(name)]),
            **_click(each, str if name in kind.presets else types[name]),
            help=_help(each),
        )
        for name, each in declared(kind).items()
        if each.about.on in where and (not only or name in only)
    )


def profile_options(profiles: Mapping[str, Profile], tasks: Mapping[str, Task]) -> Callable[[F], F]:
    """The options that some profiles take, each with what it does in which profile."""
    names = dict.fromkeys(name for profile in profiles.values() for name in profile.takes)
    return _together(_profile_option(name, profiles, tasks) for name in names)


def _together(options: Iterable[Callable[[F], F]]) -> Callable[[F], F]:
    made = list(options)
    return lambda command: reduce(lambda done, one: one(done), reversed(made), command)


class ProfiledOption(GroupedOption):
    """An option of some profiles; `texts` is the help of each."""

    def __init__(self, *names: Any, texts: Mapping[str, str], is_shared: bool, **how: Any) -> None:
        who: dict[str, list[str]] = {}
        for profile, text in texts.items():
            who.setdefault(text, []).append(profile)
        is_same = is_shared and len(who) == 1
        told = [text if is_same else f"{', '.join(n)}: {_lower(text)}" for text, n in who.items()]
        super().__init__(*names, help=" ".join(told), **how)
        self.texts = texts


def _profile_option(
    name: str, profiles: Mapping[str, Profile], tasks: Mapping[str, Task]
) -> Callable[[F], F]:
    takers = [profile for profile in profiles.values() if name in profile.takes]
    kind = tasks[takers[0].task].options_class
    each = declared(kind)[name]
    texts = {
        profile.name: _help_in(profile, declared(tasks[profile.task].options_class)[name])
        for profile in takers
    }
    hint = str if name in kind.presets else get_type_hints(kind)[name]
    how = _click(each, hint) | ({} if each.type == "bool" else {"default": None})
    how = {key: value for key, value in how.items() if key not in ("show_default", "main")}
    if each.about.is_repeated:
        how |= {"default": (), "type": None, "metavar": each.about.metavar or "MEASURE"}
    is_shared = len(takers) == len(profiles)
    return click.option(
        each.flag, cls=ProfiledOption, group=each.about.group, texts=texts,
        is_shared=is_shared, main=each.about.is_main and is_shared, **how,
    )  # fmt: skip


def _help_in(profile: Profile, each: Declared) -> str:
    """What an option does in a profile, and what the profile sets it to."""
    text, own = profile.takes[each.name] or each.about.help, profile.options.get(each.name)
    default = own if isinstance(own, str) else each.about.unset or each.default
    if "[default" in text or default in EMPTY:
        return text
    return f"{text}  [default: {default}]"


def _lower(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _help(each: Declared) -> str:
    """What an option does, and what happens without it if that is decided later."""
    return each.about.help + (f"  [default: {each.about.unset}]" if each.about.unset else "")


def _click(each: Declared, hint: object) -> dict[str, object]:
    """How click reads an option, from the type of its field, which may be None, too."""
    about, kinds = each.about, get_args(hint)
    if NoneType in kinds:
        hint = next(part for part in kinds if part is not NoneType)
    how: dict[str, object] = {"main": about.is_main}
    how |= {"metavar": about.metavar} if about.metavar else {}
    if hint is bool:
        return how | {"is_flag": True}
    if about.is_repeated:
        how |= {"multiple": True}
    elif each.default in EMPTY or about.unset:
        how |= {"default": None}
    else:
        how |= {"default": each.default, "show_default": True}
    values = _type(about, hint)
    return how | ({"type": values} if values else {})


def _type(about: Option, hint: object) -> click.ParamType[object] | None:
    """The values that can be given; text if users write what is parsed later."""
    choices = about.choices or (get_args(hint) if get_origin(hint) is Literal else ())
    if choices:
        return click.Choice(list(choices))
    if about.written:
        return None
    if hint is int:
        return click.IntRange(min=about.least, max=about.most)
    return Real(about.above, min_open=about.above is not None) if hint is float else None
