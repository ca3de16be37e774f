"""MEASURES: every measure by name, and FAMILIES: those of each task. One module for each family."""

from caesura.core.registry import Registry
from caesura.measures.base import Measure

FAMILIES: dict[str, Registry[type[Measure]]] = {
    "transcript": Registry(
        {
            "wisebe": "caesura.measures.wisebe:Wisebe",
            "consensus": "caesura.measures.boundary:Consensus",
            "either": "caesura.measures.boundary:Either",
            "boundary": "caesura.measures.boundary:Boundary",
            "marks": "caesura.measures.marks:Marks",
            "windows": "caesura.measures.windows:Windows",
            "edit": "caesura.measures.edit:Edit",
            "tolerant": "caesura.measures.boundary:Tolerant",
            "su": "caesura.measures.su:Su",
            "deviation": "caesura.measures.deviation:Deviation",
            "unsupseg": "caesura.measures.hits:UnsupSeg",
            "strgar": "caesura.measures.hits:Strgar",
            "tokens": "caesura.measures.intervals:IntervalTokens",
            "kamper": "caesura.measures.intervals:Kamper",
            "changes": "caesura.measures.changes:Changes",
            "purity": "caesura.measures.purity:Purity",
            "agreement": "caesura.measures.agreement:Agreement",
            "mark_consensus": "caesura.measures.mark_consensus:MarkConsensus",
            "discourse": "caesura.measures.spans:Discourse",
            "seg_eval": "caesura.measures.seg_eval:SegEval",
            "starts": "caesura.measures.spans:Starts",
            "spans": "caesura.measures.spans:UnitSpans",
            "rand": "caesura.measures.rand:Rand",
            "conventions": "caesura.measures.conventions:Conventions",
            "choi": "caesura.measures.conventions:Choi",
            "ghd": "caesura.measures.ghd:Ghd",
            "coders": "caesura.measures.coders:Coders",
            "coder_pairs": "caesura.measures.coders:CoderPairs",
            "breaks": "caesura.measures.breaks:Breaks",
            "sigma": "caesura.measures.sigma:Sigma",
            "ter_br": "caesura.measures.sigma:TerBr",
            "evalsub": "caesura.measures.evalsub:EvalSub",
            "reading": "caesura.measures.reading:ReadingLoad",
        }
    ),
    "text": Registry(
        {
            "joint": "caesura.measures.joint:Joint",
            "treebank": "caesura.measures.treebank:Treebank",
            "classic": "caesura.measures.classic:Classic",
            "words": "caesura.measures.word_errors:WordErrors",
            "diff": "caesura.measures.word_diff:WordDiff",
        }
    ),
    "trees": Registry(
        {
            "brackets": "caesura.measures.brackets:Brackets",
            "breakdown": "caesura.measures.brackets:Breakdown",
            "joint": "caesura.measures.joint:Joint",
            "evalb": "caesura.measures.evalb:Evalb",
        }
    ),
    "corrections": Registry(
        {
            "corrections": "caesura.measures.corrections:Corrections",
            "types": "caesura.measures.corrections:Types",
        }
    ),
    "morphemes": Registry(
        {
            "morphs": "caesura.measures.morphs:Morphs",
            "categories": "caesura.measures.morphs:Categories",
        }
    ),
    "sentences": Registry(
        {
            "sentences": "caesura.measures.sentences:Sentences",
            "bleu": "caesura.measures.translation:Bleu",
            "chrf": "caesura.measures.translation:Chrf",
            "ter": "caesura.measures.translation:Ter",
        }
    ),
    "terms": Registry({"terms": "caesura.measures.terms:Terms"}),
    "utterances": Registry({"wordseg": "caesura.measures.wordseg:Wordseg"}),
}
"""The measures of each task, in the order in which their scores are shown."""
MEASURES: Registry[type[Measure]] = Registry.from_registries(FAMILIES.values())
