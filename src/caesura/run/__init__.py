"""Documents into rows: cases, engines, the journal."""
