"""Irregularities: the rows of the book carried out, and what people say while a case is open."""
