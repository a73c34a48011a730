"""Games between players: one, many, and when something goes wrong."""
