"""What the console keeps and reads back: the live feed, rounds of the journal, keys of requests."""
