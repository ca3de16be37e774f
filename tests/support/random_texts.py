"""Random texts for hypothesis: sentences of tokens, pairs of them, and treebanks."""

from itertools import pairwise

from hypothesis import strategies as st

from caesura.formats.texts import parse_tokens

FEW = st.sampled_from("ab")
LETTERS = st.sampled_from("abcdeé日😀")
# No word begins another, so that characters can be cut into words in one way only.
WORDS = ["the", "cat", "sat", "on", "mat", "dog", "ran", "in", "bed", "up"]
UPOS = ["NOUN", "VERB", "PUNCT"]
FEATS = ["_", "Case=Nom", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Case=Nom|Typo=Yes"]
DEPRELS = [
    *("root", "nsubj", "nsubj:pass", "obl:tmod", "obl", "punct", "_", "reparandum", "other:det"),
    *("det", "det", "det:poss", "case", "case", "aux"),
]


def text(sentences):
    """Sentences of tokens as the code has them."""
    return parse_tokens("\n".join(map(" ".join, sentences)).encode())


def cut(stream, marks):
    """Cut characters after which there is a 1 into tokens, a 2 into sentences."""
    sentences, token = [[]], ""
    for character, mark in zip(stream, marks, strict=True):
        token += character
        if mark:
            sentences[-1].append(token)
            token = ""
        if mark == 2:
            sentences.append([])
    if token:
        sentences[-1].append(token)
    return [sentence for sentence in sentences if sentence]


@st.composite
def segmented(draw, stream):
    marks = st.lists(st.sampled_from([0, 0, 1, 1, 2]), min_size=len(stream), max_size=len(stream))
    return cut(stream, draw(marks))


def streams(letters=FEW | LETTERS, most=40):
    """Characters, of very few different ones or of more."""
    return st.lists(letters, max_size=most).map("".join)


@st.composite
def same_characters(draw):
    """Two segmentations of the same characters, the second often near the first."""
    stream = draw(streams())
    return [draw(segmented(stream)) for _ in range(2)]


@st.composite
def other_characters(draw):
    """Two segmentations of characters some of which are left out, put in or changed."""
    stream = draw(streams(FEW) | streams(LETTERS))
    changes = st.lists(st.tuples(st.integers(0, 40), st.sampled_from(["", "x", "ab", "ba"])))
    changed = list(stream)
    for place, new in draw(changes):
        if place < len(changed):
            changed[place] = new
    return [draw(segmented(each)) for each in (stream, "".join(changed))]


@st.composite
def other_tokens(draw):
    """Two texts, of which the second has tokens and sentences dropped, doubled and joined."""
    tokens = st.lists(st.sampled_from([*WORDS, "a", "b", "ab"]), min_size=1, max_size=6)
    one = draw(st.lists(tokens, max_size=6))
    other = []
    for sentence in one:
        kinds = st.sampled_from([0, 1, 1, 1, 1, 1, 1, 2])
        times = draw(st.lists(kinds, min_size=len(sentence), max_size=len(sentence)))
        kept = [token for token, n in zip(sentence, times, strict=True) for _ in range(n)]
        how = draw(st.sampled_from("keep keep keep drop double join".split()))
        if how == "join" and other:
            other[-1] = other[-1] + kept
        else:
            other += [kept] * {"drop": 0, "double": 2}.get(how, 1)
    return [one, [sentence for sentence in other if sentence]]


def any_pair():
    return st.one_of(same_characters(), other_characters(), other_tokens())


def triples(runs):
    """Runs as plain numbers: where each begins in both streams, and how long it is."""
    return list(zip(runs.a.tolist(), runs.b.tolist(), runs.length.tolist(), strict=True))


def line(*columns):
    """A line of CoNLL-U; what is not given is _."""
    return "\t".join([*map(str, columns), *"_" * (10 - len(columns))]) + "\n"


def conllu(*sentences):
    """Sentences of words only, the first of each being the head of the rest."""
    parts = []
    for words in sentences:
        parts += [
            line(at, word, "_", "_", "_", "_", min(at - 1, 1)) for at, word in enumerate(words, 1)
        ]
        parts.append("\n")
    return "".join(parts)


def treebank(random, stream):
    """The characters as a random treebank: tokens, some of several words, tags and a tree."""
    sentences = cut(stream, [random.choice([0, 0, 1, 1, 1, 2]) for _ in stream])
    return "".join(_sentence(random, tokens) for tokens in sentences)


def _sentence(random, tokens):
    tokens = [_spelled(random, token) for token in tokens]
    sizes = [random.choice([0, 0, 0, 1, 2, 2, 3]) for _ in tokens]
    heads = _heads(random, sum(max(size, 1) for size in sizes))
    lines, number = [], 0
    for token, size in zip(tokens, sizes, strict=True):
        if random.random() < 0.1:
            lines.append(line(f"{number}.1", "gap"))
        if size:
            lines.append(line(f"{number + 1}-{number + size}", token))
        for word in _words(random, token, size):
            number += 1
            lines.append(_word(random, number, word, heads[number - 1]))
            if random.random() < 0.1:
                lines.append(line(f"{number}.1", "gap"))
    comment = f"# text = {' '.join(tokens)}\n" if random.random() < 0.5 else ""
    return "".join([comment, *lines, "\n"])


def _spelled(random, token):
    """The same token, perhaps with white space inside."""
    at = random.randrange(len(token) * 8)
    return f"{token[:at]} {token[at:]}" if 0 < at < len(token) else token


def _words(random, token, size):
    """The words of a token: itself, its parts, or others."""
    if not size:
        return [token]
    bare = token.replace(" ", "")
    if len(bare) >= size and random.random() < 0.6:
        cuts = [0, *sorted(random.sample(range(1, len(bare)), size - 1)), len(bare)]
        return [random.choice([str.lower, str.upper])(bare[a:b]) for a, b in pairwise(cuts)]
    return [random.choice([bare, bare[0], "x", "X", "y"]) for _ in range(size)]


def _word(random, number, form, head):
    lemma = random.choice(["a", "a", "b", "_"])
    tags = random.choice(UPOS), random.choice(["X", "X", "Y"]), random.choice(FEATS)
    return line(number, form, lemma, *tags, head, random.choice(DEPRELS))


def _heads(random, size):
    """A tree: every word depends on the root or on one that was placed before it."""
    order = random.sample(range(1, size + 1), size)
    heads = [0] * size
    for at, word in enumerate(order):
        heads[word - 1] = random.choice([0, *order[:at]]) if at else 0
    return heads
