"""The engine against programs that share no code with it."""
