"""Who sits at the board: the referee's table, what a seat knows, and the lines between them."""
