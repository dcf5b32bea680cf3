"""The manual that the table serves at `/manual`: Markdown pages, three reference pages made from
the code, and a search that works without a network."""
