"""All versions of a document on one axis: words, characters, time."""
