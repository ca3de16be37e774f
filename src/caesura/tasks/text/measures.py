"""The measures of text."""

from caesura.core.task import Measures

MEASURES = Measures(
    {
        "joint": "caesura.measures.joint:Joint",
        "treebank": "caesura.measures.treebank:Treebank",
        "classic": "caesura.tasks.text.classic:Classic",
    },
    of="text",
    further=("classic",),
)
