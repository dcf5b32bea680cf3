"""The journal: an append-only, hash-chained record of every step, durable before any output is
shown.
"""
