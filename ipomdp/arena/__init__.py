"""Games between players, one or many, and what they show."""
