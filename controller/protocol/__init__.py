"""What a table and its floor say to each other: types, subjects, signatures. No I/O."""
