"""Documents into rows: cases, engines, the file of rows."""
