"""How the tables stand, as screens follow it: the board, its exceptions, its streams."""
