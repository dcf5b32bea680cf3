"""Results, voids, corrections and phases to subscribers: signed, in order, again until taken."""
