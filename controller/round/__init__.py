"""Baccarat: wagers, cards, hands, methods A, B and C, the shoe, settlement. No I/O, no clock."""
