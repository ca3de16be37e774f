"""Normalisation: each rule by examples, the whole against a slow twin that goes word by word."""

import re

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import caesura
from caesura.align import normalize as english
from caesura.align.normalize import RULES, NormalCounts, Normalizer, Rule, compose
from caesura.core.segmentation import NO_BREAK, Document, Segmentation, Track, WordNames
from caesura.errors import FormatError, UnknownNameError, UsageError
from caesura.formats.plain import parse
from support.paths import DOCS
from support.strategies import MARKS, positions

EXAMPLES = {
    "nonwords": {"<unk>": "", "<laugh>": "", "<": "<", "a<b>": "a<b>", "noise": "noise"},
    "fragments": {"the-": "", "we're-": "", "-": "-", "--": "--", "a-b": "a-b", "-a": "-a"},
    "accents": {
        "résumé": "resume", "naïve": "naive", "e\u0301": "e", "\u0301": "", "над": "над",
        "ω\u0301": "ω", "ł": "ł", "हिन्दी": "हिन्दी", "한글": "한글", "plain": "plain",
    },
    "years": {
        "1984": "nineteen eighty four", "1900": "nineteen hundred", "1905": "nineteen oh five",
        "1100": "eleven hundred", "1999": "nineteen ninety nine", "2010": "twenty ten",
        "2099": "twenty ninety nine", "1990s": "nineteen nineties", "1990's": "nineteen nineties",
        "1900s": "nineteen hundreds", "2019's": "twenty nineteen's", "fy2019": "fy twenty nineteen",
        "mid-1990s": "mid nineteen nineties", "2019-20": "twenty nineteen 20",
        "1984/1985": "nineteen eighty four nineteen eighty five",
        **{same: same for same in (
            "1099", "2000", "2005", "2100", "19845", "119", "$1984", "1984$", "1984%", "1,984",
            "1984.5", "3.1984", "1984,500", "1080p", "1500m", "1984th", "12:1984", "x",
        )},
    },
    "digits": {
        "747": "seven four seven", "555-0199": "five five five zero one nine nine", "q3": "q three",
        "3.5": "three five", "covid-19": "covid one nine", "x": "x", "-": "-",
    },
    "numbers": {
        "0": "zero", "5": "five", "13": "thirteen", "20": "twenty", "42": "forty two",
        "100": "one hundred", "101": "one hundred one", "1000": "one thousand",
        "1,000": "one thousand", "700,000,000": "seven hundred million",
        "1,234.5": "one thousand two hundred thirty four point five",
        "1,2345": "one two thousand three hundred forty five", "12,34": "twelve thirty four",
        "007": "zero zero seven", "3.5": "three point five", "0.50": "zero point five zero",
        ".5": "point five", "3.2.1": "three point two point one", "no.5": "no five",
        "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth",
        "8th": "eighth", "9th": "ninth", "12th": "twelfth", "20th": "twentieth",
        "21st": "twenty first", "100th": "one hundredth", "1,000th": "one thousandth",
        "11st": "eleventh", "0th": "zeroth", "3.5th": "three point five th", "4ths": "four ths",
        "5%": "five percent", "8.7%": "eight point seven percent", "%": "percent",
        "50%-60%": "fifty percent sixty percent", "-5": "minus five", "-5%": "minus five percent",
        "+5": "plus five", "#1": "number one", "-$5": "minus five dollars",
        "$1": "one dollar", "$5": "five dollars", "$1.00": "one dollar", "$0.01": "one cent",
        "$1.50": "one dollar fifty cents", "$1.05": "one dollar five cents", "$.05": "five cents",
        "$0.05": "five cents", "$0.00": "zero dollars", "$1.5": "one point five dollars",
        "$1.125": "one point one two five dollars", "$10k": "ten thousand dollars",
        "£3m": "three million pounds", "£0.01": "one penny", "£1.20": "one pound twenty pence",
        "$3.5bn": "three point five billion dollars", "$1tn": "one trillion dollars",
        "5€": "five euros", "€1": "one euro", "¥100": "one hundred yen",
        "¥1.50": "one point five zero yen", "₹2": "two rupees", "us$5": "us five dollars",
        "$1,250": "one thousand two hundred fifty dollars", "$1-$2": "one dollar two dollars",
        "90s": "nineties", "90's": "nineties", "6s": "sixes", "747s": "seven hundred forty sevens",
        "7's": "seven's", "10's": "tens", "q3": "q three", "covid-19": "covid nineteen",
        "401k": "four hundred one k", "10k": "ten k", "5kg": "five kg", "b2b": "b two b",
        "19-year-old": "nineteen year-old", "1-on-1": "one on one", "q3'20": "q three twenty",
        "a321neo": "a three hundred twenty one neo", "c++11": "c++ eleven",
        "9/11": "nine eleven", "10:30": "ten thirty", "1/2": "one two",
        "twenty-one": "twenty one", "twenty-first": "twenty first", "one-": "one-",
        "1-twenty-one": "one twenty one", "5-%": "five percent",
        "1984": "one thousand nine hundred eighty four", "2020": "two thousand twenty",
        "1" + "0" * 33: "one decillion", "1" * 37: " ".join(["one"] * 37),
        **{same: same for same in ("x", "-", "$", "½", "٣", "１２", "r&d", "u.s", "long-term")},
    },
    "hyphens": {"long-term": "long term", "-": "", "--": "", "the-": "the", "-x-y-": "x y"},
    "contractions": {
        "we're": "we are", "i'll": "i will", "i've": "i have", "i'm": "i am", "don't": "do not",
        "won't": "will not", "can't": "can not", "cannot": "can not", "shan't": "shall not",
        "it's": "it 's", "she'd": "she 'd", "company's": "company 's", "let's": "let us",
        "shouldn't've": "should not have", "it'd've": "it 'd have", "y'all're": "you all are",
        "gonna": "going to", "wanna": "want to", "gotta": "got to", "'cause": "because",
        "n't": "not", "'re": "are", "'s": "'s", "ain't": "ain't", "o'clock": "o'clock",
        "cause": "cause", "dogs'": "dogs'", "-": "-",
    },
    "apostrophes": {"don't": "dont", "'s": "s", "'": "", "x": "x"},
    "fillers": {
        **dict.fromkeys(["uh", "um", "uhm", "er", "erm", "eh", "hm", "hmm", "mm", "mhm"], ""),
        **dict.fromkeys(["mm-hmm", "uh-huh", "uh-uh", "uh-", "um-"], ""),
        **{same: same for same in ("like", "err", "umbrella", "uh-oh", "hum", "-", "well", "ha")},
    },
}  # fmt: skip
CASES = [(name, word, wanted) for name, table in EXAMPLES.items() for word, wanted in table.items()]
VOCABULARY = sorted({word for _, word, _ in CASES} | {"so", "it", "rained", "é", "x-uh", "<unk>-"})
ODD = st.text(st.sampled_from("019,.:/%$£€¥-+#'sthndkmb—²٣é_x"), min_size=1, max_size=12)
ANY = st.text(min_size=1).filter(lambda word: not any(map(str.isspace, word)))
WORDS = st.sampled_from(VOCABULARY) | st.sampled_from(["um", "uh"]) | ODD


def echo(word):
    """A transform of one's own: a word that begins with s is said twice."""
    return f"{word} {word}" if word.startswith("s") else [word]


@st.composite
def choices(draw):
    names = draw(st.lists(st.sampled_from(list(RULES)), unique=True))
    return [name for name in names if name != "digits" or "numbers" not in names]


@st.composite
def times(draw, length):
    """Nothing, or a time for each word, or for some."""
    some = st.integers(0, 10**9) | st.just(Track.UNKNOWN)
    drawn = draw(st.none() | st.lists(some, min_size=length, max_size=length))
    return None if drawn is None else np.array(drawn, np.int64)


@st.composite
def documents(draw):
    words = draw(st.lists(WORDS, min_size=1, max_size=25))
    length = len(words)
    places = sorted(draw(positions(length)) | {length - 1})
    marks = draw(
        st.none()
        | st.lists(st.sampled_from(MARKS), min_size=len(places), max_size=len(places)).map(np.array)
    )
    names = st.lists(st.sampled_from(["", "A", "B"]), min_size=length, max_size=length)
    lines = st.lists(st.integers(0, length), max_size=4).map(
        lambda drawn: np.array([0, *sorted(drawn)])
    )
    return Document(
        Segmentation.from_positions(places, length, marks),
        " ".join(words),
        "lines",
        "a.txt",
        draw(st.none() | lines),
        draw(st.none() | st.just("raw")),
        Track(
            draw(times(length)),
            draw(times(length)),
            WordNames.from_names(draw(names)),
            WordNames.from_names(draw(names)),
        ),
    )


def slow(normalizer, document, streams):
    """The twin: one word after the other, with plain lists."""
    old, track = document.segmentation, document.track
    labels = track.labels(streams) if streams else None
    marks = [""] * len(old.boundaries) if old.marks is None else old.marks.tolist()
    mark_after = dict(zip(old.boundaries.tolist(), marks, strict=True))
    words, ends, origin, starts, stops, first = [], {}, [], [], [], []
    merged = lost = 0
    for j, word in enumerate(document.words):
        first.append(len(words))
        parts = [word]
        for step in normalizer.steps:
            given = [step(part) for part in parts]
            parts = [p for g in given for p in (g.split() if isinstance(g, str) else g)]
        for number, part in enumerate(parts):
            on, off = part_times(track, j, parts, number)
            words.append(part)
            origin.append(j)
            starts.append(on)
            stops.append(off)
        if j in mark_after:
            own = [
                new
                for new, i in enumerate(origin)
                if labels is None or labels.codes[i] == labels.codes[j]
            ]
            lost += not own
            merged += bool(own) and own[-1] in ends
            if own:
                ends.setdefault(own[-1], mark_after[j])
    ends.setdefault(len(words) - 1, "")
    return words, ends, origin, starts, stops, [*first, len(words)], merged, lost


def part_times(track, j, parts, number):
    start = -1 if track.start is None else int(track.start[j])
    end = -1 if track.end is None else int(track.end[j])
    sizes = [max(1, sum(map(str.isalnum, part))) for part in parts]
    total, before = sum(sizes), sum(sizes[:number])
    if start >= 0 and end >= 0:
        after = before + sizes[number]
        return start + (end - start) * before // total, start + (end - start) * after // total
    return start if number == 0 else -1, end if number == len(parts) - 1 else -1


def listed(array):
    return None if array is None else array.tolist()


STREAMS = st.sampled_from(["", "speaker", "channel"])


@pytest.mark.slow
@given(document=documents(), names=choices(), own=st.booleans(), streams=STREAMS)
def test_a_document_as_the_slow_twin_has_it(document, names, own, streams):
    normalizer = Normalizer(compose(names).steps + ((echo,) if own else ()))
    words, ends, origin, starts, stops, first, merged, lost = slow(normalizer, document, streams)
    assume(words)
    found, counts = normalizer.count(document, streams=streams)
    track, old = found.track, document.track
    assert found.words == words
    assert found.segmentation.length == len(words)
    assert found.segmentation.boundaries.tolist() == sorted(ends)
    has_marks = document.segmentation.marks is not None
    assert listed(found.segmentation.marks) == (
        [ends[j] for j in sorted(ends)] if has_marks else None
    )
    assert listed(track.start) == (None if old.start is None else starts)
    assert listed(track.end) == (None if old.end is None else stops)
    is_timed = old.start is not None or old.end is not None
    shared = [is_timed and first[j + 1] - first[j] > 1 for j in origin]
    assert words == document.words or (listed(track.interpolated) or [False] * len(words)) == shared
    for new, before in ((track.speaker, old.speaker), (track.channel, old.channel)):
        assert (new is None) == (before is None)
        assert new is None or new.names == before.names
        assert new is None or new.codes.tolist() == before.codes[origin].tolist()
    if document.line_starts is not None:
        assert found.line_starts.tolist() == [first[j] for j in document.line_starts]
    assert (found.form, found.source) == ("lines", "a.txt")
    assert found.raw == (document.raw if words == document.words else None)
    assert counts == NormalCounts(len(document.words), len(words), merged, lost)


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_a_rule_makes_of_a_word(name):
    rule, cases = compose([name]), EXAMPLES[name]
    assert {word: " ".join(rule(word)) for word in cases} == cases


def test_every_rule_has_examples_and_a_line_that_tells_what_it_does():
    assert EXAMPLES.keys() == RULES.keys()
    assert all(rule.about and rule.name == name for name, rule in RULES.items())


@given(names=choices(), word=WORDS, data=st.data())
def test_the_order_of_the_names_does_not_matter(names, word, data):
    shuffled = data.draw(st.permutations(names))
    assert compose(names) == compose(shuffled) == compose([*names, *names])
    assert compose(names)(word) == compose(shuffled)(word)


@given(names=choices().filter(len))
def test_a_signature_can_be_read_again(names):
    signature = compose(names).signature
    assert signature.split("+") == [name for name in RULES if name in names]
    assert compose(signature) == compose(names)


@pytest.mark.parametrize("name", RULES)
@given(word=WORDS | ANY)
@example(word="y'all're")
@example(word="1990's")
def test_a_rule_applied_twice_changes_nothing_more(name, word):
    rule = compose([name])
    once = rule(word)
    assert tuple(part for each in once for part in rule(each)) == once
    assert all(part and not any(map(str.isspace, part)) for part in once)


@pytest.fixture(scope="module")
def num2words():
    return pytest.importorskip("num2words").num2words


def spelled(text):
    words = text.replace(",", "").replace("-", " ").split()
    return [word for word in words if word != "and"]


@given(number=st.integers(0, 10**6) | st.integers(0, 10**36 - 1))
def test_number_words_as_num2words_has_them(num2words, number):
    words = english.cardinal(str(number))
    assert words == spelled(num2words(number))
    assert compose(["numbers"])(f"{number:,}") == tuple(words)
    assert english.ordinal(words) == spelled(num2words(number, to="ordinal"))


def test_the_first_numbers_and_every_year_as_num2words_has_them(num2words):
    assert all(english.cardinal(str(n)) == spelled(num2words(n)) for n in range(2000))
    read = compose(["years"])
    for year in (*range(1100, 2000), *range(2010, 2100)):
        assert list(read(str(year))) == spelled(num2words(year, to="year"))


def document(text):
    return parse(text, "marks")


def test_boundaries_after_words_that_are_dropped():
    found, counts = compose(["fillers"]).count(document("Um. So it rained? Uh. We left, um. Hm!"))
    assert found.text == "so it rained we left"
    assert found.segmentation.boundaries.tolist() == [2, 4]
    assert found.segmentation.marks.tolist() == ["?", "."]
    assert counts == NormalCounts(9, 5, merged=2, lost=1)


def test_boundaries_stay_with_their_speaker_where_streams_are_parted():
    old = Document(
        Segmentation.from_positions([0, 3, 5], 6),
        "yes i think mhm that's right",
        track=Track(speaker=WordNames.from_names(["B", "A", "A", "B", "A", "A"])),
    )
    rules = compose(["fillers"])
    assert rules.apply(old).segmentation.boundaries.tolist() == [0, 2, 4]
    found, counts = rules.count(old, streams="speaker")
    assert found.segmentation.boundaries.tolist() == [0, 4]
    assert counts == NormalCounts(6, 5, merged=1, lost=0)


def test_the_parts_of_a_word_share_its_time_by_their_characters():
    old = Document(
        Segmentation.from_positions([1], 2),
        "so 21st",
        track=Track(
            np.array([0, 1_000_000]),
            np.array([500_000, 2_100_000]),
            WordNames.from_names(["A", "B"]),
        ),
    )
    track = compose(["numbers"]).apply(old).track
    assert track.start.tolist() == [0, 1_000_000, 1_600_000]
    assert track.end.tolist() == [500_000, 1_600_000, 2_100_000]
    assert track.speaker.codes.tolist() == [0, 1, 1]


def test_pieces_of_several_words_stay_one_piece():
    old = Document(
        Segmentation.from_positions([1], 3),
        f"New{NO_BREAK}York um{NO_BREAK}21 um{NO_BREAK}uh",
        track=Track(start=np.array([0, 5, 9]), interpolated=np.array([True, False, True])),
        is_verbatim=True,
    )
    new = compose(["fillers", "numbers"]).apply(old)
    assert new.words == [f"New{NO_BREAK}York", f"twenty{NO_BREAK}one"]
    assert new.track.interpolated.tolist() == [True, False]


def test_rules_work_together():
    every = compose([name for name in RULES if name != "digits"])
    said = "<laugh> the- um-so we're mid-1990s, café it's-5% o'clock uh-huh twenty-one"
    assert " ".join(word for each in said.split() for word in every(each.strip(","))) == (
        "so we are mid nineteen nineties cafe it s five percent oclock twenty one"
    )


def test_a_document_that_does_not_change_is_the_same_object():
    same = document("It rained. We left.")
    every = compose([name for name in RULES if name != "numbers"])
    assert every.apply(same) is same
    assert Normalizer().count(same) == (same, NormalCounts(4, 4, 0, 0))


def test_a_document_of_which_nothing_is_left_is_an_error():
    with pytest.raises(FormatError, match=r"^a.txt: no words are left .* \(numbers\+fillers\); "):
        compose(["fillers", "numbers"]).apply(parse("Um. Uh.", source="a.txt"))


def test_names_that_are_wrong():
    with pytest.raises(
        UnknownNameError, match="unknown normalisation rule 'number'; did you mean numbers"
    ):
        compose(["number"])
    with pytest.raises(UnknownNameError, match="unknown normalisation rule 'number'"):
        compose("hyphens+number")
    with pytest.raises(UsageError, match="both read digits"):
        compose(["numbers", "digits"])


def test_transforms_of_ones_own():
    initials = Rule("initials", "take dots out", lambda word: [word.replace(".", "")])
    normalizer = Normalizer((initials, *compose(["hyphens"]).steps, echo))
    assert normalizer.signature == "initials+hyphens+echo"
    assert normalizer("so-u.s") == ("so", "so", "us")
    assert Normalizer((str.upper,))("a") == ("A",)
    assert Normalizer((lambda word: "",))("a") == Normalizer((lambda word: ["", " "],))("a") == ()
    assert Normalizer().signature == "none"
    with pytest.raises(UsageError, match="print gave None for 'a'; a transform must return words"):
        Normalizer((print,))("a")


def test_fewer_word_errors_on_earnings_calls(shared):
    from rapidfuzz.distance import Levenshtein

    reference, found = (
        caesura.read(shared / "data/asr/earnings21" / who / "4320211.nlp")
        for who in ("reference", "amazon")
    )
    before = Levenshtein.distance(found.words, reference.words)
    every = compose(["nonwords", "fragments", "numbers", "hyphens", "contractions", "fillers"])
    after = Levenshtein.distance(every.apply(found).words, every.apply(reference).words)
    assert (before, after) == (1279, 980)


PAGE = DOCS / "normalization.md"


def test_the_page_tells_every_rule_in_order():
    rows = re.findall(r"^\| `(\w+)` \| ", PAGE.read_text().split("### Fillers")[0], re.MULTILINE)
    assert rows == list(RULES)


def test_the_pages_lists_are_whole():
    text = " ".join(PAGE.read_text().split())
    assert set(text.split("The list is `")[1].split("`")[0].split()) == english.FILLERS
    assert all(f"`{word}`" in text for word in english.WHOLE_WORDS if not word.startswith("'t"))
    assert all(f"`{ending}`" in text for ending in english.CONTRACTED)


def test_the_pages_examples_come_out():
    pairs = re.findall(r"((?:`[^`]+`, )*`[^`]+`) → `([^`]+)`", PAGE.read_text())
    several = [({*re.findall("`([^`]+)`", said)}, wanted) for said, wanted in pairs]
    rules = [compose([name]) for name in RULES]
    for said, wanted in several:
        for word in said:
            assert wanted.split() in [list(rule(word)) for rule in rules] or word == "um-we're"
    assert len(several) > 40
