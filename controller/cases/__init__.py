"""Irregularities: carries out the rows of the book and applies commands to the open case."""
