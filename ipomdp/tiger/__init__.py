"""The multi-agent tiger, the second game."""
