"""Output for people and programs: tables, plots, gates, the report."""
