"""Words of Chinese and Japanese, as the SIGHAN bakeoffs score them."""

from __future__ import annotations

from caesura.core.profile import OWN_TABLES, Named, Profile

PROFILE = Profile(
    about="words of Chinese and Japanese, as the SIGHAN bakeoffs score them",
    task="text",
    item="word",
    unit="line",
    scored="words",
    options={"input": "segmented", "equivalences": "none", "also": ("words",)},
    takes={
        "dictionary": "The words of the training data, one per line, for OOV and IV recall.",
        "force": "",
        "also": f"{OWN_TABLES} or classic (older scores by characters). Repeatable.",
        "encoding": "",
    },
    measures={"words": "caesura.communities.sighan.measure:WordErrors"},
    examples=(
        "ours.txt --gold gold.txt --dictionary train_words.txt",
        "a.txt b.txt --gold gold.txt --compare --confidence",
    ),
    scores={
        "precision": Named("token_precision", "P"),
        "recall": Named("token_recall", "R"),
        "f1": Named("token_f1", "F"),
        "insertions": Named("word_insertions", "ins"),
        "deletions": Named("word_deletions", "del"),
        "substitutions": Named("word_substitutions", "sub"),
        "oov_rate": Named("oov_rate", "OOV rate"),
        "oov_recall": Named("oov_recall", "R OOV"),
        "iv_recall": Named("iv_recall", "R IV"),
    },
)
