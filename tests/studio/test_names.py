"""Names that look the same are the same, and none is that of a file of the export."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.errors import UsageError
from caesura.studio.documents import checked_name, file_names, name_key
from support.studio_projects import words


@pytest.mark.parametrize(
    "other",
    ["chloé", "CHLOE\u0301", " Chloé ", "Chloé\u00a0"],
    ids=["case", "NFD", "spaces", "nbsp"],
)
def test_names_that_look_the_same_are_taken(project, other):
    project.invite("Chloé")
    with pytest.raises(UsageError, match="is taken"):
        project.invite(other)


@pytest.mark.parametrize(
    "name",
    ["An\u200bna", "Anna\ufeff", "An\u00adna", "Anna\ufe0f", "\u3164", "\u2800", "Anna\u115f",
     "\u202eAnna", "a/b", "../x", "a\\b", "a:b", "a\x00b", "<script>", "\ud800", ".a", "-a",
     "Anna.", "", "x" * 65],
)  # fmt: skip
def test_names_that_nobody_can_have(project, name):
    with pytest.raises(UsageError, match=r"cannot be a name|may not begin"):
        project.invite(name)


@pytest.mark.parametrize(
    "name", ["log.jsonl", "LOG", "Adjudicated", "aside", "statement.md", "NUL", "com1.x", "a.jsonl"]
)
def test_no_name_is_a_file_of_the_export(project, name):
    with pytest.raises(UsageError, match="one of its files"):
        project.invite(name)


def test_a_document_is_added_once_in_every_form_of_unicode(project):
    first, _ = project.add(words("a b", "café"))
    second, is_same = project.add(words("a b", unicodedata.normalize("NFD", "café")))
    assert (second, is_same) == (first, True)
    assert project.add(words("a c", "cafe\u0301"))[1] is False
    assert project.add(words("a b", "Café"))[0] != first


@given(st.lists(st.text(max_size=80), unique=True))
def test_files_differ_on_every_system(names):
    files = list(file_names(names).values())
    assert len({name_key(each) for each in files}) == len(files)
    for each in files:
        assert not set(each) & set('/\\:*?"<>|')
        assert not each.startswith(".")
        assert 0 < len(each.encode(errors="replace")) < 220


@given(st.text(max_size=70))
def test_a_checked_name_is_its_own(name):
    try:
        found = checked_name(name)
    except UsageError:
        return
    assert checked_name(found) == found == unicodedata.normalize("NFC", found)
    assert name_key(found)
