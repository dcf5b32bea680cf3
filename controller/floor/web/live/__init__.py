"""The live state of the tables for screens: the board, its exceptions, its streams."""
