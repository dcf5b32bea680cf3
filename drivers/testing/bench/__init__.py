"""A unit on a bench: emulated as a program of its own, or a real one that a person operates."""
