"""What baseline.py is made of: inputs, commands, what they print, and how two runs differ."""
