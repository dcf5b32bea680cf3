"""The floor: many tables of one site in one place, with their records stored and checked, their
live state and orders to them."""
