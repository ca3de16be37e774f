"""Tasks: what is read and counted for one document. One module for each."""
