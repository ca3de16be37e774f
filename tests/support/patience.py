"""How long tests wait for a browser."""

PATIENCE = 30_000
"""How many milliseconds a page has on a machine that is busy."""
