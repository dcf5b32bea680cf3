"""A table's side of the floor: what leaves it, and the few words that come back."""
