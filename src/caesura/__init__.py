"""caesura: how good are these boundaries?

Everything is imported when it is first used, so that `import caesura` costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""As in `typing`, which takes longer to import than all else here."""

__version__ = "0.2.0"

if TYPE_CHECKING:
    from typing import Any

    from caesura.api.batches import count_batch
    from caesura.api.comparison import Comparison, compare
    from caesura.api.compute import compute
    from caesura.api.functions import (
        agreement,
        boundary,
        boundary_similarity,
        cohen_kappa,
        consensus,
        document,
        either,
        joint,
        labels,
        marks,
        masses,
        pk,
        positions,
        segmentation_similarity,
        terms,
        times,
        tolerant,
        trees,
        windowdiff,
        wisebe,
        wordseg,
    )
    from caesura.api.keywords import evaluate
    from caesura.api.lists import FORMATS, MEASURES
    from caesura.api.merge import merge
    from caesura.api.resegmenting import resegment
    from caesura.api.result import Result
    from caesura.core.segmentation import Document, Segmentation
    from caesura.errors import CaesuraError
    from caesura.formats.transcripts import read
    from caesura.steps.evaluation import Evaluation
    from caesura.tasks.transcript.values import probabilities

__all__ = [
    "FORMATS",
    "MEASURES",
    "CaesuraError",
    "Comparison",
    "Document",
    "Evaluation",
    "Result",
    "Segmentation",
    "agreement",
    "boundary",
    "boundary_similarity",
    "cohen_kappa",
    "compare",
    "compute",
    "consensus",
    "count_batch",
    "document",
    "either",
    "evaluate",
    "joint",
    "labels",
    "marks",
    "masses",
    "merge",
    "pk",
    "positions",
    "probabilities",
    "read",
    "resegment",
    "segmentation_similarity",
    "terms",
    "times",
    "tolerant",
    "trees",
    "windowdiff",
    "wisebe",
    "wordseg",
]

_HOMES = {
    "FORMATS": "api.lists",
    "MEASURES": "api.lists",
    "CaesuraError": "errors",
    "Comparison": "api.comparison",
    "Document": "core.segmentation",
    "Evaluation": "steps.evaluation",
    "Result": "api.result",
    "Segmentation": "core.segmentation",
    "compare": "api.comparison",
    "compute": "api.compute",
    "count_batch": "api.batches",
    "evaluate": "api.evaluate",
    "merge": "api.merge",
    "probabilities": "tasks.transcript.values",
    "read": "formats.transcripts",
    "resegment": "api.resegmenting",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        from caesura.removed import removal

        unknown = f"module 'caesura' has no attribute '{name}'"
        raise AttributeError(removal("option", name) or unknown)
    from importlib import import_module

    return getattr(import_module(f"caesura.{_HOMES.get(name, 'api.functions')}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
