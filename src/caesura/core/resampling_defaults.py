"""Defaults of resampling, for statistics, the command line and Python alike."""

from typing import Literal

LEVEL = 0.95
RESAMPLES = 10_000
SEED = 12345
METHOD: Literal["bca"] = "bca"
UNIT: Literal["auto"] = "auto"
FEW = 10
"""Fewer documents than these are cut in blocks; fewer units make intervals unreliable."""
