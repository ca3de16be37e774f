"""What formats share: scripts, tiers, times, and how text is scanned."""
