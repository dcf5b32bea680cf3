"""The lone adversary: one person at a table who says any word with any fields at any moment.

The cards are honest, the crew deals by the book and approves nothing. Whatever one person alone
brings about that no person alone may bring about is a violation, and is told as the shortest list
of JSON lines that leads there. `python -m adversary` is the long form, `tests/proofs` the short.
"""
