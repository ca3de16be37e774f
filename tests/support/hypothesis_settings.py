"""How many examples hypothesis tries; CAESURA_EXAMPLES=10 tries ten times as many, by hand."""

import os

from hypothesis import settings


def times(number):
    return max(1, round(number * float(os.environ.get("CAESURA_EXAMPLES", "1"))))


settings.register_profile(
    "caesura",
    max_examples=times(30),
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("caesura")
FEW = settings(max_examples=times(12))
MANY = settings(max_examples=times(50))
