"""What each audience may see: pictures made from rounds, with no I/O of their own."""
