"""Scores by speaker: of each document, or pooled, with their sizes, the largest first."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.formats.script import Script, to_document

TURNS = st.lists(st.tuples(st.sampled_from("01A"), st.booleans(), st.booleans()), min_size=1)


def spoken(turns, side):
    """A document of one word a turn, with a boundary after those whose flag is set."""
    texts = [f"w{at}" + "." * turn[side] for at, turn in enumerate(turns)]
    return to_document(Script(texts, speakers=[turn[0] for turn in turns], source="<talk>"))


def scored(documents, **options):
    sides = [{name: spoken(turns, side) for name, turns in documents.items()} for side in (1, 2)]
    return caesura.evaluate({"s": sides[0]}, {"r": sides[1]}, **options)


def sizes_of(turns, final):
    """By speaker, the words and the reference's boundaries, the last one if it is kept."""
    found = {}
    for speaker in {turn[0] for turn in turns}:
        own = [turn for turn in turns if turn[0] == speaker]
        ends = [turn[2] for turn in own[:-1]]
        found[speaker] = len(own), sum(ends) + (final == "keep")
    return found


CORPORA = st.lists(TURNS, min_size=1, max_size=3).map(
    lambda every: {f"d{at}": turns for at, turns in enumerate(every)}
)
WAYS = st.sampled_from([{"by": "speaker"}, {"streams": "speaker"}])


@given(CORPORA, WAYS, st.sampled_from(["drop", "keep"]))
def test_each_document_has_speakers_of_its_own(documents, way, final):
    found = scored(documents, final=final, **way).summary.streams
    each = {(stream.document, stream.name): stream for stream in found.each}
    assert len(each) == len(found.each)
    for name, turns in documents.items():
        alone = scored({name: turns}, final=final, **way).summary.streams
        for own in alone.each:
            stream = each.pop((name if len(documents) > 1 else None, own.name))
            assert repr(stream.systems) == repr(own.systems)
            size = stream.words, stream.boundaries["r"]
            assert size == (own.words, own.boundaries["r"]) == sizes_of(turns, final)[own.name]
    assert not each


@given(CORPORA, WAYS)
def test_pooled_speakers_are_the_sums(documents, way):
    found = scored(documents, pool=True, **way).summary.streams
    wanted = {}
    for turns in documents.values():
        for name, size in sizes_of(turns, "drop").items():
            old = wanted.get(name, (0, 0))
            wanted[name] = old[0] + size[0], old[1] + size[1]
    assert {each.name: (each.words, each.boundaries["r"]) for each in found.each} == wanted
    assert all(each.document is None for each in found.each)


@given(CORPORA, WAYS, st.booleans())
def test_the_largest_comes_first(documents, way, pool):
    words = [each.words for each in scored(documents, pool=pool, **way).summary.streams.each]
    assert words == sorted(words, reverse=True)


TALKS = {
    "x": [("0", True, True), ("0", False, True), ("1", True, False), ("0", False, False)],
    "y": [("0", False, True), ("1", True, True), ("1", True, True), ("1", False, True),
          ("1", False, False)],
}  # fmt: skip


def test_the_table():
    (table,) = [each for each in scored(TALKS, by="speaker").page().tables if each.id == "streams"]
    titles = [column.title for column in table.columns]
    assert titles[:5] == ["document", "speaker", "system", "words", "boundaries"]
    assert {"P", "R", "F1"} <= set(titles[5:])
    assert [row[:5] for row in table.rows] == [
        ("y", "1", "s", 4, 3), ("x", "0", "s", 3, 2), ("x", "1", "s", 1, 0), ("y", "0", "s", 1, 0),
    ]  # fmt: skip
    found = scored(TALKS, by="speaker", pool=True)
    (table,) = [each for each in found.page().tables if each.id == "streams"]
    assert [column.title for column in table.columns][:2] == ["speaker", "system"]


def test_the_json():
    streams = json.loads(scored(TALKS, by="speaker").to_json())["streams"]
    assert list(streams["by_stream"]) == list(streams["sizes"]) == ["y/1", "x/0", "x/1", "y/0"]
    assert streams["by_stream"]["y/1"]["s"]["precision_mean"] == 1
    assert streams["sizes"]["y/1"] == {
        "document": "y", "name": "1", "words": 4, "boundaries": {"r": 3},
    }  # fmt: skip
    pooled = json.loads(scored(TALKS, by="speaker", pool=True).to_json())["streams"]
    assert list(pooled["by_stream"]) == ["1", "0"]
    assert pooled["sizes"]["1"]["document"] is None


def test_pooling_is_in_the_signature_and_needs_streams():
    assert "|by:speaker|pool:yes" in scored(TALKS, by="speaker", pool=True).signature
    assert "pool" not in scored(TALKS, by="speaker").signature
    with pytest.raises(caesura.errors.UsageError, match="pool=True needs by=… or streams=…"):
        scored(TALKS, pool=True)
