"""Messages between a table and its floor: types, subjects, signatures. No I/O."""
