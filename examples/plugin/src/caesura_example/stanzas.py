"""A profile: stanzas of poems, scored by F1 and Pk under the names that readers of poems use."""

from caesura.core.profile import Named, Profile

STANZAS = Profile(
    about="stanzas of poems, one per line",
    task="transcript",
    item="word",
    unit="stanza",
    scored="stanzas",
    options={"input": "lines"},
    takes={"encoding": ""},
    scores={
        "precision": Named("precision_mean", "P"),
        "recall": Named("recall_mean", "R"),
        "f1": Named("f1_mean", "F"),
        "pk": Named("pk_mean", "Pk"),
    },
)
