"""A detector: one boundary in the middle."""

from caesura.core.segmentation import Document, Segmentation


def halves(document: Document) -> Segmentation:
    """Cut a document in two."""
    words = len(document.words)
    return Segmentation.from_positions([words // 2 - 1, words - 1], words)
