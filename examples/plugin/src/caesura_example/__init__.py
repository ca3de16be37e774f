"""A template for plug-ins of caesura."""
