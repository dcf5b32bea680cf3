"""How a step is taken: worked out on a value, recorded, then taken; live and in replay alike."""
