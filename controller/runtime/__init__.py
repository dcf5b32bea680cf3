"""A running table: the loop, its inbox, its devices, and the snapshots that all others read."""
