"""The views of the page behind the scores, one a module; a task chooses the one that fits it."""
