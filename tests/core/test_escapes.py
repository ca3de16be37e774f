"""What names and words may do to a terminal, to a line and to UTF-8: nothing."""

import json
import math
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesura.core.escapes import as_name, json_printable, printable
from caesura.output.json import as_json
from caesura.output.render import RENDERERS, as_text
from caesura.output.tables import Column, Page, Table

HOSTILE = "a\x1b]0;PWN\x07\x9b2J\r\n\t\u202eb\u2066\u2028\udce9\ud800\x7f"
SHOWN = r"a\x1b]0;PWN\x07\x9b2J\r\n\t\u202eb\u2066\u2028\xe9\ud800\x7f"
ANY = st.text(st.characters(), max_size=20) | st.text(HOSTILE, max_size=20)


def test_what_controls_a_terminal_is_shown():
    assert printable(HOSTILE) == SHOWN


@pytest.mark.parametrize(
    "name", ["Zoë", "日本", "می\u200cخواهم", "a\u00a0b", "👩\u200d👧", r"C:\new"]
)
def test_what_people_write_is_kept(name):
    assert printable(name) == as_name(name) == name


@given(ANY)
def test_one_line_that_can_be_written_and_is_shown_once(text):
    shown = printable(text)
    assert shown.splitlines() in ([shown], [])
    assert shown.encode().decode() == shown
    assert not any(ord(each) < 32 or 0x7F <= ord(each) < 0xA0 for each in shown)
    assert printable(shown) == shown


@given(ANY)
def test_a_name_has_one_form_that_can_be_written(text):
    name = as_name(text)
    assert name.encode().decode() == name == as_name(name)
    assert as_name(normalize("NFD", text)) == name
    if not any(0xD800 <= ord(each) < 0xE000 for each in text):
        assert name == normalize("NFC", text)


@given(ANY)
def test_json_loses_nothing(text):
    """But for two halves of a pair, which are one character in JSON."""
    written = json_printable(json.dumps({text: text}, ensure_ascii=False))
    assert not any(0x7F <= ord(each) < 0xA0 for each in written.encode().decode())
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert json.loads(written) == {whole: whole}


PAGE = Page(
    (Table("t", f"Title {HOSTILE}", (Column("system", ""),), ((HOSTILE,),)),),
    (f"{HOSTILE}: a note.",),
    f"caesura:1|{HOSTILE}",
    ({"system": HOSTILE, "f1": math.nan},),
)


@pytest.mark.parametrize("form", RENDERERS)
def test_no_format_sends_them_to_a_terminal(form):
    text = RENDERERS[form](PAGE)
    text.encode()
    assert not set("\x1b\x07\x9b\r\u202e\u2066\u2028\x7f") & set(text)


def test_nor_do_colours_and_json():
    assert "\x1b]" not in as_text(PAGE, color=True)
    assert json.loads(as_json({"name": HOSTILE})) == {"name": HOSTILE}
