"""Tokens in scripts with spaces and without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.marks import EDGES, KIN, with_kin
from caesura.core.tokens import SEPARATOR, has_unspaced, tokenized
from support.reference_tokens import is_unspaced, tokens

PUNCTUATION = EDGES + with_kin("".join(KIN))
LETTERS = "ab今天のグーｶไน้ำ่ก3. ，。「」“”()!\n-%"


@given(st.text(LETTERS, max_size=20))
def test_as_character_by_character(text):
    assert tokenized(text).split() == tokens(text, PUNCTUATION)


@given(st.text(st.characters(exclude_characters=SEPARATOR, codec="utf-8")))
def test_nothing_is_added_but_separators(text):
    assert tokenized(text).replace(SEPARATOR, "") == text
    assert tokenized(text, "characters").replace(SEPARATOR, "") == text
    assert tokenized(text, "words") == text
    if not has_unspaced(text):
        assert tokenized(text) == text


def test_letters_of_scripts_without_spaces():
    codes = (
        *range(0x4E00),
        *range(0x9F00, 0xAC00),
        *range(0xF900, 0x10000),
        *range(0x20000, 0x20100),
    )
    every = [character for code in codes if (character := chr(code)).isidentifier()]
    assert [each for each in every if is_unspaced(each) and not has_unspaced(each)] == []
    spaced = "Привет שלום नमस्ते 안녕하세요 สวัสดี"
    assert [word for word in spaced.split() if has_unspaced(word)] == ["สวัสดี"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他说：“好。”她走了（笑）。", "他 说： “好。” 她 走 了 （笑）。"),
        ("「今日は」雨。AIは3.5倍", "「今 日 は」 雨。 AI は 3.5 倍"),
        ("น้ำใส ไม่ไป", "น้ำ ใ ส ไ ม่ ไ ป"),
        ("ខ្មែរ မြန်မာ", "ខ្មែ រ မြ န် မာ"),
        ("བཀྲ་ཤིས། ཞེས", "བ ཀྲ་ ཤི ས། ཞེ ས"),
    ],
)
def test_mixed_scripts(text, expected):
    assert tokenized(text).split() == expected.split()
