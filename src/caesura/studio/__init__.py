"""The studio: where people make references together, with their agreement in sight."""
