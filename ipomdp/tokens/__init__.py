"""Guess tokens: what a board can show of men that nobody sees."""
