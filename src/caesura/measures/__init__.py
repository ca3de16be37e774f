"""Measures, one module for each family; a task names those that it has."""
