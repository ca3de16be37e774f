"""The data that every step shares."""
