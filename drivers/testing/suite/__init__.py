"""The contract of every registered driver, as tests: in memory, and on the wire."""
