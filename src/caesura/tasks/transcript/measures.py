"""The measures of transcripts."""

from caesura.core.task import Measures

MEASURES = Measures(
    {
        "wisebe": "caesura.measures.wisebe:Wisebe",
        "consensus": "caesura.measures.boundary:Consensus",
        "either": "caesura.measures.boundary:Either",
        "boundary": "caesura.measures.boundary:Boundary",
        "marks": "caesura.measures.marks:Marks",
        "windows": "caesura.measures.windows:Windows",
        "edit": "caesura.measures.edit:Edit",
        "tolerant": "caesura.measures.boundary:Tolerant",
        "agreement": "caesura.measures.agreement:Agreement",
        "mark_consensus": "caesura.measures.marks:MarkConsensus",
        "discourse": "caesura.measures.units:Discourse",
        "starts": "caesura.measures.units:Starts",
        "spans": "caesura.measures.units:UnitSpans",
        "rand": "caesura.measures.units:Rand",
        "ghd": "caesura.measures.edit:Ghd",
        "ranking": "caesura.measures.ranking:Ranking",
        "tolerant_ranking": "caesura.measures.ranking:TolerantRanking",
        "extent": "caesura.measures.geometry:Extent",
        "panel_extent": "caesura.measures.geometry:PanelExtent",
        "cells": "caesura.measures.boundary:CellKappa",
    },
    of="transcript",
    further=(
        "discourse", "starts", "spans", "rand", "ghd", "ranking", "tolerant_ranking", "cells",
    ),
    parameters={
        "tolerant": "tolerance",
        "wisebe": "window",
        "windows": "k",
        "edit": "near",
        "consensus": "consensus",
    },
)  # fmt: skip
