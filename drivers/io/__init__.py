"""Everything that opens a port or a file: no driver imports it."""
