"""Marks of all scripts end units by default."""

import json

import pytest

import caesura
from caesura.core.marks import KIN, MARKS, ascii_mark, with_kin

TEXTS = {
    "zh": "你 好 。 他 在 吗 ？ 走 ！ 好 ； 是 的 ， 走 。",
    "hi": "नमस्ते जी । वह गया ॥ क्या ? हाँ",
    "ar": "مرحبا بك ۔ هل جاء ؟ نعم ، جاء ؛ ذهب",
    "hy": "բարեւ ձեզ ։ լավ եմ",
    "am": "ሰላም ነው ። ጥሩ ፧ አዎ",
    "my": "မင်္ဂလာ ပါ ။ ကောင်း ပါ",
}
MASSES = {"zh": [2, 3, 1, 1, 3], "hi": [2, 2, 1, 1], "ar": [2, 2, 2, 1], "hy": [2, 2],
          "am": [2, 1, 1], "my": [4, 3]}  # fmt: skip
"""The items of each unit: words, or characters where a script has no spaces between words."""


@pytest.mark.parametrize("language", TEXTS)
def test_units_end_at_the_marks_of_each_script(language):
    document = caesura.document(TEXTS[language], input="marks")
    assert document.segmentation.masses.tolist() == MASSES[language]


def test_an_ascii_mark_stands_for_its_kind_and_others_for_themselves(run, folder):
    folder(a=TEXTS["zh"], b=TEXTS["zh"])
    by_marks = {".": [2, 8], "?": [5, 5], "。": [2, 8], "，": [9, 1], ",": [9, 1]}
    for marks, masses in by_marks.items():
        found = caesura.read("a.txt", marks=marks)
        assert found.segmentation.masses.tolist() == masses
        assert len(found.words) == 10
    out = run("transcript", "a.txt", "--ref", "b.txt", "-f", "json")[1]
    assert "|marks:.?!;|input:marks|" in json.loads(out)["signature"]


def test_no_marks_end_no_units(run, folder):
    folder(a="it rained. we left?", b="it rained. we\nleft?")
    status, out, _ = run("transcript", "a.txt", "--ref", "b.txt", "--marks", "", "-q")
    assert status == 0
    assert "|marks:|input:" in out


def test_the_table_is_unicodes():
    every = "".join(KIN[mark] + mark for mark in ".?!")
    assert len(every) == len(set(every)) == 170
    assert len(with_kin("".join(KIN))) == len(set(with_kin("".join(KIN))))
    assert MARKS == ".?!;"
    assert [ascii_mark(mark) for mark in "。？！；，：。x"] == list(".?!;,:.x")
    regex = pytest.importorskip("regex")
    assert all(regex.fullmatch(r"\p{Sentence_Terminal}", mark) for mark in every)


def test_questions_of_other_scripts_are_questions(folder, run):
    rttm = "".join(
        f"LEXEME a 1 {at}.00 1.00 {word} lex x <NA>\n"
        for at, word in enumerate("他 在 吗 好".split())
    )
    units = "SU a 1 0.00 3.00 <NA> question x <NA>\nSU a 1 3.00 1.00 <NA> statement x <NA>\n"
    folder(**{"gold.rttm": rttm + units, "b": "他 在 吗 ？ 好 。"})
    out = run("transcript", "b.txt", "--ref", "gold.rttm", "-f", "json")[1]
    assert json.loads(out)["systems"][0]["micro"]["typed_f1_mean"] == 1
