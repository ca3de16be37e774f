"""Bytes in and out: files, URLs, archives, columns."""
