"""The steps before a journal can be written to: the lock, the walk, the evidence of a loss."""
