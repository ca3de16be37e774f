"""Rows into scores: sums, means over documents, and the human ceiling."""
