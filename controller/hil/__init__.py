"""One device on a bench, without a table: watched, tried with a deck, enrolled."""
