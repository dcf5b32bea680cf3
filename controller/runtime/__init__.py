"""A running table: the loop, its inbox, its devices, and what everybody else sees of it."""
