"""Between drivers and the table: events to words, and what the table asks of the shoe."""
