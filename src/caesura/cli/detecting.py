"""`--run`: detectors that are run by the scoring command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from caesura.run.inputs import Source


def runs_of(texts: Iterable[str], systems: Sequence[str]) -> dict[str, str]:
    """The detectors to run, by the names of their systems."""
    from caesura.run.inputs import require_distinct, with_distinct_names

    found = with_distinct_names([_named(text) for text in texts])
    if not found and not systems:
        raise click.UsageError("nothing to score; give a SYSTEM, or a detector with --run")
    require_distinct([each.name for each in found])
    return {each.name: each.path for each in found}


def run_on_text(
    runs: Mapping[str, str], raw: str | None, reading: Mapping[str, Any]
) -> list[Source]:
    """Run segmenters on raw text; their output is kept in files until the command ends."""
    from caesura.core.option_rules import require_shared_partners
    from caesura.io.writing import temporary_folder
    from caesura.run.inputs import Source

    require_shared_partners({"raw": raw, "run": runs})
    if not runs:
        return []
    if raw is None:
        raise click.UsageError("--run needs the text to segment; give it with --raw")
    if reading["input"] == "conllu":
        raise click.UsageError("--run gives tokens, not CoNLL-U; drop --input conllu")
    place = click.get_current_context().with_resource(temporary_folder())
    source, encoding = Source.parse(raw), reading["encoding"]
    return [
        _run(source, name, spec, place / str(at), encoding)
        for at, (name, spec) in enumerate(runs.items())
    ]


def sentences_only(runs: Mapping[str, str]) -> tuple[str, ...]:
    """The systems that do not place tokens."""
    if not runs:
        return ()
    from caesura.detect.sentences import has_tokens

    return tuple(name for name, spec in runs.items() if not has_tokens(spec))


def _named(text: str) -> Source:
    """Take `DETECTOR` or `NAME=DETECTOR`."""
    from caesura.detect import COMMAND_PREFIX, MODEL
    from caesura.detect.programs import name_of
    from caesura.io.files import stem
    from caesura.run.inputs import Source

    named = re.fullmatch(r"([\w.-]+)=(.+)", text, re.DOTALL)
    if named:
        return Source(named[1], named[2])
    if text.startswith(COMMAND_PREFIX):
        return Source(name_of(text.removeprefix(COMMAND_PREFIX)), text)
    if text.endswith(MODEL):
        return Source(stem(text), text, is_named=False)
    return Source(text, text)


def _run(source: Source, name: str, spec: str, folder: Path, encoding: str | None) -> Source:
    """Write one sentence per line for each document, in tokens if the detector places some."""
    from caesura.cli.running import tell
    from caesura.detect import is_network, is_own
    from caesura.detect.sentences import (
        for_text,
        has_tokens,
        split_text,
        tokenize_text,
        unknown_words,
    )
    from caesura.formats.plain import parse
    from caesura.io.files import read_text, stem
    from caesura.io.outputs import file_name
    from caesura.io.writing import TEMPORARY, writing
    from caesura.run.inputs import Source
    from caesura.scores.notes import taken
    from caesura.scores.notes import unknown_words as warning

    folder.mkdir()
    written, words, unknown = {}, 0, 0
    documents = source.documents or {stem(source.path): source.path}
    for at, (document, path) in enumerate(documents.items()):
        text = read_text(path, encoding)
        used = for_text(spec, text, len(text.split()))
        tell([taken(used, path)] if used != spec else (), (), quiet=False)
        sentences = (tokenize_text if has_tokens(used) else split_text)(used, text, path)
        if is_network(used):
            found = parse(text, "lines")
            words, unknown = words + len(found.words), unknown + unknown_words(used, found)
        place = folder / str(at) / file_name(document, ".txt")
        with writing(*TEMPORARY):
            place.parent.mkdir()
            place.write_text("".join(f"{each}\n" for each in sentences), encoding="utf-8")
        written[document] = str(place)
    tell((), warning(name, unknown, words, is_own=is_own(spec)), quiet=False)
    if source.documents is not None:
        return Source(name, str(folder), written)
    return Source(name, next(iter(written.values())))
