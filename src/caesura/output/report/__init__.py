"""The report: a summary, and the data behind it, as one self-contained HTML page."""
