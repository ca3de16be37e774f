"""A slow, obvious version of `caesura.core.tokens.tokenized`, by Unicode's names."""

import unicodedata

SCRIPTS = ("CJK ", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "IDEOGRAPHIC", "THAI", "LAO")
OPENING = set("([{«‹“„‟‘‚‛¿¡「『（【《〈")
VOWELS = set("ำຳ")
"""Letters that stay with the one before them, as a combining vowel sign does."""


def is_unspaced(character):
    """Whether a letter or digit is of a script without spaces: Chinese, Japanese, Thai or Lao."""
    is_letter = unicodedata.category(character)[0] in "LN" and character not in VOWELS
    return is_letter and unicodedata.name(character, "").startswith(SCRIPTS)


def is_attached(character):
    """Whether a character belongs to the one before it: a vowel sign, a tone."""
    return unicodedata.category(character) == "Mn" or character in VOWELS


def tokens(text, edges):
    """The tokens of a text, character by character; `edges` is punctuation."""
    found, is_open, waiting = [], False, ""
    for character in text:
        if character.isspace():
            found += [waiting] if waiting else []
            is_open, waiting = False, ""
        elif is_unspaced(character):
            opened = waiting[len(waiting.rstrip("".join(OPENING))) :]
            before = waiting.removesuffix(opened)
            found += [before] if before else []
            waiting, is_open = opened + character, True
        elif is_open and waiting[-1] not in edges and is_attached(character):
            waiting += character
        elif is_open and (character not in edges or character in OPENING):
            found.append(waiting)
            waiting, is_open = character, False
        else:
            waiting += character
    return found + ([waiting] if waiting else [])
