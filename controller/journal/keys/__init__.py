"""The keys of a journal: one signs its head, one seals its cards."""
