"""Recorded games step by step, as each side knew them, and arenas whose games open so."""
