"""Output for people and programs: tables, gates, the report."""
