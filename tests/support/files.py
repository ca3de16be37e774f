"""Files that tests write."""


def write(folder, files):
    """Write files in a folder, from their texts by path."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
