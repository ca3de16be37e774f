"""Algorithms that match points, sets and paths, with no opinion about scores."""
