"""Players of whole games: told what they hear, asked for a try."""
