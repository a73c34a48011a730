"""Full Kriegspiel under Internet Chess Club rules (wild 16), on boards of even size up to 8x8."""
