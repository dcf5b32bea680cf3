"""The robot dealer: plays whole shoes at a table that it reaches only as text.

It draws cards from an emulated shoe through its back door, or from a shoe of paper; speaks for the
dealer, the staff and a few players; and has a table of play of its own. `python -m simulators
dealer --help` runs it as a program.
"""
