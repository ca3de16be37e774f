"""Random texts and reference segments, for tests of resegmentation."""

from itertools import pairwise

from hypothesis import strategies as st

VOCABULARIES = [
    ["a"],
    ["a", "."],
    ["a", "b"],
    ["a", "b", "c", "ab", "abc", "cab"],
    ["It", "it", "rain", "rained", ".", ",", "(", ")", "We", "left.", "“", "”", "yes!”", "¿"],
]
ALPHABET = (
    "aAbBzZ09.,!?…'-—()“”«»„¿%&<>"  # words and marks
    "ßİıΣςéñ"  # letters whose lower case is special
    "今日は天気ですー。、「」！　ﾊﾝＡ"  # without spaces, one of them an ideographic space
    "ไทยกำ้ລາວမြន်ខ្មែរ"  # with vowels and tones above and below
    "가나 שלום العربية हिन्दी"
    "\u0301\u0300\u0308\u200b\u200d\ufeff\ufe0f"  # marks, joiners, selectors
    "\t\x0b\x0c\x1c\x85\u2028\u00a0\u202f\u2009 "  # all kinds of white space
    "😀👩\u200d👩\U00020000"
)
TOKENS = st.sampled_from(["exact", "lower", "bare"])


def cut(words, places):
    """Words in as many lists as there are places, and one more."""
    return [words[a:b] for a, b in pairwise([0, *sorted(places), len(words)])]


@st.composite
def noisy_pairs(draw, most=7, segments=4, lines=2):
    """The lines of a text and the segments of a reference, as words; both often much alike."""
    vocabulary = draw(st.sampled_from(VOCABULARIES))
    word = st.sampled_from(vocabulary)
    reference = draw(st.lists(word, min_size=1, max_size=most))
    kept = [draw(st.sampled_from([each] * 6 + [None])) for each in reference]
    copied = [draw(word) if draw(st.integers(0, 7)) == 0 else each for each in kept if each]
    own = draw(st.sampled_from([copied, copied, draw(st.lists(word, max_size=most))]))
    return tuple(
        cut(words, draw(st.lists(st.integers(0, len(words)), max_size=number - 1)))
        for words, number in ((own, lines), (reference, segments))
    )


def texts(most=12):
    """Lines of any characters, blank ones too."""
    spaced = st.lists(st.sampled_from(ALPHABET), max_size=most).map("".join)
    any_word = st.text(st.characters(codec="utf-8"), max_size=4)
    return st.lists(spaced | any_word | st.just("") | st.just(" "), max_size=6)


def references(most=12):
    """The same, with a word somewhere."""
    return texts(most).map(lambda lines: [*lines, "a"]) | texts(most).map(lambda x: ["b 天", *x])


def joined(lines):
    return [" ".join(line) for line in lines]
