"""Steps that all tasks take: count, add statistics, save, and return all of it."""
