"""The round: the machine, methods A, B and C, irregularities, who may decide. No I/O, no clock."""
