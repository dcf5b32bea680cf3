"""Data of the console: the live feed, rounds from the journal, keys of requests."""
