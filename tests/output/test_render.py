import csv
import json
import math
import re
from dataclasses import replace
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caesura
from caesura.core.escapes import printable
from caesura.output.json import as_json
from caesura.output.render import as_csv, as_latex, as_markdown
from caesura.output.tables import Column, Page, Table
from caesura.output.terminal import as_text, even_blocks, text_width

PAGE = Page(
    (
        Table(
            "scores",
            "Scores of a_b & c",
            (Column("system", ""), Column("F1 κ", "f1", "high"), Column("SER", "ser", "low")),
            (("S_1|x", 0.5, 1.25), ("S2", 0.75, 1.25), ("S3", math.nan, -0.5)),
            ((0, 1, 2),),
        ),
    ),
    ("A note.",),
    "caesura:1|marks:.?",
    ({"system": "S,1", "f1": math.nan, "n": 3}, {"system": "S2", "f1": 0.1 + 0.2, "n": 4}),
)


def test_text():
    assert as_text(PAGE).splitlines() == [
        "Scores of a_b & c",
        "system   F1 κ     SER",
        "─────────────────────",
        "S_1|x    .500   1.250",
        "S2       .750   1.250",
        "S3          –   −.500",
        "",
        "A note.",
        "caesura:1|marks:.?",
    ]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("日本語", 6), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("한국어", 6), (normalize("NFD", "한국어"), 6),
        ("e\u0301", 1), ("ไทย", 3), ("क\u094d\u200dषि", 1), ("می\u200cخواهم", 7), ("−κ±–…“”", 7),
        ("a\xadb", 3), ("\u200bx", 1), ("①☺", 2), ("☺\ufe0f", 2), ("❤\ufe0f", 2), ("⌚", 2),
        ("1\ufe0f\u20e3", 2), ("👍🏽", 2), ("🇫🇷", 2), ("👩\u200d🔬", 2), ("👨\u200d👩\u200d👧", 2),
        ("\u0378", 1),
    ],
)  # fmt: skip
def test_the_width_of_a_text(text, width):
    """What rich 15.0 says, and what terminals do that know Unicode."""
    assert text_width(text) == width


TEXTS = st.text("ab [:\\]x−κ±–日é\u0301\n\t", max_size=8) | st.text(max_size=6)
CELLS = TEXTS | st.integers(0, 10**7) | st.floats(-2, 2) | st.just(math.nan)


@st.composite
def pages(draw_value):
    keys = draw_value(st.lists(st.sampled_from(["", "f1"]), min_size=1, max_size=4))
    columns = tuple(Column(draw_value(TEXTS), key) for key in keys)
    rows = st.lists(st.tuples(*[CELLS] * len(keys)), max_size=3).map(tuple)
    tables = st.builds(Table, st.just("t"), TEXTS, st.just(columns), rows)
    texts = st.lists(TEXTS, max_size=2).map(tuple)
    return Page(tuple(draw_value(st.lists(tables, max_size=2))), draw_value(texts), passages=("a",))


def drawn(page, width):
    """The lines of a page without its signature."""
    return as_text(page, width=width).splitlines()[:-1]


WIDTHS = st.integers(1, 60)
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def cells_of(table):
    """Headings and cells, by column."""
    rows = range(len(table.rows))
    return [
        [column.title, *(table.text(row, at) for row in rows)]
        for at, column in enumerate(table.columns)
    ]


def natural_width(table, gap):
    sizes = [max(text_width(printable(cell)) for cell in cells) for cells in cells_of(table)]
    return sum(sizes) + gap * (len(sizes) - 1)


@given(pages(), WIDTHS)
def test_colour_changes_no_character(page, width):
    plain, painted = (as_text(page, width=width, color=color) for color in (False, True))
    assert [line.rstrip() for line in ESCAPE.sub("", painted).split("\n")] == plain.split("\n")


@given(pages(), WIDTHS)
def test_every_cell_is_drawn(page, width):
    for table in page.tables:
        text = "".join("".join(drawn(Page((replace(table, title=""),)), width)).split())
        for cells in cells_of(table):
            assert all("".join(printable(cell).split()) in text for cell in cells[1:])


@given(pages(), WIDTHS)
def test_a_table_is_no_wider_than_the_terminal_if_it_can_be(page, width):
    for table in page.tables:
        lines = drawn(Page((replace(table, title=""),)), width)
        labels = [at for at, column in enumerate(table.columns) if not column.key]
        least = [
            natural_width(replace_columns(table, [*labels, at]), 3)
            for at in range(len(table.columns))
        ]
        assert max(map(text_width, lines)) <= max(width, *least)


def replace_columns(table, kept):
    kept = sorted({*kept})
    return replace(
        table,
        columns=tuple(table.columns[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in table.rows),
    )


@given(pages(), st.integers(1, 200))
def test_a_table_that_fits_is_drawn_once_with_wide_gaps(page, width):
    for table in page.tables:
        if natural_width(table, 3) <= width:
            lines = drawn(Page((replace(table, title=""),)), width)
            assert len(lines) == 4 + len(table.rows)
            assert lines[2] == "─" * max(1, natural_width(table, 3))


@given(st.lists(st.integers(1, 12), min_size=1, max_size=9), st.integers(0, 2), WIDTHS)
def test_blocks_are_few_and_even(sizes, labels, width):
    """Every column in one block, in order; no other cut has fewer blocks or a narrower widest."""
    labels = min(labels, len(sizes) - 1)
    found = even_blocks(sizes, labels, width)
    head, rest = list(range(labels)), list(range(labels, len(sizes)))
    assert all(block[:labels] == head for block in found)
    assert [at for block in found for at in block[labels:]] == rest

    def total(block):
        return sum(sizes[at] for at in block) + 3 * (len(block) - 1)

    def cuts(columns):
        yield [columns]
        for at in range(1, len(columns)):
            yield from ([columns[:at], *others] for others in cuts(columns[at:]))

    every = [[[*head, *own] for own in cut] for cut in cuts(rest)]
    fits = [
        cut
        for cut in every
        if all(total(block) <= width or len(block) == labels + 1 for block in cut)
    ]
    assert len(found) == min(map(len, fits))
    narrowest = min(max(map(total, cut)) for cut in every if len(cut) == len(found))
    alone = max(total([*head, at]) for at in rest)
    assert max(map(total, found)) <= max(narrowest, alone)


WIDE = Table(
    "t",
    "A title that has several words",
    (Column("system", ""), Column("at boundaries", "a"), Column("P", "p"), Column("R", "r")),
    (("one", 0.5, 0.25, 0.75),),
)


def test_a_page_as_wide_as_the_terminal():
    """Gaps are wide, then narrow; headings are folded; columns are drawn below others."""
    notes = ("A note that is folded.",)
    page = Page((WIDE,), notes, passages=("file:1\n  one   a sentence that is long",))
    assert drawn(page, 36)[:4] == [
        "A title that has several words",
        "system   at boundaries      P      R",
        "────────────────────────────────────",
        "one               .500   .250   .750",
    ]
    assert drawn(page, 33)[3] == "one              .500  .250  .750"
    assert drawn(page, 30)[1:] == [
        "                at",
        "system  boundaries     P     R",
        "──────────────────────────────",
        "one           .500  .250  .750",
        "",
        "file:1",
        "  one   a sentence that is",
        "        long",
        "A note that is folded.",
    ]
    assert drawn(page, 24)[:9] == [
        "A title that has several",
        "words",
        "system   at boundaries",
        "──────────────────────",
        "one               .500",
        "",
        "system      P      R",
        "────────────────────",
        "one      .250   .750",
    ]


def test_text_in_colour_marks_the_best():
    assert "\x1b[1;32m.750\x1b[0m" in as_text(PAGE, color=True)


def test_markdown():
    assert as_markdown(PAGE).splitlines() == [
        "**Scores of a_b & c**",
        "",
        "| system | F1 κ | SER |",
        "|---|---:|---:|",
        "| S_1\\|x | .500 | 1.250 |",
        "| S2 | **.750** | 1.250 |",
        "| S3 | – | **−.500** |",
        "",
        "A note.",
        "",
        "`caesura:1|marks:.?`",
    ]


def test_latex():
    lines = as_latex(PAGE).splitlines()
    assert r"\caption{Scores of a\_b \& c}" in lines
    assert r"\begin{tabular}{lrr}" in lines
    assert r"system & F1 $\kappa$ & SER \\" in lines
    assert r"S\_1\textbar{}x & .500 & 1.250 \\" in lines
    assert r"S2 & \textbf{.750} & 1.250 \\" in lines
    assert r"S3 & -- & \textbf{$-$.500} \\" in lines
    assert lines[-1] == "% caesura:1|marks:.?"


def test_csv():
    assert as_csv(PAGE) == 'system,f1,n\n"S,1",,3\nS2,0.30000000000000004,4\n'


def test_json_is_exact_and_has_no_nan():
    text = as_json({"a": math.nan, "b": [0.1 + 0.2, {"c": math.nan}], "d": "é"})
    assert json.loads(text) == {"a": None, "b": [0.1 + 0.2, {"c": None}], "d": "é"}
    assert "é" in text


def one_cell(text):
    table = Table("t", text, (Column("system", ""),), ((text,),))
    return Page((table,), (text,), text, ({"system": text},), passages=())


def test_spreadsheets_see_no_formulas():
    """In text only: numbers, also negative ones, are numbers."""
    names = ["=cmd|'/C calc'!A1", "+1+1", "-x", "@SUM(A1)", "a=b", "-3", "+0.5", "\t=1"]
    page = Page((), records=tuple({"system": name, "f1": -0.5} for name in names))
    cells = [row[0] for row in csv.reader(as_csv(page).splitlines()[1:])]
    assert cells[:4] == [f"'{name}" for name in names[:4]]
    assert cells[4:] == ["a=b", "-3", "+0.5", r"\t=1"]
    assert as_csv(page).count(",-0.5\n") == len(names)


MARKDOWN = {
    "my_system-2.1": "my_system-2.1",
    "_a_": r"\_a\_",
    "<b>x</b>": r"\<b>x\</b>",
    "[a](http://b)": r"\[a\](http://b)",
    "a\n| b |": r"a\\n\| b \|",
    "`x` **y** ~~z~~": r"\`x\` \*\*y\*\* \~\~z\~\~",
    "a & b &lt;": r"a & b \&lt;",
    "C:\\new": r"C:\\new",
}


@pytest.mark.parametrize(("name", "written"), MARKDOWN.items())
def test_markdown_shows_names_as_they_are(name, written):
    lines = as_markdown(one_cell(name)).splitlines()
    assert lines[0] == f"**{written}**"
    assert lines[4] == f"| {written} |"
    assert lines[6] == written
    assert len(lines) == 9


@given(st.text("`ab \n", min_size=1))
def test_code_in_markdown_ends_where_it_should(text):
    """As CommonMark has it: at the next run of as many backticks, or the next such fence."""
    code = as_markdown(Page((), signature=f"a{text}a")).rstrip("\n")
    first, *inner, last = re.findall("`+", code)
    assert first == last not in inner
    assert code[len(first) : -len(last)] == printable(f"a{text}a")
    first, *inner, last, _ = as_markdown(Page((), passages=(text,))).split("\n")
    assert first == f"{last}text"
    assert "\n".join(inner) == text
    assert all(len(run) < len(last) for run in re.findall("`+", text))


def test_code_that_begins_with_a_backtick():
    assert as_markdown(Page((), signature="`")) == "`` ` ``\n"


def test_latex_has_names_in_one_line():
    page = one_cell("a\n\\input{/etc/passwd}\r%x")
    written = r"a\textbackslash{}n\textbackslash{}input\{/etc/passwd\}\textbackslash{}r\%x"
    lines = as_latex(page).splitlines()
    assert rf"{written} \\" in lines
    assert all(line.startswith("% ") for line in lines if r"\input" in line)
    assert r"% a\n\input{/etc/passwd}\r%x" in lines


def test_latex_takes_no_name_for_an_argument():
    """After a line break or a rule, `[` begins a length and `*` a variant."""
    assert r"{[}2ex{]} \\" in as_latex(one_cell("[2ex]"))
    assert r"{*} \\" in as_latex(one_cell("*"))


def test_headings_of_main_scores_are_bold():
    found = caesura.evaluate({"ours": ["a b", "c"]}, {"gold": ["a", "b c"]})
    drawn = as_text(found.page(), color=True)
    assert "\x1b[1mF1\x1b[0m" in drawn
    assert "\x1b[1mP\x1b[0m" not in drawn
