"""Whose journal it is: the key that signs its head, the keys that seal its cards."""
