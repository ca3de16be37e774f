"""MEASURES: every measure by name. One module for each family."""

from caesura.measures.agreement import Agreement, AgreementCounts
from caesura.measures.axis import WORDS, Axis, ClockAxis, WordAxis
from caesura.measures.boundary import (
    Boundary,
    BoundaryCounts,
    Consensus,
    Either,
    EitherCounts,
    Tolerant,
    TolerantCounts,
)
from caesura.measures.edit import Edit, EditCounts
from caesura.measures.joint import Joint, JointCounts
from caesura.measures.marks import MarkCounts, Marks
from caesura.measures.su import Su, SuCounts
from caesura.measures.terms import TermCounts, Terms
from caesura.measures.treebank import Treebank, TreebankCounts
from caesura.measures.windows import WindowCounts, Windows
from caesura.measures.wisebe import Wisebe, WisebeCounts
from caesura.measures.wordseg import Wordseg, WordsegCounts

PairMeasure = Boundary | Tolerant | Marks | Windows | Edit | Su
PanelMeasure = Wisebe | Consensus | Either
Measure = PairMeasure | PanelMeasure | Agreement | Joint | Treebank | Terms | Wordseg

MEASURES: dict[str, type[Measure]] = {
    "wisebe": Wisebe,
    "consensus": Consensus,
    "either": Either,
    "boundary": Boundary,
    "marks": Marks,
    "windows": Windows,
    "edit": Edit,
    "tolerant": Tolerant,
    "su": Su,
    "agreement": Agreement,
    "joint": Joint,
    "treebank": Treebank,
    "terms": Terms,
    "wordseg": Wordseg,
}

__all__ = [
    "MEASURES",
    "WORDS",
    "Agreement",
    "AgreementCounts",
    "Axis",
    "Boundary",
    "BoundaryCounts",
    "ClockAxis",
    "Consensus",
    "Edit",
    "EditCounts",
    "Either",
    "EitherCounts",
    "Joint",
    "JointCounts",
    "MarkCounts",
    "Marks",
    "Measure",
    "PairMeasure",
    "PanelMeasure",
    "Su",
    "SuCounts",
    "TermCounts",
    "Terms",
    "Tolerant",
    "TolerantCounts",
    "Treebank",
    "TreebankCounts",
    "WindowCounts",
    "Windows",
    "Wisebe",
    "WisebeCounts",
    "WordAxis",
    "Wordseg",
    "WordsegCounts",
]
