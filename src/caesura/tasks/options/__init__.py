"""The options of tasks, one module for each, without numpy: `--help` reads them."""
