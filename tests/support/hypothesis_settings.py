"""How many examples hypothesis tries, and whether they are the same each time.

CAESURA_EXAMPLES=10 tries ten times as many. `scripts/test random` draws others than every day: it
sets CAESURA_RANDOM, from which the short hunt of the fuzzer is drawn, too.
"""

import os

from hypothesis import settings

RANDOM = os.environ.get("CAESURA_RANDOM", "")


def times(number):
    return max(1, round(number * float(os.environ.get("CAESURA_EXAMPLES", "1"))))


settings.register_profile("caesura", max_examples=times(30), deadline=None, derandomize=not RANDOM)
settings.load_profile("caesura")
FEW = settings(max_examples=times(12))
MANY = settings(max_examples=times(50))
