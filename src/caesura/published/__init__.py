"""Published tables as JSON, and how each of their figures is computed again."""
