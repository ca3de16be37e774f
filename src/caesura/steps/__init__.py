"""Steps that all tasks take: count cases, score the counts, add statistics, and return all of it."""
