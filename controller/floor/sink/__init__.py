"""Where tables' records come in: judged, committed, and only then answered."""
