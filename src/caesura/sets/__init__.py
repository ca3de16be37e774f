"""Named test sets, `@NAME` in place of a path: descriptions in TOML, and small data."""
