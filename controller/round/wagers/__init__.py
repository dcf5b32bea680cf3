"""Wagers of a round: placed, raised, withdrawn, held to the limits; the index of all of them."""
