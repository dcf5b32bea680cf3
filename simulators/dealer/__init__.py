"""The robot dealer: plays whole shoes at a table that it reaches only as text.

It draws cards from an emulated shoe through its back door, or from a paper shoe. It acts for the
dealer, the staff and a few players, and has its own table of play. `python -m simulators dealer
--help` runs it as a program.
"""
