"""Random texts of thousands of sentences, as two tokenizers have them, for tests of parts."""

from caesura.tasks.text.counting import TextTask

WORDS = (
    "the cat sat on a mat and dogs ran into beds up there over it's 日本 zoé 😀𐐷 שלום thing".split()
)


def sentences(generator, number, vocabulary=WORDS):
    return [
        [generator.choice(vocabulary) + generator.choice(["", "", "s", "ly", str(n % 97)])
         for n in range(generator.randrange(1, 20))] + ["."]
        for _ in range(number)
    ]  # fmt: skip


def otherwise(generator, text, noise):
    """The same text as another tokenizer has it, with characters that differ here and there."""
    other = []
    for sentence in text:
        tokens = [part for token in sentence for part in altered(generator, token, noise)]
        if generator.random() < 0.1 and other:
            other[-1] += tokens
        elif tokens and generator.random() > noise / 5:
            other.append(tokens)
    return other


def altered(generator, token, noise):
    chance = generator.random()
    if chance < noise:
        return generator.choice([[], ["''"], ["-LRB-"], [token[::-1]], [token * 3], ["x", token]])
    return [token[:2], token[2:]] if chance > 0.8 and len(token) > 2 else [token]


def written(path, text, generator):
    lines = [" ".join(each) + generator.choice(["\n", "\n", "\n", "\r\n", "\n\n"]) for each in text]
    path.write_bytes("".join(lines).encode())
    return str(path)


def whole(case):
    rows = TextTask(force=True).count(case)
    return {row.measure: row.counts for row in rows if row.measure != "source"}


def cut_out(generator, system, gold):
    """A chapter that only one of them has."""
    at = generator.randrange(len(system))
    return system[:at] + system[at + 60 :], gold
