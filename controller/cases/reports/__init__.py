"""A report: which round it is about, what it names, and whether it happened at all."""
